package analysis

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestValuesJSON(t *testing.T) {
	got, err := json.Marshal(struct {
		V Value
		S Values
		N Values
		E Values `json:",omitempty"`
	}{Value(math.NaN()), Values{1, math.NaN(), math.Inf(1), math.Inf(-1), 1e-9, -0.1, 1e300}, nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"V":null,"S":[1,null,null,null,1e-9,-0.1,1e+300],"N":null}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What is written reads back as the same numbers, and as encoding/json's.
func TestValuesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Values(rapid.SliceOf(rapid.Float64()).Draw(t, "v"))
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := json.Marshal([]float64(v))
		if err != nil || string(plain) != string(b) && len(v) > 0 {
			t.Fatalf("%s, but encoding/json writes %s (%v)", b, plain, err)
		}
		var back Values
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(v, back, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
	var back Values
	if err := json.Unmarshal([]byte("[1,null]"), &back); err != nil || back[0] != 1 || !math.IsNaN(back[1]) {
		t.Errorf("null reads as %v, %v", back, err)
	}
}
