//go:build unix

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// summaryFile is what of summary.json the page shows.
type summaryFile struct {
	Results []struct {
		Tables []struct{ Tensor string }
		Pages  []struct {
			Title   string
			Caption []string
		}
		Metrics []struct {
			Source  string
			Metrics []struct {
				Name, Head string
				Value      *float64
				Shuffled   *struct{ Mean, Z, P *float64 }
			}
		}
		Checks []struct{ Findings []struct{ Code, Text string } }
	}
}

// agrees compares the page's text with summary.json.
func (p *opened) agrees(t *testing.T, dir string) {
	t.Helper()
	var s summaryFile
	readJSON(t, filepath.Join(dir, "summary.json"), &s)
	r := s.Results[0]
	var text string
	p.eval(t, `document.body.textContent.replace(/\s+/g, " ")`, &text)
	has := func(want string) {
		t.Helper()
		if want = strings.Join(strings.Fields(want), " "); !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, of := range r.Tables {
		has(of.Tensor)
	}
	for _, page := range r.Pages {
		heading, _, _ := strings.Cut(page.Title, ": ") // the section says whose it is
		has(heading)
		for _, line := range page.Caption {
			has(line)
		}
	}
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			has(f.Code + " " + f.Text)
		}
	}
	var rows []struct {
		Caption, Name string
		Exact, Text   []string
	}
	p.eval(t, `[...document.querySelectorAll("table")].flatMap(table => [...table.querySelectorAll("tbody tr:not(.group)")].map(tr => ({
		caption: table.caption.textContent,
		name: tr.querySelector("th").firstChild.textContent,
		exact: [...tr.querySelectorAll("data")].map(e => e.value),
		text: [...tr.querySelectorAll("data")].map(e => e.textContent),
	})))`, &rows)
	compared := 0
	for _, set := range r.Metrics {
		for i, m := range set.Metrics {
			if m.Head != "" && m.Head != "0" {
				continue // further columns
			}
			for _, row := range rows {
				if row.Name != m.Name || !strings.Contains(row.Caption, "of "+set.Source+",") {
					continue
				}
				compared++
				want := []*float64{m.Value}
				if m.Shuffled != nil {
					want = append(want, m.Shuffled.Mean, m.Shuffled.Z, m.Shuffled.P)
				}
				for k, v := range want {
					exact, shown := "NA", "NA"
					if v != nil {
						exact, shown = strconv.FormatFloat(*v, 'g', -1, 64), strconv.FormatFloat(*v, 'g', []int{4, 3}[min(k, 1)], 64)
					}
					if row.Exact[k] != exact || row.Text[k] != shown {
						t.Errorf("%s, metric %d %s, number %d: %s shown as %s, want %s as %s", set.Source, i, m.Name, k, row.Exact[k], row.Text[k], exact, shown)
					}
				}
			}
		}
	}
	if compared == 0 {
		t.Error("no metric of summary.json is on the page")
	}
}

// values points at known places and walks to others, and compares what is read out
// with the data files.
func (p *opened) values(t *testing.T, dir string) {
	matrix := readTSV(t, filepath.Join(dir, "smooth-similarity.tsv"))
	decay := readTSV(t, filepath.Join(dir, "smooth-decay.tsv"))
	norms := readTSV(t, filepath.Join(dir, "smooth-norms.tsv"))
	read := func(figure int) (text string) {
		t.Helper()
		p.eval(t, fmt.Sprintf(`document.querySelectorAll(".read")[%d].textContent`, figure), &text)
		return text
	}
	cell := func(i, j int) string {
		v, err := strconv.ParseFloat(matrix[i+1][j+1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("position %d, position %d: cosine similarity %.4f", i, j, math.Round(v*1e4)/1e4)
	}
	// point moves the pointer to a place of figure 0's picture, in shares of its sides.
	point := func(x, y float64) {
		t.Helper()
		var at struct{ X, Y float64 }
		p.eval(t, fmt.Sprintf(`(() => {
			const image = document.querySelectorAll("figure")[0].querySelector("image");
			image.scrollIntoView({block: "center", behavior: "instant"});
			const r = image.getBoundingClientRect();
			return {x: r.left + %g * r.width, y: r.top + %g * r.height};
		})()`, x, y), &at)
		p.do(t, chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y))
	}
	keys := func(press ...string) {
		t.Helper()
		for _, k := range press {
			p.do(t, chromedp.KeyEvent(k))
		}
	}
	focus := func(figure int) {
		p.eval(t, fmt.Sprintf(`document.querySelectorAll(".plot")[%d].focus()`, figure), nil)
	}
	for _, at := range [][2]int{{0, 0}, {10, 12}, {100, 3}, {127, 127}} {
		point((float64(at[1])+0.5)/128, (float64(at[0])+0.5)/128)
		if got, want := read(0), cell(at[0], at[1]); got != want {
			t.Errorf("pointed at: %q, want %q", got, want)
		}
	}
	focus(0)
	keys(kb.ArrowLeft, kb.ArrowUp, kb.ArrowUp)
	if got, want := read(0), cell(125, 126); got != want {
		t.Errorf("by keys: %q, want %q", got, want)
	}
	keys(kb.Home)
	if got, want := read(0), cell(125, 0); got != want {
		t.Errorf("by keys: %q, want %q", got, want)
	}
	keys(kb.Escape)
	if got := read(0); !strings.HasPrefix(got, "Point at") {
		t.Errorf("after Escape: %q", got)
	}
	focus(1)
	keys(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	col := func(name string) string {
		v, err := strconv.ParseFloat(decay[4][slices.Index(decay[0], name)], 64)
		if err != nil {
			t.Fatal(err)
		}
		return strconv.FormatFloat(v, 'g', 5, 64)
	}
	if got, want := read(1), fmt.Sprintf("distance 3: mean cosine similarity %s, band %s to %s", col("mean"), col("q1"), col("q3")); got != want {
		t.Errorf("by keys: %q, want %q", got, want)
	}
	// The marker of distance 3 stands on the curve.
	var at struct{ Dot, Line []float64 }
	p.eval(t, `(() => {
		const svg = document.querySelectorAll("figure svg")[1], dot = svg.querySelector(".marker circle");
		const d = [...svg.querySelectorAll("path[fill=none]")].at(-1).getAttribute("d").match(/[\d.]+ [\d.]+/g)[3].split(" ");
		return {dot: [+dot.getAttribute("cx"), +dot.getAttribute("cy")], line: [+d[0], +d[1]]};
	})()`, &at)
	if math.Hypot(at.Dot[0]-at.Line[0], at.Dot[1]-at.Line[1]) > 0.05 {
		t.Errorf("the marker stands at %v, the curve's point at %v", at.Dot, at.Line)
	}
	focus(2)
	keys(kb.ArrowRight, kb.ArrowRight)
	norm, err := strconv.ParseFloat(norms[2][3], 64)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := read(2), "position 1: norm of the row (units of the table) "+strconv.FormatFloat(norm, 'g', 5, 64); got != want {
		t.Errorf("norms by keys: %q, want %q", got, want)
	}
	p.picture(t, "example-reading.png")
	if p.quiet(t); p.number(t, `document.querySelectorAll(".read[aria-live=polite]").length`) != 5 {
		t.Error("the read-outs are not announced")
	}
}

// readTSV reads a file of cells between tabs.
func readTSV(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}
