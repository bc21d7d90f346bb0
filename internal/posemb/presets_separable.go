package posemb

// separablePresets are absolute tables of which two tensors make one.
var separablePresets = []Preset{
	{
		Arch: "DETR learned", Also: []string{"Florence-2 image", "Conditional DETR", "Deformable DETR"}, Kind: KindAbsolute, Read: readSeparable,
		Parts: []Pattern{"row_embed.weight|row_embeddings.weight", "col_embed.weight|column_embeddings.weight"},
		Doc:   "two tables of half the width: the vector at (row, column) is row `column` of col_embed, then row `row` of row_embed",
		Ref:   "facebookresearch/detr, models/position_encoding.py (PositionEmbeddingLearned)",
	},
	{
		Arch: "Reformer axial", Also: []string{"Reformer"}, Kind: KindAbsolute, Read: readAxial,
		Parts: []Pattern{"position_embeddings.weights.0", "position_embeddings.weights.1"}, Fits: not(beside("position_embeddings.weights.2")),
		Doc: "weights.0 is [a, 1, d0], weights.1 [1, b, d1]: position p is row p / b of the first, then row p % b of the second",
		Ref: "transformers, modeling_reformer.py (AxialPositionEmbeddings)",
	},
	{
		Arch: "DETR axis", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"row_embed.weight|row_embeddings.weight|col_embed.weight|column_embeddings.weight"}, Fits: dims(2),
		Remark: "one axis of an image: its vectors are half of those that the model adds",
		Doc:    "row = row or column of an image, where the table of the other axis is not there", Ref: "facebookresearch/detr, models/position_encoding.py (PositionEmbeddingLearned)",
	},
	{
		Arch: "Reformer axis", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"position_embeddings.weights.0|position_embeddings.weights.1"}, Fits: not(beside("position_embeddings.weights.2")),
		Remark: "one axis of axial positions: its vectors are a part of those that the model adds",
		Doc:    "row = place on one axis, where the table of the other is not there", Ref: "transformers, modeling_reformer.py (AxialPositionEmbeddings)",
	},
}
