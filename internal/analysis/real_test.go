package analysis_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/analysis"
	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
)

// tolerance for figures that numpy 1.24 computed in float64 from the same files
// and that stand beside them with all their digits.
const tolerance = 1e-9

// realData is the folder of checkpoints that others have trained; a test without
// it is skipped.
func realData(t *testing.T) string {
	t.Helper()
	data := os.Getenv("POSLENS_DATA")
	if data == "" {
		t.Skip("POSLENS_DATA is not set")
	}
	return filepath.Join(data, "real")
}

// readJSON reads the expected figures.
func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

// open opens a checkpoint, or skips the test when its container is not read yet.
func open(t *testing.T, dir, file string) *checkpoint.File {
	t.Helper()
	folder, name := filepath.Split(filepath.Join(dir, filepath.FromSlash(file)))
	f, err := checkpoint.Open(context.Background(), os.DirFS(folder), name, checkpoint.Limits{})
	var fault *checkpoint.Error
	if errors.As(err, &fault) && fault.Kind == checkpoint.Unsupported {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// load reads one table of a checkpoint, the only one when no tensor is named.
func load(t *testing.T, f *checkpoint.File, tensor string, opt posemb.ReadOptions) posemb.Table {
	t.Helper()
	found, err := posemb.Choose(f, posemb.Choice{Name: tensor}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 {
		t.Fatalf("%d tables fit %q", len(found), tensor)
	}
	table, err := posemb.Load(context.Background(), f, found[0], opt)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// expected is an entry of the file with the tensors' names and figures.
type expected struct {
	File      string    `json:"file"`
	Tensor    string    `json:"tensor"`
	Kind      string    `json:"kind"`
	Reserved  int       `json:"reserved"`
	Positions int       `json:"positions"`
	Window    int       `json:"window"`
	Heads     int       `json:"heads"`
	Decay     []float64 `json:"decay_cosine_eps1e-8"`
	Chebyshev []float64 `json:"mean_over_heads_by_chebyshev_distance"`
	Centre    []float64 `json:"centre_per_head"`
	Right     []float64 `json:"-"`
	Left      []float64 `json:"-"`
}

// UnmarshalJSON reads the keys that no struct tag can spell.
func (e *expected) UnmarshalJSON(b []byte) error {
	type plain expected
	if err := json.Unmarshal(b, (*plain)(e)); err != nil {
		return err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	for key, into := range map[string]*[]float64{
		"right_neighbour_per_head (dy=0,dx=+1)": &e.Right,
		"left_neighbour_per_head (dy=0,dx=-1)":  &e.Left,
	} {
		if raw, ok := all[key]; ok {
			if err := json.Unmarshal(raw, into); err != nil {
				return err
			}
		}
	}
	return nil
}

func TestRealDecayWithEps(t *testing.T) {
	dir := realData(t)
	var all []expected
	readJSON(t, filepath.Join(dir, "expected.json"), &all)
	for _, e := range all {
		if e.Kind != "absolute" {
			continue
		}
		t.Run(e.File, func(t *testing.T) {
			table, ok := load(t, open(t, dir, e.File), e.Tensor, posemb.ReadOptions{Reserved: &e.Reserved}).(*posemb.Absolute)
			if !ok {
				t.Fatal("no absolute table")
			}
			opt := analysis.DecayOptions{SimilarityOptions: analysis.SimilarityOptions{Eps: 1e-8}}
			c, err := analysis.Decay(context.Background(), table, opt)
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Mean) != len(e.Decay) || c.Pairs[0] != e.Positions {
				t.Fatalf("%d distances of %d positions, want %d of %d", len(c.Mean), c.Pairs[0], len(e.Decay), e.Positions)
			}
			for k := range e.Decay {
				near(t, "mean at "+strconv.Itoa(k), c.Mean[k], e.Decay[k])
			}
		})
	}
}

// metrics are the decay's figures of one checkpoint.
type metrics struct {
	Reserved       int                `json:"reserved"`
	MeanOff        float64            `json:"mean_cosine_offdiagonal"`
	Decay          map[string]float64 `json:"decay"`
	Std            map[string]float64 `json:"decay_std_population"`
	Centered       map[string]float64 `json:"decay_centered"`
	HalfLifeToMean float64            `json:"half_life_to_mean"`
	HalfLifeToZero float64            `json:"half_life_to_zero"`
	FirstLE1OverE  *int               `json:"first_k_le_1_over_e"`
	FirstLE0       *int               `json:"first_k_le_0"`
}

func TestRealDecayMetrics(t *testing.T) {
	dir := realData(t)
	var all []expected
	readJSON(t, filepath.Join(dir, "expected.json"), &all)
	tensors := map[string]string{}
	for _, e := range all {
		if e.Kind == "absolute" {
			tensors[e.File] = e.Tensor
		}
	}
	want := map[string]metrics{}
	readJSON(t, filepath.Join(dir, "metrics_expected.json"), &want)
	for file, m := range want {
		t.Run(file, func(t *testing.T) {
			table, ok := load(t, open(t, dir, file), tensors[file], posemb.ReadOptions{Reserved: &m.Reserved}).(*posemb.Absolute)
			if !ok {
				t.Fatal("no absolute table")
			}
			c, err := analysis.Decay(context.Background(), table, analysis.DecayOptions{All: true})
			if err != nil {
				t.Fatal(err)
			}
			centered, err := analysis.Decay(context.Background(), table, analysis.DecayOptions{
				SimilarityOptions: analysis.SimilarityOptions{Center: true}, All: true})
			if err != nil {
				t.Fatal(err)
			}
			s, err := analysis.Similarity(context.Background(), table, analysis.SimilarityOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for what, pair := range map[string]struct {
				got  analysis.Values
				want map[string]float64
			}{"mean": {c.Mean, m.Decay}, "std": {c.Std, m.Std}, "centred mean": {centered.Mean, m.Centered}} {
				for at, v := range pair.want {
					k, err := strconv.Atoi(at)
					if err != nil {
						t.Fatal(err)
					}
					near(t, what+" at "+at, pair.got[k], v)
				}
			}
			near(t, "mean off the diagonal", float64(c.Summary.MeanCosineOffdiagonal), m.MeanOff)
			near(t, "mean off the matrix's diagonal", float64(s.MeanOffdiagonal), m.MeanOff)
			near(t, "half-life to the mean", float64(c.Summary.HalfLifeToMean), m.HalfLifeToMean)
			near(t, "half-life to zero", float64(c.Summary.HalfLifeToZero), m.HalfLifeToZero)
			sameDistance(t, "first at most 1/e", c.Summary.FirstLE1OverE, m.FirstLE1OverE)
			sameDistance(t, "first at most 0", c.Summary.FirstLE0, m.FirstLE0)
			if m.FirstLE0 == nil && c.Reasons["first_k_le_0"] == "" {
				t.Error("no reason for a curve that never falls to 0")
			}

			// A short curve has the same summary.
			short, err := analysis.Decay(context.Background(), table, analysis.DecayOptions{MaxDistance: new(2)})
			if err != nil {
				t.Fatal(err)
			}
			near(t, "half-life of a short curve", float64(short.Summary.HalfLifeToMean), m.HalfLifeToMean)
			sameDistance(t, "first at most 0 of a short curve", short.Summary.FirstLE0, m.FirstLE0)
		})
	}
}

func sameDistance(t *testing.T, what string, got, want *int) {
	t.Helper()
	if (got == nil) != (want == nil) || got != nil && *got != *want {
		t.Errorf("%s: %v, want %v", what, show(got), show(want))
	}
}

func show(k *int) string {
	if k == nil {
		return "none"
	}
	return strconv.Itoa(*k)
}

// Trained Swin tables: decay by Chebyshev distance, and the profile along x.
func TestRealBias(t *testing.T) {
	dir := realData(t)
	var all []expected
	readJSON(t, filepath.Join(dir, "expected.json"), &all)
	for _, e := range all {
		if e.Chebyshev == nil {
			continue
		}
		t.Run(e.File, func(t *testing.T) {
			b, ok := load(t, open(t, dir, e.File), e.Tensor, posemb.ReadOptions{}).(*posemb.Bias)
			if !ok {
				t.Fatal("no bias table")
			}
			c, err := analysis.DecayBias(context.Background(), b, analysis.DecayOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Mean) != len(e.Chebyshev) {
				t.Fatalf("%d distances, want %d", len(c.Mean), len(e.Chebyshev))
			}
			for k, want := range e.Chebyshev {
				near(t, "mean at "+strconv.Itoa(k), c.Mean[k], want)
			}
			p, err := analysis.ProfileOf(context.Background(), b, analysis.ProfileOptions{})
			if err != nil {
				t.Fatal(err)
			}
			x, err := analysis.AxisProfile(p, 1)
			if err != nil {
				t.Fatal(err)
			}
			if len(x.Heads) != e.Heads || len(x.Offsets) != 2*e.Window-1 {
				t.Fatalf("%d heads, %d offsets along dx", len(x.Heads), len(x.Offsets))
			}
			for h, head := range x.Heads {
				near(t, "centre", head.Score[e.Window-1], e.Centre[h])
				near(t, "right neighbour", head.Score[e.Window], e.Right[h])
				near(t, "left neighbour", head.Score[e.Window-2], e.Left[h])
			}
		})
	}
}

// Squares of this table overflow. It is another one, stored beside it, times
// 1e300, so its cosines are known.
func TestHugeValues(t *testing.T) {
	dir := filepath.Join(filepath.Dir(realData(t)), "fixtures", "npy")
	huge, ok := load(t, open(t, dir, "huge_values.npy"), "", posemb.ReadOptions{}).(*posemb.Absolute)
	if !ok {
		t.Fatal("no absolute table")
	}
	n, d := huge.Table.Dims()
	tame := mat.NewDense(n, d, nil)
	tame.Scale(1e-300, huge.Table)
	s, err := analysis.Similarity(context.Background(), huge, analysis.SimilarityOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := analysis.Decay(context.Background(), huge, analysis.DecayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		sum := 0.0
		for j := range n {
			p, q := tame.RawRowView(j), tame.RawRowView((i+j)%n)
			cosine := floats.Dot(p, q) / floats.Norm(p, 2) / floats.Norm(q, 2)
			near(t, "cosine", s.Scores.At(j, (i+j)%n), cosine)
			if i+j < n {
				sum += cosine
			}
		}
		near(t, "mean", c.Mean[i], sum/float64(n-i))
	}
	if len(s.Warnings)+len(c.Warnings) > 0 {
		t.Errorf("%q, %q", s.Warnings, c.Warnings)
	}
}
