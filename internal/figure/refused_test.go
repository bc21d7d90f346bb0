package figure

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

func TestRefused(t *testing.T) {
	ok := sampleMap(2, 2)
	nothing := &Lines{Series: []Series{{X: []float64{1, 2}, Y: []float64{math.NaN(), math.Inf(1)}}}}
	for want, f := range map[string]func() (string, Chart, Style){
		`unknown format "jpg"; one of png, svg, pdf`:    func() (string, Chart, Style) { return "jpg", ok, Style{} },
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
		"a scale from 2 to 1": func() (string, Chart, Style) {
			return "png", &Heatmap{Cols: 1, Rows: 1, At: ok.At, Min: 2, Max: 1}, Style{}
		},
		"a scale from 0 to +Inf": func() (string, Chart, Style) {
			return "png", &Heatmap{Cols: 1, Rows: 1, At: ok.At, Max: math.Inf(1)}, Style{}
		},
		"lines: no values: nothing to draw": func() (string, Chart, Style) { return "png", nothing, Style{} },
		`series 0 "a": 2 x, but 1 y`: func() (string, Chart, Style) {
			return "png", &Lines{Series: []Series{{Name: "a", X: []float64{1, 2}, Y: []float64{1}}}}, Style{}
		},
		"but a band of 2 and 1": func() (string, Chart, Style) {
			return "png", &Lines{Series: []Series{{X: []float64{1, 2}, Y: []float64{1, 2}, Lo: []float64{0, 0}, Hi: []float64{1}}}}, Style{}
		},
		"a y axis from 1 to 0":    func() (string, Chart, Style) { return "png", &Lines{YMin: 1}, Style{} },
		"panels: nothing to draw": func() (string, Chart, Style) { return "png", &Panels{Rows: 1, Cols: 1, Charts: []Chart{nil}}, Style{} },
		"panels: 2 charts in 1 x 1 places": func() (string, Chart, Style) {
			return "png", &Panels{Rows: 1, Cols: 1, Charts: []Chart{ok, ok}}, Style{}
		},
		"panel 0 is panels itself": func() (string, Chart, Style) {
			return "png", &Panels{Rows: 1, Cols: 1, Charts: []Chart{&Panels{}}}, Style{}
		},
		"panel 1: heat map: no values": func() (string, Chart, Style) {
			return "png", &Panels{Rows: 1, Cols: 2, Charts: []Chart{ok, &Heatmap{Rows: 1, Cols: 1}}}, Style{}
		},
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
