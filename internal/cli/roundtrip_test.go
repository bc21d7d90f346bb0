package cli

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
	"poslens/internal/tensor"
)

// TestRoundTrip writes tables in the forms that hold what their rows mean, and
// reads the same tables back.
func TestRoundTrip(t *testing.T) {
	tables := map[string]posemb.Table{
		"DETR's grid": &posemb.Absolute{Origin: posemb.Origin{Arch: "DETR", Tensor: "row_embed.weight"}, Table: counting(35, 4), Stride: 1, Grid: posemb.Grid{Rows: 5, Cols: 7}},
		"a video":     &posemb.Absolute{Table: counting(30, 2), Stride: 1, Grid: posemb.Grid{Rows: 2, Cols: 3}, Frames: 5},
		"a part":      &posemb.Absolute{Table: counting(3, 2), First: 4, Stride: 6},
		"heads' vectors": &posemb.Vectors{Table: counting(5, 6), Heads: []string{"0", "1", "2"}, Unused: []int{0},
			Axes: []posemb.Axis{{Name: "offset", Min: -4, Max: 0, Beyond: posemb.BeyondZero}}},
		"VITS": load(t, "attn.emb_rel_k", 1, 9, 4),
		"Swin": load(t, "layers.0.blocks.0.attn.relative_position_bias_table", 25, 3),
		"T5":   load(t, "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, 2),
		"ViT":  load(t, "vision_model.embeddings.position_embedding.weight", 10, 4),
	}
	if b := tables["T5"].(*posemb.Bias); !b.Steps || b.Arch != "T5" || len(b.Unused) != 1 {
		t.Errorf("T5: steps %v, %q, unused %v", b.Steps, b.Arch, b.Unused)
	}
	if a := tables["ViT"].(*posemb.Absolute); a.Grid.Rows != 3 || a.Reserved != 1 {
		t.Errorf("ViT: %v behind %d", a.Grid, a.Reserved)
	}
	for _, g := range posemb.Generators {
		values := map[string]string{}
		for _, p := range g.Params {
			if small, ok := map[string]string{"n": "12", "d": "8", "reach": "6", "heads": "3", "rows": "2", "cols": "5"}[p.Name]; ok {
				values[p.Name] = small
			}
		}
		table, err := posemb.Generate(g.Name, values)
		if err != nil {
			t.Fatal(err)
		}
		tables["gen:"+g.Name] = table
	}
	for name, table := range tables {
		for _, form := range []string{"safetensors", "json"} {
			var file bytes.Buffer
			a := &app{}
			if err := a.render(&file, form, &outputFlags{}, tableProduct("export", loaded{table: table}, &outputFlags{}), screen{}); err != nil {
				t.Fatalf("%s: %s: %v", name, form, err)
			}
			f, err := checkpoint.OpenStream(t.Context(), &file, checkpoint.Limits{})
			if err != nil {
				t.Fatalf("%s: %s: %v", name, form, err)
			}
			if diff := cmp.Diff(table, loadOnly(t, f), sameTable...); diff != "" {
				t.Errorf("%s: %s (-written +read)\n%s", name, form, diff)
			}
			f.Close()
		}
	}
}

// TestReread takes a generated table as it is, and with an option all of it that
// the option does not touch.
func TestReread(t *testing.T) {
	bias, err := generateSpec("t5,heads=3,max=20")
	if err != nil {
		t.Fatal(err)
	}
	same, err := reread(t.Context(), bias, posemb.ReadOptions{Relative: true})
	if err != nil || same != bias {
		t.Errorf("without options: another table, %v", err)
	}
	turned, err := reread(t.Context(), bias, posemb.ReadOptions{Sign: posemb.QueryKey})
	if err != nil {
		t.Fatal(err)
	}
	b := turned.(*posemb.Bias)
	if diff := cmp.Diff(bias, turned, sameTable...); diff != "" || b.Stored != nil || len(b.Notes) != 2 || b.Notes[0] != bias.Remarks()[0] {
		t.Errorf("turned, which changes nothing here (-made +read)\n%s\n%q", diff, b.Notes)
	}
	grid, err := generateSpec("sinusoid-2d,rows=2,cols=6,d=8")
	if err != nil {
		t.Fatal(err)
	}
	other, err := reread(t.Context(), grid, posemb.ReadOptions{Grid: &posemb.Grid{Rows: 4, Cols: 3}})
	if err != nil || other.(*posemb.Absolute).Grid != (posemb.Grid{Rows: 4, Cols: 3}) || other.Storage() != nil {
		t.Errorf("another grid: %+v, %v", other, err)
	}
	part, err := reread(t.Context(), grid, posemb.ReadOptions{Stride: 5})
	if a, ok := part.(*posemb.Absolute); err != nil || !ok || a.Grid != (posemb.Grid{}) || cmp.Diff(a.Positions(), []int{0, 5, 10}) != "" {
		t.Errorf("every fifth: %+v, %v", part, err)
	}
}

// TestSaidTogether says of several tables what they share once, and the rest of
// each.
func TestSaidTogether(t *testing.T) {
	named := func(names ...string) (all []*tensor.Tensor) {
		for _, n := range names {
			all = append(all, &tensor.Tensor{Info: tensor.Info{Name: n}})
		}
		return all
	}
	got := saidTogether(named("a", "b"), []map[string]string{
		{"poslens.kind": "bias", "poslens.heads": `["0"]`, "poslens.steps": "true"},
		{"poslens.kind": "bias", "poslens.heads": `["0","1"]`},
	})
	want := map[string]string{"poslens.kind": "bias", "poslens.heads:a": `["0"]`, "poslens.heads:b": `["0","1"]`, "poslens.steps:a": "true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// counting holds 0.5, 1.5, 2.5, ...
func counting(n, d int) *mat.Dense {
	data := make([]float64, n*d)
	for i := range data {
		data[i] = float64(i) + 0.5
	}
	return mat.NewDense(n, d, data)
}

// load reads the only table of a model that holds one tensor.
func load(t *testing.T, name string, shape ...int) posemb.Table {
	t.Helper()
	size := 1
	for _, s := range shape {
		size *= s
	}
	info := tensor.Info{Name: name, DType: tensor.F64, Shape: shape}
	return loadOnly(t, &inMemory{tensor: tensor.Tensor{Info: info, Data: counting(1, size).RawMatrix().Data}})
}

// loadOnly reads a source's only table.
func loadOnly(t *testing.T, src posemb.Source) posemb.Table {
	t.Helper()
	found, err := posemb.Choose(src, posemb.Choice{}, posemb.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := posemb.Load(t.Context(), src, found[0], posemb.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// sameTable compares what tables mean: not where they come from, nor what was
// told and left out on the way.
var sameTable = []cmp.Option{
	cmp.Comparer(func(a, b *mat.Dense) bool { return mat.Equal(a, b) }),
	cmp.FilterPath(func(p cmp.Path) bool {
		switch p.Last().String() {
		case ".Label", ".Tensor", ".Notes", ".Stored", ".Reserved", ".Suffix", ".Aside":
			return true
		}
		return false
	}, cmp.Ignore()),
}
