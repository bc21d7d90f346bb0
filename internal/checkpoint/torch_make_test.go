package checkpoint

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// The pieces of a pickle of protocol 2, as torch.save writes it.

func pkText(s string) string {
	return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
}

func pkInt(n int) string {
	if n < 0 || n > math.MaxInt32 {
		return "\x8a\x08" + string(binary.LittleEndian.AppendUint64(nil, uint64(n)))
	}
	return "J" + string(binary.LittleEndian.AppendUint32(nil, uint32(n)))
}

func pkTuple(items ...string) string { return "(" + strings.Join(items, "") + "t" }
func pkList(items ...string) string  { return "](" + strings.Join(items, "") + "e" }

// pkDict is a dict of text keys and pickled values, alternating.
func pkDict(keysAndValues ...string) string {
	s := "}("
	for i := 0; i < len(keysAndValues); i += 2 {
		s += pkText(keysAndValues[i]) + keysAndValues[i+1]
	}
	return s + "u"
}

func pkGlobal(module, name string) string { return "c" + module + "\n" + name + "\n" }

func pkInts(ints []int) string {
	items := []string{}
	for _, n := range ints {
		items = append(items, pkInt(n))
	}
	return pkTuple(items...)
}

// pkStorage is the persistent id of a storage.
func pkStorage(class, key string, numel int) string {
	return pkTuple(pkText("storage"), pkGlobal("torch", class), pkText(key), pkText("cpu"), pkInt(numel)) + "Q"
}

// pkTensor is a view into a storage.
func pkTensor(storage string, offset int, size, stride []int) string {
	return pkGlobal("torch._utils", "_rebuild_tensor_v2") +
		pkTuple(storage, pkInt(offset), pkInts(size), pkInts(stride), "\x89", pkGlobal("collections", "OrderedDict")+")R") + "R"
}

// torchOf is a file of torch.save's of a pickled root and its storages, by their
// keys "0", "1" ...
func torchOf(t testing.TB, root string, storages ...string) []byte {
	return zipOf(t, torchParts(root, storages...)...)
}

func torchParts(root string, storages ...string) []part {
	parts := []part{{name: "archive/data.pkl", data: "\x80\x02" + root + "."}}
	for i, s := range storages {
		parts = append(parts, part{name: fmt.Sprintf("archive/data/%d", i), data: s})
	}
	return append(parts, part{name: "archive/version", data: "3\n"})
}

// floats is values as little-endian F32.
func floats(values ...float32) string {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return string(b)
}
