package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/report"
)

// fitted is one line of a figure with its fits.
type fitted struct {
	source, head string
	fits         *analysis.CurveFits
}

func decayFits(curves []*analysis.DecayCurve) []fitted {
	var all []fitted
	for _, c := range curves {
		if c.Fits != nil {
			all = append(all, fitted{source: c.Label, fits: c.Fits})
		}
	}
	return all
}

func profileFits(profiles []*analysis.Profile) []fitted {
	var all []fitted
	for _, p := range profiles {
		for _, h := range p.Heads {
			if h.Fits != nil {
				all = append(all, fitted{p.Label, h.Head, h.Fits})
			}
		}
	}
	return all
}

// writeFits tells the best fit of each line in a sentence, and all models in a
// table; where there are many lines, the table has the best alone.
func writeFits(w io.Writer, all []fitted, s screen) error {
	if len(all) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	if len(all) <= fewFits {
		for _, f := range all {
			for _, line := range wrap(printable(f.sentence()), max(20, s.width)) {
				fmt.Fprintln(w, line)
			}
		}
		fmt.Fprintln(w)
	}
	return s.table(w, fitTable(all, len(all) > fewFits))
}

// fewFits is how many lines have a sentence, and a curve in the figure.
const fewFits = 4

// sentence tells the best fit.
func (f fitted) sentence() string {
	name := f.source
	if f.head != "" {
		name += ", head " + f.head
	}
	best := f.fits.BestFit()
	switch {
	case best == nil && !slices.ContainsFunc(f.fits.Models, func(m analysis.Fit) bool { return m.Converged && m.AICc.Defined() }):
		return name + ": none of the models can be fitted."
	case best == nil:
		return name + ": no model fits better than a constant."
	}
	s := fmt.Sprintf("%s: %s fits best", name, fitTitle(best.Model))
	for i, p := range best.Params {
		sep := ","
		if i == 0 {
			sep = ":"
		}
		s += fmt.Sprintf("%s %s %s", sep, strings.ReplaceAll(p.Name, "_", " "), measured(p.Estimate))
		if p.Unit == "positions" {
			s += " positions"
		}
	}
	if best.NoiseFloor != nil && best.NoiseFloor.Value.Defined() {
		s += ", noise floor " + measured(*best.NoiseFloor)
	}
	errors := ""
	if best.Reasons["std_err"] != "" {
		errors = "errors NA, "
	}
	return s + fmt.Sprintf(" (%sR2 %.4g, distances %v to %v).", errors, float64(best.R2), f.fits.From, f.fits.To)
}

// fitTable is a row a line and model.
func fitTable(all []fitted, bestOnly bool) *report.Table {
	t := &report.Table{}
	many := slices.ContainsFunc(all, func(f fitted) bool { return f.source != all[0].source })
	if many {
		t.Cols = append(t.Cols, report.Column{Name: "source"})
	}
	heads := slices.ContainsFunc(all, func(f fitted) bool { return f.head != "" })
	if heads {
		t.Cols = append(t.Cols, report.Column{Name: "head"})
	}
	floor := slices.ContainsFunc(all, func(f fitted) bool {
		return slices.ContainsFunc(f.fits.Models, func(m analysis.Fit) bool { return m.NoiseFloor != nil })
	})
	t.Cols = append(t.Cols, report.Column{Name: "model"}, report.Column{Name: "parameters"})
	if floor {
		t.Cols = append(t.Cols, report.Column{Name: "noise_floor", Numeric: true, Digits: 3})
	}
	t.Cols = append(t.Cols, report.Column{Name: "r2", Numeric: true, Digits: 5}, report.Column{Name: "d_aicc", Numeric: true, Digits: 3})
	for _, f := range all {
		best := f.fits.BestFit()
		for i := range f.fits.Models {
			m := &f.fits.Models[i]
			if bestOnly && m.Model != f.fits.Best && (best != nil || i > 0) {
				continue
			}
			var row []any
			if many {
				row = append(row, f.source)
			}
			if heads {
				row = append(row, f.head)
			}
			row = append(row, m.Model, parameters(m))
			if floor {
				var v any
				if m.NoiseFloor != nil && m.Converged {
					v = float64(m.NoiseFloor.Value)
				}
				row = append(row, v)
			}
			r2, d := math.NaN(), math.NaN()
			if m.Converged {
				r2 = float64(m.R2)
				if best != nil {
					d = float64(m.AICc - best.AICc)
				}
			}
			t.Rows = append(t.Rows, append(row, r2, d))
		}
	}
	t.Notes = append(failures(all), "d_aicc: above the best model's AICc; below 2 a model is as good. Formulas: poslens help metrics")
	if !bestOnly {
		t.Notes = append(t.Notes, errorNotes(all)...)
	} else {
		t.Notes = append(t.Notes, "the best model of each; the others and the errors: -f json")
	}
	return t
}

// errorNotes tell how the errors that the sentences show are meant.
func errorNotes(all []fitted) []string {
	by := func(method string) bool {
		return slices.ContainsFunc(all, func(f fitted) bool {
			return f.fits.ErrorsBy == method && strings.Contains(f.sentence(), "±")
		})
	}
	var notes []string
	if by(analysis.ErrorsJackknife) {
		notes = append(notes, "errors are a jackknife's: of fits that leave out a tenth of the positions, stretch by stretch")
	}
	if by(analysis.ErrorsFormal) {
		notes = append(notes, "errors take the points for independent, which neighbours often are not: true ones can be ten times as large")
	}
	return notes
}

// parameters are those of a fit, without their errors.
func parameters(m *analysis.Fit) string {
	if !m.Converged {
		return "not fitted"
	}
	var list []string
	for _, p := range m.Params {
		list = append(list, fmt.Sprintf("%s = %.4g", p.Symbol, round(float64(p.Value), float64(p.StdErr))))
	}
	return strings.Join(list, ", ")
}

// failures tell, once each, why models could not be fitted, or have no errors.
func failures(all []fitted) []string {
	var list []string
	if len(all) > fewFits { // the notes of the heads told
		return nil
	}
	for _, f := range all {
		for _, m := range f.fits.Models {
			text := m.Model + ": " + m.Reasons["converged"]
			if reason := m.Reasons["std_err"]; m.Converged && reason != "" {
				text = m.Model + ": no errors: " + reason
			} else if m.Converged {
				continue
			}
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

// drawFit adds the best fit to a chart, dashed and in the colour of the line that it
// fits, whose name it bears.
func drawFit(l *figure.Lines, fits *analysis.CurveFits, what string, lines int) {
	if fits == nil || lines > fewFits {
		return
	}
	best := fits.BestFit()
	if best == nil {
		return
	}
	line := &l.Series[len(l.Series)-1]
	name := fitName(best)
	if line.Name == "" {
		line.Name = what
	} else {
		name = line.Name + ": " + name
	}
	l.Series = append(l.Series, figure.Series{Name: name, X: line.X, Y: fits.Curve, Dashed: true, Of: line.Name})
}

// fitColumn is the column of the fits in a table of the long form.
func fitColumn() report.Column { return report.Column{Name: "fit", Numeric: true, Digits: 4} }

// addFits adds the column of the fits to a table in the long form.
func addFits(t *report.Table, all []fitted) {
	if len(all) == 0 {
		return
	}
	t.Cols = append(t.Cols, fitColumn())
	row := 0
	for _, f := range all {
		for _, v := range f.fits.Curve {
			t.Rows[row] = append(t.Rows[row], v)
			row++
		}
	}
}
