package cli

import (
	"strings"
	"testing"
)

// A page without a file of data links none.
func TestIndexWithoutData(t *testing.T) {
	b := book{pages: []page{
		{Title: "one", Figure: "one.png"},
		{Title: "two", Figure: "two.png", Data: "two.tsv"},
	}}
	var w strings.Builder
	if err := b.index(&w, nil); err != nil {
		t.Fatal(err)
	}
	one, two, _ := strings.Cut(w.String(), "## two")
	if strings.Contains(one, "Data:") || !strings.Contains(two, "Data: [two.tsv](two.tsv)") {
		t.Error(w.String())
	}
}
