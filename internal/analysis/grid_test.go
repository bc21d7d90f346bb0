package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// gridTable is a matrix as a grid of h rows.
func gridTable(m *mat.Dense, h int) *posemb.Absolute {
	n, _ := m.Dims()
	return &posemb.Absolute{Table: m, Grid: posemb.Grid{Rows: h, Cols: n / h}, Stride: 1}
}

// sinusoidGrid is the 2-D sinusoid.
func sinusoidGrid(t testing.TB, h, w, d int) *posemb.Absolute {
	t.Helper()
	a, err := posemb.SinusoidGrid(posemb.SinusoidGridOptions{Rows: h, Cols: w, D: d})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func gridOf(t testing.TB, a *posemb.Absolute, opt GridOptions) *GridDecay {
	t.Helper()
	c, err := Grid(context.Background(), a, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// figure is a figure of a grid by its name.
func figure(t testing.TB, c *GridDecay, name string) MeasuredMetric {
	t.Helper()
	for _, m := range c.Figures {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("no figure %s", name)
	return MeasuredMetric{}
}

// naiveCosine is the cosine of two rows, NaN when one is zero or not finite.
func naiveCosine(m *mat.Dense, i, j int) float64 {
	a, b := m.RawRowView(i), m.RawRowView(j)
	s := floats.Dot(a, b) / floats.Norm(a, 2) / floats.Norm(b, 2)
	if math.IsInf(s, 0) {
		return math.NaN()
	}
	return s
}

// The means, deviations and pairs of every offset are those of loops over all pairs.
func TestGridLoops(t *testing.T) {
	for _, shape := range [][3]int{{1, 1, 3}, {1, 6, 4}, {6, 1, 4}, {2, 2, 5}, {3, 5, 70}, {5, 3, 2}, {12, 9, 130}} {
		h, w := shape[0], shape[1]
		m := gaussian(h*w, shape[2], 7)
		floats.AddConst(0.3, m.RawMatrix().Data)
		if h*w > 10 {
			clear(m.RawRowView(4))
			m.Set(h*w-2, 0, math.NaN())
		}
		for _, opt := range []GridOptions{{}, {MeansOnly: true}} {
			c := gridOf(t, gridTable(m, h), opt)
			for y, dy := range c.Dy {
				for x, dx := range c.Dx {
					var all []float64
					for r := range h {
						for q := range w {
							if r+dy >= 0 && r+dy < h && q+dx >= 0 && q+dx < w {
								if s := naiveCosine(m, r*w+q, (r+dy)*w+q+dx); !math.IsNaN(s) {
									all = append(all, s)
								}
							}
						}
					}
					if c.Pairs[y][x] != len(all) {
						t.Fatalf("%v: %d pairs at %d, %d, want %d", shape, c.Pairs[y][x], dy, dx, len(all))
					}
					want := spreadOf(all)
					near(t, "mean", c.Mean[y][x], want.mean, 1e-13)
					if opt.MeansOnly {
						continue
					}
					near(t, "std", c.Std[y][x], want.std, 1e-13)
				}
			}
			if opt.MeansOnly && c.Std != nil {
				t.Error("deviations that were not asked for")
			}
			for k, s := range c.Down {
				near(t, "down", s, c.Mean[h-1+k][w-1], 0)
			}
			for k, s := range c.Across {
				near(t, "across", s, c.Mean[h-1][w-1+k], 0)
			}
		}
	}
}

// The 2-D sinusoid has a closed form in dy and dx alone, whose parts add up.
func TestGridSinusoid(t *testing.T) {
	for _, shape := range [][3]int{{7, 7, 64}, {14, 14, 96}, {12, 101, 32}} {
		h, w, d := shape[0], shape[1], shape[2]
		c := gridOf(t, sinusoidGrid(t, h, w, d), GridOptions{})
		along := func(k int) float64 {
			sum := 0.0
			for i := range d / 4 {
				sum += math.Cos(float64(k) * math.Pow(10000, -float64(i)/float64(d/4)))
			}
			return sum / float64(d/4)
		}
		for y, dy := range c.Dy {
			for x, dx := range c.Dx {
				near(t, "mean", c.Mean[y][x], (along(dy)+along(dx))/2, 1e-12)
				near(t, "std", c.Std[y][x], 0, 1e-12)
			}
		}
		for _, name := range []string{"grid_separability_cosine", "grid_toeplitz_r2_cosine", "grid_separability_table"} {
			near(t, name, float64(figure(t, c, name).Value), 1, 1e-12)
		}
		if h == w {
			near(t, "isotropy", float64(figure(t, c, "grid_isotropy").Value), 1, 1e-12)
		}
	}
}

// Tables whose figures are known: rows that tell the cell's row alone, and cells in
// which neither axis tells anything.
func TestGridKnownFigures(t *testing.T) {
	const h, w = 6, 8
	// Cells of one row of the grid are alike, those of rows k apart have the cosine
	// of k steps of 15 degrees.
	rowsOnly := mat.NewDense(h*w, 2, nil)
	for i := range h * w {
		sin, cos := math.Sincos(float64(i/w) * math.Pi / 12)
		rowsOnly.SetRow(i, []float64{cos, sin})
	}
	c := gridOf(t, gridTable(rowsOnly, h), GridOptions{})
	near(t, "separability", float64(figure(t, c, "grid_separability_cosine").Value), 1, 1e-12)
	near(t, "of the table", float64(figure(t, c, "grid_separability_table").Value), 1, 1e-12)
	if m := figure(t, c, "half_life_columns"); m.Value.Defined() || !strings.Contains(m.Reason, "never falls") {
		t.Errorf("half-life across: %+v", m)
	}
	m, pairs := 0.0, 0.0
	for i := range h * w {
		for j := range h * w {
			if i != j {
				m, pairs = m+math.Cos(float64(i/w-j/w)*math.Pi/12), pairs+1
			}
		}
	}
	half := (1 + m/pairs) / 2
	k := int(math.Floor(math.Acos(half) / (math.Pi / 12)))
	above, below := math.Cos(float64(k)*math.Pi/12), math.Cos(float64(k+1)*math.Pi/12)
	near(t, "half-life down", float64(figure(t, c, "half_life_rows").Value), float64(k)+(above-half)/(above-below), 1e-9)
	near(t, "mean", float64(figure(t, c, "grid_mean_cosine").Value), m/pairs, 1e-12)

	// Orthogonal cells: every pair of different ones has the cosine 0.
	identity := mat.NewDense(h*w, h*w, nil)
	for i := range h * w {
		identity.Set(i, i, 1)
	}
	c = gridOf(t, gridTable(identity, h), GridOptions{})
	if m := figure(t, c, "grid_separability_cosine"); m.Value.Defined() || m.Reason != "all cosines are equal" {
		t.Errorf("separability of orthogonal cells: %+v", m)
	}
	// Of orthonormal cells the two-way fit explains exactly what it does by chance.
	chance := float64(h+w-2) / float64(h*w-1)
	near(t, "chance", float64(figure(t, c, "grid_separability_table_chance").Value), chance, 0)
	near(t, "separability of orthogonal cells", float64(figure(t, c, "grid_separability_table").Value), chance, 1e-12)
	near(t, "half-life of orthogonal cells", float64(figure(t, c, "half_life_rows").Value), 0.5, 1e-12)
}

// Separability is what a dense least-squares fit gives, with undefined cells too.
func TestGridSeparabilityBySVD(t *testing.T) {
	for _, shape := range [][2]int{{4, 5}, {5, 3}, {2, 7}} {
		h, w := shape[0], shape[1]
		m := gaussian(h*w, 6, 3)
		for i := range h * w { // something of the row and the column, and of both
			m.Set(i, 0, 2+float64(i/w))
			m.Set(i, 1, math.Sin(float64(i%w)))
			m.Set(i, 2, math.Cos(float64(i/w-i%w)))
		}
		clear(m.RawRowView(h*w - 3))
		c := gridOf(t, gridTable(m, h), GridOptions{})
		var s []float64
		var design [][]float64
		for i := range h * w {
			for j := range h * w {
				if x := naiveCosine(m, i, j); i != j && !math.IsNaN(x) {
					row := make([]float64, h+w)
					row[max(i/w-j/w, j/w-i/w)] = 1
					row[h+max(i%w-j%w, j%w-i%w)] = 1
					s, design = append(s, x), append(design, row)
				}
			}
		}
		x := mat.NewDense(len(s), h+w, nil)
		for i, row := range design {
			x.SetRow(i, row)
		}
		var svd mat.SVD
		svd.Factorize(x, mat.SVDThin)
		var u mat.Dense
		svd.UTo(&u)
		mean := floats.Sum(s) / float64(len(s))
		fitted := make([]float64, len(s))
		for k := range svd.Rank(1e-10) {
			col := mat.Col(nil, k, &u)
			floats.AddScaled(fitted, floats.Dot(col, s), col)
		}
		left, total := 0.0, 0.0
		for i := range s {
			left += (s[i] - fitted[i]) * (s[i] - fitted[i])
			total += (s[i] - mean) * (s[i] - mean)
		}
		near(t, "separability", float64(figure(t, c, "grid_separability_cosine").Value), 1-left/total, 1e-11)
	}
}

// The table's own figure is what two-way means give, and centring leaves it.
func TestGridTableFit(t *testing.T) {
	const h, w, d = 5, 7, 9
	m := gaussian(h*w, d, 11)
	for i := range h * w {
		floats.AddConst(float64(i/w), m.RawRowView(i))
	}
	left, total := 0.0, 0.0
	for j := range d {
		for r := range h {
			for q := range w {
				var row, col, all float64
				for k := range w {
					row += m.At(r*w+k, j) / w
				}
				for k := range h {
					col += m.At(k*w+q, j) / h
				}
				for k := range h * w {
					all += m.At(k, j) / (h * w)
				}
				x := m.At(r*w+q, j)
				left += (x - row - col + all) * (x - row - col + all)
				total += (x - all) * (x - all)
			}
		}
	}
	for _, opt := range []GridOptions{{}, {Center: true}} {
		c := gridOf(t, gridTable(m, h), opt)
		near(t, "separability", float64(figure(t, c, "grid_separability_table").Value), 1-left/total, 1e-12)
	}
	huge := mat.DenseCopyOf(m)
	huge.Scale(1e307, huge)
	near(t, "of a huge table", float64(figure(t, gridOf(t, gridTable(huge, h), GridOptions{}), "grid_separability_table").Value), 1-left/total, 1e-12)
	m.Set(8, 1, math.Inf(1))
	if f := figure(t, gridOf(t, gridTable(m, h), GridOptions{}), "grid_separability_table"); f.Value.Defined() || !strings.Contains(f.Reason, "cell 1, 1 is not finite") {
		t.Errorf("with an infinity: %+v", f)
	}
}

// What makes no grid is an error, and what leaves figures undefined has its reason.
func TestGridOdd(t *testing.T) {
	ctx := context.Background()
	m := gaussian(12, 4, 1)
	for name, a := range map[string]*posemb.Absolute{
		"in a line":     {Table: m},
		"do not make":   {Table: m, Grid: posemb.Grid{Rows: 3, Cols: 5}},
		"do not make a": {Table: m, Grid: posemb.Grid{Rows: -3, Cols: -4}},
		"12 rows do":    {Table: m, Grid: posemb.Grid{Rows: math.MaxInt, Cols: math.MaxInt}},
		"0 rows do":     {Grid: posemb.Grid{Rows: 3, Cols: 4}},
		"2 frames of 2": {Table: m, Grid: posemb.Grid{Rows: 2, Cols: 3}, Frames: 2},
		"3 frames of":   {Table: m, Grid: posemb.Grid{Rows: 2, Cols: 3}, Frames: 3},
	} {
		if _, err := Grid(ctx, a, GridOptions{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := Grid(ctx, gridTable(mat.NewDense(4, 2, nil), 2), GridOptions{}); !errors.Is(err, ErrNothing) {
		t.Errorf("zeros: %v", err)
	}
	for name, c := range map[string]*GridDecay{
		"one cell":    gridOf(t, gridTable(gaussian(1, 3, 1), 1), GridOptions{}),
		"one row":     gridOf(t, gridTable(gaussian(5, 3, 1), 1), GridOptions{}),
		"one column":  gridOf(t, gridTable(gaussian(5, 3, 1), 5), GridOptions{}),
		"constant":    gridOf(t, gridTable(constant(6, 2, 0.1), 2), GridOptions{}),
		"all but one": gridOf(t, gridTable(oneRow(9, 4), 3), GridOptions{}),
		"two corners": gridOf(t, gridTable(corners(), 3), GridOptions{}),
	} {
		for _, m := range c.Figures {
			if m.Value.Defined() == (m.Reason != "") {
				t.Errorf("%s: %s is %v, reason %q", name, m.Name, m.Value, m.Reason)
			}
		}
		b, err := json.Marshal(c)
		if err != nil || strings.Contains(string(b), "NaN") {
			t.Errorf("%s: %v %s", name, err, b)
		}
	}
}

// oneRow is a table of which one row is not zero.
func oneRow(n, d int) *mat.Dense {
	m := mat.NewDense(n, d, nil)
	m.Set(n/2, 0, 1)
	return m
}

// corners is 3 x 3 cells of which the corners alone are not zero.
func corners() *mat.Dense {
	m := mat.NewDense(9, 2, nil)
	for k, i := range []int{0, 2, 6, 8} {
		m.SetRow(i, []float64{1, float64(k)})
	}
	return m
}

// Every offset is a lag of its own, and back.
func TestRasterLags(t *testing.T) {
	for _, g := range []raster{{1, 1}, {1, 5}, {5, 1}, {3, 4}} {
		seen := map[int]bool{}
		for dr := range g.h {
			for dc := 1 - g.w; dc < g.w; dc++ {
				if dr == 0 && dc < 0 {
					continue
				}
				lag := g.lag(dr, dc)
				if r, c := g.offset(lag); r != dr || c != dc || seen[lag] || lag != g.lag(-dr, -dc) || lag >= g.lags() {
					t.Errorf("%v: %d, %d has lag %d, which is %d, %d", g, dr, dc, lag, r, c)
				}
				seen[lag] = true
			}
		}
		for i := range g.h * g.w {
			for j := i; j < g.h*g.w; j++ {
				if lag := g.padded(j) - g.padded(i); lag != g.lag(j/g.w-i/g.w, j%g.w-i%g.w) {
					t.Errorf("%v: cells %d and %d are %d apart", g, i, j, lag)
				}
			}
		}
	}
}

// The number of processors changes no bit.
func TestGridOnOneProcessor(t *testing.T) {
	a := gridTable(gaussian(20*31, 33, 5), 20)
	many, err := json.Marshal(gridOf(t, a, GridOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if one, _ := json.Marshal(gridOf(t, a, GridOptions{})); string(one) != string(many) {
		t.Error("other bytes on one processor")
	}
}

// Every figure has a sentence, and none is called like another's.
func TestGridMetricsDocs(t *testing.T) {
	for i, m := range GridMetrics {
		if m.Doc == "" || m.Group != "grid" || KnownMetric(m.Name) {
			t.Errorf("%+v", m)
		}
		for _, other := range GridMetrics[:i] {
			if other.Name == m.Name {
				t.Errorf("two figures %s", m.Name)
			}
		}
	}
}
