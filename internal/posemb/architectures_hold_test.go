package posemb

import (
	"math"
	"slices"
	"strings"
	"testing"

	"poslens/internal/tensor"
)

// hold reads a table and compares it with what is wanted.
func (w wantTable) hold(t *testing.T, m modelRow, match Match, prefix string) {
	src := m.source(prefix, nil)
	table, err := Load(t.Context(), src, match, w.opt)
	if err != nil {
		t.Errorf("%s: %v", w.name, err)
		return
	}
	for _, name := range src.read {
		if !slices.Contains(match.Parts, name) {
			t.Errorf("%s: reading it read %s", w.name, name)
		}
	}
	if match.Kind != w.kind || table.Kind() != w.kind {
		t.Errorf("%s: detected as %s, read as %s, want %s", w.name, match.Kind, table.Kind(), w.kind)
		return
	}
	if w.note != "" && !told(table.Remarks(), w.note) {
		t.Errorf("%s: notes %q, want %q in them", w.name, table.Remarks(), w.note)
	}
	if w.computed == (table.Storage() != nil) && w.kind != KindAbsolute {
		t.Errorf("%s: computed %v, but stored as %+v", w.name, w.computed, table.Storage())
	}
	ok := true
	switch table := table.(type) {
	case *Absolute:
		ok = w.holdAbsolute(t, table, src)
	case *Vectors:
		ok = w.holdAxes(t, table.Axes, table.Heads, table.Unused) && w.holdStored(t, table, src, table.Table.RawMatrix().Data, table.Width())
	case *Bias:
		ok = w.holdAxes(t, table.Axes, table.Heads, table.Unused) && w.holdStored(t, table, src, table.Scores.RawMatrix().Data, 1)
	}
	if !ok {
		return
	}
	if w.check != nil {
		w.check(t, table)
	}
	w.plant(t, m, match, prefix)
}

// holdAbsolute compares counts and, where one tensor has all rows, every number.
func (w wantTable) holdAbsolute(t *testing.T, a *Absolute, src *memory) bool {
	n, d := a.Table.Dims()
	if n != w.positions && w.positions >= 0 || a.Reserved != w.reserved || a.Suffix != w.suffix || a.First != 0 || a.Stride != 1 {
		t.Errorf("%s: %d positions, %d reserved, %d behind; want %d, %d, %d", w.name, n, a.Reserved, a.Suffix, w.positions, w.reserved, w.suffix)
		return false
	}
	if !w.anyGrid && a.Grid != w.grid || max(a.Frames, 1) != max(w.frames, 1) {
		t.Errorf("%s: %+v, %d frames; want %+v, %d", w.name, a.Grid, a.Frames, w.grid, w.frames)
	}
	if w.computed {
		return true
	}
	if len(a.Stored) != 1 || a.Stored[0].Axis != WholeTable || len(a.Stored[0].At) != n {
		t.Errorf("%s: stored as %+v", w.name, a.Stored)
		return false
	}
	stored := a.Stored[0]
	if stored.Count != w.reserved+w.positions+w.suffix {
		t.Errorf("%s: %d stored rows, want %d", w.name, stored.Count, w.reserved+w.positions+w.suffix)
	}
	data := src.numbersOf(w.name)[w.base:]
	for p := range n {
		if stored.At[p] != w.reserved+p {
			t.Errorf("%s: position %d is said to be row %d, want %d", w.name, p, stored.At[p], w.reserved+p)
			return false
		}
		for j := range d {
			if got, want := a.Table.At(p, j), data[(w.reserved+p)*d+j]; got != want {
				t.Errorf("%s: position %d, component %d is %v, want %v", w.name, p, j, got, want)
				return false
			}
		}
	}
	return true
}

// holdAxes compares what the offsets are.
func (w wantTable) holdAxes(t *testing.T, axes []Axis, heads []string, unused []int) bool {
	if len(heads) != w.heads {
		t.Errorf("%s: heads %q, want %d", w.name, heads, w.heads)
	}
	if w.axes == nil {
		return true
	}
	if !slices.Equal(unused, w.unused) {
		t.Errorf("%s: unused %v, want %v", w.name, unused, w.unused)
	}
	names := []string{"offset"}
	switch { // of one axis, a page's own
	case len(w.axes) == 2:
		names = []string{"dy", "dx"}
	case strings.Contains(w.name, "_x_"):
		names[0] = "dx"
	case strings.Contains(w.name, "_y_"):
		names[0] = "dy"
	}
	for i, x := range axes {
		if len(axes) != len(w.axes) || x.Name != names[i] || x.Min != w.axes[i][0] || x.Max != w.axes[i][1] || w.beyond != "" && x.Beyond != w.beyond {
			t.Errorf("%s: axes %+v, want %v, beyond them %q", w.name, axes, w.axes, w.beyond)
			return false
		}
	}
	return true
}

// holdStored compares what the table says of its rows with the family's index, and
// the numbers with those of the file. The data are offsets x columns, a column a
// head's component.
func (w wantTable) holdStored(t *testing.T, table Table, src *memory, data []float64, width int) bool {
	if w.row == nil && w.cell == nil || w.axes == nil {
		return true
	}
	if len(table.Storage()) != 1 || table.Storage()[0].Axis != WholeTable {
		t.Errorf("%s: stored as %+v", w.name, table.Storage())
		return false
	}
	stored := table.Storage()[0]
	if x := w.axes[len(w.axes)-1]; x[0] < 0 && x[1] > 0 && stored.Turned != (w.entry(0, 0, 0, -1) > w.entry(0, 0, 0, 1)) {
		t.Errorf("%s: said to run by query - key: %v", w.name, stored.Turned)
	}
	for e, words := range w.other {
		if !strings.Contains(stored.Other[e], words) {
			t.Errorf("%s: entry %d is said to be %q, want %q in it", w.name, e, stored.Other[e], words)
		}
	}
	name, _, _ := strings.Cut(w.name, "[")
	file := src.numbersOf(name)[w.base:]
	offsets := w.offsets()
	if len(stored.At) != len(offsets) || len(data)%len(offsets) != 0 {
		t.Errorf("%s: %d entries and %d numbers for %d offsets", w.name, len(stored.At), len(data), len(offsets))
		return false
	}
	columns := len(data) / len(offsets)
	for i, o := range offsets {
		e := stored.At[i]
		if far := max(o[1], -o[1]); w.exact == 0 || far <= w.exact {
			e = w.entry(0, 0, o[0], o[1])
		}
		if stored.At[i] != e || e < 0 || e >= stored.Count {
			t.Errorf("%s: offset %v is said to be %s %d, want %d", w.name, o, stored.Unit, stored.At[i], e)
			return false
		}
		for j := range columns {
			element := e*columns + j
			if w.headsFirstRow {
				element = (j/width*stored.Count+e)*width + j%width
			}
			if got := data[i*columns+j]; !w.changed && got != file[element] {
				t.Errorf("%s: offset %v, column %d is %v, want %v", w.name, o, j, got, file[element])
				return false
			}
		}
	}
	return true
}

// offsets are those of the axes, the last axis fastest; (0, k) on one axis.
func (w wantTable) offsets() [][2]int {
	axes := w.axes
	if len(axes) == 1 {
		axes = [][2]int{{0, 0}, axes[0]}
	}
	var all [][2]int
	for dy := axes[0][0]; dy <= axes[0][1]; dy++ {
		for dx := axes[1][0]; dx <= axes[1][1]; dx++ {
			all = append(all, [2]int{dy, dx})
		}
	}
	return all
}

// entry is what the family's index says of a query and a key.
func (w wantTable) entry(qy, qx, ky, kx int) int {
	if w.cell != nil {
		return w.cell(qy, qx, ky, kx)
	}
	return w.row(qx, kx)
}

// numbersOf are a tensor's.
func (m *memory) numbersOf(name string) []float64 {
	name, _, _ = strings.Cut(name, "[")
	i := slices.IndexFunc(m.tensors, func(s tensor.Tensor) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return m.tensors[i].Data
}

// plant writes a head that attends to one neighbour of each query into the file,
// at the elements that the family's index says, and looks where the table peaks.
func (w wantTable) plant(t *testing.T, m modelRow, match Match, prefix string) {
	if w.kind == KindAbsolute || w.alike || w.axes == nil || w.row == nil && w.cell == nil && w.dy == nil {
		return
	}
	const side = 3 // the queries of an image; those of a line are a row
	for _, step := range [][2]int{{0, -1}, {0, 1}, {-1, 0}, {1, 0}} {
		inside := func(v, axis int) bool { return w.axes[axis][0] <= v && v <= w.axes[axis][1] }
		if len(w.axes) == 1 && (step[0] != 0 || !inside(step[1], 0)) {
			continue
		}
		planted := map[string][]int{}
		for q := range side * side {
			qy, qx := q/side, q%side
			ky, kx := qy+step[0], qx+step[1]
			if ky < 0 || kx < 0 || ky >= side || kx >= side {
				continue
			}
			for name, element := range w.elements(m, match, prefix, qy, qx, ky, kx) {
				planted[name] = append(planted[name], element)
			}
		}
		table, err := Load(t.Context(), m.source(prefix, planted), match, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", w.name, err)
			return
		}
		if got := loudest(t, table); !slices.Equal(got, step[2-len(w.axes):]) {
			t.Errorf("%s: planted at %v, peaks at %v", w.name, step[2-len(w.axes):], got)
		}
	}
}

// elements are the places in the tensors of a match that a query and a key read.
func (w wantTable) elements(m modelRow, match Match, prefix string, qy, qx, ky, kx int) map[string]int {
	width := func(name string) int { // from one entry of head 0 to the next
		i := slices.IndexFunc(m.tensors, func(s storedTensor) bool { return s.name == name })
		switch {
		case i < 0:
			return 0
		case w.headsFirstRow && w.kind == KindBias:
			return 1
		}
		shape := m.tensors[i].shape
		if n := shape[len(shape)-1]; len(shape) < 4 {
			return n
		}
		return shape[2] * shape[3] // layers x offsets x heads x width
	}
	name := func(i int) string {
		if i >= len(match.Parts) {
			return ""
		}
		return strings.TrimPrefix(match.Parts[i], prefix)
	}
	if w.dy == nil {
		return map[string]int{name(0): w.base + w.entry(qy, qx, ky, kx)*width(name(0))}
	}
	return map[string]int{name(0): w.dy(qy, ky) * width(name(0)), name(1): w.dx(qx, kx) * width(name(1))}
}

// loudest is the offset at which head 0 scores highest, for a query that weighs
// the first components most.
func loudest(t *testing.T, table Table) []int {
	t.Helper()
	b, ok := table.(*Bias)
	if v, isVectors := table.(*Vectors); isVectors {
		query := make([]float64, v.Width())
		for j := range query {
			query[j] = math.Pow(0.5, float64(j))
		}
		var err error
		if b, err = v.Score(query, ScoreOptions{}); err != nil {
			t.Fatal(err)
		}
	} else if !ok {
		t.Fatalf("%T is not relative", table)
	}
	n, _ := b.Scores.Dims()
	best, times := 0, 0
	for i := range n {
		switch v, top := b.Scores.At(i, 0), b.Scores.At(best, 0); {
		case v > top:
			best, times = i, 1
		case v == top:
			times++
		}
	}
	if times != 1 {
		t.Errorf("%d offsets are as high as the peak", times)
	}
	if last := b.Axes[len(b.Axes)-1]; len(b.Axes) == 2 {
		return []int{b.Axes[0].Min + best/last.Len(), last.Min + best%last.Len()}
	}
	return []int{b.Axes[0].Min + best}
}
