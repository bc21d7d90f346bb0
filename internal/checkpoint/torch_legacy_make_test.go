package checkpoint

import (
	"encoding/binary"
	"math"
)

// legacyStore is a storage of a file of the legacy layout.
type legacyStore struct {
	key   string
	count int64
	data  string
}

// legacyParts are the pieces of a file of the legacy layout, before it is put
// together: the pickles without their PROTO and STOP.
type legacyParts struct {
	magic, version, machine, root, keys string
	stores                              []legacyStore
}

// legacyOf has the pieces as torch.save writes them: a pickled root, and a storage
// of each text of numbers, by their keys "0", "1" ...
func legacyOf(root string, storages ...[]float32) legacyParts {
	p := legacyParts{
		magic:   torchMagic,
		version: "M\xe9\x03",
		machine: pkDict("protocol_version", pkInt(1001), "little_endian", "\x88", "type_sizes", pkDict("short", pkInt(2))),
		root:    root,
	}
	var keys []string
	for i, s := range storages {
		key := string(rune('0' + i))
		keys = append(keys, pkText(key))
		p.stores = append(p.stores, legacyStore{key, int64(len(s)), floats(s...)})
	}
	p.keys = pkList(keys...)
	return p
}

// bytes puts the pieces together.
func (p legacyParts) bytes() []byte {
	var b []byte
	for _, s := range []string{p.magic, p.version, p.machine, p.root, p.keys} {
		b = append(b, "\x80\x02"+s+"."...)
	}
	for _, s := range p.stores {
		b = binary.LittleEndian.AppendUint64(b, uint64(s.count))
		b = append(b, s.data...)
	}
	return b
}

// pkView is the persistent id of a part of a storage, as versions before 0.4
// wrote it.
func pkView(key string, numel, off, n int) string {
	part := pkTuple(pkText("part"), pkInt(off), pkInt(n))
	return pkTuple(pkText("storage"), pkGlobal("torch", "FloatStorage"), pkText(key), pkText("cpu"), pkInt(numel), part) + "Q"
}

// pkFloat is a float.
func pkFloat(v float64) string {
	return "G" + string(binary.BigEndian.AppendUint64(nil, math.Float64bits(v)))
}
