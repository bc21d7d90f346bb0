package figure

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// inBlocks is the heat map with its values given in blocks. (Sums of the samples'
// numbers, sixty-fourths, are exact in any order.)
func inBlocks(h *Heatmap) *Heatmap {
	b := *h
	b.At = nil
	b.Blocks = func(rows, cols []int) []float64 {
		var means []float64
		for i := 1; i < len(rows); i++ {
			for j := 1; j < len(cols); j++ {
				sum, n := 0.0, 0
				for c := cols[j-1]; c < cols[j]; c++ {
					for r := rows[i-1]; r < rows[i]; r++ {
						if v := h.At(r, c); !math.IsNaN(v) {
							sum, n = sum+v, n+1
						}
					}
				}
				means = append(means, sum/float64(n))
			}
		}
		return means
	}
	return &b
}

// ragged is a map of sixty-fourths from -1.5 to 1.5 in waves as wide as a tenth
// of it, with rows that are undefined.
func ragged(rows, cols int) *Heatmap {
	return &Heatmap{
		Title: "ragged", ColorLabel: "value", Rows: rows, Cols: cols,
		At: func(r, c int) float64 {
			if r%7 == 3 || r > rows/3 && r < rows/2 {
				return math.NaN()
			}
			return math.Round(96*math.Sin(20*float64(c)/float64(cols))*math.Cos(float64(r)/float64(rows))) / 64
		},
	}
}

// A map of cells and one of blocks give the same figure, whether cells are larger
// or smaller than pixels. The range of their data is the same where it is given,
// or where blocks are cells.
func TestBlocksAreCells(t *testing.T) {
	small := Style{Width: 2.5, Height: 2, DPI: 60}
	for _, size := range [][2]int{{1, 1}, {5, 4}, {64, 64}, {70, 200}, {300, 90}, {700, 800}} {
		for _, given := range []bool{false, true} {
			h := ragged(size[0], size[1])
			if h.Diverging = given; given {
				h.Min, h.Max = -1, 1
			} else if max(h.Rows, h.Cols) > 100 { // more than pixels: then it is that of the means
				continue
			}
			charts := [][2]Chart{{h, inBlocks(h)}}
			if h.Rows < 100 {
				charts = append(charts, [2]Chart{
					samplePanels(1, 2, func(int) Chart { return h }),
					samplePanels(1, 2, func(int) Chart { return inBlocks(h) }),
				})
			}
			for _, c := range charts {
				for _, format := range Formats() {
					if format == "pdf" && h.Rows != 5 && h.Rows != 700 { // the slow one: its picture is SVG's
						continue
					}
					if !bytes.Equal(writeBytes(t, format, c[0], small), writeBytes(t, format, c[1], small)) {
						t.Errorf("%d x %d cells, %T, given %t: another %s in blocks", h.Rows, h.Cols, c[0], given, format)
					}
				}
				for _, mode := range []string{"none", "256", "true"} {
					term := Terminal{Color: mode, Width: 50}
					if a, b := drawn(t, c[0], term), drawn(t, c[1], term); a != b {
						t.Errorf("%d x %d cells, %T, given %t: in cells\n%s\nin blocks\n%s", h.Rows, h.Cols, c[0], given, a, b)
					}
				}
			}
		}
	}
}

// A huge map is asked once for the range of its data, and once for all that its
// picture shows: blocks that no pixel is smaller than.
func TestBlocksAreFew(t *testing.T) {
	const n = 32768
	var asked [][2]int
	h := &Heatmap{Rows: n, Cols: n, Blocks: func(rows, cols []int) []float64 {
		for _, e := range [][]int{rows, cols} {
			rising := slices.IsSorted(e) && len(slices.Compact(slices.Clone(e))) == len(e)
			if !rising || e[0] != 0 || e[len(e)-1] != n {
				t.Errorf("edges from %d to %d of %d, rising %t", e[0], e[len(e)-1], n, rising)
			}
		}
		asked = append(asked, [2]int{len(rows) - 1, len(cols) - 1})
		return make([]float64, (len(rows)-1)*(len(cols)-1))
	}}
	check := func(what string, most int) {
		t.Helper()
		if len(asked) != 2 || min(asked[1][0], asked[1][1]) < 8 || max(asked[1][0], asked[1][1]) > most {
			t.Errorf("%s: asked for %v blocks, want at most %d a side at last", what, asked, most)
		} else if asked[0][0] < asked[1][0] || asked[0][1] < asked[1][1] || max(asked[0][0], asked[0][1]) > 2500 {
			t.Errorf("%s: the range is that of %v blocks, where %v are shown", what, asked[0], asked[1])
		}
		asked = nil
	}
	for format, most := range map[string]int{"png": 750, "svg": 2000, "pdf": 2000} {
		writeBytes(t, format, h, Style{})
		check(format, most)
	}
	drawn(t, h, Terminal{Color: "true"})
	check("terminal", 80)
}

// The ends of the scale are those of the means, and so are the points of its bar.
func TestBlocksRange(t *testing.T) {
	h := inBlocks(&Heatmap{Rows: 1024, Cols: 1, At: func(r, _ int) float64 { return float64(r % 2) }})
	if k := scaleOf("", size{512, 512}, h); k.least != 0.5 || k.most != 0.5 || k.unknown {
		t.Errorf("from %g to %g, want the mean of two cells", k.least, k.most)
	}
	h.Rows, h.Max = 2, 0.75
	if low, high := scaleOf("", size{512, 512}, h).clamped(); low || !high {
		t.Errorf("beyond the scale: low %t, high %t", low, high)
	}
}

// A range that is known is taken at its word: no value is looked at for it.
func TestRangeKnown(t *testing.T) {
	h := &Heatmap{Rows: 2, Cols: 2, Range: &Range{Least: -3, Most: 2}, Blocks: func(_, _ []int) []float64 {
		t.Error("values are asked for")
		return make([]float64, 4)
	}}
	if k := scaleOf("", size{512, 512}, h); k.least != -3 || k.most != 2 || k.lo != -3 || k.hi != 2 || k.unknown {
		t.Errorf("%+v", k)
	}
	h.Range.Undefined, h.Max = true, 1
	if k := scaleOf("", size{512, 512}, h); !k.unknown || k.lo != 0 || k.hi != 1 {
		t.Errorf("%+v", k)
	}
}

// Values are brought into the scale after their mean is taken.
func TestMeanBeforeScale(t *testing.T) {
	h := &Heatmap{Rows: 2, Cols: 1, Max: 1, At: func(r, _ int) float64 { return []float64{3, -2.5}[r] }}
	v := h.grid(scaleOf("", size{512, 512}, h)).view(1, 1)
	if got := v.at(0, 0); got != 0.25 {
		t.Errorf("mean %g, want 0.25", got)
	}
}

func TestEdges(t *testing.T) {
	for _, test := range []struct {
		n, pixels    int
		edges, shown []int
	}{
		{1, 1, []int{0, 1}, []int{0}},
		{1, 3, []int{0, 1}, []int{0, 0, 0}},
		{2, 5, []int{0, 1, 2}, []int{0, 0, 1, 1, 1}},
		{3, 3, []int{0, 1, 2, 3}, []int{0, 1, 2}},
		{7, 3, []int{0, 2, 4, 7}, []int{0, 1, 2}},
	} {
		if e, s := edges(test.n, test.pixels); !slices.Equal(e, test.edges) || !slices.Equal(s, test.shown) {
			t.Errorf("%d cells on %d pixels: %v, %v; want %v, %v", test.n, test.pixels, e, s, test.edges, test.shown)
		}
	}
}

func TestBlocksRefused(t *testing.T) {
	h := inBlocks(sampleMap(2, 2))
	h.At = sampleMap(2, 2).At
	if _, err := Write(io.Discard, "svg", h, Style{}); err == nil || !strings.Contains(err.Error(), "values both by the cell and in blocks") {
		t.Errorf("both: %v", err)
	}
	h.At, h.Blocks = nil, func(_, _ []int) []float64 { return make([]float64, 3) }
	if _, err := Write(io.Discard, "svg", h, Style{}); err == nil || !strings.Contains(err.Error(), "3 values of 2 x 2 blocks") {
		t.Errorf("too few: %v", err)
	}
}
