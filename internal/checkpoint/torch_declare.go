package checkpoint

import (
	"math/big"

	"poslens/internal/pickle"
	"poslens/internal/tensor"
)

// elementType says which type a tensor's elements are, and what the file calls
// it, of the tensor's storage and of the arguments that declare it.
type elementType func(s torchStore, args []pickle.Value) (tensor.DType, string, error)

// ofStorage is the type that the storage's class stands for.
func ofStorage(s torchStore, _ []pickle.Value) (tensor.DType, string, error) {
	if s.untyped {
		return tensor.Invalid, s.stored, fault(Corrupt, -1, "a tensor without a dtype over an untyped storage")
	}
	return s.dtype, s.stored, nil
}

// ofArgument is the type that the seventh argument names.
func ofArgument(_ torchStore, args []pickle.Value) (tensor.DType, string, error) {
	dtype, stored, ok := torchDType(args[6])
	if !ok {
		return tensor.Invalid, unknownStored, fault(Corrupt, -1, "a tensor whose dtype is no dtype of torch's")
	}
	return dtype, stored, nil
}

// strided understands the arguments that declare a tensor, of which it takes need
// at least: storage, offset, size and strides first.
func (t *torchObjects) strided(args []pickle.Value, need int, typ elementType) *torchView {
	if len(args) < need {
		return brokenView("a tensor declared with %d arguments, not %d", len(args), need)
	}
	v := &torchView{info: tensor.Info{Stored: unknownStored}}
	v.err = v.declare(t, args, typ)
	if v.err != nil && !hasKind(v.err, UnsupportedDType) {
		v.info.DType = tensor.Invalid
		v.info.Strides = nil
	}
	return v
}

// declare fills the view, as far as it gets.
func (v *torchView) declare(t *torchObjects, args []pickle.Value, typ elementType) error {
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
	s, err := storageOf(args[0])
	if s.stored != "" {
		v.info.DType, v.info.Stored = s.dtype, s.stored
	}
	if err != nil {
		return err
	}
	if v.info.DType, v.info.Stored, err = typ(s, args); err != nil {
		return err
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
	v.off, v.length = s.off+offset*size, s.bytes-offset*size
	v.info.Strides = strides
	e, err := measure(v.info, v.length, t.size, t.limits)
	if err != nil {
		return err
	}
	if v.info.Dense() {
		v.info.Strides = nil
	}
	if e.count > 0 {
		v.read, err = t.find(s)
	}
	return err
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
