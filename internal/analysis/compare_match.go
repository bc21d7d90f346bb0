package analysis

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/gram"
	"poslens/internal/posemb"
)

// asRows makes rows of the offsets of a relative table, numbered by the offset, on two
// axes by their order.
func asRows(from posemb.Origin, axes []posemb.Axis, table *mat.Dense) (*posemb.Absolute, error) {
	if _, err := offsetsOf(axes, table); err != nil {
		return nil, err
	}
	a := &posemb.Absolute{Origin: from, Table: table, Stride: 1}
	if len(axes) == 1 {
		a.First = axes[0].Min
	}
	return a, nil
}

// oneRaster refuses offsets that can't be told to be the same: those on a different
// number of axes, and those on two axes of different ends.
func oneRaster(a, b []posemb.Axis, first, second string) error {
	if len(a) != len(b) {
		return fmt.Errorf("%s has %d axes of offsets, and %s has %d", first, len(a), second, len(b))
	}
	if len(a) != 2 {
		return nil
	}
	for i := range a {
		if a[i].Min != b[i].Min || a[i].Max != b[i].Max {
			return fmt.Errorf("%s has %s from %d to %d, and %s from %d to %d: vectors of windows of different size have no common order",
				first, a[i].Name, a[i].Min, a[i].Max, second, b[i].Min, b[i].Max)
		}
	}
	return nil
}

// matched are tables cut to the rows that all of them have.
type matched struct {
	of       string // OfPositions or OfOffsets
	tables   []*posemb.Absolute
	subjects []*subject // as they stand; their whole are the rows that are finite in all
	cosines  []*rows    // with their lengths
	at       []int      // number of each row
	warnings []string
	notes    []string
}

// pairUp cuts tables to common rows. An error wraps ErrNothing where there are none.
func pairUp(ctx context.Context, tables []*posemb.Absolute, of string) (*matched, error) {
	m := &matched{of: of}
	first, last := math.MinInt, math.MaxInt
	stride, cut := 0, false
	for _, t := range tables {
		if t.Table == nil || t.Table.IsEmpty() {
			return nil, nothing("%s has no rows", t.Label)
		}
		n, _ := t.Table.Dims()
		s := max(t.Stride, 1)
		if stride == 0 {
			stride = s
		}
		if s != stride || (t.First-tables[0].First)%stride != 0 {
			return nil, fmt.Errorf("the %s of %s are %d, %d, ..., and those of %s %d, %d, ...: they do not line up",
				of, tables[0].Label, tables[0].First, tables[0].First+stride, t.Label, t.First, t.First+s)
		}
		end := t.First + n*s
		cut = cut || first != math.MinInt && (t.First != first || end != last)
		first, last = max(first, t.First), min(last, end)
	}
	if first >= last {
		return nil, nothing("no %s is in all of the tables: %s", of[:len(of)-1], m.extents(tables))
	}
	n := (last - first) / stride
	if cut {
		m.notes = append(m.notes, fmt.Sprintf("%s: compared at the %d %s that all have, %d to %d", m.extents(tables), n, of, first, last-stride))
	}
	finite := slices.Repeat([]bool{true}, n)
	for _, t := range tables {
		from := (first - t.First) / stride
		rows, d := t.Table.Dims()
		own := *t
		own.Table = t.Table.Slice(from, from+n, 0, d).(*mat.Dense)
		own.First = first
		if n < rows {
			own.Grid, own.Frames = posemb.Grid{}, 0
		}
		m.tables = append(m.tables, &own)
		if i := len(m.tables) - 1; i > 0 && own.Grid != m.tables[0].Grid {
			m.notes = append(m.notes, "the grids differ, so that positions of one number stand at different places")
		}
		if err := m.add(ctx, &own, finite); err != nil {
			return nil, err
		}
	}
	for i := range n {
		m.at = append(m.at, first+i*stride)
	}
	return m, m.finish(finite)
}

// extents say which rows each table has.
func (m *matched) extents(tables []*posemb.Absolute) string {
	var parts []string
	for _, t := range tables {
		n, _ := t.Table.Dims()
		parts = append(parts, fmt.Sprintf("%s has %d to %d", t.Label, t.First, t.First+(n-1)*max(t.Stride, 1)))
	}
	return more(parts[:min(len(parts), listed)], max(0, len(parts)-listed))
}

// add makes a table's rows ready and marks those that are not finite.
func (m *matched) add(ctx context.Context, t *posemb.Absolute, finite []bool) error {
	raw := t.Table.RawMatrix()
	plain := rows{Vectors: gram.Vectors{N: raw.Rows, D: raw.Cols, Stride: raw.Stride, Data: raw.Data}, exact: true}
	r := plain
	r.Norm = make([]float64, raw.Rows)
	odd, err := r.measure(ctx, 0) // which scales a copy of rows that are very large or very small
	if err != nil {
		return err
	}
	r.count = r.N - len(odd.nans) - len(odd.infs) - len(odd.zeros)
	broken := append(append([]int(nil), odd.nans...), odd.infs...)
	slices.Sort(broken)
	for _, i := range broken {
		finite[i] = false
	}
	if len(broken) > 0 {
		m.warnings = append(m.warnings, fmt.Sprintf("%s of %s %s NaN or an infinity: left out", m.named(t, broken), t.Label, plural(len(broken), "holds", "hold")))
	}
	if len(odd.zeros) > 0 {
		m.warnings = append(m.warnings, fmt.Sprintf("%s of %s %s zero: no cosine there", m.named(t, odd.zeros), t.Label, plural(len(odd.zeros), "is", "are")))
	}
	m.subjects = append(m.subjects, &subject{rows: &plain, table: raw, stride: max(t.Stride, 1)})
	m.cosines = append(m.cosines, &r)
	return nil
}

// finish tells the subjects which rows count.
func (m *matched) finish(finite []bool) error {
	var whole []int
	for i, ok := range finite {
		if ok {
			whole = append(whole, i)
		}
	}
	if len(whole) == 0 {
		return nothing("no row is finite in all of the tables")
	}
	for _, s := range m.subjects {
		s.whole = whole
	}
	return nil
}

// named names rows of tables that are cut: "row 3", "position 7", "offsets -2, 5".
func (m *matched) named(t *posemb.Absolute, list []int) string {
	if m.of == OfPositions {
		return naming(t)(list)
	}
	at := make([]int, len(list))
	for k, i := range list {
		at[k] = t.First + i*max(t.Stride, 1)
	}
	return plural(len(list), "offset ", "offsets ") + enumerate(at)
}
