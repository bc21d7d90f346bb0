package tensor

import "slices"

// Gather copies, into the row-major dst of a tensor of this shape and strides,
// what the tensor takes from src. src holds the stored elements from the at-th
// on, counted from the view's first, so a long span can be gathered in pieces:
// what lies outside src is left as it is. Span must have accepted the tensor.
func Gather(dst, src []float64, at int64, info Info) {
	if len(dst) == 0 || len(src) == 0 {
		return
	}
	g := gather{dst: dst, src: src, low: int(at), high: int(at) + len(src)}
	strides := info.Strides
	if strides == nil {
		strides = RowMajor(info.Shape)
	}
	for i, to := range RowMajor(info.Shape) {
		if info.Shape[i] > 1 {
			g.axes = append(g.axes, axis{info.Shape[i], strides[i], to})
		}
	}
	// The largest stored stride outermost: memory is then walked forwards, and
	// whole branches that lie outside src are passed over.
	slices.SortStableFunc(g.axes, func(a, b axis) int { return b.from - a.from })
	g.reach = make([]int, len(g.axes)+1)
	for i := len(g.axes) - 1; i >= 0; i-- {
		g.reach[i] = g.reach[i+1] + (g.axes[i].n-1)*g.axes[i].from
	}
	g.walk(0, 0, 0)
}

// axis is one dimension of a gather: how long, and the steps in the stored
// elements and in the row-major ones.
type axis struct{ n, from, to int }

// gather is the state of one Gather.
type gather struct {
	dst, src  []float64
	low, high int    // stored elements in src: low <= i < high
	axes      []axis // dimensions longer than 1, by falling stored stride
	reach     []int  // reach[i]: the last stored element of axes[i:], from their first
}

// walk copies the elements of axes[depth:] whose first is stored at from and
// belongs at to.
func (g *gather) walk(depth, from, to int) {
	if depth == len(g.axes) {
		if from >= g.low && from < g.high {
			g.dst[to] = g.src[from-g.low]
		}
		return
	}
	x := g.axes[depth]
	first, last := 0, x.n-1
	inner := g.reach[depth+1]
	if x.from > 0 {
		if need := g.low - from - inner; need > 0 {
			first = (need + x.from - 1) / x.from
		}
		if g.high-1 < from {
			return
		}
		last = min(last, (g.high-1-from)/x.from)
	}
	from += first * x.from
	to += first * x.to
	if depth == len(g.axes)-1 && x.from > 0 {
		for i := from - g.low; first <= last; first++ {
			g.dst[to] = g.src[i]
			i += x.from
			to += x.to
		}
		return
	}
	turned := depth == len(g.axes)-2 && x.from > 0 && x.to < g.axes[depth+1].to
	for first <= last {
		n := 1
		if turned && from >= g.low && from+inner < g.high {
			n += min(last-first, (g.high-1-from-inner)/x.from)
			g.turn(x, g.axes[depth+1], n, from, to)
		} else {
			g.walk(depth+1, from, to)
		}
		first += n
		from += n * x.from
		to += n * x.to
	}
}

// turn copies what n steps along x and all those along y reach, which must lie in
// src. It is for a y that is the nearer axis in src and the farther one in dst:
// some steps along x for each along y fill a cache line of dst while it is at
// hand.
func (g *gather) turn(x, y axis, n, from, to int) {
	const line = 8 // numbers
	for ; n > 0; n -= line {
		wide := min(n, line)
		i, j := from-g.low, to
		for range y.n {
			p, q := i, j
			for range wide {
				g.dst[q] = g.src[p]
				p += x.from
				q += x.to
			}
			i += y.from
			j += y.to
		}
		from += wide * x.from
		to += wide * x.to
	}
}
