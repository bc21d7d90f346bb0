package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// checkProduct is what was found in every form.
func checkProduct(tables []checkedTable) *product {
	var results []*analysis.CheckResult
	for _, t := range tables {
		results = append(results, t.CheckResult)
	}
	return &product{
		command: "check",
		text:    func(w io.Writer, s screen) error { return writeChecks(w, tables, s) },
		table:   func() *report.Table { return checksTable(results) },
		results: func() []any { return each(results) },
	}
}

// withNorms adds the figure of norms, and in place of the findings puts their numbers.
func withNorms(p *product, curves, drawn []*analysis.NormCurve, numbers bool, o *outputFlags) *product {
	p.chart = func() figure.Chart { return normsChart(drawn, o) }
	if numbers {
		p.text = func(w io.Writer, s screen) error { return writeNorms(w, curves, drawn, o, s) }
		p.table = func() *report.Table { return normsTable(curves) }
		p.results = func() []any { return each(curves) }
	}
	return p
}

// checksTable has a row a finding.
func checksTable(results []*analysis.CheckResult) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "code"}, {Name: "level"}, {Name: "unit"}, {Name: "rows"}, {Name: "pairs"}, {Name: "figure"}, {Name: "value", Numeric: true}, {Name: "text"}}}
	for _, r := range results {
		for _, f := range r.Findings {
			t.Rows = append(t.Rows, []any{r.Label, f.Code, string(f.Level), text(f.Unit), text(spansText(f.Rows)), text(spansText(f.Pairs)), f.Figure, float64(f.Value), f.Text})
		}
	}
	return t
}

// spansText is "3,7..12", or of pairs "300..309=20..29".
func spansText[T fmt.Stringer](spans []T) string {
	var parts []string
	for _, s := range spans {
		parts = append(parts, s.String())
	}
	return strings.Join(parts, ",")
}

// mostPictures is how many tables a text has a picture of.
const mostPictures = 4

// writeChecks tells people, a heading a table and each finding under its code. On a
// terminal, where something was found in rows, their norms are drawn below.
func writeChecks(w io.Writer, results []checkedTable, s screen) error {
	out := bufio.NewWriter(w)
	pictures, left := 0, 0
	for _, r := range results {
		fmt.Fprintf(out, "%s (%s): %s\n", inline(r.Label), sizeOf(r.CheckResult), countsOf(r.CheckResult))
		for _, f := range r.Findings {
			fmt.Fprintf(out, "  %-5s  %s\n", f.Level, f.Code)
			for _, line := range wrap(f.Text, max(20, s.width-9)) {
				fmt.Fprintf(out, "         %s\n", printable(line))
			}
		}
		picture := onScreen(r)
		switch {
		case !s.tty || picture == nil:
		case pictures == mostPictures:
			left++
		default:
			pictures++
			if err := s.drawLines(out, picture, pictureLines); err != nil {
				return err
			}
		}
	}
	if left > 0 {
		fmt.Fprintf(out, "%s more with findings: -o FILE.png draws the norms\n", counted(left, "table"))
	}
	return out.Flush()
}

// sizeOf is a table's size in words.
func sizeOf(r *analysis.CheckResult) string {
	switch r.Kind {
	case posemb.KindBias:
		return fmt.Sprintf("%s, %s", counted(r.Rows, "offset"), counted(r.Width, "head"))
	case posemb.KindVectors:
		return fmt.Sprintf("%s x %d", counted(r.Rows, "offset"), r.Width)
	}
	return fmt.Sprintf("%s x %d", counted(r.Rows, "position"), r.Width)
}

// countsOf is how many findings there are.
func countsOf(r *analysis.CheckResult) string {
	var parts []string
	if r.Errors > 0 {
		parts = append(parts, counted(r.Errors, "error"))
	}
	if r.Notes > 0 {
		parts = append(parts, counted(r.Notes, "note"))
	}
	if parts == nil {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}

// counted is a number and its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
