package posemb

import "testing"

const (
	hfBias  = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight" // buckets x heads
	t5xBias = "target/encoder/relpos_bias/rel_embedding"                             // heads x buckets
)

// Which dimension of a bias the buckets are: as the name says, unless the shape
// speaks against it.
func TestOrientation(t *testing.T) {
	for _, c := range []struct {
		what       string
		name       string
		rows, cols int
		meta       map[string]string
		opt        ReadOptions
		turned     bool // the columns are buckets
		note       string
	}{
		{"HF as named", hfBias, 32, 12, nil, ReadOptions{}, false, ""},
		{"HF turned", hfBias, 12, 32, nil, ReadOptions{}, true, "12 x 32 is read as heads x buckets, the reverse of what T5 stores: the numbers of buckets in released models are 32, 64 and 320"},
		{"T5X as named", t5xBias, 12, 32, nil, ReadOptions{}, true, ""},
		{"T5X turned", t5xBias, 32, 12, nil, ReadOptions{}, false, "32 x 12 is read as buckets x heads, the reverse of what T5X stores"},
		{"square", hfBias, 32, 32, nil, ReadOptions{}, false, "32 x 32 fits both ways and is read as buckets x heads, as T5 stores it; --axes heads,buckets turns it"},
		{"square of T5X", t5xBias, 32, 32, nil, ReadOptions{}, true, "read as heads x buckets, as T5X stores it; --axes buckets,heads turns it"},
		{"64 heads", hfBias, 32, 64, nil, ReadOptions{}, false, ""},
		{"neither is usual", hfBias, 48, 12, nil, ReadOptions{}, false, ""},
		{"heads agree", hfBias, 12, 32, map[string]string{"config.num_heads": "12"}, ReadOptions{}, true, "the reverse"},
		{"heads disagree", hfBias, 12, 32, map[string]string{"config.num_heads": "32"}, ReadOptions{}, false, ""},
		{"the configuration's buckets", hfBias, 12, 48, map[string]string{"config.relative_attention_num_buckets": "48"}, ReadOptions{}, true, "its configuration has 48 buckets"},
		{"the configuration against the usual", hfBias, 16, 32, map[string]string{"config.relative_attention_num_buckets": "16"}, ReadOptions{}, false, ""},
		{"asked for", hfBias, 12, 48, nil, ReadOptions{Buckets: &BucketRule{Buckets: 48}}, true, "48 buckets are asked for"},
		{"axes", hfBias, 12, 32, nil, ReadOptions{Axes: []string{"buckets", "heads"}}, false, "dimensions are taken as buckets x heads"},
		{"axes of a square", hfBias, 32, 32, nil, ReadOptions{Axes: []string{"heads", "buckets"}}, true, "dimensions are taken as heads x buckets"},
		{"TUPE turned", "relative_attention_bias.weight", 12, 33, nil, ReadOptions{}, true, "it has 32 buckets"},
		{"CPM turned", "position_bias.relative_attention_bias", 4, 516, nil, ReadOptions{}, true, "it has 512 buckets"},
	} {
		m := (&memory{}).with(c.name, c.rows, c.cols)
		if c.what == "TUPE turned" {
			m.with("pos_q_linear.weight", 1)
		}
		for k, v := range c.meta {
			m.saying(k, v)
		}
		b := mustLoad(t, m, c.opt).(*Bias)
		n, heads := c.rows, c.cols
		if c.turned {
			n, heads = heads, n
		}
		if len(b.Heads) != heads || b.Stored[0].Count != n {
			t.Errorf("%s: %d heads, %d stored; want %d, %d", c.what, len(b.Heads), b.Stored[0].Count, heads, n)
			continue
		}
		if c.note != "" && !told(b.Notes, c.note) || c.note == "" && (told(b.Notes, "reverse") || told(b.Notes, "both ways")) {
			t.Errorf("%s: notes %q, want %q", c.what, b.Notes, c.note)
		}
		for i, at := range b.Stored[0].At {
			want := at*c.cols + 2 // of head 1
			if c.turned {
				want = c.cols + at + 1
			}
			if got := b.Scores.At(i, 1); got != float64(want) {
				t.Fatalf("%s: bucket %d of head 1 is %v, want %d", c.what, at, got, want)
			}
		}
	}
}

// A matrix without a name says by its shape alone which dimension the buckets are.
func TestBareBuckets(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		opt        ReadOptions
		heads      int
		kind       string // of the error
		text       string
	}{
		{16, 4, ReadOptions{Buckets: &BucketRule{T5Both, 16, 128}}, 4, "", ""},
		{4, 16, ReadOptions{Buckets: &BucketRule{T5Both, 16, 128}}, 4, "", "4 x 16 is read as heads x buckets: 16 buckets are asked for"},
		{16, 16, ReadOptions{Buckets: &BucketRule{T5Both, 16, 128}}, 0, Ambiguous, "--axes buckets,heads or --axes heads,buckets"},
		{16, 16, ReadOptions{Buckets: &BucketRule{T5Both, 16, 128}, Axes: []string{"heads", "buckets"}}, 16, "", "heads x buckets"},
		{8, 4, ReadOptions{Buckets: &BucketRule{T5Both, 16, 128}}, 0, BadOption, "16 buckets asked for, but the table is 8 x 4"},
		{8, 16, ReadOptions{Buckets: &BucketRule{T5Both, 16, 128}, Axes: []string{"buckets", "heads"}}, 0, BadOption, "16 buckets asked for, but the table has 8"},
		{64, 4, ReadOptions{Buckets: &BucketRule{}}, 4, "", ""},
		{4, 320, ReadOptions{Buckets: &BucketRule{}}, 4, "", "heads x buckets"},
		{64, 32, ReadOptions{Buckets: &BucketRule{}}, 0, Ambiguous, "both dimensions may be the buckets"},
		{12, 4, ReadOptions{Buckets: &BucketRule{}}, 0, Ambiguous, "12 x 4: neither number is one of buckets"},
	} {
		table, err := loadOnly(t, (&memory{}).with("x", c.rows, c.cols), c.opt)
		if c.kind != "" {
			wantFault(t, err, c.kind, c.text)
			continue
		}
		if err != nil {
			t.Errorf("%d x %d: %v", c.rows, c.cols, err)
			continue
		}
		if b := table.(*Bias); len(b.Heads) != c.heads || c.text != "" && !told(b.Notes, c.text) {
			t.Errorf("%d x %d: %d heads, notes %q", c.rows, c.cols, len(b.Heads), b.Notes)
		}
	}
}
