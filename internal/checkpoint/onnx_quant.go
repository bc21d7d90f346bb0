package checkpoint

import (
	"context"
	"slices"
	"strings"

	"poslens/internal/tensor"
)

// onnxDequant is a DequantizeLinear node: the names of its inputs and its output,
// and its attributes.
//
//	https://onnx.ai/onnx/operators/onnx__DequantizeLinear.html
type onnxDequant struct {
	x, scale, zero string // zero is empty where there is none
	out            string
	axis           int64
	block          int64
}

// dequantize takes in a DequantizeLinear node.
func (g *onnxGraph) dequantize(m wireMessage) error {
	d := onnxDequant{axis: 1}
	in, out, err := g.ends(m)
	if err != nil {
		return err
	}
	err = m.each(func(f wireField) error {
		if f.num != nodeAttribute {
			return nil
		}
		return d.attribute(m.inside(f, attributeShape))
	})
	if err != nil || len(in) < 2 || out == "" {
		return err
	}
	d.x, d.scale, d.out = in[0], in[1], out
	if len(in) > 2 {
		d.zero = in[2]
	}
	g.dequants = append(g.dequants, d)
	return g.bound(len(g.dequants), "DequantizeLinear nodes", m.off)
}

// attribute takes one attribute in.
func (d *onnxDequant) attribute(m wireMessage) error {
	name, value := "", int64(0)
	err := m.each(func(f wireField) error {
		var err error
		switch f.num {
		case attributeName:
			name, err = m.text(f, maxONNXText)
		case attributeI:
			value = int64(f.value)
		}
		return err
	})
	switch name {
	case "axis":
		d.axis = value
	case "block_size":
		d.block = value
	}
	return err
}

// onnxTable is a tensor of integers with what makes numbers of them:
//
//	(x - zero) * scale
type onnxTable struct {
	x, scale *onnxTensor
	zero     *onnxTensor // nil: none
	node     onnxDequant
	gathered bool // rows of x reach the node, not x itself
}

// tables are the nodes whose inputs are all tensors of the file. Where rows of a
// quantised table are looked up first, one scale stands for all of them.
func (g *onnxGraph) tables() []*onnxTable {
	var tables []*onnxTable
	for _, node := range g.dequants {
		q := &onnxTable{x: g.byName[node.x], scale: g.byName[node.scale], node: node}
		if data, ok := g.gathered[node.x]; ok {
			q.x, q.gathered = g.byName[data], true
		}
		if q.x == nil || q.x.info.DType == tensor.Invalid || q.scale == nil || q.scale.info.DType.IsInteger() || q.gathered && q.scale.elements() != 1 {
			continue
		}
		if node.zero != "" {
			if q.zero = g.byName[node.zero]; q.zero == nil {
				continue
			}
		}
		tables = append(tables, q)
	}
	return tables
}

// quantizedSuffix is what ONNX Runtime's quantiser appends to the name of a
// tensor.
const quantizedSuffix = "_quantized"

// listTables lists what the nodes make under the names of their outputs, and
// under the name that a tensor had before ONNX Runtime quantised it, where no
// other has it.
func (g *onnxGraph) listTables(tables []*onnxTable) error {
	for _, q := range tables {
		if q.gathered {
			continue
		}
		if err := g.file.add(q.as(q.node.out)); err != nil {
			return err
		}
	}
	for _, q := range tables {
		before, ok := strings.CutSuffix(q.x.info.Name, quantizedSuffix)
		if !ok || before == "" || g.file.readers[before] != nil {
			continue
		}
		if err := g.file.add(q.as(before)); err != nil {
			return err
		}
	}
	return nil
}

// as is the table under a name. Its dtype is the scale's; stored are x's integers.
func (q *onnxTable) as(name string) (tensor.Info, readFunc) {
	info := q.x.info
	info.Name, info.DType = name, q.scale.info.DType
	return info, q.reader(info)
}

// reader reads the table as the tensor of this info.
func (q *onnxTable) reader(info tensor.Info) readFunc {
	return func(ctx context.Context) (*tensor.Tensor, error) {
		t, err := q.read(ctx)
		if err != nil {
			return nil, at(err, info.Name, -1)
		}
		t.Info = info
		return t, nil
	}
}

// read reads the integers and makes numbers of them.
func (q *onnxTable) read(ctx context.Context) (*tensor.Tensor, error) {
	for _, t := range []*onnxTensor{q.x, q.scale, q.zero} {
		if t != nil && t.err != nil {
			return nil, at(t.err, t.info.Name, t.body.off)
		}
	}
	scales, inner, err := q.layout()
	if err != nil {
		return nil, err
	}
	scale, err := q.scale.read(ctx)
	if err != nil {
		return nil, err
	}
	zero := &tensor.Tensor{Data: make([]float64, scales)}
	if q.zero != nil {
		if zero, err = q.zero.read(ctx); err != nil {
			return nil, err
		}
	}
	t, err := q.x.read(ctx)
	if err != nil {
		return nil, err
	}
	k := 0 // the scale at work
	for run := range slices.Chunk(t.Data, max(inner, 1)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		z, s := zero.Data[k], scale.Data[k]
		for i, v := range run {
			run[i] = (v - z) * s
		}
		k = (k + 1) % scales
	}
	return t, nil
}

// layout is how many scales there are, and how many neighbours share each: where
// there is one scale, any number does.
func (q *onnxTable) layout() (scales, inner int, err error) {
	shape, rank := q.x.info.Shape, int64(len(q.x.info.Shape))
	scales = q.scale.elements()
	if q.zero != nil && q.zero.elements() != scales {
		return 0, 0, fault(BadShape, q.zero.body.off, "the zero point %s has the shape %v, the scale %s the shape %v", quoted(q.zero.info.Name), q.zero.info.Shape, quoted(q.scale.info.Name), q.scale.info.Shape)
	}
	if scales == 1 && q.node.block == 0 {
		return 1, pieceElements, nil
	}
	if len(q.scale.info.Shape) != 1 || q.node.block != 0 {
		return 0, 0, fault(Unsupported, q.scale.body.off, "quantised in blocks, with the scale %s of shape %v, which is not read yet", quoted(q.scale.info.Name), q.scale.info.Shape)
	}
	axis := q.node.axis
	if axis < 0 {
		axis += rank
	}
	if axis < 0 || axis >= rank {
		return 0, 0, fault(BadShape, -1, "quantised along axis %d, but its shape is %v", q.node.axis, shape)
	}
	if shape[axis] != scales {
		return 0, 0, fault(BadShape, q.scale.body.off, "%d scales for axis %d of shape %v", scales, q.node.axis, shape)
	}
	inner = 1
	for _, n := range shape[axis+1:] {
		inner *= n
	}
	return scales, inner, nil
}

// elements is how many a sound tensor has; its shape was checked.
func (t *onnxTensor) elements() int {
	n := 1
	for _, d := range t.info.Shape {
		n *= d
	}
	return n
}
