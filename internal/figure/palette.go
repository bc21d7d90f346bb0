package figure

import (
	_ "embed"
	"encoding/hex"
	"image/color"
	"math"
	"strings"
	"sync"
)

//go:embed colormaps.txt
var colormaps string

// Palettes lists the colour maps: four sequential ones, and a diverging one
// from blue over white to red.
func Palettes() []string {
	return []string{"viridis", "magma", "inferno", "plasma", "diverging"}
}

// undefined is the colour of a cell without a value, on every ground.
var undefined = color.RGBA{0xa8, 0xa8, 0xa8, 0xff}

// palettes are built when the first figure asks for one.
var palettes = sync.OnceValue(func() map[string][]color.RGBA {
	m := map[string][]color.RGBA{"diverging": diverging()}
	for line := range strings.Lines(colormaps) {
		name, digits, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || name == "#" {
			continue
		}
		b, err := hex.DecodeString(digits)
		if err != nil {
			panic(err) // the file is compiled in
		}
		for ; len(b) >= 3; b = b[3:] {
			m[name] = append(m[name], color.RGBA{b[0], b[1], b[2], 0xff})
		}
	}
	return m
})

// palette gives a colour map, low to high; "" is viridis, or diverging.
func palette(name string, diverging bool) []color.RGBA {
	switch {
	case name != "":
	case diverging:
		name = "diverging"
	default:
		name = "viridis"
	}
	return palettes()[name]
}

// diverging makes a map of 255 colours, so that its middle is one colour of
// its own: lightness in OKLab falls linearly, and alike, from white to deep
// blue on the low side and to deep red on the high side, a pair that every
// common kind of colour vision tells apart.
//
//	https://bottosson.github.io/posts/oklab/
func diverging() []color.RGBA {
	const n = 127
	colors := make([]color.RGBA, 2*n+1)
	for i := -n; i <= n; i++ {
		t := math.Abs(float64(i)) / n
		hue := 255.0
		if i > 0 {
			hue = 28
		}
		colors[i+n] = oklch(0.975-0.6*t, 0.15*t*(2-t), hue)
	}
	return colors
}

// oklch turns lightness, chroma and hue (degrees) of OKLab into sRGB, clamped.
func oklch(l, c, h float64) color.RGBA {
	sin, cos := math.Sincos(h * math.Pi / 180)
	a, b := c*cos, c*sin
	cube := func(x float64) float64 { return x * x * x }
	lc := cube(l + 0.3963377774*a + 0.2158037573*b)
	mc := cube(l - 0.1055613458*a - 0.0638541728*b)
	sc := cube(l - 0.0894841775*a - 1.2914855480*b)
	srgb := func(x float64) uint8 {
		if x <= 0.0031308 {
			x *= 12.92
		} else {
			x = 1.055*math.Pow(x, 1/2.4) - 0.055
		}
		return uint8(math.Round(255 * math.Max(0, math.Min(1, x))))
	}
	return color.RGBA{
		srgb(4.0767416621*lc - 3.3077115913*mc + 0.2309699292*sc),
		srgb(-1.2684380046*lc + 2.6097574011*mc - 0.3413193965*sc),
		srgb(-0.0041960863*lc - 0.7034186147*mc + 1.7076147010*sc),
		0xff,
	}
}
