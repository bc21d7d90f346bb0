package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
)

// A terminal gets a picture of the norms below what was found in rows, for a few
// tables; a pipe, and a table of which nothing is told but as a whole, gets none.
func TestCheckPictures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "zero.csv")
	if err := os.WriteFile(file, []byte("1,2\n0,0\n3,4\n5,6\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	on := func(terminal func(any) (int, bool), args ...string) string {
		var out, stderr bytes.Buffer
		env := Env{Out: &out, Err: &stderr, Getenv: noEnv, Terminal: terminal}
		Main(context.Background(), append([]string{"check", "--color", "never", "-q", "-f", "text"}, args...), env)
		return out.String()
	}
	for _, c := range []struct {
		name     string
		out      string
		pictures int
	}{
		{"a terminal", on(aTerminal, file), 1},
		{"a pipe", on(noTerminal, file), 0},
		{"five tables", on(aTerminal, file, file, file, file, file), mostPictures},
		{"random as a whole", on(aTerminal, "gen:random"), 0},
		{"no findings", on(aTerminal, "gen:smooth"), 0},
	} {
		if got := strings.Count(c.out, "▼ zero-rows"); got != c.pictures || c.out == "" {
			t.Errorf("%s: %d pictures, want %d: %s", c.name, got, c.pictures, c.out)
		}
		if more := strings.HasSuffix(c.out, "1 table more with findings: -o FILE.png draws the norms\n"); more != (c.pictures == mostPictures) {
			t.Errorf("%s: what is left out: %v", c.name, more)
		}
	}
}

// The marks of a chart are the findings' rows, dark for errors.
func TestNormsChart(t *testing.T) {
	m := mat.NewDense(6, 2, []float64{3, 4, 6, 8, 0, 0, 3, 4, 5, 12, 8, 15})
	a := &posemb.Absolute{Origin: posemb.Origin{Label: "x"}, Table: m, First: 100, Stride: 10}
	r, err := analysis.Check(context.Background(), a, analysis.CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l := normsChart([]*analysis.NormCurve{checked(r, a).norms}, &outputFlags{}).(*figure.Lines)
	want := []figure.Span{{From: 120, To: 120, Name: "zero-rows", Strong: true}, {From: 130, To: 130, Name: "duplicate-rows", Strong: true}}
	if len(l.Spans) != 2 || l.Spans[0] != want[0] || l.Spans[1] != want[1] {
		t.Errorf("marked are %v, want %v", l.Spans, want)
	}
	for i, y := range []float64{5, 10, 0, 5, 13, 17} {
		if s := l.Series[0]; s.X[i] != float64(100+10*i) || s.Y[i] != y {
			t.Errorf("point %d is (%v, %v), want (%d, %v)", i, s.X[i], s.Y[i], 100+10*i, y)
		}
	}
}
