package posemb

import "math"

// tap is a source cell along one axis and its weight.
type tap struct {
	cell   int
	weight float64
}

// keys is the cubic convolution kernel of Keys 1981, equation 15 with a for -1/2:
//
//	(a+2)|x|^3 - (a+3)|x|^2 + 1       |x| < 1
//	a|x|^3 - 5a|x|^2 + 8a|x| - 4a     1 <= |x| < 2
func keys(x, a float64) float64 {
	switch x = math.Abs(x); {
	case x < 1:
		return ((a+2)*x-(a+3))*x*x + 1
	case x < 2:
		return ((x-5)*x+8)*x*a - 4*a
	}
	return 0
}

// cubicTaps are the weights of PyTorch's bicubic interpolation without antialiasing,
// one list a target cell: a = -0.75, half-pixel centres, the border's cell for those
// outside. Such weights keep a constant, but bend a slope a little, since only
// a = -1/2 keeps it.
// Source: pytorch/pytorch, aten/src/ATen/native/cpu/UpSampleKernel.cpp.
func cubicTaps(from, to int) [][]tap {
	all := make([][]tap, to)
	for i := range all {
		at := (float64(i)+0.5)*float64(from)/float64(to) - 0.5
		base := math.Floor(at)
		for k := -1; k <= 2; k++ {
			cell := int(base) + k
			all[i] = append(all[i], tap{min(max(cell, 0), from-1), keys(at-base-float64(k), -0.75)})
		}
	}
	return all
}

// smoothTaps are the weights with antialiasing: a = -0.5, the kernel widened where
// the target is smaller, cells outside left out and the others' weights scaled to the
// sum 1. Source: as cubicTaps, _compute_indices_min_size_weights_aa.
func smoothTaps(from, to int) [][]tap {
	scale := float64(from) / float64(to)
	wide := max(scale, 1)
	all := make([][]tap, to)
	for i := range all {
		centre := (float64(i) + 0.5) * scale
		first, end := max(int(centre-2*wide+0.5), 0), min(int(centre+2*wide+0.5), from)
		sum := 0.0
		for cell := first; cell < end; cell++ {
			t := tap{cell, keys((float64(cell)-centre+0.5)/wide, -0.5)}
			all[i] = append(all[i], t)
			sum += t.weight
		}
		for k := range all[i] {
			all[i][k].weight /= sum
		}
	}
	return all
}

// resample makes a grid of vectors of d the size of another, by the weights of each
// axis.
func resample(data []float64, from, to Grid, d int, taps func(from, to int) [][]tap) []float64 {
	narrow := make([]float64, from.Rows*to.Cols*d) // columns first
	for x, list := range taps(from.Cols, to.Cols) {
		for y := range from.Rows {
			out := narrow[(y*to.Cols+x)*d:][:d]
			for _, t := range list {
				addTo(out, data[(y*from.Cols+t.cell)*d:], t.weight)
			}
		}
	}
	made := make([]float64, to.Rows*to.Cols*d)
	for y, list := range taps(from.Rows, to.Rows) {
		out := made[y*to.Cols*d:][:to.Cols*d]
		for _, t := range list {
			addTo(out, narrow[t.cell*to.Cols*d:], t.weight)
		}
	}
	return made
}

// addTo adds w times the first numbers of x to out.
func addTo(out, x []float64, w float64) {
	for k := range out {
		out[k] += float64(w * x[k]) // the conversion forbids a fused multiply-add: the same digits everywhere
	}
}
