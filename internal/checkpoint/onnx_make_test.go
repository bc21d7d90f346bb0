package checkpoint

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// wireBytes is a field with a text, or with the fields of a message.
func wireBytes(num protowire.Number, value ...string) string {
	p := protowire.AppendTag(nil, num, protowire.BytesType)
	return string(protowire.AppendString(p, strings.Join(value, "")))
}

// wireInts are fields with a whole number each.
func wireInts(num protowire.Number, values ...int64) string {
	var p []byte
	for _, v := range values {
		p = protowire.AppendVarint(protowire.AppendTag(p, num, protowire.VarintType), uint64(v))
	}
	return string(p)
}

// wirePacked is a field with whole numbers packed together.
func wirePacked(num protowire.Number, values ...int64) string {
	var p []byte
	for _, v := range values {
		p = protowire.AppendVarint(p, uint64(v))
	}
	return wireBytes(num, string(p))
}

// littleFloats are numbers as F32.
func littleFloats(values ...float64) string {
	var p []byte
	for _, v := range values {
		p = binary.LittleEndian.AppendUint32(p, math.Float32bits(float32(v)))
	}
	return string(p)
}

// onnxOf is a model whose graph has these fields.
func onnxOf(graph ...string) []byte {
	return []byte(wireInts(modelIRVersion, 8) + wireBytes(modelProducerName, "test") + wireBytes(modelGraph, graph...) +
		wireBytes(modelOpsetImport, wireBytes(opsetDomain, ""), wireInts(opsetVersion, 17)))
}

// tensorOf is a TensorProto of a type and shape, with more fields.
func tensorOf(name string, dataType int64, dims []int64, more ...string) string {
	return wireInts(tensorDims, dims...) + wireInts(tensorDataType, dataType) + wireBytes(tensorName, name) + strings.Join(more, "")
}

// initializer is a field of a graph with a tensor.
func initializer(name string, dataType int64, dims []int64, more ...string) string {
	return wireBytes(graphInitializer, tensorOf(name, dataType, dims, more...))
}

// rawOnes is raw_data of n elements of the size given, all bytes 1.
func rawOnes(n int) string { return wireBytes(tensorRawData, strings.Repeat("\x01", n)) }

// nodeOf is a field of a graph with a node.
func nodeOf(op string, in, out []string, more ...string) string {
	var p string
	for _, s := range in {
		p += wireBytes(nodeInput, s)
	}
	for _, s := range out {
		p += wireBytes(nodeOutput, s)
	}
	return wireBytes(graphNode, p, wireBytes(nodeOpType, op), strings.Join(more, ""))
}

// constantOf is a Constant node with a tensor.
func constantOf(name string, tensor string) string {
	return nodeOf("Constant", nil, []string{name}, wireBytes(nodeAttribute, wireBytes(attributeName, "value"), wireBytes(attributeT, tensor), wireInts(20, 4)))
}

// intAttribute is an attribute of a node with a whole number.
func intAttribute(name string, v int64) string {
	return wireBytes(nodeAttribute, wireBytes(attributeName, name), wireInts(attributeI, v), wireInts(20, 2))
}

// elsewhere are the fields of a tensor whose numbers are in another file.
func elsewhere(pairs ...string) string {
	s := wireInts(tensorDataLocation, 1)
	for i := 0; i < len(pairs); i += 2 {
		s += wireBytes(tensorExternalData, wireBytes(entryKey, pairs[i]), wireBytes(entryValue, pairs[i+1]))
	}
	return s
}

// openModel opens a model that has to be good.
func openModel(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := openBytes(t, "x.onnx", data, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}
