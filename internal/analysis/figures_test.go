package analysis

import (
	"encoding/json"
	"slices"
	"testing"
)

// Every figure told of is in the result, and every number of the result is told
// of.
func TestFiguresAreInResults(t *testing.T) {
	for of, result := range map[string]any{"decay": DecaySummary{}, "profile": HeadProfile{}} {
		b, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		delete(got, "head")
		delete(got, "score")
		names := figuresOf(of)
		for _, name := range names {
			if _, ok := got[name]; !ok {
				t.Errorf("%s has no %s", of, name)
			}
		}
		for name := range got {
			if !slices.Contains(names, name) {
				t.Errorf("%s of %s is not told of", name, of)
			}
		}
	}
}
