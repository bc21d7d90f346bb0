package posemb

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/tensor"
)

// Load reads a match's tensors, and only those, as a table. Every choice that
// the options leave open is told in the table's notes.
func Load(ctx context.Context, src Source, m Match, opt ReadOptions) (Table, error) {
	if err := opt.checkWords(); err != nil {
		return nil, err
	}
	r := &reading{src: src, match: m, opt: opt, segs: segments(m.Info.Name)}
	if opt.Arch != "" {
		m.Arch = opt.Arch
	}
	if m.Arch == "" {
		r.preset = &Preset{Kind: m.Kind, Read: readBare}
	} else if r.preset = byArch(m.Arch); r.preset == nil {
		return nil, unknownArch(m.Arch)
	}
	if opt.Offsets != nil && !r.preset.Window || opt.Buckets != nil && r.preset.Buckets == (BucketRule{}) {
		r.preset = &Preset{Read: readBare} // the caller says what the rows are
	}
	if err := r.gather(ctx); err != nil {
		return nil, err
	}
	if t := r.parts[0].Info; integers(t) {
		r.note("stored as %s, a type of whole numbers", dtypeName(t))
	}
	if err := r.takeItem(); err != nil {
		return nil, err
	}
	if err := r.orient(); err != nil {
		return nil, err
	}
	if r.preset.Remark != "" {
		r.note("%s", r.preset.Remark)
	}
	table, err := r.preset.Read(r)
	if err == nil {
		r.noteInitialOffsets(table)
	}
	return table, err
}

// reading is one table on its way in.
type reading struct {
	src    Source
	match  Match
	preset *Preset
	opt    ReadOptions
	segs   []string         // the name's segments
	parts  []*tensor.Tensor // nil where an optional part is absent
	notes  []string

	other    map[int]string // what stored rows are that are no positions, as Stored.Other has it
	oriented bool           // Axes has brought the naming tensor into this package's own order
}

// gather reads the tensors that the preset needs.
func (r *reading) gather(ctx context.Context) error {
	want := r.preset.Parts
	for i := range max(len(want), 1) {
		if i > 0 && (i >= len(r.match.Parts) || r.match.Parts[i] == "") {
			if !strings.HasPrefix(string(want[i]), optional) {
				return r.fault(BadOption, "", "%s needs %s side by side", r.preset.Arch, r.preset.wants())
			}
			r.parts = append(r.parts, nil)
			continue
		}
		name := r.match.Info.Name
		if i < len(r.match.Parts) {
			name = r.match.Parts[i]
		}
		t, err := r.part(ctx, name)
		if err != nil {
			return err
		}
		r.parts = append(r.parts, t)
	}
	return nil
}

// part reads one tensor and holds it against its shape.
func (r *reading) part(ctx context.Context, name string) (*tensor.Tensor, error) {
	t, err := r.src.Tensor(ctx, name)
	if err != nil {
		return nil, err
	}
	if n, err := tensor.Count(t.Shape, int64(len(t.Data))); err != nil || n != len(t.Data) {
		return nil, fault(NotATable, name, "", "%d numbers for the shape %s", len(t.Data), shapeText(t.Shape))
	}
	return t, nil
}

// call says what a stored row is that is no position and no offset.
func (r *reading) call(row int, what string) {
	if r.other == nil {
		r.other = map[int]string{}
	}
	r.other[row] = what
}

// note keeps a sentence for the table.
func (r *reading) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// fault makes an Error about the naming tensor.
func (r *reading) fault(kind, hint, format string, args ...any) *Error {
	return fault(kind, r.match.Name(), hint, format, args...)
}

// origin is where the table comes from; the caller adds its label.
func (r *reading) origin() Origin {
	return Origin{Arch: r.preset.Arch, Tensor: r.match.Name()}
}

// matrix is the naming tensor as n rows of d numbers, leading dimensions of 1
// dropped.
func (r *reading) matrix() (n, d int, data []float64, err error) {
	t := r.parts[0]
	s := squeeze(t.Shape)
	if len(s) != 2 {
		return 0, 0, nil, r.notRows()
	}
	if s[0] == 0 || s[1] == 0 {
		return 0, 0, nil, r.fault(NotATable, "", "%s: no numbers in it", shapeText(t.Shape))
	}
	r.oddValues(s[0], s[1], t.Data)
	return s[0], s[1], t.Data, nil
}

// notRows is the error for a tensor that has no two dimensions.
func (r *reading) notRows() *Error {
	return notRows(r.parts[0].Info)
}

// notRows is the error for a tensor that has no two dimensions.
func notRows(t tensor.Info) *Error {
	switch len(t.Shape) {
	case 0:
		return fault(NotATable, t.Name, "", "a single number, and a table has rows and columns")
	case 1:
		return fault(NotATable, t.Name, "", "1 dimension (%s), and a table has two", shapeText(t.Shape))
	}
	return fault(NotATable, t.Name, "", "%d dimensions (%s) that are no rows and columns", len(t.Shape), shapeText(t.Shape))
}

// oddValues notes rows with values that are not finite, and a table of zeros.
func (r *reading) oddValues(n, d int, data []float64) {
	const most = 3
	bad := 0
	for i, left := 0, tensor.NonFinite(data); i < n && left > 0; i++ {
		odd := tensor.NonFinite(data[i*d : (i+1)*d])
		if odd == 0 {
			continue
		}
		left -= odd
		if bad++; bad <= most {
			r.note("row %d: %d of %d values are not finite", i, odd, d)
		}
	}
	if bad > most {
		r.note("%s with values that are not finite", count(bad-most, "more row"))
	}
	if allZero(data) {
		r.note("every value is zero: never trained, or never filled")
	}
}

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
		return cut{}, r.fault(BadOption, "", "%d reserved rows and %d behind leave none of %s", reserved, suffix, count(n, "row"))
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
			return Grid{}, 0, r.fault(BadOption, fmt.Sprintf("--grid %dxHxW says the rows and columns of a frame", frames), "%s are no %d square frames", count(c.rows, "position"), frames)
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

// reverseRows copies n rows of d numbers, the last first.
func reverseRows(n, d int, data []float64) []float64 {
	turned := make([]float64, 0, n*d)
	for i := n - 1; i >= 0; i-- {
		turned = append(turned, data[i*d:(i+1)*d]...)
	}
	return turned
}
