package report

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpark(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	long := make([]float64, 26) // blocks of two: 0.5, 2.5, ...
	for i := range long {
		long[i] = float64(i)
	}
	gaps := append([]float64{nan, nan, 5, nan}, make([]float64, 22)...)
	for _, c := range []struct {
		name         string
		spark        Spark
		bars, letter string
	}{
		{"every level", Spark{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 0, 7}, "▁▂▃▄▅▆▇█", ".:-=*#%@"},
		{"down", Spark{[]float64{1, 0.5, 0}, 0, 1}, "█▅▁", "@+."},
		{"gaps", Spark{[]float64{0, nan, 1}, 0, 1}, "▁ █", ". @"},
		{"beyond the ends", Spark{[]float64{-inf, -2, 0, 2, inf}, -1, 1}, "▁▁▅██", "..+@@"},
		{"constant", Sparks([]float64{3, 3, 3})[0], "▄▄▄", "+++"},
		{"one value", Sparks([]float64{-7})[0], "▄", "+"},
		{"none", Sparks([]float64{})[0], "", ""},
		{"all undefined", Sparks([]float64{nan, nan})[0], "  ", "  "},
		{"all infinite", Sparks([]float64{inf, -inf})[0], "▄▄", "++"},
		{"blocks", Spark{long, 0, 25}, "▁▁▂▃▃▄▅▅▆▆▇██", "..:-==+**#%@@"},
		{"blocks with gaps", Spark{gaps, 0, 5}, " █▁▁▁▁▁▁▁▁▁▁▁", " @..........."},
		{"no overflow", Spark{[]float64{-math.MaxFloat64, 0, math.MaxFloat64}, -math.MaxFloat64, math.MaxFloat64}, "▁▅█", ".+@"},
	} {
		if got := c.spark.draw([]rune(bars), mostBars); got != c.bars {
			t.Errorf("%s: %q, want %q", c.name, got, c.bars)
		}
		if got := c.spark.draw([]rune(asciiBars), mostBars); got != c.letter {
			t.Errorf("%s: %q, want %q", c.name, got, c.letter)
		}
	}
	huge := make([]float64, 26) // blocks of two, whose sums are beyond float64
	for i := range huge {
		huge[i] = math.MaxFloat64
	}
	huge[0], huge[1] = 0, 0
	if got := Sparks(huge)[0].draw([]rune(bars), mostBars); got != "▁████████████" {
		t.Errorf("huge: %q", got)
	}
}

// A curve that is the same both ways is drawn so, its middle in a column of its own.
func TestSparkSymmetric(t *testing.T) {
	for n := 1; n < 300; n += 2 {
		values := make([]float64, n)
		for i := range values {
			values[i] = -math.Sqrt(math.Abs(float64(i - n/2)))
		}
		line := []rune(Sparks(values)[0].draw([]rune(bars), mostBars))
		for i := range line {
			if line[i] != line[len(line)-1-i] {
				t.Errorf("%d values: %s", n, string(line))
				break
			}
		}
		if len(line)%2 == 0 || len(line) > mostBars {
			t.Errorf("%d values: %d columns", n, len(line))
		}
	}
}

// Curves of one scale can be compared, and what is undefined or infinite sets no end.
func TestSparks(t *testing.T) {
	got := Sparks([]float64{0, math.Inf(1)}, []float64{math.NaN(), -2}, []float64{4})
	for i, s := range got {
		if s.Least != -2 || s.Most != 4 {
			t.Errorf("curve %d: from %v to %v", i, s.Least, s.Most)
		}
	}
}

// The column of curves stands behind the others where there is room, with its note, and
// in no other form than text.
func TestSparkColumn(t *testing.T) {
	s := Sparks([]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, []float64{11})
	table := &Table{
		Cols:   []Column{{Name: "source"}, {Name: "curve", Spark: true, Note: "curve: 0 to 11"}, {Name: "mean", Numeric: true}},
		Rows:   [][]any{{"a", s[0], 5.5}, {"b", s[1], 11.0}, {"c", nil, nil}},
		Behind: func(yield func([]any) bool) { yield([]any{"d", s[0], 1.0}) },
	}
	with := "source  mean  curve\na        5.5  ▁▁▂▃▃▄▅▆▆▇██\nb       11    █\nc       NA    NA\n\n* curve: 0 to 11\n"
	fewer := "source  mean  curve\na        5.5  ▁▁▂▃▃▅▆▆▇██\nb       11    █\nc       NA    NA\n\n* curve: 0 to 11\n"
	least := "source  mean  curve\na        5.5  ▁▃▅▆█\nb       11    █\nc       NA    NA\n\n* curve: 0 to 11\n"
	without := "source  mean\na        5.5\nb       11\nc       NA\n"
	for width, want := range map[int]string{0: with, 26: with, 25: fewer, 19: least, 18: without, 12: without} {
		var b strings.Builder
		if err := WriteText(&b, table, width); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, b.String()); d != "" {
			t.Errorf("width %d: %s", width, d)
		}
	}
	var tsv, csv, ascii strings.Builder
	if err := WriteTSV(&tsv, table); err != nil || tsv.String() != "source\tmean\na\t5.5\nb\t11\nc\tNA\nd\t1\n" {
		t.Errorf("%v: %q", err, tsv.String())
	}
	if err := WriteCSV(&csv, table); err != nil || csv.String() != "source,mean\na,5.5\nb,11\nc,NA\nd,1\n" {
		t.Errorf("%v: %q", err, csv.String())
	}
	if err := WriteASCII(&ascii, table, 80); err != nil || !strings.Contains(ascii.String(), "a        5.5  ..:-=++*#%@@\n") {
		t.Errorf("%v: %q", err, ascii.String())
	}
	for _, wrong := range []*Table{
		{Cols: []Column{{Name: "mean"}}, Rows: [][]any{{s[0]}}},
		{Cols: []Column{{Name: "curve", Spark: true}}, Rows: [][]any{{1.5}}},
	} {
		if err := WriteText(&strings.Builder{}, wrong, 80); err == nil {
			t.Error("a column takes a cell that is not its own")
		}
	}
}
