package figure

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// sums is the SHA-256 of every sample in every format.
func sums(t testing.TB) string {
	var b strings.Builder
	charts := sampleCharts()
	for _, name := range slices.Sorted(maps.Keys(charts)) {
		for _, format := range Formats() {
			fmt.Fprintf(&b, "%s %s %x\n", name, format, sha256.Sum256(writeBytes(t, format, charts[name], Style{DPI: 50})))
		}
	}
	return b.String()
}

// The same chart gives the same bytes, in one process and in two.
func TestSameBytes(t *testing.T) {
	const child = "FIGURE_TEST_SUMS"
	if os.Getenv(child) != "" {
		fmt.Print("<sums>" + sums(t) + "</sums>")
		return
	}
	first := sums(t)
	if second := sums(t); first != second {
		t.Errorf("one process:\n%s\n%s", first, second)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSameBytes$")
	cmd.Env = append(os.Environ(), child+"=1", "TZ=Asia/Kathmandu")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !strings.Contains(string(out), "<sums>"+first+"</sums>") {
		t.Errorf("two processes:\n%s\n%s", first, out)
	}
}

func TestSVG(t *testing.T) {
	h := sampleMap(4, 4)
	h.Title = `位置 <b>"σ" & font-family:Liberation Sans` + "\x1b[31m\x00"
	b := writeBytes(t, "svg", h, Style{})
	s := string(b)
	for _, want := range []string{
		"位置 &lt;b&gt;", "&amp; font-family:Liberation Sans [31m<", `image-rendering:pixelated`, `preserveAspectRatio="none"`,
		`font-family="'Liberation Sans',Arial,Helvetica,sans-serif"`, `width="432pt" height="360pt" viewBox="0 0 432 360"`,
		">cosine similarity</text>", `href="data:image/png;base64,`,
	} {
		if !strings.Contains(s, want) {
			t.Errorf("no %s", want)
		}
	}
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestPDF(t *testing.T) {
	b := writeBytes(t, "pdf", sampleMap(4, 4), Style{})
	if !bytes.HasPrefix(b, []byte("%PDF-")) {
		t.Errorf("starts with %q", b[:8])
	}
	if today := time.Now().Format("D:2006"); bytes.Contains(b, []byte(today)) {
		t.Error("holds the date of today")
	}
	for _, want := range []string{"/CreationDate (D:20000101000000", "/FontFile2", "/BaseFont /LiberationSans"} {
		if !bytes.Contains(b, []byte(want)) {
			t.Errorf("no %s", want)
		}
	}
}

// The images of a PDF stand upright: along the matrices around each, up stays
// up.
func TestPDFUpright(t *testing.T) {
	b := writeBytes(t, "pdf", sampleMap(4, 4), Style{})
	images := 0
	for _, part := range bytes.Split(b, []byte("stream\n"))[1:] {
		r, err := zlib.NewReader(bytes.NewReader(part))
		if err != nil {
			continue
		}
		content, _ := io.ReadAll(r)
		if !bytes.Contains(content, []byte(" Do")) {
			continue
		}
		// the vertical scales of the states that q saves and Q restores
		up := []float64{1}
		for _, op := range regexp.MustCompile(`\bq\b|\bQ\b|(?:\S+ ){3}(\S+) \S+ \S+ cm|/I\w+ Do`).FindAllStringSubmatch(string(content), -1) {
			last := &up[len(up)-1]
			switch {
			case op[0] == "q":
				up = append(up, *last)
			case op[0] == "Q":
				up = up[:len(up)-1]
			case op[1] != "":
				d, err := strconv.ParseFloat(op[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				*last *= d
			default:
				if images++; *last <= 0 {
					t.Errorf("image %d is upside down: %g", images, *last)
				}
			}
		}
	}
	if images != 2 { // the map and its colour bar
		t.Errorf("%d images", images)
	}
}

// Characters that a format lacks are told once, all together.
func TestMissingCharacters(t *testing.T) {
	h := sampleMap(4, 4)
	h.Title, h.XLabel = "位置 of −1", "σ and 位"
	for format, want := range map[string][]string{
		"png": {`png: the font has no "位置"; drawn as a box (svg keeps it)`},
		"svg": nil,
		"pdf": {`pdf: text is Windows-1252, which has no "σ位置"; spelled out or written as ? (svg keeps it)`},
	} {
		got, err := Write(io.Discard, format, h, Style{})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", format, got, err, want)
		}
	}
}

func TestRefused(t *testing.T) {
	ok := sampleMap(2, 2)
	nothing := &Lines{Series: []Series{{X: []float64{1, 2}, Y: []float64{math.NaN(), math.Inf(1)}}}}
	for want, f := range map[string]func() (string, Chart, Style){
		`unknown format "jpg"; one of png, svg, pdf`:  func() (string, Chart, Style) { return "jpg", ok, Style{} },
		`unknown theme "x"; one of paper, slides, dark`: func() (string, Chart, Style) { return "png", ok, Style{Theme: "x"} },
		`unknown palette "jet"`:                         func() (string, Chart, Style) { return "png", ok, Style{Palette: "jet"} },
		"width 0.9: a figure is 1 to 50 inches":         func() (string, Chart, Style) { return "svg", ok, Style{Width: 0.9} },
		"height 51: a figure is 1 to 50 inches":         func() (string, Chart, Style) { return "pdf", ok, Style{Height: 51} },
		"width NaN":                                     func() (string, Chart, Style) { return "png", ok, Style{Width: math.NaN()} },
		"height -2":                                     func() (string, Chart, Style) { return "png", ok, Style{Height: -2} },
		"29 dpi: a figure has 30 to 1200":               func() (string, Chart, Style) { return "png", ok, Style{DPI: 29} },
		"1201 dpi":                                      func() (string, Chart, Style) { return "png", ok, Style{DPI: 1201} },
		"576 million pixels, more than 100":             func() (string, Chart, Style) { return "png", ok, Style{DPI: 1200, Width: 20, Height: 20} },
		"no chart":                                      func() (string, Chart, Style) { return "png", nil, Style{} },
		"heat map: 0 x 3 cells: nothing to draw":        func() (string, Chart, Style) { return "png", &Heatmap{Cols: 3, At: ok.At}, Style{} },
		"heat map: no values":                           func() (string, Chart, Style) { return "png", &Heatmap{Cols: 3, Rows: 3}, Style{} },
		"a scale from 2 to 1":                           func() (string, Chart, Style) { return "png", &Heatmap{Cols: 1, Rows: 1, At: ok.At, Min: 2, Max: 1}, Style{} },
		"lines: no values: nothing to draw":             func() (string, Chart, Style) { return "png", nothing, Style{} },
		`series 0 "a": 2 x, but 1 y`:                    func() (string, Chart, Style) { return "png", &Lines{Series: []Series{{Name: "a", X: []float64{1, 2}, Y: []float64{1}}}}, Style{} },
		"but a band of 2 and 1":                         func() (string, Chart, Style) { return "png", &Lines{Series: []Series{{X: []float64{1, 2}, Y: []float64{1, 2}, Lo: []float64{0, 0}, Hi: []float64{1}}}}, Style{} },
		"a y axis from 1 to 0":                          func() (string, Chart, Style) { return "png", &Lines{YMin: 1}, Style{} },
		"panels: nothing to draw":                       func() (string, Chart, Style) { return "png", &Panels{Rows: 1, Cols: 1, Charts: []Chart{nil}}, Style{} },
		"panels: 2 charts in 1 x 1 places":              func() (string, Chart, Style) { return "png", &Panels{Rows: 1, Cols: 1, Charts: []Chart{ok, ok}}, Style{} },
		"panel 0 is panels itself":                      func() (string, Chart, Style) { return "png", &Panels{Rows: 1, Cols: 1, Charts: []Chart{&Panels{}}}, Style{} },
		"panel 1: heat map: no values":                  func() (string, Chart, Style) { return "png", &Panels{Rows: 1, Cols: 2, Charts: []Chart{ok, &Heatmap{Rows: 1, Cols: 1}}}, Style{} },
	} {
		format, c, s := f()
		var b bytes.Buffer
		_, err := Write(&b, format, c, s)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "figure: ") {
			t.Errorf("%q, want %q", err, want)
		}
		if b.Len() > 0 {
			t.Errorf("%s: %d bytes written all the same", want, b.Len())
		}
	}
	var none *Heatmap
	if _, err := Write(io.Discard, "png", none, Style{}); err == nil {
		t.Error("a nil heat map is drawn")
	}
	if _, err := Write(broken{}, "svg", ok, Style{}); err == nil || err.Error() != "full" {
		t.Errorf("a full disk: %v", err)
	}
	fault := &Heatmap{Rows: 1, Cols: 1, At: func(r, c int) float64 { panic("odd") }}
	if _, err := Write(io.Discard, "png", fault, Style{}); err == nil || !strings.Contains(err.Error(), "can't be drawn: odd") {
		t.Errorf("a panic: %v", err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

// Numbers as odd as they come are drawn, in every format and in the terminal.
func TestOddNumbers(t *testing.T) {
	odd := []float64{0, 1, -1, 0.5, 1e-9, 1 + 1e-15, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 1e300, 5e-324, -5e-324, 1e15, 3}
	number := rapid.OneOf(rapid.SampledFrom(odd), rapid.Float64(), rapid.Float64Range(-2, 2))
	word := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "head 3", "a rather long label that has to be shortened", "位置"}))
	drawMap := func(t *rapid.T) Chart {
		rows, cols := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 40).Draw(t, "cols")
		v := rapid.SliceOfN(number, rows*cols, rows*cols).Draw(t, "v")
		h := &Heatmap{
			Title: word.Draw(t, "title"), XLabel: word.Draw(t, "x"), YLabel: word.Draw(t, "y"), ColorLabel: word.Draw(t, "colour"),
			Rows: rows, Cols: cols, At: func(r, c int) float64 { return v[r*cols+c] },
			X0: rapid.IntRange(-1e6, 1e6).Draw(t, "x0"), XStep: rapid.IntRange(-3, 70).Draw(t, "step"), Diverging: rapid.Bool().Draw(t, "diverging"),
		}
		if a, b := number.Draw(t, "min"), number.Draw(t, "max"); a <= b {
			h.Min, h.Max = a, b
		}
		return h
	}
	drawLines := func(t *rapid.T) Chart {
		l := &Lines{Title: word.Draw(t, "title"), XLabel: word.Draw(t, "x"), YLabel: word.Draw(t, "y"), MarkZero: rapid.Bool().Draw(t, "zero")}
		if a, b := rapid.Float64().Draw(t, "min"), rapid.Float64().Draw(t, "max"); rapid.Bool().Draw(t, "fixed") && a <= b {
			l.YMin, l.YMax = a, b
		}
		for range rapid.IntRange(1, 11).Draw(t, "series") {
			n := rapid.IntRange(0, 9).Draw(t, "n")
			s := Series{Name: word.Draw(t, "name"), Steps: rapid.Bool().Draw(t, "steps"), Dashed: rapid.Bool().Draw(t, "dashed")}
			s.X, s.Y = rapid.SliceOfN(number, n, n).Draw(t, "x"), rapid.SliceOfN(number, n, n).Draw(t, "y")
			if rapid.Bool().Draw(t, "band") {
				s.Lo, s.Hi = rapid.SliceOfN(number, n, n).Draw(t, "lo"), rapid.SliceOfN(number, n, n).Draw(t, "hi")
			}
			l.Series = append(l.Series, s)
		}
		return l
	}
	rapid.Check(t, func(t *rapid.T) {
		chart := func() Chart {
			if rapid.Bool().Draw(t, "map") {
				return drawMap(t)
			}
			return drawLines(t)
		}
		c := chart()
		if rapid.IntRange(0, 3).Draw(t, "panels") == 0 {
			rows, cols := rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(1, 4).Draw(t, "cols")
			g := &Panels{Title: word.Draw(t, "all"), Rows: rows, Cols: cols}
			for range rapid.IntRange(1, rows*cols).Draw(t, "charts") {
				g.Charts = append(g.Charts, chart())
			}
			c = g
		}
		s := Style{
			Width: rapid.Float64Range(1, 4).Draw(t, "width"), Height: rapid.Float64Range(1, 4).Draw(t, "height"), DPI: rapid.IntRange(30, 90).Draw(t, "dpi"),
			Theme: rapid.SampledFrom(Themes()).Draw(t, "theme"), Palette: rapid.SampledFrom(append(Palettes(), "")).Draw(t, "palette"),
		}
		if c.check() != nil {
			return // there may be nothing to draw
		}
		for _, format := range Formats() {
			var b bytes.Buffer
			if _, err := Write(&b, format, c, s); err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			if format == "png" {
				if _, err := png.Decode(&b); err != nil {
					t.Fatal(err)
				}
			} else if s := b.String(); format == "svg" && (strings.Contains(s, "NaN") || strings.Contains(s, "Inf")) && !strings.Contains(fmt.Sprint(c), "N") {
				t.Fatal("a coordinate is no number")
			}
		}
		for _, mode := range []string{"none", "256", "true"} {
			term := Terminal{Width: rapid.IntRange(0, 120).Draw(t, "columns"), Color: mode}
			var b bytes.Buffer
			if err := WriteTerminal(&b, c, term); err != nil {
				t.Fatal(err)
			}
			if mode == "none" && bytes.ContainsRune(b.Bytes(), '\x1b') {
				t.Fatal("a colour code without colour")
			}
		}
	})
}
