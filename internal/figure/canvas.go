package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// canvas draws shapes on a canvas of gonum/plot, whose origin is at the bottom.
type canvas struct {
	vg.Canvas
	h vg.Length
}

func (c canvas) at(q point) vg.Point {
	return vg.Point{X: vg.Length(q.x), Y: c.h - vg.Length(q.y)}
}

func (c canvas) path(pts []point) vg.Path {
	path := make(vg.Path, 0, len(pts)+1)
	for i, q := range pts {
		if i == 0 {
			path.Move(c.at(q))
		} else {
			path.Line(c.at(q))
		}
	}
	return path
}

func (c canvas) polygon(pts []point, col color.NRGBA) {
	path := c.path(pts)
	path.Close()
	c.SetColor(col)
	c.Fill(path)
}

func (c canvas) line(pts []point, width float64, dashed bool, col color.NRGBA) {
	c.SetColor(col)
	c.SetLineWidth(vg.Length(width))
	if dashed {
		c.SetLineDash([]vg.Length{vg.Length(dash * width), vg.Length(dashGap * width)}, 0)
		defer c.SetLineDash(nil, 0)
	}
	c.Stroke(c.path(pts))
}

// The dashes of a line, in its widths.
const dash, dashGap = 4, 2.5
