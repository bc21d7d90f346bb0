package checkpoint

import (
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"path"
	"slices"

	"poslens/internal/tensor"
)

// tensor reads a variable, whose data files are open only meanwhile.
func (t *tfBundle) tensor(ctx context.Context, v *tfView) (*tensor.Tensor, error) {
	if v.err != nil {
		return nil, v.err
	}
	d := &tfData{bundle: t, name: v.info.Name}
	defer d.close()
	if v.parts[0].start != nil {
		return d.assemble(ctx, v)
	}
	return d.read(ctx, v.parts[0])
}

// tfData has the data file open that was asked for last.
type tfData struct {
	bundle *tfBundle
	name   string // of the variable
	shard  int64
	file   *besideFile // nil: none is open
}

// open gives a data file.
func (d *tfData) open(shard int64) (*blob, error) {
	if d.file != nil && d.shard == shard {
		return &d.file.blob, nil
	}
	d.close()
	name := d.bundle.dataName(shard)
	if d.bundle.folder == nil {
		return nil, at(alone("the index of a TensorFlow checkpoint", "its data files"), d.name, -1)
	}
	file, err := openBeside(d.bundle.folder, name)
	if hasKind(err, NotFound) {
		return nil, &Error{Kind: NotFound, Tensor: d.name, Off: -1, Msg: "its data file " + quoted(path.Base(name)) + " is not there",
			Hint: "put it into the index's folder, under that name"}
	}
	if err != nil {
		return nil, d.fault(shard, err)
	}
	d.shard, d.file = shard, file
	return &file.blob, nil
}

// close gives back the file that is open.
func (d *tfData) close() {
	if d.file != nil {
		d.file.Close()
		d.file = nil
	}
}

// read reads one part and compares its CRC-32C, which is that of all its bytes as
// they are in the file.
func (d *tfData) read(ctx context.Context, p tfPart) (*tensor.Tensor, error) {
	b, err := d.open(p.entry.shard)
	if err != nil {
		return nil, err
	}
	e, err := measure(p.info, p.entry.size, b.size, d.bundle.limits)
	if err == nil {
		err = b.holds(p.entry.offset, e.bytes)
	}
	if err != nil {
		return nil, d.fault(p.entry.shard, at(err, "", p.entry.offset))
	}
	r := newReading(p.info, e, p.entry.offset, d.bundle.order)
	r.summed(crc32.Castagnoli)
	got, err := r.tensor(r.shared(ctx, b.ReadAt))
	if err != nil {
		return nil, d.fault(p.entry.shard, err)
	}
	if sum := maskedCRC(r.crc(0)); sum != p.entry.crc {
		return nil, d.fault(p.entry.shard, fault(Corrupt, p.entry.offset, "the CRC-32C of its %d bytes is %08x, not %08x: the file was damaged, or belongs to another index", p.entry.size, sum, p.entry.crc))
	}
	return got, nil
}

// fault says in which data file something is wrong with the variable.
func (d *tfData) fault(shard int64, err error) error {
	return inFile(path.Base(d.bundle.dataName(shard)), at(err, d.name, -1))
}

// inFile names the file of an error that is not in the operand itself; nil stays.
func inFile(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", quoted(name), err)
}

// assemble reads a variable that is stored in slices. Before room is made for it,
// the slices must fill it without overlapping, and their bytes must be there, each
// its own.
func (d *tfData) assemble(ctx context.Context, v *tfView) (*tensor.Tensor, error) {
	n, err := count(v.info.Shape, d.bundle.limits)
	if err != nil {
		return nil, at(err, d.name, -1)
	}
	parts := slices.Clone(v.parts)
	slices.SortFunc(parts, func(a, b tfPart) int {
		return cmp.Or(cmp.Compare(a.entry.shard, b.entry.shard), cmp.Compare(a.entry.offset, b.entry.offset))
	})
	if err := disjoint(ctx, parts); err != nil {
		return nil, at(err, d.name, -1)
	}
	if err := d.hold(parts); err != nil {
		return nil, err
	}
	whole := &tensor.Tensor{Info: v.info, Data: make([]float64, n)}
	for _, p := range parts {
		got, err := d.read(ctx, p)
		if err != nil {
			return nil, err
		}
		place(whole, got.Data, p)
	}
	return whole, nil
}

// hold checks that the data files have the bytes of all parts, which are sorted by
// file and place.
func (d *tfData) hold(parts []tfPart) error {
	for i, p := range parts {
		b, err := d.open(p.entry.shard)
		if err != nil {
			return err
		}
		if err := b.holds(p.entry.offset, p.entry.size); err != nil {
			return d.fault(p.entry.shard, err)
		}
		if i == 0 || parts[i-1].entry.shard != p.entry.shard {
			continue
		}
		if before := parts[i-1].entry; p.entry.offset < before.offset+before.size {
			return d.fault(p.entry.shard, fault(Overlap, p.entry.offset, "the bytes of two slices overlap"))
		}
	}
	return nil
}
