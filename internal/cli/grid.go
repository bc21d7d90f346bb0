package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
)

// gridFlags choose what of a grid is shown.
type gridFlags struct {
	center bool
	plot   string
	table  string
	tiles  string
}

// The values of flags, the default first.
var (
	gridPlots  = []string{"all", "tiles", "decay"}
	gridTables = []string{"decay", "tiles", "figures"}
)

func (a *app) gridCommand() *cobra.Command {
	var (
		read readingFlags
		out  outputFlags
		how  gridFlags
	)
	cmd := &cobra.Command{
		Use:   "grid SOURCE",
		Short: "Tables whose positions are cells of an image: tiles, 2-D decay",
		Long: `The cells of a grid, as of a vision transformer's patches, without class tokens
and other prefix rows. The tile figure of the ViT paper: tile (r, c) is the
similarity of cell (r, c) with every cell. The decay on two axes: the mean
similarity of cells dy rows and dx columns apart. How far rows and columns add
up (separability), and after how many of them similarity has fallen half-way.
What each figure is: poslens help grid. The colours span -1 to 1, or what the
cosines fill where that is less than half of it; --range says otherwise.`,
		Example: `  poslens grid vit.safetensors -o tiles.png
  poslens grid ast.safetensors --grid 12x101 --plot decay -o decay.pdf
  poslens grid gen:sinusoid-2d,rows=14,cols=14 --table figures -f csv`,
		Args:        oneSource,
		Annotations: map[string]string{manualKey: gridManual()},
	}
	addReading(cmd, &read, true, false)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		f.BoolVar(&how.center, "center", false, "subtract the mean vector first")
		f.StringVar(&how.plot, "plot", "", "`WHAT` figures show: all (default: tiles and the map of offsets), tiles, or decay (the map, and curves along both axes)")
		f.StringVar(&how.tiles, "tiles", "", "draw `WHICH` tiles: all, or every K-th row and column of them (default: as many as leave each cell a pixel)")
		f.StringVar(&how.table, "table", "", "`WHICH` numbers tables show: decay (default), tiles or figures; JSON has the tiles with --table tiles")
	})
	mustComplete(cmd, "plot", gridPlots)
	mustComplete(cmd, "table", gridTables)
	mustComplete(cmd, "tiles", []string{"all"})
	addOutput(cmd, &out)
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		if err := how.check(); err != nil {
			return err
		}
		if err := a.check(&out, inputs(args)); err != nil {
			return err
		}
		tables, err := a.load(cmd.Context(), args, &read, kinds{posemb.KindAbsolute})
		if err != nil {
			return err
		}
		if len(tables) != 1 {
			return &hinted{fmt.Errorf("%s: %d tensors fit, and this command takes one", inline(args[0]), len(tables)), "name one exactly: SOURCE#TENSOR"}
		}
		t := tables[0].table.(*posemb.Absolute)
		if err := hasGrid(t); err != nil {
			return fmt.Errorf("%s: %w", inline(args[0]), err)
		}
		p, err := a.gridProduct(cmd.Context(), t, &how, &out)
		if err != nil {
			return fmt.Errorf("%s: %w", inline(args[0]), err)
		}
		return a.emit(cmd.Context(), &out, p)
	})
	return cmd
}

// gridManual defines the figures, for the manual.
func gridManual() string {
	var s strings.Builder
	paragraph(&s, "The figures of a grid of H rows and W columns. S is the cosine matrix of its cells, P the table, c(dy, dx) the mean of S over the pairs of cells dy rows and dx columns apart:")
	for _, m := range analysis.GridMetrics {
		entry(&s, m.Name, m.Doc)
	}
	return strings.TrimRight(s.String(), "\n")
}

// check refuses values that no flag has.
func (g *gridFlags) check() error {
	if err := oneOf("plot", g.plot, gridPlots); err != nil {
		return err
	}
	if err := oneOf("table", g.table, gridTables); err != nil {
		return err
	}
	if k, err := strconv.Atoi(g.tiles); g.tiles != "" && g.tiles != "all" && (err != nil || k < 1) {
		return &usageError{fmt.Sprintf("--tiles: %q is neither \"all\" nor a whole number from 1 on", g.tiles), "for example --tiles 2: every second row and column of tiles"}
	}
	return nil
}

// hasGrid refuses a table that the command can't lay out, with what to try.
func hasGrid(t *posemb.Absolute) error {
	n, _ := t.Table.Dims()
	switch {
	case t.Grid == (posemb.Grid{}):
		hint := "--grid HxW says which grid they are"
		if h := squarest(n); h > 1 {
			hint += fmt.Sprintf(", for example --grid %dx%d; --reserved N leaves out rows in front", h, n/h)
		} else {
			hint += "; --reserved N leaves out rows in front, --suffix N those behind"
		}
		return &hinted{fmt.Errorf("the table has no grid: its %d rows are positions in a line", n), hint}
	case t.Frames > 1:
		cells := t.Grid.Rows * t.Grid.Cols
		return &hinted{
			fmt.Errorf("the table is %d frames of %s, and this command takes one", t.Frames, t.Grid),
			fmt.Sprintf("--positions 0:%d --grid %dx%d takes the first frame, %d:%d the second", cells, t.Grid.Rows, t.Grid.Cols, cells, 2*cells),
		}
	}
	return nil
}

// squarest is the largest number of rows of a grid of n cells that is no higher than
// wide.
func squarest(n int) int {
	best := 1
	for h := 1; h <= n/h; h++ {
		if n%h == 0 {
			best = h
		}
	}
	return best
}

// gridProduct computes what the forms asked for show, and no more.
func (a *app) gridProduct(ctx context.Context, t *posemb.Absolute, how *gridFlags, o *outputFlags) (*product, error) {
	forms := a.asked(o)
	numbers := shows(forms, "text", "json") || shows(forms, "tsv", "csv") && how.table != "tiles"
	c, err := analysis.Grid(ctx, t, analysis.GridOptions{Center: how.center, MeansOnly: !numbers})
	if err != nil {
		return nil, err
	}
	a.detail("%s: %s", c.Label, c.Path)
	a.warn(c.Label, c.Warnings)
	a.note(c.Label, c.Notes)
	v := &gridView{GridDecay: c, flags: how, out: o}
	if shows(forms, figures...) {
		if err := a.prepare(ctx, v, shows(forms, figureForms...)); err != nil {
			return nil, err
		}
		a.tellSpan(v.Label, v.span)
	}
	if how.table == "tiles" && shows(forms, "tsv", "csv", "json") {
		if v.listed, err = v.listedTiles(ctx); err != nil {
			return nil, err
		}
	}
	return v.product(), nil
}

// prepare takes the tiles, unless only the decay is drawn, and finds what the colours
// span. told is as in drawnTiles.
func (a *app) prepare(ctx context.Context, v *gridView, told bool) (err error) {
	offsets := v.GridDecay.Extent()
	v.span = v.spanOf(offsets)
	if v.plots("decay") {
		return nil
	}
	if v.drawn, err = a.drawnTiles(ctx, v, told); err != nil {
		return err
	}
	v.extent = v.drawn.Extent()
	v.span = v.spanOf(v.extent.And(offsets))
	return nil
}

// drawnTiles takes the tiles of the figure: all, those asked for, or as many as leave
// each cell a pixel. Of a figure in a file it is told what is left out, and where
// cells have no pixel of their own.
func (a *app) drawnTiles(ctx context.Context, v *gridView, told bool) (*analysis.GridTiles, error) {
	g := v.Grid
	least, leastAcross, err := v.tilesChart().Steps(v.out.style())
	if err != nil {
		return nil, err
	}
	down, across := least, leastAcross
	switch v.flags.tiles {
	case "":
	case "all":
		down, across = 1, 1
	default:
		down, _ = strconv.Atoi(v.flags.tiles) // checked before the work began
		across = down
	}
	rows, cols := figure.EveryTile(g.Rows, down), figure.EveryTile(g.Cols, across)
	if n := len(rows) * len(cols); told && n < g.Rows*g.Cols {
		more := ""
		if v.flags.tiles == "" {
			more = ", so that each cell has a pixel; a larger figure or more dpi shows more, --tiles all draws them all"
		}
		a.tell("%s: %d of %d tiles are drawn, %s and %s%s", v.Label, n, g.Rows*g.Cols, ordinal(min(down, g.Rows), "row"), ordinal(min(across, g.Cols), "column"), more)
	}
	if small := least > g.Rows || leastAcross > g.Cols; told && (small || len(rows) > len(figure.EveryTile(g.Rows, least)) || len(cols) > len(figure.EveryTile(g.Cols, leastAcross))) {
		a.tell("%s: cells of the tiles are smaller than a pixel at %d dpi: where they are, a pixel is the mean of several", v.Label, cmp.Or(v.out.dpi, 150))
	}
	return v.TilesOf(ctx, rows, cols)
}

// ordinal is "every row" or "every 17th row".
func ordinal(step int, noun string) string {
	if step == 1 {
		return "every " + noun
	}
	ending := "th"
	if tens := step / 10 % 10; tens != 1 {
		switch step % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return fmt.Sprintf("every %d%s %s", step, ending, noun)
}

// mostTiles is how many cosines of tiles are listed one by one.
const mostTiles = 4_000_000

// errTooMany says that a list of tiles would be too long.
var errTooMany = errors.New("too many to list one by one")

// listedTiles are the tiles of a table: all, or every K-th.
func (v *gridView) listedTiles(ctx context.Context) (*analysis.GridTiles, error) {
	step := 1
	if k, err := strconv.Atoi(v.flags.tiles); err == nil {
		step = k
	}
	rows, cols := figure.EveryTile(v.Grid.Rows, step), figure.EveryTile(v.Grid.Cols, step)
	cells := v.Grid.Rows * v.Grid.Cols
	if len(rows)*len(cols) > mostTiles/cells {
		return nil, &hinted{
			fmt.Errorf("%d tiles of %d cells: %w", len(rows)*len(cols), cells, errTooMany),
			"--tiles K takes every K-th row and column of tiles; the whole matrix: poslens similarity SOURCE -o S.npy",
		}
	}
	return v.TilesOf(ctx, rows, cols)
}

// gridView is a grid's result with what of it is shown.
type gridView struct {
	*analysis.GridDecay
	flags  *gridFlags
	out    *outputFlags
	drawn  *analysis.GridTiles // of the figure; nil where it has none
	listed *analysis.GridTiles // of the table; nil where it has none
	span   colourSpan          // of the figure's colours, those of the tiles and of the map of offsets
	extent analysis.Extent     // of drawn
}

// spanOf is what the colours span where they show some cosines. Where the mean vector
// was subtracted, cosines of both signs are left, and the whole is spanned.
func (v *gridView) spanOf(values analysis.Extent) colourSpan {
	if v.Centered {
		return v.out.wholeSpan("cosines", cosines)
	}
	return v.out.spanOf("cosines", cosines, values)
}

// plots tells whether a figure is asked for.
func (v *gridView) plots(what ...string) bool {
	plot := v.flags.plot
	if plot == "" {
		plot = gridPlots[0]
	}
	return slices.Contains(what, plot)
}
