package posemb

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

const initial = "no row shows training"

// valuesNoted are the notes on the numbers of a table, by a preset that takes each
// row as a position.
func valuesNoted(t *testing.T, table *mat.Dense) []string {
	t.Helper()
	n, d := table.Dims()
	m := (&memory{}).holding("transformer.wpe.weight", table.RawMatrix().Data, n, d)
	return mustLoad(t, m, ReadOptions{}).Remarks()
}

// Tables before training are told for what they are, whatever they are drawn from.
func TestInitialTables(t *testing.T) {
	normal := func(r *rand.Rand) float64 { return r.NormFloat64() }
	for _, c := range []struct {
		name  string
		n, d  int
		std   float64
		draw  func(*rand.Rand) float64
		scale float64
	}{
		{"normal", 512, 64, 0.02, normal, 0.02},
		{"normal of width 1", 512, 1, 1, normal, 1},
		{"normal of width 2", 1024, 2, 0.02, normal, 0.02},
		{"8 wide rows", 8, 768, 0.02, normal, 0.02},
		{"uniform", 200, 50, 0.01, func(r *rand.Rand) float64 { return 2*r.Float64() - 1 }, 0.01 * math.Sqrt(3)},
		{"cut at two deviations", 197, 192, 0.0176, func(r *rand.Rand) float64 {
			for {
				if v := r.NormFloat64(); math.Abs(v) < 2 {
					return v
				}
			}
		}, 0.02},
	} {
		const draws = 40
		hits := 0
		for seed := range uint64(draws) {
			r := rand.New(rand.NewPCG(seed, 1))
			table := mat.NewDense(c.n, c.d, nil)
			for i, data := 0, table.RawMatrix().Data; i < len(data); i++ {
				data[i] = c.scale * c.draw(r)
			}
			for _, note := range valuesNoted(t, table) {
				var std float64
				if _, err := fmt.Sscanf(note, "the rows look like independent random numbers of standard deviation %g: "+initial, &std); err != nil {
					continue
				}
				hits++
				if math.Abs(std-c.std) > 0.12*c.std {
					t.Errorf("%s: %q, want %v", c.name, note, c.std)
				}
			}
		}
		if hits < draws*95/100 {
			t.Errorf("%s: %d of %d", c.name, hits, draws)
		}
	}
}

func TestInitialOfRandomTables(t *testing.T) {
	hits := 0
	for seed := range uint32(100) {
		a, err := Random(RandomOptions{N: 512, D: 64, Seed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		if notes := valuesNoted(t, a.Table); told(notes, "the rows look like independent random numbers of standard deviation 0.02: "+initial) {
			hits++
		}
	}
	if hits < 95 {
		t.Errorf("%d of 100", hits)
	}
}

// Tables with structure are not, and neither are those that are too small to tell.
func TestTrainedTablesAreNotInitial(t *testing.T) {
	quiet := func(name string, table *mat.Dense) {
		t.Helper()
		if notes := valuesNoted(t, table); told(notes, initial) {
			t.Errorf("%s: %q", name, notes)
		}
	}
	for seed := range uint32(100) {
		noise := 0.05 + 0.009*float64(seed)
		a, err := Smooth(SmoothOptions{Seed: &seed, Noise: &noise})
		if err != nil {
			t.Fatal(err)
		}
		quiet("smooth, noise "+strconv.FormatFloat(noise, 'g', 3, 64), a.Table)
	}
	for _, opt := range []SinusoidOptions{{}, {Layout: "concatenated", Frequencies: "timescales"}, {Base: 100}} {
		a, err := Sinusoid(opt)
		if err != nil {
			t.Fatal(err)
		}
		quiet("sinusoid", a.Table)
	}
	// A random table, of which something has been trained.
	for name, change := range map[string]func(i, j int, v float64) float64{
		"one long row":       func(i, _ int, v float64) float64 { return v * (1 + 2*one01(i == 300)) },
		"one short row":      func(i, _ int, v float64) float64 { return v * (1 - 0.8*one01(i == 300)) },
		"rows grow":          func(i, _ int, v float64) float64 { return v * (1 + 0.1*float64(i)/512) },
		"one loud component": func(_, j int, v float64) float64 { return v * (1 + one01(j == 5)) },
		"a mean":             func(_, j int, v float64) float64 { return v + 0.004*one01(j%2 == 0) },
		"a slope":            func(i, j int, v float64) float64 { return v + 0.02*one01(j == 7)*float64(i-256)/128 },
		"heavy tails":        func(_, _ int, v float64) float64 { return v * (1 + 2500*v*v) },
		"zeros behind":       func(i, _ int, v float64) float64 { return v * one01(i < 500) },
		"a NaN":              func(i, j int, v float64) float64 { return v + math.Log(1-2*one01(i == 9 && j == 9)) },
		"an infinity":        func(i, j int, v float64) float64 { return v - math.Log(1-one01(i == 500 && j == 9)) },
	} {
		a, err := Random(RandomOptions{N: 512, D: 64})
		if err != nil {
			t.Fatal(err)
		}
		a.Table.Apply(change, a.Table)
		quiet(name, a.Table)
	}
	for _, size := range [][2]int{{7, 512}, {511, 1}, {16, 16}} {
		a, err := Random(RandomOptions{N: size[0], D: size[1]})
		if err != nil {
			t.Fatal(err)
		}
		quiet("small", a.Table)
	}
	if notes := valuesNoted(t, mat.NewDense(512, 64, nil)); told(notes, initial) || !told(notes, "every value is zero") {
		t.Errorf("zeros: %q", notes)
	}
}

// one01 is 1 for true.
func one01(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// A relative table counts its stored rows, and buckets once.
func TestInitialOffsets(t *testing.T) {
	random := func(n, d int) []float64 {
		a, err := Random(RandomOptions{N: n, D: d})
		if err != nil {
			t.Fatal(err)
		}
		return a.Table.RawMatrix().Data
	}
	for name, m := range map[string]*memory{
		"T5":    (&memory{}).holding("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", random(32, 32), 32, 32),
		"Swin":  (&memory{}).holding("attn.relative_position_bias_table", random(169, 4), 169, 4),
		"BERT":  (&memory{}).holding("attention.self.distance_embedding.weight", random(127, 32), 127, 32),
		"LeViT": (&memory{}).holding("attn.attention_biases", random(4, 196), 4, 196),
	} {
		if notes := mustLoad(t, m, ReadOptions{}).Remarks(); !told(notes, "standard deviation 0.02: "+initial) && !strings.HasPrefix(name, "LeViT") {
			t.Errorf("%s: %q", name, notes)
		}
		data := m.tensors[0].Data
		for i := range data {
			data[i] += 0.02 * math.Sin(float64(i)/40)
		}
		if notes := mustLoad(t, m, ReadOptions{}).Remarks(); told(notes, initial) {
			t.Errorf("%s, trained: %q", name, notes)
		}
	}
}
