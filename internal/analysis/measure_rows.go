package analysis

import (
	"math"
)

// cosineRounding is the difference of two cosines that rounding can make: one of this
// size is none.
const cosineRounding = 1e-12

// rowFigures are those of one row of the cosine matrix.
type rowFigures struct {
	forward, backward   [2]int // of local monotonicity: falls, and how many there could be
	adjacent, neighbour bool   // the nearest is adjacent; there is another row at all
	local, mirror       [2]float64
	mirrored            int // pairs of mirror
}

// The ways to make the rows of S into weights that sum to 1.
const (
	nonnegative = iota
	softmax
)

// rowWalk looks at one row after another.
type rowWalk struct {
	r       *rows
	weights []float64
	halves  [far + 1]float64 // 2^-t
}

// far is the distance from which on locality counts no weight: 2^-64 of one is nothing.
const far = 64

// addTo adds a row's cosines with later rows to the sums over diagonals.
func (w *rowWalk) addTo(sum, squares, row []float64, i int, middle []float64) {
	if w.r.count == w.r.N {
		for k, x := range row[i:] {
			x -= middle[k]
			sum[k] += x
			squares[k] += float64(x * x)
		}
		return
	}
	for k, x := range row[i:] {
		if w.r.defined(i + k) {
			x -= middle[k]
			sum[k] += x
			squares[k] += float64(x * x)
		}
	}
}

// figures are those of row i.
func (w *rowWalk) figures(row []float64, i int) rowFigures {
	var f rowFigures
	for m := range monotoneReach {
		if j := i + m; j+1 < len(row) && w.r.defined(j) && w.r.defined(j+1) {
			f.forward[1]++
			if row[j] > row[j+1]+cosineRounding {
				f.forward[0]++
			}
		}
		if j := i - m; j > 0 && w.r.defined(j) && w.r.defined(j-1) {
			f.backward[1]++
			if row[j] > row[j-1]+cosineRounding {
				f.backward[0]++
			}
		}
	}
	nearest, most := -1, math.Inf(-1)
	for j, x := range row {
		if x > most && j != i && w.r.defined(j) {
			nearest, most = j, x
		}
	}
	f.neighbour = nearest >= 0
	f.adjacent = f.neighbour && (nearest == i-1 || nearest == i+1)
	for kind := range f.local {
		f.local[kind], f.mirror[kind], f.mirrored = w.weighted(row, i, kind)
	}
	return f
}

// weighted gives the locality of row i, the sum over its mirrored pairs of their
// scaled differences, and how many pairs there are.
func (w *rowWalk) weighted(row []float64, i, kind int) (local, mirror float64, pairs int) {
	if w.weights == nil {
		w.weights = make([]float64, len(row))
		for t := range w.halves {
			w.halves[t] = math.Ldexp(1, -t)
		}
	}
	total := w.weigh(row, kind)
	for j := max(0, i-far); j <= min(len(row)-1, i+far); j++ {
		local += w.weights[j] * w.halves[max(i-j, j-i)]
	}
	local /= total
	least, most, sum := math.Inf(1), 0.0, 0.0
	reach := min(i, len(row)-1-i)
	before, after := w.weights[i-reach:i], w.weights[i+1:i+1+reach]
	whole := w.r.count == w.r.N
	for k, x := range after {
		if !whole && !(w.r.defined(i-1-k) && w.r.defined(i+1+k)) {
			continue
		}
		v := math.Abs(before[len(before)-1-k] - x)
		if v < least { // the built-in min and max look after NaN too, in twice the time
			least = v
		}
		if v > most {
			most = v
		}
		sum += v
		pairs++
	}
	const rounding = 1e-12 // of the weights, of which the largest is 1: differences of this size are none
	if pairs > 0 && most-least > rounding {
		mirror = (sum - float64(pairs)*least) / (most - least)
	}
	return local, mirror, pairs
}

// weigh makes a row into weights, and gives their sum.
func (w *rowWalk) weigh(row []float64, kind int) (total float64) {
	weights := w.weights[:len(row)]
	if kind == softmax {
		for j, x := range row {
			weights[j] = math.Exp(x - 1) // the largest cosine of a row is its own, 1
		}
	} else {
		for j, x := range row {
			weights[j] = max(x, 0)
		}
	}
	if w.r.count < w.r.N {
		for j := range weights {
			if !w.r.defined(j) {
				weights[j] = 0
			}
		}
	}
	for _, x := range weights {
		total += x
	}
	return total
}

// rowMeans gives the figures that are means over rows.
func rowMeans(each []rowFigures, n int, f *figures) {
	var forward, backward [2]int
	var adjacent, neighbours, mirrored int
	var local, mirror [2]float64
	for _, e := range each {
		for k := range 2 {
			forward[k] += e.forward[k]
			backward[k] += e.backward[k]
			local[k] += e.local[k]
			mirror[k] += e.mirror[k]
		}
		mirrored += e.mirrored
		if e.neighbour {
			neighbours++
		}
		if e.adjacent {
			adjacent++
		}
	}
	share := func(name string, part, of int, reason string) {
		if of == 0 {
			f.undefine(reason, name)
		} else {
			f.set(name, float64(part)/float64(of))
		}
	}
	share("local_monotonicity_forward_M10", forward[0], forward[1], "no two defined positions stand side by side")
	share("local_monotonicity_backward_M10", backward[0], backward[1], "no two defined positions stand side by side")
	share("nearest_neighbour_is_adjacent", adjacent, neighbours, onePosition)
	for kind, name := range []string{"nonnegative", "softmax"} {
		f.set("locality_"+name, local[kind]/float64(n))
		if mirrored == 0 {
			f.undefine("no position has defined ones at the same distance on both sides", "symmetry_"+name)
		} else {
			f.set("symmetry_"+name, 1-mirror[kind]/float64(mirrored))
		}
	}
}
