package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestFlaxCost: one tensor of a large file costs the heads of all of them and its
// own bytes.
func TestFlaxCost(t *testing.T) {
	const n, arrays = 1 << 18, 12
	pairs := []string{}
	for i := range arrays {
		pairs = append(pairs, fmt.Sprint("layer", i), mpMap("kernel", mpArray("float32", []int{n}, string(make([]byte, 4*n)))))
	}
	pairs = append(pairs, "wpe", mpMap("embedding", mpArray("float32", []int{16, 32}, string(numbered(512)))))
	file := []byte(mpMap("transformer", mpMap(pairs...)))
	in := &counting{ReaderAt: bytes.NewReader(file)}
	b := &blob{ReaderAt: in, size: int64(len(file))}
	f, err := b.open(t.Context(), defaults)
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(headBytes + (arrays+1)*windowLeast); in.read > most || in.calls > arrays+2 {
		t.Errorf("opening read %d bytes in %d calls, over %d in %d", in.read, in.calls, most, arrays+2)
	}
	again := func() {
		if _, err := b.open(t.Context(), defaults); err != nil {
			t.Error(err)
		}
	}
	if got := leastAllocated(again); got > 256<<10 {
		t.Errorf("opening allocated %d", got)
	}
	in.read = 0
	before := allocated()
	got, err := f.Tensor(t.Context(), "transformer/wpe/embedding")
	if err != nil || got.Data[511] != 511 {
		t.Fatal(got, err)
	}
	if in.read != 2048 {
		t.Errorf("a tensor of 2048 bytes cost %d", in.read)
	}
	if got := allocated() - before; got > 1<<20 {
		t.Errorf("a tensor of 2048 bytes allocated %d", got)
	}
}

// TestFlaxLimits: tokens, arrays that are read, keys, names, and the context.
func TestFlaxLimits(t *testing.T) {
	good := mpArray("bool", []int{100}, string(make([]byte, 100)))
	file := mpMap("a", good, "b", mpArray("bool", []int{10}, string(make([]byte, 10))))
	f, err := openMsgpack(file, Limits{MaxElements: 50})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tensor(t.Context(), "a"); kindOf(err) != TooLarge {
		t.Errorf("%v, want too_large", err)
	}
	if _, err := f.Tensor(t.Context(), "b"); err != nil {
		t.Error(err)
	}
	if _, err := openMsgpack(file, Limits{MaxHeader: 30}); kindOf(err) != HeaderTooLarge {
		t.Errorf("%v, want header_too_large", err)
	}
	if _, err := openMsgpack(file, Limits{MaxHeader: 60}); err != nil { // the elements don't count
		t.Error(err)
	}

	empty := mpArray("bool", []int{0}, "")
	long := mpList(slices.Repeat([]string{empty}, 1000)...)
	for range 20 {
		long = mpMap(strings.Repeat("k", 200), long)
	}
	if _, err := openMsgpack(long, Limits{}); kindOf(err) != TooLarge || !strings.Contains(err.Error(), "names") {
		t.Errorf("long names: %v", err)
	}
	for what, w := range map[string]*flaxWalk{
		"262144 arrays": {found: make([]flaxArray, maxTensors-2), names: 1 << 20},
		"1048576 keys":  {keys: maxFlaxKeys - 2, names: 1 << 20},
	} {
		for n, want := range map[int]Kind{2: "", 3: TooLarge} {
			w := *w
			w.in = newMsgpackReader(t.Context(), memory([]byte(mpNumbered(slices.Repeat([]string{empty}, n)...))), 1<<20)
			root, err := w.in.token()
			if err == nil {
				err = w.value(root)
			}
			if kindOf(err) != want || err != nil && !strings.Contains(err.Error(), what) {
				t.Errorf("%d more of %s: %v, want %q", n, what, err, want)
			}
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	many := append(binary.BigEndian.AppendUint32([]byte{0xdd}, 1<<20), make([]byte, 1<<20)...)
	in := &counting{ReaderAt: bytes.NewReader(many)}
	in.each = func() error {
		if in.calls == 3 {
			cancel()
		}
		return nil
	}
	if _, err := openFlax(ctx, &blob{ReaderAt: in, size: int64(len(many))}, defaults); !errors.Is(err, context.Canceled) || in.calls != 3 {
		t.Errorf("cancelled: %v after %d calls", err, in.calls)
	}
	in = &counting{ReaderAt: bytes.NewReader(many)}
	if _, err := openFlax(t.Context(), &blob{ReaderAt: in, size: int64(len(many))}, defaults); kindOf(err) != NotFound || in.calls > 24 {
		t.Errorf("a long list: %v after %d calls", err, in.calls)
	}
}
