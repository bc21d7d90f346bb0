package cli

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// similarityFlags choose how two positions are compared.
type similarityFlags struct {
	dot, center bool
	eps         float64
	precision   string
}

// precisions are the values of --precision.
var precisions = []string{"double", "single"}

func addSimilarity(f *pflag.FlagSet, s *similarityFlags) {
	f.BoolVar(&s.dot, "dot", false, "dot product instead of cosine")
	f.BoolVar(&s.center, "center", false, "subtract the mean vector first")
	f.Float64Var(&s.eps, "eps", 0, "`X` added to every norm; 0 is the exact cosine, where a zero row is undefined")
	f.StringVar(&s.precision, "precision", "double", "`P` of the products: double, or single, which halves time and memory of very large matrices, is good to 1e-5, and writes npy as float32")
}

func (s *similarityFlags) options() (analysis.SimilarityOptions, error) {
	if err := oneOf("precision", s.precision, precisions); err != nil {
		return analysis.SimilarityOptions{}, err
	}
	if !(s.eps >= 0) || math.IsInf(s.eps, 0) {
		return analysis.SimilarityOptions{}, usagef("--eps: %v is not 0 or more", s.eps)
	}
	if s.dot && s.eps > 0 {
		return analysis.SimilarityOptions{}, usagef("--eps has no meaning with --dot")
	}
	return analysis.SimilarityOptions{Dot: s.dot, Center: s.center, Eps: s.eps, Single: s.precision == "single"}, nil
}

func (a *app) similarityCommand() *cobra.Command {
	var (
		read readingFlags
		out  outputFlags
		how  similarityFlags

		marginal bool
	)
	cmd := &cobra.Command{
		Use:   "similarity SOURCE",
		Short: "Similarity of every two positions: matrix, heat map",
		Long: `Similarity of every two positions, by default the cosine. In a well-trained
table near positions are alike: a bright diagonal band. The colours of cosines
span -1 to 1, or what the cosines fill where that is less than half of it;
--range says otherwise.`,
		Example: `  poslens similarity gpt2.safetensors -o map.png
  poslens similarity model.pt --center -f csv > similarity.csv
  poslens similarity gen:sinusoid,n=128,d=64 -o map.svg -o map.tsv`,
		Args: oneSource,
	}
	addReading(cmd, &read, true, false)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		addSimilarity(f, &how)
		f.BoolVar(&marginal, "marginal", false, marginalHelp)
	})
	mustComplete(cmd, "precision", precisions)
	addOutput(cmd, &out, "npy")
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		opt, err := how.options()
		if err != nil {
			return err
		}
		if err := a.check(&out, inputs(args)); err != nil {
			return err
		}
		if marginal {
			if err := checkMarginal(a.asked(&out)); err != nil {
				return err
			}
		}
		tables, err := a.load(cmd.Context(), args, &read, kinds{posemb.KindAbsolute})
		if err != nil {
			return err
		}
		if len(tables) != 1 {
			return &hinted{fmt.Errorf("%s: %d tensors fit, and this command takes one", args[0], len(tables)), "name one exactly: SOURCE#TENSOR"}
		}
		t := tables[0].table.(*posemb.Absolute)
		m, err := similarity(cmd.Context(), t, opt, a.asked(&out))
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		a.detail("%s: %s", m.Label, m.Path)
		if len(m.Positions) > mapped && shows(a.asked(&out), figures...) {
			a.tell("%s: %d positions are more than a picture has rows: each of its cells is the mean of several pairs (a part of them: --positions A:B)", m.Label, len(m.Positions))
		}
		a.warn(m.Label, m.Warnings)
		var span colourSpan
		if shows(a.asked(&out), figures...) {
			if span, err = similaritySpan(cmd.Context(), m, &out); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			a.tellSpan(m.Label, span)
		}
		p := similarityProduct(cmd.Context(), m, span, &out)
		if marginal {
			if err := addMarginal(cmd.Context(), p, m, t, opt, span, &out); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
		}
		return a.emit(cmd.Context(), &out, p)
	})
	return cmd
}

// mapped is the most positions whose picture is drawn from their scores. It has about
// as many rows of pixels, so that of more positions is drawn from means of blocks.
const mapped = 768

// similarity computes no more of a matrix than its forms show.
func similarity(ctx context.Context, t *posemb.Absolute, opt analysis.SimilarityOptions, forms []string) (*analysis.Matrix, error) {
	n, _ := t.Table.Dims()
	switch {
	case n <= mapped, shows(forms, "tsv", "csv", "json", "npy"):
		return analysis.Similarity(ctx, t, opt)
	case shows(forms, "text"):
		return analysis.SimilarityFigures(ctx, t, opt)
	}
	return analysis.SimilarityMap(ctx, t, opt)
}
