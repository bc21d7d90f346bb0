package analysis

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"poslens/internal/posemb"
)

// levelled is a series of some levels with noise, each of a length.
func levelled(r *rand.Rand, noise float64, levels ...[2]float64) (y []float64, at []int) {
	for k, l := range levels {
		if k > 0 {
			at = append(at, len(y))
		}
		for range int(l[0]) {
			y = append(y, l[1]+noise*r.NormFloat64())
		}
	}
	return y, at
}

// Changes of level are found where they are: of one, of blocks in the middle, of
// stairs, in short series and in ones that are cut into bins.
func TestShifts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	for _, levels := range [][][2]float64{
		{{50, 0.9}, {150, 0}},
		{{8, 0.9}, {8, 0.2}},
		{{100, 0.9}, {40, 0}, {100, 0.9}},
		{{100, 0.9}, {20, 0}, {100, 0.9}, {20, 0}, {100, 0.9}},
		{{100, 0.9}, {100, 0.6}, {100, 0.3}, {100, 0}},
		{{1000, 0.9}, {37, 0}, {3001, 0.9}},
		{{20001, 0.9}, {30003, 0.5}, {15531, 0.1}},
		{{70, 0}, {30, 0.4}, {50, 0.8}, {70, 0.4}, {90, 0}},
	} {
		y, want := levelled(r, 0.05, levels...)
		if got := shiftsOf(y); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", levels, got, want)
		}
		y, _ = levelled(r, 0, levels...)
		if got := shiftsOf(y); !slices.Equal(got, want) {
			t.Errorf("%v without noise: %v, want %v", levels, got, want)
		}
	}
	for _, levels := range [][][2]float64{
		{{100, 0.9}, {100, 0.71}},     // too little
		{{100, 0.9}},                  // nothing
		{{15, 0.9}},                   // too short
		{{9, 0.9}, {6, 0}},            // too short in all
		{{0, 0}},                      // empty
		{{400, 0.9}, {5, 0}, {95, 1}}, // a block of five is none
	} {
		y, _ := levelled(r, 0, levels...)
		if got := shiftsOf(y); got != nil {
			t.Errorf("%v: %v", levels, got)
		}
	}
}

// The splits leave the least squares, beside all there are.
func TestSplits(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 7))
	squares := func(y []float64) float64 {
		mean, sum := 0.0, 0.0
		for _, x := range y {
			mean += x / float64(len(y))
		}
		for _, x := range y {
			sum += (x - mean) * (x - mean)
		}
		return sum
	}
	for range 50 {
		y := make([]float64, 40)
		for i := range y {
			y[i] = r.NormFloat64() + float64(i/13)*r.Float64()
		}
		s := newSeries(y)
		want, least := []int{0, 0}, math.Inf(1)
		for a := 8; a <= 24; a++ {
			for b := a + 8; b <= 32; b++ {
				if q := squares(y[:a]) + squares(y[a:b]) + squares(y[b:]); q < least {
					want, least = []int{a, b}, q
				}
			}
		}
		if got := s.splits(0, 40, 2); !slices.Equal(got, want) {
			t.Fatalf("splits at %v, want %v", got, want)
		}
	}
}

// Series that only wander have no change of level, and do not fade.
func TestShiftsOfChance(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	random := rand.New(rand.NewPCG(5, 5))
	shifts, fades := 0, 0
	for range 1000 { // white noise and walks of short memory
		y, level := make([]float64, 200), 0.0
		rho := 0.8 * random.Float64()
		for i := range y {
			level = rho*level + random.NormFloat64()
			y[i] = level
		}
		if len(shiftsOf(y)) > 0 {
			shifts++
		}
		if rampOf(y).real(y) {
			fades++
		}
	}
	if shifts > 0 || fades > 0 {
		t.Errorf("%d of 1000 series without a shift have one, and %d fade", shifts, fades)
	}
}

func TestInOrder(t *testing.T) {
	near(t, "in order", inOrder([]float64{1, 2, 3}, []float64{3, 4}), (5+0.5)/6, 1e-15)
	many := make([]float64, 1<<20) // which would take minutes if each equal one were walked over
	near(t, "all equal", inOrder(many, many), 0.5, 0)
	near(t, "in the other order", inOrder([]float64{3, 4}, []float64{1, 2, 3}), (5+0.5)/6, 1e-15)
}

// A ramp is found where it is, and its squares are those about it.
func TestRamp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	for _, n := range []int{40, 300, 2000} {
		for _, want := range []ramp{{from: n / 4, to: n, before: 0.9, after: 0.1}, {from: 0, to: n / 2, before: -0.3, after: 0.5}, {from: n / 3, to: n / 2, before: 0.8, after: 0.2}, {from: 0, to: n, before: 5, after: 4}} {
			y := make([]float64, n)
			for i := range y {
				y[i] = want.at(i)
			}
			got := rampOf(y)
			if got.from != want.from || got.to != want.to {
				t.Errorf("%d: from %d to %d, want %d to %d", n, got.from, got.to, want.from, want.to)
			}
			near(t, "before", got.before, want.before, 1e-9)
			near(t, "after", got.after, want.after, 1e-9)
			for i := range y {
				y[i] += 0.1 * r.NormFloat64()
			}
			got = rampOf(y)
			sum := 0.0
			for i, x := range y {
				sum += (x - got.at(i)) * (x - got.at(i))
			}
			near(t, "squares", got.squares, sum, 1e-9*sum)
			planted := 0.0
			for i, x := range y {
				planted += (x - want.at(i)) * (x - want.at(i))
			}
			if got.squares > planted {
				t.Errorf("%d: %v leaves %v, and the planted one %v", n, got, got.squares, planted)
			}
		}
	}
}

// Of 4500 smooth tables of many shapes none fades and none holds near copies, and few of
// the narrowest have a change point.
func TestCheckSmoothCalibrated(t *testing.T) {
	if os.Getenv("POSLENS_SLOW") == "" {
		t.Skip("POSLENS_SLOW is not set: make test-slow takes a minute for it")
	}
	told, tables := map[string]int{}, 0
	for _, n := range []int{40, 64, 128, 512} {
		for _, d := range []int{8, 16, 64} {
			for _, length := range []float64{1, 3, 6, 20, float64(n) / 8} {
				for _, noise := range []float64{0.001, 0.087, 0.4} {
					for seed := range uint32(25) {
						a, err := posemb.Smooth(posemb.SmoothOptions{N: n, D: d, Length: length, Noise: &noise, Seed: &seed})
						if err != nil {
							t.Fatal(err)
						}
						for _, f := range check(t, a, CheckOptions{}).Findings {
							told[f.Code]++
							if f.Code == CodeChangePoint && d > 8 {
								t.Errorf("%d x %d: %s", n, d, f.Text)
							}
						}
						tables++
					}
				}
			}
		}
	}
	if tables != 4500 || told[CodeFading] > 0 || told[CodeNearCopies] > 0 || told[CodeChangePoint] > 4 {
		t.Errorf("%d tables: %v", tables, told)
	}
	t.Log(told)
}
