package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// mostNorms is how many tables one figure of norms has.
const mostNorms = 16

// checkedTable is what was found in a table, and the norms of its rows.
type checkedTable struct {
	*analysis.CheckResult
	norms   *analysis.NormCurve // nil: it has none
	noNorms error               // why
}

// checked takes both.
func checked(r *analysis.CheckResult, t posemb.Table) checkedTable {
	c := checkedTable{CheckResult: r}
	c.norms, c.noNorms = analysis.Norms(t, r)
	if c.noNorms == nil && c.norms.Min == nil {
		c.norms, c.noNorms = nil, fmt.Errorf("no row has a norm: %s", c.norms.Reasons["norm"])
	}
	return c
}

// normsOf gives the norms to be shown, and tells which tables have none. Having none at
// all is an error.
func (a *app) normsOf(tables []checkedTable) ([]*analysis.NormCurve, error) {
	var curves []*analysis.NormCurve
	var first error
	for _, t := range tables {
		if t.norms == nil {
			first = cmp.Or(first, error(&hinted{fmt.Errorf("%s: %w", inline(t.Label), t.noNorms), noNormsHint(t)}))
			continue
		}
		curves = append(curves, t.norms)
	}
	if curves == nil {
		return nil, first
	}
	for _, c := range curves {
		for _, note := range c.Notes {
			a.tell("%s: %s", inline(c.Label), note)
		}
	}
	a.tellLeftOut(tables)
	return curves, nil
}

// tellLeftOut tells which tables have no norms, a line a reason.
func (a *app) tellLeftOut(tables []checkedTable) {
	of := map[string][]string{}
	var reasons []string
	for _, t := range tables {
		if t.norms != nil {
			continue
		}
		why := t.noNorms.Error()
		if of[why] == nil {
			reasons = append(reasons, why)
		}
		of[why] = append(of[why], inline(t.Label))
	}
	for _, why := range reasons {
		labels := of[why]
		who := labels[0]
		if more := len(labels) - 1; more > 0 {
			who += fmt.Sprintf(" and %d more", more)
		}
		a.tell("%s: left out: %s", who, why)
	}
}

// noNormsHint says what there is in place of norms.
func noNormsHint(t checkedTable) string {
	if t.Kind == posemb.KindBias {
		return "their curves: poslens profile SOURCE -o FILE.png"
	}
	return "what was found in it: poslens check SOURCE"
}

// mostFound chooses as many tables as one figure has: those with an error before those
// with a note, and all of them in their order.
func (a *app) mostFound(curves []*analysis.NormCurve) []*analysis.NormCurve {
	if len(curves) <= mostNorms {
		return curves
	}
	bad := func(c *analysis.NormCurve) int {
		worst := 0
		for _, m := range c.Marks {
			if worst = max(worst, 1); m.Level == analysis.LevelError {
				return 2
			}
		}
		return worst
	}
	order := make([]int, len(curves))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(bad(curves[j]), bad(curves[i])) })
	order = order[:mostNorms]
	slices.Sort(order)
	var some []*analysis.NormCurve
	for _, i := range order {
		some = append(some, curves[i])
	}
	a.tell("the figure has the norms of %d of %d tables, those with findings first: SOURCE#TENSOR chooses others, --norms -f tsv gives all", len(some), len(curves))
	return some
}

// normsTable is the long form: a row a source and position or offset.
func normsTable(curves []*analysis.NormCurve) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "tensor"}}}
	var axes []string // of any table, in the order of their first
	names := func(c *analysis.NormCurve) []string {
		if c.Axis == analysis.NormPosition {
			return []string{c.Axis}
		}
		var all []string
		for _, x := range c.Axes {
			all = append(all, x.Name)
		}
		return all
	}
	for _, c := range curves {
		for _, name := range names(c) {
			if !slices.Contains(axes, name) {
				axes = append(axes, name)
			}
		}
	}
	for _, name := range axes {
		t.Cols = append(t.Cols, report.Column{Name: name, Numeric: true})
	}
	t.Cols = append(t.Cols, report.Column{Name: "norm", Numeric: true}, report.Column{Name: "findings"})
	for _, c := range curves {
		own := names(c)
		for i, at := range c.At {
			row := []any{c.Label, text(c.Tensor)}
			for _, name := range axes {
				switch k := slices.Index(own, name); {
				case k < 0:
					row = append(row, nil)
				case c.Offsets != nil:
					row = append(row, c.Offsets[i][k])
				default:
					row = append(row, at)
				}
			}
			t.Rows = append(t.Rows, append(row, c.Norm[i], text(strings.Join(c.Found(at), ","))))
		}
	}
	return t
}

// writeNorms shows norms to people: their figures, and the picture of some.
func writeNorms(w io.Writer, curves, drawn []*analysis.NormCurve, o *outputFlags, s screen) error {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "rows", Numeric: true}, {Name: "median", Numeric: true, Digits: 4}, {Name: "min", Numeric: true, Digits: 4}, {Name: "at", Numeric: true}, {Name: "max", Numeric: true, Digits: 4}, {Name: "at", Numeric: true}, {Name: "findings"}}}
	for _, c := range curves {
		var codes []string
		for _, m := range c.Marks {
			codes = append(codes, m.Code)
		}
		slices.Sort(codes)
		t.Rows = append(t.Rows, []any{c.Label, len(c.At), float64(c.Median), float64(c.Min.Value), c.Min.At, float64(c.Max.Value), c.Max.At, text(strings.Join(slices.Compact(codes), ","))})
	}
	if err := s.table(w, t); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return s.draw(w, normsChart(drawn, o))
}
