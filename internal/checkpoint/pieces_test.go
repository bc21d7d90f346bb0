package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"poslens/internal/tensor"
)

// processors sets how many there are for one test.
func processors(t testing.TB, n int) {
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

// numbered is n numbers of four bytes, each its own place.
func numbered(n int) []byte {
	data := make([]byte, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(i)))
	}
	return data
}

// bigFiles are a long tensor "big" in every container that it can be read from
// by several readers, with bytes around it.
func bigFiles(t testing.TB, n int) map[string][]byte {
	data := string(numbered(n))
	var npy bytes.Buffer
	if err := WriteNPY(&npy, []int{n}, make([]float32, n)); err != nil {
		t.Fatal(err)
	}
	array := npy.String()[:npy.Len()-len(data)] + data
	header := fmt.Sprintf(`{"a":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]},"big":{"dtype":"F32","shape":[%d],"data_offsets":[%d,%d]},"z":{"dtype":"F32","shape":[%d],"data_offsets":[%d,%d]}}`,
		n, 4*n, n, 4*n, 8*n, n, 8*n, 12*n)
	st := safetensorsOf(header, 12*n)
	copy(st[len(st)-8*n:], data)
	view := func(key string) string { return pkTensor(pkStorage("FloatStorage", key, n), 0, []int{n}, []int{1}) }
	return map[string][]byte{
		"npy":         []byte(array),
		"npz":         zipOf(t, part{name: "a.npy", data: array}, part{name: "big.npy", data: array}),
		"safetensors": st,
		"torch":       torchOf(t, pkDict("a", view("0"), "big", view("1")), string(make([]byte, 4*n)), data),
	}
}

// openBig opens one of them, and gives the name of its long tensor.
func openBig(t testing.TB, r io.ReaderAt, size int64) (*File, string) {
	t.Helper()
	b := &blob{ReaderAt: r, size: size}
	f, err := b.open(t.Context(), defaults)
	if err != nil {
		t.Fatal(err)
	}
	if f.Format == "npy" {
		return f, ""
	}
	return f, "big"
}

// TestBigTensor: by one reader and by several, a long tensor's own bytes are read
// once and nothing else is but a zip member's header, every number comes to its
// place, and the memory taken is the result and the pieces that are under way.
func TestBigTensor(t *testing.T) {
	const n = 5<<18 + 77
	for name, file := range bigFiles(t, n) {
		for _, procs := range []int{1, 4} {
			t.Run(fmt.Sprint(name, procs), func(t *testing.T) {
				processors(t, procs)
				in := &counting{ReaderAt: bytes.NewReader(file)}
				f, big := openBig(t, in, int64(len(file)))
				in.read = 0
				before := allocated()
				got, err := f.Tensor(t.Context(), big)
				if err != nil {
					t.Fatal(err)
				}
				if took, most := allocated()-before, uint64(8*n+procs*pieceBytes+1<<19); took > most {
					t.Errorf("%d bytes allocated, over %d", took, most)
				}
				if extra := in.read - 4*n; extra < 0 || extra > 256 {
					t.Errorf("%d bytes read for a tensor of %d", in.read, 4*n)
				}
				for i, v := range got.Data {
					if v != float64(i) {
						t.Fatalf("element %d is %v", i, v)
					}
				}
			})
		}
	}
}

// TestBigStrided: turned, expanded and overlapping tensors come out alike by one
// reader and by several.
func TestBigStrided(t *testing.T) {
	const rows, cols = 1100, 1201
	b := memory(numbered(rows * cols))
	for _, info := range []tensor.Info{
		{Name: "turned", Shape: []int{cols, rows}, Strides: []int{1, cols}},
		{Name: "turned in parts", Shape: []int{11, cols, 100}, Strides: []int{100 * cols, 1, cols}},
		{Name: "every third", Shape: []int{rows, cols / 3}, Strides: []int{cols, 3}},
		{Name: "expanded", Shape: []int{2, rows * cols}, Strides: []int{0, 1}},
		{Name: "overlapping", Shape: []int{rows * cols / 2, 2}, Strides: []int{2, 1}},
		{Name: "windows", Shape: []int{rows*cols - 2, 3}, Strides: []int{1, 1}},
	} {
		info.DType = tensor.F32
		for _, procs := range []int{1, 4} {
			processors(t, procs)
			got, err := b.tensor(t.Context(), info, 0, b.size, nil, defaults)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range got.Data {
				from, rest := 0, k
				for i := len(info.Shape) - 1; i >= 0; i-- {
					from += rest % info.Shape[i] * info.Strides[i]
					rest /= info.Shape[i]
				}
				if v != float64(from) {
					t.Fatalf("%s, %d processors: element %d is %v, want %d", info.Name, procs, k, v, from)
				}
			}
		}
	}
}

// broken gives an error for every read that reaches one of its places, which
// rise, and the bytes before it.
type broken struct {
	io.ReaderAt
	at []int64
}

var errBroken = errors.New("input/output error")

func (b broken) ReadAt(p []byte, off int64) (int, error) {
	for range rand.IntN(3) {
		runtime.Gosched()
	}
	for _, at := range b.at {
		if off <= at && at < off+int64(len(p)) {
			n, _ := b.ReaderAt.ReadAt(p[:at-off], off)
			return n, errBroken
		}
	}
	return b.ReaderAt.ReadAt(p, off)
}

// TestFirstFault: of several faults the one that comes first in the file is told,
// whoever met it, and with its place.
func TestFirstFault(t *testing.T) {
	processors(t, 4)
	const n = 20 << 18
	data := make([]byte, n)
	info := tensor.Info{Name: "x", DType: tensor.U8, Shape: []int{n}}
	for range 50 {
		at := []int64{rand.Int64N(n), rand.Int64N(n), rand.Int64N(n)}
		slices.Sort(at)
		b := &blob{ReaderAt: broken{bytes.NewReader(data), at}, size: n}
		var e *Error
		got, err := b.tensor(t.Context(), info, 0, n, nil, defaults)
		if got != nil || !errors.As(err, &e) || e.Kind != Unreadable || e.Tensor != "x" || !errors.Is(err, errBroken) {
			t.Fatalf("%v, %v", got, err)
		}
		if e.Off != at[0] {
			t.Fatalf("the fault at %d is told, and the first is at %d", e.Off, at[0])
		}
	}
	b := &blob{ReaderAt: bytes.NewReader(data[:n-pieceElements*7-5]), size: n} // it shrank
	var e *Error
	if _, err := b.tensor(t.Context(), info, 0, n, nil, defaults); !errors.As(err, &e) || e.Kind != Truncated || e.Off != n-pieceElements*7-5 {
		t.Errorf("%v, want the end of the data", err)
	}
}

// TestReaders: a short tensor has one reader, a long one as many as processors.
func TestReaders(t *testing.T) {
	processors(t, 3)
	for _, c := range []struct{ pieces, want int }{{1, 1}, {fewPieces, 1}, {fewPieces + 5, 3}} {
		n := c.pieces * pieceElements
		info := tensor.Info{DType: tensor.U8, Shape: []int{n}}
		r := newReading(info, extent{n, int64(n), int64(n)}, 0, nil)
		var mu sync.Mutex
		now, most := 0, 0
		met := make(chan struct{}) // closed when all the readers are in their first read
		meet := sync.OnceFunc(func() { close(met) })
		err := r.shared(t.Context(), func(p []byte, _ int64) (int, error) {
			mu.Lock()
			now++
			most = max(most, now)
			if now == c.want {
				meet()
			}
			mu.Unlock()
			<-met
			mu.Lock()
			now--
			mu.Unlock()
			return len(p), nil
		})
		if err != nil || most != c.want {
			t.Errorf("%d pieces: %d readers, %v; want %d", c.pieces, most, err, c.want)
		}
	}
}

// TestBigDamage: a bit that flipped is found by the CRC-32 of a zip member,
// whichever piece it is in.
func TestBigDamage(t *testing.T) {
	processors(t, 4)
	const n = 5<<18 + 77
	files := bigFiles(t, n)
	for _, name := range []string{"npz", "torch"} {
		file := files[name]
		data := bytes.LastIndex(file, numbered(4000)) // "big" is the last that begins so
		for at := data; at < data+4*n; at += pieceBytes/2 + 1001 {
			file[at] ^= 4
			f, big := openBig(t, bytes.NewReader(file), int64(len(file)))
			if _, err := f.Tensor(t.Context(), big); kindOf(err) != Corrupt || !strings.Contains(err.Error(), "CRC-32") {
				t.Errorf("%s, byte %d: %v", name, at, err)
			}
			file[at] ^= 4
		}
		f, big := openBig(t, bytes.NewReader(file), int64(len(file)))
		if _, err := f.Tensor(t.Context(), big); err != nil {
			t.Error(err)
		}
	}
}

func TestJoinCRC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		zeros := make([]byte, rapid.IntRange(0, 100_000).Draw(t, "zeros"))
		cut := rapid.IntRange(0, len(p)).Draw(t, "cut")
		front, back := append(p[:cut:cut], zeros...), append(zeros, p[cut:]...)
		for _, poly := range []uint32{crc32.IEEE, crc32.Castagnoli} {
			sum := func(p []byte) uint32 { return crc32.Checksum(p, crc32.MakeTable(poly)) }
			if got, want := joinCRC(poly, sum(front), sum(back), int64(len(back))), sum(slices.Concat(front, back)); got != want {
				t.Fatalf("%08x: %08x, want %08x", poly, got, want)
			}
		}
	})
}
