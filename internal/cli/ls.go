package cli

import (
	"context"
	"fmt"
	"io"
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
	Tensor    string       `json:"tensor"`
	Kind      posemb.Kind  `json:"kind"`
	Arch      string       `json:"arch"`
	DType     string       `json:"dtype"`
	Shape     []int        `json:"shape"`
	Positions *int         `json:"positions"` // null for relative tables
	Width     *int         `json:"width"`     // null for biases
	Reserved  *int         `json:"reserved"`  // null for relative tables
	Suffix    *int         `json:"suffix"`
	Grid      *posemb.Grid `json:"grid"`    // null without one
	Offsets   string       `json:"offsets"` // "-5..5"; empty for absolute tables
	Heads     *int         `json:"heads"`   // null but for biases
	Notes     []string     `json:"notes"`
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
header alone. A dtype like F32 (QINT8) is read as the first, stored as the second.`,
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
		Source: o.Label, Tensor: l.info.Name, Kind: l.table.Kind(), Arch: o.Arch,
		DType: dtypeOf(l.info), Shape: l.info.Shape, Notes: l.table.Remarks(),
	}
	switch t := l.table.(type) {
	case *posemb.Absolute:
		n, d := t.Table.Dims()
		r.Positions, r.Width, r.Reserved, r.Suffix = &n, &d, &t.Reserved, &t.Suffix
		if t.Grid != (posemb.Grid{}) {
			r.Grid = &t.Grid
		}
	case *posemb.Vectors:
		_, d := t.Table.Dims()
		r.Width, r.Offsets = &d, offsetsText(t.Axes)
	case *posemb.Bias:
		_, h := t.Scores.Dims()
		r.Heads, r.Offsets = &h, offsetsText(t.Axes)
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
			{Name: "grid"}, {Name: "offsets"}, {Name: "heads", Numeric: true},
		}}
		for _, r := range rows {
			t.Rows = append(t.Rows, []any{
				r.Source, r.Tensor, string(r.Kind), text(r.Arch), r.DType, joinInts(r.Shape, "x"),
				number(r.Positions), number(r.Width), number(r.Reserved), number(r.Suffix), gridText(r.Grid), text(r.Offsets), number(r.Heads),
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
			fmt.Fprintf(w, "%s\n", printable(source))
		}
		what := []string{string(r.Kind)}
		if r.Arch != "" {
			what = append(what, r.Arch)
		}
		if len(r.Shape) > 0 {
			what = append(what, r.DType+" "+joinInts(r.Shape, "x"))
		}
		if r.Tensor != "" {
			fmt.Fprintf(w, "  %s\n", printable(r.Tensor))
		}
		if _, err := fmt.Fprintf(w, "      %s: %s\n", strings.Join(what, ", "), r.words(", ")); err != nil {
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

func gridText(g *posemb.Grid) any {
	if g == nil {
		return nil
	}
	return fmt.Sprintf("%dx%d", g.Rows, g.Cols)
}
