package analysis

import (
	"encoding/json"
	"math"
	"testing"

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

// Finite numbers are written as encoding/json writes them, digit for digit.
func TestValuesAreJSONs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOf(rapid.Float64()).Draw(t, "v")
		got, err := json.Marshal(Values(v))
		if err != nil {
			t.Fatal(err)
		}
		if want, err := json.Marshal(v); err != nil || string(got) != string(want) && len(v) > 0 {
			t.Fatalf("%s, but encoding/json writes %s (%v)", got, want, err)
		}
		for _, x := range v {
			got, err := json.Marshal(Value(x))
			if want, werr := json.Marshal(x); err != nil || werr != nil || string(got) != string(want) {
				t.Fatalf("%s, but encoding/json writes %s (%v, %v)", got, want, err, werr)
			}
		}
	})
}
