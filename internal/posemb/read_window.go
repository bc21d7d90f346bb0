package posemb

import (
	"fmt"
	"slices"
	"strings"
)

// readWindow reads a bias for each offset inside a window of an image: Swin and
// kin, [(2h-1)(2w-1), heads] by query - key, or MaxViT's [heads, 2h-1, 2w-1] by
// key - query.
func readWindow(r *reading) (Table, error) {
	r.noPositions()
	if r.preset.Heads1st {
		return r.headMaps()
	}
	n, heads, data, unit, err := r.windowRows()
	if err != nil {
		return nil, err
	}
	extra := r.preset.Suffix
	if n -= extra; n < 1 {
		return nil, r.fault(NotATable, "", "%s, of which %d are for the class token: no window is left", count(n+extra, "row"), extra)
	}
	h, w, err := r.window(n)
	if err != nil {
		return nil, err
	}
	data = data[:n*heads]
	if r.reversed() {
		data = reverseRows(n, heads, data)
		r.note("%s a window of %d x %d; %s by query - key and %s turned", are(n, "row"), h, w, plural(n, "it runs", "they run"), plural(n, "is", "are"))
	} else {
		r.note("%s a window of %d x %d", are(n, "row"), h, w)
	}
	bias := r.bias(windowAxes(h, w, r.preset.Beyond), n, heads, data)
	bias.Stored[0].Unit = unit
	if extra > 0 {
		bias.Notes = append(bias.Notes, fmt.Sprintf("%d more rows, for the class token, are left out", extra))
		bias.Stored[0].Count += extra
		bias.Stored[0].Other = map[int]string{n: "from the class token to a patch", n + 1: "from a patch to the class token", n + 2: "from the class token to itself"}
	}
	return bias, nil
}

// windowRows is the naming tensor as offsets of so many heads: as the caller says, else
// as they are stored, unless only the reverse is a window. Unit is what an offset's
// entry is called.
func (r *reading) windowRows() (n, heads int, data []float64, unit string, err error) {
	a, b, data, err := r.matrix()
	unit = "row"
	switch {
	case err != nil:
	case r.oriented && slices.Index(r.opt.Axes, "offsets") == 1:
		unit = "column"
	case r.oriented:
	case !r.opt.ofWindow(a) && r.opt.ofWindow(b):
		window := "a square window"
		if g := r.opt.Grid; g != nil {
			window = fmt.Sprintf("a window of %d x %d", g.Rows, g.Cols)
		}
		r.note("%d x %d is read as heads x offsets, the reverse of what %s stores: %d are no offsets of %s; --axes offsets,heads keeps it as it is", a, b, r.preset.Arch, a, window)
		return b, a, channelsLast(data, a, b), "column", nil
	case r.opt.ofWindow(a) && r.opt.ofWindow(b):
		r.note("%d x %d fits both ways and is read as offsets x heads, as %s stores it; --axes heads,offsets turns it", a, b, r.preset.Arch)
	}
	return a, b, data, unit, err
}

// headMaps reads [heads, 2h-1, 2w-1], which needs no turning.
func (r *reading) headMaps() (Table, error) {
	t := r.parts[0]
	if len(t.Shape) != 3 {
		return nil, r.notRows()
	}
	heads, y, x := t.Shape[0], t.Shape[1], t.Shape[2]
	if r.oriented {
		y, x, heads = heads, y, x
	}
	if heads == 0 || y%2 == 0 || x%2 == 0 {
		return nil, r.fault(NotATable, "--axes says how the dimensions go", "%s is no heads x (2h-1) x (2w-1)", shapeText(t.Shape))
	}
	data := t.Data
	if r.headsFirst() {
		data = channelsLast(t.Data, heads, y*x)
	}
	r.oddValues(y*x, heads, data)
	if r.reversed() {
		data = reverseRows(y*x, heads, data)
		r.note("a window of %d x %d; it runs by query - key and is turned", (y+1)/2, (x+1)/2)
	} else {
		r.note("a window of %d x %d, by key - query", (y+1)/2, (x+1)/2)
	}
	bias := r.bias(windowAxes((y+1)/2, (x+1)/2, r.preset.Beyond), y*x, heads, data)
	bias.Stored[0].Unit = "cell"
	return bias, nil
}

// window finds h and w of n = (2h-1)(2w-1): those that the caller names, else
// equal ones. What stays open is an error with its readings.
func (r *reading) window(n int) (h, w int, err error) {
	if g := r.opt.Grid; g != nil {
		if y, x := 2*g.Rows-1, 2*g.Cols-1; y < 1 || x < 1 || n%y != 0 || n/y != x {
			return 0, 0, r.fault(BadOption, "", "a window of %d x %d does not have %s", g.Rows, g.Cols, count(n, "offset"))
		}
		return g.Rows, g.Cols, nil
	}
	if s := squareRoot(n); s%2 == 1 {
		return (s + 1) / 2, (s + 1) / 2, nil
	}
	var fit []string
	for y := 3; n%2 == 1 && y <= n/y; y += 2 {
		if n%y == 0 {
			fit = append(fit, fmt.Sprintf("%d x %d", (y+1)/2, (n/y+1)/2))
		}
	}
	if len(fit) == 0 {
		return 0, 0, r.fault(NotATable, "--axes heads,offsets reads rows as heads", "%s no (2h-1)(2w-1) offsets of a window", are(n, "row"))
	}
	hint := "--grid HxW says which window"
	if d, s := boxOf(n); d > 0 {
		hint += fmt.Sprintf("; one of three dimensions (%d x %d x %d, as in Video Swin and Swin UNETR) is not read", d, s, s)
	}
	return 0, 0, r.fault(Ambiguous, hint, "%s the offsets of a window of %s, or of one of these turned",
		are(n, "row"), strings.Join(fit, " or "))
}

// boxOf finds d and s of n = (2d-1)(2s-1)^2 with the largest s, the offsets of a window
// of three dimensions; 0 where there are none.
func boxOf(n int) (d, s int) {
	for side := 3; side <= n/3/side; side += 2 {
		if deep := n / (side * side); n%(side*side) == 0 && deep%2 == 1 {
			d, s = (deep+1)/2, (side+1)/2
		}
	}
	return d, s
}

// windowAxes are the offsets inside a window.
func windowAxes(h, w int, b Beyond) []Axis {
	return []Axis{{"dy", 1 - h, h - 1, b}, {"dx", 1 - w, w - 1, b}}
}

// readMirrored reads LeViT's [heads, R*R] by |dy| and |dx|, which is the same in
// all directions.
func readMirrored(r *reading) (Table, error) {
	r.noPositions()
	heads, n, data, err := r.matrix()
	if err != nil {
		return nil, err
	}
	if r.oriented {
		heads, n = n, heads
		data = channelsLast(data, n, heads)
	}
	h := squareRoot(n)
	w := h
	if g := r.opt.Grid; g != nil {
		if h, w = g.Rows, g.Cols; h < 1 || w < 1 || n%h != 0 || n/h != w {
			return nil, r.fault(BadOption, "", "a window of %d x %d does not have %s", h, w, count(n, "distance"))
		}
	}
	if h == 0 {
		return nil, r.fault(NotATable, "--grid HxW says which window", "%s no square of distances", are(n, "column"))
	}
	axes := windowAxes(h, w, r.preset.Beyond)
	span := axes[0].Len() * axes[1].Len()
	scores := make([]float64, 0, span*heads)
	at := make([]int, 0, span)
	for dy := 1 - h; dy < h; dy++ {
		for dx := 1 - w; dx < w; dx++ {
			column := max(dy, -dy)*w + max(dx, -dx)
			at = append(at, column)
			for k := range heads {
				scores = append(scores, data[k*n+column])
			}
		}
	}
	r.note("%d x %d distances, laid out to both sides of each axis", h, w)
	if r.opt.Sign != "" {
		r.note("both sides are the same: the sign %s changes nothing", r.opt.Sign)
	}
	bias := r.bias(axes, span, heads, scores)
	bias.Stored = []Stored{{Tensor: r.match.Name(), Unit: "column", Count: n, Axis: WholeTable, At: at}}
	return bias, nil
}
