package tensor

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		shape []int
		limit int64
		want  int
		err   error
	}{
		{nil, 1, 1, nil},
		{[]int{}, 0, 0, ErrTooLarge},
		{[]int{0}, 0, 0, nil},
		{[]int{3, 4}, 12, 12, nil},
		{[]int{3, 4}, 11, 0, ErrTooLarge},
		{[]int{-1}, 10, 0, ErrShape},
		{[]int{-16, -32}, 1000, 0, ErrShape},
		{[]int{0, -1}, 10, 0, ErrShape},
		{[]int{1 << 32, 1 << 32}, math.MaxInt64, 0, ErrShape}, // 0 mod 2^64
		{[]int{1 << 32, 1 << 31}, math.MaxInt64, 0, ErrShape}, // 2^63
		{[]int{math.MaxInt64}, math.MaxInt64, math.MaxInt64, nil},
		{[]int{math.MaxInt64}, math.MaxInt64 - 1, 0, ErrTooLarge},
		{[]int{0, 1 << 40}, 10, 0, nil},
		{[]int{1 << 40, 0, 1 << 40}, 10, 0, ErrShape},
		{slices.Repeat([]int{1}, MaxRank), 1, 1, nil},
		{slices.Repeat([]int{1}, MaxRank+1), 1, 0, ErrShape},
	} {
		got, err := Count(c.shape, c.limit)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("Count(%v, %d) = %d, %v; want %d, %v", c.shape, c.limit, got, err, c.want, c.err)
		}
	}
}

// dims draws shapes that are mostly small, and now and then absurd.
func dims(low int) *rapid.Generator[[]int] {
	return rapid.SliceOfN(rapid.OneOf(rapid.IntRange(low, 6), rapid.IntRange(low, math.MaxInt)), 0, 5)
}

// TestCountExact compares with arithmetic that can't overflow.
func TestCountExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := dims(-2).Draw(t, "shape")
		limit := rapid.Int64Range(0, math.MaxInt64).Draw(t, "limit")
		all, nonzero, negative := big.NewInt(1), big.NewInt(1), false
		for _, d := range shape {
			all.Mul(all, big.NewInt(int64(d)))
			if d != 0 {
				nonzero.Mul(nonzero, big.NewInt(int64(d)))
			}
			negative = negative || d < 0
		}
		got, err := Count(shape, limit)
		switch {
		case negative, !nonzero.IsInt64():
			if !errors.Is(err, ErrShape) {
				t.Fatalf("%v: %v, want ErrShape", shape, err)
			}
		case all.Int64() > limit:
			if !errors.Is(err, ErrTooLarge) {
				t.Fatalf("%v: %v, want ErrTooLarge", shape, err)
			}
		case err != nil || int64(got) != all.Int64():
			t.Fatalf("%v: %d, %v, want %v", shape, got, err, all)
		}
	})
}

func TestSpan(t *testing.T) {
	for _, c := range []struct {
		shape, strides []int
		want           int64
		err            error
	}{
		{nil, nil, 1, nil},
		{[]int{16, 32}, nil, 512, nil},
		{[]int{16, 32}, []int{48, 1}, 15*48 + 32, nil},
		{[]int{48, 40}, []int{1, 48}, 48 * 40, nil},
		{[]int{16, 32}, []int{0, 1}, 32, nil},
		{[]int{0, 32}, []int{32, 1}, 0, nil},
		{[]int{0, 32}, []int{math.MaxInt64, math.MaxInt64}, 0, nil},
		{[]int{1, 1}, []int{math.MaxInt64, math.MaxInt64}, 1, nil},
		{[]int{2, 2}, []int{1, math.MaxInt64}, 0, ErrRange},
		{[]int{3, 2}, []int{math.MaxInt64, 1}, 0, ErrRange},
		{[]int{2, 2}, []int{-1, 1}, 0, ErrRange},
		{[]int{2, 2}, []int{1}, 0, ErrShape},
		{[]int{2, 2}, []int{}, 0, ErrShape},
		{[]int{-2}, []int{1}, 0, ErrShape},
		{[]int{1 << 32, 1 << 32}, []int{0, 0}, 0, ErrShape},
	} {
		got, err := Span(Info{Shape: c.shape, Strides: c.strides})
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%v %v: %d, %v; want %d, %v", c.shape, c.strides, got, err, c.want, c.err)
		}
	}
}

// TestSpanExact compares with arithmetic that can't overflow.
func TestSpanExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(1, 100), 0, 4).Draw(t, "shape")
		strides := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(0, math.MaxInt)), len(shape), len(shape)).Draw(t, "strides")
		want := big.NewInt(1)
		for i, d := range shape {
			want.Add(want, new(big.Int).Mul(big.NewInt(int64(d-1)), big.NewInt(int64(strides[i]))))
		}
		got, err := Span(Info{Shape: shape, Strides: strides})
		if want.IsInt64() != (err == nil) || err == nil && got != want.Int64() {
			t.Fatalf("%v %v: %d, %v, want %v", shape, strides, got, err, want)
		}
	})
}

// TestGather compares with plain indexing, for views of every sort (permuted,
// sliced, expanded, overlapping), gathered in pieces of every size.
func TestGather(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 4).Draw(t, "shape")
		strides := rapid.SliceOfN(rapid.IntRange(0, 12), len(shape), len(shape)).Draw(t, "strides")
		info := Info{Shape: shape, Strides: strides}
		n, err := Count(shape, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		span, err := Span(info)
		if err != nil {
			t.Fatal(err)
		}
		src := make([]float64, span)
		for i := range src {
			src[i] = float64(i)
		}
		want := make([]float64, n)
		for to := range want {
			from, rest := 0, to
			for i := len(shape) - 1; i >= 0; i-- {
				from += rest % shape[i] * strides[i]
				rest /= shape[i]
			}
			want[to] = src[from]
		}
		got := make([]float64, n)
		for i := range got {
			got[i] = -1
		}
		for at := 0; at < len(src); {
			piece := min(rapid.IntRange(1, 40).Draw(t, "piece"), len(src)-at)
			Gather(got, src[at:at+piece], int64(at), info)
			at += piece
		}
		if !slices.Equal(got, want) {
			t.Fatalf("shape %v, strides %v:\n%v, want\n%v", shape, strides, got, want)
		}
	})
}

func TestStrides(t *testing.T) {
	shape := []int{2, 3, 4}
	if got := RowMajor(shape); !slices.Equal(got, []int{12, 4, 1}) {
		t.Error(got)
	}
	if got := ColumnMajor(shape); !slices.Equal(got, []int{1, 2, 6}) {
		t.Error(got)
	}
	for _, c := range []struct {
		shape, strides []int
		want           bool
	}{
		{shape, nil, true},
		{shape, []int{12, 4, 1}, true},
		{shape, []int{1, 2, 6}, false},
		{[]int{1, 5}, []int{999, 1}, true},
		{[]int{5, 1}, []int{1, 999}, true},
		{[]int{5, 1}, []int{2, 1}, false},
		{[]int{5}, []int{0}, false},
		{[]int{5}, []int{1, 1}, false},
		{[]int{}, []int{}, true},
	} {
		if got := (Info{Shape: c.shape, Strides: c.strides}).Dense(); got != c.want {
			t.Errorf("%v %v: dense %v", c.shape, c.strides, got)
		}
	}
}

// TestGatherTurned turns matrices over that are larger than the blocks in which
// that is done, in pieces that begin and end within their rows.
func TestGatherTurned(t *testing.T) {
	for _, info := range []Info{
		{Shape: []int{29, 37}, Strides: []int{1, 29}},
		{Shape: []int{29, 37}, Strides: []int{1, 31}},
		{Shape: []int{3, 29, 37}, Strides: []int{2000, 2, 60}},
		{Shape: []int{29, 3, 37}, Strides: []int{3, 1, 100}},
		{Shape: []int{29, 37, 2}, Strides: []int{1, 20, 0}},
	} {
		span, err := Span(info)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := Count(info.Shape, 1<<20)
		src := make([]float64, span)
		for i := range src {
			src[i] = float64(i)
		}
		for _, piece := range []int{7, 100, 500, len(src)} {
			got := make([]float64, n)
			for at := 0; at < len(src); at += piece {
				Gather(got, src[at:min(at+piece, len(src))], int64(at), info)
			}
			for to, v := range got {
				from, rest := 0, to
				for i := len(info.Shape) - 1; i >= 0; i-- {
					from += rest % info.Shape[i] * info.Strides[i]
					rest /= info.Shape[i]
				}
				if v != float64(from) {
					t.Fatalf("shape %v, strides %v, pieces of %d: element %d is %v, want %d", info.Shape, info.Strides, piece, to, v, from)
				}
			}
		}
	}
}
