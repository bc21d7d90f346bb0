package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"poslens/internal/posemb"
)

// gaussian is the word for many queries, of whose scores the mean is taken.
const gaussian = "gaussian"

// oneQuery are the words for a single query.
var oneQuery = []string{"uniform", "ones"}

// manyQueries are the words of a command that also takes gaussian ones.
var manyQueries = append(slices.Clone(oneQuery), gaussian)

// checkQuery refuses a query that is neither a word nor a file.
func checkQuery(query string, words []string) error {
	if slices.Contains(words, query) || isPlace(query) {
		return nil
	}
	hint := "one of " + strings.Join(words, ", ") + ", or a file with one row"
	if n := nearest(query, words); n != "" {
		hint = fmt.Sprintf("did you mean %q?", n)
	}
	return &usageError{fmt.Sprintf("--query: no query and no file %q", query), hint}
}

// completeQuery offers the words to the shell, and files.
func completeQuery(cmd *cobra.Command, words []string) {
	f := cobra.FixedCompletions(words, cobra.ShellCompDirectiveDefault)
	if err := cmd.RegisterFlagCompletionFunc("query", f); err != nil {
		panic(err) // a bug: the command has no flag of that name
	}
}

// scored is the bias that a query makes of vectors, and a sentence about the query.
func (a *app) scored(ctx context.Context, v *posemb.Vectors, query string, scale bool, limits *limitFlags) (*posemb.Bias, string, error) {
	q, err := a.queryVector(ctx, query, v.Width(), limits)
	if err != nil {
		return nil, "", err
	}
	b, err := v.Score(q, posemb.ScoreOptions{Scale: scale})
	if err != nil {
		return nil, "", err
	}
	note := "scores of the query in " + inline(query)
	switch query {
	case "uniform":
		note = "scores of the uniform query, ones/sqrt(width); --query takes another"
	case "ones":
		note = "scores of the query of ones"
	}
	if scale {
		note += ", times 1/sqrt(width)"
	}
	return b, note, nil
}

// queryVector makes the query that --query names.
func (a *app) queryVector(ctx context.Context, name string, width int, limits *limitFlags) ([]float64, error) {
	switch name {
	case "uniform":
		return posemb.UniformQuery(width), nil
	case "ones":
		return posemb.OnesQuery(width), nil
	}
	f, err := a.openPlace(ctx, name, limits)
	if err != nil {
		return nil, fmt.Errorf("--query %s: %w", name, err)
	}
	defer f.Close()
	infos := f.Tensors()
	if len(infos) != 1 {
		return nil, fmt.Errorf("--query %s: one vector was expected, and the file has %d tensors", name, len(infos))
	}
	t, err := f.Tensor(ctx, infos[0].Name)
	if err != nil {
		return nil, fmt.Errorf("--query %s: %w", name, err)
	}
	if len(t.Data) != width {
		return nil, fmt.Errorf("--query %s: %d values, but the table's width is %d", name, len(t.Data), width)
	}
	return t.Data, nil
}
