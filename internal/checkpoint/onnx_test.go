package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestONNXFixtures: where a case leaves the choice of the tensor to the tool, the
// broken one is the position table; the files have good ones beside it.
func TestONNXFixtures(t *testing.T) {
	ran := 0
	for _, root := range fixtureRoots() {
		dir := filepath.Join(root, "onnx")
		for _, c := range readManifest(t, dir) {
			if table := "wpe.weight"; c.Expect == "error" && c.Tensor == nil {
				c.Tensor = &table
			}
			if c.File == "bad_groups.onnx" { // which are vertical tabs, a text without a number
				c.Alt = append(c.Alt, Empty)
			}
			ran++
			t.Run(filepath.Base(root)+"/"+c.File, func(t *testing.T) { runFixture(t, dir, c) })
		}
	}
	if ran == 0 {
		t.Skip("no fixtures: POSLENS_DATA is not set")
	}
}

func TestONNXTruncations(t *testing.T) {
	for _, name := range []string{"raw_f32.onnx", "quant_uint8.onnx", "f16_int32_data.onnx", "constant_node.onnx", "external.onnx"} {
		everyTruncation(t, "onnx", name, false)
		data := readFixture(t, "onnx", name)
		for n := range len(data) - 6 { // the versions of the operators are not needed
			if f, err := openONNX(t.Context(), memory(data[:n]), defaults); f != nil || kindOf(err) != Truncated && kindOf(err) != Corrupt {
				t.Fatalf("%s cut at %d: %v, %v", name, n, f, err)
			}
		}
	}
}

// TestONNXCost: opening jumps over tensors' numbers, and one tensor costs its own.
func TestONNXCost(t *testing.T) {
	const big, tensors = 1 << 16, 100
	graph := nodeOf("Gather", []string{"wpe.weight", "ids"}, []string{"y"})
	for i := range tensors {
		graph += initializer(fmt.Sprint("h.", i), 1, []int64{big / 4}, rawOnes(big))
	}
	graph += initializer("wpe.weight", 1, []int64{16, 32}, rawOnes(2048)) + initializer("z", 1, []int64{big / 4}, rawOnes(big))
	file := onnxOf(graph)
	in := &counting{ReaderAt: bytes.NewReader(file)}
	f, err := openONNX(t.Context(), &blob{ReaderAt: in, size: int64(len(file))}, defaults)
	if err != nil {
		t.Fatal(err)
	}
	if most := int64((tensors + 4) * 2 * windowLeast); in.read > most || in.calls > 2*(tensors+4) {
		t.Errorf("opening read %d bytes of %d in %d calls", in.read, len(file), in.calls)
	}
	again := func() {
		if _, err := openONNX(t.Context(), &blob{ReaderAt: in, size: int64(len(file))}, defaults); err != nil {
			t.Error(err)
		}
	}
	if got := leastAllocated(again); got > 1<<18 {
		t.Errorf("opening allocated %d bytes", got)
	}
	in.read, in.calls = 0, 0
	if _, err := f.Tensor(t.Context(), "wpe.weight"); err != nil {
		t.Fatal(err)
	}
	if in.read != 2048 || in.calls != 1 {
		t.Errorf("a tensor of 2048 bytes cost %d in %d calls", in.read, in.calls)
	}
	again = func() {
		if _, err := f.Tensor(t.Context(), "wpe.weight"); err != nil {
			t.Error(err)
		}
	}
	if got := leastAllocated(again); got > 1<<16 {
		t.Errorf("a tensor of 2048 bytes allocated %d", got)
	}
}

// TestONNXCancel: a walk stops at the next read.
func TestONNXCancel(t *testing.T) {
	graph := strings.Repeat(wireBytes(graphNode, wireBytes(nodeOpType, "Add")), 200_000)
	file := onnxOf(graph)
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	in := &counting{ReaderAt: bytes.NewReader(file), each: func() error {
		if reads++; reads == 3 {
			cancel()
		}
		return nil
	}}
	if f, err := openONNX(ctx, &blob{ReaderAt: in, size: int64(len(file))}, defaults); f != nil || !errors.Is(err, context.Canceled) || reads != 3 {
		t.Errorf("%v, %v after %d reads", f, err, reads)
	}
}

// TestONNXBrokenDisk: what the system says is not taken for a fault of the file.
func TestONNXBrokenDisk(t *testing.T) {
	file := onnxOf(initializer("a", 1, []int64{2}, rawOnes(8)), initializer("b", 3, []int64{5000}, wirePacked(tensorInt32Data, make([]int64, 5000)...)))
	for _, at := range []int64{0, 20, int64(len(file)) - 5} {
		in := broken{bytes.NewReader(file), []int64{at}}
		if f, err := openONNX(t.Context(), &blob{ReaderAt: in, size: int64(len(file))}, defaults); f != nil || kindOf(err) != Unreadable || !errors.Is(err, errBroken) {
			t.Errorf("byte %d: %v, %v", at, f, err)
		}
	}
	f, err := openONNX(t.Context(), &blob{ReaderAt: broken{bytes.NewReader(file), []int64{4500}}, size: int64(len(file))}, defaults)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Tensor(t.Context(), "b"); got != nil || kindOf(err) != Unreadable {
		t.Errorf("%v, %v", got, err)
	}
}

// TestONNXTogether: tensors may be read at the same time.
func TestONNXTogether(t *testing.T) {
	values := make([]int64, 20_000)
	for i := range values {
		values[i] = int64(i)
	}
	f := openModel(t, onnxOf(
		initializer("x", 7, []int64{20_000}, wirePacked(tensorInt64Data, values...)), initializer("s", 1, nil, wireBytes(tensorRawData, littleFloats(0.5))),
		nodeOf("DequantizeLinear", []string{"x", "s"}, []string{"y"}),
	))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for _, name := range []string{"x", "y"} {
				got, err := f.Tensor(t.Context(), name)
				if err != nil || got.Data[19_999] != 19_999.0/2 {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	wait.Wait()
}
