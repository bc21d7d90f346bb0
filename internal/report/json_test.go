package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWriteJSON(t *testing.T) {
	type decay struct {
		Source   string      `json:"source"`
		Mean     []float64   `json:"mean"`
		Table    [][]float64 `json:"table"`
		None     []int       `json:"none"`
		Null     *float64    `json:"null"`
		Warnings []string    `json:"warnings"`
		Reasons  struct{}    `json:"reasons"`
		Mixed    []any       `json:"mixed"`
	}
	var b strings.Builder
	err := WriteJSON(&b, "decay", []any{decay{
		Source:   "a <b> & \"c\", [1,2]: {x}\\\n\u007f\u009b\u00a0位",
		Mean:     []float64{1, 0.5, 1e-9},
		Table:    [][]float64{{1, 2}, {3, 4}},
		None:     []int{},
		Warnings: []string{"one, two", "three"},
		Mixed:    []any{1, nil, true, "x"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "schema": 1,
  "command": "decay",
  "results": [
    {
      "source": "a <b> & \"c\", [1,2]: {x}\\\n\u007f\u009b` + "\u00a0" + `位",
      "mean": [1, 0.5, 1e-9],
      "table": [
        [1, 2],
        [3, 4]
      ],
      "none": [],
      "null": null,
      "warnings": [
        "one, two",
        "three"
      ],
      "reasons": {},
      "mixed": [
        1,
        null,
        true,
        "x"
      ]
    }
  ]
}
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestWriteJSONEmpty(t *testing.T) {
	for _, results := range [][]any{nil, {}} {
		var b strings.Builder
		if err := WriteJSON(&b, "ls", results); err != nil {
			t.Fatal(err)
		}
		if want := "{\n  \"schema\": 1,\n  \"command\": \"ls\",\n  \"results\": []\n}\n"; b.String() != want {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
}

// TestWriteJSONNaN writes nothing of a result that JSON can't hold.
func TestWriteJSONNaN(t *testing.T) {
	var b strings.Builder
	if err := WriteJSON(&b, "decay", []any{math.NaN()}); err == nil || b.Len() > 0 {
		t.Errorf("error %v and %d bytes, want an error and none", err, b.Len())
	}
}

// TestIndent compares any JSON, compacted again, with what it was before.
func TestIndent(t *testing.T) {
	leaf := rapid.OneOf(
		rapid.Map(rapid.Int(), func(v int) any { return v }),
		rapid.Map(rapid.String(), func(v string) any { return v }),
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), func(v bool) any { return v }),
	)
	value := leaf
	for range 3 {
		inner := value
		value = rapid.OneOf(leaf,
			rapid.Map(rapid.SliceOfN(inner, 0, 4), func(v []any) any { return v }),
			rapid.Map(rapid.MapOfN(rapid.String(), inner, 0, 4), func(v map[string]any) any { return v }),
			rapid.Map(rapid.SliceOfN(rapid.Int(), 0, 4), func(v []int) any { return v }),
		)
	}
	rapid.Check(t, func(t *rapid.T) {
		results := rapid.SliceOfN(value, 0, 4).Draw(t, "results")
		var b bytes.Buffer
		if err := WriteJSON(&b, "x", results); err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatalf("%v in %s", err, b.Bytes())
		}
		plain, err := json.Marshal(map[string]any{"schema": 1, "command": "x", "results": append([]any{}, results...)})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(plain, &want); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

// What failed stands behind the results, and only where something did.
func TestWriteJSONErrors(t *testing.T) {
	for _, c := range []struct {
		failed []Failure
		want   string
	}{
		{nil, "{\n  \"schema\": 1,\n  \"command\": \"ls\",\n  \"results\": [1]\n}\n"},
		{[]Failure{{Source: "a", Error: "a: is no file"}, {Source: "b", Error: "b: corrupt", Hint: "try \"c\""}}, `{
  "schema": 1,
  "command": "ls",
  "results": [1],
  "errors": [
    {
      "source": "a",
      "error": "a: is no file"
    },
    {
      "source": "b",
      "error": "b: corrupt",
      "hint": "try \"c\""
    }
  ]
}
`},
	} {
		var b strings.Builder
		if err := WriteJSON(&b, "ls", []any{1}, c.failed...); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, b.String()); diff != "" {
			t.Error(diff)
		}
	}
}
