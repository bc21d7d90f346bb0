package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// spectrumProduct is a set of spectra in every form.
func spectrumProduct(results []*analysis.SpectrumResult, how *spectrumFlags, o *outputFlags) *product {
	return &product{
		command: "spectrum",
		text:    func(w io.Writer, s screen) error { return writeSpectrum(w, results, how, o, s) },
		table:   func() *report.Table { return spectrumTable(results, how) },
		results: func() []any { return each(results) },
		chart:   func() figure.Chart { return spectrumChart(results, how, o) },
	}
}

// spectrumOrigins are where the tables came from.
func spectrumOrigins(results []*analysis.SpectrumResult) []posemb.Origin {
	var of []posemb.Origin
	for _, r := range results {
		of = append(of, r.Origin)
	}
	return of
}

// writeSpectrum shows spectra to people: figures, periods, pairs and a drawing.
func writeSpectrum(w io.Writer, results []*analysis.SpectrumResult, how *spectrumFlags, o *outputFlags, s screen) error {
	small := *how
	if small.plot == "all" { // one part is as much as a terminal shows well
		small.plot = "scores"
		if len(results) > 1 {
			small.plot = "power"
		}
	}
	for i, t := range []*report.Table{spectrumFigures(results), periodsText(results), pairsText(results)} {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := s.table(w, t); err != nil {
			return err
		}
	}
	if len(spectrumCharts(results, &small, o)) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	return s.draw(w, spectrumChart(results, &small, o))
}

// textTable is an empty table for people, with a column of sources and some of numbers.
func textTable(names ...string) *report.Table {
	t := longTable(names...)
	for i := range t.Cols {
		t.Cols[i].Digits = 4
	}
	return t
}

// periodsText are the dominant periods for people.
func periodsText(results []*analysis.SpectrumResult) *report.Table {
	t := textTable("period", "turns", "share")
	for _, r := range results {
		for _, p := range r.Periods {
			t.Rows = append(t.Rows, []any{r.Label, p.Period, p.Turns, p.Share})
		}
	}
	if len(t.Rows) == 0 {
		return &report.Table{Title: "No period stands out of the power spectrum."}
	}
	t.Title = "Dominant periods, in positions: turns within the table, share of the power"
	return t
}

// pairsText are the rotational pairs for people.
func pairsText(results []*analysis.SpectrumResult) *report.Table {
	t := textTable("components", "period", "turns", "radius", "off_90", "wave", "energy", "coherence")
	t.Cols[1].Numeric = false
	for _, r := range results {
		for _, p := range r.Pairs {
			t.Rows = append(t.Rows, []any{r.Label, fmt.Sprintf("%d, %d", p.A, p.B), p.Period, p.Turns, float64(p.Radius), p.QuadratureError, p.WaveShare, p.EnergyShare, p.Coherence})
		}
	}
	if len(t.Rows) == 0 {
		return &report.Table{Title: "No two components turn together."}
	}
	t.Title = "Components that turn together"
	t.Notes = []string{"off_90: degrees that their phases are away from a quarter of a turn; wave: share of their energy in steady waves of this period; energy: within two turns of it"}
	return t
}

// shownShares is of how many components the small bars show the share: as many as there
// are bars where a line has room, so that each has its own.
const shownShares = 13

// spectrumFigures is one row of figures a source.
func spectrumFigures(results []*analysis.SpectrumResult) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "positions", Numeric: true}, {Name: "width", Numeric: true}}}
	for _, name := range []string{"first", "for_90", "for_95", "for_99", "participation", "entropy_rank", "stable_rank", "flatness"} {
		t.Cols = append(t.Cols, report.Column{Name: name, Numeric: true, Digits: 4})
	}
	shares := make([][]float64, len(results))
	for i, r := range results {
		shares[i] = r.Share[:min(shownShares, len(r.Share))]
	}
	sparks := report.Sparks(append(shares, []float64{0})...) // bars that stand on 0
	t.Cols = append(t.Cols, report.Column{Name: "shares", Spark: true, Note: fmt.Sprintf("shares: of the first %d components, from 0 to %.3g of the variance", shownShares, sparks[0].Most)})
	_, names := legend(spectrumOrigins(results))
	for i, r := range results {
		row := []any{cmp.Or(names[i], r.Label), len(r.Positions), r.Width}
		for _, v := range []analysis.Value{r.TopComponentShare, r.ComponentsFor90, r.ComponentsFor95, r.ComponentsFor99, r.ParticipationRatio, r.EntropyRank, r.StableRank, r.SpectralFlatness} {
			row = append(row, float64(v))
		}
		t.Rows = append(t.Rows, append(row, sparks[i]))
	}
	t.Notes = []string{"first: share of the variance along the first principal component; for_90: components that hold 90 %. More: poslens help metrics"}
	return t
}

// spectrumTable is the long form that --table chooses.
func spectrumTable(results []*analysis.SpectrumResult, how *spectrumFlags) *report.Table {
	switch how.table {
	case "scores":
		return spectrumScores(results, how)
	case "power":
		return spectrumPower(results)
	case "periods":
		return spectrumPeriods(results)
	case "pairs":
		return spectrumPairs(results)
	}
	t := longTable("component", "variance", "share", "cumulative_share")
	for _, r := range results {
		for k := range r.Variance {
			t.Rows = append(t.Rows, []any{r.Label, k, r.Variance[k], r.Share[k], r.CumulativeShare[k]})
		}
	}
	return t
}

// longTable is an empty table with a column of sources and some of numbers.
func longTable(names ...string) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}}}
	for _, name := range names {
		t.Cols = append(t.Cols, report.Column{Name: name, Numeric: true})
	}
	return t
}

// spectrumScores has the place on the grid too, where a table has one.
func spectrumScores(results []*analysis.SpectrumResult, how *spectrumFlags) *report.Table {
	gridded := slices.ContainsFunc(results, func(r *analysis.SpectrumResult) bool { return r.Grid != nil })
	t := longTable("component", "position", "score")
	if gridded {
		t = longTable("component", "position", "row", "column", "score")
	}
	for _, r := range results {
		for _, c := range componentsOf(r, how, len(r.Components)) {
			for i, p := range r.Positions {
				row := []any{r.Label, c.Index, p}
				switch {
				case r.Grid != nil:
					row = append(row, i/r.Grid.Cols, i%r.Grid.Cols)
				case gridded:
					row = append(row, nil, nil)
				}
				t.Rows = append(t.Rows, append(row, c.Scores[i]))
			}
		}
	}
	return t
}

func spectrumPower(results []*analysis.SpectrumResult) *report.Table {
	t := longTable("frequency", "period", "power", "share")
	for _, r := range results {
		if p := r.Power; p != nil {
			for i := range p.Frequency {
				t.Rows = append(t.Rows, []any{r.Label, p.Frequency[i], p.Period[i], p.Power[i], p.Share[i]})
			}
		}
	}
	return t
}

func spectrumPeriods(results []*analysis.SpectrumResult) *report.Table {
	t := longTable("period", "frequency", "turns", "power", "share")
	for _, r := range results {
		for _, p := range r.Periods {
			t.Rows = append(t.Rows, []any{r.Label, p.Period, p.Frequency, p.Turns, float64(p.Power), p.Share})
		}
	}
	return t
}

func spectrumPairs(results []*analysis.SpectrumResult) *report.Table {
	t := longTable("component_a", "component_b", "period", "turns", "radius", "quadrature_error", "wave_share", "energy_share", "coherence")
	for _, r := range results {
		for _, p := range r.Pairs {
			t.Rows = append(t.Rows, []any{r.Label, p.A, p.B, p.Period, p.Turns, float64(p.Radius), p.QuadratureError, p.WaveShare, p.EnergyShare, p.Coherence})
		}
	}
	return t
}

// componentsOf are the components asked for that there are, or the first few.
func componentsOf(r *analysis.SpectrumResult, how *spectrumFlags, few int) []analysis.Component {
	if how.listed == nil {
		return r.Components[:min(few, len(r.Components))]
	}
	var some []analysis.Component
	for _, k := range how.listed {
		if k < len(r.Components) {
			some = append(some, r.Components[k])
		}
	}
	return some
}
