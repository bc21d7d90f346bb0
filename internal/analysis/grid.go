package analysis

import (
	"context"
	"fmt"
	"math"

	"poslens/internal/posemb"
)

// GridOptions say how cells are compared. The zero value is the cosine, with all
// figures.
type GridOptions struct {
	Center    bool // subtract the mean vector of the table first
	MeansOnly bool // no deviations and no figures that need them, which take O(n^2 d) time
}

// GridDecay tells how similar the cells of a grid are by how far they stand apart,
//
//	c(dy, dx) = mean over the pairs of cells of S[(r, c), (r + dy, c + dx)]
//
// S being the cosine, for every dy and dx of both signs: c(dy, dx) = c(-dy, -dx), but
// c(dy, dx) and c(dy, -dx) may differ.
type GridDecay struct {
	posemb.Origin
	Grid     posemb.Grid      `json:"grid"`
	Measure  string           `json:"measure"` // MeasureCosine
	Centered bool             `json:"centered"`
	Dy       []int            `json:"dy"`            // offsets in rows, key - query: -(H-1) .. H-1
	Dx       []int            `json:"dx"`            // in columns: -(W-1) .. W-1
	Mean     []Values         `json:"mean"`          // a row a Dy, a column a Dx; NaN without a pair
	Std      []Values         `json:"std,omitempty"` // of the population; nil under MeansOnly
	Pairs    [][]int          `json:"pairs"`         // defined pairs, each with its query
	Down     Values           `json:"down"`          // c(k, 0), k = 0 .. H-1 rows apart in one column
	Across   Values           `json:"across"`        // c(0, k), k = 0 .. W-1 columns apart in one row
	Figures  []MeasuredMetric `json:"figures"`       // GridMetrics
	Tiles    *GridTiles       `json:"tiles,omitempty"`
	Reason   string           `json:"reason,omitempty"`   // why means are undefined
	Warnings []string         `json:"warnings,omitempty"` // what may be wrong with the table
	Notes    []string         `json:"notes,omitempty"`    // how the numbers are meant
	Path     string           `json:"-"`                  // how they were computed

	rows *rows
}

// Grid compares the cells of a table that has a grid, which is an error otherwise, as
// it is for several frames. Zero rows and those that are not finite are left out, and
// warnings name them; where none is left the error wraps ErrNothing.
//
// The means take O(n d log n) time, by a Fourier transform along the padded grid, and
// are exact but for rounding; the deviations O(n^2 d). No n x n matrix is held: beside
// the table a packed copy of it and some hundred numbers a row.
func Grid(ctx context.Context, a *posemb.Absolute, opt GridOptions) (*GridDecay, error) {
	g, err := rasterOf(a)
	if err != nil {
		return nil, err
	}
	r, err := newRows(ctx, a, SimilarityOptions{Center: opt.Center})
	if err != nil {
		return nil, err
	}
	s, err := r.overOffsets(ctx, g)
	if err != nil {
		return nil, err
	}
	path := "the mean of every offset by Fourier transform, in double precision"
	if !opt.MeansOnly {
		path = "the products of all pairs, in double precision"
		if err := r.spreadOverOffsets(ctx, g, s); err != nil {
			return nil, err
		}
	}
	c := &GridDecay{
		Origin: a.Origin, Grid: a.Grid, Measure: MeasureCosine, Centered: opt.Center,
		Down: g.down(s), Across: g.across(s), Figures: measureGrid(a, r, g, s),
		Warnings: r.warnings, Path: path, rows: r,
	}
	c.layOut(g, s)
	c.note(a)
	return c, nil
}

// layOut fills the maps of both signs from the lags.
func (c *GridDecay) layOut(g raster, s *offsetSums) {
	for dx := 1 - g.w; dx < g.w; dx++ {
		c.Dx = append(c.Dx, dx)
	}
	missing := false
	for dy := 1 - g.h; dy < g.h; dy++ {
		c.Dy = append(c.Dy, dy)
		mean, std, pairs := undefined(len(c.Dx)), undefined(len(c.Dx)), make([]int, len(c.Dx))
		for i, dx := range c.Dx {
			lag := g.lag(dy, dx)
			if pairs[i] = s.pairs[lag]; pairs[i] == 0 {
				missing = true
				continue
			}
			mean[i] = s.mean[lag]
			if s.within != nil {
				std[i] = math.Sqrt(s.within[lag] / float64(pairs[i]))
			}
		}
		c.Mean, c.Pairs = append(c.Mean, mean), append(c.Pairs, pairs)
		if s.within != nil {
			c.Std = append(c.Std, std)
		}
	}
	if missing {
		c.Reason = "some offsets have no pair of two defined cells"
	}
}

// note tells what stands outside the grid, which shifts every tile when it is taken for
// a cell.
func (c *GridDecay) note(a *posemb.Absolute) {
	if a.Reserved > 0 || a.Suffix > 0 {
		outside := fmt.Sprintf("%d %s in front", a.Reserved, plural(a.Reserved, "row", "rows"))
		if a.Suffix > 0 {
			outside += fmt.Sprintf(" and %d behind", a.Suffix)
		}
		c.Notes = append(c.Notes, fmt.Sprintf("cells are the rows of the table without %s: cell (0, 0) is row %d", outside, a.Reserved+a.First))
	}
}
