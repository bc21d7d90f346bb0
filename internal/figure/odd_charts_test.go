package figure

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// oddData are tables as degenerate as they come: n rows and m columns of at.
var oddData = map[string]struct {
	n, m int
	at   func(i, j int) float64
}{
	"smooth":        {12, 12, func(i, j int) float64 { return math.Cos(float64(i-j) / 5) }},
	"constant":      {6, 6, func(i, j int) float64 { return 0.3 }},
	"zero":          {6, 6, func(i, j int) float64 { return 0 }},
	"all but equal": {6, 6, func(i, j int) float64 { return 1 + 1e-16*float64(i*j) }},
	"undefined":     {5, 5, func(i, j int) float64 { return math.NaN() }},
	"one defined":   {5, 5, func(i, j int) float64 { return math.Log(-math.Abs(float64(i-2)) - math.Abs(float64(j-2)) + 1) }},
	"infinite":      {5, 5, func(i, j int) float64 { return 1 / float64(i-j) }},
	"huge":          {5, 5, func(i, j int) float64 { return 1e300 * float64(i-j) }},
	"largest":       {5, 5, func(i, j int) float64 { return math.MaxFloat64 * float64(1-2*((i+j)%2)) }},
	"tiny":          {5, 5, func(i, j int) float64 { return 1e-300 * float64(1+i*j) }},
	"least":         {5, 5, func(i, j int) float64 { return 5e-324 * float64(i*j) }},
	"every order":   {20, 20, func(i, j int) float64 { return math.Pow(10, float64(30*(i-10)+j)) }},
	"one position":  {1, 1, func(i, j int) float64 { return 1 }},
	"one bucket":    {8, 1, func(i, j int) float64 { return float64(i) }},
	"one head":      {1, 40, func(i, j int) float64 { return -float64(j) }},
	"300 heads":     {300, 9, func(i, j int) float64 { return math.Sin(float64(i + j)) }},
}

// oddLabels are names that users, models and attackers give.
var oddLabels = map[string]string{
	"plain":         "head",
	"empty":         "",
	"long":          "checkpoints of the first " + strings.Repeat("run with a very long name, ", 6) + "seventh of them",
	"one long word": strings.Repeat("positionembedding", 12),
	"Arabic":        "موضع الكلمة في الجملة",
	"Hebrew":        "מיקום המילה",
	"both ways":     "head ראש 12 رأس",
	"CJK":           "位置埋め込み",
	"long CJK":      strings.Repeat("位置埋め込み위치", 25),
	"marks":         strings.Repeat("n\u0303\u0302e\u0301", 30),
	"markup":        `<b>&amp;"'</b>]]>`,
	"control":       "\x1b[31mred\x00\t\u202ereversed\xff\n",
	"pictures":      "🧠🇫🇷👩‍👩‍👧",
}

// oddCharts is a chart of each kind over the same numbers, every text the same name.
func oddCharts(n, m int, at func(i, j int) float64, name string) map[string]Chart {
	named := func(i int) string { return strings.TrimSpace(fmt.Sprint(name, " ", i)) }
	if name == "" {
		named = func(int) string { return "" }
	}
	heat := func() *Heatmap {
		return &Heatmap{Title: name, XLabel: name, YLabel: name, ColorLabel: name, Rows: n, Cols: m, At: at}
	}
	lines := func(some int) *Lines {
		l := &Lines{Title: name, XLabel: name, YLabel: name, MarkZero: true}
		for i := range some {
			s := Series{Name: named(i), Dashed: i%2 == 1}
			for j := range m {
				y := at(i, j)
				s.X, s.Y, s.Lo, s.Hi = append(s.X, float64(j-m/2)), append(s.Y, y), append(s.Lo, y-1), append(s.Hi, y+1)
			}
			l.Series = append(l.Series, s)
		}
		return l
	}
	points := func() *Scatter {
		s := &Scatter{Title: name, XLabel: name, YLabel: name, ColorLabel: name}
		for i := range n {
			s.X, s.Y, s.Value = append(s.X, at(i, 0)), append(s.Y, at(i, m-1)), append(s.Value, at(i, m/2))
		}
		return s
	}
	names := heat()
	for i := range n {
		names.YNames = append(names.YNames, named(i))
	}
	for j := range m {
		names.XNames = append(names.XNames, named(j))
	}
	names.Decimals = 2
	logged := lines(n)
	logged.XLog, logged.YLog = true, true
	for i := range logged.Series {
		logged.Series[i].Lo, logged.Series[i].Hi = nil, nil
	}
	steps := lines(min(n, 3))
	steps.XScale = Symlog
	for i := range steps.Series {
		steps.Series[i].Steps = true
	}
	cells := points()
	cells.Value, cells.Cells = nil, &Cells{Rows: n, Cols: 1, Row: make([]int, n), Col: make([]int, n)}
	for i := range n {
		cells.Cells.Row[i] = i
	}
	marked := lines(min(n, 2))
	for i := range 300 {
		x := float64(i%(m+2) - m/2 - 1)
		marked.Spans = append(marked.Spans, Span{From: x, To: x + float64(i%4) - 1, Name: named(i / 7), Strong: i%3 == 0})
	}
	marked.Spans = append(marked.Spans, Span{math.NaN(), 1, name, true}, Span{math.Inf(-1), math.Inf(1), name, true}, Span{1e300, math.MaxFloat64, name, false},
		Span{-0.5, 0.5, strings.Repeat("untrained-rows ", 14), true})
	marked.XFrom, marked.XTo = -1e3, math.Inf(1)
	rows := min(n, 17)
	maps := &Panels{Title: name, Rows: rows, Cols: (n + rows - 1) / rows, ColorLabel: name}
	plots, free := *maps, *maps
	free.Free = true
	for i := range n {
		row := func(_, j int) float64 { return at(i, j) }
		h, l := heat(), lines(min(n, 2))
		h.Rows, h.At, h.Title, l.Title = 1, row, named(i), named(i)
		maps.Charts, plots.Charts = append(maps.Charts, h), append(plots.Charts, l)
		if i%2 == 0 {
			free.Charts = append(free.Charts, h)
		} else {
			l.Spans = marked.Spans[:min(len(marked.Spans), 5*i)]
			free.Charts = append(free.Charts, l)
		}
	}
	tiles := func() *Tiles {
		return &Tiles{Title: name, Caption: name, XLabel: name, YLabel: name, ColorLabel: name, Rows: n, Cols: m,
			TileRows: EveryTile(n, 1+n/8), TileCols: EveryTile(m, 1+m/8),
			At: func(i, j, r, c int) float64 { return at(r, c) }}
	}
	beside := tiles()
	beside.Beside = heat()
	below := &Marginal{Map: heat(), Curve: lines(1)}
	board := &Board{Title: name, Cols: 2, Charts: []Chart{heat(), lines(n), points(), tiles(), names}}
	return map[string]Chart{
		"map": heat(), "names": names, "lines": lines(n), "marked": marked, "log": logged, "steps": steps, "scatter": points(), "cells": cells,
		"maps": maps, "plots": &plots, "free": &free, "marginal": below, "tiles": tiles(), "tiles and map": beside, "board": board,
	}
}

// marks is a sheet that notes, besides words and maps, how far the rest reaches.
type marks struct {
	watcher
	reach rect
	odd   bool // a coordinate is no number
}

func (m *marks) polygon(pts []point, _ color.NRGBA) {
	for _, q := range pts {
		m.odd = m.odd || !finite(q.x) || !finite(q.y)
		m.reach = rect{min(m.reach.x0, q.x), min(m.reach.y0, q.y), max(m.reach.x1, q.x), max(m.reach.y1, q.y)}
	}
}

func (m *marks) line(pts []point, _ float64, _ bool, c color.NRGBA) { m.polygon(pts, c) }

// less is r without an edge: letters are moved to whole pixels.
func (r rect) less(edge float64) rect {
	return rect{r.x0 + edge, r.y0 + edge, r.x1 - edge, r.y1 - edge}
}

// faultsOf is what is wrong with a chart on a page: words and marks beyond its edges, and
// words over each other or over a map.
func faultsOf(t *testing.T, format string, c Chart, s Style) (faults []string) {
	t.Helper()
	p, err := newPage(format, c, s)
	if err != nil {
		t.Fatal(err)
	}
	m := &marks{watcher: watcher{sheet: p.sheet}}
	p.sheet = m
	c.draw(p)
	if m.odd {
		faults = append(faults, "a coordinate is no number")
	}
	const edge = 0.5
	if r := m.reach; r.x0 < -edge || r.y0 < -edge || r.x1 > p.w+edge || r.y1 > p.h+edge {
		faults = append(faults, fmt.Sprintf("marks reach over %.1f of %.1f x %.1f", r, p.w, p.h))
	}
	for _, r := range m.cellR {
		if !(r.x0 >= -edge && r.y0 >= -edge && r.x1 <= p.w+edge && r.y1 <= p.h+edge) {
			faults = append(faults, fmt.Sprintf("a map is cut: %.1f", r))
		}
	}
	for i, a := range m.words {
		b := a.box()
		if b.x0 < 0 || b.y0 < 0 || b.x1 > p.w || b.y1 > p.h {
			faults = append(faults, fmt.Sprintf("%q is cut: %.1f of %.1f x %.1f", a.s, b, p.w, p.h))
		}
		for _, o := range m.words[:i] {
			if overlap(b.less(p.px/2), o.box().less(p.px/2)) {
				faults = append(faults, fmt.Sprintf("%q and %q overlap", a.s, o.s))
			}
		}
		inCell := strings.Trim(a.s, "0123456789.−–") == "" && strings.Contains(a.s, ".") // a value of two decimals
		for _, r := range m.cellR {
			if overlap(b.less(p.px/2), r) && !inCell {
				faults = append(faults, fmt.Sprintf("%q lies on a map", a.s))
			}
		}
	}
	return faults
}

// drawOdd draws a chart in every format, at several sizes and as text.
func drawOdd(t *testing.T, c Chart) {
	t.Helper()
	if err := checkChart(c); err != nil {
		if text := err.Error(); !strings.Contains(text, "nothing to draw") {
			t.Errorf("not drawn, and not said why: %v", err)
		}
		return
	}
	for _, s := range []Style{{}, {Width: 3, Height: 2}, {Width: 2, Height: 5}, {Width: 1, Height: 1}} {
		for _, format := range Formats() {
			s.DPI = 50
			faults := faultsOf(t, format, c, s)
			for _, f := range faults[:min(3, len(faults))] {
				t.Errorf("%s of %g x %g: %s", format, s.Width, s.Height, f)
			}
		}
	}
	for _, format := range Formats() {
		var b bytes.Buffer
		if _, err := Write(&b, format, c, Style{Width: 4, Height: 3, DPI: 40}); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		if !utf8.Valid(b.Bytes()) && format == "svg" {
			t.Error("an SVG of broken UTF-8")
		}
	}
	for _, mode := range []string{"none", "true"} {
		var b bytes.Buffer
		if err := WriteTerminal(&b, c, Terminal{Width: 60, Color: mode}); err != nil {
			t.Errorf("terminal: %v", err)
		}
		if mode == "true" {
			continue
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if textWidth(line) > 60 || strings.ContainsAny(line, "\x1b\x00\t\u202e") {
				t.Errorf("terminal: a line of %d columns, %q", textWidth(line), line)
				break
			}
		}
	}
}

// Every kind of chart draws degenerate numbers within its page, or says why not.
func TestOddDataEveryKind(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	for name, d := range oddData {
		for kind, c := range oddCharts(d.n, d.m, d.at, "head") {
			t.Run(name+"/"+kind, func(t *testing.T) { drawOdd(t, c) })
		}
	}
}

// Every kind of chart has room for any name, or shortens it.
func TestOddLabelsEveryKind(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	for name, label := range oddLabels {
		for _, data := range []string{"smooth", "one position", "one head", "one bucket", "one defined", "300 heads"} {
			if data != "smooth" && name != "long" && name != "long CJK" || data == "300 heads" && name != "long" {
				continue
			}
			d := oddData[data]
			for kind, c := range oddCharts(d.n, d.m, d.at, label) {
				t.Run(name+"/"+data+"/"+kind, func(t *testing.T) { drawOdd(t, c) })
			}
		}
	}
}

// A short name of any script stands in an SVG as it is, and the formats that lack its
// characters say so; a long one loses its middle.
func TestOddLabelsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	for name, label := range oddLabels {
		d := oddData["smooth"]
		for kind, c := range oddCharts(d.n, d.m, d.at, label) {
			write := func(format string) (string, []string) {
				var b bytes.Buffer
				warnings, err := Write(&b, format, c, Style{Width: 8, Height: 7, DPI: 40})
				if err != nil {
					t.Fatalf("%s, %s: %v", name, kind, err)
				}
				return b.String(), warnings
			}
			svg, warnings := write("svg")
			if len(warnings) > 0 {
				t.Errorf("%s, %s: svg warns %q", name, kind, warnings)
			}
			shown := clean(label)
			switch long := utf8.RuneCountInString(shown) > 60; {
			case long:
				first, last := []rune(shown)[:3], []rune(shown)[utf8.RuneCountInString(shown)-3:]
				cut := false
				for _, part := range strings.Split(svg, "</text>") {
					w := html.UnescapeString(part[strings.LastIndex(part, ">")+1:])
					cut = cut || strings.Contains(w, "…") && strings.HasPrefix(w, string(first)) && strings.HasSuffix(w, string(last))
				}
				if !cut && !strings.Contains(svg, html.EscapeString(shown)) {
					t.Errorf("%s, %s: neither whole nor cut in the middle", name, kind)
				}
			case !strings.Contains(svg, html.EscapeString(shown)):
				t.Errorf("%s, %s: the SVG lacks %q", name, kind, shown)
			}
			for _, format := range []string{"png", "pdf"} {
				if kind != "map" && kind != "lines" && kind != "scatter" && kind != "marginal" && name != "CJK" {
					continue // the words are written by the same code
				}
				lacks := map[string]string{"Arabic": "both", "CJK": "both", "long CJK": "both", "pictures": "both", "plain": "", "empty": "", "markup": "", "long": "", "one long word": ""}
				_, warnings := write(format)
				if want, known := lacks[name]; known && (want != "") != (len(warnings) == 1) {
					t.Errorf("%s, %s: %s warns %q", name, kind, format, warnings)
				}
			}
		}
	}
}
