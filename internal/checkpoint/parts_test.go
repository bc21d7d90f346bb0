package checkpoint

import (
	"bytes"
	"errors"
	"testing"
)

// TestFlaxChunkedBig: long chunks, cut anywhere between elements or in one, come
// together by one reader and by several, and nothing else is read.
func TestFlaxChunkedBig(t *testing.T) {
	const n = 5<<18 + 77
	data := string(numbered(n))
	var chunks []string
	var parts []filePart
	file := []byte("in front")
	for from, to := 0, 0; from < len(data); from = to {
		to = min(from+len(data)/7+13, len(data)) // not at an element's end
		parts = append(parts, filePart{int64(len(file)), int64(to - from)}, filePart{3, 0})
		file = append(file, data[from:to]...)
		file = append(file, "between"...)
	}
	for from, to := 0, 0; from < len(data); from = to {
		to = min(from+len(data)/44*4, len(data))
		chunks = append(chunks, data[from:to])
	}
	if len(chunks) < 11 {
		t.Fatalf("%d chunks", len(chunks))
	}
	packed := []byte(mpMap("a", mpArray("float32", []int{n}, string(make([]byte, 4*n))), "big", mpChunks([]int{n}, chunks...)))
	for _, procs := range []int{1, 4} {
		processors(t, procs)
		in := &counting{ReaderAt: bytes.NewReader(packed)}
		f, _ := openBig(t, in, int64(len(packed)))
		in.read = 0
		before := allocated()
		got, err := f.Tensor(t.Context(), "big")
		if err != nil {
			t.Fatal(err)
		}
		if took, most := allocated()-before, uint64(8*n+procs*pieceBytes+1<<19); took > most {
			t.Errorf("%d bytes allocated, over %d", took, most)
		}
		if in.read != 4*n {
			t.Errorf("%d bytes read for a tensor of %d", in.read, 4*n)
		}
		info := got.Info
		odd, err := memory(file).parts(t.Context(), info, parts, defaults)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if got.Data[i] != float64(i) || odd.Data[i] != float64(i) {
				t.Fatalf("element %d is %v and %v", i, got.Data[i], odd.Data[i])
			}
		}
	}
}

// TestPartsFaults: a fault is placed where it is in the file.
func TestPartsFaults(t *testing.T) {
	f, err := openMsgpack(mpMap("a", mpChunks([]int{300}, string(numbered(100)), string(numbered(200)))), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	info := f.Tensors()[0]
	data := numbered(1000)
	parts := []filePart{{100, 400}, {1000, 800}}
	var e *Error
	b := &blob{ReaderAt: broken{bytes.NewReader(data), []int64{1200}}, size: int64(len(data))}
	if _, err := b.parts(t.Context(), info, parts, defaults); !errors.As(err, &e) || e.Kind != Unreadable || e.Off != 1200 || e.Tensor != "a" {
		t.Errorf("%v, want byte 1200 unreadable", err)
	}
	b = &blob{ReaderAt: bytes.NewReader(data[:1300]), size: int64(len(data))} // it shrank
	if _, err := b.parts(t.Context(), info, parts, defaults); !errors.As(err, &e) || e.Kind != Truncated || e.Off != 1300 {
		t.Errorf("%v, want the end of the data", err)
	}
	if _, err := memory(data[:1300]).parts(t.Context(), info, parts, defaults); kindOf(err) != Truncated {
		t.Errorf("%v, want truncated", err)
	}
	if _, err := memory(data).parts(t.Context(), info, []filePart{{0, 400}, {400, 796}}, defaults); kindOf(err) != OutOfRange {
		t.Errorf("%v, want out of range", err)
	}
}
