package checkpoint

import (
	"context"
	"encoding/binary"
	"math/big"

	"poslens/internal/pickle"
	"poslens/internal/tensor"
)

// The first two pickles of a file of the legacy layout (torch/serialization.py).
const (
	legacyMagic   = "1950a86a20f9469cfc6c" // in hexadecimal
	legacyVersion = int64(1001)
)

// openTorchLegacy opens what torch.save wrote before version 1.6, and writes
// still where it is asked to: pickles of a magic number, a version, the machine,
// the objects and the list of the storages' keys, one behind the other. Then the
// storages follow in the order of that list, each as the count of its elements,
// an int64, and its bytes.
//
// The objects tell the sizes of all storages, so only the count of the first is
// looked at here, and a tensor's own when it is read.
func openTorchLegacy(ctx context.Context, b *blob, l Limits) (*File, error) {
	p := &pickles{b: b, most: l.MaxHeader}
	foreign, err := p.legacyFront(ctx)
	if err != nil {
		return nil, err
	}
	root, report, err := p.next(ctx, "the pickled objects")
	if err != nil {
		return nil, err
	}
	keys, _, err := p.next(ctx, "the pickled list of storages")
	if err != nil {
		return nil, err
	}
	s := &legacyStorages{b: b, limits: l, foreign: foreign, places: map[string]legacyPlace{}}
	if err := s.lay(ctx, p, keys, report.PersIDs); err != nil {
		return nil, err
	}
	return newTorchObjects(b.size, l, s.find).file(root, p.globals)
}

// legacyFront reads the pickles before the objects. The machine that wrote the
// file is foreign when its bytes were big-endian.
func (p *pickles) legacyFront(ctx context.Context) (foreign bool, err error) {
	magic, _, err := p.next(ctx, "the pickled magic number")
	if err != nil {
		return false, err
	}
	if n, ok := magic.(*big.Int); !ok || n.Text(16) != legacyMagic {
		return false, fault(Corrupt, 0, "the pickled magic number is not that of PyTorch's legacy layout")
	}
	at := p.off
	version, _, err := p.next(ctx, "the pickled version")
	if err != nil {
		return false, err
	}
	if version != legacyVersion {
		return false, fault(Corrupt, at, "the version of PyTorch's legacy layout is not %d", legacyVersion)
	}
	machine, _, err := p.next(ctx, "the pickled description of the machine")
	if err != nil {
		return false, err
	}
	if d, ok := machine.(*pickle.Dict); ok { // torch.load itself does not look at it
		little, told := d.Get("little_endian")
		foreign = told && little == false
	}
	return foreign, nil
}

// legacyStorages is where the legacy layout keeps its storages. Their numbers are
// little-endian whatever wrote them; a foreign machine's counts may be the other
// way round (torch/csrc/generic/serialization.cpp, writeFileRaw).
type legacyStorages struct {
	b       *blob
	limits  Limits
	foreign bool
	places  map[string]legacyPlace
	lost    error // why the storages behind those of places can't be found; nil: they are all there
}

// legacyPlace is a storage's place in the file.
type legacyPlace struct {
	off   int64 // of its first byte, behind the count
	numel int64 // elements
	total int64 // bytes
}

// lay finds out where each storage stands behind the pickles, and compares the
// first one's own count. A file that ends before the last is Truncated.
func (s *legacyStorages) lay(ctx context.Context, front *pickles, keys pickle.Value, ids []*pickle.PersID) error {
	off := front.off
	list, ok := keys.(*pickle.List)
	if !ok {
		return fault(Corrupt, off, "no list of storages stands behind the objects")
	}
	declared := map[string]torchStore{}
	for _, id := range ids {
		store, _ := storageOf(id) // what is wrong with it is its tensor's fault
		if _, seen := declared[store.key]; !seen && store.key != "" {
			declared[store.key] = store
		}
	}
	for _, item := range list.Items {
		if err := ctx.Err(); err != nil {
			return err
		}
		key, ok := item.(string)
		if !ok {
			return fault(Corrupt, off, "the list of storages holds something that is no text")
		}
		if _, twice := s.places[key]; twice {
			return fault(DuplicateName, off, "the storage %s stands twice in the file", quoted(key))
		}
		store, ok := declared[key]
		if !ok || store.width == 0 {
			s.lost = fault(Corrupt, off, "its storage stands behind one of an unknown size, %s", quoted(key))
			return nil
		}
		p := legacyPlace{off: off + 8, numel: store.total / store.width, total: store.total}
		if err := s.b.holds(off, 8); err != nil {
			return err
		}
		if err := s.b.holds(p.off, p.total); err != nil {
			return err
		}
		if len(s.places) == 0 {
			raw, err := front.bytes(off, 8)
			if err == nil {
				err = s.count(p, raw)
			}
			if err != nil {
				return err
			}
		}
		s.places[key] = p
		off = p.off + p.total
	}
	return nil
}

// count compares a storage's own count of its elements, 8 bytes, with the
// pickle's.
func (s *legacyStorages) count(p legacyPlace, raw []byte) error {
	n := int64(binary.LittleEndian.Uint64(raw))
	if n == p.numel || s.foreign && int64(binary.BigEndian.Uint64(raw)) == p.numel {
		return nil
	}
	return fault(Corrupt, p.off-8, "its storage counts %d elements, but the pickle says %d", n, p.numel)
}

// find looks for a storage's place.
func (s *legacyStorages) find(store torchStore) (torchRead, error) {
	p, ok := s.places[store.key]
	switch {
	case !ok && s.lost != nil:
		return nil, s.lost
	case !ok:
		return nil, fault(Corrupt, -1, "its storage %s is not in the file", quoted(store.key))
	case p.total < store.total:
		return nil, fault(Corrupt, -1, "its storage %s has %d bytes here and %d elsewhere", quoted(store.key), store.total, p.total)
	}
	return func(ctx context.Context, info tensor.Info, off, n int64) (*tensor.Tensor, error) {
		raw, err := s.b.bytes(p.off-8, 8)
		if err == nil {
			err = s.count(p, raw)
		}
		if err != nil {
			return nil, at(err, info.Name, -1)
		}
		return s.b.tensor(ctx, info, p.off+off, n, binary.LittleEndian, s.limits)
	}, nil
}
