package figure

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every chart, its labels in any script, is drawn in ASCII and within the width, with
// colours and without.
func TestTerminalASCII(t *testing.T) {
	charts := sampleCharts()
	for _, e := range exhibits() {
		charts["exhibit "+e.name] = e.chart
	}
	foreign := sampleLines(3, 20)
	foreign.Title, foreign.XLabel, foreign.YLabel = "位置エンコーディング "+strings.Repeat("é", 200), "позиция × 10⁻³", "1 − cos ≤ σ²"
	foreign.MarkZero, foreign.Sides = true, [2]string{"← zurück", "voraus →"}
	for i := range foreign.Series {
		foreign.Series[i].Name = fmt.Sprint("שכבה ", i)
	}
	charts["foreign lines"] = foreign
	map1 := namedMap(4, 4, "étape № ")
	map1.Title, map1.ColorLabel = "θ ‖ φ", "Ähnlichkeit"
	map1.Min, map1.Max = -0.1, 0.1 // the ends of the key tell that there is more
	charts["foreign map"] = map1
	charts["marginal"] = &Marginal{Map: sampleMap(24, 24), Curve: sampleLines(1, 24)}
	code := regexp.MustCompile(`\x1b\[[0-9;]*m`)
	for name, c := range charts {
		for _, mode := range []string{"none", "256"} {
			for _, width := range []int{30, 47, 80, 120} {
				got := drawn(t, c, Terminal{Width: width, Color: mode, ASCII: true})
				if mode == "256" {
					got = code.ReplaceAllString(got, "")
				}
				for _, line := range strings.Split(got, "\n") {
					if len(line) > width {
						t.Errorf("%s, %s: %d of %d columns: %s", name, mode, len(line), width, line)
					}
					for _, r := range line {
						if r < ' ' || r > '~' {
							t.Fatalf("%s, %s: %q is not ASCII: %s", name, mode, r, line)
						}
					}
				}
			}
		}
	}
}

func TestTerminalASCIILines(t *testing.T) {
	one := &Lines{XLabel: "offset (key − query)", MarkZero: true, Series: []Series{
		{X: []float64{-2, -1, 0, 1, 2}, Y: []float64{0, 0.5, 1, 0.5, 0}},
	}}
	// Two lines that are one for a while take turns; a third crosses them.
	several := &Lines{Series: []Series{
		{Name: "same", X: []float64{0, 1}, Y: []float64{1, 1}},
		{Name: "same, too", X: []float64{0, 1}, Y: []float64{1, 1}},
		{Name: "σ", X: []float64{0, 1}, Y: []float64{0, 1}},
	}}
	many := &Lines{}
	for i := range fewSeries + 1 {
		many.Series = append(many.Series, Series{Name: fmt.Sprint("head ", i), X: []float64{0, 1}, Y: []float64{0, float64(i)}})
	}
	for _, c := range []struct {
		name string
		of   *Lines
		want string
	}{{"one", one, oneASCII}, {"several", several, severalASCII}, {"many", many, manyASCII}} {
		if got := drawn(t, c.of, Terminal{Width: 40, Height: 14, ASCII: true}); got != c.want {
			t.Errorf("%s: got\n%s", c.name, got)
		}
	}
}

const (
	oneASCII = `1 +                 .'.
  |              ..' | '..
  |            .'    |    '.
  |          .'      |      '.
  |       .''        |        ''.
  |     .'           |           '.
  |  .''             |             ''.
0 +.'                |                '.
  ++--------+--------+--------+--------+
   -2       -1       0        1        2
          looks back   looks ahead
           offset (key - query)
`
	severalASCII = `1 +babababababababababababababababababca
  |                            ccccc
  |                       ccccc
  |                   cccc
  |              ccccc
  |         ccccc
  |    ccccc
0 +cccc
  ++-----------------------------------+
   0                                   1
a same   b same, too   c sigma
`
	manyASCII = `  |                                 ...'
  |                            ...':..''
  |                       ...':..':..'''
5 +                   ..::.'::.'::..''''
  |              ..:::::::::''::...'''::
  |         ..::::::::::.:::::..''''::..
  |    ..::::::::::::::::.''':::::::....
0 +.:::::::::::::::::::::::::...........
  ++-----------------------------------+
   0                                   1
9 lines, head 0 ... head 8
`
)

// A point is in the upper or in the lower half of its letter, and two are in both.
func TestTerminalASCIIDots(t *testing.T) {
	var term = Terminal{ASCII: true}
	c := cell{r: '|'} // the line at 0 gives way
	for _, step := range []struct {
		dy   int
		want rune
	}{{0, '\''}, {0, '\''}, {1, ':'}, {1, ':'}} {
		if term.dot(&c, 0, step.dy, undefined); c.r != step.want || c.fg != undefined {
			t.Errorf("%q, want %q", c.r, step.want)
		}
	}
	c = cell{r: ' '}
	if term.dot(&c, 0, 1, undefined); c.r != '.' {
		t.Errorf("%q", c.r)
	}
}

func ExampleWriteTerminal_ascii() {
	s := &Scatter{XLabel: "component 0", YLabel: "component 1", X: []float64{-1, -0.5, 0, 0.5, 1}, Y: []float64{0, 0.8, 1, 0.8, 0}, Value: []float64{0, 1, 2, 3, 4}}
	if err := WriteTerminal(os.Stdout, s, Terminal{Width: 40, Height: 12, ASCII: true}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// component 1
	// 1 +               '
	//   |         '           '
	//   |
	//   |
	//   |
	// 0 +    o                     x
	//   +----+----+-----+-----+----+----
	//       -1.0 -0.5  0.0   0.5  1.0
	//              component 0
	// o first, x last
}
