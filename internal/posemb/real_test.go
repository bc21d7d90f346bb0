package posemb_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
)

// realTable is what numpy (float64) says of a table of other people's training,
// in the data folder's real/expected.json.
type realTable struct {
	File      string
	Tensor    *string // nil: the only one
	Kind      string  // "absolute" or "relative"
	Shape     []int
	Reserved  int
	Positions int
	Width     int
	Grid      []int
	First     []float64 `json:"first_row_first3"` // of the stored rows
	Last      []float64 `json:"last_row_last3"`
	NormMin   float64   `json:"norm_min"`
	NormMax   float64   `json:"norm_max"`

	Min, Max  float64
	InFile    int `json:"tables_in_file"`
	Window    int
	Heads     int
	Centre    []float64          `json:"centre_per_head"`
	Right     []float64          `json:"-"` // their keys hold a comma, which no tag can
	Left      []float64          `json:"-"`
	Chebyshev []float64          `json:"mean_over_heads_by_chebyshev_distance"`
	Profile   map[string]float64 // score by offset
}

func (r *realTable) UnmarshalJSON(text []byte) error {
	type plain realTable
	if err := json.Unmarshal(text, (*plain)(r)); err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	for key, to := range map[string]*[]float64{"right_neighbour_per_head (dy=0,dx=+1)": &r.Right, "left_neighbour_per_head (dy=0,dx=-1)": &r.Left} {
		if field, ok := fields[key]; ok {
			if err := json.Unmarshal(field, to); err != nil {
				return err
			}
		}
	}
	return nil
}

// data is the folder of outside data, or a skip.
func data(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("POSLENS_DATA")
	if dir == "" {
		t.Skip("POSLENS_DATA is not set")
	}
	return dir
}

// open opens a model file of a folder.
func open(t *testing.T, dir, name string) (*checkpoint.File, error) {
	t.Helper()
	root, err := os.OpenRoot(filepath.Join(dir, filepath.FromSlash(path.Dir(name))))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	f, err := checkpoint.Open(t.Context(), root.FS(), path.Base(name), checkpoint.Limits{})
	if err == nil {
		t.Cleanup(func() { f.Close() })
	}
	return f, err
}

// one chooses the one table of a name, or without a name the file's.
func one(f *checkpoint.File, name string) (posemb.Match, error) {
	found, err := posemb.Choose(f, posemb.Choice{Name: name}, posemb.ReadOptions{})
	if err != nil {
		return posemb.Match{}, err
	}
	if len(found) != 1 {
		return posemb.Match{}, fmt.Errorf("%d tables fit %q", len(found), name)
	}
	return found[0], nil
}

func TestRealTables(t *testing.T) {
	dir := filepath.Join(data(t), "real")
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var tables []realTable
	if err := json.Unmarshal(text, &tables); err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, want := range tables {
		name := want.File
		tensorName := ""
		if want.Tensor != nil {
			tensorName, _, _ = strings.Cut(*want.Tensor, " with ")
			name += "#" + tensorName
		}
		t.Run(name, func(t *testing.T) {
			f, err := open(t, dir, want.File)
			if err != nil {
				t.Fatal(err)
			}
			m, err := one(f, tensorName)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(m.Info.Shape, want.Shape) && want.Profile == nil {
				t.Errorf("shape %v, want %v", m.Info.Shape, want.Shape)
			}
			table, err := posemb.Load(t.Context(), f, m, posemb.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if table.Kind() != m.Kind {
				t.Errorf("kind %s, but the match says %s", table.Kind(), m.Kind)
			}
			switch table := table.(type) {
			case *posemb.Absolute:
				checkAbsolute(t, table, want)
			case *posemb.Bias:
				checkBias(t, table, want)
			default:
				t.Errorf("a table of %T", table)
			}
			t.Logf("%s; %s", posemb.Describe(table, m.Info), strings.Join(table.Remarks(), "; "))
			read++
		})
	}
	if read == 0 {
		t.Error("no file was read")
	}
}

// checkAbsolute compares rows exactly and norms to 1e-12 of their size.
func checkAbsolute(t *testing.T, a *posemb.Absolute, want realTable) {
	n, d := a.Table.Dims()
	if want.Kind != "absolute" || a.Reserved != want.Reserved || n != want.Positions || d != want.Width {
		t.Errorf("absolute, %d reserved, %d x %d; want %s, %d, %d x %d", a.Reserved, n, d, want.Kind, want.Reserved, want.Positions, want.Width)
	}
	g := posemb.Grid{}
	if want.Grid != nil {
		g = posemb.Grid{Rows: want.Grid[0], Cols: want.Grid[1]}
	}
	if a.Grid != g {
		t.Errorf("grid %v, want %v", a.Grid, g)
	}
	if first := a.Table.RawRowView(0)[:3]; want.Reserved == 0 && !slices.Equal(first, want.First) {
		t.Errorf("the first row begins with %v, want %v", first, want.First)
	}
	if last := a.Table.RawRowView(n - 1)[d-3:]; !slices.Equal(last, want.Last) {
		t.Errorf("the last row ends with %v, want %v", last, want.Last)
	}
	least, most := math.Inf(1), 0.0
	for i := range n {
		sum := 0.0
		for _, v := range a.Table.RawRowView(i) {
			sum += v * v
		}
		least, most = min(least, math.Sqrt(sum)), max(most, math.Sqrt(sum))
	}
	near(t, "least norm", least, want.NormMin, 1e-12)
	near(t, "greatest norm", most, want.NormMax, 1e-12)
}

// checkBias compares stored scores exactly, means to 1e-12 of their size, and
// RETSim's profile to 1e-4 of its largest value, since that was computed in float32.
func checkBias(t *testing.T, b *posemb.Bias, want realTable) {
	rows, heads := b.Scores.Dims()
	if want.Kind != "relative" || len(b.Heads) != heads {
		t.Errorf("bias of %d heads named %v, want %s", heads, b.Heads, want.Kind)
	}
	if want.Profile != nil {
		scale := max(math.Abs(want.Min), math.Abs(want.Max))
		if x := b.Axes[0]; x.Min != -511 || x.Max != 511 || rows != 1023 || heads != 1 {
			t.Fatalf("axis %+v of %d rows and %d heads", x, rows, heads)
		}
		for offset, w := range want.Profile {
			k, err := strconv.Atoi(offset)
			if err != nil {
				t.Fatal(err)
			}
			if got := b.Scores.At(k+511, 0); math.Abs(got-w) > 1e-4*scale {
				t.Errorf("offset %d: %v, want %v", k, got, w)
			}
		}
		least, most := math.Inf(1), math.Inf(-1)
		for i := range rows {
			least, most = min(least, b.Scores.At(i, 0)), max(most, b.Scores.At(i, 0))
		}
		if math.Abs(least-want.Min) > 1e-4*scale || math.Abs(most-want.Max) > 1e-4*scale {
			t.Errorf("from %v to %v, want %v to %v", least, most, want.Min, want.Max)
		}
		return
	}
	if want.Window == 0 {
		return
	}
	if len(want.Centre) != want.Heads || len(want.Right) != want.Heads || len(want.Left) != want.Heads || len(want.Chebyshev) != want.Window {
		t.Fatalf("expected.json: %d, %d, %d values and %d means", len(want.Centre), len(want.Right), len(want.Left), len(want.Chebyshev))
	}
	side := 2*want.Window - 1
	if heads != want.Heads || rows != side*side || len(b.Axes) != 2 || b.Axes[0].Min != 1-want.Window || b.Axes[1].Max != want.Window-1 {
		t.Fatalf("%d rows of %d heads, axes %+v", rows, heads, b.Axes)
	}
	at := func(dy, dx, h int) float64 { return b.Scores.At((dy+want.Window-1)*side+dx+want.Window-1, h) }
	for h := range heads {
		if at(0, 0, h) != want.Centre[h] || at(0, 1, h) != want.Right[h] || at(0, -1, h) != want.Left[h] {
			t.Errorf("head %d: centre %v, right %v, left %v", h, at(0, 0, h), at(0, 1, h), at(0, -1, h))
		}
	}
	for k, w := range want.Chebyshev {
		sum, n := 0.0, 0
		for dy := -k; dy <= k; dy++ {
			for dx := -k; dx <= k; dx++ {
				if max(dy, -dy) != k && max(dx, -dx) != k {
					continue
				}
				for h := range heads {
					sum, n = sum+at(dy, dx, h), n+1
				}
			}
		}
		near(t, "mean at distance "+strconv.Itoa(k), sum/float64(n), w, 1e-12)
	}
}

// near compares to a share of the wanted size.
func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
