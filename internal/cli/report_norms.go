package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// normCurves are the norms of tables that have some.
func normCurves(all []examined) []*analysis.NormCurve {
	var curves []*analysis.NormCurve
	for _, e := range all {
		if e.norms != nil {
			curves = append(curves, e.norms)
		}
	}
	return curves
}

// drawNorms draws norms; nil where there are none.
func (b *book) drawNorms(curves []*analysis.NormCurve) (*sheet, error) {
	if curves == nil {
		return nil, nil
	}
	p := withNorms(&product{command: "report"}, curves, curves, true, &b.how.figures)
	return b.draw(p)
}

// putNorms writes the page of drawn norms, if there are any.
func (b *book) putNorms(ctx context.Context, name, which string, s *sheet) error {
	if s == nil {
		return nil
	}
	curves := normCurves(b.now.examined)
	for _, c := range curves {
		b.now.notes = append(b.now.notes, c.Notes...)
	}
	pg := page{Title: "Norms: " + which, Caption: normsCaption(b.now.examined), Result: each(curves)}
	return b.put(ctx, name+"-norms", pg, s)
}

// normsCaption says how long rows are, and what was found in them.
func normsCaption(all []examined) []string {
	meaning := "A level line gives all rows the same weight; a step, or a stretch at a level of its own, is often where training did not reach; a row that stands out is one that the model treats apart."
	curves := normCurves(all)
	if curves[0].Axis == analysis.NormPosition {
		meaning = "A position is added to a token's vector, and a longer row weighs more there. " + meaning
	} else {
		meaning = "A query is scored with the row of an offset, and a longer row can move its score more. " + meaning
	}
	var of []posemb.Origin
	for _, c := range curves {
		of = append(of, c.Origin)
	}
	_, names := legend(of)
	lines := []string{"Norm (length) of each row."}
	for _, e := range all {
		k := slices.Index(curves, e.norms)
		if k < 0 || k >= mostNamed {
			continue
		}
		words := normWords(e)
		if names[k] != "" {
			words = names[k] + ": " + words
		}
		lines = append(lines, capital(words, names[k] == ""))
	}
	if more := len(curves) - mostNamed; more > 0 {
		lines = append(lines, fmt.Sprintf("And %s more.", counted(more, "table")))
	}
	return []string{strings.Join(lines, " "), meaning}
}

// normWords are the figures of one table's norms, and what is marked there.
func normWords(e examined) string {
	c := e.norms
	s := fmt.Sprintf("median %s, smallest %s at %s %d, largest %s at %s %d",
		figureText(c.Median), figureText(c.Min.Value), c.Axis, c.Min.At, figureText(c.Max.Value), c.Axis, c.Max.At)
	if v, ok := normSlope(e.metrics); ok && c.Axis == analysis.NormPosition {
		s += fmt.Sprintf("; slope %s of the mean norm per thousand positions (norm_slope)", figureText(v))
	}
	switch {
	case e.check == nil:
		return s + ". Not checked, so that nothing is marked."
	case len(c.Marks) == 0 && len(c.Notes) > 0: // of rows that are not on it
		return s + ". Nothing was found on it."
	case len(c.Marks) == 0:
		return s + ". Nothing was found in it."
	}
	return s + ". Marked: " + markWords(c) + "."
}

// normSlope is that metric, where it was taken and is defined.
func normSlope(set *analysis.MetricSet) (analysis.Value, bool) {
	if set == nil {
		return 0, false
	}
	for _, m := range set.Metrics {
		if m.Name == "norm_slope" {
			return m.Value, m.Value.Defined()
		}
	}
	return 0, false
}

// markWords names what is marked: "zero-rows (error) at 3, 7..12".
func markWords(c *analysis.NormCurve) string {
	var marks []string
	for _, m := range c.Marks {
		where := "in the whole table"
		if !m.Whole {
			where = "at " + spansText(m.Rows[:min(len(m.Rows), mostNamed)])
			if more := len(m.Rows) - mostNamed; more > 0 {
				where += " and at " + counted(more, "place") + " more"
			}
			where = strings.ReplaceAll(where, ",", ", ")
		}
		marks = append(marks, fmt.Sprintf("%s (%s) %s", m.Code, m.Level, where))
	}
	return strings.Join(marks, "; ")
}
