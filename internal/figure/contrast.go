package figure

import (
	"image/color"
	"math"
)

// contrastOf is that of two colours, from 1 to 21.
//
//	Web Content Accessibility Guidelines 2.2, contrast ratio
func contrastOf(a, b color.RGBA) float64 {
	light, dark := luminanceOf(a), luminanceOf(b)
	if light < dark {
		light, dark = dark, light
	}
	return (light + 0.05) / (dark + 0.05)
}

// luminanceOf is a colour's relative luminance, 0 to 1, as the guidelines have it.
func luminanceOf(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
