package posemb

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// besideViT are the tensors around a ViT's positions that are none.
func besideViT(prefix string) []storedTensor {
	return []storedTensor{
		numbers(prefix+"cls_token", 1, 1, 4), numbers(prefix+"mask_token", 1, 1, 4), numbers(prefix+"patch_embed.proj.weight", 4, 3, 16, 16),
		numbers(prefix+"blocks.0.attn.qkv.weight", 12, 4), numbers(prefix+"blocks.0.mlp.fc1.weight", 16, 4), numbers(prefix+"head.weight", 1000, 4),
	}
}

// imageModels have a row a cell of an image, or of a video.
func imageModels() []modelRow {
	const hf = "embeddings.position_embeddings"
	vit := func(arch, name string, rows, side, reserved int, more ...storedTensor) modelRow {
		return modelRow{
			arch: arch, tensors: []storedTensor{numbers(name, 1, rows, 4)}, beside: append(more, besideViT("")...),
			want: []wantTable{gridTable(name, side, side, reserved)},
		}
	}
	typed := func(m modelRow, model string) modelRow {
		m.meta = ofType(model)
		return m
	}
	registers := numbers("reg_token", 1, 4, 4)
	return []modelRow{
		vit("ViT Flax", "Transformer/posembed_input/pos_embedding", 197, 14, 1, numbers("cls", 1, 1, 4), numbers("Transformer/encoderblock_0/MlpBlock_3/Dense_0/kernel", 4, 16)),
		vit("LiT", "pos_embedding", 197, 14, 1),
		vit("ViT timm", "pos_embed", 197, 14, 1),
		vit("ViT timm at 384", "pos_embed", 577, 24, 1),
		vit("DeiT distilled timm", "pos_embed", 198, 14, 2, numbers("dist_token", 1, 1, 4)),
		vit("DeiT-III", "pos_embed", 196, 14, 0),
		vit("DINOv2-reg timm", "pos_embed", 1369, 37, 0, registers),
		vit("DINOv2", "pos_embed", 1370, 37, 1, numbers("register_tokens", 1, 4, 4)),
		typed(vit("ViT HF", "vit."+hf, 197, 14, 1), "vit"),
		typed(vit("DeiT HF", "deit."+hf, 198, 14, 2, numbers("deit.embeddings.distillation_token", 1, 1, 4)), "deit"),
		typed(vit("DINOv2 HF", hf, 1370, 37, 1), "dinov2"),
		typed(vit("ViT-MSN", "vit."+hf, 197, 14, 1), "vit_msn"),
		typed(vit("DPT", "dpt."+hf, 577, 24, 1), "dpt"),
		{ // frequencies x times, not square
			arch: "AST", tensors: []storedTensor{numbers("audio_spectrogram_transformer."+hf, 1, 1214, 4)}, meta: ofType("audio-spectrogram-transformer"),
			beside: []storedTensor{numbers("audio_spectrogram_transformer.embeddings.cls_token", 1, 1, 4), numbers("audio_spectrogram_transformer.embeddings.distillation_token", 1, 1, 4)},
			want:   []wantTable{gridTable("audio_spectrogram_transformer."+hf, 12, 101, 2)},
		},
		yolos(),
		typed(vit("BLIP", "vision_model.embeddings.position_embedding", 257, 16, 1, numbers("vision_model.embeddings.class_embedding", 1, 1, 4)), "blip"),
		typed(vit("BLIP-2", "vision_model.embeddings.position_embedding", 257, 16, 1, numbers("query_tokens", 1, 32, 4)), "blip-2"),
		{
			arch: "MAE", tensors: []storedTensor{numbers("pos_embed", 1, 197, 4), numbers("decoder_pos_embed", 1, 197, 2)}, beside: append(besideViT(""), numbers("decoder_embed.weight", 2, 4)),
			want: []wantTable{gridTable("pos_embed", 14, 14, 1), gridTable("decoder_pos_embed", 14, 14, 1)},
		},
		{ // 2 rows that are never used, then the class token
			arch: "BEiT-3", tensors: []storedTensor{numbers("beit3.encoder.embed_positions.A.weight", 199, 4)}, beside: []storedTensor{numbers("beit3.vision_embed.cls_token", 1, 1, 4), numbers("beit3.text_embed.weight", 64010, 4)},
			want: []wantTable{gridTable("beit3.encoder.embed_positions.A.weight", 14, 14, 3)},
		},
		vit("Hiera", "pos_embed", 3136, 56, 0),
		windowed("SAM2", "image_encoder.trunk.pos_embed", "image_encoder.trunk.pos_embed_window"),
		windowed("Hiera with windows", "pos_embed_abs", "pos_embed_win"),
		sam("SAM", "image_encoder.pos_embed", "image_encoder.blocks.%d.attn.", nil),
		sam("SAM HF", "vision_encoder.pos_embed", "vision_encoder.layers.%d.attn.", ofType("sam")),
		{
			arch: "ViTDet", tensors: slices.Concat([]storedTensor{numbers("backbone.net.pos_embed", 1, 197, 4)}, decomposed("backbone.net.blocks.0.attn.", 14, 14)),
			beside: besideViT("backbone.net."),
			want:   []wantTable{gridTable("backbone.net.pos_embed", 14, 14, 1), decomposedTable("backbone.net.blocks.0.attn.", 14, 14)},
		},
		{ // an image twice as high as wide: two axes of their own lengths
			arch: "SegGPT", tensors: decomposed("model.encoder.layers.0.attention.", 56, 28), beside: []storedTensor{numbers("model.encoder.layers.0.attention.qkv.weight", 12, 4)}, meta: ofType("seggpt"),
			want: []wantTable{decomposedTable("model.encoder.layers.0.attention.", 56, 28)},
		},
		{
			arch: "MViTv2", tensors: decomposed("blocks.0.attn.", 56, 56), beside: []storedTensor{numbers("blocks.0.attn.pool_q.weight", 4, 1, 3, 3)},
			want: []wantTable{decomposedTable("blocks.0.attn.", 56, 56)},
		},
		{
			arch: "ViViT", tensors: []storedTensor{numbers("vivit."+hf, 1, 3137, 4)}, beside: []storedTensor{numbers("vivit.embeddings.cls_token", 1, 1, 4)}, meta: ofType("vivit"),
			want: []wantTable{{name: "vivit." + hf, kind: KindAbsolute, positions: 3136, reserved: 1, grid: Grid{14, 14}, frames: 16}},
		},
		{
			arch: "TimeSformer", tensors: []storedTensor{numbers("timesformer."+hf, 1, 197, 4), numbers("timesformer.embeddings.time_embeddings", 1, 8, 4)},
			beside: []storedTensor{numbers("timesformer.embeddings.cls_token", 1, 1, 4)}, meta: ofType("timesformer"),
			want: []wantTable{gridTable("timesformer."+hf, 14, 14, 1), absoluteTable("timesformer.embeddings.time_embeddings", 8, 0)},
		},
		separableRow("DETR", "backbone.1.row_embed.weight", "backbone.1.col_embed.weight", nil, numbers("query_embed.weight", 100, 6)),
		separableRow("DETR HF", "model.backbone.position_embedding.row_embeddings.weight", "model.backbone.position_embedding.column_embeddings.weight", ofType("detr"), numbers("model.query_position_embeddings.weight", 100, 6)),
		separableRow("Florence-2 image", "image_pos_embed.row_embeddings.weight", "image_pos_embed.column_embeddings.weight", ofType("florence2"), numbers("image_projection", 6, 4)),
		{
			arch: "GGUF vision", tensors: []storedTensor{numbers("v.position_embd.weight", 256, 4)}, beside: []storedTensor{numbers("v.patch_embd.weight", 4, 3, 14, 14), numbers("v.blk.0.attn_q.weight", 4, 4)},
			want: []wantTable{gridTable("v.position_embd.weight", 16, 16, 0)},
		},
		{
			arch: "GGUF vision with a class token", tensors: []storedTensor{numbers("v.position_embd.weight", 577, 4)}, beside: []storedTensor{numbers("v.class_embd", 4)},
			want: []wantTable{gridTable("v.position_embd.weight", 24, 24, 1)},
		},
	}
}

// yolos has a class token in front and 100 detection tokens behind, in the table of
// the input and in those of the layers. The cells, 32 x 54 here, are no square.
func yolos() modelRow {
	const layers, rows = 11, 1 + 32*54 + 100
	const name, mid = "vit.embeddings.position_embeddings", "vit.encoder.mid_position_embeddings"
	m := modelRow{
		arch: "YOLOS", tensors: []storedTensor{numbers(name, 1, rows, 4), numbers(mid, layers, 1, rows, 4)}, meta: ofType("yolos"),
		beside: []storedTensor{numbers("vit.embeddings.detection_tokens", 1, 100, 4), numbers("vit.embeddings.cls_token", 1, 1, 4)},
		want:   []wantTable{{name: name, kind: KindAbsolute, positions: 32 * 54, reserved: 1, suffix: 100, anyGrid: true}},
	}
	for i := range layers {
		m.want = append(m.want, wantTable{name: fmt.Sprintf("%s[%d]", mid, i), kind: KindAbsolute, positions: 32 * 54, reserved: 1, suffix: 100, anyGrid: true, base: i * rows * 4})
	}
	return m
}

// sam has one image of vectors, stored with the width last, and offsets along each
// axis in every layer: of the window of 14 in most, of the whole image in some.
func sam(arch, table, layer string, meta map[string]string) modelRow {
	window, global := fmt.Sprintf(layer, 0), fmt.Sprintf(layer, 2)
	return modelRow{
		arch: arch, meta: meta,
		tensors: slices.Concat([]storedTensor{numbers(table, 1, 64, 64, 4)}, decomposed(window, 14, 14), decomposed(global, 64, 64)),
		beside:  []storedTensor{numbers(window+"qkv.weight", 12, 4), numbers("prompt_encoder.pe_layer.positional_encoding_gaussian_matrix", 2, 128)},
		want:    []wantTable{gridTable(table, 64, 64, 0), decomposedTable(window, 14, 14), decomposedTable(global, 64, 64)},
	}
}

// decomposed are the two tensors of vectors along the axes of an image.
func decomposed(layer string, h, w int) []storedTensor {
	return []storedTensor{numbers(layer+"rel_pos_h", 2*h-1, 4), numbers(layer+"rel_pos_w", 2*w-1, 4)}
}

// decomposedTable is the one table that they make; row = query - key + S-1.
func decomposedTable(layer string, h, w int) wantTable {
	return wantTable{
		name: layer + "rel_pos_h", kind: KindVectors, axes: [][2]int{{1 - h, h - 1}, {1 - w, w - 1}},
		dy:    func(q, k int) int { return q - k + h - 1 },
		dx:    func(q, k int) int { return q - k + w - 1 },
		check: alongAxes(h, w, func(o, s int) int { return s - 1 - o }),
	}
}

// alongAxes checks which entries the two stored tensors give the offsets -(s-1)..s-1.
func alongAxes(h, w int, entry func(offset, s int) int) func(*testing.T, Table) {
	return func(t *testing.T, table Table) {
		stored := table.Storage()
		if len(stored) != 2 || stored[0].Axis != 0 || stored[1].Axis != 1 {
			t.Errorf("%s: stored as %+v", table.From().Tensor, stored)
			return
		}
		for axis, s := range []int{h, w} {
			for i, got := range stored[axis].At {
				if want := entry(i-(s-1), s); got != want || len(stored[axis].At) != 2*s-1 || stored[axis].Count != 2*s-1 {
					t.Errorf("%s: offset %d is said to be entry %d of %d, want %d", stored[axis].Tensor, i-(s-1), got, stored[axis].Count, want)
					return
				}
			}
		}
	}
}

// separable has a vector a row of the image and one a column, side by side in each
// cell's.
func separableRow(arch, rows, cols string, meta map[string]string, beside storedTensor) modelRow {
	const n, half = 50, 3
	column := func(i int) float64 { return -float64(i + 1) }
	return modelRow{
		arch: arch, meta: meta, tensors: []storedTensor{numbers(rows, n, half), numbers(cols, n, half).filled(column)}, beside: []storedTensor{beside, numbers("class_embed.weight", 92, 6)},
		want: []wantTable{{
			name: rows, kind: KindAbsolute, positions: n * n, grid: Grid{n, n}, computed: true,
			check: func(t *testing.T, table Table) {
				a := table.(*Absolute)
				for p := range n * n {
					want := make([]float64, 0, 2*half)
					for j := range half {
						want = append(want, float64(p/n*half+j+1), column(p%n*half+j))
					}
					got := slices.Sorted(slices.Values(a.Table.RawRowView(p)))
					if slices.Sort(want); !slices.Equal(got, want) {
						t.Errorf("%s: cell (%d, %d) is %v, want %v in any order", rows, p/n, p%n, got, want)
						return
					}
				}
				if s := a.Stored; len(s) != 2 || s[0].Axis != 0 || s[1].Axis != 1 || len(s[0].At) != n || s[0].At[7] != 7 || s[1].At[49] != 49 {
					t.Errorf("%s: stored as %+v", rows, s)
				}
			},
		}},
	}
}

// axialRows checks positions p that are row p/b of one tensor, 1, 2, ..., beside
// row p%b of another, -1, -2, ...
func axialRows(b, d0, d1 int) func(*testing.T, Table) {
	return func(t *testing.T, table Table) {
		m := table.(*Absolute).Table
		n, d := m.Dims()
		if d != d0+d1 {
			t.Errorf("%d components, want %d + %d", d, d0, d1)
			return
		}
		for p := range n {
			for j := range d {
				want := float64(p/b*d0 + j + 1)
				if j >= d0 {
					want = -float64(p%b*d1 + j - d0 + 1)
				}
				if got := m.At(p, j); got != want {
					t.Errorf("position %d, component %d is %v, want %v", p, j, got, want)
					return
				}
			}
		}
	}
}

// windowed has a small image that is stretched over the whole and a window of 8 x 8
// that is laid over it again and again; the table is their sum. Here the image is
// constant, which stretching keeps.
func windowed(arch, whole, window string) modelRow {
	const side, d, step = 14, 2, 8
	return modelRow{
		arch: arch,
		tensors: []storedTensor{
			numbers(whole, 1, d, side, side).filled(func(i int) float64 { return float64(1000 * (1 + i/(side*side))) }),
			numbers(window, 1, d, step, step).filled(func(i int) float64 { return float64(i) }),
		},
		beside: []storedTensor{numbers("trunk.blocks.0.attn.qkv.weight", 12, 4), numbers("trunk.patch_embed.proj.weight", 4, 3, 7, 7)},
		want: []wantTable{{
			name: whole, kind: KindAbsolute, computed: true, anyGrid: true, positions: -1, opt: ReadOptions{Grid: &Grid{16, 24}}, // as large as the caller says
			check: func(t *testing.T, table Table) {
				a := table.(*Absolute)
				n, _ := a.Table.Dims()
				if g := a.Grid; g.Rows < side || g.Rows%step != 0 || g.Cols%step != 0 || n != g.Rows*g.Cols || a.Reserved != 0 {
					t.Errorf("%s: %+v of %d positions, no multiple of the window", whole, g, n)
					return
				}
				for p := range n {
					y, x := p/a.Grid.Cols, p%a.Grid.Cols
					for j := range d {
						want := float64(1000*(1+j) + j*step*step + y%step*step + x%step)
						if got := a.Table.At(p, j); math.Abs(got-want) > 1e-6 {
							t.Errorf("%s: cell (%d, %d), component %d is %v, want %v", whole, y, x, j, got, want)
							return
						}
					}
				}
			},
		}},
	}
}
