package checkpoint

import (
	"context"
	"strings"

	"poslens/internal/pickle"
	"poslens/internal/tensor"
)

// torchQuant says what the whole numbers q of a quantised tensor stand for:
//
//	(q - zero) * scale
//
// with one scale and zero for all, or one for each index along an axis
// (torch/_utils.py, _rebuild_qtensor; aten/src/ATen/native/quantized).
type torchQuant struct {
	stored tensor.DType // of the whole numbers
	axis   int          // -1: one scale and zero for all
	scale  quantNumbers // one, or as many as the axis is long
	zero   quantNumbers
}

// quantNumbers gives the scales or the zeros, which may be tensors themselves.
type quantNumbers func(context.Context) ([]float64, error)

// quantTypes are the storages of the quantised tensors that are read: the type
// of the whole numbers in them, and what the tensors are called.
var quantTypes = map[string]struct {
	stored tensor.DType
	name   string
}{
	"QInt8Storage":  {tensor.I8, "QINT8"},
	"QUInt8Storage": {tensor.U8, "QUINT8"},
	"QInt32Storage": {tensor.I32, "QINT32"},
}

// quantised understands storage, offset, size, strides and the quantiser's
// parameters: (scheme, scale, zero) or (scheme, scales, zeros, axis).
func (t *torchObjects) quantised(args []pickle.Value) *torchView {
	if len(args) < 5 {
		return brokenView("a quantised tensor declared with %d arguments, not 5", len(args))
	}
	s, _ := storageOf(args[0])
	kind, known := quantTypes[s.stored]
	params, ok := args[4].(*pickle.Tuple)
	if !known || !ok || len(params.Items) < 3 {
		return t.unread("qtensor", args)
	}
	scheme := ""
	if g, ok := params.Items[0].(*pickle.Global); ok {
		scheme = g.String()
	}
	v := t.strided(args, 5, func(torchStore, []pickle.Value) (tensor.DType, string, error) {
		return kind.stored, kind.name, nil
	})
	if v.err != nil {
		return v
	}
	v.quant = &torchQuant{stored: kind.stored, axis: -1}
	v.info.DType = tensor.F32 // what torch makes of it
	n := 1
	switch {
	case scheme == "torch.per_tensor_affine", scheme == "torch.per_tensor_symmetric":
	case strings.HasPrefix(scheme, "torch.per_channel_"):
		axis := int64(-1)
		if len(params.Items) > 3 {
			axis, _ = params.Items[3].(int64)
		}
		if axis < 0 || axis >= int64(len(v.info.Shape)) {
			return brokenView("a quantised tensor without the axis of its scales")
		}
		v.quant.axis = int(axis)
		n = v.info.Shape[axis]
	default:
		return t.unread("qtensor", args)
	}
	if v.quant.scale = t.quantNumbers(params.Items[1], n); v.quant.scale == nil {
		return brokenView("a quantised tensor without its scale, of which it needs %d", n)
	}
	if v.quant.zero = t.quantNumbers(params.Items[2], n); v.quant.zero == nil {
		return brokenView("a quantised tensor without its zero, of which it needs %d", n)
	}
	return v
}

// quantNumbers understands n scales or zeros: a number, a list of them, or a
// tensor; nil for anything else.
func (t *torchObjects) quantNumbers(v pickle.Value, n int) quantNumbers {
	var items []pickle.Value
	switch v := v.(type) {
	case int64, float64:
		items = []pickle.Value{v}
	case *pickle.List:
		items = v.Items
	case *pickle.Object:
		if !strings.HasPrefix(v.Class, "torch._utils._rebuild_tensor") { // no quantised one, whose scales could be one
			return nil
		}
		view := t.view(v)
		if view == nil || view.err != nil || len(view.info.Shape) != 1 || view.info.Shape[0] != n {
			return nil
		}
		return func(ctx context.Context) ([]float64, error) {
			x, err := view.readFunc(view.info)(ctx)
			if err != nil {
				return nil, err
			}
			return x.Data, nil
		}
	}
	if len(items) != n {
		return nil
	}
	return func(context.Context) ([]float64, error) { // only here, since many tensors may share a long list
		numbers := make([]float64, n)
		for i, item := range items {
			switch x := item.(type) {
			case int64:
				numbers[i] = float64(x)
			case float64:
				numbers[i] = x
			default:
				return nil, fault(Corrupt, -1, "a scale or zero of a quantised tensor is no number")
			}
		}
		return numbers, nil
	}
}

// read reads the whole numbers of a view and gives what they stand for.
func (q *torchQuant) read(ctx context.Context, v *torchView, info tensor.Info) (*tensor.Tensor, error) {
	whole := info
	whole.DType = q.stored
	t, err := v.read(ctx, whole, v.off, v.length)
	if err != nil {
		return nil, err
	}
	scale, err := q.scale(ctx)
	if err != nil {
		return nil, at(err, info.Name, -1)
	}
	zero, err := q.zero(ctx)
	if err != nil {
		return nil, at(err, info.Name, -1)
	}
	t.Info = info
	run := len(t.Data) // elements under one scale
	if q.axis >= 0 {
		run = 1
		for _, d := range info.Shape[q.axis+1:] {
			run *= d
		}
	}
	for i := range t.Data {
		k := i / run % len(scale)
		t.Data[i] = (t.Data[i] - zero[k]) * scale[k]
	}
	return t, nil
}
