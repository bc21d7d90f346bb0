package checkpoint

import (
	"context"
	"fmt"
	"slices"

	"poslens/internal/pickle"
	"poslens/internal/tensor"
)

// torchObjects is what torch.save pickled, in whichever layout: objects with
// tensors among them, which are views into storages outside of the pickle.
type torchObjects struct {
	size   int64 // bytes of the file
	limits Limits
	find   func(torchStore) (torchRead, error) // looks for a storage
	views  map[*pickle.Object]*torchView       // those seen, so that a shared tensor is checked once
}

// torchRead reads a tensor of one storage, whose first element stands off bytes
// into it, and which may touch the n bytes from there on.
type torchRead func(ctx context.Context, info tensor.Info, off, n int64) (*tensor.Tensor, error)

func newTorchObjects(size int64, l Limits, find func(torchStore) (torchRead, error)) *torchObjects {
	return &torchObjects{size: size, limits: l, find: find, views: map[*pickle.Object]*torchView{}}
}

// file lists the tensors below root under their keys joined by dots. One that is
// broken does not spoil the others; where all are, the error says what is wrong
// with the first. The globals are those that the file's pickles import.
func (t *torchObjects) file(root pickle.Value, globals []*pickle.Global) (*File, error) {
	found, err := t.walk(root)
	if err != nil {
		return nil, err
	}
	f := newFile("torch")
	usable := slices.ContainsFunc(found, func(n torchName) bool { return n.view.listable() })
	if err := f.warnGlobals(globals, usable); err != nil {
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
		if err := f.add(info, n.view.readFunc(info)); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// pickleKind is the kind of an Error of what package pickle says.
func pickleKind(p *pickle.Error) Kind {
	switch p.Kind {
	case pickle.Truncated:
		return Truncated
	case pickle.Unsafe:
		return UnsafePickle
	case pickle.TooLarge:
		return TooLarge
	}
	return Corrupt
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
	case "torch.serialization._get_layout", "torch._tensor._rebuild_from_type_v2", "torch.nn.parameter.Parameter", "torch.nn.parameter.Buffer", "torch.autograd.variable.Variable":
		return true
	}
	return false
}
