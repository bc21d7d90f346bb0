package posemb

import (
	"math"

	"poslens/internal/tensor"
)

// mostNetwork bounds the multiplications of a network at all offsets of a window.
const mostNetwork = 1 << 30

// readNetwork reads Swin v2's bias, which a network of one hidden layer computes of
// the offset (y, x) = query - key in a window of h x w:
//
//	bias = 16 sigmoid(W2 relu(W1 (c(y, h), c(x, w)) + b1) + b2)
//	c(x, w) = sign(x) log2(1 + |8x / (w-1)|) / log2(8)
//
// where b2 is in few files. From Liu et al. 2022 (Swin Transformer V2), section 3.3, with the factors of
// microsoft/Swin-Transformer, models/swin_transformer_v2.py.
func readNetwork(r *reading) (Table, error) {
	if err := r.computed(); err != nil {
		return nil, err
	}
	first, shift, last := r.parts[0], r.parts[1], r.parts[2]
	if len(first.Shape) != 2 || first.Shape[1] != 2 || len(first.Data) == 0 {
		return nil, r.fault(NotATable, "", "%s is no hidden units x 2 coordinates", shapeText(first.Shape))
	}
	hidden := first.Shape[0]
	if len(shift.Data) != hidden || len(last.Shape) != 2 || last.Shape[1] != hidden || len(last.Data) == 0 {
		return nil, r.fault(NotATable, "", "%s of %s and %s of %s do not go with %s", printable(shift.Name), shapeText(shift.Shape), printable(last.Name), shapeText(last.Shape), count(hidden, "hidden unit"))
	}
	shifts := make([]float64, last.Shape[0])
	if second := r.parts[5]; second != nil {
		if len(second.Data) != len(shifts) {
			return nil, r.fault(NotATable, "", "%s of %s does not go with %s", printable(second.Name), shapeText(second.Shape), count(len(shifts), "head"))
		}
		r.oddPart(second)
		shifts = second.Data
	}
	h, w, coords, err := r.coordinates()
	if err != nil {
		return nil, err
	}
	n, heads := (2*h-1)*(2*w-1), last.Shape[0]
	if heads > largest/n || len(last.Data) > mostNetwork/n {
		return nil, r.fault(BadOption, "", "%s of %s and %s are too many", count(n, "offset"), count(heads, "head"), count(hidden, "hidden unit"))
	}
	for _, t := range []*tensor.Tensor{first, shift, last} {
		r.oddPart(t)
	}
	scores := make([]float64, 0, n*heads)
	unit := make([]float64, hidden)
	for i := range n {
		y, x := coords(i)
		for k := range unit {
			unit[k] = float64(first.Data[2*k]*y) + float64(first.Data[2*k+1]*x) + shift.Data[k]
			if unit[k] < 0 { // and NaN stays
				unit[k] = 0
			}
		}
		for k := range heads {
			sum := shifts[k]
			for j, v := range last.Data[k*hidden:][:hidden] {
				sum += float64(v * unit[j])
			}
			scores = append(scores, 16/(1+math.Exp(-sum)))
		}
	}
	if r.reversed() {
		scores = reverseRows(n, heads, scores)
		r.note("computed by a network for the %s of a window of %d x %d; %s by query - key and %s turned", count(n, "offset"), h, w, plural(n, "it runs", "they run"), plural(n, "is", "are"))
	} else {
		r.note("computed by a network for the %s of a window of %d x %d", count(n, "offset"), h, w)
	}
	bias := r.bias(windowAxes(h, w, r.preset.Beyond), n, heads, scores)
	bias.Stored = nil // computed from all weights
	return bias, nil
}

// coordinates finds the window, and what the network gets of its i-th offset, the
// columns fastest, each rising: what relative_coords_table holds, else the formula.
func (r *reading) coordinates() (h, w int, at func(i int) (y, x float64), err error) {
	if t := r.parts[3]; t != nil {
		return r.tableOfCoordinates(t)
	}
	h, w, s, err := r.networkWindow()
	if err != nil {
		return 0, 0, nil, err
	}
	y, x := h, w // the window that coordinates are divided by
	switch {
	case s.trained > 1:
		y, x = s.trained, s.trained
		r.note("coordinates are those of a model that was trained at a window of %d x %d first, as config.json has it", y, x)
	case !s.known && (h > 1 || w > 1):
		r.note("coordinates are those of a model trained at this window; one that was trained at a smaller one first divides by that")
	}
	return h, w, func(i int) (float64, float64) {
		return logCoordinate(i/(2*w-1)-(h-1), y), logCoordinate(i%(2*w-1)-(w-1), x)
	}, nil
}

// tableOfCoordinates takes the coordinates [1, 2h-1, 2w-1, 2] that a file stores.
func (r *reading) tableOfCoordinates(t *tensor.Tensor) (h, w int, at func(i int) (y, x float64), err error) {
	s := t.Shape
	for len(s) > 3 && s[0] == 1 {
		s = s[1:]
	}
	if len(s) != 3 || s[0]%2 == 0 || s[1]%2 == 0 || s[2] != 2 || len(t.Data) == 0 {
		return 0, 0, nil, r.fault(NotATable, "", "%s is %s, expected 1 x (2h-1) x (2w-1) x 2", printable(t.Name), shapeText(t.Shape))
	}
	if max(s[0], s[1]) > maxDistance {
		return 0, 0, nil, r.fault(NotATable, "", "%s is %s: none is farther than %d", printable(t.Name), shapeText(t.Shape), maxDistance)
	}
	h, w = (s[0]+1)/2, (s[1]+1)/2
	if g := r.opt.Grid; g != nil && *g != (Grid{h, w}) {
		return 0, 0, nil, r.fault(BadOption, "leave --grid out", "a window of %d x %d, but %s is of %d x %d", g.Rows, g.Cols, printable(t.Name), h, w)
	}
	r.oddPart(t)
	r.note("coordinates are those of %s", printable(t.Name))
	return h, w, func(i int) (y, x float64) { return t.Data[2*i], t.Data[2*i+1] }, nil
}

// networkWindow finds a window that no table of coordinates tells: the caller's, else
// a square one of as many cells as relative_position_index has rows, else that of
// config.json. It also gives what config.json says of the stage.
func (r *reading) networkWindow() (h, w int, s stage, err error) {
	cells := 0 // not known
	if t := r.parts[4]; t != nil {
		switch s := t.Shape; {
		case len(s) == 2 && s[0] == s[1]:
			cells = s[0]
		case len(s) == 1: // laid flat in torchvision
			cells = squareRoot(s[0])
		}
		if cells == 0 {
			return 0, 0, stage{}, r.fault(NotATable, "", "%s is %s, expected cells x cells of a window", printable(t.Name), shapeText(t.Shape))
		}
	}
	const hint = "--grid HxW says which window"
	s = r.stage()
	if g := r.opt.Grid; g != nil {
		if g.Rows < 1 || g.Cols < 1 || g.Rows > maxDistance || g.Cols > maxDistance || 2*g.Rows-1 > largest/(2*g.Cols-1) {
			return 0, 0, stage{}, r.fault(BadOption, "", "a window of %d x %d", g.Rows, g.Cols)
		}
		if cells > 0 && g.Rows*g.Cols != cells {
			return 0, 0, stage{}, r.fault(BadOption, "", "a window of %d x %d does not have the %s of %s", g.Rows, g.Cols, count(cells, "cell"), printable(r.parts[4].Name))
		}
		return g.Rows, g.Cols, s, nil
	}
	if side := squareRoot(cells); side > 0 {
		r.note("%s is for %s: a window of %d x %d", printable(r.parts[4].Name), count(cells, "cell"), side, side)
		return side, side, s, nil
	}
	if cells > 0 {
		return 0, 0, stage{}, r.fault(Ambiguous, hint, "%s of a window that is no square", count(cells, "cell"))
	}
	if g := s.window; g != (Grid{}) && 2*g.Rows-1 <= unasked/(2*g.Cols-1) {
		r.note("a window of %d x %d, as config.json has it: %s", g.Rows, g.Cols, s.why)
		return g.Rows, g.Cols, s, nil
	}
	if side, ok := r.number("window_size"); ok {
		return 0, 0, stage{}, r.fault(Ambiguous, hint, "a network computes the bias for any window, and this file does not store its own; config.json says %d, but not how large the image is, and stages of fewer cells have less", side)
	}
	return 0, 0, stage{}, r.fault(Ambiguous, hint, "a network computes the bias for any window, and this file does not store its own")
}

// logCoordinate is what Swin v2's network gets for an offset along an axis, where n is
// the window's cells or those of the one that the model was trained at first.
func logCoordinate(offset, n int) float64 {
	if n < 2 {
		return 0
	}
	x := 8 * float64(offset) / float64(n-1)
	return math.Copysign(math.Log2(1+math.Abs(x))/3, x)
}
