package posemb

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// absolute cuts the positions out of n rows and makes the table of them.
func (r *reading) absolute(n, d int, data []float64, reserved, suffix int, g Grid) (*Absolute, error) {
	return r.framed(n, d, data, reserved, suffix, g, 1)
}

// framed is absolute for rows that are frames of a grid, one after another.
func (r *reading) framed(n, d int, data []float64, reserved, suffix int, g Grid, frames int) (*Absolute, error) {
	c, err := r.cut(n, reserved, suffix)
	if err != nil {
		return nil, err
	}
	part := data[c.row(0)*d : (c.row(c.rows-1)+1)*d]
	if c.stride > 1 {
		kept := make([]float64, 0, c.rows*d)
		for i := range c.rows {
			kept = append(kept, data[c.row(i)*d:(c.row(i)+1)*d]...)
		}
		part = kept
	}
	a, err := r.cutTable(c, d, part, g, frames)
	if err != nil {
		return nil, err
	}
	a.Stored = []Stored{r.storedPositions(n, c.row(0), c.stride, c.rows)}
	if reserved > 0 {
		a.Aside = mat.NewDense(reserved, d, data[:reserved*d:reserved*d])
	}
	return a, nil
}

// cut is which of a table's stored rows are the positions that are wanted.
type cut struct {
	reserved, suffix int // rows left out in front and behind
	left             int // positions between them
	from, stride     int // the first position, and from one to the next
	rows             int // how many positions are wanted
}

// row is the stored row of the i-th position that is wanted.
func (c cut) row(i int) int { return c.reserved + c.from + i*c.stride }

// cut follows the options on what is left of n rows. It reads no number, so that a
// table may be made of the wanted positions alone.
func (r *reading) cut(n, reserved, suffix int) (cut, error) {
	if reserved < 0 || suffix < 0 || reserved >= n || suffix >= n-reserved {
		return cut{}, r.fault(BadOption, "", "%s and %d behind leave none of %s", count(reserved, "reserved row"), suffix, count(n, "row"))
	}
	c := cut{reserved: reserved, suffix: suffix, left: n - reserved - suffix, stride: max(r.opt.Stride, 1)}
	to := c.left
	if r.opt.Stride < 0 {
		return cut{}, r.fault(BadOption, "", "a stride of %d", r.opt.Stride)
	}
	if p := r.opt.Positions; p != nil {
		if p.From < 0 || p.To <= p.From || p.From >= c.left {
			return cut{}, r.fault(BadOption, "", "positions %v of a table that has 0:%d", p, c.left)
		}
		if c.from, to = p.From, min(p.To, c.left); to < p.To && p.To != End {
			r.note("positions %v end at %d, where the table does", p, c.left)
		}
	}
	c.rows = (to-c.from-1)/c.stride + 1
	return c, nil
}

// cutTable makes the table of the rows of a cut; the caller says how they are stored.
func (r *reading) cutTable(c cut, d int, rows []float64, g Grid, frames int) (*Absolute, error) {
	g, frames, err := r.layOut(c, g, frames)
	if err != nil {
		return nil, err
	}
	return &Absolute{
		Origin: r.origin(), Table: mat.NewDense(c.rows, d, rows),
		Reserved: c.reserved, Suffix: c.suffix, First: c.from, Stride: c.stride, Grid: g, Frames: frames, Notes: r.notes,
	}, nil
}

// layOut holds the grid and the frames that a reader found, or those that the
// caller asks for, against the positions of a cut.
func (r *reading) layOut(c cut, g Grid, frames int) (Grid, int, error) {
	if r.opt.Frames < 0 {
		return Grid{}, 0, r.fault(BadOption, "", "%d frames", r.opt.Frames)
	}
	switch want := r.opt.Grid; {
	case want != nil:
		frames = max(frames, 1)
		if r.opt.Frames > 0 || !r.whole() {
			frames = max(r.opt.Frames, 1)
		}
		if want.Rows < 1 || want.Cols < 1 || c.rows%want.Rows != 0 || c.rows/want.Rows%want.Cols != 0 || c.rows/want.Rows/want.Cols != frames {
			what := fmt.Sprintf("%s does not hold %s", *want, count(c.rows, "position"))
			if frames > 1 {
				what = fmt.Sprintf("%d frames of %s do not hold %s", frames, *want, count(c.rows, "position"))
			}
			return Grid{}, 0, r.fault(BadOption, "--reserved and --suffix say which rows are outside the grid", "%s", what)
		}
		g = *want
	case r.opt.Frames > 1:
		frames = r.opt.Frames
		side := squareRoot(c.rows / frames)
		if c.rows%frames != 0 || side == 0 {
			return Grid{}, 0, r.fault(BadOption, fmt.Sprintf("--grid %dxHxW says the rows and columns of a frame", frames), "%s no %d square frames", are(c.rows, "position"), frames)
		}
		g = Grid{side, side}
	case c.rows != c.left && g != (Grid{}):
		r.note("a part of %s is read, as positions in a line", g)
		g = Grid{}
	}
	if g == (Grid{}) || frames < 2 {
		frames = 0
	}
	return g, frames, nil
}

// storedPositions tells which of n stored rows the positions are.
func (r *reading) storedPositions(n, from, stride, rows int) Stored {
	s := Stored{Tensor: r.match.Name(), Unit: "row", Count: n, Axis: WholeTable, At: make([]int, rows), Other: r.other}
	for i := range s.At {
		s.At[i] = from + i*stride
	}
	return s
}
