package cli

import (
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
	switch t := t.(type) {
	case *posemb.Absolute:
		f := flat{values: t.Table, corner: "position", first: t.First, step: max(t.Stride, 1)}
		for _, p := range t.Positions() {
			f.rows = append(f.rows, strconv.Itoa(p))
		}
		f.meta = map[string]string{"poslens.kind": "absolute", "poslens.reserved": "0"}
		if f.first != 0 || f.step != 1 {
			f.meta["poslens.positions"] = fmt.Sprintf("%d:%d", f.first, f.step)
		}
		return f.number()
	case *posemb.Vectors:
		return flattenAxes(t.Table, t.Axes, "vectors").number()
	case *posemb.Bias:
		f := flattenAxes(t.Scores, t.Axes, "bias")
		for _, h := range t.Heads {
			f.cols = append(f.cols, "head_"+h)
		}
		return f
	}
	return flat{}
}

// flattenAxes labels the rows of a relative table with their offsets.
func flattenAxes(values *mat.Dense, axes []posemb.Axis, kind string) flat {
	f := flat{values: values, step: 1, meta: map[string]string{"poslens.kind": kind}}
	if len(axes) == 1 {
		f.corner, f.first = "offset", axes[0].Min
		f.meta["poslens.offsets"] = fmt.Sprintf("%d:%d", axes[0].Min, axes[0].Max+1)
		for k := axes[0].Min; k <= axes[0].Max; k++ {
			f.rows = append(f.rows, strconv.Itoa(k))
		}
		return f
	}
	f.corner = "dy,dx"
	f.meta["poslens.offsets"] = fmt.Sprintf("%d:%d,%d:%d", axes[0].Min, axes[0].Max+1, axes[1].Min, axes[1].Max+1)
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
	Offsets   any               `json:"offsets,omitempty"`   // of the rows: whole numbers, or on two axes "A:B,A:B", the last fastest
	Axes      []axisResult      `json:"axes,omitempty"`      // names and ends of two axes
	Heads     []string          `json:"heads,omitempty"`     // of the columns of a bias
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
	if l.info.Name != "" {
		name = l.info.Name + ".table"
	}
	chart := func() figure.Chart {
		return &figure.Heatmap{
			Title: l.table.From().Label, XLabel: "component", YLabel: f.corner, ColorLabel: "value",
			Rows: n, Cols: d, At: f.values.At, Y0: f.first, YStep: f.step, Diverging: true,
		}
	}
	return &product{
		command: command,
		binary:  "npy",
		text: func(w io.Writer, s screen) error {
			t := &report.Table{
				Cols: []report.Column{{Name: "source"}, {Name: "kind"}, {Name: rowsName(f.corner), Numeric: true}, {Name: "width", Numeric: true}},
				Rows: [][]any{{l.table.From().Label, string(l.table.Kind()), n, d}},
			}
			if err := report.WriteText(w, t, s.width); err != nil {
				return err
			}
			return figure.WriteTerminal(w, chart(), figure.Terminal{Width: s.width, Color: s.color})
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
	r := tableResult{Origin: *t.From(), Kind: t.Kind(), Notes: t.Remarks()}
	axes := axesOf(t)
	switch {
	case len(axes) == 1:
		var offsets []int
		for k := axes[0].Min; k <= axes[0].Max; k++ {
			offsets = append(offsets, k)
		}
		r.Offsets = offsets
	case len(axes) > 1:
		r.Offsets = flatten(t).meta["poslens.offsets"]
		for _, x := range axes {
			r.Axes = append(r.Axes, axisResult{x.Name, x.Min, x.Max})
		}
	}
	switch t := t.(type) {
	case *posemb.Absolute:
		r.Positions = t.Positions()
	case *posemb.Bias:
		r.Heads = t.Heads
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
