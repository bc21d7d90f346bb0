package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/posemb"
	"poslens/internal/report"
	"poslens/internal/tensor"
)

// found is one line of ls: a table and how its rows are read.
type found struct {
	Source    string       `json:"source"`
	Tensor    string       `json:"tensor"` // with the layer in brackets where it holds several tables, as #TENSOR takes it
	Layer     *int         `json:"layer"`  // null where neither the name nor the tensor tells one
	Parts     []string     `json:"parts"`  // other tensors that the table is read from
	Kind      posemb.Kind  `json:"kind"`
	Arch      string       `json:"arch"`
	DType     string       `json:"dtype"`
	Shape     []int        `json:"shape"`
	Positions *int         `json:"positions"` // null for relative tables
	Width     *int         `json:"width"`     // null for biases
	Reserved  *int         `json:"reserved"`  // null for relative tables
	Suffix    *int         `json:"suffix"`
	Grid      *posemb.Grid `json:"grid"`    // null without one
	Frames    *int         `json:"frames"`  // grids after another; null without a grid
	Offsets   string       `json:"offsets"` // "-5..5"; empty for absolute tables
	Axes      []axisFound  `json:"axes"`    // of the offsets; none for absolute tables
	Heads     *int         `json:"heads"`   // null where the table tells none apart
	Unused    []int        `json:"unused"`  // stored rows or buckets that no offset uses
	Notes     []string     `json:"notes"`

	unit string // what a stored entry is called
}

// axisFound is one axis of offsets.
type axisFound struct {
	Name   string        `json:"name"`
	Min    int           `json:"min"`
	Max    int           `json:"max"`
	Beyond posemb.Beyond `json:"beyond"` // what becomes of offsets outside; empty where it is not known
}

func (a *app) lsCommand() *cobra.Command {
	var (
		read readingFlags
		out  outputFlags
		all  bool
	)
	cmd := &cobra.Command{
		Use:   "ls SOURCE...",
		Short: "Which tensors hold positions, and what their rows mean",
		Long: `The tensors that hold positions: what they are, and how their rows are read.
With --all every tensor of the file with its dtype, shape and bytes, from the
header alone. A dtype like F32 (QINT8) is read as the first, stored as the
second.`,
		Example: `  poslens ls model.safetensors
  poslens ls --all model.pt
  poslens ls *.pt -f json`,
		Args: someSources,
	}
	addReading(cmd, &read, true, true)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		f.BoolVar(&all, "all", false, "every tensor, whatever it is; reads headers only")
	})
	addDataOutput(cmd, &out)
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		if err := a.check(&out, inputs(args)); err != nil {
			return err
		}
		if all {
			return a.listAll(cmd.Context(), args, &read, &out)
		}
		opt, err := read.options()
		if err != nil {
			return err
		}
		rows, partial := a.list(cmd.Context(), args, &read, opt)
		if len(rows) == 0 {
			return partial
		}
		if err := a.emit(cmd.Context(), &out, foundProduct(rows)); err != nil {
			return err
		}
		return partial
	})
	return cmd
}

// list finds the tables of every operand.
func (a *app) list(ctx context.Context, operands []string, read *readingFlags, opt posemb.ReadOptions) ([]found, error) {
	var rows []found
	err := a.forEach(operands, func(raw string) error {
		return a.loadEach(ctx, parseOperand(raw, isPlace), read, opt, anyKind(), true, func(l loaded) {
			l.table.From().Label = l.base()
			rows = append(rows, describe(l))
		})
	})
	return rows, err
}

// describe says of a table what ls shows.
func describe(l loaded) found {
	o := l.table.From()
	r := found{
		Source: o.Label, Tensor: o.Tensor, Kind: l.table.Kind(), Arch: o.Arch,
		DType: dtypeOf(l.info), Shape: l.info.Shape, Notes: l.table.Remarks(),
		Parts: []string{}, Axes: []axisFound{}, Unused: []int{}, unit: "row",
	}
	if l.match.Layer >= 0 {
		r.Layer = &l.match.Layer
	}
	for i, part := range l.match.Parts {
		if i > 0 && part != "" {
			r.Parts = append(r.Parts, part)
		}
	}
	if stored := l.table.Storage(); len(stored) > 0 && stored[0].Unit != "" {
		r.unit = stored[0].Unit
	}
	if b, ok := l.table.(*posemb.Bias); ok && b.Steps {
		r.unit = "bucket"
	}
	for _, x := range axesOf(l.table) {
		r.Axes = append(r.Axes, axisFound{x.Name, x.Min, x.Max, x.Beyond})
	}
	r.Offsets = offsetsText(axesOf(l.table))
	switch t := l.table.(type) {
	case *posemb.Absolute:
		n, d := t.Table.Dims()
		r.Positions, r.Width, r.Reserved, r.Suffix = &n, &d, &t.Reserved, &t.Suffix
		if t.Grid != (posemb.Grid{}) {
			frames := max(t.Frames, 1)
			r.Grid, r.Frames = &t.Grid, &frames
		}
	case *posemb.Vectors:
		d := t.Width()
		r.Width = &d
		if h := len(t.Heads); h > 0 {
			r.Heads = &h
		}
		r.Unused = append(r.Unused, t.Unused...)
	case *posemb.Bias:
		_, h := t.Scores.Dims()
		r.Heads = &h
		r.Unused = append(r.Unused, t.Unused...)
	}
	return r
}

// offsetsText words the offsets of one or two axes.
func offsetsText(axes []posemb.Axis) string {
	var words []string
	for _, x := range axes {
		w := fmt.Sprintf("%d..%d", x.Min, x.Max)
		if len(axes) > 1 {
			w = x.Name + " " + w
		}
		words = append(words, w)
	}
	return strings.Join(words, ", ")
}

// dtypeOf names a tensor's type, in the file's words when it is not known here.
func dtypeOf(i tensor.Info) string {
	if i.DType == tensor.Invalid && i.Stored != "" {
		return i.Stored
	}
	return i.DType.String()
}

// foundProduct is the list in every form.
func foundProduct(rows []found) *product {
	table := func() *report.Table {
		t := &report.Table{Cols: []report.Column{
			{Name: "source"}, {Name: "tensor"}, {Name: "kind"}, {Name: "arch"}, {Name: "dtype"}, {Name: "shape"},
			{Name: "positions", Numeric: true}, {Name: "width", Numeric: true}, {Name: "reserved", Numeric: true}, {Name: "suffix", Numeric: true},
			{Name: "grid"}, {Name: "offsets"}, {Name: "heads", Numeric: true}, {Name: "layer", Numeric: true},
		}}
		for _, r := range rows {
			t.Rows = append(t.Rows, []any{
				r.Source, r.Tensor, string(r.Kind), text(r.Arch), r.DType, joinInts(r.Shape, "x"),
				number(r.Positions), number(r.Width), number(r.Reserved), number(r.Suffix), r.gridText(), text(r.Offsets), number(r.Heads), number(r.Layer),
			})
		}
		return t
	}
	return &product{
		command: "ls",
		table:   table,
		results: func() []any { return each(rows) },
		text:    func(w io.Writer, _ screen) error { return writeFound(w, rows) },
	}
}

// writeFound lists tables for people. Tensor names stand on lines of their own,
// whole, so that they can be copied.
func writeFound(w io.Writer, rows []found) error {
	source := ""
	for i, r := range rows {
		if i == 0 || r.Source != source {
			source = r.Source
			fmt.Fprintf(w, "%s\n", inline(source))
		}
		what := []string{string(r.Kind)}
		if r.Arch != "" {
			what = append(what, r.Arch)
		}
		if len(r.Shape) > 0 {
			what = append(what, r.DType+" "+joinInts(r.Shape, "x"))
		}
		if r.Tensor != "" {
			fmt.Fprintf(w, "  %s\n", inline(r.Tensor))
		}
		if _, err := fmt.Fprintf(w, "      %s: %s\n", strings.Join(what, ", "), strings.Join(append([]string{r.words(", ")}, r.more()...), ", ")); err != nil {
			return err
		}
	}
	return nil
}

func number(p *int) any {
	if p == nil {
		return nil
	}
	return *p
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// gridText is HxW, or TxHxW of several frames.
func (f found) gridText() any {
	switch {
	case f.Grid == nil:
		return nil
	case *f.Frames > 1:
		return fmt.Sprintf("%dx%dx%d", *f.Frames, f.Grid.Rows, f.Grid.Cols)
	}
	return fmt.Sprintf("%dx%d", f.Grid.Rows, f.Grid.Cols)
}

// more is what else there is to say of how a table is read: "bucket 16 unused".
func (f found) more() (all []string) {
	if f.Frames != nil && *f.Frames > 1 {
		all = append(all, fmt.Sprintf("%d frames", *f.Frames))
	}
	const named = 4
	n := len(f.Unused)
	if n == 0 {
		return all
	}
	unit := f.unit
	if n > 1 {
		unit += "s"
	}
	words := make([]string, 0, named)
	for _, row := range f.Unused[:min(n, named)] {
		words = append(words, strconv.Itoa(row))
	}
	s := unit + " " + strings.Join(words, ", ")
	if n > named {
		s += fmt.Sprintf(" and %d more", n-named)
	}
	return append(all, s+" unused")
}
