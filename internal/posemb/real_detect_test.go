package posemb_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"poslens/internal/posemb"
)

// The tables of each real file, and nothing else.
func TestRealFilesDetected(t *testing.T) {
	dir := filepath.Join(data(t), "real")
	for file, want := range map[string]struct {
		count  int
		suffix string
		arch   string
	}{
		"whisper-tiny-en/decoder.positional_embedding.npy": {0, "", ""},
		"sasrec/sasrec-e601.pth":                           {1, "pos_emb.weight", "SASRec"},
		"sasrec/sasrec-e720.pth":                           {1, "pos_emb.weight", "SASRec"},
		"vit-mnist/vit_mnist_gpu.pt":                       {1, "pos_embedding", "ViT"},
		"gpt-by-hand/ckpt.pt":                              {1, "model.transformer.wpe.weight", "GPT-2"},
		"reverse/reverse_model.safetensors":                {0, "", ""},
		"retsim/model.safetensors":                         {2, ".positional_encoding.a", "RETSim"},
		"imdtn/team09_imdtn.pth":                           {6, ".attn.relative_position_bias_table", "Swin"},
		"ngswin/NGswin_x2.pth":                             {40, ".relative_position_bias_table", "Swin"},
		"tiny-gpt2-onnx/fp32.onnx":                         {1, "transformer.wpe.weight", "GPT-2"},
		"tiny-gpt2-onnx/fp16.onnx":                         {1, "transformer.wpe.weight", "GPT-2"},
		"bert-tf/bert_model.ckpt.index":                    {1, "bert/embeddings/position_embeddings", "BERT"},
		"gpt2-tf/model.ckpt.index":                         {1, "model/wpe", "GPT-2"},
		"t5x-tiny/checkpoint_0.msgpack":                    {2, "/relpos_bias/rel_embedding", "T5X"},
	} {
		t.Run(file, func(t *testing.T) {
			f, err := open(t, dir, file)
			if err != nil {
				t.Fatal(err)
			}
			found := posemb.Detect(f)
			if len(found) != want.count {
				t.Errorf("%d tables, want %d", len(found), want.count)
			}
			for i, m := range found {
				if !strings.HasSuffix(m.Info.Name, want.suffix) || m.Arch != want.arch {
					t.Errorf("%s (%s)", m.Info.Name, m.Arch)
				}
				if i > 0 && found[i-1].Info.Name >= m.Info.Name {
					t.Errorf("%s is out of order", m.Info.Name)
				}
			}
			_, err = one(f, "")
			var e *posemb.Error
			switch {
			case want.count > 1 && (!errors.As(err, &e) || e.Kind != posemb.Ambiguous):
				t.Errorf("the only table: %v", err)
			case want.count == 1 && err != nil:
				t.Error(err)
			}
		})
	}
}

// A table whose name says nothing is among those that the error names.
func TestRealClosest(t *testing.T) {
	f, err := open(t, filepath.Join(data(t), "real"), "reverse/reverse_model.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	_, err = one(f, "")
	var e *posemb.Error
	if !errors.As(err, &e) || e.Kind != posemb.NotFound || !strings.Contains(e.Msg, "closest by shape:\n  p.w: 16 x 192") {
		t.Errorf("%v", err)
	}
}
