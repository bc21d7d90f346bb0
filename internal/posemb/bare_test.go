package posemb

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// A matrix that no preset knows: what the options and the file's own metadata
// make of it.
func TestBareMatrix(t *testing.T) {
	rel := ReadOptions{Relative: true}
	for _, c := range []struct {
		name string
		m    *memory
		opt  ReadOptions
		want string // kind, then axes or reserved rows and positions
		note string
	}{
		{"positions", (&memory{}).with("", 16, 3), ReadOptions{}, "absolute 0 16", "the only matrix here: its rows are taken as positions"},
		{"RoBERTa's rows", (&memory{}).with("", 514, 3).zeroRow(1), ReadOptions{}, "absolute 2 512", "row 1 is exactly zero and taken as padding (2 reserved rows)"},
		{"rinna's rows", (&memory{}).with("", 514, 3).zeroRow(3), ReadOptions{}, "absolute 4 510", "(4 reserved rows)"},
		{"another zero row", (&memory{}).with("", 100, 3).zeroRow(1), ReadOptions{}, "absolute 0 100", "nothing is reserved; --reserved 2"},
		{"zero row 0", (&memory{}).with("", 512, 3).zeroRow(0), ReadOptions{}, "absolute 0 512", "row 0 is exactly zero"},
		{"reserved by the file", (&memory{}).with("t", 514, 3).zeroRow(1).saying("poslens.kind", "absolute").saying("poslens.reserved", "1"), ReadOptions{}, "absolute 1 513", "the file says that 1 row in front"},
		{"reserved by the caller", (&memory{}).with("", 514, 3).zeroRow(1), ReadOptions{Reserved: ptr(0)}, "absolute 0 514", ""},
		{"ViT's shape", (&memory{}).with("", 1, 197, 3), ReadOptions{}, "absolute 0 197", "--arch ViT"},
		{"as ViT", (&memory{}).with("", 1, 197, 3), ReadOptions{Arch: "vit"}, "absolute 1 196", "14 x 14"},
		{"an image", (&memory{}).with("", 1, 7, 7, 3), ReadOptions{}, "absolute 0 49", "a 7 x 7 grid of vectors of 3"},
		{"as OPT", (&memory{}).with("", 100, 3), ReadOptions{Arch: "OPT"}, "absolute 2 98", "positions start at row 2"},
		{"odd rows", (&memory{}).with("", 11, 4), rel, "vectors [{offset -5 5 none}]", "11 rows are taken as the offsets -5..5"},
		{"one row", (&memory{}).with("", 1, 4), rel, "vectors [{offset 0 0 none}]", ""},
		{"offsets", (&memory{}).with("", 10, 4), ReadOptions{Relative: true, Offsets: &Range{-8, 2}}, "vectors [{offset -8 1 none}]", ""},
		{"offsets alone", (&memory{}).with("", 10, 4), ReadOptions{Offsets: &Range{-8, 2}}, "vectors [{offset -8 1 none}]", ""},
		{"vectors by the file", (&memory{}).with("wpe.weight", 10, 4).saying("poslens.kind", "vectors").saying("poslens.offsets", "-8:2"), ReadOptions{}, "vectors [{offset -8 1 none}]", ""},
		{"bias by the file", (&memory{}).with("t", 10, 4).saying("poslens.kind", "bias").saying("poslens.offsets", "-8:2"), rel, "bias [{offset -8 1 none}]", ""},
		{"two axes by the file", (&memory{}).with("t", 15, 4).saying("poslens.kind", "bias").saying("poslens.offsets", "-1:2,-2:3"), rel, "bias [{dy -1 1 none} {dx -2 2 none}]", ""},
		{"the caller before the file", (&memory{}).with("t", 10, 4).saying("poslens.kind", "bias").saying("poslens.offsets", "-8:2"), ReadOptions{Offsets: &Range{0, 10}}, "bias [{offset 0 9 none}]", ""},
		{"buckets", (&memory{}).with("", 32, 4), ReadOptions{Buckets: &BucketRule{Name: T5Both}}, "bias [{offset -128 128 clipped}]", "32 buckets by the T5 rule, both directions, the last from distance 91 on"},
		{"causal buckets", (&memory{}).with("", 32, 4), ReadOptions{Buckets: &BucketRule{Name: T5Causal, Buckets: 32, MaxDistance: 64}}, "bias [{offset -64 0 clipped}]", "looking back only"},
		{"as Swin", (&memory{}).with("", 25, 4), ReadOptions{Arch: "Swin"}, "bias [{dy -2 2 none} {dx -2 2 none}]", "a window of 3 x 3"},
		{"as VITS", (&memory{}).with("", 9, 4), ReadOptions{Arch: "vits"}, "vectors [{offset -4 4 zero}]", ""},
	} {
		got := ""
		table := mustLoad(t, c.m, c.opt)
		switch table := table.(type) {
		case *Absolute:
			n, _ := table.Table.Dims()
			got = fmt.Sprint("absolute ", table.Reserved, " ", n)
		case *Vectors:
			got = fmt.Sprint("vectors ", table.Axes)
		case *Bias:
			got = fmt.Sprint("bias ", table.Axes)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if !told(table.Remarks(), c.note) && c.note != "" {
			t.Errorf("%s: notes %q, want %q", c.name, table.Remarks(), c.note)
		}
	}
}

func TestBareMatrixErrors(t *testing.T) {
	rel := ReadOptions{Relative: true}
	for _, c := range []struct {
		m     *memory
		opt   ReadOptions
		kind  string
		texts []string
	}{
		{(&memory{}).with("", 10, 4), rel, BadOption, []string{"10 rows", "--offsets A:B", "--buckets", "--arch"}},
		{(&memory{}).with("", 10, 4), ReadOptions{Offsets: &Range{-4, 5}}, BadOption, []string{"offsets -4:5 are 9, but the table has 10 rows"}},
		{(&memory{}).with("", 10, 4).saying("poslens.kind", "vectors").saying("poslens.offsets", "-4:5"), ReadOptions{}, NotATable, []string{"poslens.offsets"}},
		{(&memory{}).with("", 10, 4).saying("poslens.kind", "vectors").saying("poslens.offsets", "all"), ReadOptions{}, NotATable, []string{"poslens.offsets"}},
		{(&memory{}).with("", 10, 4).saying("poslens.positions", "3"), ReadOptions{}, NotATable, []string{"poslens.positions"}},
		{(&memory{}).with("", 10, 4).saying("poslens.positions", "3:0"), ReadOptions{}, NotATable, []string{"poslens.positions"}},
		{(&memory{}).with("", 10, 4).saying("poslens.kind", "odd"), ReadOptions{}, NotATable, []string{"poslens.kind"}},
		{(&memory{}).with("", 10, 4).saying("poslens.reserved", "10"), ReadOptions{}, NotATable, []string{"poslens.reserved"}},
		{(&memory{}).with("", 31, 4), ReadOptions{Buckets: &BucketRule{Buckets: 32}}, BadOption, []string{"32 buckets asked for"}},
		{(&memory{}).with("", 32, 4), ReadOptions{Buckets: &BucketRule{Name: "t6"}}, BadOption, []string{"t5 and t5-causal"}},
		{(&memory{}).with("", 25, 4), ReadOptions{Arch: "RETSim"}, BadOption, []string{"positional_encoding.a and positional_encoding.b"}},
		{(&memory{}).with("", 24, 4), ReadOptions{Arch: "Swin"}, NotATable, []string{"24 rows"}},
		{(&memory{}).with("", 72, 4), ReadOptions{Arch: "Wav2Vec2-BERT"}, BadOption, []string{"-64..8"}},
		{(&memory{}).with("", 2, 8, 32), ReadOptions{}, NotATable, []string{"a 2 x 8 grid of vectors of 32"}},
	} {
		_, err := loadOnly(t, c.m, c.opt)
		wantFault(t, err, c.kind, c.texts...)
	}
}

// A preset's bucket table keeps its orientation under another rule.
func TestBucketOptions(t *testing.T) {
	m := (&memory{}).with("target/encoder/relpos_bias/rel_embedding", 3, 32)
	b := mustLoad(t, m, ReadOptions{Buckets: &BucketRule{Name: T5Causal, MaxDistance: 64}}).(*Bias)
	if len(b.Heads) != 3 || b.Axes[0].Min != -64 || b.Axes[0].Max != 0 || !b.Steps || b.Arch != "T5X" {
		t.Errorf("%d heads, axis %+v, steps %v, %s", len(b.Heads), b.Axes[0], b.Steps, b.Arch)
	}
	m = (&memory{}).with("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, 2)
	b = mustLoad(t, m, ReadOptions{}).(*Bias)
	if !slices.Equal(b.Unused, []int{16}) || !told(b.Notes, "bucket 16 is used by no offset") || b.Axes[0].Len() != 257 {
		t.Errorf("unused %v, notes %q, %d offsets", b.Unused, b.Notes, b.Axes[0].Len())
	}
	for k, bucket := range map[int]int{0: 0, -1: 1, 1: 17, -91: 15, 91: 31, -90: 14, 90: 30, -128: 15, 128: 31} {
		for h := range 2 {
			if got, want := b.Scores.At(128+k, h), float64(2*bucket+h+1); got != want {
				t.Errorf("offset %d of head %d: %v, want bucket %d", k, h, got, bucket)
			}
		}
	}
	far := mustLoad(t, m.saying("relative_attention_max_distance", "64"), ReadOptions{}).(*Bias)
	if far.Axes[0].Max != 64 {
		t.Errorf("axis %+v", far.Axes[0])
	}
}

func TestWindows(t *testing.T) {
	m := (&memory{}).with("attn.relative_position_bias_table", 465, 2) // 15 x 31
	_, err := loadOnly(t, m, ReadOptions{})
	wantFault(t, err, Ambiguous, "8 x 16", "3 x 47", "--grid HxW")
	b := mustLoad(t, m, ReadOptions{Grid: &Grid{8, 16}}).(*Bias)
	if got := fmt.Sprint(b.Axes); got != "[{dy -7 7 none} {dx -15 15 none}]" {
		t.Error(got)
	}
	_, err = loadOnly(t, m, ReadOptions{Grid: &Grid{8, 8}})
	wantFault(t, err, BadOption)
	// Window 2 of Swin: tokens (0,0) (0,1) (1,0) (1,1) look up rows 4 3 1 0 / 5 4 2 1 / 7 6 4 3 / 8 7 5 4.
	b = mustLoad(t, (&memory{}).with("attn.relative_position_bias_table", 9, 1), ReadOptions{}).(*Bias)
	for q, row := range [][]int{{4, 3, 1, 0}, {5, 4, 2, 1}, {7, 6, 4, 3}, {8, 7, 5, 4}} {
		for k, want := range row {
			dy, dx := k/2-q/2, k%2-q%2
			if got := b.Scores.At((dy+1)*3+dx+1, 0) - 1; got != float64(want) {
				t.Errorf("query %d, key %d: row %v, want %d", q, k, got, want)
			}
		}
	}
	if b := mustLoad(t, (&memory{}).with("attn.relative_position_bias_table", 12, 1), ReadOptions{}).(*Bias); b.Arch != "BEiT" || b.Scores.At(0, 0) != 9 || !told(b.Notes, "3 more rows") {
		t.Errorf("%s: first score %v, notes %q", b.Arch, b.Scores.At(0, 0), b.Notes)
	}
}

// TestSaidPositions takes the positions that a file says of its rows, unless the
// caller counts them.
func TestSaidPositions(t *testing.T) {
	src := (&memory{}).with("", 4, 2).saying("poslens.positions", "6:3")
	for _, c := range []struct {
		opt  ReadOptions
		want []int
	}{
		{ReadOptions{}, []int{6, 9, 12, 15}},
		{ReadOptions{Reserved: new(1)}, []int{9, 12, 15}},
		{ReadOptions{Stride: 2}, []int{0, 2}},
		{ReadOptions{Positions: &Range{1, 3}}, []int{1, 2}},
	} {
		m, err := Choose(src, Choice{}, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		table, err := Load(context.Background(), src, m[0], c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.(*Absolute).Positions(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: positions %v, want %v", c.opt, got, c.want)
		}
	}
}
