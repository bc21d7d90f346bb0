package cli

import (
	"context"
	"fmt"
	"slices"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// pageTables is how many relative tables share one figure.
const pageTables = 8

// absolute writes the pages of the absolute tables: each one's heat map and
// decay, and all decays on one figure when there are several.
func (b *book) absolute(ctx context.Context, tables []loaded) error {
	var curves []*analysis.DecayCurve
	for _, l := range tables {
		t, ok := l.table.(*posemb.Absolute)
		if !ok {
			continue
		}
		m, err := analysis.Similarity(ctx, t, analysis.SimilarityOptions{})
		if err != nil {
			return fmt.Errorf("%s: %w", l.op.raw, err)
		}
		b.app.warn(t.Label, m.Warnings)
		o := &b.how.figures
		err = b.add(ctx, t.Label+"-similarity", page{Title: "Similarity: " + t.Label, Caption: similarityCaption(m), Result: []any{m.Head()}}, similarityProduct(m, o))
		if err != nil {
			return err
		}
		c, err := analysis.Decay(ctx, t, analysis.DecayOptions{})
		if err != nil {
			return fmt.Errorf("%s: %w", l.op.raw, err)
		}
		curves = append(curves, c)
		one := []*analysis.DecayCurve{c}
		err = b.add(ctx, t.Label+"-decay", page{Title: "Decay: " + t.Label, Caption: decayCaption(c), Result: each(one)}, decayProduct(one, o))
		if err != nil {
			return err
		}
	}
	if len(curves) < 2 {
		return nil
	}
	return b.add(ctx, "decay", page{Title: "Decay of all sources", Caption: []string{"Mean cosine similarity against distance, with the middle half of the pairs."}, Result: each(curves)}, decayProduct(curves, &b.how.figures))
}

// relative writes the pages of the relative tables. Tables of one source that
// are read alike, such as the layers of a model, share a figure.
func (b *book) relative(ctx context.Context, tables []loaded) error {
	for len(tables) > 0 {
		var alike, rest []loaded
		for _, l := range tables {
			switch {
			case l.table.Kind() == posemb.KindAbsolute:
			case len(alike) < pageTables && (len(alike) == 0 || readAlike(alike[0], l)):
				alike = append(alike, l)
			default:
				rest = append(rest, l)
			}
		}
		if len(alike) > 0 {
			if err := b.profiles(ctx, alike); err != nil {
				return err
			}
		}
		tables = rest
	}
	return nil
}

// readAlike tells whether two relative tables have the same axes and source.
func readAlike(a, b loaded) bool {
	return a.op.raw == b.op.raw && a.table.Kind() == b.table.Kind() && slices.Equal(axesOf(a.table), axesOf(b.table))
}

func axesOf(t posemb.Table) []posemb.Axis {
	switch t := t.(type) {
	case *posemb.Vectors:
		return t.Axes
	case *posemb.Bias:
		return t.Axes
	}
	return nil
}

// profiles writes the pages of relative tables that are read alike.
func (b *book) profiles(ctx context.Context, tables []loaded) error {
	var profiles []*analysis.Profile
	for _, l := range tables {
		p, err := b.app.profileOf(ctx, l.table, &profileFlags{query: "uniform"})
		if err != nil {
			return fmt.Errorf("%s: %w", l.op.raw, err)
		}
		b.app.warn(p.Label, p.Warnings)
		profiles = append(profiles, p)
	}
	o := &b.how.figures
	name := tables[0].base()
	if len(tables) == 1 {
		name = profiles[0].Label
	}
	which := name
	if _, names := legend(origins(profiles)); len(names) > 1 {
		which = fmt.Sprintf("%s, %s to %s", name, names[0], names[len(names)-1])
	}
	pg := page{Title: "Profile: " + which, Caption: profileCaption(profiles), Result: each(profiles)}
	if err := b.add(ctx, name+"-profile", pg, profileProduct(profiles, o)); err != nil {
		return err
	}
	if len(profiles[0].Axes) < 2 {
		return nil
	}
	axes, err := axisProfiles(profiles)
	if err != nil {
		return fmt.Errorf("%s: %w", tables[0].op.raw, err)
	}
	pg.Title = "Profile along each axis: " + which
	pg.Caption = []string{"Scores along one axis, the other offset 0."}
	pg.Result = nil
	p := profileProduct(profiles, o)
	p.chart = func() figure.Chart { return axisPanels(axes, o) }
	p.table = func() *report.Table { return axisTable(axes) }
	return b.add(ctx, name+"-axes", pg, p)
}

func similarityCaption(m *analysis.Matrix) []string {
	n, _ := m.Scores.Dims()
	return []string{fmt.Sprintf("Cosine similarity of every two of %d positions. Mean over pairs of different positions %s, smallest %s, largest %s.",
		n, figureText(m.MeanOffdiagonal), figureText(m.Min), figureText(m.Max))}
}

func decayCaption(c *analysis.DecayCurve) []string {
	last := len(c.At) - 1
	line := fmt.Sprintf("Mean cosine similarity of positions k apart, with the middle half of the pairs. At distance %d: %s", c.At[last], figureText(analysis.Value(c.Mean[last])))
	if last > 1 {
		line = fmt.Sprintf("Mean cosine similarity of positions k apart, with the middle half of the pairs. At distance 1: %s; at distance %d: %s",
			figureText(analysis.Value(c.Mean[1])), c.At[last], figureText(analysis.Value(c.Mean[last])))
	}
	return []string{line + ". Half-life (halfway to the mean over all pairs): " + figureText(c.Summary.HalfLifeToMean) + "."}
}

func profileCaption(profiles []*analysis.Profile) []string {
	lines := []string{"Score against offset = key - query; a negative offset looks back."}
	if len(profiles) == 1 && len(profiles[0].Heads) == 1 {
		h := profiles[0].Heads[0]
		lines = append(lines, fmt.Sprintf("Peak at %s; softmax mass back %s, here %s, ahead %s.", h.PeakText(), figureText(h.MassBack), figureText(h.MassHere), figureText(h.MassAhead)))
	}
	return lines
}

// figureText rounds a figure for a sentence.
func figureText(v analysis.Value) string {
	if v != v {
		return "undefined"
	}
	return fmt.Sprintf("%.4g", float64(v))
}
