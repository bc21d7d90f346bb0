package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// examined is what check and metrics say of one table.
type examined struct {
	label   string
	check   *analysis.CheckResult // nil: not made
	norms   *analysis.NormCurve   // of the rows, with what check found; nil: there are none
	metrics *analysis.MetricSet   // nil: not taken
	notes   []string              // what of these is left out, and why
}

// The work that a report takes on for one table. A report of a few tables shall take
// seconds: what takes longer is for poslens check and poslens metrics.
const (
	reportSeed  = 42
	reportDraws = fewDraws
	drawSeconds = 10      // of one processor, for the null models of all tables together
	sidesCubed  = 1e8     // of eigenvectors alone: isotropy
	pairWork    = 1e9     // n^2 d: the metrics of pairs
	checkWork   = 5e9     // n^2 d: check
	scoresDrawn = 1 << 16 // offsets times heads: null models of a relative table
)

// pairsOf is n^2 d of a table, which the products of all its pairs take.
func pairsOf(t *posemb.Absolute) float64 {
	n, d := t.Table.Dims()
	return float64(n) * float64(n) * float64(d)
}

// inspect checks tables and takes the norms of their rows. Whatever fails is a note.
func (b *book) inspect(ctx context.Context, tables []loaded) []examined {
	var all []examined
	for _, l := range tables {
		e := examined{label: l.table.From().Label}
		if t, ok := l.table.(*posemb.Absolute); ok && pairsOf(t) > checkWork {
			e.notes = append(e.notes, "Not checked, which takes long for a table of this size: poslens check does it.")
		} else if r, err := analysis.Check(ctx, l.table, analysis.CheckOptions{}); err == nil {
			e.check = r
		} else {
			e.notes = append(e.notes, "Not checked: "+printable(err.Error())+".")
		}
		e.norms = checked(e.check, l.table).norms
		all = append(all, e)
	}
	return all
}

// measure takes the metrics of tables. Whatever fails is a note.
func (b *book) measure(ctx context.Context, all []examined, tables []loaded) {
	for i, l := range tables {
		set, notes, err := b.metricsFor(ctx, l.table)
		if err != nil {
			notes = append(notes, "No metrics: "+printable(err.Error())+".")
		}
		all[i].metrics, all[i].notes = set, append(all[i].notes, notes...)
	}
}

// affords tells whether draws of some seconds are still within drawSeconds, and counts
// them if so. It goes by an estimate and not by a clock, so that the same report has the
// same draws.
func (b *book) affords(seconds float64) bool {
	if b.drawn+seconds > drawSeconds {
		return false
	}
	b.drawn += seconds
	return true
}

// metricsFor takes those metrics of a table that take no long time, and says which
// are left out.
func (b *book) metricsFor(ctx context.Context, t posemb.Table) (set *analysis.MetricSet, notes []string, err error) {
	opt := analysis.MetricOptions{Draws: reportDraws, Seed: reportSeed}
	switch t := t.(type) {
	case *posemb.Absolute:
		n, d := t.Table.Dims()
		cube := math.Pow(float64(min(n, d)), 3)
		if pairsOf(t) > pairWork {
			return nil, []string{"No metrics, which take long for a table of this size: poslens metrics gives them."}, nil
		}
		if !b.affords(reportDraws * analysis.DrawSeconds(n, d)) {
			opt.Draws = 0
			notes = append(notes, "Without null models, which would take long: poslens metrics gives them.")
		}
		if cube > sidesCubed {
			opt.Only = slices.DeleteFunc(metricNames(analysis.Metrics), func(name string) bool { return name == "isotropy" })
			notes = append(notes, "Without isotropy, whose eigenvectors take long for a table of this width: poslens metrics --only isotropy gives it.")
		}
		set, err = analysis.MetricsOf(ctx, t, opt)
		return set, notes, err
	case *posemb.Vectors:
		scores, note, err := b.app.scored(ctx, t, "uniform", false, nil)
		if err != nil {
			return nil, nil, err
		}
		set, notes, err = b.metricsFor(ctx, scores)
		return set, append([]string{"Of the " + strings.TrimSuffix(note, "; --query takes another") + "."}, notes...), err
	case *posemb.Bias:
		if n, h := t.Scores.Dims(); n*h > scoresDrawn {
			opt.Draws = 0
			notes = append(notes, "Without null models, which take long for a table of this size: poslens metrics gives them.")
		}
		set, err = analysis.MetricsOfBias(ctx, t, opt)
		return set, notes, err
	}
	return nil, nil, fmt.Errorf("no metrics of a %s table", t.Kind())
}

// groupWords say in plain words what the metrics of a group are about.
var groupWords = map[string]string{
	"decay":        "how similarity falls with the distance of two positions",
	"translation":  "whether similarity depends on the distance alone, wherever the two positions stand",
	"monotonicity": "whether a farther position is always less similar",
	"symmetry":     "whether looking back and looking ahead are alike, and how much falls on neighbours",
	"isotropy":     "whether the vectors use all directions evenly",
	"dimension":    "how many directions it takes to hold the table",
	"spectrum":     "whether the components wave with a period along the positions",
	"norms":        "how long the vectors are",
	"order":        "whether neighbours can be found by similarity",
	"direction":    "how much attention goes back, to the query itself, and ahead",
	"asymmetry":    "how unlike back and ahead are, and where the peak stands",
	"locality":     "how much attention stays near",
	"reach":        "how far attention goes",
	"entropy":      "how widely attention spreads",
}

// metricsGrid shows one table's metrics in their groups: beside the null models where
// the table is of positions or has one head, else a column a head.
func metricsGrid(set *analysis.MetricSet) *report.Grid {
	if set.Heads > 1 {
		return headsGrid(set)
	}
	g := &report.Grid{
		Caption: "Metrics of " + printable(set.Label),
		Cols:    []report.Column{{Name: "metric"}, {Name: "value", Numeric: true}},
	}
	sinusoid := set.Heads == 0
	if set.Draws > 0 {
		g.Caption += fmt.Sprintf(", beside null models of %d random draws each", set.Draws)
		for _, null := range []string{"shuffled", "gaussian"} {
			for _, of := range []string{"mean", "z", "p"} {
				g.Cols = append(g.Cols, report.Column{Name: null + " " + of, Numeric: true})
			}
		}
		g.Notes = append(g.Notes, "Shuffled: the same rows in random order. Gaussian: random rows of the same lengths. z: how many standard deviations of the null model the value lies from its mean. p: how rarely the null model lies as far; small says that chance does not explain the value. NA: the null model can't change the metric, or the metric is undefined.")
		if set.Heads > 0 {
			g.Notes[0] = strings.Replace(g.Notes[0], "the same rows in random order. Gaussian: random rows of the same lengths", "the head's scores in random order over the offsets. Gaussian: random scores of the same mean and deviation", 1)
		}
		if sinusoid {
			g.Cols = append(g.Cols, report.Column{Name: "sinusoid", Numeric: true})
			g.Notes = append(g.Notes, "Sinusoid: the same metric of the fixed sine and cosine table of this shape.")
		}
	}
	docs := metricDocs()
	for _, m := range set.Metrics {
		row := []report.Cell{{Text: m.Name, Detail: detailOf(docs[m.Name], m.Reason)}, report.Number(float64(m.Value), 4)}
		if set.Draws > 0 {
			for _, n := range []*analysis.NullModel{m.Shuffled, m.Gaussian} {
				if n == nil {
					n = &analysis.NullModel{Mean: analysis.Value(math.NaN()), Z: analysis.Value(math.NaN()), P: analysis.Value(math.NaN())}
				}
				row = append(row, report.Number(float64(n.Mean), 3), report.Number(float64(n.Z), 3), report.Number(float64(n.P), 3))
			}
			if sinusoid {
				v := math.NaN()
				if m.Sinusoid != nil {
					v = float64(m.Sinusoid.Value)
				}
				row = append(row, report.Number(v, 3))
			}
		}
		addMetric(g, m.Group, row)
	}
	return g
}

// headsGrid shows the metrics of several heads, a column each.
func headsGrid(set *analysis.MetricSet) *report.Grid {
	g := &report.Grid{Caption: "Metrics of every head of " + printable(set.Label), Cols: []report.Column{{Name: "metric"}}}
	if set.Draws > 0 {
		g.Notes = []string{fmt.Sprintf("A star marks what is farther out than all %d shuffles of the head's scores over the offsets: p is %.2g. Metrics that a shuffle keeps have none.", set.Draws, 1/float64(set.Draws+1))}
	}
	docs := metricDocs()
	var names []string
	rows, groups := map[string][]report.Cell{}, map[string]string{}
	head := "\x00"
	for _, m := range set.Metrics { // head by head
		if m.Head != head {
			head = m.Head
			g.Cols = append(g.Cols, report.Column{Name: "head " + printable(head), Numeric: true})
		}
		if rows[m.Name] == nil {
			names = append(names, m.Name)
			rows[m.Name], groups[m.Name] = []report.Cell{{Text: m.Name, Detail: docs[m.Name]}}, m.Group
		}
		c := report.Number(float64(m.Value), 4)
		if m.Shuffled != nil && float64(m.Shuffled.P) <= 1/float64(m.Shuffled.Draws+1) {
			c.Text += " *"
		}
		rows[m.Name] = append(rows[m.Name], c)
	}
	for _, name := range names {
		addMetric(g, groups[name], rows[name])
	}
	return g
}

// addMetric puts a row into its group, which follows the ones before.
func addMetric(g *report.Grid, group string, row []report.Cell) {
	if last := len(g.Groups) - 1; last >= 0 && g.Groups[last].Title == group {
		g.Groups[last].Rows = append(g.Groups[last].Rows, row)
		return
	}
	g.Groups = append(g.Groups, report.Group{Title: group, Doc: groupWords[group], Rows: [][]report.Cell{row}})
}

// metricDocs are the sentences of all metrics.
func metricDocs() map[string]string {
	docs := map[string]string{}
	for _, list := range [][]analysis.Metric{analysis.Metrics, analysis.RelativeMetrics} {
		for _, m := range list {
			docs[m.Name] = m.Doc
		}
	}
	return docs
}

// detailOf is a metric's sentence, and why it is undefined.
func detailOf(doc, reason string) string {
	if reason != "" {
		return doc + ". Undefined: " + reason
	}
	return doc
}
