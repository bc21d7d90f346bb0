package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/posemb"
)

// question is what is asked of a table: some of its rows, or the rows of some
// offsets or positions.
type question struct {
	rows      []posemb.Range // none: all
	offsets   [][]int        // of one number, or dy and dx
	positions [][]int        // of one number, a row and column, or a frame and these
}

func (a *app) explainCommand() *cobra.Command {
	var (
		read               readingFlags
		out                outputFlags
		offsets, positions []string
	)
	cmd := &cobra.Command{
		Use:   "explain SOURCE [ROW...]",
		Short: "What each stored row means, in words; and the row of an offset or position",
		Long: `What each stored row of a table is: a position, an offset or a bucket of them,
padding, a token in front, or nothing. ROW is N or A:B (B not included; A: and
:B are open) and counts stored rows from 0, those in front of the positions too;
without one all rows are told. --offset and --position ask the other way round:
which stored row serves it. An offset is key - query, and a negative one looks
back, however the file counts. Of a table of buckets ROW is the bucket; of one
that is stored with its heads first, the column.`,
		Example: `  poslens explain swin.pth --tensor '*layers.0.blocks.0*' 17
  poslens explain t5.safetensors --offset -200 --offset 3
  poslens explain vit.safetensors --position 1,1 -f json`,
		Args: func(cmd *cobra.Command, args []string) error { return someSources(cmd, args[:min(len(args), 1)]) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
	}
	addReading(cmd, &read, true, true)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		f.StringArrayVar(&offsets, "offset", nil, "the row of offset `K`, or of DY,DX on two axes; repeatable")
		f.StringArrayVar(&positions, "position", nil, "the row of position `P`, of ROW,COLUMN on a grid, or of FRAME,ROW,COLUMN, counted from 0; repeatable")
	})
	addDataOutput(cmd, &out)
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		q, err := parseQuestion(args[1:], offsets, positions)
		if err != nil {
			return err
		}
		if err := a.check(&out, inputs(args[:1])); err != nil {
			return err
		}
		return a.explain(cmd.Context(), args[:1], &read, &out, q)
	})
	return cmd
}

// explain answers a question about every table that the source's name or glob
// means.
func (a *app) explain(ctx context.Context, source []string, read *readingFlags, out *outputFlags, q *question) error {
	tables, some := a.load(ctx, source, read, anyKind())
	if len(tables) == 0 {
		return some
	}
	var answers []answer
	err := a.forTables(tables, func(l loaded) error {
		found, err := q.ask(l)
		if err == nil {
			answers = append(answers, found)
		}
		return err
	})
	if len(answers) == 0 {
		return err
	}
	return cmp.Or(a.emit(ctx, out, explainProduct(answers)), some, err)
}

// answer is what a table answers to a question.
type answer struct {
	label  string
	about  *posemb.Explanation
	rows   []rowsOf       // of the question's rows
	places []posemb.Place // of its offsets and positions
	asked  bool           // offsets or positions were asked for
}

// rowsOf are some entries of one stored tensor.
type rowsOf struct{ part, from, to int }

// ask has a table answer a question.
func (q *question) ask(l loaded) (answer, error) {
	e := posemb.Explain(l.table)
	found := answer{label: l.table.From().Label, about: e, asked: len(q.offsets)+len(q.positions) > 0}
	if !found.asked {
		var err error
		found.rows, err = q.within(e)
		return found, err
	}
	for _, k := range q.offsets {
		places, err := e.FindOffset(k...)
		if err != nil {
			return found, err
		}
		found.places = append(found.places, places...)
	}
	for _, p := range q.positions {
		places, err := e.FindPosition(p...)
		if err != nil {
			return found, err
		}
		found.places = append(found.places, places...)
	}
	return found, nil
}

// within gives the rows asked for in each stored tensor. One that is in none is an
// error.
func (q *question) within(e *posemb.Explanation) ([]rowsOf, error) {
	want := q.rows
	if len(want) == 0 {
		want = []posemb.Range{{From: 0, To: posemb.End}}
	} else if e.Parts() == 0 {
		return nil, fmt.Errorf("rows were asked for, but %s", e.Words(e.Computed()))
	}
	most := 0
	for k := range e.Parts() {
		most = max(most, e.Stored(k).Count)
	}
	var rows []rowsOf
	for _, r := range want {
		if len(q.rows) > 0 && (r.From >= most || r.To > most && r.To != posemb.End) {
			unit := e.Stored(0).Unit
			if r.To == r.From+1 {
				return nil, fmt.Errorf("there is no %s %d: there are %d, 0..%d", unit, r.From, most, most-1)
			}
			return nil, fmt.Errorf("there are no %ss %v: there are %d, 0..%d", unit, r, most, most-1)
		}
		for k := range e.Parts() {
			if n := e.Stored(k).Count; r.From < n {
				rows = append(rows, rowsOf{k, r.From, min(r.To, n)})
			}
		}
	}
	return rows, nil
}

// parseQuestion reads the ROW operands, --offset and --position.
func parseQuestion(rows, offsets, positions []string) (*question, error) {
	if len(rows) > 0 && len(offsets)+len(positions) > 0 {
		return nil, usagef("ROW and --offset or --position ask opposite ways: give one of them")
	}
	if len(offsets) > 0 && len(positions) > 0 {
		return nil, usagef("--offset and --position contradict each other: a table has offsets or positions")
	}
	q := &question{}
	for _, s := range rows {
		r, err := parseRow(s)
		if err != nil {
			return nil, err
		}
		q.rows = append(q.rows, r)
	}
	for _, s := range offsets {
		k, ok := parseInts(s, 2)
		if !ok {
			return nil, &usageError{fmt.Sprintf("--offset: %q is no whole number K and no DY,DX", s), "for example --offset -3, or --offset -1,2 on two axes"}
		}
		q.offsets = append(q.offsets, k)
	}
	for _, s := range positions {
		p, ok := parseInts(s, 3)
		if !ok || p[0] < 0 || p[len(p)-1] < 0 || p[len(p)/2] < 0 {
			return nil, &usageError{fmt.Sprintf("--position: %q is no whole number P from 0 on, no ROW,COLUMN and no FRAME,ROW,COLUMN", s), "for example --position 15, or --position 1,1 on a grid"}
		}
		q.positions = append(q.positions, p)
	}
	return q, nil
}

// parseRow reads N or A:B.
func parseRow(s string) (posemb.Range, error) {
	from, to, isRange := strings.Cut(s, ":")
	bad := &usageError{fmt.Sprintf("ROW: %q is no row's number N and no A:B with A below B", s), "for example 17, or 2:20; B itself is not included"}
	r := posemb.Range{From: 0, To: posemb.End}
	for _, end := range []struct {
		text string
		to   *int
	}{{from, &r.From}, {to, &r.To}} {
		if end.text == "" {
			continue
		}
		n, err := strconv.Atoi(end.text)
		if err != nil || n < 0 || n > farthest {
			return r, bad
		}
		*end.to = n
	}
	if !isRange {
		r.To = r.From + 1
	}
	if s == "" || r.From >= r.To {
		return r, bad
	}
	return r, nil
}

// parseInts reads up to so many whole numbers with commas between.
func parseInts(s string, most int) ([]int, bool) {
	var all []int
	for _, word := range strings.Split(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n > farthest || n < -farthest {
			return nil, false
		}
		all = append(all, n)
	}
	return all, len(all) <= most
}
