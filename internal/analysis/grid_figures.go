package analysis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/posemb"
)

// GridMetrics are the figures of a table whose positions are the cells of a grid of H
// rows and W columns. Notation: S is the cosine matrix of its cells, P the table,
// c(dy, dx) the mean of S over the pairs of cells dy rows and dx columns apart.
var GridMetrics = []Metric{
	{Name: "grid_separability_cosine", Group: "grid",
		Doc: "1 - sum (S - f(|dy|) - g(|dx|))^2 / sum (S - mean S)^2 over all pairs of different cells, f and g being those that make it largest: least squares over the offsets, each with the weight of its pairs. 1 where rows and columns add up, as in the 2-D sinusoid"},
	{Name: "grid_toeplitz_r2_cosine", Group: "grid",
		Doc: "1 - sum (S - c(dy, dx))^2 / sum (S - mean S)^2 over the same pairs: the share of the variance that the offset tells. grid_separability_cosine is never larger"},
	{Name: "grid_separability_table", Group: "grid",
		Doc: "share of the variance of P that a vector a row and a vector a column explain: 1 - sum |p(r,c) - row(r) - col(c) + mean|^2 / sum |p(r,c) - mean|^2, row(r) and col(c) being the means of a row's and a column's cells"},
	{Name: "grid_separability_table_chance", Group: "grid",
		Doc: "what grid_separability_table is on average when the cells are in random order: (H + W - 2) / (H W - 1)"},
	{Name: "half_life_rows", Group: "grid",
		Doc: "smallest number of rows k, interpolated linearly, at which c(k, 0) has come down to (1 + m) / 2, m being the mean cosine of all pairs of different cells"},
	{Name: "half_life_columns", Group: "grid",
		Doc: "the same of c(0, k), k columns apart"},
	{Name: "grid_isotropy", Group: "grid",
		Doc: "half_life_rows / half_life_columns: 1 where both axes are alike, above 1 where the cosine falls slower down the rows than across the columns"},
	{Name: "grid_mean_cosine", Group: "grid",
		Doc: "m, the mean cosine of all pairs of different cells"},
}

// measureGrid gives GridMetrics.
func measureGrid(a *posemb.Absolute, r *rows, g raster, s *offsetSums) []MeasuredMetric {
	f := newFigures()
	g.cosines(r, s, f)
	g.table(a, f)
	if g.h*g.w > 1 {
		f.set("grid_separability_table_chance", float64(g.h+g.w-2)/float64(g.h*g.w-1))
	}
	g.halfLives(r, s, f)
	if reason := g.single(); reason != "" {
		for _, name := range []string{"grid_separability_cosine", "grid_separability_table", "grid_separability_table_chance", "grid_isotropy"} {
			delete(f.value, name)
			f.undefine(reason, name)
		}
	}
	var all []MeasuredMetric
	for _, m := range GridMetrics {
		v, ok := f.value[m.Name]
		reason := ""
		if !ok {
			v, reason = math.NaN(), f.reason[m.Name]
		}
		all = append(all, MeasuredMetric{Name: m.Name, Group: m.Group, Value: Value(v), Reason: reason})
	}
	return all
}

// cosines gives the figures of how far offsets, and their rows and columns apart from
// each other, tell the cosines.
func (g raster) cosines(r *rows, s *offsetSums, f *figures) {
	names := []string{"grid_separability_cosine", "grid_toeplitz_r2_cosine"}
	switch {
	case r.count < 2:
		f.undefine(onePosition, names...)
		return
	case s.within == nil:
		f.undefine("the pairs were not looked at one by one", names...)
		return
	}
	mean, count := 0.0, 0.0
	fold := twoWay{h: g.h, w: g.w, y: make([]float64, g.h*g.w), weight: make([]float64, g.h*g.w)}
	for lag := 1; lag < g.lags(); lag++ {
		if s.pairs[lag] == 0 {
			continue
		}
		p := float64(s.pairs[lag])
		mean, count = mean+p*s.mean[lag], count+p
		at := g.folded(lag)
		fold.weight[at] += p
		fold.y[at] += p * s.mean[lag]
	}
	mean /= count
	for k, w := range fold.weight {
		if w > 0 {
			fold.y[k] /= w
		}
	}
	within, mirrored, total := 0.0, 0.0, 0.0
	for lag := 1; lag < g.lags(); lag++ {
		if s.pairs[lag] == 0 {
			continue
		}
		p, apart, off := float64(s.pairs[lag]), s.mean[lag]-fold.y[g.folded(lag)], s.mean[lag]-mean
		within += s.within[lag]
		mirrored += p * apart * apart // what (dy, dx) and (dy, -dx) differ by
		total += p * off * off
	}
	total += within
	if total <= flat*flat*count {
		f.undefine("all cosines are equal", names...)
		return
	}
	left, _ := fold.additive()
	f.set("grid_toeplitz_r2_cosine", 1-within/total)
	f.set("grid_separability_cosine", 1-(within+mirrored+left)/total)
}

// folded is the place of (|dr|, |dc|) of a lag in an h x w matrix.
func (g raster) folded(lag int) int {
	dr, dc := g.offset(lag)
	return dr*g.w + max(dc, -dc)
}

// table gives the figure of the table itself, whose rows are all looked at, those of
// zeros too.
func (g raster) table(a *posemb.Absolute, f *figures) {
	const name = "grid_separability_table"
	n, d := a.Table.Dims()
	largest := 0.0
	for i := range n {
		m := magnitude(a.Table.RawRowView(i))
		if !finite(m) {
			f.undefine(fmt.Sprintf("cell %d, %d is not finite, and every cell counts", i/g.w, i%g.w), name)
			return
		}
		largest = max(largest, m)
	}
	// In units of a power of two no square overflows.
	_, exponent := math.Frexp(largest)
	unit := math.Ldexp(1, -max(exponent, -1000))
	mean, rows, cols := make([]float64, d), make([]float64, g.h*d), make([]float64, g.w*d)
	for i := range n {
		row := a.Table.RawRowView(i)
		floats.AddScaled(rows[i/g.w*d:][:d], unit/float64(g.w), row)
		floats.AddScaled(cols[i%g.w*d:][:d], unit/float64(g.h), row)
	}
	for r := range g.h {
		floats.AddScaled(mean, 1/float64(g.h), rows[r*d:][:d])
	}
	left, total, size := 0.0, 0.0, 0.0
	for i := range n {
		of, down := rows[i/g.w*d:][:d], cols[i%g.w*d:][:d]
		for j, x := range a.Table.RawRowView(i) {
			x *= unit
			e, t := x-of[j]-down[j]+mean[j], x-mean[j]
			left, total, size = left+e*e, total+t*t, size+x*x
		}
	}
	if total <= flat*flat*size {
		f.undefine("all rows of the table are equal", name)
		return
	}
	f.set(name, 1-left/total)
}

// halfLives gives the figures of the two curves.
func (g raster) halfLives(r *rows, s *offsetSums, f *figures) {
	if r.count < 2 {
		f.undefine(onePosition, "grid_mean_cosine", "half_life_rows", "half_life_columns", "grid_isotropy")
		return
	}
	m := r.offdiagonal()
	f.set("grid_mean_cosine", m)
	f.halfLife("half_life_rows", g.down(s), m, "the grid has one row", "rows")
	f.halfLife("half_life_columns", g.across(s), m, "the grid has one column", "columns")
	down, ok1 := f.value["half_life_rows"]
	across, ok2 := f.value["half_life_columns"]
	if !ok1 || !ok2 {
		f.undefine("a half-life is undefined", "grid_isotropy")
		return
	}
	f.set("grid_isotropy", down/across)
}

// down is c(k, 0) and across c(0, k), from k = 0 on.
func (g raster) down(s *offsetSums) []float64 {
	curve := make([]float64, g.h)
	for k := range curve {
		curve[k] = s.mean[g.lag(k, 0)]
	}
	return curve
}

func (g raster) across(s *offsetSums) []float64 {
	curve := make([]float64, g.w)
	for k := range curve {
		curve[k] = s.mean[g.lag(0, k)]
	}
	return curve
}

// halfLife is where a curve comes down to half-way from 1 to a level.
func (f *figures) halfLife(name string, curve []float64, bottom float64, single, unit string) {
	half, lowest := (1+bottom)/2, 0
	for k, c := range curve {
		if c < curve[lowest] {
			lowest = k
		}
	}
	at, ok := crossing(curve, half)
	switch {
	case len(curve) == 1:
		f.undefine(single, name)
	case 1-bottom < flat:
		f.undefine("nothing falls: all cosines are 1", name)
	case !ok:
		f.undefine(fmt.Sprintf("never falls to %.4g, half-way from 1 to the mean cosine: the lowest mean is %.4g, %d %s apart", half, curve[lowest], lowest, unit), name)
	default:
		f.set(name, at)
	}
}
