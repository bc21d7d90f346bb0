package cli

import (
	"slices"
	"testing"
)

func TestParseOperand(t *testing.T) {
	files := []string{"model.pt", "epoch=3-step=10.ckpt", "we#ird.pt", "a#b#c.npy", "=x.npy", "dir/m.pt", "x=y.npy"}
	exists := func(s string) bool {
		return s == "-" || s == "gen:smooth,n=8" || slices.Contains(files, s)
	}
	for _, c := range []struct {
		raw, label, place, tensor string
	}{
		{"model.pt", "", "model.pt", ""},
		{"model.pt#wpe.weight", "", "model.pt", "wpe.weight"},
		{"mine=model.pt#wpe.weight", "mine", "model.pt", "wpe.weight"},
		{"epoch=3-step=10.ckpt", "", "epoch=3-step=10.ckpt", ""},
		{"epoch=3-step=10.ckpt#a", "", "epoch=3-step=10.ckpt", "a"},
		{"l=epoch=3-step=10.ckpt#a", "l", "epoch=3-step=10.ckpt", "a"},
		{"we#ird.pt", "", "we#ird.pt", ""},
		{"we#ird.pt#a#b", "", "we#ird.pt", "a#b"},
		{"a#b#c.npy", "", "a#b#c.npy", ""},
		{"x=y.npy", "", "x=y.npy", ""}, // exists whole, so x is no label
		{"=x.npy", "", "=x.npy", ""},
		{"-", "", "-", ""},
		{"-#a", "", "-", "a"},
		{"in=-", "in", "-", ""},
		{"gen:smooth,n=8", "", "gen:smooth,n=8", ""},
		{"ref=gen:smooth,n=8", "ref", "gen:smooth,n=8", ""},
		{"dir/m.pt#x", "", "dir/m.pt", "x"},
		{"dir/x=gone.pt", "", "dir/x=gone.pt", ""}, // a label holds no slash
		{"gone.pt", "", "gone.pt", ""},
		{"gone.pt#a#b", "", "gone.pt", "a#b"},
		{"l=gone.pt#a", "l", "gone.pt", "a"},
		{"", "", "", ""},
		{"#", "", "", ""},
	} {
		got := parseOperand(c.raw, exists)
		want := operand{c.raw, c.label, c.place, c.tensor}
		if got != want {
			t.Errorf("%q: got %+v, want %+v", c.raw, got, want)
		}
	}
}

func TestDistinctParts(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"a.blocks.0.t", "a.blocks.1.t"}, []string{"blocks.0", "blocks.1"}},
		{[]string{"L1.x.y.blocks.0.t", "L2.x.y.blocks.1.t"}, []string{"L1..blocks.0", "L2..blocks.1"}},
		{[]string{"enc/0/w", "dec/0/w"}, []string{"enc", "dec"}},
		{[]string{"a.b", "a.b.c"}, []string{"a.b", "a.b.c"}},
		{[]string{"same", "same"}, []string{"", ""}},
		{[]string{""}, []string{""}},
	} {
		if got := distinctParts(c.names); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.names, got, c.want)
		}
	}
}
