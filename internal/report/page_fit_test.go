package report

import (
	"fmt"
	"strings"
	"testing"
)

// A drawing that is wider than the screen of a phone stands as wide as its type needs.
func TestLeastWidth(t *testing.T) {
	for width, want := range map[string]int{"324": 0, "330": 0, "417.6": 542, "864": 1060} {
		f := PageFigure{Title: "Profile", Light: fmt.Sprintf(`<svg xmlns="x" viewBox="0 0 %s 100" fill="#000000">`, width)}
		if got := leastWidth(f); got != want {
			t.Errorf("%s points: %d pixels, want %d", width, got, want)
		}
		var page strings.Builder
		if err := WriteHTML(&page, &Page{Sections: []Section{{Figures: []PageFigure{f}}}}); err != nil {
			t.Fatal(err)
		}
		if style := fmt.Sprintf(`style="--least: %dpx"`, want); strings.Contains(page.String(), style) != (want > 0) {
			t.Errorf("%s points: %q on the page: %v", width, style, want == 0)
		}
	}
	if got := leastWidth(PageFigure{}); got != 0 {
		t.Errorf("no drawing: %d pixels", got)
	}
}

// Long names break between their parts, numbers don't, and all stays escaped.
func TestBreakable(t *testing.T) {
	for s, want := range map[string]string{
		"decay_std_100":        "decay_<wbr>std_<wbr>100",
		"blocks.0.attn/bias":   "blocks.0.<wbr>attn/<wbr>bias",
		"mean cosine 0.25, -1": "mean cosine 0.25, -1",
		"dy -7..7":             "dy -7..7",
		"<b>_&":                "&lt;b&gt;_<wbr>&amp;",
		"":                     "",
	} {
		if got := string(breakable(s)); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
