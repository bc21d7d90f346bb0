package report

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWriteTSV(t *testing.T) {
	table := sample()
	table.Rows = append(table.Rows, []any{"line\nbreak\r\x1b\\", 1, 0.1, math.Inf(1), "wide 位"})
	want := "source\tpairs\tmean\trough\tok\n" +
		"gpt2\t1023\t0.98765432109\t123.456\ttrue\n" +
		"a,\"b\"\\tc\t7\tNA\t-0.001\tfalse\n" +
		"x\tNA\t12.5\t1e-09\tNA\n" +
		"\t0\t-Inf\t2\ttrue\n" +
		"line\\nbreak\\r\\x1b\\\t1\t0.1\tInf\twide 位\n"
	var b strings.Builder
	if err := WriteTSV(&b, table); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestWriteCSV(t *testing.T) {
	table := sample()
	table.Rows = append(table.Rows, []any{"line\nbreak\x1b", 1, 0.1, math.Inf(1), " edge"})
	want := "source,pairs,mean,rough,ok\n" +
		"gpt2,1023,0.98765432109,123.456,true\n" +
		"\"a,\"\"b\"\"\tc\",7,NA,-0.001,false\n" +
		"x,NA,12.5,1e-09,NA\n" +
		",0,-Inf,2,true\n" +
		"\"line\nbreak\\x1b\",1,0.1,Inf,\" edge\"\n"
	var b strings.Builder
	if err := WriteCSV(&b, table); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

// TestCSVReadBack has encoding/csv read what any words became.
func TestCSVReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z ,"'\n\t;é位#]*`), 2, 5).Draw(t, "words")
		table := &Table{Rows: [][]any{nil}}
		for _, w := range words {
			table.Cols = append(table.Cols, Column{Name: w})
			table.Rows[0] = append(table.Rows[0], w)
		}
		var b bytes.Buffer
		if err := WriteCSV(&b, table); err != nil {
			t.Fatal(err)
		}
		got, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([][]string{words, words}, got); d != "" {
			t.Fatal(d)
		}
	})
}

// TestTSVReadBack has every number read back as it was.
func TestTSVReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		m := &Matrix{Corner: "position", Cols: []string{"0"}, Rows: []string{"0"}, At: func(int, int) float64 { return v }}
		var b strings.Builder
		if err := WriteMatrixTSV(&b, m); err != nil {
			t.Fatal(err)
		}
		text := strings.TrimSuffix(strings.TrimPrefix(b.String(), "position\t0\n0\t"), "\n")
		got, err := strconv.ParseFloat(text, 64)
		if err != nil || math.Float64bits(got) != math.Float64bits(v) {
			t.Fatalf("%v came back as %v from %q: %v", v, got, text, err)
		}
	})
}

func TestMatrix(t *testing.T) {
	values := [][]float64{{1, -0.5, math.NaN()}, {0.1, 1e300, math.Copysign(0, -1)}}
	m := &Matrix{
		Corner: "position",
		Cols:   []string{"0", "1", "a,b"},
		Rows:   []string{"0", "\"1\""},
		At:     func(i, j int) float64 { return values[i][j] },
	}
	var b strings.Builder
	if err := WriteMatrixTSV(&b, m); err != nil {
		t.Fatal(err)
	}
	if want := "position\t0\t1\ta,b\n0\t1\t-0.5\tNA\n\"1\"\t0.1\t1e+300\t-0\n"; b.String() != want {
		t.Errorf("TSV %q, want %q", b.String(), want)
	}
	b.Reset()
	if err := WriteMatrixCSV(&b, m); err != nil {
		t.Fatal(err)
	}
	if want := "position,0,1,\"a,b\"\n0,1,-0.5,NA\n\"\"\"1\"\"\",0.1,1e+300,-0\n"; b.String() != want {
		t.Errorf("CSV %q, want %q", b.String(), want)
	}
}

// TestMatrixStreams stops asking for numbers soon after a write has failed.
func TestMatrixStreams(t *testing.T) {
	names := make([]string, 4096)
	asked := 0
	m := &Matrix{Corner: "position", Cols: names, Rows: names, At: func(int, int) float64 { asked++; return 0.5 }}
	if err := WriteMatrixTSV(failing{}, m); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v, want the writer's", err)
	}
	if most := 20 * len(names); asked > most {
		t.Errorf("%d numbers were asked for after the writer failed, want at most %d", asked, most)
	}
}

// failing is a writer whose other end is closed.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteErrors(t *testing.T) {
	m := &Matrix{At: func(int, int) float64 { return 0 }}
	for name, err := range map[string]error{
		"text":       WriteText(failing{}, sample(), 80),
		"tsv":        WriteTSV(failing{}, sample()),
		"csv":        WriteCSV(failing{}, sample()),
		"matrix tsv": WriteMatrixTSV(failing{}, m),
		"matrix csv": WriteMatrixCSV(failing{}, m),
		"json":       WriteJSON(failing{}, "decay", nil),
	} {
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: error %v, want the writer's", name, err)
		}
	}
	odd := &Table{Cols: []Column{{Name: "a"}}, Rows: [][]any{{1}, {1, 2}}}
	for name, err := range map[string]error{
		"text": WriteText(io.Discard, odd, 80),
		"tsv":  WriteTSV(io.Discard, odd),
		"csv":  WriteCSV(io.Discard, odd),
	} {
		if err == nil {
			t.Errorf("%s: a row of two cells was written below one column", name)
		}
	}
}
