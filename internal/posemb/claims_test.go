package posemb

import "testing"

// What a file claims of heads and distances lays out no more than a table can have;
// what the caller asks for may be more.
func TestClaimsLayOutLittle(t *testing.T) {
	buckets := func(heads int) *memory { return (&memory{}).with("encoder.relative_attention_bias.weight", 4, heads) }
	xl := func() *memory { // 70000 heads of one component
		return (&memory{}).with("layer.0.rel_attn.r", 2, 70_000, 1).with("layer.0.rel_attn.r_r_bias", 70_000, 1)
	}
	for name, c := range map[string]struct {
		m    *memory
		opt  ReadOptions
		says []string // of the error; nil: none
	}{
		"distance":         {buckets(9).saying("config.relative_attention_max_distance", "1000000"), ReadOptions{}, []string{"too many", "--buckets t5,4,MAX"}},
		"distance of few":  {buckets(1).saying("config.relative_attention_max_distance", "1000000"), ReadOptions{}, nil},
		"distance, asked":  {buckets(9), ReadOptions{Buckets: &BucketRule{T5Both, 4, 1_000_000}}, nil},
		"a smaller, asked": {buckets(9).saying("config.relative_attention_max_distance", "1000000"), ReadOptions{Buckets: &BucketRule{T5Both, 4, 20}}, nil},
		"heads":            {buckets(70_000), ReadOptions{}, []string{"70000 heads are too many", "--buckets"}},
		"heads, asked":     {buckets(70_000), ReadOptions{Buckets: &BucketRule{T5Both, 4, 8}}, nil},
		"sinusoid":         {xl(), ReadOptions{}, []string{"too many", "--offsets A:B"}},
		"sinusoid, asked":  {xl(), ReadOptions{Offsets: &Range{-1, 2}}, nil},
		"log buckets": {(&memory{}).with("encoder.rel_embeddings.weight", 512, 9).saying("config.model_type", "deberta-v2").saying("config.max_relative_positions", "1000000"),
			ReadOptions{}, []string{"offsets up to 999999 of 9 components are too many"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := loadOnly(t, c.m, c.opt)
			if c.says == nil {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			wantFault(t, err, BadOption, c.says...)
		})
	}
}

// Words for dimensions that another kind of table has are an error, not a note beside
// a table that was read without them.
func TestAxesOfAnotherKind(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape []int
		axes  []string
		says  string // empty: it is read
	}{
		{"attn.relative_position_bias_table", []int{9, 2}, []string{"positions", "width"}, "is absolute, but Swin is bias"},
		{"attn.relative_position_bias_table", []int{9, 2}, []string{"offsets", "width"}, "is vectors, but Swin is bias"},
		{"attn.relative_position_bias_table", []int{3, 9}, []string{"heads", "offsets"}, ""},
		{"relative_positions_keys", []int{9, 4}, []string{"offsets", "heads"}, "axes offsets,heads are of a table that is bias, but T2T is vectors"},
		{"relative_positions_keys", []int{4, 9}, []string{"width", "offsets"}, ""},
		{"wpe.weight", []int{9, 4}, []string{"buckets", "heads"}, "is bias, but GPT-2 is absolute"},
		{"wpe.weight", []int{4, 9}, []string{"width", "positions"}, ""},
	} {
		_, err := loadOnly(t, (&memory{}).with(c.name, c.shape...), ReadOptions{Axes: c.axes})
		if c.says != "" {
			wantFault(t, err, BadOption, c.says, "leave --axes out")
		} else if err != nil {
			t.Errorf("%s as %v: %v", c.name, c.axes, err)
		}
	}
}

// Of a tensor of very many layers the first are tables, which is told.
func TestLayersLeftOut(t *testing.T) {
	for layers, left := range map[int]bool{mostItems: false, mostItems + 1: true} {
		m := (&memory{}).with("r_emb", layers, 2, 1, 1).with("r_bias", layers, 2, 1)
		match, err := one(m, "r_bias[1023]", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		table, err := Load(t.Context(), m, match, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := told(table.Remarks(), "holds 1025 layers, of which the first 1024 are read"); got != left {
			t.Errorf("%d layers: told is %t: %q", layers, got, table.Remarks())
		}
	}
}
