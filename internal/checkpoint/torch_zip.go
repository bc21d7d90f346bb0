package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"

	"poslens/internal/pickle"
	"poslens/internal/tensor"
)

// torchFile opens what torch.save has written since version 1.6: a zip archive
// with a pickle of the objects, main, and a member for every storage.
func torchFile(ctx context.Context, a *archive, main *member) (*File, error) {
	data, err := a.all(main, a.limits.MaxHeader)
	if err != nil {
		return nil, err
	}
	root, report, err := pickle.Decode(data, main.pickleLimits())
	if p, ok := err.(*pickle.Error); ok {
		return nil, fault(pickleKind(p), -1, "%s, byte %d: %s", quoted(main.name), p.Off, p.Msg)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	z := &torchArchive{archive: a, prefix: strings.TrimSuffix(main.name, dataPickle)}
	if z.order, err = z.byteOrder(); err != nil {
		return nil, err
	}
	return newTorchObjects(a.b.size, a.limits, z.find).file(root, report.Globals)
}

// pickleLimits are the pickle's defaults, but that a packed one may not make more
// objects of its few bytes than an honest one does.
func (m *member) pickleLimits() pickle.Limits {
	if m.method == zipStored {
		return pickle.Limits{}
	}
	return pickle.Limits{MaxObjects: int(min(1<<22, 1<<14+16*m.packed))}
}

// dataPickle is the member with the objects, in the archive's one folder, which
// may have any name.
const dataPickle = "data.pkl"

// torchPickle finds the pickle of a torch archive; nil where there is none.
func (a *archive) torchPickle() (*member, error) {
	var main *member
	for _, m := range a.members {
		folder, ok := strings.CutSuffix(m.name, dataPickle)
		if !ok || strings.Count(folder, "/") > 1 || folder != "" && !strings.HasSuffix(folder, "/") {
			continue
		}
		if main != nil {
			return nil, fault(DuplicateName, m.header, "a zip archive with two pickles, %s and %s", quoted(main.name), quoted(m.name))
		}
		main = m
	}
	return main, nil
}

// torchArchive is where the zip layout keeps its storages.
type torchArchive struct {
	*archive
	prefix string // of the members: "archive/"
	order  binary.ByteOrder
}

// byteOrder reads the member that says so; without it the order is little.
func (z *torchArchive) byteOrder() (binary.ByteOrder, error) {
	m := z.byName[z.prefix+"byteorder"]
	if m == nil {
		return binary.LittleEndian, nil
	}
	p, err := z.all(m, 1<<10)
	if err != nil {
		return nil, err
	}
	switch string(bytes.TrimSpace(p)) {
	case "little":
		return binary.LittleEndian, nil
	case "big":
		return binary.BigEndian, nil
	}
	return nil, fault(Corrupt, m.header, "byte order %s is neither little nor big", quoted(string(p)))
}

// find looks for a storage's member and compares their sizes.
func (z *torchArchive) find(s torchStore) (torchRead, error) {
	name := z.prefix + "data/" + s.key
	m := z.byName[name]
	switch {
	case m == nil:
		return nil, fault(Corrupt, -1, "its storage, the zip member %s, is not in the file", quoted(name))
	case m.size < s.total:
		return nil, fault(Truncated, m.header, "its storage has %d bytes, but the zip member %s holds %d", s.total, quoted(name), m.size)
	}
	return func(ctx context.Context, info tensor.Info, off, n int64) (*tensor.Tensor, error) {
		return z.tensor(ctx, m, info, off, n, z.order)
	}, nil
}
