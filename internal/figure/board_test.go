package figure

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// sampleBoard is four charts with labels, two of them with legends.
func sampleBoard() *Board {
	return &Board{Title: "gpt2", Cols: 2, Charts: []Chart{powerLaw(), sampleLines(4, 30), circle(60), sampleMap(24, 24)}}
}

// A page that is narrow for its type has fewer charts in a row, so that none loses its
// labels and its legend.
func TestBoardNarrow(t *testing.T) {
	for _, c := range []struct {
		theme         string
		width, height float64
		cols          int
	}{
		{"paper", 0, 0, 2}, {"slides", 0, 0, 2}, {"paper", 7, 0, 2}, {"paper", 3.5, 0, 2}, {"paper", 2, 0, 1},
		{"slides", 4, 0, 1}, {"slides", 3.5, 0, 1}, {"slides", 5, 0, 2}, {"slides", 6, 0, 2}, {"dark", 3.5, 0, 2},
		{"slides", 4, 3, 2}, {"paper", 4, 3, 2}, {"paper", 3, 8, 1}, // both sides are the caller's
	} {
		name := fmt.Sprintf("%s, %g x %g", c.theme, c.width, c.height)
		b := sampleBoard()
		p, w := watch(t, "png", b, Style{Theme: c.theme, Width: c.width, Height: c.height})
		if got := b.columns(p); got != c.cols {
			t.Errorf("%s: %d columns, want %d", name, got, c.cols)
		}
		if c.height > 0 {
			continue
		}
		shown := map[string]bool{}
		for _, word := range w.words {
			shown[word.s] = true
			if box := word.box(); box.x0 < 0 || box.y0 < 0 || box.x1 > p.w || box.y1 > p.h {
				t.Errorf("%s: %q at %v is off the page of %.0f x %.0f", name, word.s, box, p.w, p.h)
			}
		}
		for _, want := range []string{"head 0", "head 3", "period (positions)", "position", "position (key)"} {
			if !shown[want] {
				t.Errorf("%s: %q is not shown", name, want)
			}
		}
	}
}

// The plots of a column begin at one edge, and so do their titles.
func TestBoardEdges(t *testing.T) {
	b := sampleBoard()
	p, w := watch(t, "svg", b, Style{})
	edges := map[bool][]float64{} // of the titles, by whether they stand in the second column
	for _, word := range w.words {
		if strings.HasPrefix(word.s, "mean power") || strings.HasPrefix(word.s, "Score") || strings.HasPrefix(word.s, "components") || strings.HasPrefix(word.s, "Cosine") {
			right := word.at.x > p.w/2
			edges[right] = append(edges[right], word.at.x)
		}
	}
	for right, at := range edges {
		if len(at) != 2 || math.Abs(at[0]-at[1]) > 1e-9 {
			t.Errorf("second column %v: titles at %v", right, at)
		}
	}
	if len(edges) != 2 {
		t.Fatalf("titles at %v", edges)
	}
	if left := w.cellR[len(w.cellR)-2].x0; !slices.Contains(edges[true], left) { // before the bar's
		t.Errorf("the map begins at %v, the titles at %v", left, edges[true])
	}
}

// Numbers below a narrow chart do not touch: where those in between have no room, the
// ends are left.
func TestBoardNumbersApart(t *testing.T) {
	steps := &Lines{Title: "steps", Series: []Series{{X: []float64{1000, 4000, 8000}, Y: []float64{0.921, 0.922, 0.928}}}}
	b := &Board{Cols: 2, Charts: []Chart{steps, steps, steps, steps}}
	for _, width := range []float64{1, 1.5, 2, 2.5, 3, 4, 6} {
		for _, theme := range []string{"paper", "slides"} {
			_, w := watch(t, "png", b, Style{Theme: theme, Width: width, Height: 6})
			for i, a := range w.words {
				for _, c := range w.words[:i] {
					p, q := a.box(), c.box()
					if min(p.x1, q.x1)-max(p.x0, q.x0) > 0.5 && min(p.y1, q.y1)-max(p.y0, q.y0) > 0.5 {
						t.Errorf("%s, %g inches: %q stands on %q", theme, width, a.s, c.s)
					}
				}
			}
		}
	}
}

// An untitled figure is that of a chart without a title; the charts of a board keep
// theirs, which name them.
func TestUntitled(t *testing.T) {
	plain := sampleLines(2, 20)
	plain.Title = ""
	board := func(title string) *Board {
		return &Board{Title: title, Cols: 2, Charts: []Chart{sampleMap(4, 4), sampleMap(5, 5)}}
	}
	for _, c := range []struct{ titled, untitled Chart }{{sampleLines(2, 20), plain}, {board("two"), board("")}} {
		var got, want bytes.Buffer
		if _, err := Write(&got, "svg", c.titled, Style{Untitled: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := Write(&want, "svg", c.untitled, Style{}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%T: not as one without a title", c.titled)
		}
	}
}
