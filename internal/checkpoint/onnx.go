package checkpoint

import (
	"context"
	"strconv"
)

// The most that is kept of an ONNX file's texts.
const (
	maxONNXText = 4 << 10 // bytes of a name, a path, a word of metadata
	maxONNXMeta = 1 << 10 // entries of metadata
)

// openONNX opens a serialised ModelProto. Its graph is nearly the whole of the
// file, so it is walked field by field, and tensors' numbers are jumped over. It
// lists the initialisers, the tensors of Constant nodes under the names of their
// outputs, and what DequantizeLinear nodes make of either.
//
// The ir_version, producer_name, producer_version, domain and opset go into the
// metadata as "onnx.ir_version" and so on, the opset of another domain as
// "onnx.opset.com.microsoft" for instance; metadata_props go there as they are.
//
//	https://github.com/onnx/onnx, onnx/onnx.proto and docs/IR.md
func openONNX(ctx context.Context, b *blob, l Limits) (*File, error) {
	m := &onnxModel{file: newFile("onnx")}
	g := &onnxGraph{file: m.file, b: b, limits: l, byName: map[string]*onnxTensor{}, gathered: map[string]string{}}
	in := newWindow(ctx, b, b.size)
	graphs := 0
	model := wireMessage{in, modelShape, 0, b.size}
	err := model.each(func(f wireField) error {
		if f.num != modelGraph {
			return m.property(model, f)
		}
		if graphs++; graphs > 1 {
			return fault(Corrupt, f.at, "the file has a second graph")
		}
		return g.walk(model.inside(f, graphShape))
	})
	if err != nil {
		return nil, err
	}
	if graphs == 0 {
		return nil, fault(Corrupt, -1, "an ONNX file without a graph")
	}
	if err := g.list(); err != nil {
		return nil, err
	}
	return m.file, nil
}

// onnxModel takes in what a ModelProto says beside its graph.
type onnxModel struct {
	file    *File
	entries int
}

// property notes one field in the metadata.
func (m *onnxModel) property(model wireMessage, f wireField) error {
	switch f.num {
	case modelIRVersion:
		m.note("onnx.ir_version", strconv.FormatInt(int64(f.value), 10))
	case modelProducerName, modelProducerVersion, modelDomain:
		s, err := model.text(f, maxONNXText)
		if err != nil || s == "" {
			return err
		}
		m.note("onnx."+model.shape.fields[f.num].name, s)
	case modelOpsetImport:
		return m.opset(model.inside(f, opsetShape))
	case modelMetadataProps:
		entry := model.inside(f, entryShape)
		if entry.end-entry.off > maxONNXText { // a list of labels, a training log
			return nil
		}
		key, value, err := readEntry(entry)
		if err != nil {
			return err
		}
		m.note(key, value)
	}
	return nil
}

// opset notes the version of a set of operators.
func (m *onnxModel) opset(set wireMessage) error {
	key, version := "onnx.opset", "0"
	err := set.each(func(f wireField) error {
		if f.num == opsetVersion {
			version = strconv.FormatInt(int64(f.value), 10)
			return nil
		}
		domain, err := set.text(f, maxONNXText)
		if domain != "" && domain != "ai.onnx" {
			key += "." + domain
		}
		return err
	})
	if err == nil {
		m.note(key, version)
	}
	return err
}

// note keeps an entry, unless there are too many.
func (m *onnxModel) note(key, value string) {
	if m.entries++; m.entries <= maxONNXMeta {
		m.file.meta[key] = value
	}
}

// readEntry reads a key and its value.
func readEntry(entry wireMessage) (key, value string, err error) {
	err = entry.each(func(f wireField) error {
		s, err := entry.text(f, maxONNXText)
		if f.num == entryKey {
			key = s
		} else {
			value = s
		}
		return err
	})
	return key, value, err
}
