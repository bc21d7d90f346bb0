package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// pageTables is how many relative tables share one figure.
const pageTables = 6

// together groups tables by the page they share: an absolute table has its own;
// relative tables of one source that are read alike, such as the layers of a
// model, share one.
func together(tables []loaded) [][]loaded {
	var groups [][]loaded
	for _, l := range tables {
		i := slices.IndexFunc(groups, func(g []loaded) bool { return len(g) < pageTables && readAlike(g[0], l) })
		if i < 0 {
			groups = append(groups, []loaded{l})
		} else {
			groups[i] = append(groups[i], l)
		}
	}
	return groups
}

// absolute writes the pages of one absolute table: its heat map, its decay, the tiles of
// a grid and the norms, which are computed and drawn side by side.
func (b *book) absolute(ctx context.Context, t *posemb.Absolute) error {
	o := &b.how.figures
	var m *analysis.Matrix
	var span colourSpan
	var similar, decays, norms *sheet
	var grid *drawnGrid
	var merr, nerr, gerr error
	var wait sync.WaitGroup
	now := b.now
	if b.how.only != "figures" {
		wait.Go(func() {
			now.examined = b.inspect(ctx, now.tables)
			curves := normCurves(now.examined) // of which the metrics change nothing
			wait.Go(func() { norms, nerr = b.drawNorms(curves) })
			b.measure(ctx, now.examined, now.tables)
		})
		wait.Go(func() { grid, gerr = b.drawGrid(ctx, t) })
	}
	wait.Go(func() {
		if m, merr = similarity(ctx, t, analysis.SimilarityOptions{}, []string{o.format}); merr != nil {
			return
		}
		if span, merr = similaritySpan(ctx, m, o); merr == nil {
			similar, merr = b.draw(similarityProduct(ctx, m, span, o))
		}
	})
	c, err := analysis.Decay(ctx, t, analysis.DecayOptions{NoSummary: b.how.only == "figures", NoFit: true})
	curve := []*analysis.DecayCurve{c}
	if err == nil {
		decays, err = b.draw(decayProduct(curve, o))
	}
	wait.Wait()
	if err := cmp.Or(merr, err, nerr, gerr); err != nil {
		return err
	}
	b.app.detail("%s: %s", m.Label, m.Path)
	b.app.warn(t.Label, m.Warnings)
	b.app.tellSpan(t.Label, span)
	pg := page{Title: "Similarity: " + t.Label, Caption: similarityCaption(m, span, b.maps > 1), Result: []any{m.Head()}}
	if err := b.put(ctx, t.Label+"-similarity", pg, similar); err != nil {
		return err
	}
	b.app.detail("%s: %s", c.Label, c.Path)
	b.app.note(c.Label, c.Notes)
	b.curves = append(b.curves, c)
	b.now.notes = append(append(b.now.notes, m.Warnings...), c.Notes...)
	b.now.key = fmt.Sprintf("mean cosine %s, half-life %s", figureText(m.MeanOffdiagonal), figureText(c.Summary.HalfLifeToMean))
	pg = page{Title: "Decay: " + t.Label, Caption: decayCaption(c), Result: each(curve)}
	if err := b.put(ctx, t.Label+"-decay", pg, decays); err != nil {
		return err
	}
	if err := b.putGrid(ctx, t, grid); err != nil {
		return err
	}
	return b.putNorms(ctx, t.Label, t.Label, norms)
}

// allDecays lays the decays of several absolute tables over each other.
func (b *book) allDecays(ctx context.Context) error {
	if len(b.curves) < 2 {
		return nil
	}
	pg := page{Title: "Decay of all sources", Caption: allCaption(b.curves), Result: each(b.curves)}
	return b.add(ctx, "decay", pg, decayProduct(b.curves, &b.how.figures))
}

// readAlike tells whether two relative tables have the same axes and source.
func readAlike(a, b loaded) bool {
	return a.table.Kind() != posemb.KindAbsolute && a.op.raw == b.op.raw && a.table.Kind() == b.table.Kind() && slices.Equal(axesOf(a.table), axesOf(b.table))
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
	profiles, some := b.app.profileAll(ctx, tables, &profileFlags{query: "uniform"})
	if len(profiles) == 0 {
		return some
	}
	o := &b.how.figures
	var norms *sheet
	if b.how.only != "figures" {
		var err error
		b.now.examined = b.inspect(ctx, tables)
		b.measure(ctx, b.now.examined, tables)
		if norms, err = b.drawNorms(normCurves(b.now.examined)); err != nil {
			return err
		}
	}
	name := tables[0].base()
	if len(profiles) == 1 {
		name = profiles[0].Label
	}
	which := name
	if title, names := legend(origins(profiles)); len(names) > 1 {
		which = fmt.Sprintf("%s, %s to %s", title, names[0], names[len(names)-1])
	}
	which += fmt.Sprintf(" (offsets %s)", offsetsText(profiles[0].Axes))
	b.now.title = which
	b.now.key = profileKey(profiles)
	for _, p := range profiles {
		b.now.notes = append(append(b.now.notes, p.Warnings...), p.Notes...)
	}
	pg := page{Title: "Profile: " + which, Caption: profileCaption(profiles), Result: each(profiles)}
	if err := b.add(ctx, name+"-profile", pg, profileProduct(profiles, o)); err != nil {
		return err
	}
	if len(profiles[0].Axes) < 2 {
		return cmp.Or(b.putNorms(ctx, name, which, norms), some)
	}
	axes, err := axisProfiles(profiles)
	if err != nil {
		return err
	}
	pg.Title = "Profile along each axis: " + which
	pg.Caption = []string{"Scores along one axis, the other offset 0.", "A line that falls to both sides looks at what is near; one that is higher on one side looks there."}
	pg.Result = nil
	p := profileProduct(profiles, o)
	p.chart = func() figure.Chart { return axisPanels(axes, o) }
	p.table = func() *report.Table { return axisTable(axes) }
	if err := b.add(ctx, name+"-axes", pg, p); err != nil {
		return err
	}
	return cmp.Or(b.putNorms(ctx, name, which, norms), some)
}
