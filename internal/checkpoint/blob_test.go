package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"poslens/internal/tensor"
)

// defaults are the limits that Open fills in.
var defaults = Limits{}.withDefaults()

// memory is a blob of bytes.
func memory(data []byte) *blob {
	return &blob{ReaderAt: bytes.NewReader(data), size: int64(len(data)), name: "memory"}
}

// counting counts the reads and their bytes, and may fail or call on the way.
type counting struct {
	io.ReaderAt
	mu    sync.Mutex // a long tensor is read by several at once
	calls int
	read  int64
	each  func() error
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	if c.each != nil {
		if err := c.each(); err != nil {
			return 0, err
		}
	}
	n, err := c.ReaderAt.ReadAt(p, off)
	c.read += int64(n)
	return n, err
}

func TestBytes(t *testing.T) {
	b := memory([]byte("0123456789"))
	for _, c := range []struct {
		off, n int64
		want   string
		kind   Kind
	}{
		{0, 10, "0123456789", ""},
		{10, 0, "", ""},
		{7, 3, "789", ""},
		{7, 4, "", Truncated},
		{11, 0, "", Truncated},
		{-1, 2, "", Truncated},
		{0, -1, "", Truncated},
		{math.MaxInt64, math.MaxInt64, "", Truncated},
		{5, math.MaxInt64, "", Truncated},
	} {
		got, err := b.bytes(c.off, c.n)
		if string(got) != c.want || kindOf(err) != c.kind {
			t.Errorf("bytes(%d, %d) = %q, %v", c.off, c.n, got, err)
		}
	}
}

// TestReadFaults: a file that shrank is truncated, a failed disk is unreadable.
func TestReadFaults(t *testing.T) {
	b := memory(make([]byte, 10))
	b.size = 20
	if _, err := b.bytes(0, 20); kindOf(err) != Truncated {
		t.Errorf("shrunk: %v", err)
	}
	broken := errors.New("input/output error")
	b = &blob{ReaderAt: &counting{each: func() error { return broken }}, size: 20}
	if _, err := b.bytes(0, 20); kindOf(err) != Unreadable || !errors.Is(err, broken) {
		t.Errorf("broken disk: %v", err)
	}
	info := tensor.Info{Name: "x", DType: tensor.U8, Shape: []int{4}}
	var e *Error
	if _, err := b.tensor(t.Context(), info, 0, 20, nil, defaults); !errors.As(err, &e) || e.Kind != Unreadable || e.Tensor != "x" {
		t.Errorf("broken disk: %v", err)
	}
	b = &blob{ReaderAt: &counting{each: func() error { return context.Canceled }}, size: 20}
	if _, err := b.bytes(0, 20); !errors.Is(err, context.Canceled) || kindOf(err) != "" {
		t.Errorf("cancelled: %v", err)
	}
}

// TestTensorPieces reads tensors longer than one piece, dense and not.
func TestTensorPieces(t *testing.T) {
	const rows, cols = 1500, 1024 // six pieces, the last not full
	data := make([]byte, 4+2*rows*cols)
	for i := range rows * cols {
		binary.BigEndian.PutUint16(data[4+2*i:], uint16(i%60_000))
	}
	b := memory(data)
	for _, c := range []struct {
		name           string
		shape, strides []int
		at             func(i, j int) int
	}{
		{"dense", []int{rows, cols}, nil, func(i, j int) int { return i*cols + j }},
		{"transposed", []int{cols, rows}, []int{1, cols}, func(i, j int) int { return i + j*cols }},
		{"every other", []int{rows / 2, cols / 2}, []int{2 * cols, 2}, func(i, j int) int { return 2*i*cols + 2*j }},
		{"expanded", []int{3, 700_000}, []int{0, 2}, func(i, j int) int { return 2 * j }},
	} {
		info := tensor.Info{Name: c.name, DType: tensor.U16, Shape: c.shape, Strides: c.strides}
		got, err := b.tensor(t.Context(), info, 4, int64(len(data)-4), binary.BigEndian, defaults)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range got.Data {
			if want := c.at(k/c.shape[1], k%c.shape[1]) % 60_000; v != float64(want) {
				t.Fatalf("%s: element %d is %v, want %d", c.name, k, v, want)
			}
		}
	}
}

// TestTensorSpan: a view costs the bytes between its first and last element.
func TestTensorSpan(t *testing.T) {
	in := &counting{ReaderAt: bytes.NewReader(make([]byte, 8_000_000))}
	b := &blob{ReaderAt: in, size: 8_000_000}
	info := tensor.Info{DType: tensor.F64, Shape: []int{10, 3}, Strides: []int{5, 1}}
	if _, err := b.tensor(t.Context(), info, 800, 7_000_000, nil, defaults); err != nil {
		t.Fatal(err)
	}
	if want := int64(9*5+2+1) * 8; in.read != want {
		t.Errorf("%d bytes read, want %d", in.read, want)
	}
}

func TestTensorRefuses(t *testing.T) {
	b := memory(make([]byte, 1000))
	f32 := func(shape, strides []int) tensor.Info {
		return tensor.Info{Name: "x", DType: tensor.F32, Shape: shape, Strides: strides}
	}
	for _, c := range []struct {
		what   string
		info   tensor.Info
		off, n int64
		kind   Kind
	}{
		{"unknown dtype", tensor.Info{Stored: "F4", Shape: []int{1}}, 0, 1000, UnsupportedDType},
		{"negative", f32([]int{-1}, nil), 0, 1000, BadShape},
		{"overflow", f32([]int{1 << 32, 1 << 32}, nil), 0, 1000, BadShape},
		{"over the limit", f32([]int{1 << 32}, nil), 0, 1000, TooLarge},
		{"rank", f32([]int{2, 2}, []int{1}), 0, 1000, BadShape},
		{"backwards", f32([]int{2, 2}, []int{1, -1}), 0, 1000, OutOfRange},
		{"far stride", f32([]int{2, 2}, []int{1, math.MaxInt}), 0, 1000, OutOfRange},
		{"past its storage", f32([]int{17, 4}, nil), 0, 256, OutOfRange},
		{"negative storage", f32([]int{1}, nil), 0, -8, OutOfRange},
		{"past the file", f32([]int{16, 4}, nil), 900, 256, Truncated},
		{"negative place", f32([]int{1}, nil), -4, 256, Truncated},
		{"far place", f32([]int{1}, nil), math.MaxInt64, 256, Truncated},
		{"expanded far", f32([]int{1 << 30}, []int{0}), 0, 1000, TooLarge},
		{"overlapping far", f32([]int{1 << 15, 100}, []int{0, 1}), 0, 1000, TooLarge},
	} {
		got, err := b.tensor(t.Context(), c.info, c.off, c.n, binary.LittleEndian, defaults)
		if got != nil || kindOf(err) != c.kind {
			t.Errorf("%s: %v, %v; want %s", c.what, got, err, c.kind)
		}
	}
	if got, err := b.tensor(t.Context(), f32([]int{500, 2}, []int{0, 1}), 0, 8, nil, defaults); err != nil || len(got.Data) != 1000 {
		t.Errorf("a sane expansion: %v", err)
	}
	if got, err := b.tensor(t.Context(), f32([]int{0, 7}, nil), 1000, 0, nil, defaults); err != nil || len(got.Data) != 0 {
		t.Errorf("no elements at the end: %v", err)
	}
}

// TestTensorCancel: a long read stops at the next piece.
func TestTensorCancel(t *testing.T) {
	const n = 5 << 20
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	in := &counting{ReaderAt: bytes.NewReader(make([]byte, n)), each: func() error {
		if reads++; reads == 2 {
			cancel()
		}
		return nil
	}}
	b := &blob{ReaderAt: in, size: n}
	info := tensor.Info{DType: tensor.U8, Shape: []int{n}}
	if got, err := b.tensor(ctx, info, 0, n, nil, defaults); got != nil || !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, %v", got, err)
	}
	if most := 1 + runtime.GOMAXPROCS(0); reads > most { // the other readers may be at it
		t.Errorf("%d reads after the cancelling one", reads-2)
	}
}

// TestTensorViews compares views of a small storage with plain indexing.
func TestTensorViews(t *testing.T) {
	storage := make([]byte, 600)
	for i := range storage {
		storage[i] = byte(i)
	}
	b := memory(storage)
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(0, 6), 0, 3).Draw(t, "shape")
		strides := rapid.SliceOfN(rapid.IntRange(0, 40), len(shape), len(shape)).Draw(t, "strides")
		off := rapid.IntRange(0, len(storage)).Draw(t, "off")
		info := tensor.Info{DType: tensor.U8, Shape: shape, Strides: strides}
		got, err := b.tensor(context.Background(), info, int64(off), int64(len(storage)-off), nil, defaults)
		span, _ := tensor.Span(info)
		if inside := off+int(span) <= len(storage); inside != (err == nil) {
			t.Fatalf("%v %v from %d: %v", shape, strides, off, err)
		}
		if err != nil {
			return
		}
		for k, v := range got.Data {
			at, rest := off, k
			for i := len(shape) - 1; i >= 0; i-- {
				at += rest % shape[i] * strides[i]
				rest /= shape[i]
			}
			if v != float64(storage[at]) {
				t.Fatalf("%v %v from %d: element %d is %v", shape, strides, off, k, v)
			}
		}
		if !slices.Equal(got.Shape, shape) {
			t.Fatal(got.Shape)
		}
	})
}
