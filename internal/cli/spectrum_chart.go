package cli

import (
	"fmt"
	"math"

	"poslens/internal/analysis"
	"poslens/internal/figure"
)

// mostSpectra is the most sources that have parts of their own in one figure.
const mostSpectra = 4

// smallBoard is the width in inches below which a board's charts have short words alone.
const smallBoard = 5

// spectrumChart is the chart of --plot: one, or several on a board.
func spectrumChart(results []*analysis.SpectrumResult, how *spectrumFlags, o *outputFlags) figure.Chart {
	charts := spectrumCharts(results, how, o)
	title, _ := legend(spectrumOrigins(results))
	if len(charts) != 1 {
		return &figure.Board{Title: title, Cols: 2, Charts: charts}
	}
	switch c := charts[0].(type) { // by itself it is named by its source
	case *figure.Lines:
		c.Title = title
	case *figure.Scatter:
		c.Title = title
		if p := turningPair(results[0], how); p != nil {
			c.Title = fmt.Sprintf("%s: %s", title, turnText(p, true))
		}
	}
	return charts[0]
}

// spectrumCharts are the parts of the figure for which there is something to draw.
func spectrumCharts(results []*analysis.SpectrumResult, how *spectrumFlags, o *outputFlags) []figure.Chart {
	var charts []figure.Chart
	add := func(part string, c figure.Chart) {
		if how.plot == "all" || how.plot == part {
			charts = append(charts, c)
		}
	}
	variance, power := varianceChart(results), powerChart(results)
	if how.plot != "all" {
		o.setSpan(&variance.YMin, &variance.YMax)
		o.setSpan(&power.YMin, &power.YMax)
	}
	several := len(results) > 1
	small := how.plot == "all" && o.width > 0 && o.width < smallBoard
	if len(variance.Series) > 0 {
		add("variance", variance)
	}
	if several && len(power.Series) > 0 {
		add("power", power)
	}
	if !several || how.plot != "all" || len(results) <= mostSpectra {
		_, names := legend(spectrumOrigins(results))
		for i, r := range results {
			prefix := ""
			if several {
				prefix = names[i] + ": "
			}
			if c := scoresChart(r, how, prefix, small); len(c.Series) > 0 {
				if how.plot == "scores" {
					o.setSpan(&c.YMin, &c.YMax)
				}
				add("scores", c)
			}
			if c := scatterChart(r, how, prefix, small); c != nil {
				add("scatter", c)
			}
		}
	}
	if !several && len(power.Series) > 0 {
		add("power", power)
	}
	return charts
}

// varianceChart draws what share of the variance the first components hold.
func varianceChart(results []*analysis.SpectrumResult) *figure.Lines {
	l := &figure.Lines{Title: "explained variance", XLabel: "first principal components (count)", YLabel: "share of the variance", XLog: true, YMax: 1}
	_, names := legend(spectrumOrigins(results))
	for i, r := range results {
		s := figure.Series{Name: names[i], Y: r.CumulativeShare}
		for k := range r.CumulativeShare {
			s.X = append(s.X, float64(k+1))
		}
		if len(s.X) > 0 {
			l.Series = append(l.Series, s)
		}
	}
	return l
}

// powerChart draws the share of each frequency's power against the period, with a dot
// on each dominant period of a single table.
func powerChart(results []*analysis.SpectrumResult) *figure.Lines {
	l := &figure.Lines{Title: "mean power spectrum", XLabel: "period (positions)", YLabel: "share of the power", XLog: true, YLog: true}
	_, names := legend(spectrumOrigins(results))
	for i, r := range results {
		if r.Power == nil {
			continue
		}
		l.Series = append(l.Series, figure.Series{Name: names[i], X: r.Power.Period, Y: r.Power.Share})
	}
	if len(results) > 1 || len(l.Series) == 0 || len(results[0].Periods) == 0 {
		return l
	}
	p := results[0].Power
	dots := figure.Series{Name: "dominant periods"}
	for _, peak := range results[0].Periods {
		bin := int(math.Round(peak.Turns)) - 1
		dots.X = append(dots.X, p.Period[bin], math.NaN()) // gaps part the dots
		dots.Y = append(dots.Y, p.Share[bin], math.NaN())
	}
	l.Series = append(l.Series, dots)
	return l
}

// scoresChart draws components along the positions; a small one is without their shares.
func scoresChart(r *analysis.SpectrumResult, how *spectrumFlags, prefix string, small bool) *figure.Lines {
	l := &figure.Lines{Title: prefix + "components (share of variance)", XLabel: "position", YLabel: "score (units of the table)"}
	name := "%d (%.3g %%)"
	if how.plot == "scores" { // which may stand without this title
		name = "component " + name
	}
	if small {
		l.Title, l.YLabel = prefix+"components", "score"
	}
	for _, c := range componentsOf(r, how, 4) {
		label := fmt.Sprintf(name, c.Index, 100*float64(c.Share))
		if small {
			label = fmt.Sprint(c.Index)
		}
		l.Series = append(l.Series, figure.Series{Name: label, X: floats(r.Positions), Y: c.Scores})
	}
	return l
}

// turningPair is the pair of components whose circle is the largest, of those that are
// found to turn together; one of less than two turns, which may be chance, where there
// is no other. nil: there is none, or components were asked for.
func turningPair(r *analysis.SpectrumResult, how *spectrumFlags) *analysis.HelixPair {
	const sure = 2
	if how.listed != nil {
		return nil
	}
	var best *analysis.HelixPair
	for i := range r.Pairs {
		p := &r.Pairs[i]
		if best == nil || (p.Turns >= sure) != (best.Turns >= sure) && p.Turns >= sure || (p.Turns >= sure) == (best.Turns >= sure) && p.Radius > best.Radius {
			best = p
		}
	}
	return best
}

// turnText says that two components turn together, shortly where a name stands before it
// and the axes tell which.
func turnText(p *analysis.HelixPair, short bool) string {
	if short {
		return fmt.Sprintf("turning pair, period %.3g", p.Period)
	}
	return fmt.Sprintf("components %d and %d turn together, period %.3g", p.A, p.B, p.Period)
}

// scatterChart draws two components against each other: those that turn together the
// most, or the first two; nil where there are no two.
func scatterChart(r *analysis.SpectrumResult, how *spectrumFlags, prefix string, small bool) *figure.Scatter {
	two := componentsOf(r, how, 2)
	if len(two) < 2 {
		return nil
	}
	title := fmt.Sprintf("components %d and %d (share of variance)", two[0].Index, two[1].Index)
	if small {
		title = "two components"
	}
	if p := turningPair(r, how); p != nil {
		both := r.Of(*p)
		two, title = both[:], turnText(p, small || prefix != "")
	}
	name := "component %d (%.3g %%)"
	if how.plot == "scatter" { // which may stand without this title
		name = "component %d (%.3g %% of variance)"
	}
	s := &figure.Scatter{
		Title:  prefix + title,
		XLabel: fmt.Sprintf(name, two[0].Index, 100*float64(two[0].Share)), YLabel: fmt.Sprintf(name, two[1].Index, 100*float64(two[1].Share)),
		X: two[0].Scores, Y: two[1].Scores,
	}
	if r.Grid == nil {
		s.ColorLabel, s.Value = "position", floats(r.Positions)
		return s
	}
	s.Cells = &figure.Cells{Rows: r.Grid.Rows, Cols: r.Grid.Cols}
	for i := range r.Positions {
		s.Cells.Row, s.Cells.Col = append(s.Cells.Row, i/r.Grid.Cols), append(s.Cells.Col, i%r.Grid.Cols)
	}
	return s
}
