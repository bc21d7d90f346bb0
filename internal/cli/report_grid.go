package cli

import (
	"context"
	"fmt"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// drawnGrid is a table's grid with its tiles drawn.
type drawnGrid struct {
	*gridView
	sheet *sheet
}

// drawGrid draws the tiles of a table whose positions are cells of one grid; nil where
// they are not, or where it would take long.
func (b *book) drawGrid(ctx context.Context, t *posemb.Absolute) (*drawnGrid, error) {
	if hasGrid(t) != nil || pairsOf(t) > pairWork {
		return nil, nil
	}
	c, err := analysis.Grid(ctx, t, analysis.GridOptions{})
	if err != nil {
		return nil, err
	}
	v := &gridView{GridDecay: c, flags: &gridFlags{}, out: &b.how.figures}
	if err := b.app.prepare(ctx, v, false); err != nil {
		return nil, err
	}
	s, err := b.draw(v.product())
	return &drawnGrid{v, s}, err
}

// putGrid writes the page of a table's drawn grid, if there is one.
func (b *book) putGrid(ctx context.Context, t *posemb.Absolute, g *drawnGrid) error {
	if g == nil {
		if b.how.only != "figures" && hasGrid(t) == nil {
			b.now.notes = append(b.now.notes, "the tiles of its grid take long for a table of this size: poslens grid draws them")
		}
		return nil
	}
	name := t.Label
	b.app.detail("%s: %s", g.Label, g.Path)
	b.app.note(g.Label, g.Notes) // its warnings are those of the similarity
	pg := page{Title: "Grid: " + name, Caption: gridCaption(g.gridView), Result: []any{g.GridDecay}}
	return b.put(ctx, name+"-grid", pg, g.sheet)
}

// gridCaption says what the tiles and the map beside them show.
func gridCaption(v *gridView) []string {
	value := map[string]string{}
	for _, m := range v.Figures {
		value[m.Name] = figureText(m.Value)
	}
	lines := fmt.Sprintf("Each tile is the similarity of one of %d x %d cells with every cell, laid out as the image is; the map beside or below them is the mean by offset. Half-way down to the mean after %s rows and %s columns. f(|dy|) + g(|dx|) explains %s of the variance of the cosines, any function of (dy, dx) %s.",
		v.Grid.Rows, v.Grid.Cols, value["half_life_rows"], value["half_life_columns"], value["grid_separability_cosine"], value["grid_toeplitz_r2_cosine"])
	if drawn, all := len(v.drawn.Rows)*len(v.drawn.Cols), v.Grid.Rows*v.Grid.Cols; drawn < all {
		lines += fmt.Sprintf(" %d of %d tiles are drawn.", drawn, all)
	}
	return []string{
		lines,
		"A tile that is brightest at its own place, and fades around it, tells its cell from the others. A cross says that rows and columns are told apart each by itself; a round spot, that nearness counts alike in every direction.",
		"The map by offset can be read point by point here; the values of the tiles are those of the similarity above.",
	}
}
