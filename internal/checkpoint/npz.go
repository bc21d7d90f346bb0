package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"poslens/internal/tensor"
)

// npySuffix ends the names of the members that are arrays.
const npySuffix = ".npy"

// openNPZ opens numpy's archive of arrays: the member "x.npy" is the tensor "x".
func openNPZ(ctx context.Context, b *blob, l Limits) (*File, error) {
	a, err := openArchive(b, l)
	if err != nil {
		return nil, err
	}
	return npzFile(ctx, a, l)
}

// npzFile reads the header of every array and none of their elements. An array
// that can't be read does not spoil the others; where it is alone, opening says
// what is wrong.
func npzFile(ctx context.Context, a *archive, l Limits) (*File, error) {
	f := newFile("npz")
	var first error // of the arrays that are broken
	usable := false
	for _, m := range a.members {
		name, ok := strings.CutSuffix(m.name, npySuffix)
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		info, read, err := a.array(m, name, l)
		if err != nil {
			read = func(context.Context) (*tensor.Tensor, error) { return nil, err }
		}
		switch {
		case err == nil, hasKind(err, UnsupportedDType):
			usable = true
		case first == nil:
			first = err
		}
		if err := f.add(info, read); err != nil {
			return nil, err
		}
	}
	if !usable && first != nil {
		return nil, first
	}
	if len(f.infos) == 0 {
		return nil, fault(NotFound, -1, "a zip archive of %d members, but none is an array (.npy)", len(a.members))
	}
	f.sortInfos()
	return f, nil
}

// array reads one array's header and says how to read its elements. With an
// error the info says what is known of it, its dtype Invalid.
func (a *archive) array(m *member, name string, l Limits) (tensor.Info, readFunc, error) {
	h, err := a.npyHeader(m, l)
	if err != nil {
		info := tensor.Info{Name: name, Stored: h.stored, Shape: h.shape}
		if info.Stored == "" {
			info.Stored = unknownStored
		}
		return info, nil, at(err, name, -1)
	}
	broken := tensor.Info{Name: name, Stored: h.stored, Shape: h.shape}
	n, err := count(h.shape, l)
	if err != nil {
		return broken, nil, at(err, name, -1)
	}
	length := int64(n) * int64(h.dtype.Size())
	if have := m.size - h.headerLen; int64(n) > have || length > have {
		return broken, nil, at(fault(Truncated, m.header, "shape %v of %s needs %d bytes behind the header, but the member has %d", h.shape, h.stored, length, have), name, -1)
	}
	info := h.info(name)
	return info, func(ctx context.Context) (*tensor.Tensor, error) {
		return a.tensor(ctx, m, info, h.headerLen, length, h.order, l)
	}, nil
}

// npyHeader reads the header at a member's start. Its faults are placed at the
// member.
func (a *archive) npyHeader(m *member, l Limits) (npyHeader, error) {
	r, err := a.reader(m, l)
	if err != nil {
		return npyHeader{}, err
	}
	h, err := readNPYHeader(r)
	var e *Error
	if !errors.As(err, &e) {
		return h, err
	}
	placed := *e
	placed.Off = m.header
	switch {
	case strings.HasPrefix(e.Msg, "the zip member "): // a fault of the archive's, not of numpy's header
	case e.Kind == Truncated:
		placed.Msg = fmt.Sprintf("the zip member %s of %d bytes ends inside of its numpy header", quoted(m.name), m.size)
	default:
		placed.Msg = fmt.Sprintf("the zip member %s: %s", quoted(m.name), e.Msg)
	}
	return h, &placed
}
