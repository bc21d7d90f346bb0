package figure

import (
	"image/color"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// A heat map and curves at 80 columns, in each colour mode and in ASCII, as they were
// when they were last looked at.
func TestTerminalPictures(t *testing.T) {
	lines := sampleLines(3, 32)
	lines.XScale = Symlog
	for name, c := range map[string]Chart{"map": sampleMap(48, 48), "curve": lines} {
		for mode, term := range map[string]Terminal{
			"none": {Color: "none"}, "256": {Color: "256"}, "true": {Color: "true"},
			"ascii": {Color: "none", ASCII: true}, "ascii-256": {Color: "256", ASCII: true},
		} {
			file := filepath.Join("testdata", name+"-"+mode+".txt")
			term.Width = 80
			got := drawn(t, c, term)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s (-update rewrites it): got\n%s", file, got)
			}
		}
	}
}

// No colour of the cube or of the greys is nearer than the one chosen, for colours
// all over the space and for every colour that is drawn.
func TestNearest256IsNearest(t *testing.T) {
	distance := func(c color.RGBA, i int) int {
		level := func(n int) int { return []int{0, 95, 135, 175, 215, 255}[n%6] }
		r, g, b := level((i-16)/36), level((i-16)/6), level(i-16)
		if i >= 232 {
			r = 8 + 10*(i-232)
			g, b = r, r
		}
		dr, dg, db := r-int(c.R), g-int(c.G), b-int(c.B)
		return dr*dr + dg*dg + db*db
	}
	check := func(c color.RGBA) {
		least := math.MaxInt
		for i := 16; i < 256; i++ {
			least = min(least, distance(c, i))
		}
		if got := nearest256(c); got < 16 || got > 255 || distance(c, got) != least {
			t.Errorf("%v is %d, %d away; the nearest is %d away", c, got, distance(c, got), least)
		}
	}
	for r := 0; r < 256; r += 7 {
		for g := 0; g < 256; g += 7 {
			for b := 0; b < 256; b += 7 {
				check(color.RGBA{uint8(r), uint8(g), uint8(b), 255})
			}
		}
	}
	for v := range 256 {
		for d := range 9 { // near the greys, where the cube and they compete
			check(color.RGBA{uint8(v), uint8(min(255, v+d)), uint8(max(0, v-d)), 255})
		}
	}
	check(undefined)
	for _, name := range Palettes() {
		for _, both := range []bool{false, true} {
			for _, c := range palette(name, both) {
				check(c)
			}
		}
	}
	for _, n := range []int{fewSeries, fewSeries + 1, 40} {
		for _, c := range termSeries(n, "") {
			check(c)
		}
	}
}
