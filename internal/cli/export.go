package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
	"poslens/internal/tensor"
)

func (a *app) exportCommand() *cobra.Command {
	var (
		read readingFlags
		out  outputFlags
		raw  bool
	)
	cmd := &cobra.Command{
		Use:   "export SOURCE",
		Short: "The table as npy, csv, safetensors ...",
		Long: `The table as it was read: reserved rows left out, relative rows on the axis
offset = key - query. With --raw the tensor as it is stored, with its own shape,
as float64.`,
		Example: `  poslens export roberta.safetensors -o positions.npy
  poslens export model.pt -f csv | head
  poslens export --raw 'model.pt#head.weight' -f npy > weight.npy`,
		Args: oneSource,
	}
	addReading(cmd, &read, true, true)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		f.BoolVar(&raw, "raw", false, "any tensor as it is stored (needs SOURCE#TENSOR)")
	})
	addOutput(cmd, &out, "npy", "npz", "safetensors")
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		if err := a.check(&out, inputs(args)); err != nil {
			return err
		}
		if raw {
			return a.exportRaw(cmd, args[0], &read, &out)
		}
		tables, err := a.load(cmd.Context(), args, &read, anyKind())
		if err != nil {
			return err
		}
		if len(tables) != 1 {
			return a.exportMany(cmd, tables, &out)
		}
		a.tellLoss(tables[0].table, &out)
		return a.emit(cmd.Context(), &out, tableProduct("export", tables[0], &out))
	})
	return cmd
}

// tellLoss warns of forms that hold a table's numbers but not what its rows mean.
func (a *app) tellLoss(t posemb.Table, out *outputFlags) {
	bare := "not that its rows are offsets" // what npy and npz leave out
	text := ""                              // what rows of text leave out
	if len(axesOf(t)) > 1 {
		text = "offsets on two axes, which are not read back from it"
	}
	if abs, ok := t.(*posemb.Absolute); ok {
		switch {
		case abs.Grid != (posemb.Grid{}):
			bare = "not the grid that its rows follow"
			text = "the rows' positions, not the grid that its rows follow"
		case abs.First == 0 && abs.Stride <= 1:
			return
		default:
			bare = "not which positions its rows are"
		}
	}
	_, tty := a.env.Terminal(a.env.Out)
	for _, s := range out.steps(pipeOf(t), tty) {
		switch {
		case s.format == "npy" || s.format == "npz":
			a.tell("%s holds the bare matrix, %s; safetensors and json keep that", s.format, bare)
			return
		case text != "" && (s.format == "csv" || s.format == "tsv"):
			a.tell("%s holds %s; safetensors and json keep that", s.format, text)
			return
		}
	}
}

// exportMany writes the tables of a glob into one container of named tensors.
func (a *app) exportMany(cmd *cobra.Command, tables []loaded, out *outputFlags) error {
	p := &product{command: "export of several tables", binary: "npz"}
	for _, l := range tables {
		if l.table.Kind() != tables[0].table.Kind() {
			return &hinted{errors.New("these tables are of several kinds, which one file can't tell apart"), "export them one by one, or those that are alike"}
		}
	}
	p.named = func() ([]*tensor.Tensor, map[string]string) {
		var all []*tensor.Tensor
		var said []map[string]string
		for _, l := range tables {
			ts, meta := tableProduct("export", l, out).named()
			all = append(all, ts...)
			said = append(said, meta)
		}
		return all, saidTogether(all, said)
	}
	a.tellLoss(tables[0].table, out)
	return a.emit(cmd.Context(), out, p)
}

// saidTogether is the metadata of several tables: what all of them say, and by
// the tensor's name what only some do.
func saidTogether(tensors []*tensor.Tensor, said []map[string]string) map[string]string {
	together := map[string]string{}
	for i, meta := range said {
		for key, value := range meta {
			if slices.ContainsFunc(said, func(other map[string]string) bool { v, ok := other[key]; return !ok || v != value }) {
				key = posemb.SaidOf(key, tensors[i].Name)
			}
			together[key] = value
		}
	}
	return together
}

// exportRaw writes one tensor as it is stored.
func (a *app) exportRaw(cmd *cobra.Command, raw string, read *readingFlags, out *outputFlags) error {
	op := parseOperand(raw, isPlace)
	file, err := a.openPlace(cmd.Context(), op.place, &read.limits)
	if err != nil {
		return fmt.Errorf("%s: %w", raw, err)
	}
	defer file.Close()
	a.tellFile(op, file)
	name := op.tensor
	if name == "" {
		name = read.tensor
	}
	if infos := file.Tensors(); name == "" && len(infos) != 1 {
		var names []string
		for _, i := range infos[:min(len(infos), 12)] {
			names = append(names, inline(i.Name))
		}
		return &hinted{fmt.Errorf("%s: --raw needs a tensor's name, and the file has %d tensors: %s", inline(raw), len(infos), strings.Join(names, ", ")), "SOURCE#TENSOR; poslens ls --all lists them"}
	} else if name == "" {
		name = infos[0].Name
	}
	t, err := file.Tensor(cmd.Context(), name)
	if err != nil {
		return fmt.Errorf("%s: %w", raw, err)
	}
	return a.emit(cmd.Context(), out, rawProduct(op, t))
}

// rawProduct is a stored tensor in the forms that keep its shape; a matrix also
// has the forms of text.
func rawProduct(op operand, t *tensor.Tensor) *product {
	p := &product{command: "export", binary: "npy"}
	p.npy = func(w io.Writer) error { return checkpoint.WriteNPY(w, t.Shape, t.Data) }
	p.named = func() ([]*tensor.Tensor, map[string]string) {
		named := *t
		if named.Name == "" {
			named.Name = "table"
		}
		return []*tensor.Tensor{&named}, nil
	}
	p.results = func() []any {
		return []any{rawResult{Source: loaded{op: op}.base(), Tensor: t.Name, Shape: slices.Clone(t.Shape), Data: t.Data}}
	}
	if len(t.Shape) == 2 {
		p.matrix = plainMatrix(t.Shape[0], t.Shape[1], t.Data)
	}
	p.text = func(w io.Writer, s screen) error {
		_, err := fmt.Fprintf(w, "%s: %s of shape [%s]; its values: -f npy, -f json\n", inline(t.Name), t.DType, joinInts(t.Shape, ", "))
		return err
	}
	return p
}

// rawResult is a stored tensor in JSON, in the form that reading takes back.
type rawResult struct {
	Source string          `json:"source"`
	Tensor string          `json:"tensor"`
	Shape  []int           `json:"shape"`
	Data   analysis.Values `json:"data"`
}

func joinInts(v []int, sep string) string {
	var words []string
	for _, x := range v {
		words = append(words, fmt.Sprint(x))
	}
	return strings.Join(words, sep)
}
