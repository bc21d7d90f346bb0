package cli

import "testing"

func TestLabelOfPlace(t *testing.T) {
	for place, want := range map[string]string{
		"x.npy":                                 "x",
		"dir/x.npy.gz":                          "x",
		"x.npy.gzip":                            "x",
		"x.csv.zst":                             "x",
		"x.safetensors.zstd":                    "x",
		"x.gz":                                  "x",
		".gz":                                   ".gz",
		"run.2/":                                "run",
		"models--o--n/snapshots/0123456789abcd": "0123456789abcd",
		"model/":                                "model",
		"lightning.ckpt.pt":                     "lightning.ckpt",
		"uncased/bert_model.ckpt":               "bert_model",
		"uncased/bert_model.ckpt.index":         "bert_model",
		"uncased/bert_model.ckpt.data-00000-of-00001": "bert_model",
		"model.ckpt-900":                          "model.ckpt-900",
		"model.ckpt-900.index":                    "model.ckpt-900",
		"model.ckpt-900.data-00002-of-00010":      "model.ckpt-900",
		"variables/variables.index":               "variables",
		"variables/variables.data-00000-of-00001": "variables",
		"ckpt-3":                 "ckpt-3",
		"ckpt-3.index":           "ckpt-3",
		".index":                 ".index",
		"some.data-set-of-words": "some.data-set-of-words",
		"gen:smooth,n=8":         "smooth",
		"-":                      "stdin",
	} {
		if got := (loaded{op: operand{place: place}}).base(); got != want {
			t.Errorf("%s: %q, want %q", place, got, want)
		}
	}
	if got := (loaded{op: operand{place: "x.npy.gz", label: "mine.gz"}}).base(); got != "mine.gz" {
		t.Errorf("a label that was given became %q", got)
	}
	for label, want := range map[string]string{" ": `" "`, "\ufeff\u200b": `"\ufeff\u200b"`, "\u05d0": "\u05d0", "-": "-", " a ": " a "} {
		if got := (loaded{op: operand{place: "x.npy", label: label}}).base(); got != want {
			t.Errorf("label %q: %q, want %q", label, got, want)
		}
	}
}
