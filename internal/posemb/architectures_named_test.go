package posemb

import (
	"fmt"
	"testing"
)

// namedTable is a table by the name and shape that a model's own code gives it, and how
// it must be read. Shapes are those of a released model, narrower in width.
type namedTable struct {
	model  string // and where its code is
	tensor string
	shape  []int
	beside []string // other tensors that tell
	arch   string
	want   string // positions, reserved rows + rows behind, grid; or the axes of a relative table
}

// Tables of models that stand in no other test, as their code names them. Where only the
// model's file is named, it is in transformers, src/transformers/models.
var namedTables = []namedTable{
	{"Decision Transformer, modeling_decision_transformer.py", "embed_timestep.weight", []int{4096, 4}, []string{"embed_return.weight"}, "Decision Transformer", "4096"},
	{"Bark, modeling_bark.py", "semantic.position_embeds_layer.weight", []int{1024, 4}, nil, "Bark", "1024"},
	{"CLVP, modeling_clvp.py", "speech_decoder_model.model.decoder.position_embeds_layer.weight", []int{608, 4}, nil, "Bark", "608"},
	{"CANINE, modeling_canine.py", "canine.char_embeddings.char_position_embeddings.weight", []int{16384, 4}, nil, "BERT", "16384"},
	{"ViLT's text, modeling_vilt.py", "vilt.embeddings.text_embeddings.position_embeddings.weight", []int{40, 4}, nil, "BERT", "40"},
	{"FlauBERT, modeling_flaubert.py", "transformer.position_embeddings.weight", []int{512, 4}, nil, "BERT", "512"},
	{"GIT, modeling_git.py", "git.embeddings.position_embeddings.weight", []int{1024, 4}, nil, "BERT", "1024"},
	{"YOSO, modeling_yoso.py", "yoso.embeddings.position_embeddings.weight", []int{4098, 4}, nil, "RoBERTa", "4096, 2 + 0"},
	{"ErnieM, modeling_ernie_m.py", "ernie_m.embeddings.position_embeddings.weight", []int{514, 4}, nil, "RoBERTa", "512, 2 + 0"},
	{"LiLT's boxes, modeling_lilt.py", "lilt.layout_embeddings.box_position_embeddings.weight", []int{514, 4}, nil, "RoBERTa", "512, 2 + 0"},
	{"LiLT's coordinates, modeling_lilt.py", "lilt.layout_embeddings.x_position_embeddings.weight", []int{1024, 4}, nil, "LayoutLM coordinates", "1024"},
	{"UDOP's coordinates, modeling_udop.py", "encoder.cell_2d_embedding.y_position_embeddings.weight", []int{1024, 4}, nil, "LayoutLM coordinates", "1024"},
	{"Donut's decoder, modeling_mbart.py", "decoder.model.decoder.embed_positions.weight", []int{1538, 4}, nil, "BART", "1536, 2 + 0"},
	{"Nougat's decoder, modeling_mbart.py", "decoder.model.decoder.embed_positions.weight", []int{3586, 4}, nil, "BART", "3584, 2 + 0"},
	{"RoFormer, modeling_roformer.py", "roformer.encoder.embed_positions.weight", []int{1536, 4}, nil, "RoFormer", "1536"},
	{"XTTS, coqui-ai/TTS, TTS/tts/layers/xtts/gpt.py", "gpt.mel_pos_embedding.emb.weight", []int{608, 4}, nil, "learned", "608"},
	{"Tortoise, neonbjb/tortoise-tts, tortoise/models/autoregressive.py", "text_pos_embedding.emb.weight", []int{404, 4}, nil, "learned", "404"},
	{"PatchTST, modeling_patchtst.py", "model.encoder.positional_encoder.position_enc", []int{43, 4}, nil, "learned", "43"},
	{"BERT4Rec, jaywonchung/BERT4Rec-VAE-Pytorch", "bert.embedding.position.pe.weight", []int{100, 4}, nil, "learned", "100"},
	{"PARSeq's queries, baudm/parseq, strhub/models/parseq/model.py", "pos_queries", []int{1, 26, 4}, nil, "learned", "26"},
	{"SigLIP's text in big_vision, models/proj/image_text/text_transformer.py", "params/txt/pos_embedding", []int{1, 64, 4}, nil, "big_vision text", "64"},
	{"ImageBind's text, facebookresearch/ImageBind, imagebind/models/multimodal_preprocessors.py", "modality_preprocessors.text.pos_embed", []int{1, 77, 4}, nil, "big_vision text", "77"},

	{"Qwen3-VL, modeling_qwen3_vl.py", "model.visual.pos_embed.weight", []int{2304, 4}, nil, "Qwen3-VL", "2304, 0 + 0, 48 x 48"},
	{"Kimi-VL, vllm-project/vllm, vllm/model_executor/models/moonvit.py", "vision_tower.patch_embed.pos_emb.weight", []int{64, 64, 4}, nil, "MoonViT", "4096, 0 + 0, 64 x 64"},
	{"Llama 4's image, modeling_llama4.py", "vision_model.positional_embedding_vlm", []int{577, 4}, nil, "Llama 4 vision", "576, 0 + 1, 24 x 24"},
	{"Llama 3.2's image, modeling_mllama.py", "vision_model.gated_positional_embedding.embedding", []int{1601, 4}, nil, "CLIP vision", "1600, 1 + 0, 40 x 40"},
	{"BridgeTower's image, modeling_bridgetower.py", "bridgetower.vision_model.visual.embeddings.position_embedding.weight", []int{325, 4}, nil, "CLIP vision", "324, 1 + 0, 18 x 18"},
	{"Kosmos-2's image, modeling_kosmos2.py", "vision_model.model.embeddings.position_embedding.weight", []int{257, 4}, nil, "CLIP vision", "256, 1 + 0, 16 x 16"},
	{"MiniCPM-V's image, openbmb/MiniCPM-V-2_6, modeling_navit_siglip.py", "vpm.embeddings.position_embedding.weight", []int{4900, 4}, nil, "SigLIP", "4900, 0 + 0, 70 x 70"},
	{"Molmo's image, allenai/Molmo-7B-D-0924, modeling_molmo.py", "model.vision_backbone.image_vit.positional_embedding", []int{577, 4}, nil, "CLIP vision", "576, 1 + 0, 24 x 24"},
	{"CogVLM's image, THUDM/CogVLM, visual.py", "model.vision.patch_embedding.position_embedding.weight", []int{1226, 4}, nil, "CLIP vision", "1225, 1 + 0, 35 x 35"},
	{"Idefics2's image, modeling_idefics2.py", "model.vision_model.embeddings.position_embedding.weight", []int{4900, 4}, nil, "SigLIP", "4900, 0 + 0, 70 x 70"},
	{"OWL-ViT's image, modeling_owlvit.py", "owlvit.vision_model.embeddings.position_embedding.weight", []int{577, 4}, nil, "CLIP vision", "576, 1 + 0, 24 x 24"},
	{"OWL-ViT's text, modeling_owlvit.py", "owlvit.text_model.embeddings.position_embedding.weight", []int{16, 4}, nil, "CLIP text", "16"},
	{"InternViT, OpenGVLab/InternViT-300M-448px, modeling_intern_vit.py", "vision_model.embeddings.position_embedding", []int{1, 1025, 4}, nil, "BLIP", "1024, 1 + 0, 32 x 32"},
	{"FLAVA's image, modeling_flava.py", "flava.image_model.embeddings.position_embeddings", []int{1, 197, 4}, nil, "ViT", "196, 1 + 0, 14 x 14"},
	{"ViLT's image, modeling_vilt.py", "vilt.embeddings.position_embeddings", []int{1, 145, 4}, nil, "ViT", "144, 1 + 0, 12 x 12"},
	{"GroupViT, modeling_groupvit.py", "vision_model.embeddings.position_embeddings", []int{1, 196, 4}, nil, "ViT", "196, 0 + 0, 14 x 14"},
	{"I-JEPA, modeling_ijepa.py", "embeddings.position_embeddings", []int{1, 256, 4}, nil, "ViT", "256, 0 + 0, 16 x 16"},
	{"PVT in transformers, modeling_pvt.py", "pvt.encoder.patch_embeddings.3.position_embeddings", []int{1, 50, 4}, nil, "ViT", "49, 1 + 0, 7 x 7"},
	{"PVT, whai362/PVT, classification/pvt.py", "pos_embed1", []int{1, 3136, 4}, nil, "ViT", "3136, 0 + 0, 56 x 56"},
	{"CrossViT, timm, models/crossvit.py", "pos_embed_1", []int{1, 197, 4}, nil, "ViT", "196, 1 + 0, 14 x 14"},
	{"TNT, timm, models/tnt.py", "patch_pos", []int{1, 197, 4}, nil, "ViT", "196, 1 + 0, 14 x 14"},
	{"TNT's pixels, timm, models/tnt.py", "pixel_pos", []int{1, 24, 4, 4}, nil, "ViT", "16, 0 + 0, 4 x 4"},
	{"CaiT, timm, models/cait.py", "pos_embed", []int{1, 196, 4}, nil, "ViT", "196, 0 + 0, 14 x 14"},
	{"PiT, timm, models/pit.py", "pos_embed", []int{1, 4, 31, 31}, nil, "ViT", "961, 0 + 0, 31 x 31"},
	{"Stable Diffusion 3, diffusers, models/embeddings.py (PatchEmbed)", "transformer.pos_embed.pos_embed", []int{1, 36864, 4}, nil, "ViT", "36864, 0 + 0, 192 x 192"},
	{"torchvision's MViT in space, models/video/mvit.py", "pos_encoding.spatial_pos", []int{3136, 4}, nil, "Hiera space", "3136, 0 + 0, 56 x 56"},
	{"torchvision's MViT in time, models/video/mvit.py", "pos_encoding.temporal_pos", []int{8, 4}, []string{"pos_encoding.spatial_pos"}, "TimeSformer time", "8"},
	{"X-CLIP's frames, modeling_x_clip.py", "mit.position_embedding", []int{1, 8, 4}, nil, "learned", "8"},
	{"Pix2Struct's rows, modeling_pix2struct.py", "encoder.embeddings.row_embedder.weight", []int{4096, 4}, []string{"encoder.embeddings.column_embedder.weight"}, "Pix2Struct", "4095, 1 + 0"},
	{"NaViT's rows, lucidrains/vit-pytorch, vit_pytorch/na_vit.py", "pos_embed_height", []int{16, 4}, []string{"pos_embed_width"}, "NaViT", "16"},
	{"AnimateDiff, guoyww/AnimateDiff, animatediff/models/motion_module.py", "motion_modules.0.temporal_transformer.transformer_blocks.0.attention_blocks.0.pos_encoder.pe", []int{1, 24, 4}, nil, "buffer", "24"},
	{"Florence-2 in time, microsoft/Florence-2-large, modeling_florence2.py", "visual_temporal_embed.pos_idx_to_embed", []int{100, 4}, nil, "buffer", "100"},

	{"lucidrains' Conformer, lucidrains/conformer, conformer/conformer.py", "layers.0.attn.fn.fn.rel_pos_emb.weight", []int{1025, 4}, []string{"layers.0.attn.fn.fn.to_kv.weight"}, "Granite Speech", "[{offset -512 512 clipped}]"},
	{"Granite Speech, modeling_granite_speech.py", "encoder.layers.0.attn.rel_pos_emb.weight", []int{1025, 4}, []string{"encoder.layers.0.attn.to_kv.weight"}, "Granite Speech", "[{offset -512 512 clipped}]"},
	{"NAT, modeling_nat.py", "nat.encoder.levels.0.layers.0.attention.self.rpb", []int{2, 13, 13}, nil, "NAT", "[{dy -6 6 none} {dx -6 6 none}]"},
	{"DiNAT, SHI-Labs/Neighborhood-Attention-Transformer, classification/dinat.py", "levels.0.blocks.0.attn.rpb", []int{2, 13, 13}, nil, "NAT", "[{dy -6 6 none} {dx -6 6 none}]"},
	{"CLAP's sound, modeling_clap.py", "audio_model.audio_encoder.layers.0.blocks.0.attention.self.relative_position_bias_table", []int{225, 4}, nil, "Swin", "[{dy -7 7 none} {dx -7 7 none}]"},
	{"GC ViT, timm, models/gcvit.py", "stages.0.blocks.0.attn.rel_pos.relative_position_bias_table", []int{169, 2}, nil, "Swin", "[{dy -6 6 none} {dx -6 6 none}]"},
	{"M-CTC-T, modeling_mctct.py", "mctct.encoder.layers.0.attention.self.distance_embedding.weight", []int{1839, 4}, nil, "BERT relative", "[{offset -919 919 none}]"},
}

func TestNamedTables(t *testing.T) {
	for _, c := range namedTables {
		m := (&memory{}).with(c.tensor, c.shape...)
		for _, name := range c.beside {
			m.with(name, c.shape...)
		}
		var match *Match
		for _, found := range Detect(m) {
			if found.Info.Name == c.tensor {
				match = &found
			}
		}
		if match == nil {
			t.Errorf("%s: %s is not found", c.model, c.tensor)
			continue
		}
		table, err := Load(t.Context(), m, *match, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.model, err)
			continue
		}
		got := ""
		switch table := table.(type) {
		case *Absolute:
			n, _ := table.Table.Dims()
			got = fmt.Sprint(n)
			if table.Reserved > 0 || table.Suffix > 0 || table.Grid != (Grid{}) {
				got += fmt.Sprintf(", %d + %d", table.Reserved, table.Suffix)
			}
			if g := table.Grid; g != (Grid{}) {
				got += fmt.Sprintf(", %d x %d", g.Rows, g.Cols)
			}
		case *Vectors:
			got = fmt.Sprint(table.Axes)
		case *Bias:
			got = fmt.Sprint(table.Axes)
		}
		if match.Arch != c.arch || got != c.want {
			t.Errorf("%s: %s of %v is read as %s: %s; want %s: %s", c.model, c.tensor, c.shape, match.Arch, got, c.arch, c.want)
		}
	}
}
