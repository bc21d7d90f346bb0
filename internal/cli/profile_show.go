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

// profileView is how a set of profiles is shown. The zero value shows them as they
// are.
type profileView struct {
	along  bool         // tables of two axes are shown along one
	xscale figure.Scale // of lines
	picked bool         // heads were asked for by number
}

// view is how the flags want profiles shown.
func (p *profileFlags) view(profiles []*analysis.Profile) (profileView, error) {
	v := profileView{picked: len(p.heads) > 0, along: p.along != "", xscale: figure.Scale(max(0, slices.Index(figure.Scales(), p.xscale)))}
	if v.xscale != figure.Linear && len(profiles[0].Axes) == 2 {
		return v, &usageError{fmt.Sprintf("--xscale %s is for lines, and offsets on two axes are drawn as maps", p.xscale), "--along dy or --along dx gives lines"}
	}
	return v, nil
}

// profileProduct is a set of profiles in every form, as they are.
func profileProduct(profiles []*analysis.Profile, o *outputFlags) *product {
	return profileView{}.product(profiles, o)
}

// product is a set of profiles in every form.
func (v profileView) product(profiles []*analysis.Profile, o *outputFlags) *product {
	return &product{
		command: "profile",
		text:    func(w io.Writer, s screen) error { return v.write(w, profiles, o, s) },
		table:   func() *report.Table { return v.table(profiles) },
		results: func() []any { return each(profiles) },
		chart:   func() figure.Chart { return v.chart(profiles, o) },
	}
}

// readable is how many rows of values people are shown; the forms for programs
// have all.
const readable = 50

// write shows profiles to people: the values when they are few, the picture, and
// last what each head comes to.
func (v profileView) write(w io.Writer, profiles []*analysis.Profile, o *outputFlags, s screen) error {
	if t := v.few(profiles); t != nil {
		if err := s.table(w, t); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if tooManyMaps(profiles) {
		fmt.Fprintf(w, "%s (no picture: %s)\n", profiles[0].Quantity, tooManyMapsHint)
	} else if err := s.draw(w, v.chart(profiles, o)); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := s.table(w, profileSummary(profiles)); err != nil {
		return err
	}
	return writeFits(w, profileFits(profiles), s)
}

// placeNames are the columns of where a score stands.
func (v profileView) placeNames(profiles []*analysis.Profile) []string {
	first := profiles[0]
	switch {
	case first.Cell != nil:
		return []string{"row", "col"}
	case len(first.Axes) == 2:
		return []string{first.Axes[0].Name, first.Axes[1].Name}
	case v.along || sharedAxis(profiles) == "":
		return []string{"offset"}
	}
	return []string{sharedAxis(profiles)}
}

// sharedAxis is the name of the one axis of all profiles; empty where they differ.
func sharedAxis(profiles []*analysis.Profile) string {
	for _, p := range profiles {
		if p.Axes[0].Name != profiles[0].Axes[0].Name {
			return ""
		}
	}
	return profiles[0].Axes[0].Name
}

// table is the long form: a row a source, head and offset, or cell of a window.
func (v profileView) table(profiles []*analysis.Profile) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "head"}}}
	for _, name := range v.placeNames(profiles) {
		t.Cols = append(t.Cols, report.Column{Name: name, Numeric: true})
	}
	t.Cols = append(t.Cols, report.Column{Name: profiles[0].Quantity, Numeric: true})
	band := slices.ContainsFunc(profiles, func(p *analysis.Profile) bool { return p.Band != "" })
	if band {
		t.Cols = append(t.Cols, report.Column{Name: "lo", Numeric: true}, report.Column{Name: "hi", Numeric: true})
	}
	fit := len(profileFits(profiles)) > 0
	if fit {
		t.Cols = append(t.Cols, fitColumn())
	}
	t.Behind = func(yield func([]any) bool) { // a large table has millions
		for _, p := range profiles {
			for _, h := range p.Heads {
				for i, score := range h.Score {
					row := []any{p.Label, h.Head}
					for _, k := range p.Place(p.Offsets[i]) {
						row = append(row, k)
					}
					row = append(row, score)
					switch {
					case band && h.Lo != nil:
						row = append(row, h.Lo[i], h.Hi[i])
					case band: // beside others that have one
						row = append(row, nil, nil)
					}
					if fit {
						row = append(row, h.Fits.Curve[i])
					}
					if !yield(row) {
						return
					}
				}
			}
		}
	}
	return t
}

// few is the long form where people are shown it, else nil.
func (v profileView) few(profiles []*analysis.Profile) *report.Table {
	rows := 0
	for _, p := range profiles {
		if rows += len(p.Heads) * len(p.Offsets); rows > readable {
			return nil
		}
	}
	t := v.table(profiles)
	t.Rows, t.Behind = slices.Collect(t.Behind), nil
	return t
}

// profileSummary is one row of figures a head.
func profileSummary(profiles []*analysis.Profile) *report.Table {
	t := &report.Table{Cols: []report.Column{
		{Name: "source"}, {Name: "head"}, {Name: "peak"}, {Name: "peak_score", Numeric: true},
		{Name: "back", Numeric: true, Digits: 3}, {Name: "here", Numeric: true, Digits: 3}, {Name: "ahead", Numeric: true, Digits: 3},
		{Name: "asymmetry", Numeric: true, Digits: 3}, {Name: "reach_90", Numeric: true},
	}}
	lines := !slices.ContainsFunc(profiles, func(p *analysis.Profile) bool { return len(p.Axes) > 1 })
	if lines {
		t.Cols = append(t.Cols, report.Column{Name: "curve", Spark: true, Note: headCurve(profiles)})
	}
	_, names := legend(origins(profiles))
	for i, p := range profiles {
		for _, h := range p.Heads {
			row := []any{cmp.Or(names[i], p.Label), h.Head, peakText(p, h), float64(h.PeakScore), float64(h.MassBack), float64(h.MassHere), float64(h.MassAhead), float64(h.Asymmetry), float64(h.Reach90)}
			if lines {
				row = append(row, report.Sparks(h.Score)[0])
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = []string{"back, here, ahead are mass_back, mass_here, mass_ahead of poslens help metrics, which has all figures: shares of the softmax over the window; reach_90: smallest K with 90 % of it in |offset| <= K"}
	if profiles[0].Cell != nil {
		t.Notes = append(t.Notes, "peak: row and column of the key")
	}
	return t
}

// headCurve words the small curves of heads.
func headCurve(profiles []*analysis.Profile) string {
	first := profiles[0].Offsets
	from, to := first[0][0], first[len(first)-1][0]
	over := fmt.Sprintf("offset %d to %d", from, to)
	if from == -to {
		over += ", 0 in the middle"
	}
	for _, p := range profiles {
		if p.Offsets[0][0] != from || p.Offsets[len(p.Offsets)-1][0] != to {
			over = "the offsets of its table"
		}
	}
	return fmt.Sprintf("curve: %s over %s, each head from its least to its most", profiles[0].Quantity, over)
}

// peakText names where a head's peak stands.
func peakText(p *analysis.Profile, h analysis.HeadProfile) string {
	places := make([]analysis.Offset, len(h.Peak))
	for i, k := range h.Peak {
		places[i] = p.Place(k)
	}
	h.Peak = places
	return h.PeakText()
}

// chart draws one-axis profiles as lines, and two-axis ones as a map a head.
func (v profileView) chart(profiles []*analysis.Profile, o *outputFlags) figure.Chart {
	if len(profiles[0].Axes) == 2 {
		return profileMaps(profiles, o)
	}
	title, names := legend(origins(profiles))
	l := &figure.Lines{Title: title, XLabel: offsetLabel(profiles), YLabel: quantityLabel(profiles), XScale: v.xscale, MarkZero: true}
	if profiles[0].MeanOver != "" && l.YLabel != profiles[0].Quantity {
		l.YLabel += " ± 1 SD" // which the band is
	}
	l.Sides = sidesOf(sharedAxis(profiles))
	lines := len(profileFits(profiles))
	for i, p := range profiles {
		for _, h := range p.Heads {
			s := figure.Series{Name: v.headName(names[i], h, len(p.Heads)), Y: h.Score, Lo: h.Lo, Hi: h.Hi, Steps: p.Steps}
			for _, k := range p.Offsets {
				s.X = append(s.X, float64(k[0]))
			}
			l.Series = append(l.Series, s)
			drawFit(l, h.Fits, p.Quantity, lines)
		}
	}
	o.setSpan(&l.YMin, &l.YMax)
	return l
}

// offsetLabel words the axis of one-axis profiles with its unit: positions in a
// sequence, cells of an image along dy and dx.
func offsetLabel(profiles []*analysis.Profile) string {
	if name := sharedAxis(profiles); slices.Contains(imageAxes, name) {
		return name + " (key − query, cells)"
	}
	if slices.ContainsFunc(profiles, func(p *analysis.Profile) bool { return slices.Contains(imageAxes, p.Axes[0].Name) }) {
		return "offset (key − query, positions or cells)"
	}
	return "offset (key − query, positions)"
}

// quantityLabel words what is shown, and of what it is the mean.
func quantityLabel(profiles []*analysis.Profile) string {
	first := profiles[0]
	for _, p := range profiles {
		if p.MeanOver != first.MeanOver {
			return first.Quantity
		}
	}
	if first.MeanOver == "" {
		return first.Quantity
	}
	return fmt.Sprintf("%s, mean over %s", first.Quantity, first.MeanOver)
}

// headName names a head by what tells it from the others.
func (v profileView) headName(table string, h analysis.HeadProfile, heads int) string {
	switch {
	case heads == 1 && !v.picked:
		return table
	case table == "":
		return headTitle(h)
	}
	return table + ", " + headTitle(h)
}

// origins are where profiles came from.
func origins(profiles []*analysis.Profile) []posemb.Origin {
	var of []posemb.Origin
	for _, p := range profiles {
		of = append(of, p.Origin)
	}
	return of
}
