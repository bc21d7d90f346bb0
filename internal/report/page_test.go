package report

import (
	"bytes"
	"encoding/json"
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// hostile is a text that tries to break out of wherever it stands.
const hostile = `</script></style><script>alert("1")</script><img src=x onerror='alert(2)'>"'&{{.}}` + "`${x}\\"

// hostilePage has it in every text.
func hostilePage() *Page {
	grid := &Grid{
		Caption: hostile,
		Cols:    []Column{{Name: hostile}, {Name: hostile, Numeric: true}},
		Groups:  []Group{{Title: hostile, Doc: hostile, Rows: [][]Cell{{{Text: hostile, Detail: hostile}, {Text: hostile, Exact: hostile}}, {{Text: hostile, Section: 1}, Number(0.123456789, 4)}}}},
		Notes:   []string{hostile},
	}
	figure := PageFigure{
		Title: hostile, Alt: hostile, Caption: []string{hostile}, Light: "<svg></svg>", Files: []string{hostile},
		Plots: []Plot{{Title: hostile, X: PlotAxis{Name: hostile, Names: []string{hostile}}, Value: hostile, Cells: NewCells(1, 1, []float64{1}), Series: []Curve{{Name: hostile}}}},
	}
	return &Page{
		Title: hostile, Heading: hostile, Lede: []string{hostile}, Overview: grid,
		Sections: []Section{{
			Title: hostile, Failure: hostile, Facts: []Fact{{hostile, hostile}}, Found: grid, Notes: []string{hostile}, Figures: []PageFigure{figure},
			Checks:  []Check{{Title: hostile, Verdict: hostile, Findings: []Finding{{"error", hostile, hostile}}}},
			Metrics: []Metrics{{Title: hostile, Notes: []string{hostile}, Grid: grid}},
		}, {Title: "two"}},
		Shared: []PageFigure{figure}, Made: []Fact{{hostile, hostile}}, Files: []string{hostile},
	}
}

func TestWriteHTMLEscapes(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, hostilePage()); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if got := strings.Count(page, "<script"); got != 3 { // its own, and the data of two figures
		t.Errorf("%d scripts, want 3", got)
	}
	for _, tag := range []string{"<img", "</style><", "</script></style>"} {
		if strings.Contains(page, tag) {
			t.Errorf("the page holds %s", tag)
		}
	}
	if inside := html.UnescapeString(page); strings.Count(inside, hostile) < 30 {
		t.Errorf("the text stands %d times on the page", strings.Count(inside, hostile))
	}
	var again bytes.Buffer
	if err := WriteHTML(&again, hostilePage()); err != nil || !bytes.Equal(again.Bytes(), b.Bytes()) {
		t.Error("the same page gave other bytes")
	}
}

// TestWriteHTMLData reads the data of a figure back from the page.
func TestWriteHTMLData(t *testing.T) {
	p := &Page{Sections: []Section{{Figures: []PageFigure{{Plots: []Plot{{
		Title: hostile, Box: [4]float64{1, 2.5, 3, 4}, Cells: NewCells(1, 3, []float64{-0.25, math.NaN(), 1}),
		Series: []Curve{{Name: hostile, X: Shorts{0, 1}, Y: Shorts{1.0 / 3, math.Inf(1)}}},
	}}}}}}}
	var b bytes.Buffer
	if err := WriteHTML(&b, p); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(b.String(), `<script type="application/json">`)
	data, _, _ := strings.Cut(rest, "</script>")
	var got []struct {
		Title string
		Box   []float64
		Cells struct {
			Rows, Cols, Decimals int
			Values               []*int
		}
		Series []struct {
			Name string
			Y    []*float64
		}
	}
	if err := json.Unmarshal([]byte(data), &got); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	plot := got[0]
	if plot.Title != hostile || plot.Series[0].Name != hostile || plot.Box[1] != 2.5 {
		t.Errorf("names and box came back as %+v", plot)
	}
	if v := plot.Cells.Values; plot.Cells.Decimals != 4 || *v[0] != -2500 || v[1] != nil || *v[2] != 10000 {
		t.Errorf("cells came back as %s", data)
	}
	if y := plot.Series[0].Y; *y[0] != 0.33333 || y[1] != nil {
		t.Errorf("the curve came back as %s", data)
	}
}

func TestNewCells(t *testing.T) {
	for _, c := range []struct {
		values   []float64
		decimals int
		want     Wholes
	}{
		{[]float64{1, -0.12344, 0.99996}, 4, Wholes{10000, -1234, 10000}},
		{[]float64{0.5, 0.00004}, 4, Wholes{5000, 0}},
		{[]float64{37.219, -2}, 2, Wholes{3722, -200}},
		{[]float64{123456, 10}, -2, Wholes{1235, 0}},
		{[]float64{1e-5, 5e-9}, 9, Wholes{10000, 5}},
		{[]float64{0, math.NaN(), math.Inf(-1)}, 4, Wholes{0, undefinedWhole, undefinedWhole}},
		{[]float64{1e308, -5e-324}, -304, Wholes{10000, 0}},
		{[]float64{5e-324, 1e-297}, 300, Wholes{0, 1000}},
		{nil, 4, Wholes{}},
	} {
		got := NewCells(1, len(c.values), c.values)
		if got.Decimals != c.decimals || len(got.Values) != len(c.want) {
			t.Errorf("%v: %d decimals, want %d", c.values, got.Decimals, c.decimals)
			continue
		}
		for i := range c.want {
			if got.Values[i] != c.want[i] {
				t.Errorf("%v: value %d is %d units, want %d", c.values, i, got.Values[i], c.want[i])
			}
		}
	}
}

func TestThemed(t *testing.T) {
	const light = `<svg><path d="M1 2" fill="#ffffff"/><path fill="none" stroke="#1a1a1a"/><text fill="#123456">a fill="#x"</text></svg>`
	for _, c := range []struct{ name, dark, want string }{
		{"none", "", light},
		{"colours", strings.NewReplacer("#ffffff", "#16181d", "#1a1a1a", "#f0f0f0").Replace(light),
			`<svg><path d="M1 2" fill="#ffffff" style="--dark-fill:#16181d"/><path fill="none" stroke="#1a1a1a" style="--dark-stroke:#f0f0f0"/><text fill="#123456">a fill="#x"</text></svg>`},
		{"fewer elements", `<svg><path fill="#000000"/></svg>`, light},
		{"other attributes", strings.Replace(light, "stroke=", "fill=", 1), light},
	} {
		if got := themed(light, c.dark); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestContrast holds the style sheet's colours of texts to 4.5 : 1 and more on every
// ground, by the formula of WCAG 2.2 (relative luminance, contrast ratio).
func TestContrast(t *testing.T) {
	variable := regexp.MustCompile(`--([a-z]+): #([0-9a-f]{6});`)
	light, dark, ok := strings.Cut(pageCSS, "prefers-color-scheme")
	if !ok {
		t.Fatal("the style sheet has no dark scheme")
	}
	for name, sheet := range map[string]string{"light": light, "dark": dark} {
		at := map[string]float64{}
		for _, m := range variable.FindAllStringSubmatch(sheet, -1) {
			at[m[1]] = luminance(t, m[2])
		}
		for _, text := range []string{"ink", "soft", "link", "error"} {
			for _, ground := range []string{"ground", "raised", "card"} {
				a, okA := at[text]
				b, okB := at[ground]
				if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); !okA || !okB || ratio < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", name, text, ground, ratio)
				}
			}
		}
	}
	if got := luminance(t, "ffffff"); got != 1 {
		t.Errorf("the luminance of white is %v", got)
	}
}

func luminance(t *testing.T, hex string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(v) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// TestPageSources keeps addresses out of what every page has, but for the name of
// SVG, and the files short.
func TestPageSources(t *testing.T) {
	for name, source := range map[string]string{"page.html": pageHTML, "page.css": pageCSS, "page.js": pageJS} {
		if rest := strings.ReplaceAll(source, `"http://www.w3.org/2000/svg"`, ""); strings.Contains(rest, "//"+"www") || strings.Contains(rest, "http") && name != "page.html" || strings.Contains(rest, "url(") || strings.Contains(rest, "@import") {
			t.Errorf("%s names an address", name)
		}
		if lines := strings.Count(source, "\n"); lines > 300 {
			t.Errorf("%s has %d lines", name, lines)
		}
	}
}
