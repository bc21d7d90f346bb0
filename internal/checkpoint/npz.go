package checkpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"poslens/internal/tensor"
)

// npySuffix ends the names of the members that are arrays.
const npySuffix = ".npy"

// npzFile opens numpy's archive of arrays: the member "x.npy" is the tensor "x".
// It reads the header of every array and none of their elements. An array that
// can't be read does not spoil the others; where it is alone, opening says what
// is wrong.
func npzFile(ctx context.Context, a *archive) (*File, error) {
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
		info, read, err := a.array(m, name)
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
	return f, nil
}

// array reads one array's header and says how to read its elements. With an
// error the info says what is known of it, its dtype Invalid.
func (a *archive) array(m *member, name string) (tensor.Info, readFunc, error) {
	h, err := a.npyHeader(m)
	var length int64
	if err == nil {
		length, err = h.length(m.size, m.header, a.limits)
	}
	if err != nil {
		return tensor.Info{Name: name, Stored: cmp.Or(h.stored, unknownStored), Shape: h.shape}, nil, at(err, name, m.header)
	}
	info := h.info(name)
	return info, func(ctx context.Context) (*tensor.Tensor, error) {
		return a.tensor(ctx, m, info, h.headerLen, length, h.order)
	}, nil
}

// npyHeader reads the header at a member's start. Its faults are placed at the
// member.
func (a *archive) npyHeader(m *member) (npyHeader, error) {
	r, err := a.reader(m)
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
	if e.Kind == Truncated {
		placed.Msg = fmt.Sprintf("the zip member %s of %d bytes ends inside of its numpy header", quoted(m.name), m.size)
	}
	return h, &placed
}
