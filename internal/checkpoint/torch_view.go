package checkpoint

import (
	"context"
	"strings"

	"poslens/internal/pickle"
	"poslens/internal/tensor"
)

// torchView is a tensor as the pickle declares it: a view into a storage. It was
// checked against the storage, and the storage against the file.
type torchView struct {
	info   tensor.Info // without a name
	read   torchRead   // nil where there are no elements, and no storage is needed
	off    int64       // of the first element in the storage
	length int64       // bytes of the storage from there on
	quant  *torchQuant // what the stored numbers stand for; nil: for themselves
	err    error       // what is wrong with it; the info says what is known all the same
}

// listable tells a tensor that is sound, also where its dtype is not read.
func (v *torchView) listable() bool { return v.err == nil || hasKind(v.err, UnsupportedDType) }

// readFunc says how to read the tensor, of this name.
func (v *torchView) readFunc(info tensor.Info) readFunc {
	return func(ctx context.Context) (*tensor.Tensor, error) {
		switch {
		case v.err != nil:
			return nil, at(v.err, info.Name, -1)
		case v.read == nil:
			return &tensor.Tensor{Info: info}, nil
		case v.quant != nil:
			return v.quant.read(ctx, v, info)
		}
		return v.read(ctx, info, v.off, v.length)
	}
}

// view understands an object that stands for a tensor; nil for any other.
func (t *torchObjects) view(o *pickle.Object) *torchView {
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
func (t *torchObjects) newView(o *pickle.Object, wraps int) *torchView {
	args := o.Args.Items
	name, own := strings.CutPrefix(o.Class, "torch._utils._rebuild_")
	if !own {
		name, own = strings.CutPrefix(o.Class, "torch._tensor._rebuild_")
	}
	if !own {
		return t.variable(o, wraps)
	}
	switch name {
	case "tensor", "tensor_v2":
		return t.strided(args, 4, ofStorage)
	case "tensor_v3":
		return t.strided(args, 7, ofArgument)
	case "qtensor":
		return t.quantised(args)
	case "parameter", "parameter_with_state": // the tensor, ...
		if v := t.inner(args, wraps); v != nil {
			return v
		}
		return brokenView("%s without a tensor", o.Class)
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
	case "sparse_tensor", "sparse_csr_tensor", "nested_tensor", "wrapper_subclass", "meta_tensor_no_storage", "device_tensor_from_numpy", "device_tensor_from_cpu_tensor":
		return t.unread(name, args)
	}
	return nil
}

// inner understands the first argument of what stands around a tensor; nil where
// it is none.
func (t *torchObjects) inner(args []pickle.Value, wraps int) *torchView {
	if len(args) == 0 || wraps > maxWraps {
		return nil
	}
	o, ok := args[0].(*pickle.Object)
	if !ok {
		return nil
	}
	return t.newView(o, wraps+1)
}

// variable understands the two classes whose instances stood around tensors
// until version 0.4; nil for any other.
func (t *torchObjects) variable(o *pickle.Object, wraps int) *torchView {
	switch o.Class {
	case "torch.nn.parameter.Parameter", "torch.autograd.variable.Variable":
		return t.inner(o.Args.Items, wraps)
	}
	return nil
}

// brokenView is a tensor whose declaration makes no sense.
func brokenView(format string, args ...any) *torchView {
	return &torchView{info: tensor.Info{Stored: unknownStored}, err: fault(Corrupt, -1, format, args...)}
}

// unread lists a tensor of a kind that is not read: its size where that is told.
func (t *torchObjects) unread(name string, args []pickle.Value) *torchView {
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
			if s, err := storageOf(args[0]); err == nil {
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
