package figure

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"
)

// watcher is a sheet that draws nothing, and notes what is written where.
type watcher struct {
	sheet
	words []*word
	cellR []rect
}

func (w *watcher) text(t *word)                             { w.words = append(w.words, t) }
func (w *watcher) cells(r rect, _ *grid)                    { w.cellR = append(w.cellR, r) }
func (w *watcher) polygon([]point, color.NRGBA)             {}
func (w *watcher) line([]point, float64, bool, color.NRGBA) {}

// box is where a word's letters lie.
func (t *word) box() rect {
	s, cap, down := t.start(), capHeight*t.size, descent*t.size
	if strings.Trim(t.s, "0123456789.−–") == "" {
		down = 0
	}
	if t.up {
		return rect{s.x - cap, s.y - t.width, s.x + down, s.y}
	}
	return rect{s.x, s.y - cap, s.x + t.width, s.y + down}
}

func watch(t *testing.T, format string, c Chart, s Style) (*page, *watcher) {
	t.Helper()
	if err := checkChart(c); err != nil {
		t.Fatal(err)
	}
	p, err := newPage(format, c, s)
	if err != nil {
		t.Fatal(err)
	}
	w := &watcher{sheet: p.sheet}
	p.sheet = w
	c.draw(p)
	return p, w
}

// sampleMap is a map of smooth numbers with every label.
func sampleMap(rows, cols int) *Heatmap {
	wave := make([]float64, max(rows, cols))
	for k := range wave {
		wave[k] = math.Cos(float64(k) / 9)
	}
	return &Heatmap{
		Title: "Cosine similarity of the positions of gpt2", XLabel: "position (key)", YLabel: "position (query)",
		ColorLabel: "cosine similarity", Rows: rows, Cols: cols,
		At: func(r, c int) float64 { return wave[max(r-c, c-r)] },
	}
}

// sampleLines is n curves with bands over -reach..reach.
func sampleLines(n, reach int) *Lines {
	l := &Lines{Title: "Score against offset", XLabel: "offset (key − query)", YLabel: "score (logits)", MarkZero: true}
	for i := range n {
		s := Series{Name: fmt.Sprintf("head %d", i), Dashed: i%3 == 2}
		for x := -reach; x <= reach; x++ {
			y := math.Exp(-math.Abs(float64(x)) / float64(5+3*i))
			s.X, s.Y = append(s.X, float64(x)), append(s.Y, y)
			s.Lo, s.Hi = append(s.Lo, y-0.1), append(s.Hi, y+0.1)
		}
		l.Series = append(l.Series, s)
	}
	return l
}

func samplePanels(rows, cols int, of func(i int) Chart) *Panels {
	g := &Panels{Title: "All the heads of a model", Rows: rows, Cols: cols}
	for i := range rows * cols {
		g.Charts = append(g.Charts, of(i))
	}
	return g
}

// namedMap is a map whose rows and columns have names.
func namedMap(rows, cols int, name string) *Heatmap {
	m := sampleMap(rows, cols)
	m.XLabel = ""
	for i := range rows {
		m.YNames = append(m.YNames, fmt.Sprint(name, i))
	}
	for i := range cols {
		m.XNames = append(m.XNames, fmt.Sprint(name, 100*i))
	}
	return m
}

func sampleCharts() map[string]Chart {
	undefinedMap := sampleMap(30, 40)
	undefinedMap.X0, undefinedMap.At = -20, func(r, c int) float64 { return math.Sqrt(float64(r - 3)) }
	verbose := sampleLines(8, 20)
	verbose.Title = strings.Repeat("a title that goes on ", 20)
	verbose.XLabel, verbose.YLabel = verbose.Title, verbose.Title
	for i := range verbose.Series {
		verbose.Series[i].Name = fmt.Sprintf("checkpoints/run-with-a-long-name-%d/model.safetensors", i)
	}
	wordy := sampleMap(50, 50)
	wordy.Title, wordy.XLabel, wordy.YLabel, wordy.ColorLabel = verbose.Title, verbose.Title, verbose.Title, verbose.Title
	far := sampleMap(5, 5)
	far.X0, far.Y0 = 1000000, -2000000
	large := sampleLines(2, 5)
	for _, s := range large.Series {
		for i := range s.X {
			s.X[i] *= 1e9
			s.Y[i] = -1e-7 * float64(i)
			s.Lo[i], s.Hi[i] = s.Y[i], s.Y[i]
		}
	}
	many := sampleLines(40, 10)
	for i := range many.Series {
		many.Series[i].Name = fmt.Sprintf("a long name of layer %d head %d", i/4, i%4)
	}
	return map[string]Chart{
		"map512": sampleMap(512, 512), "map1": sampleMap(1, 1), "map4": sampleMap(4, 4), "wide": sampleMap(12, 257),
		"tall": sampleMap(300, 7), "thread": sampleMap(1, 600), "2 to 1": sampleMap(50, 100), "undefined": undefinedMap, "wordy": wordy, "far": far,
		"lines1": sampleLines(1, 3), "lines5": sampleLines(5, 64), "lines12": sampleLines(12, 64), "verbose": verbose, "large": large, "many": many,
		"panels 2x3": samplePanels(2, 3, func(i int) Chart { m := sampleMap(20, 20); m.Title = fmt.Sprint("head ", i); return m }),
		"panels 12x12": samplePanels(12, 12, func(i int) Chart {
			m := sampleMap(14, 14)
			m.Title = fmt.Sprintf("layer %d head %d", i/12, i%12)
			return m
		}),
		"panels of lines":  samplePanels(3, 4, func(i int) Chart { l := sampleLines(2, 30); l.Title = fmt.Sprint("layer ", i); return l }),
		"panels of shapes": samplePanels(2, 2, func(i int) Chart { m := sampleMap(4+i, 9); m.Title = fmt.Sprint("tile ", i); return m }),
		"panels of a kind": samplePanels(1, 6, func(i int) Chart { m := sampleMap(9, 9); m.XLabel += fmt.Sprint(i); return m }),
		"fitted":           fitted(),
		"panels, named":    manyHeads(),
		"panels, 300":      samplePanels(18, 17, func(i int) Chart { l := sampleLines(1, 9); l.Title = fmt.Sprint("head ", i); return l }),
		"names":            namedMap(6, 6, "sasrec-e60"),
		"names, many":      namedMap(40, 9, "encoder_layer2.blocks.0 head "),
		"panels, free": func() Chart {
			p := samplePanels(3, 3, func(i int) Chart {
				if i == 0 {
					return namedMap(64, 5, "")
				}
				l := sampleLines(2, 10)
				l.Title, l.YLabel = fmt.Sprint("figure ", i), ""
				for k := range l.Series[0].Y {
					l.Series[0].Y[k] *= math.Pow(10, float64(i))
				}
				return l
			})
			p.Free = true
			return p
		}(),
		"panels, all sorts": samplePanels(2, 2, func(i int) Chart { return []Chart{sampleMap(8, 8), nil, sampleLines(3, 9), sampleMap(2, 2)}[i] }),
	}
}

func overlap(a, b rect) bool {
	const touch = 0.3
	return a.x0 < b.x1-touch && b.x0 < a.x1-touch && a.y0 < b.y1-touch && b.y0 < a.y1-touch
}

// No word may be cut by the edge of the page, lie on another one, or on a map.
func TestNothingCutOrCovered(t *testing.T) {
	sizes := [][2]float64{{3, 2.5}, {2.5, 3}, {3, 6}, {6, 4}, {6, 5}, {6, 2.5}, {12, 3}, {12, 10}, {1, 1}, {1.5, 1.5}, {2, 2}, {50, 50}, {1, 20}, {20, 1}}
	for name, c := range sampleCharts() {
		for _, size := range sizes {
			for _, theme := range []string{"paper", "slides"} { // dark is laid out as paper
				for _, format := range []string{"svg", "pdf"} {
					p, w := watch(t, format, c, Style{Width: size[0], Height: size[1], Theme: theme})
					at := fmt.Sprintf("%s, %gx%g, %s, %s", name, size[0], size[1], theme, format)
					faults := 0
					for i, a := range w.words {
						b := a.box()
						if b.x0 < 0 || b.y0 < 0 || b.x1 > p.w || b.y1 > p.h {
							t.Errorf("%s: %q is cut: %.0f of %.0f x %.0f", at, a.s, b, p.w, p.h)
							faults++
						}
						for _, o := range w.words[:i] {
							if overlap(b, o.box()) {
								t.Errorf("%s: %q and %q overlap", at, a.s, o.s)
								faults++
							}
						}
						for _, r := range w.cellR {
							if overlap(b, r) {
								t.Errorf("%s: %q lies on a map", at, a.s)
								faults++
							}
						}
						if faults > 3 {
							break
						}
					}
					for _, r := range w.cellR {
						if r.x0 < 0 || r.y0 < 0 || r.x1 > p.w || r.y1 > p.h {
							t.Errorf("%s: a map is cut: %.0f", at, r)
							break
						}
					}
				}
			}
		}
	}
}
