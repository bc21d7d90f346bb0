package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
	"poslens/internal/tensor"
)

// similarityFlags choose how two positions are compared.
type similarityFlags struct {
	dot, center bool
	eps         float64
}

func addSimilarity(f *pflag.FlagSet, s *similarityFlags) {
	f.BoolVar(&s.dot, "dot", false, "dot product instead of cosine")
	f.BoolVar(&s.center, "center", false, "subtract the mean vector first")
	f.Float64Var(&s.eps, "eps", 0, "`X` added to every norm; 0 is the exact cosine, where a zero row is undefined")
}

func (s *similarityFlags) options() (analysis.SimilarityOptions, error) {
	if !(s.eps >= 0) || math.IsInf(s.eps, 0) {
		return analysis.SimilarityOptions{}, usagef("--eps: %v is not 0 or more", s.eps)
	}
	if s.dot && s.eps > 0 {
		return analysis.SimilarityOptions{}, usagef("--eps has no meaning with --dot")
	}
	return analysis.SimilarityOptions{Dot: s.dot, Center: s.center, Eps: s.eps}, nil
}

func (a *app) similarityCommand() *cobra.Command {
	var (
		read readingFlags
		out  outputFlags
		how  similarityFlags
	)
	cmd := &cobra.Command{
		Use:   "similarity SOURCE",
		Short: "Similarity of every two positions: matrix, heat map",
		Long: `Similarity of every two positions, by default the cosine. In a well-trained
table near positions are alike: a bright diagonal band.`,
		Example: `  poslens similarity gpt2.safetensors -o map.png
  poslens similarity model.pt --center -f csv > similarity.csv
  poslens similarity gen:sinusoid,n=128,d=64 -o map.svg -o map.tsv`,
		Args: oneSource,
	}
	addReading(cmd, &read, true, false)
	group(cmd, "Analysis", func(f *pflag.FlagSet) { addSimilarity(f, &how) })
	addOutput(cmd, &out, "npy")
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		opt, err := how.options()
		if err != nil {
			return err
		}
		if err := a.check(&out, inputs(args)); err != nil {
			return err
		}
		tables, err := a.load(cmd.Context(), args, &read, kinds{posemb.KindAbsolute})
		if err != nil {
			return err
		}
		if len(tables) != 1 {
			return &hinted{fmt.Errorf("%s: %d tensors fit, and this command takes one", args[0], len(tables)), "name one exactly: SOURCE#TENSOR"}
		}
		m, err := analysis.Similarity(cmd.Context(), tables[0].table.(*posemb.Absolute), opt)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		a.warn(m.Label, m.Warnings)
		return a.emit(cmd.Context(), &out, similarityProduct(m, &out))
	})
	return cmd
}

// similarityProduct is a similarity matrix in every form.
func similarityProduct(m *analysis.Matrix, o *outputFlags) *product {
	n, _ := m.Scores.Dims()
	positions := make([]string, n)
	for i, p := range m.Positions {
		positions[i] = strconv.Itoa(p)
	}
	return &product{
		command: "similarity",
		text: func(w io.Writer, s screen) error {
			if err := report.WriteText(w, similarityTable(m), s.width); err != nil {
				return err
			}
			return figure.WriteTerminal(w, similarityChart(m, o), figure.Terminal{Width: s.width, Color: s.color})
		},
		matrix: func() *report.Matrix {
			return &report.Matrix{Corner: "position", Cols: positions, Rows: positions, At: m.Scores.At}
		},
		results: func() []any { return []any{m} },
		array: func() *tensor.Tensor {
			return &tensor.Tensor{Info: tensor.Info{Shape: []int{n, n}}, Data: m.Scores.RawMatrix().Data}
		},
		chart: func() figure.Chart { return similarityChart(m, o) },
	}
}

// similarityTable is what the text form says of a matrix too large to print.
func similarityTable(m *analysis.Matrix) *report.Table {
	n, _ := m.Scores.Dims()
	return &report.Table{
		Cols: []report.Column{{Name: "source"}, {Name: "measure"}, {Name: "positions", Numeric: true}, {Name: "mean_offdiagonal", Numeric: true}, {Name: "min", Numeric: true}, {Name: "max", Numeric: true}},
		Rows: [][]any{{m.Label, m.Measure, n, float64(m.MeanOffdiagonal), float64(m.Min), float64(m.Max)}},
		Notes: []string{
			"mean, min and max are over pairs of different positions; the whole matrix: -f tsv",
		},
	}
}

// similarityChart is the heat map, position 0 at the top left.
func similarityChart(m *analysis.Matrix, o *outputFlags) *figure.Heatmap {
	n, _ := m.Scores.Dims()
	h := &figure.Heatmap{
		Title:  m.Label,
		XLabel: "position", YLabel: "position",
		ColorLabel: measureLabel(m.Measure, m.Centered),
		Rows:       n, Cols: n, At: m.Scores.At,
		X0: m.Positions[0], Y0: m.Positions[0],
		Diverging: m.Measure == "dot",
	}
	if n > 1 {
		h.XStep = m.Positions[1] - m.Positions[0]
		h.YStep = h.XStep
	}
	if m.Measure == "cosine" {
		h.Min, h.Max = -1, 1
	}
	o.setSpan(&h.Min, &h.Max)
	return h
}

// measureLabel words a measure for an axis.
func measureLabel(measure string, centered bool) string {
	label := "cosine similarity"
	if measure == "dot" {
		label = "dot product"
	}
	if centered {
		label += ", centred"
	}
	return label
}
