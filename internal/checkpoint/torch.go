package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"poslens/internal/pickle"
	"poslens/internal/tensor"
)

// torchFile opens what torch.save has written since version 1.6: a zip archive
// with a pickle of the objects, main, and a member for every storage. It lists
// the tensors of the pickle under their keys joined by dots. One that is broken
// does not spoil the others; where all are, opening says what is wrong with the
// first.
func torchFile(ctx context.Context, a *archive, main *member) (*File, error) {
	data, err := a.all(main, a.limits.MaxHeader)
	if err != nil {
		return nil, err
	}
	root, report, err := pickle.Decode(data, main.pickleLimits())
	if err != nil {
		return nil, pickleFault(main, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := &torchArchive{archive: a, prefix: strings.TrimSuffix(main.name, dataPickle), views: map[*pickle.Object]*torchView{}}
	if t.order, err = t.byteOrder(); err != nil {
		return nil, err
	}
	found, err := t.walk(root)
	if err != nil {
		return nil, err
	}
	f := newFile("torch")
	usable := slices.ContainsFunc(found, func(n torchName) bool { return n.view.listable() })
	if err := f.warnGlobals(report.Globals, usable); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, noTensors(root)
	}
	if !usable {
		return nil, at(found[0].view.err, found[0].name, -1)
	}
	for _, n := range found {
		info := n.view.info
		info.Name = n.name
		if err := f.add(info, t.readFunc(info, n.view)); err != nil {
			return nil, err
		}
	}
	return f, nil
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

// torchArchive is an archive of torch.save's at work.
type torchArchive struct {
	*archive
	prefix string // of the members: "archive/"
	order  binary.ByteOrder
	views  map[*pickle.Object]*torchView // those seen, so that a shared tensor is checked once
}

// byteOrder reads the member that says so; without it the order is little.
func (t *torchArchive) byteOrder() (binary.ByteOrder, error) {
	m := t.byName[t.prefix+"byteorder"]
	if m == nil {
		return binary.LittleEndian, nil
	}
	p, err := t.all(m, 1<<10)
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

// readFunc says how to read a tensor that was found.
func (t *torchArchive) readFunc(info tensor.Info, v *torchView) readFunc {
	return func(ctx context.Context) (*tensor.Tensor, error) {
		if v.err != nil {
			return nil, at(v.err, info.Name, -1)
		}
		if v.member == nil { // no elements, and no storage for them
			return &tensor.Tensor{Info: info}, nil
		}
		return t.tensor(ctx, v.member, info, v.off, v.length, t.order)
	}
}

// pickleFault is the Error of what package pickle says.
func pickleFault(m *member, err error) error {
	var p *pickle.Error
	if !errors.As(err, &p) {
		return err
	}
	kind := Corrupt
	switch p.Kind {
	case pickle.Truncated:
		kind = Truncated
	case pickle.Unsafe:
		kind = UnsafePickle
	case pickle.TooLarge:
		kind = TooLarge
	}
	return fault(kind, -1, "%s, byte %d: %s", quoted(m.name), p.Off, p.Msg)
}

// noTensors is the Error of a pickle without tensors.
func noTensors(root pickle.Value) error {
	o, ok := root.(*pickle.Object)
	if !ok {
		return fault(NotFound, -1, "a PyTorch file without tensors")
	}
	e := fault(UnsafePickle, -1, "the file is an object of class %s without tensors in it; no class is ever loaded", quoted(o.Class))
	e.Hint = "save the weights alone: torch.save(model.state_dict(), \"model.pt\")"
	return e
}

// warnGlobals notes the names that a pickle imports and that are neither
// torch's own nor plain data. Where nothing else is in the file, names that
// could do harm are an error.
func (f *File) warnGlobals(globals []*pickle.Global, usable bool) error {
	var unsafe, unknown []string
	for _, g := range globals {
		switch {
		case g.Unsafe():
			unsafe = append(unsafe, g.String())
		case !g.Harmless() && !torchOwn(g):
			unknown = append(unknown, g.String())
		}
	}
	if len(unsafe) > 0 && !usable {
		e := fault(UnsafePickle, -1, "the pickle names %s, which could run code, and holds no tensor that can be read; nothing was called", quotedList(unsafe, 5))
		e.Hint = "do not load this file with torch.load"
		return e
	}
	if len(unsafe) > 0 {
		f.warn(UnsafeGlobal, "", fmt.Sprintf("the pickle names %s, which could run code; it was not called: do not load this file with torch.load", quotedList(unsafe, 5)))
	}
	if len(unknown) > 0 {
		f.warn(UnknownClass, "", fmt.Sprintf("the pickle names %s; such objects were not made", quotedList(unknown, 5)))
	}
	return nil
}

// torchOwn tells the names with which torch and numpy write tensors and arrays.
func torchOwn(g *pickle.Global) bool {
	switch g.Module {
	case "torch", "torch._utils", "torch.storage", "torch.cuda", "torch.jit._pickle":
		return true
	case "numpy.core.multiarray", "numpy._core.multiarray":
		return g.Name == "scalar" || g.Name == "_reconstruct"
	case "numpy":
		return g.Name == "dtype" || g.Name == "ndarray"
	}
	switch g.String() {
	case "torch.serialization._get_layout", "torch._tensor._rebuild_from_type_v2", "torch.nn.parameter.Parameter", "torch.nn.parameter.Buffer":
		return true
	}
	return false
}
