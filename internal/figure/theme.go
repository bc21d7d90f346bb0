package figure

import "image/color"

// Themes lists the looks of a figure: paper (white ground), slides (white,
// larger type and heavier lines) and dark (dark ground).
func Themes() []string { return []string{"paper", "slides", "dark"} }

// theme is the colours and weights that a figure is set in.
type theme struct {
	ground color.NRGBA
	ink    color.NRGBA // titles, labels, the axis
	soft   color.NRGBA // tick labels, notes
	faint  color.NRGBA // the grid
	mark   color.NRGBA // lines at zero
	kind   float64     // type size, times that of paper
	weight float64     // line width, times that of paper
	series [8]color.NRGBA
	lo, hi float64 // the part of a sequential palette that shows on the ground
}

func gray(v uint8) color.NRGBA { return color.NRGBA{v, v, v, 0xff} }

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
}

// themeOf gives one of Themes. The series are the colours of Okabe and Ito
// (2008), made for every common kind of colour vision; their yellow, too pale
// on white, gives way to a brown, and their blue, too deep on black, to a
// violet.
func themeOf(name string) theme {
	t := theme{
		ground: gray(0xff), ink: gray(0x1a), soft: gray(0x4d), faint: gray(0xe3), mark: gray(0x8c),
		kind: 1, weight: 1, lo: 0, hi: 0.88,
		series: [8]color.NRGBA{
			rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xcc79a7),
			rgb(0xe69f00), rgb(0x56b4e9), rgb(0x1a1a1a), rgb(0x8c6a2f),
		},
	}
	switch name {
	case "slides":
		t.kind, t.weight = 1.4, 1.6
	case "dark":
		t.ground, t.ink, t.soft, t.faint, t.mark = rgb(0x16181d), gray(0xf0), gray(0xbd), rgb(0x33363d), gray(0x88)
		t.lo, t.hi = 0.22, 1
		t.series = [8]color.NRGBA{
			rgb(0x56b4e9), rgb(0xe69f00), rgb(0x1fc79a), rgb(0xe28fbd),
			rgb(0xf0e442), rgb(0xf0743e), rgb(0xf0f0f0), rgb(0xa99bff),
		}
	}
	return t
}

// colors gives n series their colours: the theme's own for a few, and steps of
// a sequential palette for many, so that their order can be seen.
func (t theme) colors(n int, pal []color.RGBA) []color.NRGBA {
	colors := make([]color.NRGBA, n)
	for i := range colors {
		if n <= len(t.series) {
			colors[i] = t.series[i]
			continue
		}
		at := t.lo + (t.hi-t.lo)*float64(i)/float64(n-1)
		c := pal[int(at*float64(len(pal)-1)+0.5)]
		colors[i] = color.NRGBA{c.R, c.G, c.B, 0xff}
	}
	return colors
}
