package checkpoint

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"poslens/internal/tensor"
)

// TestBlocksInPieces: a long quantised tensor is read in whole blocks, its own
// bytes once, and comes out as when it is decoded at once.
func TestBlocksInPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for typ := tensor.Q4_0; typ <= tensor.IQ4_NL; typ++ {
		rows := 5*pieceElements/typ.Block() + 3
		info := tensor.Info{Name: "x", DType: typ, Shape: []int{rows, typ.Block()}}
		data := make([]byte, typ.Bytes(int64(rows*typ.Block())))
		for i := range data {
			data[i] = byte(random.Uint32()) &^ 0x40 // no infinite scales
		}
		want := make([]float64, rows*typ.Block())
		if err := tensor.Decode(want, data, typ, nil); err != nil {
			t.Fatal(err)
		}
		for _, procs := range []int{1, 3} {
			processors(t, procs)
			in := &counting{ReaderAt: bytes.NewReader(append([]byte("12345"), data...))}
			b := &blob{ReaderAt: in, size: int64(len(data) + 5)}
			got, err := b.tensor(t.Context(), info, 5, b.size-5, nil, defaults)
			if err != nil {
				t.Fatal(err)
			}
			if in.read != int64(len(data)) || !slices.Equal(got.Data, want) {
				t.Errorf("%v by %d: read %d bytes of %d, or other values", typ, procs, in.read, len(data))
			}
		}
	}
}

// TestMeasureBlocks: elements must be whole blocks, and blocks must be there.
func TestMeasureBlocks(t *testing.T) {
	for _, c := range []struct {
		shape, strides []int
		n              int64
		kind           Kind
		bytes          int64
	}{
		{[]int{3, 32}, nil, 102, "", 102},
		{[]int{3, 32}, nil, 1000, "", 102},
		{[]int{0, 32}, nil, 0, "", 0},
		{[]int{3, 32}, nil, 101, OutOfRange, 0},
		{[]int{3, 32}, nil, -1, OutOfRange, 0},
		{[]int{3, 31}, nil, 102, BadShape, 0},
		{nil, nil, 34, BadShape, 0},
		{[]int{2, 32}, []int{64, 1}, 102, "", 102}, // every other block
		{[]int{2, 32}, []int{64, 1}, 101, OutOfRange, 0},
		{[]int{2, 16}, []int{32, 1}, 102, BadShape, 0},
	} {
		info := tensor.Info{DType: tensor.Q8_0, Shape: c.shape, Strides: c.strides}
		e, err := measure(info, c.n, 1000, defaults)
		if kindOf(err) != c.kind || e.bytes != c.bytes {
			t.Errorf("%v %v in %d bytes: %+v, %v; want %q", c.shape, c.strides, c.n, e, err, c.kind)
		}
	}
}
