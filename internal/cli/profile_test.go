package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
	"poslens/internal/tensor"
)

// testApp is an app whose messages go to stderr.
func testApp(stderr *bytes.Buffer) *app {
	return &app{env: Env{Err: stderr, Getenv: func(string) string { return "" }}, out: &stdout{w: &bytes.Buffer{}}}
}

// layersOf are two layers of one tensor, and a table of another file.
func layersOf() []loaded {
	layer := func(i int) loaded {
		info := tensor.Info{Name: "r_emb", DType: tensor.F32, Shape: []int{4, 3, 2, 2}}
		m := posemb.Match{Arch: "Transformer-XL", Kind: posemb.KindVectors, Parts: []string{"r_emb", "", "r_bias"}, Info: info, Layer: i, Item: i}
		v := &posemb.Vectors{
			Origin: posemb.Origin{Tensor: m.Name()},
			Axes:   []posemb.Axis{{Name: "offset", Min: -2, Max: 0, Beyond: posemb.BeyondClipped}},
			Heads:  []string{"0", "1"},
			Table:  mat.NewDense(3, 4, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, float64(i)}),
			Unused: []int{1},
		}
		return loaded{operand{raw: "xl.pt", place: "xl.pt"}, v, info, m}
	}
	other := &posemb.Bias{Axes: []posemb.Axis{{Name: "dx", Min: -1, Max: 1}}, Heads: []string{"0"}, Scores: mat.NewDense(3, 1, []float64{1, 2, 3})}
	return []loaded{layer(0), layer(3), {op: operand{raw: "b.pt", place: "b.pt"}, table: other}}
}

// Layers of one tensor are told apart by its index; of several sources every name has
// its source in front.
func TestLegend(t *testing.T) {
	all := layersOf()
	(&app{}).label(all)
	var of []posemb.Origin
	for _, l := range all {
		of = append(of, *l.table.From())
	}
	if d := cmp.Diff([]string{"xl#r_emb[0]", "xl#r_emb[3]", "b"}, []string{of[0].Label, of[1].Label, of[2].Label}); d != "" {
		t.Error(d)
	}
	title, names := legend(of)
	if d := cmp.Diff([]string{"xl, r_emb[0]", "xl, r_emb[3]", "b"}, names); d != "" || title != "" {
		t.Errorf("%q %s", title, d)
	}
	title, names = legend(of[:2])
	if d := cmp.Diff([]string{"r_emb[0]", "r_emb[3]"}, names); d != "" || title != "xl" {
		t.Errorf("%q %s", title, d)
	}
	if title, names = legend(of[1:2]); title != "xl#r_emb[3]" || names[0] != "" {
		t.Errorf("%q %q", title, names)
	}
	two := []posemb.Origin{{Label: "a#e.layers.0.t", Tensor: "e.layers.0.t"}, {Label: "a#e.layers.1.t", Tensor: "e.layers.1.t"}, {Label: "b#t", Tensor: "t"}, {Label: "b#u", Tensor: "u"}}
	if _, names = legend(two); !cmp.Equal(names, []string{"a, layers.0", "a, layers.1", "b, t", "b, u"}) {
		t.Errorf("%q", names)
	}
}

// ls tells the layer, the other tensors, the unused rows and the axes.
func TestDescribe(t *testing.T) {
	all := layersOf()
	b, err := json.Marshal(describe(all[1]))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"tensor":"r_emb[3]"`, `"layer":3`, `"parts":["r_bias"]`, `"unused":[1]`, `"width":2`, `"heads":2`, `"axes":[{"name":"offset","min":-2,"max":0,"beyond":"clipped"}]`, `"frames":null`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s lacks %s", b, want)
		}
	}
	made := madeHere(operand{place: "gen:x"}, all[2].table)
	b, err = json.Marshal(describe(made))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"tensor":""`, `"layer":null`, `"parts":[]`, `"unused":[]`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s lacks %s", b, want)
		}
	}
	film := &posemb.Absolute{Table: mat.NewDense(12, 1, nil), Grid: posemb.Grid{Rows: 2, Cols: 2}, Frames: 3}
	f := describe(loaded{table: film, match: posemb.Match{Layer: -1}})
	if f.gridText() != "3x2x2" || *f.Frames != 3 || !cmp.Equal(f.more(), []string{"3 frames"}) {
		t.Errorf("%v, %v", f.gridText(), f.more())
	}
	f = found{Unused: []int{0, 2, 4, 6, 8, 9}, unit: "bucket"}
	if !cmp.Equal(f.more(), []string{"buckets 0, 2, 4, 6 and 2 more unused"}) {
		t.Errorf("%q", f.more())
	}
}

// Where each head has vectors of its own, every query gives a line a head.
func TestProfileOfHeads(t *testing.T) {
	v := layersOf()[1].table
	for _, c := range []struct {
		how   profileFlags
		heads []string
		note  string
	}{
		{profileFlags{query: "ones"}, []string{"0", "1"}, "query of ones"},
		{profileFlags{query: "uniform", scale: true}, []string{"0", "1"}, "1/sqrt(width)"},
		{profileFlags{query: gaussian, samples: 9, seed: 3}, []string{"0", "1"}, "seed 3"},
		{profileFlags{query: gaussian, samples: 9, heads: []int{1}}, []string{"1"}, "seed 0"},
		{profileFlags{query: "ones", heads: []int{1}, mean: true}, []string{"mean"}, "mean over 1 head"},
		{profileFlags{query: gaussian, samples: 9, mean: true}, []string{"mean"}, "over 2 heads"},
	} {
		p, err := testApp(&bytes.Buffer{}).profileOf(context.Background(), v, &c.how)
		if err != nil {
			t.Fatal(err)
		}
		var heads []string
		for _, h := range p.Heads {
			heads = append(heads, h.Head)
		}
		if !cmp.Equal(heads, c.heads) || !strings.Contains(strings.Join(p.Notes, "\n"), c.note) {
			t.Errorf("%+v: heads %v, notes %q", c.how, heads, p.Notes)
		}
		if c.how.query == "ones" && !c.how.mean && (p.Heads[0].Score[0] != 3 || p.Heads[1].Score[2] != 14) {
			t.Errorf("scores %v and %v", p.Heads[0].Score, p.Heads[1].Score)
		}
	}
	how := decayFlags{query: "ones", heads: []int{0}}
	c, err := testApp(&bytes.Buffer{}).decayOf(context.Background(), v, &how, mustDecay(t, how))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]float64{19, 11, 3}, []float64(c.Mean)); d != "" {
		t.Error(d)
	}
}

// A word that a hint shows is one word to a shell.
func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"x.pt": "x.pt", "a=b/x.pt#blocks.0.t": "a=b/x.pt#blocks.0.t", "-": "-", "x.pt#r[3]": "'x.pt#r[3]'",
		"my run.pt": "'my run.pt'", "it's": `'it'\''s'`, "#x": "'#x'", "": "''", "$HOME`id`": "'$HOME`id`'",
	} {
		if got := quoted(word); got != want {
			t.Errorf("%s becomes %s, want %s", word, got, want)
		}
		if out, err := exec.Command("sh", "-c", "printf %s "+quoted(word)).Output(); err == nil && string(out) != word {
			t.Errorf("a shell takes %s as %q", quoted(word), out)
		}
	}
}

func TestParseReading(t *testing.T) {
	for s, want := range map[string][3]int{"14x7": {14, 7, 0}, "8X14x7": {14, 7, 8}, "1x1x1": {1, 1, 1}} {
		g, frames, err := parseGrid(s)
		if err != nil || [3]int{g.Rows, g.Cols, frames} != want {
			t.Errorf("%s: %v, %d, %v", s, g, frames, err)
		}
	}
	for _, s := range []string{"7", "x", "0x3", "3x-1", "1x2x3x4", "2x3x", "99999999999x2", "9223372036854775808x1"} {
		if _, _, err := parseGrid(s); status(err) != statusUsage {
			t.Errorf("%s passes: %v", s, err)
		}
	}
	if axes, err := parseAxes("heads, Buckets"); err != nil || !cmp.Equal(axes, []string{"heads", "buckets"}) {
		t.Errorf("%v, %v", axes, err)
	}
	for s, hint := range map[string]string{"heads,bukets": `did you mean "buckets"?`, "heads,,rows": "for example", "rows,rows": "", "nonsense": "one of frames"} {
		if _, err := parseAxes(s); status(err) != statusUsage || !strings.Contains(hintOf(err), hint) {
			t.Errorf("%s: %v, hint %q", s, err, hintOf(err))
		}
	}
	for s, ok := range map[string]bool{"0,0": true, "3, 4": true, "": true, "3": false, "a,b": false, "-1,0": false, "1,2,3": false} {
		if _, err := parseCell(s); (err == nil) != ok {
			t.Errorf("cell %q: %v", s, err)
		}
	}
}

func mustDecay(t *testing.T, how decayFlags) (opt analysis.DecayOptions) {
	t.Helper()
	how.stats = "full"
	opt, err := how.options()
	if err != nil {
		t.Fatal(err)
	}
	return opt
}
