package cli

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"poslens/internal/checkpoint"
	"poslens/internal/tensor"
)

func TestNameClues(t *testing.T) {
	for name, want := range map[string]stepClues{
		"epoch=3-step=1000":              {"epoch": 3, "step": 1000, "number": 1000},
		"epoch=3-step=1000-v1":           {"epoch": 3, "step": 1000, "number": 1},
		"model.ckpt-900":                 {"step": 900, "number": 900},
		"checkpoint-500":                 {"step": 500, "number": 500},
		"step_000100":                    {"step": 100, "number": 100},
		"global_step1000":                {"step": 1000, "number": 1000},
		"sasrec-e601":                    {"epoch": 601, "number": 601},
		"ckpt_10k":                       {"step": 10000, "number": 10000},
		"step1000-tokens4B":              {"step": 1000, "number": 4},
		"epoch=7-val_loss=0.25":          {"epoch": 7, "number": 7},
		"1.3b-step20":                    {"step": 20, "number": 20},
		"model":                          {},
		"":                               {},
		"base16":                         {"number": 16},
		"Iter-12":                        {"step": 12, "number": 12},
		"99999999999999999999999":        {},
		"step=5-again-step=5":            {"step": 5, "number": 5},
		"näh-3":                          {"number": 3},
		"SASRec.epoch=601.lr=0.001.pth2": {"epoch": 601, "number": 2},
	} {
		got, err := nameClues(name)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", name, got, err, want)
		}
	}
	if _, err := nameClues("step=1-step=2"); err == nil || !strings.Contains(err.Error(), "step may be 1 or 2") {
		t.Errorf("two steps: %v", err)
	}
}

func TestCluesOf(t *testing.T) {
	for _, c := range []struct {
		label, place string
		want         stepClues
	}{
		{"", "run/checkpoint-500/model.safetensors", stepClues{"step": 500, "number": 500}},
		{"", "run/global_step20/mp_rank_00_model_states.pt", stepClues{"step": 20, "number": 0}},
		{"", "checkpoint-500/", stepClues{"step": 500, "number": 500}},
		{"s7", "run/checkpoint-500/model.safetensors", stepClues{"number": 7}},
		{"best", "run/checkpoint-500/model.safetensors", stepClues{"step": 500, "number": 500}},
		{"", "gen:smooth,n=64", stepClues{}},
		{"", "model.ckpt-900.index", stepClues{"step": 900, "number": 900}},
		{"", "epoch=3-step=1000.ckpt.gz", stepClues{"epoch": 3, "step": 1000, "number": 1000}},
	} {
		got, err := cluesOf(operand{label: c.label, place: c.place}, true)
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%+v: %v, %v, want %v", c, got, err, c.want)
		}
	}
}

// Files whose names tell nothing are ordered by their metadata.
func TestMetaSteps(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, meta map[string]string, first float64) string {
		var b bytes.Buffer
		data := []float64{first, 1, 2, 3, 4, 5}
		table := &tensor.Tensor{Info: tensor.Info{Name: "wpe.weight", DType: tensor.F64, Shape: []int{3, 2}}, Data: data}
		if err := checkpoint.WriteSafetensors(&b, []*tensor.Tensor{table}, meta); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	late := file("late.safetensors", map[string]string{"global_step": "1000", "epoch": "1"}, 1)
	early := file("early.safetensors", map[string]string{"step": "90", "epoch": "2"}, 2)
	old := file("old.safetensors", map[string]string{"epoch": "0"}, 3)
	bare := file("bare.safetensors", nil, 4)
	named := file("run-step=7.safetensors", map[string]string{"global_step": "8"}, 5)
	for _, c := range []struct {
		files []string
		code  int
		want  string // of stdout, or of stderr
	}{
		{[]string{late, early}, 0, "early\t90\tnorm_min\t2.23"},
		{[]string{late, named}, 0, "run-step=7\t7\tnorm_min\t"},
		{[]string{late, early, old}, 0, "early\t2\tnorm_min\t"},
		{[]string{late, bare}, 1, "bare.safetensors: no step"},
		{[]string{old, named}, 1, "no unit in common"},
	} {
		var out, stderr bytes.Buffer
		env := Env{Out: &out, Err: &stderr, Getenv: noEnv, Terminal: noTerminal}
		code := Main(t.Context(), append([]string{"compare", "--along", "step", "--only", "norm_min", "-q"}, c.files...), env)
		if code != c.code || !strings.Contains(out.String()+stderr.String(), c.want) {
			t.Errorf("%q: status %d, want %q in\n%s%s", c.files, code, c.want, out.String(), stderr.String())
		}
	}
}
