package figure

import (
	"bytes"
	"image/png"
	"math"
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// noNumber matches a coordinate in an SVG that is none.
var noNumber = regexp.MustCompile(` (x|y|d|width|height|stroke-width|font-size)="[^"<]*(NaN|Inf)[^"]*"`)

// Numbers as odd as they come are drawn, in every format and in the terminal.
func TestOddNumbers(t *testing.T) {
	odd := []float64{0, 1, -1, 0.5, 1e-9, 1 + 1e-15, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 1e300, 5e-324, -5e-324, 1e15, 3}
	number := rapid.OneOf(rapid.SampledFrom(odd), rapid.Float64(), rapid.Float64Range(-2, 2))
	word := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "head 3", "a rather long label that has to be shortened", "位置"}))
	drawMap := func(t *rapid.T) Chart {
		rows, cols := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 40).Draw(t, "cols")
		v := rapid.SliceOfN(number, rows*cols, rows*cols).Draw(t, "v")
		h := &Heatmap{
			Title: word.Draw(t, "title"), XLabel: word.Draw(t, "x"), YLabel: word.Draw(t, "y"), ColorLabel: word.Draw(t, "colour"),
			Rows: rows, Cols: cols, At: func(r, c int) float64 { return v[r*cols+c] },
			X0: rapid.IntRange(-1e6, 1e6).Draw(t, "x0"), XStep: rapid.IntRange(-3, 70).Draw(t, "step"), Diverging: rapid.Bool().Draw(t, "diverging"),
		}
		if a, b := number.Draw(t, "min"), number.Draw(t, "max"); a <= b {
			h.Min, h.Max = a, b
		}
		return h
	}
	drawLines := func(t *rapid.T) Chart {
		l := &Lines{Title: word.Draw(t, "title"), XLabel: word.Draw(t, "x"), YLabel: word.Draw(t, "y"), MarkZero: rapid.Bool().Draw(t, "zero")}
		if a, b := rapid.Float64().Draw(t, "min"), rapid.Float64().Draw(t, "max"); rapid.Bool().Draw(t, "fixed") && a <= b {
			l.YMin, l.YMax = a, b
		}
		for range rapid.IntRange(1, 11).Draw(t, "series") {
			n := rapid.IntRange(0, 9).Draw(t, "n")
			s := Series{Name: word.Draw(t, "name"), Steps: rapid.Bool().Draw(t, "steps"), Dashed: rapid.Bool().Draw(t, "dashed")}
			s.X, s.Y = rapid.SliceOfN(number, n, n).Draw(t, "x"), rapid.SliceOfN(number, n, n).Draw(t, "y")
			if rapid.Bool().Draw(t, "band") {
				s.Lo, s.Hi = rapid.SliceOfN(number, n, n).Draw(t, "lo"), rapid.SliceOfN(number, n, n).Draw(t, "hi")
			}
			l.Series = append(l.Series, s)
		}
		return l
	}
	rapid.Check(t, func(t *rapid.T) {
		chart := func() Chart {
			if rapid.Bool().Draw(t, "map") {
				return drawMap(t)
			}
			return drawLines(t)
		}
		c := chart()
		if rapid.IntRange(0, 3).Draw(t, "panels") == 0 {
			rows, cols := rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(1, 4).Draw(t, "cols")
			g := &Panels{Title: word.Draw(t, "all"), Rows: rows, Cols: cols}
			for range rapid.IntRange(1, rows*cols).Draw(t, "charts") {
				g.Charts = append(g.Charts, chart())
			}
			c = g
		}
		s := Style{
			Width: rapid.Float64Range(1, 3).Draw(t, "width"), Height: rapid.Float64Range(1, 3).Draw(t, "height"), DPI: rapid.IntRange(30, 60).Draw(t, "dpi"),
			Theme: rapid.SampledFrom(Themes()).Draw(t, "theme"), Palette: rapid.SampledFrom(append(Palettes(), "")).Draw(t, "palette"),
		}
		if c.check() != nil {
			return // there may be nothing to draw
		}
		for _, format := range Formats() {
			var b bytes.Buffer
			if _, err := Write(&b, format, c, s); err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			if format == "png" {
				if _, err := png.Decode(&b); err != nil {
					t.Fatal(err)
				}
			}
			if noNumber.Match(b.Bytes()) {
				t.Fatalf("a coordinate is no number: %s", noNumber.Find(b.Bytes()))
			}
		}
		for _, mode := range []string{"none", "256", "true"} {
			term := Terminal{Width: rapid.IntRange(0, 120).Draw(t, "columns"), Color: mode, ASCII: rapid.Bool().Draw(t, "ASCII")}
			var b bytes.Buffer
			if err := WriteTerminal(&b, c, term); err != nil {
				t.Fatal(err)
			}
			if mode == "none" && bytes.ContainsRune(b.Bytes(), '\x1b') {
				t.Fatal("a colour code without colour")
			}
			if term.ASCII && bytes.ContainsFunc(b.Bytes(), func(r rune) bool { return r >= 0x80 }) {
				t.Fatalf("not ASCII: %q", b.String())
			}
		}
	})
}
