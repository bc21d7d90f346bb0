package posemb

import (
	"fmt"
	"testing"
)

// Vectors of heads stand side by side: [heads, K, d], the last row offset 0.
func TestOffsetsOfHeads(t *testing.T) {
	const heads, n, d = 3, 4, 2
	for name, want := range map[string]string{"key_relative_embeddings": "[{offset -3 0 none}]", "value_relative_embeddings": "[{offset -3 0 none}]"} {
		v := mustLoad(t, (&memory{}).with("layer_0/self_attention/"+name, heads, n, d), ReadOptions{}).(*Vectors)
		if got := fmt.Sprint(v.Axes, v.Heads, v.Width()); got != want+" [0 1 2] 2" || !told(v.Notes, "3 x 4 x 2 is read as heads x offsets x width") {
			t.Fatalf("%s, notes %q", got, v.Notes)
		}
		for i := range n {
			if v.Stored[0].At[i] != i {
				t.Errorf("row %d is stored as %d", i, v.Stored[0].At[i])
			}
			for h := range heads {
				for k := range d {
					if got, want := v.Table.At(i, h*d+k), float64((h*n+i)*d+k+1); got != want {
						t.Errorf("offset %d, head %d, component %d: %v, want %v", i-n+1, h, k, got, want)
					}
				}
			}
		}
	}
	// VITS' of several heads, and each head's own score.
	v := mustLoad(t, (&memory{}).with("a.emb_rel_k", 2, 3, 2), ReadOptions{}).(*Vectors)
	b, err := v.Score([]float64{1, 0}, ScoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		for h := range 2 {
			if got, want := b.Scores.At(i, h), float64((h*3+i)*2+1); got != want {
				t.Errorf("offset %d of head %d: %v, want %v", i-1, h, got, want)
			}
		}
	}
	for _, shape := range [][]int{{0, 4, 2}, {3, 0, 2}, {3, 4, 0}} {
		_, err := loadOnly(t, (&memory{}).with("key_relative_embeddings", shape...), ReadOptions{})
		wantFault(t, err, NotATable, "no numbers")
	}
	_, err = loadOnly(t, (&memory{}).with("key_relative_embeddings", 2, 3, 4, 5), ReadOptions{})
	wantFault(t, err, NotATable, "4 dimensions")
}

// The other sign turns each family's offsets round, those of an uneven span too.
func TestSignTurnsSpans(t *testing.T) {
	for _, c := range []struct {
		name     string
		n        int
		keyQuery string
		queryKey string
	}{
		{"self_attn.distance_embedding.weight", 73, "[{offset -64 8 clipped}]", "[{offset -8 64 clipped}]"},
		{"key_relative_embeddings", 6, "[{offset -5 0 none}]", "[{offset 0 5 none}]"},
		{"embed_positions.pe_k.weight", 6, "[{offset -3 2 clipped}]", "[{offset -2 3 clipped}]"},
		{"v1.rel_embeddings.weight", 6, "[{offset -2 2 none}]", "[{offset -2 2 none}]"},
		{"distance_embedding.weight", 5, "[{offset -2 2 none}]", "[{offset -2 2 none}]"},
		{"emb_rel_k", 5, "[{offset -2 2 zero}]", "[{offset -2 2 zero}]"},
		{"v2.rel_embeddings.weight", 512, "[{offset -511 511 none}]", "[{offset -511 511 none}]"},
		{"a.rel_pos_h", 5, "[{dy -2 2 none}]", "[{dy -2 2 none}]"},
	} {
		m := (&memory{}).with(c.name, c.n, 2)
		a := mustLoad(t, m, ReadOptions{Sign: KeyQuery}).(*Vectors)
		b := mustLoad(t, m, ReadOptions{Sign: QueryKey}).(*Vectors)
		if got := fmt.Sprint(a.Axes); got != c.keyQuery {
			t.Errorf("%s by key - query: %s, want %s", c.name, got, c.keyQuery)
		}
		if got := fmt.Sprint(b.Axes); got != c.queryKey {
			t.Errorf("%s by query - key: %s, want %s", c.name, got, c.queryKey)
		}
		n, _ := a.Table.Dims()
		for i := range n {
			if a.Table.At(i, 1) != b.Table.At(n-1-i, 1) || a.Stored[0].At[i] != b.Stored[0].At[n-1-i] {
				t.Errorf("%s: row %d is not turned", c.name, i)
			}
			if got, want := a.Table.At(i, 0), float64(2*a.Stored[0].At[i]+1); got != want {
				t.Errorf("%s: row %d has %v, but is stored as %d", c.name, i, got, a.Stored[0].At[i])
			}
		}
	}
	// Looking back only becomes looking ahead only.
	m := (&memory{}).with("decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, 1)
	b := mustLoad(t, m, ReadOptions{Sign: QueryKey}).(*Bias)
	if x := b.Axes[0]; x.Min != 0 || x.Max != 128 || b.Scores.At(113, 0) != 32 || b.Scores.At(0, 0) != 1 || b.Scores.At(112, 0) != 31 {
		t.Errorf("%+v", x)
	}
}

// What becomes of offsets outside is told.
func TestBeyondIsTold(t *testing.T) {
	for name, want := range map[string]string{
		"relative_positions_keys": "take the row at their end", "embed_positions.pe_k.weight": "take the row at their end", "emb_rel_v": "get nothing",
	} {
		n := 5
		if name == "embed_positions.pe_k.weight" {
			n = 6
		}
		if v := mustLoad(t, (&memory{}).with(name, n, 2), ReadOptions{}); !told(v.Remarks(), want) {
			t.Errorf("%s: notes %q", name, v.Remarks())
		}
	}
	if v := mustLoad(t, (&memory{}).with("key_relative_embeddings", 5, 2), ReadOptions{}); !told(v.Remarks(), "may as well be both directions") {
		t.Errorf("notes %q", v.Remarks())
	}
}
