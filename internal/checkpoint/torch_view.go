package checkpoint

import (
	"math/big"
	"strings"

	"poslens/internal/pickle"
	"poslens/internal/tensor"
)

// torchView is a tensor as the pickle declares it: a view into a storage. It was
// checked against the storage, and the storage against its member.
type torchView struct {
	info   tensor.Info // without a name
	member *member     // the storage's bytes; nil where there are no elements
	off    int64       // of the first element in the member
	length int64       // bytes of the storage from there on
	err    error       // what is wrong with it; the info says what is known all the same
}

// listable tells a tensor that is sound, also where its dtype is not read.
func (v *torchView) listable() bool { return v.err == nil || hasKind(v.err, UnsupportedDType) }

// view understands an object that stands for a tensor; nil for any other.
func (t *torchArchive) view(o *pickle.Object) *torchView {
	if v, seen := t.views[o]; seen {
		return v
	}
	v := t.newView(o, 0)
	t.views[o] = v
	return v
}

// maxWraps is how many parameters and subclasses may stand around a tensor.
const maxWraps = 8

// newView understands the functions with which torch rebuilds tensors (torch,
// torch/_utils.py and torch/_tensor.py).
func (t *torchArchive) newView(o *pickle.Object, wraps int) *torchView {
	name, own := strings.CutPrefix(o.Class, "torch._utils._rebuild_")
	if !own {
		if name, own = strings.CutPrefix(o.Class, "torch._tensor._rebuild_"); !own {
			return nil
		}
	}
	args := o.Args.Items
	inner := -1 // the argument that is the tensor itself
	switch name {
	case "tensor", "tensor_v2":
		return t.strided(args, false)
	case "tensor_v3":
		return t.strided(args, true)
	case "parameter", "parameter_with_state":
		inner = 0
	case "from_type_v2": // func, type, args, state
		if len(args) < 3 {
			return brokenView("%s of %d arguments", o.Class, len(args))
		}
		f, ok := args[0].(*pickle.Global)
		a, ok2 := args[2].(*pickle.Tuple)
		if !ok || !ok2 || wraps > maxWraps {
			return brokenView("%s without a function and its arguments", o.Class)
		}
		return t.newView(&pickle.Object{Class: f.String(), Args: a}, wraps+1)
	case "sparse_tensor", "sparse_csr_tensor", "nested_tensor", "qtensor", "wrapper_subclass", "meta_tensor_no_storage", "device_tensor_from_numpy", "device_tensor_from_cpu_tensor":
		return t.unread(name, args)
	default:
		return nil
	}
	if len(args) <= inner || wraps > maxWraps {
		return brokenView("%s without a tensor", o.Class)
	}
	if o, ok := args[inner].(*pickle.Object); ok {
		if v := t.newView(o, wraps+1); v != nil {
			return v
		}
	}
	return brokenView("%s of something that is no tensor", o.Class)
}

// brokenView is a tensor whose declaration makes no sense.
func brokenView(format string, args ...any) *torchView {
	return &torchView{info: tensor.Info{Stored: unknownStored}, err: fault(Corrupt, -1, format, args...)}
}

// strided understands storage, offset, size and strides, and behind them, where
// typed says so, the dtype.
func (t *torchArchive) strided(args []pickle.Value, typed bool) *torchView {
	need := 4
	if typed {
		need = 7
	}
	if len(args) < need {
		return brokenView("a tensor declared with %d arguments, not %d", len(args), need)
	}
	v := &torchView{info: tensor.Info{Stored: unknownStored}}
	v.err = v.declare(t, args, typed)
	if v.err != nil && !hasKind(v.err, UnsupportedDType) {
		v.info.DType = tensor.Invalid
		v.info.Strides = nil
	}
	return v
}

// declare fills the view, as far as it gets.
func (v *torchView) declare(t *torchArchive, args []pickle.Value, typed bool) error {
	shape, err := torchInts(args[2], "size", BadShape)
	if err != nil {
		return err
	}
	for _, d := range shape {
		if d < 0 {
			return fault(BadShape, -1, "size %v has a negative dimension", shape)
		}
	}
	v.info.Shape = shape
	s, err := t.storage(args[0])
	if s.stored != "" {
		v.info.DType, v.info.Stored = s.dtype, s.stored
	}
	if err != nil {
		return err
	}
	if typed {
		var ok bool
		if v.info.DType, v.info.Stored, ok = torchDType(args[6]); !ok {
			v.info.Stored = unknownStored
			return fault(Corrupt, -1, "a tensor whose dtype is no dtype of torch's")
		}
	} else if s.untyped {
		return fault(Corrupt, -1, "a tensor without a dtype over an untyped storage")
	}
	if v.info.DType == tensor.Invalid {
		return unreadable(v.info.Stored)
	}
	strides, err := torchInts(args[3], "stride", OutOfRange)
	if err != nil {
		return err
	}
	if len(strides) != len(shape) {
		return fault(BadShape, -1, "%d strides for the %d dimensions of size %v", len(strides), len(shape), shape)
	}
	offset, ok := args[1].(int64)
	if !ok {
		if _, big := args[1].(*big.Int); big {
			return fault(OutOfRange, -1, "a storage offset past 64 bits")
		}
		return fault(Corrupt, -1, "something that is no number stands where the storage offset belongs")
	}
	size := int64(v.info.DType.Size())
	if offset < 0 || offset > s.bytes/size {
		return fault(OutOfRange, -1, "storage offset %d, but the storage has %d elements of %v", offset, s.bytes/size, v.info.DType)
	}
	v.off, v.length = offset*size, s.bytes-offset*size
	v.info.Strides = strides
	e, err := measure(v.info, v.length, t.b.size, t.limits)
	if err != nil {
		return err
	}
	if v.info.Dense() {
		v.info.Strides = nil
	}
	return v.find(t, s, e.count)
}

// find looks for the storage's member and compares their sizes.
func (v *torchView) find(t *torchArchive, s torchStore, elements int) error {
	name := t.prefix + "data/" + s.key
	m := t.byName[name]
	switch {
	case m == nil && elements == 0:
		return nil
	case m == nil:
		return fault(Corrupt, -1, "its storage, the zip member %s, is not in the file", quoted(name))
	case m.size < s.bytes:
		return fault(Truncated, m.header, "its storage has %d bytes, but the zip member %s holds %d", s.bytes, quoted(name), m.size)
	}
	v.member = m
	return nil
}

// unread lists a tensor of a kind that is not read: its size where that is told.
func (t *torchArchive) unread(name string, args []pickle.Value) *torchView {
	v := &torchView{}
	v.info.Stored = name
	switch name {
	case "sparse_tensor", "sparse_csr_tensor": // layout, (..., size, ...)
		if len(args) > 1 {
			if data, ok := args[1].(*pickle.Tuple); ok {
				for _, item := range data.Items {
					if shape, err := torchInts(item, "size", BadShape); err == nil && isSize(item) {
						v.info.Shape = shape
					}
				}
			}
		}
	case "qtensor": // storage, offset, size, ...
		if len(args) > 2 {
			v.info.Shape, _ = torchInts(args[2], "size", BadShape)
			if s, err := t.storage(args[0]); err == nil {
				v.info.Stored = s.stored
			}
		}
	}
	for _, d := range v.info.Shape {
		if d < 0 {
			v.info.Shape = nil
			break
		}
	}
	e := unreadable(v.info.Stored)
	e.Hint = "convert it where it was made: t.to_dense(), t.dequantize() or t.float(), and torch.save that"
	v.err = e
	return v
}

// isSize tells a torch.Size.
func isSize(v pickle.Value) bool {
	o, ok := v.(*pickle.Object)
	return ok && o.Class == "torch.Size"
}

// torchInts understands a tuple of whole numbers, or a torch.Size of one. What
// is past 64 bits is a fault of the kind given.
func torchInts(v pickle.Value, what string, past Kind) ([]int, error) {
	if isSize(v) {
		if args := v.(*pickle.Object).Args.Items; len(args) == 1 {
			v = args[0]
		}
	}
	var items []pickle.Value
	switch v := v.(type) {
	case *pickle.Tuple:
		items = v.Items
	case *pickle.List:
		items = v.Items
	default:
		return nil, fault(Corrupt, -1, "a tensor's %s is no tuple", what)
	}
	if len(items) > tensor.MaxRank {
		return nil, fault(BadShape, -1, "a tensor of %d dimensions, but %d at most", len(items), tensor.MaxRank)
	}
	ints := make([]int, len(items))
	for i, item := range items {
		switch n := item.(type) {
		case int64:
			ints[i] = int(n)
			if int64(ints[i]) != n {
				return nil, fault(past, -1, "a tensor's %s of %d", what, n)
			}
		case *big.Int:
			return nil, fault(past, -1, "a tensor's %s past 64 bits", what)
		default:
			return nil, fault(Corrupt, -1, "a tensor's %s is no whole number", what)
		}
	}
	return ints, nil
}
