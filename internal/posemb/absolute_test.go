package posemb

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"poslens/internal/tensor"
)

// What each architecture's table comes to: names of all frameworks, and the rows
// that are no positions.
func TestAbsoluteTables(t *testing.T) {
	for _, c := range []struct {
		m         *memory
		arch      string
		reserved  int
		positions int
		grid      Grid
		note      string // part of a note; empty: no note at all
	}{
		{(&memory{}).with("bert.embeddings.position_embeddings.weight", 512, 4), "BERT", 0, 512, Grid{}, ""},
		{(&memory{}).with("bert/embeddings/position_embeddings", 512, 4), "BERT", 0, 512, Grid{}, ""},
		{(&memory{}).with("params/bert/embeddings/position_embeddings/embedding", 512, 4), "BERT", 0, 512, Grid{}, ""},
		{(&memory{}).with("bert.embeddings.position_embeddings.weight", 512, 4).zeroRow(0), "BERT", 0, 512, Grid{}, "row 0 is exactly zero, yet it may be a real position"},
		{(&memory{}).with("bert.embeddings.position_embeddings.weight", 512, 4).zeroRow(1), "BERT", 2, 510, Grid{}, "row 1 is exactly zero and taken as padding (2 reserved rows)"},
		{(&memory{}).with("embeddings.position_embeddings.weight", 514, 4).zeroRow(1), "RoBERTa", 2, 512, Grid{}, "row 1 is exactly zero and taken as padding (2 reserved rows)"},
		{(&memory{}).with("embeddings.position_embeddings.weight", 514, 4).zeroRow(3), "RoBERTa", 4, 510, Grid{}, "row 3 is exactly zero and taken as padding (4 reserved rows)"},
		{(&memory{}).with("embeddings.position_embeddings.weight", 514, 4), "RoBERTa", 2, 512, Grid{}, "514 rows are 512 + 2: positions start at row 2"},
		{(&memory{}).with("roberta.embeddings.position_embeddings.weight", 130, 4), "RoBERTa", 2, 128, Grid{}, "130 rows are 128 + 2"},
		{(&memory{}).with("roberta.embeddings.position_embeddings.weight", 100, 4), "RoBERTa", 2, 98, Grid{}, "positions start at row 2 (2 reserved rows, as in RoBERTa)"},
		{(&memory{}).with("embeddings.position_embeddings.weight", 100, 4).saying("model_type", "camembert"), "RoBERTa", 2, 98, Grid{}, "positions start at row 2"},
		{(&memory{}).with("longformer.embeddings.position_embeddings.weight", 4098, 2), "Longformer", 2, 4096, Grid{}, "4098 rows are 4096 + 2"},
		{(&memory{}).with("esm.embeddings.position_embeddings.weight", 1026, 2), "ESM", 2, 1024, Grid{}, "1026 rows are 1024 + 2"},
		{(&memory{}).with("mpnet.embeddings.position_embeddings.weight", 514, 2), "MPNet", 2, 512, Grid{}, "514 rows are 512 + 2"},
		{(&memory{}).with("model.decoder.embed_positions.weight", 2050, 2), "OPT", 2, 2048, Grid{}, "2050 rows are 2048 + 2"},
		{(&memory{}).with("model.decoder.embed_positions.weight", 1026, 2), "BART", 2, 1024, Grid{}, "1026 rows are 1024 + 2"},
		{(&memory{}).with("model.encoder.embed_positions.weight", 128, 2), "Blenderbot", 0, 128, Grid{}, "nothing is reserved: BART's tables have 2 rows more"},
		{(&memory{}).with("decoder.embed_positions.weight", 300, 2).zeroRow(1), "fairseq", 2, 298, Grid{}, "row 1 is exactly zero and taken as padding"},
		{(&memory{}).with("decoder.embed_positions.weight", 300, 2), "fairseq", 0, 300, Grid{}, "--reserved 2"},
		{(&memory{}).with("model.decoder.embed_positions.weight", 448, 2), "Whisper", 0, 448, Grid{}, ""},
		{(&memory{}).with("decoder.positional_embedding", 448, 2), "Whisper", 0, 448, Grid{}, ""},
		{(&memory{}).with("transformer.positions_embed.weight", 512, 2), "GPT-1", 0, 512, Grid{}, ""},
		{(&memory{}).with("_orig_mod.transformer.wpe.weight", 1024, 2), "GPT-2", 0, 1024, Grid{}, ""},
		{(&memory{}).with("model/wpe", 1024, 2), "GPT-2", 0, 1024, Grid{}, ""},
		{(&memory{}).with("transformer.wpe.weight", 1024, 2).saying("model_type", "imagegpt"), "ImageGPT", 0, 1024, Grid{32, 32}, "a 32 x 32 grid"},
		{(&memory{}).with("transformer.wpe.weight", 4096, 2).saying("model_type", "imagegpt"), "ImageGPT", 0, 4096, Grid{64, 64}, "pixels in raster order"},
		{(&memory{}).with("transformer.wpe.weight", 1000, 2).saying("model_type", "imagegpt"), "ImageGPT", 0, 1000, Grid{}, "the other 1000 are no square grid"},
		{(&memory{}).with("perceiver.input_preprocessor.position_embeddings.position_embeddings", 50176, 1), "Perceiver", 0, 50176, Grid{224, 224}, "a 224 x 224 grid, no class token"},
		{(&memory{}).with("perceiver.decoder.output_position_encodings.position_embeddings", 2048, 2), "Perceiver output", 0, 2048, Grid{}, "positions in a line"},
		{(&memory{}).with("perceiver.decoder.decoder.output_position_encodings.position_embeddings", 1, 8), "Perceiver output", 0, 1, Grid{}, "one an output"},
		{(&memory{}).with("perceiver.input_preprocessor.position_embeddings.weight", 2048, 2), "Perceiver text", 0, 2048, Grid{}, ""},
		{(&memory{}).with("embeddings.position_embeddings.weight", 2050, 2).saying("model_type", "perceiver"), "Perceiver text", 0, 2050, Grid{}, ""},
		{(&memory{}).with("prophetnet.encoder.position_embeddings.weight", 512, 4).zeroRow(0).with("prophetnet.encoder.layers.0.self_attn.relative_pos_embeddings.weight", 64, 4), "ProphetNet", 1, 511, Grid{}, "row 0 is exactly zero and taken as padding"},
		{(&memory{}).with("decoder.position_embeddings.weight", 512, 4).zeroRow(1).saying("model_type", "xlm-prophetnet"), "ProphetNet", 2, 510, Grid{}, "row 1 is exactly zero and taken as padding"},
		{(&memory{}).with("position_embeddings.weight", 512, 4).with("layers.0.self_attn.relative_pos_embeddings.weight", 64, 4), "ProphetNet", 0, 512, Grid{}, "makes of the content"},
		{(&memory{}).with("layoutlm.embeddings.x_position_embeddings.weight", 1024, 2), "LayoutLM coordinates", 0, 1024, Grid{}, "coordinates on the page, 0 to 1000"},
		{(&memory{}).with("encoder.sentence_encoder.pos.weight", 513, 2).with("encoder.sentence_encoder.pos_q_linear.weight", 2, 2), "TUPE", 2, 511, Grid{}, "rows 0 and 1 serve [CLS]"},
		{(&memory{}).with("reformer.embeddings.position_embeddings.embedding.weight", 128, 2), "Reformer positions", 0, 128, Grid{}, ""},
		{(&memory{}).with("tapas.embeddings.position_embeddings.weight", 1024, 2), "BERT", 0, 1024, Grid{}, ""},
		{(&memory{}).with("visual_bert.embeddings.position_embeddings.weight", 512, 2), "BERT", 0, 512, Grid{}, ""},
		{(&memory{}).with("splinter.embeddings.position_embeddings.weight", 512, 2), "BERT", 0, 512, Grid{}, ""},
		{(&memory{}).with("layoutlm.embeddings.position_embeddings.weight", 512, 2), "BERT", 0, 512, Grid{}, ""},
		{(&memory{}).with("lxmert.embeddings.position_embeddings.weight", 512, 2).zeroRow(0), "BERT", 0, 512, Grid{}, "LXMERT keeps position 0 there"},
		{(&memory{}).with("layoutlmv3.embeddings.position_embeddings.weight", 514, 2).zeroRow(1), "RoBERTa", 2, 512, Grid{}, "(2 reserved rows)"},
		{(&memory{}).with("markuplm.embeddings.position_embeddings.weight", 514, 2).zeroRow(1), "RoBERTa", 2, 512, Grid{}, "(2 reserved rows)"},
		{(&memory{}).with("roberta.embeddings.position_embeddings.weight", 514, 2).saying("model_type", "xlm-roberta-xl"), "RoBERTa", 2, 512, Grid{}, "514 rows are 512 + 2"},
		{(&memory{}).with("text_model.roberta.embeddings.position_embeddings.weight", 514, 2).zeroRow(1).saying("model_type", "altclip"), "RoBERTa", 2, 512, Grid{}, "(2 reserved rows)"},
		{(&memory{}).with("text_model.embeddings.position_embeddings.weight", 514, 2).zeroRow(1).saying("model_type", "clap"), "RoBERTa", 2, 512, Grid{}, "(2 reserved rows)"},
		{(&memory{}).with("text_model.embeddings.position_embeddings.weight", 514, 2).zeroRow(1).saying("model_type", "bridgetower"), "RoBERTa", 2, 512, Grid{}, "(2 reserved rows)"},
		{(&memory{}).with("roberta.embeddings.position_embeddings.weight", 514, 4).zeroRow(3).saying("model_type", "roberta"), "RoBERTa", 4, 510, Grid{}, "(4 reserved rows)"},
		{(&memory{}).with("encoder.sentence_encoder.embed_positions.weight", 514, 2), "BART", 2, 512, Grid{}, "514 rows are 512 + 2"},
		{(&memory{}).with("encoder.sentence_encoder.embed_positions.weight", 514, 2).zeroRow(1), "BART", 2, 512, Grid{}, "row 1 is exactly zero"},
		{(&memory{}).with("nystromformer.embeddings.position_embeddings.weight", 512, 2), "Nystromformer", 2, 510, Grid{}, "positions start at row 2"},
		{(&memory{}).with("biogpt.embed_positions.weight", 1026, 2), "BART", 2, 1024, Grid{}, "1026 rows are 1024 + 2"},
		{(&memory{}).with("led.encoder.embed_positions.weight", 16384, 1), "Blenderbot", 0, 16384, Grid{}, "nothing is reserved"},
		{(&memory{}).with("timesformer.embeddings.position_embeddings", 1, 197, 2), "ViT", 1, 196, Grid{14, 14}, "14 x 14"},
		{(&memory{}).with("deit.embeddings.position_embeddings", 1, 198, 2), "ViT", 2, 196, Grid{14, 14}, "class and distillation tokens"},
		{(&memory{}).with("embeddings.position_embeddings", 1, 1025, 2), "ViT", 1, 1024, Grid{32, 32}, "class token in row 0, then a 32 x 32 grid"},
		{(&memory{}).with("encoder.pos_embedding", 1, 50, 2), "ViT", 1, 49, Grid{7, 7}, "7 x 7"},
		{(&memory{}).with("vision_model.embeddings.position_embedding", 1, 257, 2), "BLIP", 1, 256, Grid{16, 16}, "16 x 16"},
		{(&memory{}).with("vision_model.embeddings.position_embedding", 1, 1025, 2), "BLIP", 1, 1024, Grid{32, 32}, "32 x 32"},
		{(&memory{}).with("vision_model.embeddings.position_embedding.weight", 196, 2), "SigLIP", 0, 196, Grid{14, 14}, "a 14 x 14 grid, no class token"},
		{(&memory{}).with("vision_model.embeddings.position_embedding.weight", 50, 2), "CLIP vision", 1, 49, Grid{7, 7}, "7 x 7"},
		{(&memory{}).with("pos_embed_spatial", 1, 196, 2), "Hiera space", 0, 196, Grid{14, 14}, "the same in every frame"},
		{(&memory{}).with("v.pos_embed", 1, 578, 2).with("v.dist_token", 1, 1, 2), "AST", 2, 576, Grid{12, 48}, "12 x 48"},
		{(&memory{}).with("v.pos_embed", 1, 578, 2), "ViT", 2, 576, Grid{24, 24}, "24 x 24"},
		{(&memory{}).with("backbone.pos_embed", 1, 297, 2).with("backbone.det_token", 1, 100, 2), "YOLOS", 1, 196, Grid{14, 14}, "then 100 rows that are no positions"},
		{(&memory{}).with("pos_emb", 1, 128, 2), "minGPT", 0, 128, Grid{}, ""},
		{(&memory{}).with("positional_embedding", 77, 2), "CLIP text", 0, 77, Grid{}, ""},
		{(&memory{}).with("text_model.embeddings.position_embedding.weight", 77, 2), "CLIP text", 0, 77, Grid{}, ""},
		{(&memory{}).with("visual.positional_embedding", 50, 2), "CLIP vision", 1, 49, Grid{7, 7}, "class token in row 0, then a 7 x 7 grid"},
		{(&memory{}).with("visual.attnpool.positional_embedding", 50, 2), "CLIP vision", 1, 49, Grid{7, 7}, "class token in row 0, then a 7 x 7 grid"},
		{(&memory{}).with("vision_model.embeddings.position_embedding.weight", 577, 2), "CLIP vision", 1, 576, Grid{24, 24}, "24 x 24"},
		{(&memory{}).with("vision_model.embeddings.position_embedding.weight", 729, 2), "SigLIP", 0, 729, Grid{27, 27}, "a 27 x 27 grid, no class token"},
		{(&memory{}).with("pos_embed", 1, 196, 2), "ViT", 0, 196, Grid{14, 14}, "a 14 x 14 grid, no class token"},
		{(&memory{}).with("pos_embed", 1, 197, 2), "ViT", 1, 196, Grid{14, 14}, "class token in row 0, then a 14 x 14 grid"},
		{(&memory{}).with("pos_embed", 1, 198, 2), "ViT", 2, 196, Grid{14, 14}, "class and distillation tokens in rows 0 and 1"},
		{(&memory{}).with("pos_embed", 1, 1370, 2), "ViT", 1, 1369, Grid{37, 37}, "37 x 37"},
		{(&memory{}).with("pos_embed", 1, 1214, 2), "ViT", 0, 1214, Grid{}, "1214 rows are no square grid"},
		{(&memory{}).with("audio_spectrogram_transformer.embeddings.position_embeddings", 1, 1214, 2), "AST", 2, 1212, Grid{12, 101}, "12 x 101"},
		{(&memory{}).with("vit.embeddings.position_embeddings", 1, 197, 2), "ViT", 1, 196, Grid{14, 14}, "14 x 14"},
		{(&memory{}).with("Transformer/posembed_input/pos_embedding", 1, 197, 2), "ViT", 1, 196, Grid{14, 14}, "14 x 14"},
		{(&memory{}).with("image_encoder.pos_embed", 1, 8, 8, 3), "SAM", 0, 64, Grid{8, 8}, "an 8 x 8 grid of vectors of 3"},
		{(&memory{}).with("image_encoder.pos_embed", 1, 8, 8, 8), "SAM", 0, 64, Grid{8, 8}, "an 8 x 8 grid of vectors of 8"},
		{(&memory{}).with("trunk.pos_embed", 1, 3, 8, 8), "ViT", 0, 64, Grid{8, 8}, "stored width first"},
		{(&memory{}).with("beit3.encoder.embed_positions.A.weight", 199, 2), "BEiT-3", 3, 196, Grid{14, 14}, "14 x 14"},
		{(&memory{}).with("decoder_pos_embed", 1, 197, 2), "MAE decoder", 1, 196, Grid{14, 14}, "14 x 14"},
		{(&memory{}).with("vit.embeddings.position_embeddings", 1, 297, 2).with("vit.embeddings.detection_tokens", 1, 100, 2), "YOLOS", 1, 196, Grid{14, 14}, "then 100 rows that are no positions"},
		{(&memory{}).with("vivit.embeddings.position_embeddings", 1, 3137, 2), "ViViT", 1, 3136, Grid{14, 14}, "class token in row 0, then 16 frames of a 14 x 14 grid, as released"},
		{(&memory{}).with("pos_emb.weight", 201, 2).zeroRow(0).with("item_emb.weight", 300, 2), "SASRec", 1, 200, Grid{}, "row 0 is exactly zero and taken as padding (1 reserved row)"},
		{(&memory{}).with("pos_emb.weight", 200, 2).with("item_emb.weight", 300, 2), "SASRec", 0, 200, Grid{}, ""},
		{(&memory{}).with("abs_pos_K_emb.weight", 200, 2), "SASRec", 0, 200, Grid{}, ""},
		{(&memory{}).with("pos_emb.weight", 200, 2), "learned", 0, 200, Grid{}, ""},
		{(&memory{}).with("pos_embed.W_pos", 64, 2), "TransformerLens", 0, 64, Grid{}, ""},
		{(&memory{}).with("position_embd.weight", 512, 2), "GGUF", 0, 512, Grid{}, ""},
		{(&memory{}).with("v.position_embd.weight", 50, 2), "GGUF vision", 1, 49, Grid{7, 7}, "7 x 7"},
		{(&memory{}).with("pos_encoder.pe", 64, 1, 4), "buffer", 0, 64, Grid{}, ""},
		{(&memory{}).with("pos_embed", 16, 4), "learned", 0, 16, Grid{}, ""},
		{(&memory{}).with("pos_embed", 1, 4), "learned", 0, 1, Grid{}, ""},
	} {
		name := fmt.Sprint(c.m.tensors[0].Name, c.m.tensors[0].Shape)
		found := Detect(c.m)
		if len(found) != 1 || found[0].Arch != c.arch || found[0].Kind != KindAbsolute {
			t.Errorf("%s: detected %+v, want %s", name, found, c.arch)
			continue
		}
		if len(c.m.read) > 0 {
			t.Errorf("%s: Detect read %q", name, c.m.read)
		}
		a := mustLoad(t, c.m, ReadOptions{}).(*Absolute)
		n, d := a.Table.Dims()
		if a.Reserved != c.reserved || n != c.positions || a.Grid != c.grid || a.Stride != 1 {
			t.Errorf("%s: %d reserved, %d positions, grid %v; want %d, %d, %v", name, a.Reserved, n, a.Grid, c.reserved, c.positions, c.grid)
		}
		if c.note == "" && len(a.Notes) > 0 || c.note != "" && !told(a.Notes, c.note) {
			t.Errorf("%s: notes %q, want %q", name, a.Notes, c.note)
		}
		if first := c.m.tensors[0]; !told(a.Notes, "stored width first") {
			for j := range d {
				if got, want := a.Table.At(0, j), first.Data[c.reserved*d+j]; got != want {
					t.Errorf("%s: position 0 is not row %d", name, c.reserved)
					break
				}
			}
		}
	}
}

// Stored rows that are no positions have names.
func TestOtherRows(t *testing.T) {
	for _, c := range []struct {
		m    *memory
		want map[int]string // part of what a stored row is
		none []int          // rows of positions
	}{
		{(&memory{}).with("pos.weight", 513, 2).with("pos_q_linear.weight", 2, 2), map[int]string{0: "from [CLS]", 1: "to [CLS]"}, []int{2, 512}},
		{(&memory{}).with("beit3.encoder.embed_positions.A.weight", 199, 2), map[int]string{0: "never used", 1: "never used", 2: "class token"}, []int{3, 198}},
		{(&memory{}).with("pos_embed", 1, 297, 2).with("det_token", 1, 100, 2), map[int]string{0: "class token", 197: "detection token", 296: "detection token"}, []int{1, 196}},
		{(&memory{}).with("embeddings.position_embeddings.weight", 514, 4).zeroRow(1), map[int]string{0: "before the padding row", 1: "padding, exactly zero"}, []int{2}},
		{(&memory{}).with("model.decoder.embed_positions.weight", 2050, 2), map[int]string{0: "reserved", 1: "reserved"}, []int{2}},
		{(&memory{}).with("pos_embed", 1, 198, 2), map[int]string{0: "class token", 1: "distillation token"}, []int{2}},
	} {
		s := mustLoad(t, c.m, ReadOptions{}).Storage()[0]
		for row, want := range c.want {
			if !strings.Contains(s.Other[row], want) {
				t.Errorf("%s: row %d is %q, want %q", s.Tensor, row, s.Other[row], want)
			}
			if slices.Contains(s.At, row) {
				t.Errorf("%s: row %d is a position", s.Tensor, row)
			}
		}
		for _, row := range c.none {
			if s.Other[row] != "" || !slices.Contains(s.At, row) {
				t.Errorf("%s: row %d is %q", s.Tensor, row, s.Other[row])
			}
		}
	}
}

// YOLOS has tables of its layers in one tensor, each with the rows of the first.
func TestLayersOfYOLOS(t *testing.T) {
	m := (&memory{}).with("vit.encoder.mid_position_embeddings", 3, 1, 110, 2).with("vit.embeddings.detection_tokens", 1, 100, 2)
	found := Detect(m)
	if len(found) != 3 || found[2].Layer != 2 || found[2].Name() != "vit.encoder.mid_position_embeddings[2]" || found[2].Arch != "YOLOS layers" {
		t.Fatalf("%+v", found)
	}
	table, err := Load(t.Context(), m, found[2], ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a := table.(*Absolute)
	if n, d := a.Table.Dims(); n != 9 || d != 2 || a.Grid != (Grid{3, 3}) || a.Suffix != 100 || a.Table.At(0, 0) != 2*110*2+2+1 {
		t.Errorf("%d x %d, grid %v, suffix %d, first number %v", n, d, a.Grid, a.Suffix, a.Table.At(0, 0))
	}
}

// What is beside a table and no table itself is left out; what is one, is listed.
func TestTablesSideBySide(t *testing.T) {
	for _, c := range []struct {
		m    *memory
		want []string // architecture and tensor
	}{
		{(&memory{}).with("timesformer.embeddings.position_embeddings", 1, 197, 2).with("timesformer.embeddings.time_embeddings", 1, 8, 2),
			[]string{"ViT timesformer.embeddings.position_embeddings", "TimeSformer time timesformer.embeddings.time_embeddings"}},
		{(&memory{}).with("model.pos_embed", 1, 197, 2).with("model.time_embed", 1, 8, 2), []string{"ViT model.pos_embed", "TimeSformer time model.time_embed"}},
		{(&memory{}).with("time_embed", 1, 8, 2), nil},
		{(&memory{}).with("pos_embed_spatial", 1, 49, 2).with("pos_embed_temporal", 1, 8, 2), []string{"Hiera space pos_embed_spatial", "TimeSformer time pos_embed_temporal"}},
		{(&memory{}).with("l.embeddings.x_position_embeddings.weight", 1024, 2).with("l.embeddings.y_position_embeddings.weight", 1024, 2).
			with("l.embeddings.h_position_embeddings.weight", 1024, 2).with("l.embeddings.w_position_embeddings.weight", 1024, 2).with("l.embeddings.position_embeddings.weight", 512, 2),
			[]string{"LayoutLM coordinates l.embeddings.h_position_embeddings.weight", "BERT l.embeddings.position_embeddings.weight", "LayoutLM coordinates l.embeddings.w_position_embeddings.weight",
				"LayoutLM coordinates l.embeddings.x_position_embeddings.weight", "LayoutLM coordinates l.embeddings.y_position_embeddings.weight"}},
		{(&memory{}).with("decoder.layers.0.self_attn.relative_pos_embeddings.weight", 64, 4), nil},
		{(&memory{}).with("pos.weight", 513, 2), nil},
		{(&memory{}).with("image_encoder.trunk.pos_embed", 1, 3, 7, 7).with("image_encoder.trunk.pos_embed_window", 1, 3, 8, 8), []string{"Hiera image_encoder.trunk.pos_embed"}},
	} {
		var got []string
		for _, m := range Detect(c.m) {
			got = append(got, m.Arch+" "+m.Name())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Squares lie too far apart to be mistaken: 196 is never 1 + 195.
func TestGridBehind(t *testing.T) {
	for n, want := range map[int]struct {
		prefix, side int
	}{196: {0, 14}, 197: {1, 14}, 198: {2, 14}, 199: {0, 0}, 578: {2, 24}, 1024: {0, 32}, 1026: {2, 32}, 50176: {0, 224}, 1370: {1, 37}, 729: {0, 27}, 577: {1, 24}, 50: {1, 7}, 257: {1, 16}, 1025: {1, 32}, 1214: {0, 0}, 3: {0, 0}, 0: {0, 0}} {
		prefix, g, ok := gridBehind(n, 0, 1, 2)
		if prefix != want.prefix || g != (Grid{want.side, want.side}) || ok != (want.side > 0) {
			t.Errorf("%d rows: prefix %d, grid %v", n, prefix, g)
		}
	}
	for n := 4; n < 5000; n++ {
		fits := 0
		for p := range 3 {
			if _, _, ok := gridBehind(n, p); ok {
				fits++
			}
		}
		if fits > 1 {
			t.Errorf("%d rows read as a grid in %d ways", n, fits)
		}
	}
}

// [C, h, w] becomes [h*w, C].
func TestWidthFirstImage(t *testing.T) {
	a := mustLoad(t, (&memory{}).with("pos_embed", 1, 3, 8, 8), ReadOptions{}).(*Absolute)
	for p := range 64 {
		for k := range 3 {
			if got, want := a.Table.At(p, k), float64(k*64+p+1); got != want {
				t.Fatalf("position %d, component %d: %v, want %v", p, k, got, want)
			}
		}
	}
}

func TestImageReadings(t *testing.T) {
	m := (&memory{}).with("pos_embed", 1, 4, 4, 4)
	_, err := loadOnly(t, m, ReadOptions{})
	wantFault(t, err, NotATable, "4 x 4 x 4", "--grid 4x4", "--axes rows,cols,width", "--axes width,rows,cols")
	for axes, second := range map[string]float64{"rows,cols,width": 2, "width,rows,cols": 17} {
		a := mustLoad(t, m, ReadOptions{Axes: strings.Split(axes, ",")}).(*Absolute)
		if a.Grid != (Grid{4, 4}) || a.Table.At(0, 1) != second {
			t.Errorf("%s: %v, second component %v, want %v", axes, a.Grid, a.Table.At(0, 1), second)
		}
	}
	m = (&memory{}).with("pos_embed", 1, 4, 6, 9)
	_, err = loadOnly(t, m, ReadOptions{})
	wantFault(t, err, NotATable, "a 4 x 6 grid of vectors of 9", "4 maps of 6 x 9")
	for g, d := range map[Grid]int{{4, 6}: 9, {6, 9}: 4} {
		a := mustLoad(t, m, ReadOptions{Grid: &g}).(*Absolute)
		if _, width := a.Table.Dims(); a.Grid != g || width != d {
			t.Errorf("grid %v: read as %v of width %d", g, a.Grid, width)
		}
	}
}

func TestReadOptions(t *testing.T) {
	wpe := func() *memory { return (&memory{}).with("wpe.weight", 20, 2) }
	vit := func() *memory { return (&memory{}).with("pos_embed", 1, 17, 2) }
	for _, c := range []struct {
		m         *memory
		opt       ReadOptions
		positions []int
		firstRow  int
		reserved  int
		suffix    int
		grid      Grid
	}{
		{wpe(), ReadOptions{Positions: &Range{3, 7}}, []int{3, 4, 5, 6}, 3, 0, 0, Grid{}},
		{wpe(), ReadOptions{Positions: &Range{3, 10}, Stride: 3}, []int{3, 6, 9}, 3, 0, 0, Grid{}},
		{wpe(), ReadOptions{Stride: 7}, []int{0, 7, 14}, 0, 0, 0, Grid{}},
		{wpe(), ReadOptions{Reserved: ptr(2), Positions: &Range{0, 2}}, []int{0, 1}, 2, 2, 0, Grid{}},
		{wpe(), ReadOptions{Reserved: ptr(17), Suffix: ptr(1)}, []int{0, 1}, 17, 17, 1, Grid{}},
		{wpe(), ReadOptions{Positions: &Range{18, 99}}, []int{18, 19}, 18, 0, 0, Grid{}},
		{wpe(), ReadOptions{Reserved: ptr(18), Grid: &Grid{1, 2}}, []int{0, 1}, 18, 18, 0, Grid{1, 2}},
		{wpe(), ReadOptions{Grid: &Grid{3, 6}, Suffix: ptr(1)}, slices.Collect(rangeOf(18)), 1, 1, 1, Grid{3, 6}},
		{vit(), ReadOptions{}, slices.Collect(rangeOf(16)), 1, 1, 0, Grid{4, 4}},
		{vit(), ReadOptions{Positions: &Range{4, 8}}, []int{4, 5, 6, 7}, 5, 1, 0, Grid{}},
		{vit(), ReadOptions{Positions: &Range{4, 8}, Grid: &Grid{1, 4}}, []int{4, 5, 6, 7}, 5, 1, 0, Grid{1, 4}},
		{vit(), ReadOptions{Grid: &Grid{2, 8}}, slices.Collect(rangeOf(16)), 1, 1, 0, Grid{2, 8}},
		{vit(), ReadOptions{Reserved: ptr(0)}, slices.Collect(rangeOf(17)), 0, 0, 0, Grid{}},
	} {
		a, ok := mustLoad(t, c.m, c.opt).(*Absolute)
		if !ok {
			t.Fatal("not absolute")
		}
		if !slices.Equal(a.Positions(), c.positions) || a.Reserved != c.reserved || a.Suffix != c.suffix || a.Grid != c.grid {
			t.Errorf("%+v: positions %v, reserved %d, suffix %d, grid %v", c.opt, a.Positions(), a.Reserved, a.Suffix, a.Grid)
		}
		for i, p := range c.positions {
			if got, want := a.Table.At(i, 0), float64(2*(c.firstRow+p-c.positions[0])+1); got != want {
				t.Errorf("%+v: position %d begins with %v, want %v", c.opt, p, got, want)
			}
		}
	}
	for _, opt := range []ReadOptions{
		{Reserved: ptr(20)}, {Reserved: ptr(-1)}, {Suffix: ptr(-1)}, {Reserved: ptr(10), Suffix: ptr(10)}, {Stride: -1},
		{Positions: &Range{-1, 3}}, {Positions: &Range{3, 3}}, {Positions: &Range{20, 25}}, {Grid: &Grid{5, 5}}, {Grid: &Grid{0, 20}}, {Grid: &Grid{-4, -5}},
		{Grid: &Grid{1 << 40, 1 << 40}}, {Arch: "GPT-7"},
	} {
		_, err := loadOnly(t, wpe(), opt)
		wantFault(t, err, BadOption)
	}
	_, err := loadOnly(t, wpe(), ReadOptions{Arch: "Robrta"})
	wantFault(t, err, BadOption, "did you mean")
}

// rangeOf counts from 0 to n-1.
func rangeOf(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func TestOddValues(t *testing.T) {
	m := (&memory{}).with("wpe.weight", 12, 4)
	data := m.tensors[0].Data
	data[7*4], data[7*4+1], data[7*4+3] = math.NaN(), math.Inf(1), math.Inf(-1)
	a := mustLoad(t, m, ReadOptions{}).(*Absolute)
	if !slices.Equal(a.Notes, []string{"row 7: 3 of 4 values are not finite"}) || !math.IsNaN(a.Table.At(7, 0)) || !math.IsInf(a.Table.At(7, 3), -1) {
		t.Errorf("notes %q, row %v", a.Notes, a.Table.RawRowView(7))
	}
	for i := range 5 {
		data[i*4] = math.NaN()
	}
	if a := mustLoad(t, m, ReadOptions{}).(*Absolute); len(a.Notes) != 4 || a.Notes[3] != "3 more rows with values that are not finite" {
		t.Errorf("notes %q", a.Notes)
	}
	clear(data)
	if a := mustLoad(t, m, ReadOptions{}).(*Absolute); !told(a.Notes, "every value is zero") || a.Reserved != 0 {
		t.Errorf("notes %q", a.Notes)
	}
	if a := mustLoad(t, (&memory{}).with("wpe.weight", 4, 4).typed(tensor.I8), ReadOptions{}).(*Absolute); !told(a.Notes, "stored as I8") {
		t.Errorf("notes %q", a.Notes)
	}
}

func TestShapesThatAreNoTable(t *testing.T) {
	for _, shape := range [][]int{{}, {8}, {0, 4}, {4, 0}, {2, 3, 4}, {2, 3, 4, 5}} {
		m := (&memory{}).with("wpe.weight", shape...)
		match, err := one(m, "wpe.weight", ReadOptions{})
		if err == nil {
			_, err = Load(t.Context(), m, match, ReadOptions{})
		}
		wantFault(t, err, NotATable)
	}
	lie := (&memory{}).with("wpe.weight", 4, 4)
	lie.tensors[0].Shape = []int{5, 4}
	_, err := loadOnly(t, lie, ReadOptions{})
	wantFault(t, err, NotATable, "16 numbers")
}

// The reserved rows are kept beside the positions, as stored, and so are the scores of
// buckets that no offset uses.
func TestAside(t *testing.T) {
	m := (&memory{}).with("roberta.embeddings.position_embeddings.weight", 10, 3)
	a := mustLoad(t, m, ReadOptions{Reserved: new(2)}).(*Absolute)
	whole := mustLoad(t, m, ReadOptions{Reserved: new(0)}).(*Absolute)
	if n, d := a.Aside.Dims(); n != 2 || d != 3 || whole.Aside != nil {
		t.Fatalf("%d x %d rows aside, and %v", n, d, whole.Aside)
	}
	for i := range 2 {
		for j := range 3 {
			if got, want := a.Aside.At(i, j), whole.Table.At(i, j); got != want {
				t.Errorf("reserved row %d has %v in %d, want %v", i, got, j, want)
			}
		}
	}
	b := mustLoad(t, (&memory{}).with("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, 2), ReadOptions{}).(*Bias)
	stored := mustLoad(t, (&memory{}).with("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, 2), ReadOptions{Arch: "BERT"}).(*Absolute)
	if n, _ := b.Aside.Dims(); n != 1 || b.Unused[0] != 16 || b.Aside.At(0, 1) != stored.Table.At(16, 1) {
		t.Errorf("%v aside for %v", b.Aside, b.Unused)
	}
}
