package posemb

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// convNames are the ways to name the two parts of weight norm.
var convNames = [][2]string{
	{"wavlm.encoder.pos_conv_embed.conv.weight_v", "wavlm.encoder.pos_conv_embed.conv.weight_g"},
	{"encoder.pos_conv_embed.conv.parametrizations.weight.original1", "encoder.pos_conv_embed.conv.parametrizations.weight.original0"},
	{"encoder.pos_conv.0.weight_v", "encoder.pos_conv.0.weight_g"},
}

// A kernel that reads the frame before the position peaks at offset -1: its only
// weight is at the tap that the convolution lays over that frame.
func TestConvReadsPreviousFrame(t *testing.T) {
	for _, taps := range []int{1, 2, 7, 8, 128} {
		const channels, each = 4, 2
		const n = 200
		// padding taps/2 on both sides, and the last of an even number of outputs cut off
		reads := func(position, tap int) (frame int) { return position + tap - taps/2 }
		previous := -1
		for tap := range taps {
			if reads(n/2, tap) == n/2-1 {
				previous = tap
			}
		}
		v, g := make([]float64, channels*each*taps), make([]float64, taps)
		for i := range v {
			v[i] = 1
		}
		want := -1
		if previous < 0 { // a kernel of one tap reads the position itself
			previous, want = 0, 0
		}
		g[previous] = 3
		for _, names := range convNames {
			m := (&memory{}).holding(names[0], v, channels, each, taps).holding(names[1], g, 1, 1, taps)
			b := mustLoad(t, m, ReadOptions{}).(*Bias)
			if at := peak(t, b); at[0] != want {
				t.Errorf("%s, %d taps: peaks at %v, want %d", names[0], taps, at, want)
			}
			if got, want := b.Axes[0], (Axis{"offset", reads(0, 0), reads(0, taps-1), BeyondZero}); got != want {
				t.Errorf("%d taps: axis %+v, want %+v", taps, got, want)
			}
			s := b.Stored
			if len(s) != 1 || s[0].Unit != "tap" || s[0].Count != taps || s[0].Tensor != names[0] || s[0].At[previous] != previous {
				t.Errorf("stored %+v", s)
			}
		}
	}
}

// The energies of the groups are those of the weights that a layer has, and add up
// to g^2 at each tap.
func TestConvEnergies(t *testing.T) {
	const channels, each, taps, groups = 6, 2, 5, 3
	rnd := rand.New(rand.NewPCG(3, 4))
	v, g := make([]float64, channels*each*taps), make([]float64, taps)
	for i := range v {
		v[i] = rnd.NormFloat64()
	}
	for i := range g {
		g[i] = rnd.NormFloat64()
	}
	at := func(out, in, tap int) float64 { return v[(out*each+in)*taps+tap] }
	fused := make([]float64, len(v))
	for tap := range taps {
		norm := 0.0
		for out := range channels {
			for in := range each {
				norm += at(out, in, tap) * at(out, in, tap)
			}
		}
		for out := range channels {
			for in := range each {
				fused[(out*each+in)*taps+tap] = g[tap] * at(out, in, tap) / math.Sqrt(norm)
			}
		}
	}
	pair := mustLoad(t, (&memory{}).holding(convNames[0][0], v, channels, each, taps).holding(convNames[0][1], g, taps, 1, 1), ReadOptions{}).(*Bias)
	m := (&memory{}).holding("data2vec_audio.encoder.pos_conv_embed.layers.3.conv.weight", fused, channels, each, taps)
	if found := Detect(m); len(found) != 1 || found[0].Arch != "data2vec-audio" || found[0].Layer != 3 {
		t.Errorf("detected %+v", found)
	}
	one := mustLoad(t, m, ReadOptions{}).(*Bias)
	for tap := range taps {
		sum := 0.0
		for group := range groups {
			want := 0.0
			for out := range channels {
				if out/(channels/groups) != group {
					continue
				}
				for in := range each {
					x := fused[(out*each+in)*taps+tap]
					want += x * x
				}
			}
			if got := pair.Scores.At(tap, group); math.Abs(got-want) > 1e-14 {
				t.Errorf("tap %d, group %d: %v, want %v", tap, group, got, want)
			}
			if got := one.Scores.At(tap, group); math.Abs(got-want) > 1e-14 {
				t.Errorf("fused, tap %d, group %d: %v, want %v", tap, group, got, want)
			}
			sum += pair.Scores.At(tap, group)
		}
		if want := g[tap] * g[tap]; math.Abs(sum-want) > 1e-14 {
			t.Errorf("tap %d: %v in all, want g^2 = %v", tap, sum, want)
		}
	}
	if !slices.Equal(pair.Heads, []string{"0", "1", "2"}) || !told(pair.Notes, "3 groups of 2 channels, each as a head") || !told(pair.Notes, "g v / |v|") || told(one.Notes, "g v / |v|") {
		t.Errorf("heads %v, notes %q, fused %q", pair.Heads, pair.Notes, one.Notes)
	}
	turned := mustLoad(t, m, ReadOptions{Sign: QueryKey}).(*Bias)
	if turned.Scores.At(0, 1) != one.Scores.At(taps-1, 1) || turned.Stored[0].At[0] != taps-1 {
		t.Errorf("turned: %v, stored %+v", turned.Scores, turned.Stored)
	}
	even := mustLoad(t, (&memory{}).with("pos_conv_embed.conv.weight", 2, 2, 4), ReadOptions{Sign: QueryKey}).(*Bias)
	if x := even.Axes[0]; x.Min != -1 || x.Max != 2 {
		t.Errorf("an even kernel turned: axis %+v", x)
	}
}

// Taps of zeros have no direction, as in the model.
func TestConvWithoutDirection(t *testing.T) {
	m := (&memory{}).holding(convNames[0][0], []float64{0, 3}, 1, 1, 2).with(convNames[0][1], 1, 1, 2)
	b := mustLoad(t, m, ReadOptions{}).(*Bias)
	if !math.IsNaN(b.Scores.At(0, 0)) || b.Scores.At(1, 0) != 4 || !told(b.Notes, "1 tap of zeros") {
		t.Errorf("%v, notes %q", b.Scores.RawMatrix().Data, b.Notes)
	}
}

// Shapes that are no such convolution are errors.
func TestConvShapes(t *testing.T) {
	for _, test := range []struct {
		v, g []int
		says string
	}{
		{[]int{4, 3, 5}, []int{5}, "no channels x"},
		{[]int{2, 4, 5}, []int{5}, "no channels x"},
		{[]int{4, 0, 5}, []int{5}, "no channels x"},
		{[]int{0, 4, 5}, []int{5}, "no channels x"},
		{[]int{4, 2, 0}, []int{0}, "no channels x"},
		{[]int{4, 2, 5}, []int{4, 1, 1}, "a number for each of 5 taps"},
		{[]int{4, 2, 5}, []int{}, "a number for each of 5 taps"},
		{[]int{1, 1, 2_000_002}, []int{2_000_002}, "none is farther"},
	} {
		m := (&memory{}).with(convNames[0][0], test.v...).with(convNames[0][1], test.g...)
		_, err := loadOnly(t, m, ReadOptions{})
		wantFault(t, err, NotATable, test.says)
	}
	m := (&memory{}).with(convNames[0][0], 4, 2, 5).with(convNames[0][1], 1, 1, 5)
	_, err := loadOnly(t, m, ReadOptions{Axes: []string{"heads", "dy", "dx"}})
	wantFault(t, err, BadOption, "in no other order")
}

// WavLM has a convolution and a bias of buckets; other convolutions and the one part
// alone are no tables.
func TestConvDetected(t *testing.T) {
	m := (&memory{}).with("encoder.layers.0.attention.rel_attn_embed.weight", 320, 2).with("encoder.layers.0.attention.gru_rel_pos_linear.weight", 8, 2).
		with("feature_extractor.conv_layers.0.conv.weight", 4, 1, 10).with("encoder.pos_conv_embed.conv.bias", 4).with("encoder.pos_conv_embed.conv.batch_norm.weight", 4)
	for _, names := range convNames[1:2] {
		m.with(names[0], 4, 2, 5).with(names[1], 1, 1, 5)
	}
	found := Detect(m)
	if len(found) != 2 || found[0].Arch != "WavLM" || found[1].Arch != "wav2vec 2.0" || found[1].Info.Name != convNames[1][0] {
		t.Errorf("detected %+v", found)
	}
	several := &memory{}
	for i := range 3 {
		several.with(fmt.Sprintf("encoder.pos_conv.%d.0.weight", i), 4, 2, 3).with(fmt.Sprintf("encoder.pos_conv.%d.0.bias", i), 4)
	}
	if got := names(Detect(several)); len(got) != 3 || got[2] != "encoder.pos_conv.2.0.weight" {
		t.Errorf("detected %q", got)
	}
	for _, name := range []string{convNames[0][0], convNames[0][1], convNames[1][0]} {
		alone := (&memory{}).with(name, 4, 2, 5).with("encoder.layers.0.fc1.weight", 8, 4)
		_, err := one(alone, "", ReadOptions{})
		if len(Detect(alone)) > 0 {
			t.Errorf("%s alone is detected", name)
		}
		wantFault(t, err, NotFound, "of which weight_g or weight_v is not here")
	}
}
