package posemb

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// xlCase is one family's storage of a projection and of the learned vectors.
type xlCase struct {
	arch, name, vector string
	shape              func(heads, width, d int) []int
	at                 func(h, k, j, heads, width, d int) int // element of W for head h, its component k, component j of R
	turns              bool                                   // sines and cosines in turn
	back               bool                                   // looks back only
}

var (
	outFirst  = func(h, k, j, _, width, d int) int { return (h*width+k)*d + j }
	outLast   = func(h, k, j, heads, width, _ int) int { return j*heads*width + h*width + k }
	outByIn   = func(heads, width, d int) []int { return []int{heads * width, d} }
	inByOut   = func(heads, width, d int) []int { return []int{d, heads * width} }
	inByHeads = func(heads, width, d int) []int { return []int{d, heads, width} }
)

var xlCases = []xlCase{
	{"Transformer-XL", "transformer.layers.3.dec_attn.r_net.weight", "transformer.layers.3.dec_attn.r_r_bias", outByIn, outFirst, false, true},
	{"Transformer-XL", "transformer.layers.3.dec_attn.r_net.weight", "transformer.r_r_bias", outByIn, outFirst, false, true},
	{"Transformer-XL", "layers.3.dec_attn.r_net.weight", "r_r_bias", outByIn, outFirst, false, true},
	{"Transformer-XL", "transformer/layer_3/rel_attn/r/kernel", "transformer/r_r_bias", inByOut, outLast, false, true},
	{"XLNet", "transformer.layer.3.rel_attn.r", "transformer.layer.3.rel_attn.r_r_bias", inByHeads, outLast, false, false},
	{"XLNet", "model/transformer/layer_3/rel_attn/r/kernel", "model/transformer/r_r_bias", inByHeads, outLast, false, false},
	{"Funnel", "funnel.encoder.blocks.3.0.attention.r_kernel", "funnel.encoder.blocks.3.0.attention.r_r_bias", inByHeads, outLast, false, false},
	{"Conformer", "wav2vec2_conformer.encoder.layers.3.self_attn.linear_pos.weight", "wav2vec2_conformer.encoder.layers.3.self_attn.pos_bias_v", outByIn, outFirst, true, false},
	{"Conformer", "encoder.layers.3.self_attn.relative_k_proj.weight", "encoder.layers.3.self_attn.bias_v", outByIn, outFirst, true, false},
}

// model makes a source of the case's two tensors.
func (c xlCase) model(heads, width, d int, w func(h, k, j int) float64, v func(h, k int) float64) *memory {
	data, vector := make([]float64, heads*width*d), make([]float64, heads*width)
	for h := range heads {
		for k := range width {
			vector[h*width+k] = v(h, k)
			for j := range d {
				data[c.at(h, k, j, heads, width, d)] = w(h, k, j)
			}
		}
	}
	return (&memory{}).holding(c.name, data, c.shape(heads, width, d)...).holding(c.vector, vector, heads, width)
}

// A head whose bias is the sum of cos(w(i) (query - key - 1)) attends to the token
// before the query, and the sum is its closed form.
func TestSinusoidAttendsToPreviousToken(t *testing.T) {
	const heads, width, d = 2, 3, 64
	w := func(i int) float64 { return math.Pow(10000, -2*float64(i)/d) }
	for _, c := range xlCases {
		t.Run(c.name+" "+c.vector, func(t *testing.T) {
			through := make([]float64, d)
			for i := range d / 2 {
				sin, cos := i, d/2+i
				if c.turns {
					sin, cos = 2*i, 2*i+1
				}
				through[sin], through[cos] = math.Sin(w(i)), math.Cos(w(i))
			}
			m := c.model(heads, width, d, func(h, k, j int) float64 {
				if h == 1 {
					return float64(k - j)
				}
				return []float64{2 * through[j], float64(j), float64(j)}[k]
			}, func(h, k int) float64 { return []float64{0.5, 1, -1}[k] })
			found := Detect(m)
			if len(found) != 1 || found[0].Arch != c.arch || found[0].Layer != 3 || found[0].Kind != KindBias || found[0].Info.Name != c.name {
				t.Fatalf("detected %+v, want %s of layer 3", found, c.arch)
			}
			b := mustLoad(t, m, ReadOptions{}).(*Bias)
			if at := peak(t, b); at[0] != -1 {
				t.Errorf("peaks at %v", at)
			}
			want := Axis{"offset", -128, 128, BeyondEndless}
			if c.back {
				want.Max = 0
			}
			if b.Axes[0] != want || b.Storage() != nil || !slices.Equal(b.Heads, []string{"0", "1"}) {
				t.Fatalf("axis %+v, heads %v, stored %v", b.Axes[0], b.Heads, b.Stored)
			}
			for k := range b.Axes[0].Len() {
				want := 0.0
				for i := range d / 2 {
					want += math.Cos(w(i) * float64(-(b.Axes[0].Min+k)-1))
				}
				if got := b.Scores.At(k, 0); math.Abs(got-want) > 1e-11 {
					t.Errorf("offset %d: %v, want %v", b.Axes[0].Min+k, got, want)
				}
			}
			if !told(b.Notes, "no extent is stored: the offsets -128..") || !told(b.Notes, "before the scale 1/sqrt(3)") {
				t.Errorf("notes %q", b.Notes)
			}
		})
	}
}

// The bias of every pair of a query and a key, as a model computes it: R of their
// distance through the projection, head by head, then times the learned vector.
func TestSinusoidOfEveryPair(t *testing.T) {
	const heads, width, d, n = 3, 4, 10, 12
	for _, c := range xlCases {
		t.Run(c.name+" "+c.vector, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, 2))
			var w [heads][width][d]float64
			var v [heads][width]float64
			for h := range heads {
				for k := range width {
					v[h][k] = rnd.NormFloat64()
					for j := range d {
						w[h][k][j] = rnd.NormFloat64()
					}
				}
			}
			m := c.model(heads, width, d, func(h, k, j int) float64 { return w[h][k][j] }, func(h, k int) float64 { return v[h][k] })
			b := mustLoad(t, m, ReadOptions{}).(*Bias)
			for query := range n {
				for key := range n {
					if c.back && key > query {
						continue
					}
					var r [d]float64
					for i := range d / 2 {
						angle := float64(query-key) / math.Pow(10000, float64(2*i)/d)
						if c.turns {
							r[2*i], r[2*i+1] = math.Sin(angle), math.Cos(angle)
						} else {
							r[i], r[d/2+i] = math.Sin(angle), math.Cos(angle)
						}
					}
					for h := range heads {
						want := 0.0
						for k := range width {
							behind := 0.0
							for j := range d {
								behind += w[h][k][j] * r[j]
							}
							want += v[h][k] * behind
						}
						if got := b.Scores.At(key-query-b.Axes[0].Min, h); math.Abs(got-want) > 1e-12 {
							t.Fatalf("query %d, key %d, head %d: %v, want %v", query, key, h, got, want)
						}
					}
				}
			}
		})
	}
}

// The caller chooses the offsets, and the values at them stay what they are.
func TestSinusoidWindow(t *testing.T) {
	plain := func(c xlCase) *memory {
		return c.model(2, 2, 6, func(h, k, j int) float64 { return float64(h + 2*k - j) }, func(h, k int) float64 { return float64(1 + h + k) })
	}
	xl, xlnet := xlCases[0], xlCases[4]
	for _, test := range []struct {
		c      xlCase
		asked  Range
		lo, hi int
		note   string
	}{
		{xlnet, Range{-3, 5}, -3, 4, "computed from"},
		{xlnet, Range{-300, -200}, -300, -201, ""},
		{xlnet, Range{-10, End}, -10, 128, ""},
		{xl, Range{-5, 1}, -5, 0, ""},
		{xl, Range{-5, 6}, -5, 0, "only looks back"},
		{xl, Range{-5, End}, -5, 0, ""},
	} {
		m := plain(test.c)
		b := mustLoad(t, m, ReadOptions{Offsets: &test.asked}).(*Bias)
		if got := b.Axes[0]; got.Min != test.lo || got.Max != test.hi {
			t.Errorf("%s %v: axis %+v", test.c.arch, test.asked, got)
		}
		if !told(b.Notes, test.note) || told(b.Notes, "no extent") {
			t.Errorf("%s %v: notes %q", test.c.arch, test.asked, b.Notes)
		}
		all := mustLoad(t, m, ReadOptions{}).(*Bias)
		for k := max(test.lo, all.Axes[0].Min); k <= test.hi; k++ {
			for h := range 2 {
				if got, want := b.Scores.At(k-test.lo, h), all.Scores.At(k-all.Axes[0].Min, h); got != want {
					t.Errorf("%s %v: offset %d: %v, want %v", test.c.arch, test.asked, k, got, want)
				}
			}
		}
	}
	for _, asked := range []Range{{1, 5}, {3, 3}, {4, -4}, {-2_000_000, 0}, {math.MinInt, math.MaxInt}, {math.MaxInt - 1, math.MinInt + 3}, {5, End}} {
		_, err := loadOnly(t, plain(xl), ReadOptions{Offsets: &asked})
		wantFault(t, err, BadOption, "offsets")
	}
}

// Sign turns the argument; clamp_len clips it.
func TestSinusoidTurnedAndClamped(t *testing.T) {
	m := xlCases[4].model(1, 1, 4, func(_, _, j int) float64 { return float64(1 + j) }, func(_, _ int) float64 { return 1 })
	b := mustLoad(t, m, ReadOptions{}).(*Bias)
	turned := mustLoad(t, m, ReadOptions{Sign: KeyQuery}).(*Bias)
	same := mustLoad(t, m, ReadOptions{Sign: QueryKey}).(*Bias)
	clamped := mustLoad(t, m.saying("config.clamp_len", "5"), ReadOptions{}).(*Bias)
	if !told(clamped.Notes, "farther than 5 are as 5") {
		t.Errorf("notes %q", clamped.Notes)
	}
	for k := -128; k <= 128; k++ {
		want := b.Scores.At(k+128, 0)
		if got := turned.Scores.At(-k+128, 0); got != want {
			t.Errorf("turned, offset %d: %v, want %v", -k, got, want)
		}
		if got := same.Scores.At(k+128, 0); got != want {
			t.Errorf("offset %d: %v, want %v", k, got, want)
		}
		if got, want := clamped.Scores.At(k+128, 0), b.Scores.At(min(max(k, -5), 5)+128, 0); got != want {
			t.Errorf("clamped, offset %d: %v, want %v", k, got, want)
		}
	}
	// As the sum of sines and cosines: 1 sin p + 2 sin p/100 + 3 cos p + 4 cos p/100 at p = query - key.
	for _, k := range []float64{-7, 0, 3} {
		want := math.Sin(-k) + 2*math.Sin(-k/100) + 3*math.Cos(k) + 4*math.Cos(k/100)
		if got := b.Scores.At(int(k)+128, 0); math.Abs(got-want) > 1e-13 {
			t.Errorf("offset %v: %v, want %v", k, got, want)
		}
	}
}

// A bias of all layers is cut by the layer of the projection's name.
func TestSinusoidUntied(t *testing.T) {
	for layer := range 3 {
		name := fmt.Sprintf("model/transformer/layer_%d/rel_attn/r/kernel", layer)
		m := (&memory{}).with(name, 4, 1, 2).holding("model/transformer/r_r_bias", []float64{1, 0, 10, 0, 0, 100}, 3, 1, 2)
		b := mustLoad(t, m, ReadOptions{}).(*Bias)
		// Elements of W are 1..8: at offset 0 R is 0, 0, 1, 1, so components 2 and 3 of output 0 or 1 count.
		want := []float64{5 + 7, 10 * (5 + 7), 100 * (6 + 8)}[layer]
		if got := b.Scores.At(128, 0); math.Abs(got-want) > 1e-12 {
			t.Errorf("layer %d: %v, want %v", layer, got, want)
		}
		if !told(b.Notes, fmt.Sprintf("r_r_bias is for 3 layers: that of layer %d is taken", layer)) {
			t.Errorf("notes %q", b.Notes)
		}
	}
	m := (&memory{}).with("model/transformer/layer_3/rel_attn/r/kernel", 4, 1, 2).with("model/transformer/r_r_bias", 3, 1, 2)
	_, err := loadOnly(t, m, ReadOptions{})
	wantFault(t, err, NotATable, "is for 3 layers")
}

// Shapes that do not go together are errors.
func TestSinusoidShapes(t *testing.T) {
	const name, vector = "layers.0.dec_attn.r_net.weight", "layers.0.dec_attn.r_r_bias"
	for _, test := range []struct {
		w, v []int
		says string
	}{
		{[]int{4, 6}, []int{2, 3}, "a projection of 4 x 6"},
		{[]int{6, 5}, []int{2, 3}, "an even number"},
		{[]int{6, 0}, []int{2, 3}, "an even number"},
		{[]int{6, 4}, []int{6}, "expected heads x width"},
		{[]int{6, 4}, []int{}, "expected heads x width"},
		{[]int{6, 4}, []int{0, 2, 3}, "expected heads x width"},
		{[]int{6, 4}, []int{0, 3}, "expected heads x width"},
		{[]int{0, 4}, []int{0, 0}, "expected heads x width"},
		{[]int{6, 4}, []int{1, 1, 2, 3}, "expected heads x width"},
	} {
		m := (&memory{}).with(name, test.w...).with(vector, test.v...)
		_, err := loadOnly(t, m, ReadOptions{})
		wantFault(t, err, NotATable, test.says)
	}
	m := (&memory{}).with(name, 6, 4).with(vector, 2, 3)
	_, err := loadOnly(t, m, ReadOptions{Axes: []string{"heads", "width"}})
	wantFault(t, err, BadOption, "no axes to name")
	// A million heads of one component: 257 offsets of them are too many.
	const many = 1_000_000
	m = (&memory{}).with("layer.0.rel_attn.r", 2, many, 1).with("layer.0.rel_attn.r_r_bias", many, 1)
	_, err = loadOnly(t, m, ReadOptions{})
	wantFault(t, err, BadOption, "are too many", "--offsets A:B")
	// Values that say nothing are told.
	m = (&memory{}).with(name, 2, 4).holding(vector, []float64{0, 0}, 1, 2)
	if b := mustLoad(t, m, ReadOptions{}).(*Bias); !told(b.Notes, vector+": every value is zero") {
		t.Errorf("notes %q", b.Notes)
	}
}

// Nothing else of these models is a table: the vectors that meet the keys, the
// segments, other projections; nor one without its other part.
func TestSinusoidDetected(t *testing.T) {
	m := (&memory{}).with("transformer.word_embedding.weight", 30, 4)
	for l := range 2 {
		at := fmt.Sprintf("transformer.layer.%d.rel_attn.", l)
		for _, s := range []string{"q", "k", "v", "o", "r"} {
			m.with(at+s, 4, 2, 2)
		}
		for _, s := range []string{"r_r_bias", "r_s_bias", "r_w_bias", "seg_embed"} {
			m.with(at+s, 2, 2)
		}
		m.with(at+"layer_norm.weight", 4)
	}
	if got, want := names(Detect(m)), []string{"transformer.layer.0.rel_attn.r", "transformer.layer.1.rel_attn.r"}; !slices.Equal(got, want) {
		t.Errorf("detected %q, want %q", got, want)
	}
	for name, m := range map[string]*memory{
		"no vector":     (&memory{}).with("layers.0.dec_attn.r_net.weight", 4, 4).with("r_w_bias", 2, 2),
		"no projection": (&memory{}).with("r_r_bias", 2, 2).with("r_w_bias", 2, 2).with("layers.0.dec_attn.qkv_net.weight", 12, 4),
		"scaled":        (&memory{}).with("self_attn.linear_pos.weight", 4, 4).with("self_attn.pos_bias_v", 2, 2).with("self_attn.pos_bias_v_scale").with("self_attn.pos_bias_u", 2, 2),
	} {
		_, err := one(m, "", ReadOptions{})
		if found := Detect(m); len(found) > 0 {
			t.Errorf("%s: detected %q", name, names(found))
		}
		wantFault(t, err, NotFound, "sinusoid of the offset behind a projection")
	}
}

// RETSim's offsets may be chosen too, and its sign.
func TestRotaryWindow(t *testing.T) {
	m := (&memory{}).with("positional_encoding.a", 8).with("positional_encoding.b", 8)
	all := mustLoad(t, m, ReadOptions{}).(*Bias)
	b := mustLoad(t, m, ReadOptions{Offsets: &Range{-2, 12}}).(*Bias)
	turned := mustLoad(t, m, ReadOptions{Sign: QueryKey}).(*Bias)
	if x := all.Axes[0]; x.Min != -7 || x.Max != 7 {
		t.Errorf("axis %+v", x)
	}
	if x := b.Axes[0]; x.Min != -2 || x.Max != 11 {
		t.Errorf("axis %+v", x)
	}
	for k := -2; k <= 7; k++ {
		if got, want := b.Scores.At(k+2, 0), all.Scores.At(k+7, 0); got != want {
			t.Errorf("offset %d: %v, want %v", k, got, want)
		}
		if got, want := turned.Scores.At(-k+7, 0), all.Scores.At(k+7, 0); got != want {
			t.Errorf("turned, offset %d: %v, want %v", -k, got, want)
		}
	}
	_, err := loadOnly(t, m, ReadOptions{Offsets: &Range{3, 3}})
	wantFault(t, err, BadOption, "none that occurs")
}
