package posemb

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// A head that attends to the token just before the query, or in an image to the
// patch on one side, written in each family's own storage by the family's own index
// of a query and a key. Whatever the storage, it must peak at offset -1, and
// in an image at (0, -1) on the left and (0, +1) on the right.
func TestNeighbourPeaksAtItsOffset(t *testing.T) {
	covered := []string{"LeViT", "RETSim", "HaloNet"} // tested by themselves
	for _, l := range lineFamilies() {
		covered = append(covered, l.arch)
		var previous [][2]int
		for q := 1; q < lineTokens; q++ {
			previous = append(previous, [2]int{q, q - 1})
		}
		t.Run(l.name, func(t *testing.T) { neighbour(t, l, previous, []int{-1}, ReadOptions{}) })
	}
	for _, l := range imageFamilies() {
		covered = append(covered, l.arch)
		var left, right [][2]int
		for q := range imageRows * imageCols {
			if q%imageCols > 0 {
				left = append(left, [2]int{q, q - 1})
				right = append(right, [2]int{q - 1, q})
			}
		}
		opt := ReadOptions{Grid: &Grid{imageRows, imageCols}}
		t.Run(l.name, func(t *testing.T) {
			neighbour(t, l, left, []int{0, -1}, opt)
			neighbour(t, l, right, []int{0, 1}, opt)
		})
	}
	for _, p := range slices.Concat(vectorPresets, biasPresets) {
		if !slices.Contains(covered, p.Arch) {
			t.Errorf("%s: not tested here", p.Arch)
		}
	}
}

// neighbour reads a layout's pairs as they are stored and with the dimensions in
// every other order, and then by the other sign, which turns the peak round.
func neighbour(t *testing.T, l layout, pairs [][2]int, want []int, opt ReadOptions) {
	t.Helper()
	m := l.source(pairs, nil)
	found := Detect(m)
	if len(found) != 1 || found[0].Arch != l.arch {
		t.Fatalf("detected %+v, want %s", found, l.arch)
	}
	table := mustLoad(t, m, opt)
	if table.Kind() != found[0].Kind {
		t.Errorf("kind %s, but detected %s", table.Kind(), found[0].Kind)
	}
	if at := peak(t, table); !slices.Equal(at, want) {
		t.Errorf("peaks at %v, want %v", at, want)
	}
	opt.Arch = l.arch
	for _, words := range orders(l.axes) {
		opt.Axes = words
		table := mustLoad(t, l.source(pairs, words), opt)
		if at := peak(t, table); !slices.Equal(at, want) {
			t.Errorf("stored as %v: peaks at %v, want %v", words, at, want)
		}
	}
	opt.Axes = nil
	own := KeyQuery
	if byArch(l.arch).Reversed {
		own = QueryKey
	}
	for _, sign := range []string{KeyQuery, QueryKey} {
		opt.Sign = sign
		turned := slices.Clone(want)
		for i := range turned {
			if sign != own {
				turned[i] = -turned[i]
			}
		}
		table := mustLoad(t, m, opt)
		if at := peak(t, table); !slices.Equal(at, turned) {
			t.Errorf("by %s: peaks at %v, want %v", sign, at, turned)
		}
		for _, s := range table.Storage() {
			if s.Turned != (sign == QueryKey) {
				t.Errorf("by %s: stored %+v", sign, s)
			}
		}
	}
}

// orders are all orders of some words.
func orders(words []string) [][]string {
	if len(words) < 2 {
		return [][]string{words}
	}
	var all [][]string
	for i, first := range words {
		rest := slices.Delete(slices.Clone(words), i, i+1)
		for _, tail := range orders(rest) {
			all = append(all, append([]string{first}, tail...))
		}
	}
	return all
}

// peak is the offset of the largest score of head 0, a query on component 0
// making scores of vectors. It must be the only one as large.
func peak(t *testing.T, table Table) []int {
	t.Helper()
	b, ok := table.(*Bias)
	if v, isVectors := table.(*Vectors); isVectors {
		query := make([]float64, v.Width())
		query[0] = 1
		var err error
		if b, err = v.Score(query, ScoreOptions{}); err != nil {
			t.Fatal(err)
		}
	} else if !ok {
		t.Fatalf("%T is not relative", table)
	}
	rows, _ := b.Scores.Dims()
	size := 1
	for _, x := range b.Axes {
		size *= x.Len()
	}
	if size != rows {
		t.Fatalf("axes of %d offsets over %d rows", size, rows)
	}
	best, times := 0, 0
	for i := range rows {
		switch v, top := b.Scores.At(i, 0), b.Scores.At(best, 0); {
		case v > top:
			best, times = i, 1
		case v == top:
			times++
		}
	}
	if times != 1 {
		t.Errorf("%d offsets are as high as the peak", times)
	}
	if len(b.Axes) == 1 {
		return []int{b.Axes[0].Min + best}
	}
	return []int{b.Axes[0].Min + best/b.Axes[1].Len(), b.Axes[1].Min + best%b.Axes[1].Len()}
}

// <R_m a, R_n b> with b turned one step back from a is the sum of the cosines of
// w(k) (n - m + 1), which is half the width at n = m - 1 and less elsewhere.
func TestRotaryBias(t *testing.T) {
	const d = 64
	a, b := make([]float64, d), make([]float64, d)
	for k := range d / 2 {
		w := math.Pow(10000, -float64(k)/(d/2))
		a[k] = 1
		b[k], b[k+d/2] = math.Cos(w), math.Sin(w)
	}
	m := (&memory{}).holding("gau_layers.1.positional_encoding.a", a, d).holding("gau_layers.1.positional_encoding.b", b, d).with("other", 4, 4)
	bias := mustLoad(t, m, ReadOptions{}).(*Bias)
	if got := peak(t, bias); got[0] != -1 {
		t.Errorf("peaks at %d", got[0])
	}
	if x := bias.Axes[0]; x.Min != 1-d || x.Max != d-1 || len(bias.Heads) != 1 {
		t.Errorf("axis %+v, heads %v", x, bias.Heads)
	}
	for i := range bias.Axes[0].Len() {
		want := 0.0
		for k := range d / 2 {
			want += math.Cos(math.Pow(10000, -float64(k)/(d/2)) * float64(bias.Axes[0].Min+i+1))
		}
		if got := bias.Scores.At(i, 0); math.Abs(got-want) > 1e-12 {
			t.Errorf("offset %d: %v, want %v", bias.Axes[0].Min+i, got, want)
		}
	}
	if slices.Contains(m.read, "other") {
		t.Error("read a tensor that it does not need")
	}
}

// LeViT's rows are |dy| R + |dx|.
func TestMirroredBias(t *testing.T) {
	m := (&memory{}).with("blocks.0.attention_biases", 2, 9)
	b := mustLoad(t, m, ReadOptions{}).(*Bias)
	for i, dy := range []int{-2, -1, 0, 1, 2} {
		for j, dx := range []int{-2, -1, 0, 1, 2} {
			for h := range 2 {
				want := float64(h*9 + max(dy, -dy)*3 + max(dx, -dx) + 1)
				if got := b.Scores.At(i*5+j, h); got != want {
					t.Errorf("(%d, %d) of head %d: %v, want %v", dy, dx, h, got, want)
				}
			}
		}
	}
}

// A window that is no square is read as --grid says, and looks the same to both
// sides whatever the sign.
func TestMirroredWindow(t *testing.T) {
	m := (&memory{}).with("token_mixer.attention_biases", 3, 12)
	_, err := loadOnly(t, m, ReadOptions{})
	wantFault(t, err, NotATable, "12 columns are no square", "--grid HxW")
	for _, sign := range []string{"", KeyQuery, QueryKey} {
		b := mustLoad(t, m, ReadOptions{Grid: &Grid{3, 4}, Sign: sign}).(*Bias)
		if got := fmt.Sprint(b.Axes); got != "[{dy -2 2 none} {dx -3 3 none}]" || told(b.Notes, "changes nothing") != (sign != "") {
			t.Fatalf("%s, notes %q", got, b.Notes)
		}
		for i, at := range b.Stored[0].At {
			dy, dx := i/7-2, i%7-3
			if want := max(dy, -dy)*4 + max(dx, -dx); at != want || b.Scores.At(i, 2) != float64(2*12+want+1) {
				t.Errorf("(%d, %d): column %d, score %v; want %d", dy, dx, at, b.Scores.At(i, 2), want)
			}
		}
	}
	for _, g := range []Grid{{2, 5}, {-3, -4}, {0, 0}} {
		_, err := loadOnly(t, m, ReadOptions{Grid: &g})
		wantFault(t, err, BadOption)
	}
}

// Row 0 of DeBERTa's tables is for no offset that occurs.
func TestUnusedRows(t *testing.T) {
	for name, rows := range map[string]int{"v1.rel_embeddings.weight": 40, "v2.rel_embeddings.weight": 512} {
		v := mustLoad(t, (&memory{}).with(name, rows, 2), ReadOptions{}).(*Vectors)
		if !slices.Equal(v.Unused, []int{0}) || !told(v.Notes, "row 0 is used by no offset") {
			t.Errorf("%s: unused %v, notes %q", name, v.Unused, v.Notes)
		}
		for i := range v.Axes[0].Len() {
			if v.Table.At(i, 0) == 1 || v.Stored[0].At[i] == 0 {
				t.Errorf("%s: row 0 stands at offset %d", name, v.Axes[0].Min+i)
			}
		}
		if m := Explain(v).Entry(0, 0); m.Kind != MeansUnused || v.Stored[0].Count != rows {
			t.Errorf("%s: row 0 of %d is explained as %+v", name, v.Stored[0].Count, m)
		}
	}
}

// DeBERTa-v2's rows go through the encoder's LayerNorm: here with gain 2 and
// shift 1, of rows a, a+1, whose normal form is -1, 1 but for the epsilon.
func TestLogBucketsNormalised(t *testing.T) {
	m := (&memory{}).with("encoder.rel_embeddings.weight", 512, 2).
		holding("encoder.LayerNorm.weight", []float64{2, 2}, 2).holding("encoder.LayerNorm.bias", []float64{1, 1}, 2)
	v := mustLoad(t, m, ReadOptions{}).(*Vectors)
	for i := range v.Axes[0].Len() {
		for j, want := range []float64{-1, 3} {
			if got := v.Table.At(i, j); math.Abs(got-want) > 1e-6 {
				t.Fatalf("row %d: %v, want %v", i, got, want)
			}
		}
	}
	if got := fmt.Sprint(v.Axes); got != "[{offset -511 511 none}]" {
		t.Error(got)
	}
}
