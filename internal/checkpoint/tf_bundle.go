package checkpoint

import (
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"

	"poslens/internal/tensor"
)

// The entries of an index, beside maxTensors. The CRC-32C of an entry is four
// bytes that don't pack, so that a packed index can't have many more than its
// bytes allow.
const (
	tfEntryLeast = 4    // bytes of the file
	tfEntrySlack = 1024 // entries that may always be there
)

// tfBundle is a checkpoint at work.
type tfBundle struct {
	folder fs.FS
	prefix string // of its files' names
	shards int64  // data files
	order  binary.ByteOrder
	limits Limits
}

// tfRow is an entry of the index under its key.
type tfRow struct {
	key   string
	off   int64 // of the entry in the index
	entry tfEntry
	err   error // what is wrong with the entry
}

// tfView is a variable that can be listed.
type tfView struct {
	info  tensor.Info
	parts []tfPart // where its numbers are: one, or one a slice
	err   error    // what is wrong with it; the info says what is known all the same
}

// tfPart is a tensor in a data file: a variable, or a slice of one.
type tfPart struct {
	info  tensor.Info
	entry tfEntry
	start []int // its first element's place in the variable; nil for all of it
}

// read takes the whole index in: the header under the empty key, which comes
// first, then the entries. An entry that is broken does not spoil the others.
func (t *tfBundle) read(ctx context.Context, b *blob) ([]tfRow, error) {
	table := &tfTable{b: b, limits: t.limits}
	most := min(maxTensors, tfEntrySlack+b.size/tfEntryLeast)
	var rows []tfRow
	var pieces int64 // slices, each of which is to have an entry of its own
	err := table.each(ctx, func(key, value []byte, off int64) error {
		if t.shards == 0 {
			return at(t.begin(key, value), "", off)
		}
		if int64(len(rows)) == most {
			return fault(TooLarge, off, "over %d entries in an index of %d bytes", most, b.size)
		}
		row := tfRow{key: string(key), off: off}
		row.entry, row.err = parseTFEntry(value)
		if pieces += int64(len(row.entry.slices)); pieces > most {
			return fault(TooLarge, off, "over %d slices in an index of %d bytes", most, b.size)
		}
		rows = append(rows, row)
		return nil
	})
	if err == nil && t.shards == 0 {
		err = fault(Corrupt, 0, "the index has no entries, not even its header")
	}
	return rows, err
}

// begin takes the header in.
func (t *tfBundle) begin(key, value []byte) error {
	if len(key) > 0 {
		return fault(Corrupt, -1, "a LevelDB table that is no TensorFlow checkpoint: it starts with the key %s, not with a header", quoted(string(key)))
	}
	h, err := parseTFHeader(value)
	if err != nil {
		return err
	}
	t.shards, t.order = h.shards, binary.LittleEndian
	if h.endian == 1 {
		t.order = binary.BigEndian
	}
	return nil
}

// file lists the variables. The entries of slices are not listed, but the variable
// that they make up. Where no variable is sound, opening says what is wrong with
// the first.
func (t *tfBundle) file(rows []tfRow) (*File, error) {
	bySlice, err := tfSlices(rows)
	if err != nil {
		return nil, err
	}
	var views []*tfView
	sound := false
	for i := range rows {
		if bySlice[rows[i].key] != nil {
			continue
		}
		v := t.view(&rows[i], bySlice)
		views = append(views, v)
		sound = sound || v.err == nil || hasKind(v.err, UnsupportedDType)
	}
	if len(views) > 0 && !sound {
		return nil, views[0].err
	}
	f := newFile("tensorflow")
	for _, v := range views {
		if err := f.add(v.info, func(ctx context.Context) (*tensor.Tensor, error) { return t.tensor(ctx, v) }); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// view makes of an entry what can be listed and read.
func (t *tfBundle) view(row *tfRow, bySlice map[string]*tfRow) *tfView {
	v := &tfView{info: tensor.Info{Name: row.key, Stored: unknownStored}}
	err := row.err
	switch {
	case err != nil:
	case len(row.entry.slices) > 0:
		var n int64
		if v.info, n, err = tfInfo(row.key, row.entry); err == nil {
			v.parts, err = t.partition(v.info, n, row.entry.slices, bySlice)
		}
	default:
		var p tfPart
		p, err = t.part(row.key, row.entry)
		v.info, v.parts = p.info, []tfPart{p}
	}
	if err != nil {
		v.err = at(err, row.key, row.off)
		v.info.DType = tensor.Invalid
	}
	return v
}

// tfInfo is what an entry says of its tensor's numbers, and how many there are. With
// an error it is what can be listed all the same.
func tfInfo(name string, e tfEntry) (info tensor.Info, n int64, err error) {
	info.Name = name
	info.DType, info.Stored = tfDType(e.dtype)
	if n, err = declared(e.shape); err != nil {
		return info, 0, err
	}
	info.Shape = e.shape
	if info.DType == tensor.Invalid {
		return info, 0, unreadable(info.Stored)
	}
	return info, n, nil
}

// part checks what an entry says of its bytes.
func (t *tfBundle) part(name string, e tfEntry) (tfPart, error) {
	info, n, err := tfInfo(name, e)
	p := tfPart{info: info, entry: e}
	if err != nil {
		return p, err
	}
	need := info.DType.Bytes(n)
	switch {
	case e.size != need:
		return p, fault(BadShape, -1, "%d bytes, but shape %v of %s needs %d", e.size, info.Shape, info.Stored, need)
	case e.shard < 0 || e.shard >= t.shards:
		return p, fault(Corrupt, -1, "its bytes are in data file %d, but there are %d, from 0", e.shard, t.shards)
	case e.offset < 0 || e.offset > math.MaxInt64-need:
		return p, fault(OutOfRange, -1, "its bytes start at %d of a data file", e.offset)
	}
	return p, nil
}

// dataName is the name of a data file.
func (t *tfBundle) dataName(shard int64) string {
	return fmt.Sprintf("%s.data-%05d-of-%05d", t.prefix, shard, t.shards)
}
