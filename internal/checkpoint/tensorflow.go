package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"path"
	"strings"
)

// tfIndex is what the name of a TensorFlow checkpoint's index ends in, behind the
// prefix that all its files share.
const tfIndex = ".index"

// openTFIndex opens a TensorFlow checkpoint of version 2 by its index, a LevelDB
// table with an entry for every variable. Their numbers are in the files
// PREFIX.data-SSSSS-of-NNNNN beside it, which are opened when one is read. The
// CRC-32C of every block of the index is checked, and that of every variable, or of
// each of its slices, when it is read: a part is never read alone.
//
//	https://github.com/tensorflow/tensorflow, tensorflow/core/util/tensor_bundle
//	and tensorflow/core/protobuf/tensor_bundle.proto
func openTFIndex(ctx context.Context, b *blob, l Limits) (*File, error) {
	t := &tfBundle{folder: b.folder, prefix: strings.TrimSuffix(b.name, tfIndex), limits: l}
	rows, err := t.read(ctx, b)
	if err != nil {
		return nil, err
	}
	return t.file(rows)
}

// openTFData opens a checkpoint by one of its data files, which has no names and
// shapes: those are in the index beside it.
func openTFData(ctx context.Context, b *blob, l Limits) (*File, error) {
	prefix, _ := tfDataPrefix(path.Base(b.name))
	return b.openIndex(ctx, prefix+tfIndex, "the data of a TensorFlow checkpoint", l)
}

// openTFState opens the checkpoint that a file "checkpoint" names.
func openTFState(ctx context.Context, b *blob, l Limits) (*File, error) {
	if b.folder == nil {
		return nil, alone("the list of a TensorFlow run's checkpoints", "the checkpoint")
	}
	return openTFFolder(ctx, b.folder, path.Dir(b.name), l)
}

// openSavedModel opens the variables of a SavedModel by the file of its graph.
func openSavedModel(ctx context.Context, b *blob, l Limits) (*File, error) {
	return b.openIndex(ctx, savedVariables, "the graph of a TensorFlow SavedModel", l)
}

// openIndex opens the index that stands beside a file of a checkpoint.
func (b *blob) openIndex(ctx context.Context, index, what string, l Limits) (*File, error) {
	if b.folder == nil {
		return nil, alone(what, quoted(index))
	}
	f, err := openFirst(ctx, b.folder, path.Dir(b.name), []string{index}, l)
	if f == nil && err == nil {
		err = &Error{Kind: NotFound, Off: -1, Msg: what + ", but " + quoted(index) + " is not there beside it",
			Hint: "that file has the names and shapes of the variables: put it into the same folder"}
	}
	return f, err
}

// alone is the Error of a stream that is only a part of a checkpoint.
func alone(what, rest string) *Error {
	e := fault(Unsupported, -1, "%s, which needs %s beside it; a stream has no files beside it", what, rest)
	e.Hint = "give the path of the file"
	return e
}

// tfByName tells the files of a checkpoint that only their names tell, whatever
// their first bytes look like.
func tfByName(name string, head []byte) (opener, bool) {
	base := path.Base(name)
	if _, ok := tfDataPrefix(base); ok {
		return openTFData, true
	}
	switch {
	case base == tfState && bytes.HasPrefix(head, []byte(tfStateKey)):
		return openTFState, true
	case base == "saved_model.pb":
		return openSavedModel, true
	}
	return nil, false
}

// tfDataPrefix cuts the number off the name of a data file.
func tfDataPrefix(base string) (string, bool) {
	i := strings.LastIndex(base, ".data-")
	if i <= 0 {
		return "", false
	}
	n, of, ok := strings.Cut(base[i+len(".data-"):], "-of-")
	digits := func(s string) bool { return len(s) >= 5 && strings.Trim(s, "0123456789") == "" }
	return base[:i], ok && digits(n) && digits(of)
}

// isTFIndex tells an index by its first entry, the header under the empty key:
// nothing shared with a key before it, no bytes of its own, the header's length.
func isTFIndex(head []byte) bool {
	if len(head) < 4 || head[0] != 0 || head[1] != 0 {
		return false
	}
	length, n := binary.Uvarint(head[2:])
	if n <= 0 || length == 0 || length > uint64(len(head)-2-n) {
		return false
	}
	h, err := parseTFHeader(head[2+n : 2+n+int(length)])
	return err == nil && h.shards > 0 || hasKind(err, Unsupported)
}

// isTFTable tells an index by its name, or as any LevelDB table by its last bytes.
func (b *blob) isTFTable() bool {
	if strings.HasSuffix(b.name, tfIndex) {
		return true
	}
	n := int64(len(tableMagic))
	tail, err := b.bytes(max(0, b.size-n), min(b.size, n))
	return err == nil && string(tail) == tableMagic
}
