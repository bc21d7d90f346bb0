package cli

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/analysis"
	"poslens/internal/checkpoint"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
	"poslens/internal/tensor"
)

// flat is a table of any kind as one matrix with what its rows and columns mean.
type flat struct {
	values *mat.Dense
	corner string // what the row labels are: position, offset, row
	rows   []string
	cols   []string
	first  int // label of the first row, and the step between two
	step   int
	meta   map[string]string
}

// flatten lays a table out as one matrix.
func flatten(t posemb.Table) flat {
	var f flat
	switch t := t.(type) {
	case *posemb.Absolute:
		f = flat{values: t.Table, corner: "position", first: t.First, step: max(t.Stride, 1)}
		for _, p := range t.Positions() {
			f.rows = append(f.rows, strconv.Itoa(p))
		}
		f = f.number()
	case *posemb.Vectors:
		f = flattenAxes(t.Table, t.Axes).number()
	case *posemb.Bias:
		f = flattenAxes(t.Scores, t.Axes)
		for _, h := range t.Heads {
			f.cols = append(f.cols, "head_"+h)
		}
	}
	f.meta = posemb.Said(t)
	return f
}

// flattenAxes labels the rows of a relative table with their offsets.
func flattenAxes(values *mat.Dense, axes []posemb.Axis) flat {
	f := flat{values: values, step: 1}
	if len(axes) == 1 {
		f.corner, f.first = "offset", axes[0].Min
		for k := axes[0].Min; k <= axes[0].Max; k++ {
			f.rows = append(f.rows, strconv.Itoa(k))
		}
		return f
	}
	f.corner = "dy,dx"
	for dy := axes[0].Min; dy <= axes[0].Max; dy++ {
		for dx := axes[1].Min; dx <= axes[1].Max; dx++ {
			f.rows = append(f.rows, fmt.Sprintf("%d,%d", dy, dx))
		}
	}
	return f
}

// number labels the columns by their index.
func (f flat) number() flat {
	_, d := f.values.Dims()
	for j := range d {
		f.cols = append(f.cols, strconv.Itoa(j))
	}
	return f
}

// tableResult is a table in JSON, in the form that reading takes back.
type tableResult struct {
	posemb.Origin
	Kind      posemb.Kind       `json:"kind"`
	Positions []int             `json:"positions,omitempty"` // of the rows of an absolute table
	Grid      *posemb.Grid      `json:"grid,omitempty"`      // that they follow, row after row
	Frames    int               `json:"frames,omitempty"`    // grids after another; absent: one
	Offsets   any               `json:"offsets,omitempty"`   // of the rows: whole numbers, or on two axes "A:B,A:B", the last fastest
	Axes      []axisResult      `json:"axes,omitempty"`      // names and ends of two axes
	Beyond    string            `json:"beyond,omitempty"`    // what becomes of offsets outside, a word an axis; absent: there are none
	Heads     []string          `json:"heads,omitempty"`     // whose columns they are, as many each
	Steps     bool              `json:"steps,omitempty"`     // several offsets share a stored value
	Unused    []int             `json:"unused,omitempty"`    // stored rows that no offset uses
	Reserved  int               `json:"reserved"`            // leading rows of Table that are no positions: always 0, they are left out
	Notes     []string          `json:"notes,omitempty"`
	Table     []analysis.Values `json:"table"`
}

type axisResult struct {
	Name string `json:"name"`
	Min  int    `json:"min"`
	Max  int    `json:"max"`
}

// tableProduct is a table itself in every form.
func tableProduct(command string, l loaded, o *outputFlags) *product {
	f := flatten(l.table)
	n, d := f.values.Dims()
	dense := func(name string) *tensor.Tensor {
		data := f.values.RawMatrix().Data
		return &tensor.Tensor{Info: tensor.Info{Name: name, DType: tensor.F64, Shape: []int{n, d}}, Data: data}
	}
	// Not the name in the file: by that an architecture's rule would be applied
	// once more when the export is read.
	name := "table"
	if of := cmp.Or(l.table.From().Tensor, l.info.Name); of != "" { // the first tells a layer inside a tensor
		name = of + ".table"
	}
	chart := func() figure.Chart {
		return &figure.Heatmap{
			Title: l.table.From().Label, XLabel: "component", YLabel: f.corner, ColorLabel: "value",
			Rows: n, Cols: d, At: f.values.At, Y0: f.first, YStep: f.step, Diverging: true,
		}
	}
	return &product{
		command: command,
		binary:  pipeOf(l.table),
		text: func(w io.Writer, s screen) error {
			t := &report.Table{
				Cols: []report.Column{{Name: "source"}, {Name: "kind"}, {Name: rowsName(f.corner), Numeric: true}, {Name: "width", Numeric: true}},
				Rows: [][]any{{l.table.From().Label, string(l.table.Kind()), n, d}},
			}
			if err := s.table(w, t); err != nil {
				return err
			}
			fmt.Fprintln(w)
			return s.draw(w, chart())
		},
		matrix: func() *report.Matrix {
			return &report.Matrix{Corner: f.corner, Rows: f.rows, Cols: f.cols, At: f.values.At}
		},
		results: func() []any { return []any{tableJSON(l.table, f.values)} },
		npy:     func(w io.Writer) error { return checkpoint.WriteNPY(w, []int{n, d}, f.values.RawMatrix().Data) },
		named:   func() ([]*tensor.Tensor, map[string]string) { return []*tensor.Tensor{dense(name)}, f.meta },
		chart:   chart,
	}
}

// rowsName is the plural of what rows are.
func rowsName(corner string) string {
	if corner == "dy,dx" {
		return "offsets"
	}
	return corner + "s"
}

// tableJSON is a table for JSON.
func tableJSON(t posemb.Table, values *mat.Dense) tableResult {
	n, _ := values.Dims()
	said := posemb.Said(t)
	r := tableResult{Origin: *t.From(), Kind: t.Kind(), Beyond: said["poslens.beyond"], Notes: t.Remarks()}
	axes := axesOf(t)
	switch {
	case len(axes) == 1:
		var offsets []int
		for k := axes[0].Min; k <= axes[0].Max; k++ {
			offsets = append(offsets, k)
		}
		r.Offsets = offsets
	case len(axes) > 1:
		r.Offsets = said["poslens.offsets"]
		for _, x := range axes {
			r.Axes = append(r.Axes, axisResult{x.Name, x.Min, x.Max})
		}
	}
	switch t := t.(type) {
	case *posemb.Absolute:
		r.Positions = t.Positions()
		if t.Grid != (posemb.Grid{}) {
			r.Grid = &t.Grid
			if t.Frames > 1 {
				r.Frames = t.Frames
			}
		}
	case *posemb.Vectors:
		r.Heads, r.Unused = t.Heads, t.Unused
	case *posemb.Bias:
		r.Heads, r.Steps, r.Unused = t.Heads, t.Steps, t.Unused
	}
	for i := range n {
		r.Table = append(r.Table, analysis.Values(values.RawRowView(i)))
	}
	return r
}

// plainMatrix is a stored matrix with numbered rows and columns.
func plainMatrix(n, d int, data []float64) func() *report.Matrix {
	return func() *report.Matrix {
		m := &report.Matrix{Corner: "row", At: func(i, j int) float64 { return data[i*d+j] }}
		for i := range n {
			m.Rows = append(m.Rows, strconv.Itoa(i))
		}
		for j := range d {
			m.Cols = append(m.Cols, strconv.Itoa(j))
		}
		return m
	}
}

// pipeOf is the form that a table takes in a pipe when none is asked for: npy, which
// everything reads, or where a bare matrix would not say enough to be read back, as of
// scores of offsets, safetensors.
func pipeOf(t posemb.Table) string {
	if v, ok := t.(*posemb.Vectors); t.Kind() == posemb.KindBias || ok && (len(v.Axes) > 1 || len(v.Heads) > 0) {
		return "safetensors"
	}
	return "npy"
}
