package figure

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

func drawn(t testing.TB, c Chart, term Terminal) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteTerminal(&b, c, term); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func ExampleWriteTerminal() {
	h := &Heatmap{
		Title: "Similarity", XLabel: "position", ColorLabel: "cosine",
		Rows: 24, Cols: 24, Min: 0, Max: 1, At: func(r, c int) float64 { return 1 - float64(max(r-c, c-r))/24 },
	}
	if err := WriteTerminal(os.Stdout, h, Terminal{Width: 60, Height: 14}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Similarity
	//  0 @@%%##**++--::..
	//    %%@@%%##**++--::
	//    ##%%@@%%##**++--
	// 10 **##%%@@%%##**++
	//    ++**##%%@@%%##**
	//    --++**##%%@@%%##
	// 20 ::--++**##%%@@%%
	//    ..::--++**##%%@@
	//    0      10    20
	//        position
	// cosine  0 [ .:-=+*#%@] 1
}

func TestTerminalHeatmap(t *testing.T) {
	values := []float64{0, 0.5, 1, math.NaN()}
	h := &Heatmap{Title: "t\x1b[31m", Rows: 2, Cols: 2, Max: 1, X0: -1, At: func(r, c int) float64 { return values[2*r+c] }}
	none := "t [31m\n" +
		"      ++++\n" +
		"0     ++++\n" +
		"  @@@@????\n" +
		"1 @@@@????\n" +
		"    -1  0\n" +
		"0 [ .:-=+*#%@] 1  ? undefined\n"
	if got := drawn(t, h, Terminal{Width: 40, Height: 10}); got != none {
		t.Errorf("none:\n%s", got)
	}
	// viridis at 0, 1/2 and 1, and the grey
	trueColor := "  \x1b[38;2;68;1;84m\x1b[48;2;68;1;84m▀▀▀▀\x1b[38;2;33;145;140m\x1b[48;2;33;145;140m▀▀▀▀\x1b[0m\n" +
		"0 \x1b[38;2;68;1;84m\x1b[48;2;68;1;84m▀▀▀▀\x1b[38;2;33;145;140m\x1b[48;2;33;145;140m▀▀▀▀\x1b[0m\n" +
		"  \x1b[38;2;253;231;37m\x1b[48;2;253;231;37m▀▀▀▀\x1b[38;2;168;168;168m\x1b[48;2;168;168;168m▀▀▀▀\x1b[0m\n"
	if got := drawn(t, h, Terminal{Width: 40, Height: 10, Color: "true"}); !strings.Contains(got, trueColor) {
		t.Errorf("true: %q", got)
	}
	of256 := "  \x1b[38;5;53m\x1b[48;5;53m▀▀▀▀\x1b[38;5;30m\x1b[48;5;30m▀▀▀▀\x1b[0m\n"
	if got := drawn(t, h, Terminal{Width: 40, Height: 10, Color: "256"}); !strings.Contains(got, of256) {
		t.Errorf("256: %q", got)
	}
}

func TestTerminalLines(t *testing.T) {
	l := &Lines{Title: "decay", YLabel: "mean", XLabel: "distance", Series: []Series{
		{Name: "a", X: []float64{0, 1, 2, 3}, Y: []float64{1, 0.5, 0.25, 0.125}},
		{Name: "b", X: []float64{0, 3}, Y: []float64{0, 1}},
	}}
	want := `decay
mean
1 ┤⠐⠤⣀                            ⢀⡠⠔⠂ b
  │   ⠑⠢⣀                    ⢀⣀⠤⠒⠉⠁
  │      ⠑⠢⡀             ⣀⠤⠔⠊⠁
  │        ⠈⠑⠤⡀     ⢀⡠⠔⠒⠉
  │           ⠈⠉⣑⠶⠴⢎⣉
  │        ⢀⡠⠔⠒⠉     ⠉⠑⠒⠤⠤⣀⣀⡀
  │   ⢀⣀⠤⠒⠉⠁                ⠈⠉⠉⠒⠒⠒⠢⠤⠤⠄ a
0 ┤⠠⠔⠊⠁
  └┬──────────┬───────────┬──────────┬
   0          1           2          3
                 distance
a a   b b
`
	if got := drawn(t, l, Terminal{Width: 40, Height: 14}); got != want {
		t.Errorf("got\n%s", got)
	}
	l.Series[0].X, l.MarkZero = []float64{-3, 0, 1, 2}, true
	got := drawn(t, l, Terminal{Width: 60, Color: "256"})
	if !strings.Contains(got, "looks back   looks ahead") || !strings.Contains(got, "\x1b[38;5;") {
		t.Errorf("got\n%s", got)
	}
}

// No line is wider than the terminal, and none has a code without colour.
func TestTerminalWidth(t *testing.T) {
	for name, c := range sampleCharts() {
		for _, width := range []int{30, 40, 80, 200} {
			for _, line := range strings.Split(drawn(t, c, Terminal{Width: width, Color: "none"}), "\n") {
				if n := textWidth(line); n > width {
					t.Errorf("%s: %d of %d columns: %s", name, n, width, line)
				}
				if strings.ContainsRune(line, '\x1b') || strings.HasSuffix(line, " ") {
					t.Errorf("%s: %q", name, line)
				}
			}
		}
	}
}

func TestTerminalRefused(t *testing.T) {
	for want, term := range map[string]Terminal{
		`unknown colour mode "8"; one of none, 256, true`: {Color: "8"},
		`unknown palette "jet"`:                           {Palette: "jet"},
	} {
		if err := WriteTerminal(&bytes.Buffer{}, sampleMap(2, 2), term); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := WriteTerminal(&bytes.Buffer{}, nil, Terminal{}); err == nil {
		t.Error("no chart is drawn")
	}
	if err := WriteTerminal(broken{}, sampleMap(2, 2), Terminal{}); err == nil {
		t.Error("a full disk is not told")
	}
}

// The cube and the greys of xterm.
func TestNearest256(t *testing.T) {
	for i := 16; i < 256; i++ {
		c := undefined
		if i < 232 {
			level := func(n int) uint8 { return []uint8{0, 95, 135, 175, 215, 255}[n%6] }
			c.R, c.G, c.B = level((i-16)/36), level((i-16)/6), level(i-16)
		} else {
			c.R = uint8(8 + 10*(i-232))
			c.G, c.B = c.R, c.R
		}
		if got := nearest256(c); got != i {
			t.Errorf("%v is %d, want %d", c, got, i)
		}
	}
}
