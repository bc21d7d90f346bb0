package analysis_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"poslens/internal/analysis"
	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
)

// codesOf are a table's findings, an E before an error.
func codesOf(r *analysis.CheckResult) string {
	var all []string
	for _, f := range r.Findings {
		s := f.Code
		if f.Level == analysis.LevelError {
			s = "E " + s
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

// Trained tables have no error; random ones (tiny-gpt2-onnx, gpt2-tf, t5x-tiny) are
// told to be random.
func TestCheckRealTables(t *testing.T) {
	dir := realData(t)
	for _, c := range []struct{ file, tensor, want string }{
		{"whisper-tiny-en/decoder.positional_embedding.npy", "", "noise-floor, norm-outliers"},
		{"sasrec/sasrec-e601.pth", "", "noise-floor, norm-outliers"},
		{"sasrec/sasrec-e720.pth", "", "noise-floor, norm-outliers"},
		{"vit-mnist/vit_mnist_gpu.pt", "", "noise-floor"},
		{"reverse/reverse_model.safetensors", "p.w", "noise-floor"},
		{"gpt-by-hand/ckpt.pt", "", "noise-floor"},
		{"tiny-gpt2-onnx/fp32.onnx", "", "E initial-table"},
		{"tiny-gpt2-onnx/fp16.onnx", "", "E initial-table"},
		{"bert-tf/bert_model.ckpt.index", "", ""},
		{"gpt2-tf/model.ckpt.index", "", "E initial-table"},
		{"retsim/model.safetensors", "", ""},
		{"t5x-tiny/checkpoint_0.msgpack", "", "initial-scores"},
		{"imdtn/team09_imdtn.pth", "", ""},
		{"ngswin/NGswin_x2.pth", "", ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			folder, name := filepath.Split(filepath.Join(dir, filepath.FromSlash(c.file)))
			f, err := checkpoint.Open(t.Context(), os.DirFS(folder), name, checkpoint.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			found, err := posemb.Choose(f, posemb.Choice{Name: c.tensor, Many: true}, posemb.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range found {
				table, err := posemb.Load(t.Context(), f, m, posemb.ReadOptions{})
				if err != nil {
					t.Fatal(err)
				}
				r, err := analysis.Check(t.Context(), table, analysis.CheckOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if got := codesOf(r); got != c.want {
					t.Errorf("%s: %q, want %q: %+v", m.Name(), got, c.want, r.Findings)
				}
			}
		})
	}
}

// Whisper's rows 0 and 224 stand out by their lengths.
func TestCheckWhisper(t *testing.T) {
	f := open(t, realData(t), "whisper-tiny-en/decoder.positional_embedding.npy")
	r, err := analysis.Check(t.Context(), load(t, f, "", posemb.ReadOptions{}), analysis.CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range r.Findings {
		if finding.Code != analysis.CodeNorms {
			continue
		}
		for _, row := range []int{0, 224} {
			if !slices.ContainsFunc(finding.Rows, func(s analysis.Span) bool { return s.From <= row && row <= s.To }) {
				t.Errorf("row %d is not among %v", row, finding.Rows)
			}
		}
		t.Log(finding.Text)
	}
}
