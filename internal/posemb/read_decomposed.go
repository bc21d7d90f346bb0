package posemb

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/tensor"
)

// along is one axis of a table that is stored by axes.
type along struct {
	axis   Axis
	d      int       // components of a vector
	data   []float64 // a vector an offset, offsets rising
	skip   int       // stored rows in front that no offset uses
	stored Stored
}

// firstRow tells how the n rows of an axis start: the offset of the first one that is
// used, in the sign that they are stored in, and how many stand in front of it. The
// axis is 0 along columns and 1 along rows of the image.
type firstRow func(axis, n int) (lo, skip int, err error)

// readDecomposed reads the vectors of SAM and its kin, which store an image's two
// axes by themselves. Since a query scores
//
//	q . R_h(dy) + q . R_w(dx)
//
// the vector of (dy, dx) is the sum of both. Where the file has one axis alone,
// that is the table. From facebookresearch/segment-anything,
// modeling/image_encoder.py, add_decomposed_rel_pos.
func readDecomposed(r *reading) (Table, error) {
	return r.decomposed(func(axis, n int) (lo, skip int, err error) {
		if n%2 == 0 {
			return 0, 0, r.fault(NotATable, "--axes says how the dimensions go", "%s no offsets -K..K, which are an odd number", are(n, "row"))
		}
		if g := r.opt.Grid; g != nil && n != 2*g.side(axis)-1 {
			return 0, 0, r.fault(BadOption, "", "a window of %d x %d does not have %s along one axis", g.Rows, g.Cols, count(n, "offset"))
		}
		return -(n / 2), 0, nil
	})
}

// readHalo reads the vectors of halo attention. Its queries are counted in a block
// and its keys in the block's window, which is a halo wider on each side, so that
// of the 2S-1 rows of a window of S the first 2 halo are used by no offset:
//
//	row = key - query + S-1 + halo
//
// From timm, layers/halo_attn.py, rel_logits_1d. The file doesn't say how wide the
// halo is.
func readHalo(r *reading) (Table, error) {
	return r.decomposed(func(axis, n int) (lo, skip int, err error) {
		if n%2 == 0 {
			return 0, 0, r.fault(NotATable, "", "%s no 2S-1 of a window of S", are(n, "row"))
		}
		window := (n + 1) / 2
		block := haloBlock(window)
		if g := r.opt.Grid; g != nil {
			if block = g.side(axis); block < 1 || block > window || (window-block)%2 != 0 {
				return 0, 0, r.fault(BadOption, "", "a block of %d with the same halo on both sides does not fit a window of %d", block, window)
			}
		} else {
			r.note("a window of %d is taken as a block of %d with a halo of %d, as in timm's models; --grid HxW says another block", window, block, (window-block)/2)
		}
		return 1 - window + (window-block)/2, window - block, nil
	})
}

// haloBlock is the block of timm's models in a window: 8, or 7 in an odd one.
func haloBlock(window int) int { return min(window, 8-window%2) }

// side is the grid's extent along an axis.
func (g Grid) side(axis int) int {
	if axis == 0 {
		return g.Rows
	}
	return g.Cols
}

// decomposed reads one axis or both.
func (r *reading) decomposed(first firstRow) (Table, error) {
	r.noPositions()
	var axes []along
	for part, t := range r.parts {
		if t == nil {
			continue
		}
		a, err := r.along(part, t, first)
		if err != nil {
			return nil, err
		}
		axes = append(axes, a)
	}
	r.noteAxes(axes)
	v := &Vectors{Origin: r.origin()}
	skip := axes[0].skip
	if y := axes[0]; len(axes) == 1 {
		y.stored.Axis = WholeTable
		v.Axes, v.Table, v.Stored = []Axis{y.axis}, mat.NewDense(y.axis.Len(), y.d, y.data), []Stored{y.stored}
		r.note("vectors of %s alone: none of another axis stand beside them", y.axis.Name)
	} else {
		x := axes[1]
		if y.d != x.d {
			return nil, r.fault(NotATable, "", "vectors of %d along dy and of %d along dx can't be added", y.d, x.d)
		}
		if y.axis.Len() > largest/x.axis.Len()/y.d {
			return nil, r.fault(BadOption, "", "%d x %d offsets of %d components are too many", y.axis.Len(), x.axis.Len(), y.d)
		}
		v.Axes, v.Table, v.Stored = []Axis{y.axis, x.axis}, sums(y, x), []Stored{y.stored, x.stored}
		skip = min(skip, x.skip)
		r.note("the vector of (dy, dx) is the sum of those of dy and of dx, which are a tensor each")
	}
	for row := range skip {
		v.Unused = append(v.Unused, row)
	}
	v.Notes = r.notes
	return v, nil
}

// noteAxes tells the offsets of one axis or both.
func (r *reading) noteAxes(axes []along) {
	var words []string
	for _, a := range axes {
		s := fmt.Sprintf("%s %d..%d", a.axis.Name, a.axis.Min, a.axis.Max)
		if a.skip > 0 {
			s += fmt.Sprintf(" (no offset uses rows 0 to %d)", a.skip-1)
		}
		words = append(words, s)
	}
	turned := ""
	if r.reversed() {
		turned = "; rows run by query - key and are turned"
	}
	r.note("offsets %s of key - query%s", strings.Join(words, ", "), turned)
}

// sums adds each vector of y to each of x.
func sums(y, x along) *mat.Dense {
	d, cols := y.d, x.axis.Len()
	table := mat.NewDense(y.axis.Len()*cols, d, nil)
	for i := range y.axis.Len() {
		for j := range cols {
			row := table.RawRowView(i*cols + j)
			for k := range row {
				row[k] = y.data[i*d+k] + x.data[j*d+k]
			}
		}
	}
	return table
}

// along reads the tensor of one axis.
func (r *reading) along(part int, t *tensor.Tensor, first firstRow) (along, error) {
	s := squeeze(t.Shape)
	if len(s) != 2 {
		return along{}, notRows(t.Info)
	}
	n, d, data := s[0], s[1], t.Data
	if n == 0 || d == 0 {
		return along{}, fault(NotATable, t.Name, "", "%s: no numbers in it", shapeText(t.Shape))
	}
	if part > 0 && r.swapped() {
		n, d, data = d, n, permuted(data, s, []int{1, 0})
	}
	r.oddAxis(t.Name, data)
	name := r.axisName(part)
	which := 0
	if name == "dx" {
		which = 1
	}
	lo, skip, err := first(which, n)
	if err != nil {
		return along{}, err
	}
	a := along{axis: Axis{name, lo, lo + n - skip - 1, r.preset.Beyond}, d: d, data: data[skip*d:], skip: skip}
	a.stored = r.inOrder("row", n-skip)
	a.stored.Tensor, a.stored.Axis = t.Name, which
	a.stored.skip(skip)
	if r.reversed() {
		a.axis.Min, a.axis.Max = -a.axis.Max, -a.axis.Min
		a.data = reverseRows(n-skip, d, a.data)
	}
	return a, nil
}

// oddAxis notes values that are not finite, and zeros alone.
func (r *reading) oddAxis(name string, data []float64) {
	if odd := tensor.NonFinite(data); odd > 0 {
		r.note("%s: %d of %d values are not finite", printable(name), odd, len(data))
	}
	if allZero(data) {
		r.note("%s: every value is zero: never trained, or never filled", printable(name))
	}
}

// axisName is dx of the second part; of the naming one dy, dx, or dt along a video's
// time, as its name ends.
func (r *reading) axisName(part int) string {
	last := strings.Join(r.segs[max(len(r.segs)-1, 0):], "")
	switch {
	case part > 0, strings.HasSuffix(last, "_w"), strings.HasPrefix(last, "width"):
		return "dx"
	case strings.HasSuffix(last, "_t"):
		return "dt"
	}
	return "dy"
}

// swapped says whether Axes has two dimensions change places.
func (r *reading) swapped() bool {
	a := r.opt.Axes
	return r.oriented && len(a) == 2 && axisRank(a[0]) > axisRank(a[1])
}
