package posemb

import (
	"slices"
	"strings"

	"poslens/internal/tensor"
)

// axisWords are what a dimension may be, in the order in which tables are read
// here. Words of one rank mean the same to a reader.
var axisWords = [][]string{
	{"frames"},
	{"rows", "dy"},
	{"cols", "dx"},
	{"positions", "offsets", "buckets"},
	{"heads"},
	{"width"},
}

// AxisWords lists what ReadOptions.Axes takes.
func AxisWords() []string { return slices.Concat(axisWords...) }

// axisRank is a word's place in axisWords; -1 when it is none.
func axisRank(word string) int {
	return slices.IndexFunc(axisWords, func(same []string) bool { return slices.Contains(same, word) })
}

// checkWords refuses words that no option takes.
func (o ReadOptions) checkWords() error {
	if o.Sign != "" && o.Sign != KeyQuery && o.Sign != QueryKey {
		return fault(BadOption, "", didYouMean(o.Sign, []string{KeyQuery, QueryKey}, ""), "a sign of %q: known are %s and %s", o.Sign, KeyQuery, QueryKey)
	}
	seen := map[int]string{}
	for _, word := range o.Axes {
		rank := axisRank(word)
		if rank < 0 {
			return fault(BadOption, "", didYouMean(word, AxisWords(), ""), "an axis %q: known are %s", word, strings.Join(AxisWords(), ", "))
		}
		if other, twice := seen[rank]; twice {
			return fault(BadOption, "", "", "axes %s and %s are the same one", other, word)
		}
		seen[rank] = word
	}
	return nil
}

// orient brings the naming tensor into the order of axisWords, from the one that
// the caller says it is stored in.
func (r *reading) orient() error {
	axes := r.opt.Axes
	if len(axes) == 0 {
		return nil
	}
	t := r.parts[0]
	shape := t.Shape
	for len(shape) > len(axes) && shape[0] == 1 {
		shape = shape[1:]
	}
	if len(shape) == len(axes)+1 && len(shape) == 3 && shape[1] == 1 { // [n, 1, d]
		shape = []int{shape[0], shape[2]}
	}
	if len(shape) != len(axes) {
		return r.fault(BadOption, "", "%s %s %s %d, but the tensor is %s", plural(len(axes), "axis", "axes"), strings.Join(axes, ","), plural(len(axes), "is", "are"), len(axes), shapeText(t.Shape))
	}
	order := make([]int, len(axes)) // order[k] is the stored dimension that comes k-th
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return axisRank(axes[a]) - axisRank(axes[b]) })
	info := t.Info
	info.Shape = make([]int, len(order))
	for k, dim := range order {
		info.Shape[k] = shape[dim]
	}
	r.parts[0] = &tensor.Tensor{Info: info, Data: permuted(t.Data, shape, order)}
	r.oriented = true
	r.note("dimensions are taken as %s", strings.Join(axes, " x "))
	return nil
}

// permuted copies row-major data of a shape so that dimension order[k] comes k-th.
func permuted(data []float64, shape, order []int) []float64 {
	stride := make([]int, len(shape)) // of each stored dimension
	step := 1
	for k := len(shape) - 1; k >= 0; k-- {
		stride[k] = step
		step *= shape[k]
	}
	out := make([]float64, 0, len(data))
	index := make([]int, len(order))
	for range data {
		from := 0
		for k, dim := range order {
			from += index[k] * stride[dim]
		}
		out = append(out, data[from])
		for k := len(order) - 1; k >= 0; k-- {
			if index[k]++; index[k] < shape[order[k]] {
				break
			}
			index[k] = 0
		}
	}
	return out
}

// headsFirst says whether the naming tensor is stored as heads x offsets.
func (r *reading) headsFirst() bool { return r.preset.Heads1st && !r.oriented }

// takeItem cuts the match's layer out of a naming tensor that holds several. Parts
// of as many are cut by their readers.
func (r *reading) takeItem() error {
	if r.match.Item < 0 {
		return nil
	}
	t, err := r.item(r.parts[0])
	if err == nil {
		r.parts[0] = t
	}
	return err
}

// item is the match's layer of a tensor whose first dimension is layers.
func (r *reading) item(t *tensor.Tensor) (*tensor.Tensor, error) {
	i := r.match.Item
	if len(t.Shape) < 2 || i >= t.Shape[0] {
		return nil, r.fault(NotATable, "", "no layer %d in %s: %s", i, printable(t.Name), shapeText(t.Shape))
	}
	size := len(t.Data) / t.Shape[0]
	info := t.Info
	info.Shape = slices.Clone(t.Shape[1:])
	return &tensor.Tensor{Info: info, Data: slices.Clone(t.Data[i*size : (i+1)*size])}, nil
}
