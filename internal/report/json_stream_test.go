package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Types that say what they hold, as the analyses have them. Their MarshalJSON is what
// encoding/json would have written of them.
type (
	values []float64
	square struct{ rows []values }
	viewed struct {
		Name  string `json:"name"`
		Score values `json:"score"`
		Axis  int    `json:"-"`
	}
	origin struct {
		Label string `json:"source"`
		Arch  string `json:"arch,omitempty"`
	}
	word string
	leaf struct {
		Head   string            `json:"head"`
		Score  values            `json:"score"`
		Lo     values            `json:"lo,omitempty"`
		Why    map[string]string `json:"why,omitempty"`
		hidden int
	}
	result struct {
		origin
		View     *viewed    `json:"viewed"`
		Plain    []float64  `json:"plain"`
		Rows     [][]int    `json:"rows"`
		Scores   *square    `json:"scores,omitempty"`
		Heads    []leaf     `json:"heads"`
		Pointers []*leaf    `json:"pointers"`
		Any      []any      `json:"any"`
		Words    []word     `json:"words"`
		Word     *word      `json:"word"`
		Flag     bool       `json:"flag,omitempty"`
		Fixed    [2]float64 `json:"fixed"`
		Empty    struct{}   `json:"empty"`
		NoTag    int
		Left     func() `json:"-"`
	}
)

func (v values) JSONNumbers() []float64 { return v }

func (v values) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	var words []string
	for _, x := range v {
		text, err := json.Marshal(x)
		if err != nil {
			text = []byte("null")
		}
		words = append(words, string(text))
	}
	return []byte("[" + strings.Join(words, ",") + "]"), nil
}

func (s *square) JSONRows() iter.Seq[[]float64] {
	return func(yield func([]float64) bool) {
		for _, row := range s.rows {
			if !yield(row) {
				return
			}
		}
	}
}

func (s *square) MarshalJSON() ([]byte, error) { return json.Marshal(append([]values{}, s.rows...)) }

func (v *viewed) JSONView() any {
	type plain viewed
	return struct {
		*plain
		Axis int `json:"axis"`
	}{(*plain)(v), v.Axis}
}

func (v *viewed) MarshalJSON() ([]byte, error) { return json.Marshal(v.JSONView()) }

func (w word) MarshalText() ([]byte, error) { return []byte("<" + string(w) + ">"), nil }

// atOnce writes results as encoding/json does, and then indents all of it.
func atOnce(t interface{ Fatal(...any) }, results []any) string {
	var compact, b bytes.Buffer
	e := json.NewEncoder(&compact)
	e.SetEscapeHTML(false)
	if err := e.Encode(struct {
		Schema  int    `json:"schema"`
		Command string `json:"command"`
		Results []any  `json:"results"`
	}{1, "x", results}); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(&b)
	indent(out, bytes.TrimSuffix(compact.Bytes(), []byte("\n")), 0)
	out.Flush()
	return b.String() + "\n"
}

// TestWriteJSONByParts writes results of any shape, field by field, and compares the
// bytes with those of encoding/json.
func TestWriteJSONByParts(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 1e-6, 9.99e-7, 1e-9, 1e21, 9.9e20, 1e300, -1e-300, 0.1, math.NaN(), math.Inf(1), math.Inf(-1)}))
	list := rapid.Custom(func(t *rapid.T) values {
		if rapid.Bool().Draw(t, "nil") {
			return nil
		}
		return rapid.SliceOfN(number, 0, 4).Draw(t, "values")
	})
	finite := rapid.SliceOfN(rapid.Float64(), 0, 3)
	text := rapid.StringOf(rapid.SampledFrom([]rune("ab\"\\[]{},:\n\u007f\u009b\u2028é位")))
	head := rapid.Custom(func(t *rapid.T) leaf {
		l := leaf{Head: text.Draw(t, "head"), Score: list.Draw(t, "score"), Lo: list.Draw(t, "lo"), hidden: 1}
		if rapid.Bool().Draw(t, "why") {
			l.Why = map[string]string{text.Draw(t, "key"): text.Draw(t, "reason"), "b": "c"}
		}
		return l
	})
	rapid.Check(t, func(t *rapid.T) {
		heads := rapid.SliceOfN(head, 0, 3)
		r := &result{
			origin: origin{text.Draw(t, "label"), text.Draw(t, "arch")}, Plain: finite.Draw(t, "plain"), Heads: heads.Draw(t, "heads"),
			Rows: rapid.SliceOfN(rapid.SliceOfN(rapid.Int(), 0, 3), 0, 3).Draw(t, "rows"), Words: []word{"a", "b"}[:rapid.IntRange(0, 2).Draw(t, "words")],
			Flag: rapid.Bool().Draw(t, "flag"), NoTag: 7,
		}
		for _, l := range heads.Draw(t, "pointers") {
			r.Pointers = append(r.Pointers, &l)
			if rapid.Bool().Draw(t, "and none") {
				r.Pointers = append(r.Pointers, nil)
			}
			r.Any = append(r.Any, l, &l)
		}
		if rapid.Bool().Draw(t, "mixed") {
			r.Any = append(r.Any, 1, "x", nil, []int{1}, &viewed{Name: "v"}, map[string]int{"k": 1}, word("w"))
		}
		if rapid.Bool().Draw(t, "scores") {
			r.Scores = &square{rapid.SliceOfN(rapid.Map(list, func(v values) values { return append(values{}, v...) }), 0, 3).Draw(t, "rows of scores")}
			w := word("<&>")
			r.Word = &w
			r.View = &viewed{"name", list.Draw(t, "of view"), 3}
		}
		results := []any{r, *r, r.View, r.Heads, r.Scores}[:rapid.IntRange(0, 5).Draw(t, "results")]
		var b strings.Builder
		if err := WriteJSON(&b, "x", results); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(atOnce(t, results), b.String()); d != "" {
			t.Fatal(d)
		}
	})
}

// What encoding/json settles by a rule of its own is left to it.
func TestWriteJSONOddStructs(t *testing.T) {
	type inner struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	type twice struct {
		inner
		A int `json:"a"`
	}
	type quoted struct {
		N int `json:"n,string"`
	}
	type number int
	type embedded struct {
		number
		N int `json:"n"`
	}
	results := []any{twice{inner{1, 2}, 3}, quoted{1}, embedded{1, 2}, &twice{}, struct{ *inner }{}, struct{ *inner }{&inner{1, 2}}}
	var b strings.Builder
	if err := WriteJSON(&b, "x", results); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(atOnce(t, results), b.String()); d != "" {
		t.Error(d)
	}
}

// Four million numbers are written without memory for them.
func TestWriteJSONMemory(t *testing.T) {
	row := make(values, 2000)
	for i := range row {
		row[i] = float64(i) / 7
	}
	all := &square{make([]values, 1000)}
	for i := range all.rows {
		all.rows[i] = row
	}
	heads := make([]leaf, 1000)
	for i := range heads {
		heads[i].Score = row
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := WriteJSON(io.Discard, "x", []any{&result{Scores: all, Heads: heads}}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
		t.Errorf("%d bytes for %d numbers", used, 2000*2000)
	}
}
