package posemb

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"poslens/internal/checkpoint"
)

// configured is a source in memory with a config.json beside it.
type configured struct {
	*memory
	file *checkpoint.File
}

// beside puts a config.json beside tensors in memory.
func (m *memory) beside(t *testing.T, config string) configured {
	t.Helper()
	f, err := checkpoint.Open(t.Context(), fstest.MapFS{"model.safetensors": {Data: []byte("[[1,2],[3,4]]")}, "config.json": {Data: []byte(config)}}, "model.safetensors", checkpoint.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if w := f.Warnings(); len(w) > 0 {
		t.Fatal(w)
	}
	return configured{m, f}
}

func (c configured) Meta(key string) (string, bool) { return c.file.Meta(key) }

// Configurations as transformers writes them, shortened: model types and the
// parts' objects are those of configuration_clip.py, configuration_llava.py,
// configuration_siglip.py, configuration_blip.py, configuration_paligemma.py,
// configuration_flava.py and configuration_vision_encoder_decoder.py.
const (
	clipConfig = `{"architectures":["CLIPModel"],"model_type":"clip","projection_dim":768,
		"text_config":{"model_type":"clip_text_model","max_position_embeddings":77,"num_attention_heads":12},
		"vision_config":{"model_type":"clip_vision_model","image_size":[336,168],"patch_size":14,"num_attention_heads":16}}`
	llavaConfig = `{"architectures":["LlavaForConditionalGeneration"],"model_type":"llava","image_size":28,"patch_size":14,
		"text_config":{"model_type":"opt","max_position_embeddings":2048,"num_attention_heads":32},
		"vision_config":{"model_type":"siglip_vision_model","image_size":384,"patch_size":14}}`
	siglipConfig = `{"model_type":"siglip","text_config":{"model_type":"siglip_text_model","max_position_embeddings":64},
		"vision_config":{"model_type":"siglip_vision_model","image_size":[256,128],"patch_size":[16,16]}}`
	blipConfig = `{"model_type":"blip","image_text_hidden_size":256,"text_config":{"model_type":"blip_text_model","max_position_embeddings":512},
		"vision_config":{"model_type":"blip_vision_model","image_size":[384,192],"patch_size":16}}`
	flavaConfig = `{"model_type":"flava","image_config":{"model_type":"flava_image_model","image_size":[224,112],"patch_size":16},
		"text_config":{"model_type":"flava_text_model","image_size":32,"patch_size":16},"multimodal_config":{"model_type":"flava_multimodal_model"}}`
	captionConfig = `{"model_type":"vision-encoder-decoder","encoder":{"model_type":"deit","image_size":[384,192],"patch_size":16},
		"decoder":{"model_type":"trocr","max_position_embeddings":100}}`
	deepConfig = `{"model_type":"omni","thinker_config":{"model_type":"omni_thinker","vision_config":{"image_size":[64,32],"patch_size":4},"text_config":{"image_size":8,"patch_size":4}}}`
)

// The part of config.json that is of a tensor's own tower is taken, and no other.
func TestConfigOfTower(t *testing.T) {
	for _, c := range []struct {
		name, config, tensor string
		shape                []int
		arch                 string
		reserved             int
		grid                 Grid
		note                 string
	}{
		{"CLIP's image", clipConfig, "vision_model.embeddings.position_embedding.weight", []int{1 + 24*12, 4}, "CLIP vision", 1, Grid{24, 12}, "class token in row 0, then a 24 x 12 grid, as the configuration has it"},
		{"CLIP's text", clipConfig, "text_model.embeddings.position_embedding.weight", []int{77, 4}, "CLIP text", 0, Grid{}, ""},
		{"LLaVA's tower", llavaConfig, "model.vision_tower.vision_model.embeddings.position_embedding.weight", []int{27 * 27, 4}, "SigLIP", 0, Grid{27, 27}, "no class token"},
		{"LLaVA's OPT", llavaConfig, "model.language_model.model.decoder.embed_positions.weight", []int{102, 4}, "OPT", 2, Grid{}, "positions start at row 2"},
		{"SigLIP's image", siglipConfig, "vision_model.embeddings.position_embedding.weight", []int{16 * 8, 4}, "SigLIP", 0, Grid{16, 8}, "as the configuration has it"},
		{"SigLIP's text", siglipConfig, "text_model.embeddings.position_embedding.weight", []int{64, 4}, "SigLIP text", 0, Grid{}, ""},
		{"BLIP's image", blipConfig, "vision_model.embeddings.position_embedding", []int{1, 1 + 24*12, 4}, "BLIP", 1, Grid{24, 12}, "as the configuration has it"},
		{"FLAVA's image", flavaConfig, "flava.image_model.embeddings.position_embeddings", []int{1, 1 + 14*7, 4}, "ViT", 1, Grid{14, 7}, "as the configuration has it"},
		{"an encoder", captionConfig, "encoder.embeddings.position_embeddings", []int{1, 2 + 24*12, 4}, "ViT", 2, Grid{24, 12}, "as the configuration has it"},
		{"a decoder", captionConfig, "decoder.model.decoder.embed_positions.weight", []int{102, 4}, "BART", 2, Grid{}, "positions start at row 2"},
		{"an object in an object", deepConfig, "thinker.visual.pos_embed", []int{1, 128, 4}, "ViT", 0, Grid{16, 8}, "as the configuration has it"},
		{"no part of its own", `{"model_type":"vit","image_size":[224,112],"patch_size":[16,16]}`, "vit.embeddings.position_embeddings", []int{1, 99, 4}, "ViT", 1, Grid{14, 7}, "as the configuration has it"},
		{"a square as well", `{"model_type":"vit","image_size":[112,448],"patch_size":16}`, "pos_embed", []int{1, 197, 4}, "ViT", 1, Grid{7, 28}, "as the configuration has it"},
		{"the square itself", `{"model_type":"vit","image_size":224,"patch_size":16}`, "pos_embed", []int{1, 197, 4}, "ViT", 1, Grid{14, 14}, "class token in row 0, then a 14 x 14 grid"},
		{"another size than the table's", `{"model_type":"dinov2","image_size":[224,112],"patch_size":14}`, "embeddings.position_embeddings", []int{1, 1370, 4}, "ViT", 1, Grid{37, 37}, "a 37 x 37 grid"},
		{"detection tokens behind", `{"model_type":"yolos","image_size":[512,864],"patch_size":16}`, "vit.embeddings.position_embeddings", []int{1, 1 + 32*54 + 100, 4}, "YOLOS", 1, Grid{32, 54}, "then 100 rows that are no positions, as the configuration has it"},
		{"patches that overlap", `{"model_type":"hiera","image_size":[224,112],"patch_size":[7,7],"patch_stride":[4,4]}`, "hiera.embeddings.position_embeddings", []int{1, 56 * 28, 4}, "ViT", 0, Grid{56, 28}, "as the configuration has it"},
		{"bands", `{"model_type":"audio-spectrogram-transformer","num_mel_bins":64,"patch_size":16,"frequency_stride":10,"time_stride":10}`, "embeddings.position_embeddings", []int{1, 2 + 5*101, 4}, "AST", 2, Grid{5, 101}, "5 bands of frequencies, as the configuration has it"},
		{"an image of vectors", `{"image_size":[64,32],"patch_size":4}`, "pos_embed", []int{1, 16, 8, 12}, "ViT", 0, Grid{16, 8}, "a 16 x 8 grid, as the configuration has it"},
		{"an image of vectors, width first", `{"image_size":[64,32],"patch_size":4}`, "pos_embed", []int{1, 12, 16, 8}, "ViT", 0, Grid{16, 8}, "stored width first"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, err := loadOnly(t, (&memory{}).with(c.tensor, c.shape...).beside(t, c.config), ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			a := table.(*Absolute)
			if a.Arch != c.arch || a.Reserved != c.reserved || a.Grid != c.grid || c.note != "" && !told(a.Notes, c.note) {
				t.Errorf("%s, %d reserved, %v, notes %q; want %s, %d, %v, %q", a.Arch, a.Reserved, a.Grid, a.Notes, c.arch, c.reserved, c.grid, c.note)
			}
		})
	}
}

// Frames, rows and columns of a video, as configurations tell them by lists. 3136 rows
// are 16 x 14 x 14, 4 x 28 x 28, 64 x 7 x 7 and others.
func TestConfigOfVideo(t *testing.T) {
	for name, c := range map[string]struct {
		config string
		rows   int
		frames int
		grid   Grid
	}{
		"as released":   {`{"model_type":"vivit","image_size":224,"num_frames":32,"tubelet_size":[2,16,16]}`, 3136, 16, Grid{14, 14}},
		"video_size":    {`{"model_type":"vivit","video_size":[32,224,224],"tubelet_size":[2,16,16]}`, 3136, 16, Grid{14, 14}},
		"large patches": {`{"model_type":"vivit","image_size":224,"num_frames":64,"tubelet_size":[1,32,32]}`, 3136, 64, Grid{7, 7}},
		"wide":          {`{"model_type":"vivit","image_size":[112,448],"num_frames":32,"tubelet_size":[2,16,16]}`, 3136, 16, Grid{7, 28}},
		"patch_size":    {`{"model_type":"vivit","image_size":[112,448],"num_frames":32,"tubelet_size":2,"patch_size":[16,16]}`, 3136, 16, Grid{7, 28}},
		"of another":    {`{"model_type":"vivit","image_size":224,"num_frames":8,"tubelet_size":[2,16,16]}`, 3136, 16, Grid{14, 14}}, // as released
		"zeros":         {`{"model_type":"vivit","image_size":224,"num_frames":0,"tubelet_size":[0,0,0]}`, 3136, 16, Grid{14, 14}},
	} {
		m := (&memory{}).with("vivit.embeddings.position_embeddings", 1, 1+c.rows, 2).beside(t, c.config)
		a := mustLoad(t, m, ReadOptions{}).(*Absolute)
		if a.Grid != c.grid || a.Frames != c.frames || a.Reserved != 1 {
			t.Errorf("%s: %d frames of %v, %d reserved, notes %q", name, a.Frames, a.Grid, a.Reserved, a.Notes)
		}
	}
}

// The window of each stage of a Swin v2 whose file has no buffers, by hand: a grid of
// 64 x 64 patches is 64, 32, 16 and 8 a side in the stages, and a window no larger.
func TestConfigOfWindow(t *testing.T) {
	const (
		hf       = "swinv2.encoder.layers.%d.blocks.1.attention.self."
		timm     = "layers.%d.blocks.1.attn."
		features = "layers_%d.blocks.1.attn."
		restored = "swin2sr.encoder.stages.%d.layers.1.attention.self."
		backbone = "model.backbone.encoder.layers.%d.blocks.1.attention.self."
		plain    = `{"model_type":"swinv2","image_size":256,"patch_size":4,"window_size":%s,"depths":[2,2,6,2],"num_heads":[3,6,12,24]%s}`
	)
	of := func(window, more string) string { return fmt.Sprintf(plain, window, more) }
	for name, c := range map[string]struct {
		config, prefix string
		windows        [4]Grid
		first          [4]int // the window that coordinates are divided by, where it is another
	}{
		"window 8":           {of("8", ""), hf, [4]Grid{{8, 8}, {8, 8}, {8, 8}, {8, 8}}, [4]int{}},
		"window 16":          {of("16", ""), hf, [4]Grid{{16, 16}, {16, 16}, {16, 16}, {8, 8}}, [4]int{}},
		"fine-tuned":         {of("16", `,"pretrained_window_sizes":[12,12,12,6]`), hf, [4]Grid{{16, 16}, {16, 16}, {16, 16}, {8, 8}}, [4]int{12, 12, 12, 6}},
		"trained here":       {of("16", `,"pretrained_window_sizes":[0,0,0,0]`), hf, [4]Grid{{16, 16}, {16, 16}, {16, 16}, {8, 8}}, [4]int{}},
		"image of two sides": {`{"image_size":[256,512],"patch_size":[4,4],"window_size":16}`, hf, [4]Grid{{16, 16}, {16, 16}, {16, 16}, {8, 8}}, [4]int{}},
		"timm's names":       {`{"image_size":[256,128],"patch_size":4,"window_size":[16,16]}`, timm, [4]Grid{{16, 16}, {16, 16}, {16, 8}, {8, 4}}, [4]int{}},
		"timm":               {`{"architecture":"swinv2_tiny_window8_256","pretrained_cfg":{"input_size":[3,256,256]}}`, timm, [4]Grid{{8, 8}, {8, 8}, {8, 8}, {8, 8}}, [4]int{}},
		"timm 16":            {`{"architecture":"swinv2_tiny_window16_256.ms_in1k"}`, features, [4]Grid{{16, 16}, {16, 16}, {16, 16}, {8, 8}}, [4]int{}},
		"timm fine-tuned":    {`{"architecture":"swinv2_base_window12to24_192to384"}`, timm, [4]Grid{{24, 24}, {24, 24}, {24, 24}, {12, 12}}, [4]int{12, 12, 12, 6}},
		"Swin2SR":            {`{"model_type":"swin2sr","image_size":64,"patch_size":1,"window_size":8,"depths":[6,6,6,6]}`, restored, [4]Grid{{8, 8}, {8, 8}, {8, 8}, {8, 8}}, [4]int{}},
		"a backbone":         {`{"model_type":"dpt","image_size":9,"patch_size":3,"window_size":2,"backbone_config":` + of("16", "") + `}`, backbone, [4]Grid{{16, 16}, {16, 16}, {16, 16}, {8, 8}}, [4]int{}},
	} {
		for step := range 4 {
			prefix := fmt.Sprintf(c.prefix, step)
			// 16 sigmoid(relu(x)): positive dx of query - key, so negative offsets.
			m := (&memory{}).network(prefix, []float64{0, 1}, []float64{0}, []float64{1}).beside(t, c.config)
			b := mustLoad(t, m, ReadOptions{}).(*Bias)
			g := c.windows[step]
			if want := windowAxes(g.Rows, g.Cols, BeyondNone); !slices.Equal(b.Axes, want) {
				t.Errorf("%s, stage %d: %v, want %v", name, step, b.Axes, want)
				continue
			}
			divide := g.Cols
			if first := c.first[step]; first > 0 {
				divide = first
				if note := fmt.Sprintf("trained at a window of %d x %d first", first, first); !told(b.Notes, note) {
					t.Errorf("%s, stage %d: notes %q", name, step, b.Notes)
				}
			}
			for back := range g.Cols {
				want := 16 / (1 + math.Exp(-math.Log2(1+8*float64(back)/float64(divide-1))/3))
				if got := b.Scores.At((g.Rows-1)*(2*g.Cols-1)+g.Cols-1-back, 0); math.Abs(got-want) > 1e-12 {
					t.Errorf("%s, stage %d, dx %d: %v, want %v", name, step, -back, got, want)
				}
			}
			if !told(b.Notes, "as config.json has it: window_size") {
				t.Errorf("%s, stage %d: notes %q", name, step, b.Notes)
			}
		}
	}
}

// What config.json leaves open or says wrongly stays open.
func TestConfigOfNoWindow(t *testing.T) {
	for name, config := range map[string]string{
		"no image":         `{"window_size":8,"patch_size":4}`,
		"no patches":       `{"window_size":8,"image_size":256}`,
		"a small image":    `{"window_size":8,"image_size":8,"patch_size":4}`,
		"three sides":      `{"window_size":[8,8,8],"image_size":256,"patch_size":4}`,
		"no window":        `{"window_size":0,"image_size":256,"patch_size":4}`,
		"huge":             `{"window_size":1000000,"image_size":1000000,"patch_size":1}`,
		"another network":  `{"architecture":"swinv2_cr_tiny_window8_256"}`,
		"another size":     `{"architecture":"swinv2_tiny_window8_256","model_args":{"window_size":16}}`,
		"no size":          `{"architecture":"swinv2_tiny_window8"}`,
		"a part's default": `{"window_size":8,"image_size":256,"patch_size":4,"encoder":{"model_type":"swinv2"}}`,
	} {
		m := (&memory{}).network("encoder.layers.3.blocks.1.attn.", []float64{0, 1}, []float64{0}, []float64{1}).beside(t, config)
		_, err := loadOnly(t, m, ReadOptions{})
		t.Run(name, func(t *testing.T) { wantFault(t, err, Ambiguous, "does not store its own", "--grid HxW") })
		if b := mustLoad(t, m, ReadOptions{Grid: &Grid{2, 2}}).(*Bias); len(b.Axes) != 2 {
			t.Errorf("%s: %v", name, b.Axes)
		}
	}
}

// The caller's window stands, at the coordinates that config.json says.
func TestConfigBesideGrid(t *testing.T) {
	m := (&memory{}).network("layers.0.blocks.0.attn.", []float64{0, 1}, []float64{0}, []float64{1}).
		beside(t, `{"window_size":16,"image_size":256,"patch_size":4,"pretrained_window_sizes":[12,12,12,6]}`)
	b := mustLoad(t, m, ReadOptions{Grid: &Grid{1, 3}}).(*Bias)
	want := 16 / (1 + math.Exp(-math.Log2(1+8*2.0/11)/3))
	if got := b.Scores.At(0, 0); math.Abs(got-want) > 1e-12 || !told(b.Notes, "a window of 12 x 12 first") {
		t.Errorf("%v, want %v; notes %q", got, want, b.Notes)
	}
}

// Whatever a config.json says, reading ends in a table or an error.
func TestConfigOfAnything(t *testing.T) {
	values := []string{"0", "-1", "1", "7", "224", "1000000", "1000001", "1e9", "9223372036854775807", "0.5", "[]", "[0,0]", "[-1,2]", "[1,1]", "[224,7]", "[2,16,16]", "[1000000,1000000,1000000]", `"x"`, "{}", "null", "true"}
	keys := []string{"image_size", "patch_size", "patch_stride", "window_size", "pretrained_window_sizes", "tubelet_size", "video_size", "num_frames", "num_mel_bins", "frequency_stride"}
	next := uint32(1)
	pick := func(n int) int {
		next = next*1664525 + 1013904223
		return int(next>>8) % n
	}
	made := 0
	for range 3000 {
		var entries []string
		for _, key := range keys {
			if pick(3) > 0 {
				entries = append(entries, fmt.Sprintf("%q:%s", key, values[pick(len(values))]))
			}
		}
		config := "{" + strings.Join(append(entries, `"vision_config":`+values[pick(len(values))]), ",") + "}"
		for _, m := range []*memory{
			(&memory{}).with("vit.embeddings.position_embeddings", 1, 197, 2),
			(&memory{}).with("vivit.embeddings.position_embeddings", 1, 197, 2),
			(&memory{}).with("audio_spectrogram_transformer.embeddings.position_embeddings", 1, 198, 2),
			(&memory{}).with("pos_embed", 1, 4, 7, 2),
			(&memory{}).network("layers.1.blocks.1.attn.", []float64{0, 1}, []float64{0}, []float64{1}),
		} {
			table, err := loadOnly(t, m.beside(t, config), ReadOptions{})
			if err != nil {
				if _, ok := err.(*Error); !ok {
					t.Fatalf("%s: %v", config, err)
				}
				continue
			}
			made++
			if why := inconsistent(table); why != "" {
				t.Fatalf("%s: %s", config, why)
			}
		}
	}
	if made < 3000 {
		t.Errorf("only %d tables were made", made)
	}
}
