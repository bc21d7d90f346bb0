package posemb

import (
	"slices"
	"strings"
)

// axesKind is what ReadOptions.Axes makes of a tensor that no preset knows; empty
// when its words leave that open.
func axesKind(axes []string) Kind {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(axes, w) })
	}
	switch relative := has("offsets", "buckets", "dy", "dx"); {
	case relative && has("width"):
		return KindVectors
	case relative:
		return KindBias
	case has("positions", "rows", "cols"):
		return KindAbsolute
	}
	return ""
}

// axesTable reads a relative table whose dimensions the caller names: offsets,
// buckets, or dy and dx, then heads, then width. The tensor has been brought into
// that order; without heads and width it is the bias of one head.
func (r *reading) axesTable() (Table, error) {
	words := slices.Clone(r.opt.Axes)
	slices.SortFunc(words, func(a, b string) int { return axisRank(a) - axisRank(b) })
	t := r.parts[0]
	if len(t.Shape) != len(words) {
		return nil, r.notRows()
	}
	if len(t.Data) == 0 {
		return nil, r.fault(NotATable, "", "%s: no numbers in it", shapeText(t.Shape))
	}
	r.noPositions()
	var axes []Axis
	n, heads, width := 1, 0, 0
	for k, word := range words {
		size := t.Shape[k]
		switch word {
		case "heads":
			heads = size
			continue
		case "width":
			width = size
			continue
		case "buckets":
			if len(axes) > 0 || slices.Contains(words, "width") {
				return nil, r.axesFault()
			}
			return r.axesBuckets(size, len(t.Data)/size)
		case "offsets":
			if len(axes) > 0 {
				return nil, r.axesFault()
			}
			x, err := r.bareAxes(size)
			if err != nil {
				return nil, err
			}
			axes = x
		case "dy", "dx":
			if size%2 == 0 {
				return nil, r.fault(NotATable, "", "%s along %s: -K..K are an odd number", count(size, "offset"), word)
			}
			axes = append(axes, Axis{word, -(size / 2), size / 2, BeyondNone})
		default:
			return nil, r.axesFault()
		}
		n *= size
	}
	r.oddValues(n, len(t.Data)/n, t.Data)
	data := t.Data
	if r.reversed() {
		data = reverseRows(n, len(data)/n, data)
		r.note("rows run by query - key, as asked, and are turned")
	}
	if width == 0 {
		return r.bias(axes, n, max(heads, 1), data), nil
	}
	v := r.vectors(axes, n, max(heads, 1)*width, data, nil)
	if heads > 0 {
		v.Heads = headNames(heads)
	}
	return v, nil
}

// axesBuckets reads n buckets of so many heads, by the T5 rule when none is named.
func (r *reading) axesBuckets(n, heads int) (Table, error) {
	data := r.parts[0].Data
	r.oddValues(n, heads, data)
	if r.opt.Buckets == nil {
		r.note("no rule is named: T5's for both directions is taken; --buckets RULE,N,MAX names another")
	}
	return r.expand(BucketRule{Name: T5Both, MaxDistance: 128}, n, heads, data)
}

// axesFault is the error for words that make no table together.
func (r *reading) axesFault() *Error {
	return r.fault(BadOption, "offsets, buckets, or dy and dx go with heads and width", "axes %s are no table", strings.Join(r.opt.Axes, ","))
}
