package posemb

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// numpyValues is testdata/numpy.json, made by testdata/make_numpy.py.
type numpyValues struct {
	Worked   []float64     `json:"randn_11_4_seed_42"`
	Normal   []numpyStream `json:"normal"`
	Uniform  []numpyStream `json:"uniform"`
	Smooth   []numpySmooth `json:"smooth"`
	Expected [][3]float64  `json:"expected_cosine"` // r, d, value
}

type numpyStream struct {
	Seed   []uint32
	List   bool // seeded by a list, not by a number
	Skip   int
	Values []float64
}

type numpySmooth struct {
	Kernel        string
	N, D          int
	Length, Noise float64
	Seed          uint32
	Rows          [][]float64
}

func readTestdata[T any](t *testing.T, name string) (v T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

func (s numpyStream) rand() *legacyRand {
	if s.List {
		return newLegacyRandKeys(s.Seed...)
	}
	return newLegacyRand(s.Seed[0])
}

// nearTo reports whether two numbers agree to a relative tolerance.
func nearTo(got, want, tol float64) bool {
	return math.Abs(got-want) <= tol*math.Abs(want)
}

func TestNormalIsNumpys(t *testing.T) {
	np := readTestdata[numpyValues](t, "numpy.json")
	streams := append(np.Normal, numpyStream{Seed: []uint32{42}, Values: np.Worked})
	if len(streams) != 9 || len(np.Worked) != 44 {
		t.Fatalf("%d streams, %d worked values", len(streams), len(np.Worked))
	}
	for _, s := range streams {
		r := s.rand()
		for range s.Skip {
			r.Normal()
		}
		for i, want := range s.Values {
			if got := r.Normal(); !nearTo(got, want, 1e-15) {
				t.Errorf("seed %v, normal %d: %v, numpy has %v", s.Seed, s.Skip+i, got, want)
			}
		}
	}
}

func TestFloat64IsNumpys(t *testing.T) {
	np := readTestdata[numpyValues](t, "numpy.json")
	if len(np.Uniform) == 0 {
		t.Fatal("no streams")
	}
	for _, s := range np.Uniform {
		r := s.rand()
		for range s.Skip {
			r.Float64()
		}
		for i, want := range s.Values {
			if got := r.Float64(); got != want {
				t.Errorf("seed %v, uniform %d: %v, numpy has %v", s.Seed, s.Skip+i, got, want)
			}
		}
	}
}

func TestRandom(t *testing.T) {
	np := readTestdata[numpyValues](t, "numpy.json")
	a, err := Random(RandomOptions{N: 11, D: 4})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range np.Worked {
		if got := a.Table.At(i/4, i%4); !nearTo(got, want*0.02, 1e-15) {
			t.Errorf("row %d, component %d: %v, want %v", i/4, i%4, got, want*0.02)
		}
	}
	flat, err := Random(RandomOptions{N: 3, D: 2, Std: new(0.0)})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range flat.Table.RawMatrix().Data {
		if v != 0 {
			t.Errorf("std 0 gave %v", v)
		}
	}
}
