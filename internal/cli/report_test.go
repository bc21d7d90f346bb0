package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"poslens/internal/figure"
)

// runReport runs report into a new folder, and gives the page and the summary.
func runReport(t *testing.T, args ...string) (page string, summary []byte) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	var out, errs bytes.Buffer
	env := Env{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: noEnv, Terminal: noTerminal}
	if status := Main(context.Background(), append([]string{"-q", "report", "-o", dir}, args...), env); status != 0 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	for name, into := range map[string]*[]byte{"index.html": new([]byte), "summary.json": &summary} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if *into = b; name == "index.html" {
			page = string(b)
		}
	}
	return page, summary
}

// TestReportAgrees compares every number in the page's tables of metrics with
// summary.json, and has every caption of it on the page.
func TestReportAgrees(t *testing.T) {
	page, b := runReport(t, "gen:smooth,n=40,d=8", "gen:locality", "gen:alibi,heads=3")
	var summary struct {
		Results []struct {
			Pages []struct {
				Title   string
				Caption []string
			}
			Metrics []struct {
				Heads   int
				Metrics []struct {
					Name, Head         string
					Value              *float64
					Shuffled, Gaussian *struct{ Mean, Z, P *float64 }
					Sinusoid           *struct{ Value *float64 }
				}
			}
		}
	}
	if err := json.Unmarshal(b, &summary); err != nil {
		t.Fatal(err)
	}
	text := html.UnescapeString(page)
	for _, pg := range summary.Results[0].Pages {
		heading, _, _ := strings.Cut(pg.Title, ": ") // the section says whose it is
		for _, want := range append(pg.Caption, heading) {
			if !strings.Contains(text, ">"+want+"<") {
				t.Errorf("the page lacks %q", want)
			}
		}
	}
	number := func(v *float64) string {
		if v == nil {
			return "NA"
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	var want []string
	for _, set := range summary.Results[0].Metrics {
		byName := map[string][]string{} // the heads of a metric stand side by side
		var names []string
		for _, m := range set.Metrics {
			if byName[m.Name] == nil {
				names = append(names, m.Name)
			}
			byName[m.Name] = append(byName[m.Name], number(m.Value))
			if set.Heads > 1 {
				continue
			}
			for _, null := range []*struct{ Mean, Z, P *float64 }{m.Shuffled, m.Gaussian} {
				if null == nil {
					null = &struct{ Mean, Z, P *float64 }{}
				}
				byName[m.Name] = append(byName[m.Name], number(null.Mean), number(null.Z), number(null.P))
			}
			if set.Heads == 0 {
				sinusoid := "NA"
				if m.Sinusoid != nil {
					sinusoid = number(m.Sinusoid.Value)
				}
				byName[m.Name] = append(byName[m.Name], sinusoid)
			}
		}
		for _, name := range names {
			want = append(want, byName[name]...)
		}
	}
	cells := regexp.MustCompile(`<data value="([^"]*)">([^<]*)</data>`).FindAllStringSubmatch(page, -1)
	if len(cells) != len(want) || len(want) < 300 {
		t.Fatalf("%d numbers on the page, %d in the summary", len(cells), len(want))
	}
	for i, c := range cells {
		if html.UnescapeString(c[1]) != want[i] {
			t.Errorf("number %d is %s on the page, %s in the summary", i, c[1], want[i])
		}
		exact, err := strconv.ParseFloat(c[1], 64)
		shown, err2 := strconv.ParseFloat(strings.TrimSuffix(c[2], " *"), 64)
		if err == nil && (err2 != nil || math.Abs(shown-exact) > 0.006*math.Abs(exact)) {
			t.Errorf("number %d is shown as %s, and is %s", i, c[2], c[1])
		}
	}
}

// TestPlots compares the data of drawings with the charts that they came from: where
// a map's picture stands, and the means of its blocks.
func TestPlots(t *testing.T) {
	at := func(r, c int) float64 { return math.Sin(float64(7*r+c)) * float64(1+r%3) }
	h := &figure.Heatmap{Rows: 300, Cols: 20, At: at, XLabel: "dx (key − query, cells)", YLabel: "position", ColorLabel: "mean score", Y0: 5, YStep: 2}
	var svg bytes.Buffer
	places, _, err := figure.WritePlots(&svg, "svg", h, figure.Style{})
	if err != nil {
		t.Fatal(err)
	}
	plots, note := plotsOf(h, places)
	p := plots[0]
	if note == "" || p.Cells.Rows != 256 || p.Cells.Cols != 20 || p.X.Name != "dx" || p.Value != "score" || p.Y.First != 5 || p.Y.Step != 2 || p.Y.Count != 300 {
		t.Errorf("%+v, note %q", p, note)
	}
	unit := math.Pow10(-p.Cells.Decimals)
	for i := range 256 {
		from, to := i*300/256, (i+1)*300/256
		for c := range 20 {
			mean := 0.0
			for r := from; r < to; r++ {
				mean += at(r, c) / float64(to-from)
			}
			if got := float64(p.Cells.Values[i*20+c]) * unit; math.Abs(got-mean) > 0.51*unit {
				t.Fatalf("block %d, column %d: %v, want %v", i, c, got, mean)
			}
		}
	}
	image := regexp.MustCompile(`<image x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"`).FindStringSubmatch(svg.String())
	var side [4]float64
	for i := range side {
		if side[i], err = strconv.ParseFloat(image[i+1], 64); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range [4]float64{side[0], side[1], side[0] + side[2], side[1] + side[3]} {
		if math.Abs(p.Box[i]-want) > 0.02 {
			t.Errorf("the map's box is %v, its picture %v", p.Box, side)
		}
	}

	l := &figure.Lines{Series: []figure.Series{{Name: "a", X: []float64{0, 10}, Y: []float64{-1, 3}}}}
	panels := &figure.Panels{Rows: 1, Cols: 3, Charts: []figure.Chart{l, nil, l}}
	if places, _, err = figure.WritePlots(&bytes.Buffer{}, "svg", panels, figure.Style{}); err != nil {
		t.Fatal(err)
	}
	plots, _ = plotsOf(panels, places)
	if len(plots) != 2 || plots[0].Box[0] >= plots[1].Box[0] || plots[1].X.Min > 0 || plots[1].X.Max < 10 || plots[1].Y.Min > -1 || plots[1].Y.Max < 3 {
		t.Errorf("panels: %+v", plots)
	}

	long := &figure.Lines{Series: []figure.Series{{X: make([]float64, 70_000), Y: make([]float64, 70_000)}}}
	if places, _, err = figure.WritePlots(&bytes.Buffer{}, "svg", long, figure.Style{}); err != nil {
		t.Fatal(err)
	}
	if plots, note = plotsOf(long, places); plots != nil || note == "" {
		t.Errorf("%d plots of 70000 points, note %q", len(plots), note)
	}
}

// TestReportDark has every figure of the page know the colours of the dark theme.
func TestReportDark(t *testing.T) {
	page, _ := runReport(t)
	for _, colour := range []string{`fill="#ffffff" style="--dark-fill:#16181d"`, `fill="#1a1a1a" style="--dark-fill:#f0f0f0"`} {
		figures := strings.Count(page, "<svg ")
		if got := strings.Count(page, colour); got < figures || figures != 5 {
			t.Errorf("%s stands %d times on a page of %d figures", colour, got, figures)
		}
	}
}

// TestReportType has the type of a page's figures of one plot about 9 pixels high or more
// where a phone of 400 shows them 368 wide.
func TestReportType(t *testing.T) {
	page, _ := runReport(t)
	sizes := 0
	for _, drawing := range strings.Split(page, "<svg ")[1:] {
		width, err := strconv.ParseFloat(regexp.MustCompile(`viewBox="0 0 ([0-9.]+) `).FindStringSubmatch(drawing)[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`font-size="([0-9.]+)"`).FindAllStringSubmatch(drawing, -1) {
			size, err := strconv.ParseFloat(m[1], 64)
			if err != nil || size*368/width < 8.9 {
				t.Errorf("type of %s points on a drawing of %g: %v", m[1], width, err)
			}
			sizes++
		}
	}
	if sizes < 30 {
		t.Errorf("%d words in all figures", sizes)
	}
}

// TestReportSize keeps the page of a table of 512 x 768 below 2 MB.
func TestReportSize(t *testing.T) {
	page, _ := runReport(t, "gen:smooth,n=512,d=768")
	if len(page) > 2<<20 || !strings.Contains(page, "null models of 19 random draws") {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// The null models of a report take so many seconds together and no more: a small table
// after a large one still has its own.
func TestReportAffords(t *testing.T) {
	var b book
	for i, c := range []struct {
		seconds float64
		ok      bool
	}{{0.9 * drawSeconds, true}, {0.2 * drawSeconds, false}, {0.1 * drawSeconds, true}, {1e-9, false}} {
		if got := b.affords(c.seconds); got != c.ok {
			t.Errorf("draws %d of %g seconds: %v", i, c.seconds, got)
		}
	}
}
