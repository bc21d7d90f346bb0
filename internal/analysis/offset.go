package analysis

import (
	"encoding/json"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// Offset is key - query: one number, or (dy, dx) on two axes.
type Offset []int

// Distance is |k|, on two axes the larger of |dy| and |dx|.
func (k Offset) Distance() int {
	d := 0
	for _, x := range k {
		d = max(d, x, -x)
	}
	return d
}

// sign is -1 for an offset that looks back, 0 for the query itself, 1 for one
// ahead. On two axes that is the order of a raster: first dy tells, then dx.
func (k Offset) sign() int {
	for _, x := range k {
		if x < 0 {
			return -1
		}
		if x > 0 {
			return 1
		}
	}
	return 0
}

// String is "-3" or "(-1, 2)".
func (k Offset) String() string {
	if len(k) == 1 {
		return strconv.Itoa(k[0])
	}
	s := "("
	for i, x := range k {
		if i > 0 {
			s += ", "
		}
		s += strconv.Itoa(x)
	}
	return s + ")"
}

// MarshalJSON writes a number, or [dy, dx].
func (k Offset) MarshalJSON() ([]byte, error) {
	if len(k) == 1 {
		return json.Marshal(k[0])
	}
	return json.Marshal([]int(k))
}

// opposite is -k.
func (k Offset) opposite() Offset {
	o := make(Offset, len(k))
	for i, x := range k {
		o[i] = -x
	}
	return o
}

// nameOffsets writes "offset 3" or "offsets 3, 4 and 5 more".
func nameOffsets(offsets []Offset) string {
	return plural(len(offsets), "offset ", "offsets ") + offsetList(offsets)
}

// offsetList writes "3, 4 and 5 more".
func offsetList(offsets []Offset) string {
	names := make([]string, min(len(offsets), listed))
	for i := range names {
		names[i] = offsets[i].String()
	}
	return more(names, len(offsets)-len(names))
}

// farthest is the largest distance that a table may name which has not as many
// rows, so that a number for every distance can be held.
const farthest = 1 << 24

// offsetsOf lists the offsets of a relative table's rows, the last axis fastest.
// An error says that table and axes do not fit.
func offsetsOf(axes []posemb.Axis, table *mat.Dense) ([]Offset, error) {
	if table == nil || table.IsEmpty() {
		return nil, nothing("the table has no rows")
	}
	if len(axes) != 1 && len(axes) != 2 {
		return nil, fmt.Errorf("%d axes of offsets: must be 1 or 2", len(axes))
	}
	n, _ := table.Dims()
	want := 1
	for _, x := range axes {
		if x.Max < x.Min || x.Len() > n {
			return nil, fmt.Errorf("axis %s from %d to %d does not fit a table of %d rows", x.Name, x.Min, x.Max, n)
		}
		if most := max(farthest, n); x.Min < -most || x.Max > most {
			return nil, fmt.Errorf("axis %s from %d to %d: no offset may be farther than %d", x.Name, x.Min, x.Max, most)
		}
		want *= x.Len()
	}
	if want != n {
		return nil, fmt.Errorf("the axes hold %d offsets, but the table has %d rows", want, n)
	}
	offsets := make([]Offset, n)
	last := axes[len(axes)-1]
	for i := range offsets {
		if len(axes) == 1 {
			offsets[i] = Offset{last.Min + i}
		} else {
			offsets[i] = Offset{axes[0].Min + i/last.Len(), last.Min + i%last.Len()}
		}
	}
	return offsets, nil
}

// offsetIndex finds an offset's row without a map: rows follow the axes.
func offsetIndex(axes []posemb.Axis, k Offset) (row int, ok bool) {
	for i, x := range axes {
		if k[i] < x.Min || k[i] > x.Max {
			return 0, false
		}
		row = row*x.Len() + k[i] - x.Min
	}
	return row, true
}
