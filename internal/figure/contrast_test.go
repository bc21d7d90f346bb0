package figure

import (
	"image/color"
	"math"
	"testing"
)

// The values for #767676 and #777777 on white are those that the guidelines' readers
// know: the last grey that passes 4.5:1, and the first that fails.
func TestContrast(t *testing.T) {
	white, black := color.RGBA{255, 255, 255, 255}, color.RGBA{0, 0, 0, 255}
	for _, c := range []struct {
		a, b color.RGBA
		want float64
	}{
		{black, white, 21}, {white, black, 21}, {white, white, 1},
		{color.RGBA{0x76, 0x76, 0x76, 255}, white, 4.54},
		{color.RGBA{0x77, 0x77, 0x77, 255}, white, 4.48},
		{color.RGBA{255, 0, 0, 255}, white, 4},
	} {
		if got := contrastOf(c.a, c.b); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%v on %v: %.3f, want %v", c.a, c.b, got, c.want)
		}
	}
}

// Every value that is written into a cell can be read.
func TestLegible(t *testing.T) {
	for _, name := range Palettes() {
		for _, c := range palettes()[name] {
			if got := contrastOf(color.RGBA(legible(c)), c); got < 4.5 {
				t.Errorf("%s: a contrast of %.2f on %v", name, got, c)
			}
		}
	}
}
