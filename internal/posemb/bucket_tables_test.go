package posemb

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// float32Bucket is the rule in float32, as PyTorch and TensorFlow compute it.
func float32Bucket(k, buckets, far int, both bool) int {
	base, n := 0, -k
	if both {
		if buckets /= 2; k > 0 {
			base, n = buckets, k
		}
	}
	n = max(n, 0)
	exact := buckets / 2
	if n < exact {
		return base + n
	}
	log := float32(math.Log(float64(float32(n) / float32(exact))))
	scaled := log / float32(math.Log(float64(far)/float64(exact))) * float32(buckets-exact)
	return base + min(buckets-1, exact+int(scaled))
}

// Every released rule agrees with float32 on every offset up to twice its largest.
func TestBucketsInFloat32(t *testing.T) {
	for _, r := range []BucketRule{
		{T5Both, 32, 128}, {T5Causal, 32, 128}, {T5Both, 320, 800}, {T5Both, 64, 256}, {T5Both, 32, 100}, {T5Both, 512, 2048}, {T5Both, 256, 2048},
	} {
		for k := -2 * r.MaxDistance; k <= 2*r.MaxDistance; k++ {
			if got, want := r.Bucket(k), float32Bucket(k, r.Buckets, r.MaxDistance, r.Name == T5Both); got != want {
				t.Errorf("%+v: offset %d has bucket %d, want %d", r, k, got, want)
			}
		}
	}
}

// Which rule each family's table is read by, and along what.
func TestBucketFamilies(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape []int
		meta  [2]string
		arch  string
		axis  string
		heads int
		count int    // of Stored
		note  string // of the rule
		layer int
	}{
		{"encoder.relative_bias.biases.0.relative_attention_bias.weight", []int{32, 4}, [2]string{}, "UDOP", "offset -128..128", 4, 32, "both directions, the last from distance 91", -1},
		{"encoder.relative_bias.biases.1.relative_attention_bias.weight", []int{32, 4}, [2]string{}, "UDOP 2-D", "dx -100..100", 4, 32, "hundredths of the page", -1},
		{"encoder.relative_bias.biases.2.relative_attention_bias.weight", []int{32, 4}, [2]string{}, "UDOP 2-D", "dy -100..100", 4, 32, "both directions", -1},
		{"layoutlmv2.encoder.rel_pos_x_bias.weight", []int{4, 64}, [2]string{}, "LayoutLM 2-D", "dx -256..256", 4, 64, "the last from distance 216", -1},
		{"layoutlmv2.encoder.rel_pos_y_bias.weight", []int{4, 64}, [2]string{"config.max_rel_2d_pos", "200"}, "LayoutLM 2-D", "dy -200..200", 4, 64, "thousandths", -1},
		{"layoutlmv2.encoder.rel_pos_bias.weight", []int{4, 32}, [2]string{"config.max_rel_2d_pos", "200"}, "LayoutLM", "offset -128..128", 4, 32, "both directions", -1},
		{"mpnet.encoder.relative_attention_bias.weight", []int{32, 12}, [2]string{}, "MPNet bias", "offset -128..128", 12, 32, "all layers share", -1},
		{"decoder.sentence_encoder.relative_attention_bias.weight", []int{32, 12}, [2]string{}, "MPNet bias", "offset -128..128", 12, 32, "both directions", -1},
		{"encoder.block.7.layer.0.SelfAttention.relative_attention_bias.weight", []int{32, 6}, [2]string{}, "T5", "offset -128..128", 6, 32, "both directions", 7},
		{"decoder.block.7.layer.0.SelfAttention.relative_attention_bias.weight", []int{32, 6}, [2]string{}, "T5", "offset -128..0", 6, 32, "looking back only, the last from distance 113", 7},
		{"encoder.block.0.layer.0.LocalSelfAttention.relative_attention_bias.weight", []int{32, 6}, [2]string{}, "T5", "offset -128..128", 6, 32, "both directions", 0},
		{"encoder.block.0.layer.0.TransientGlobalSelfAttention.global_relative_attention_bias.weight", []int{32, 6}, [2]string{}, "LongT5 global", "offset -128..128", 6, 32, "blocks of tokens", 0},
		{"decoder.layer.0.self_attention.attention.relative_attention_bias.weight", []int{32, 6}, [2]string{}, "T5", "offset -128..0", 6, 32, "looking back only", 0},
		{"enc.blk.0.attn_rel_b.weight", []int{32, 6}, [2]string{"t5.attention.relative_buckets_count", "32"}, "GGUF T5", "offset -128..128", 6, 32, "both directions", 0},
		{"dec.blk.0.attn_rel_b.weight", []int{8, 32}, [2]string{"t5.attention.relative_buckets_count", "8"}, "GGUF T5", "offset -128..0", 32, 8, "8 buckets by the T5 rule, looking back only", 0},
		{"encoder.layers.0.self_attn.relative_attention_bias.weight", []int{320, 6}, [2]string{}, "WavLM", "offset -800..800", 6, 320, "before the gate", 0},
		{"encoder.layers.0.attention.rel_attn_embed.weight", []int{320, 6}, [2]string{"max_bucket_distance", "400"}, "WavLM", "offset -400..400", 6, 320, "both directions", 0},
	} {
		m := (&memory{}).with(c.name, c.shape...).saying("general.architecture", "t5")
		if c.meta[0] != "" {
			m.saying(c.meta[0], c.meta[1])
		}
		found := Detect(m)
		if len(found) != 1 || found[0].Arch != c.arch || found[0].Layer != c.layer {
			t.Errorf("%s: detected %+v", c.name, found)
			continue
		}
		b := mustLoad(t, m, ReadOptions{}).(*Bias)
		x := b.Axes[0]
		if got := fmt.Sprintf("%s %d..%d", x.Name, x.Min, x.Max); got != c.axis || len(b.Heads) != c.heads || b.Stored[0].Count != c.count {
			t.Errorf("%s: %s of %d heads, %d stored; want %s of %d, %d", c.name, got, len(b.Heads), b.Stored[0].Count, c.axis, c.heads, c.count)
		}
		if !told(b.Notes, c.note) {
			t.Errorf("%s: notes %q, want %q", c.name, b.Notes, c.note)
		}
		rule := BucketRule{T5Both, c.count, max(x.Max, -x.Min)}
		if x.Max == 0 {
			rule.Name = T5Causal
		}
		for i := range x.Len() {
			if got, want := b.Stored[0].At[i], rule.Bucket(x.Min+i); got != want {
				t.Fatalf("%s: offset %d has bucket %d, want %d", c.name, x.Min+i, got, want)
			}
		}
	}
}

// TUPE's 33 rows: 32 buckets, of which 16 and the row behind serve [CLS].
func TestClassBuckets(t *testing.T) {
	const name = "decoder.sentence_encoder.relative_attention_bias.weight"
	for _, beside := range []string{"decoder.sentence_encoder.pos_q_linear.weight", "decoder.sentence_encoder.pos_proj.weight", "other"} {
		m := (&memory{}).with(name, 33, 2).with(beside, 1)
		b := mustLoad(t, m, ReadOptions{}).(*Bias)
		s := b.Stored[0]
		if b.Arch != "TUPE bias" || s.Count != 33 || len(b.Unused) > 0 || len(s.Other) != 2 || s.Other[16] != "from [CLS] to a token, and to itself" || s.Other[32] != "from a token to [CLS]" {
			t.Errorf("%s: unused %v, stored %+v", b.Arch, b.Unused, s)
		}
		if !told(b.Notes, "bucket 16 is from [CLS] to any token, row 32 from any token to [CLS]") || told(b.Notes, "used by no offset") {
			t.Errorf("notes %q", b.Notes)
		}
		for k, bucket := range map[int]int{0: 0, -1: 1, 1: 17, -91: 15, 91: 31} {
			if got := b.Scores.At(128+k, 1); got != float64(2*bucket+2) {
				t.Errorf("offset %d: %v, want bucket %d", k, got, bucket)
			}
		}
	}
	// 32 rows beside TUPE's projections have none for [CLS].
	b := mustLoad(t, (&memory{}).with(name, 32, 2).with("decoder.sentence_encoder.pos_q_linear.weight", 1), ReadOptions{}).(*Bias)
	if b.Arch != "TUPE bias" || !slices.Equal(b.Unused, []int{16}) || len(b.Stored[0].Other) > 0 {
		t.Errorf("%s: unused %v, stored %+v", b.Arch, b.Unused, b.Stored[0].Other)
	}
}

// CPM's rows behind the buckets are pairs or relations of segments.
func TestSegmentBuckets(t *testing.T) {
	const name = "cpmant.position_bias.relative_attention_bias"
	for _, c := range []struct {
		rows    int
		meta    map[string]string
		arch    string
		buckets int
		far     int
		other   map[int]string
	}{
		{512 + 32*32, nil, "CPM-Ant", 512, 2048, map[int]string{512: "segment 0 with itself", 513: "from segment 0 to segment 1", 512 + 32: "from segment 1 to segment 0", 1535: "segment 31 with itself"}},
		{512 + 10, nil, "CPM-Ant", 512, 2048, map[int]string{512: "relation 1 of two segments", 521: "relation 10"}},
		{512, nil, "CPM-Bee", 256, 2048, map[int]string{256: "relation 1 of two segments", 511: "relation 256"}},
		{32 + 4, map[string]string{"position_bias_num_buckets": "32", "position_bias_max_distance": "128"}, "CPM-Ant", 32, 128, map[int]string{33: "from segment 0 to segment 1"}},
		{768, map[string]string{"model_type": "cpmbee", "config.position_bias_num_buckets": "256"}, "CPM-Bee", 256, 2048, map[int]string{256: "relation 1"}},
		{100, nil, "CPM-Ant", 100, 2048, nil},
	} {
		m := (&memory{}).with(name, c.rows, 2)
		for k, v := range c.meta {
			m.saying(k, v)
		}
		b := mustLoad(t, m, ReadOptions{}).(*Bias)
		s := b.Stored[0]
		if b.Arch != c.arch || b.Axes[0].Max != c.far || b.Axes[0].Min != -c.far || s.Count != c.rows || len(s.Other) != c.rows-c.buckets {
			t.Errorf("%d rows (%s): axis %+v, %d stored, %d others", c.rows, b.Arch, b.Axes[0], s.Count, len(s.Other))
		}
		for row, want := range c.other {
			if !strings.HasPrefix(s.Other[row], want) {
				t.Errorf("%d rows: row %d is %q, want %q", c.rows, row, s.Other[row], want)
			}
		}
		if c.rows > c.buckets && !told(b.Notes, fmt.Sprintf("%d rows behind the buckets", c.rows-c.buckets)) {
			t.Errorf("%d rows: notes %q", c.rows, b.Notes)
		}
		rule := BucketRule{T5Both, c.buckets, c.far}
		for k := -c.far; k <= c.far; k++ {
			if got, want := b.Scores.At(c.far+k, 1), float64(2*rule.Bucket(k)+2); got != want {
				t.Fatalf("%d rows: offset %d: %v, want %v", c.rows, k, got, want)
			}
		}
	}
}
