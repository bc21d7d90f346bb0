package posemb_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"poslens/internal/posemb"
)

// Tables that others have trained are not said to be at their initialisation, and
// one that nobody trained is.
func TestRealInitial(t *testing.T) {
	dir := filepath.Join(data(t), "real")
	for _, c := range []struct {
		file, tensor string
		want         bool
	}{
		{"whisper-tiny-en/decoder.positional_embedding.npy", "", false},
		{"sasrec/sasrec-e601.pth", "", false},
		{"sasrec/sasrec-e720.pth", "", false},
		{"vit-mnist/vit_mnist_gpu.pt", "", false},
		{"gpt-by-hand/ckpt.pt", "", false},
		{"reverse/reverse_model.safetensors", "p.w", false},
		{"imdtn/team09_imdtn.pth", "*.relative_position_bias_table", false},
		{"ngswin/NGswin_x2.pth", "*.relative_position_bias_table", false},
		{"tiny-gpt2-onnx/fp32.onnx", "", true},
		{"tiny-gpt2-onnx/fp16.onnx", "", true},
	} {
		t.Run(c.file, func(t *testing.T) {
			f, err := open(t, dir, c.file)
			if err != nil {
				t.Fatal(err)
			}
			found, err := posemb.Choose(f, posemb.Choice{Name: c.tensor}, posemb.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range found {
				table, err := posemb.Load(t.Context(), f, m, posemb.ReadOptions{})
				if err != nil {
					t.Fatal(err)
				}
				said := slices.ContainsFunc(table.Remarks(), func(s string) bool { return strings.Contains(s, "no row shows training") })
				if said != c.want {
					t.Errorf("%s: %q", m.Info.Name, table.Remarks())
				}
			}
		})
	}
}
