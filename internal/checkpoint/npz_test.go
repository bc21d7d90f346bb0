package checkpoint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"poslens/internal/tensor"
)

func TestNPZFixtures(t *testing.T) { runManifest(t, "npz") }

// npyMember is an array of version 1 as a member's data.
func npyMember(descr string, fortran bool, shape, data string) string {
	order := "False"
	if fortran {
		order = "True"
	}
	h := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, order, shape)
	return npyMagic + "\x01\x00" + string([]byte{byte(len(h)), byte(len(h) >> 8)}) + h + data
}

func TestNPZNames(t *testing.T) {
	data := zipOf(t,
		part{name: "z.npy", data: npyMember("|u1", false, "(2, 3)", "\x01\x02\x03\x04\x05\x06")},
		part{name: "sub/a.npy", data: npyMember("|u1", true, "(2, 3)", "\x01\x02\x03\x04\x05\x06"), deflate: true},
		part{name: "README.txt", data: "no array"},
		part{name: "objects.npy", data: npyMember("|O", false, "(1,)", "\x80\x03N.")},
		part{name: "complex.npy", data: npyMember("<c8", false, "(1,)", "12345678")},
		part{name: "cut.npy", data: npyMember("<f4", false, "(9,)", "1234")},
		part{name: "none.npy", data: "not an array at all"},
		part{name: "short.npy", data: "\x93NUM"},
	)
	f, err := openBytes(t, "x.npz", data, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	checkListing(t, f)
	var listed []string
	for _, info := range f.Tensors() {
		listed = append(listed, fmt.Sprintf("%s %v %s %v", info.Name, info.DType, info.Stored, info.Shape))
	}
	want := []string{
		"complex invalid <c8 [1]", "cut invalid <f4 [9]", "none invalid unknown []", "objects invalid |O [1]",
		"short invalid unknown []", "sub/a U8 |u1 [2 3]", "z U8 |u1 [2 3]",
	}
	if !slices.Equal(listed, want) {
		t.Errorf("listed %q", listed)
	}
	for name, want := range map[string][]float64{"z": {1, 2, 3, 4, 5, 6}, "sub/a": {1, 3, 5, 2, 4, 6}} {
		if got, err := f.Tensor(t.Context(), name); err != nil || !slices.Equal(got.Data, want) {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
	for name, want := range map[string]Kind{
		"objects": UnsafePickle, "complex": UnsupportedDType, "cut": Truncated, "none": Corrupt, "short": Truncated, "no": NotFound,
	} {
		if got, err := f.Tensor(t.Context(), name); kindOf(err) != want || got != nil {
			t.Errorf("%s: %v %v, want %s", name, got, err, want)
		}
	}
	if len(f.Warnings()) > 0 {
		t.Errorf("warnings %v", f.Warnings())
	}
}

// TestNPZReads counts the bytes that opening and reading take.
func TestNPZReads(t *testing.T) {
	table := npyMember("<f4", false, "(16, 32)", strings.Repeat("\x00\x00\x80\x3f", 16*32))
	big := npyMember("<f4", false, "(1000, 1000)", strings.Repeat("\x00\x00\x00\x40", 1000*1000))
	tail := table + strings.Repeat("\x00", 8_000_000)
	data := zipOf(t, part{name: "big.npy", data: big}, part{name: "table.npy", data: table}, part{name: "tail.npy", data: tail, deflate: true})
	c := &counting{ReaderAt: bytes.NewReader(data)}
	f, err := openZip(t.Context(), &blob{ReaderAt: c, size: int64(len(data))}, defaults)
	if err != nil {
		t.Fatal(err)
	}
	// the end of the file (1 KiB), the directory, three headers, of which the
	// deflated one comes in a piece of 4 KiB
	if c.read > 7<<10 {
		t.Errorf("opening read %d bytes in %d calls", c.read, c.calls)
	}
	for _, name := range []string{"table", "tail"} {
		c.read = 0
		before := allocated()
		got, err := f.Tensor(t.Context(), name)
		if err != nil || len(got.Data) != 16*32 || slices.Max(got.Data) != 1 || slices.Min(got.Data) != 1 {
			t.Fatalf("%s: %v %v", name, got, err)
		}
		if c.read > 5<<10 {
			t.Errorf("%s: reading 2 KiB read %d bytes", name, c.read)
		}
		if n := allocated() - before; n > 1<<20 {
			t.Errorf("%s: reading 2 KiB allocated %d bytes", name, n)
		}
	}
}

// TestNPZDamage flips single bits of a table's elements, stored and deflated:
// each is found by the CRC-32 or the unpacking, since the table fills its member.
func TestNPZDamage(t *testing.T) {
	values := make([]byte, 512)
	for i := range values {
		values[i] = byte(i * i)
	}
	for _, deflate := range []bool{false, true} {
		data := zipOf(t, part{name: "a.npy", data: npyMember("|u1", false, "(16, 32)", string(values)), deflate: deflate})
		end := bytes.Index(data, []byte(zipEntry))
		start := len(zipLocal) + 26 + len("a.npy")
		if !deflate {
			start = end - len(values)
		}
		for i := start; i < end; i += 7 {
			bad := bytes.Clone(data)
			bad[i] ^= 0x10
			f, err := openBytes(t, "x.npz", bad, Limits{})
			var got *tensor.Tensor
			if err == nil {
				got, err = f.Tensor(t.Context(), "a")
			}
			// a damaged header may be taken for something else that is wrong
			if err == nil || !deflate && kindOf(err) != Corrupt {
				t.Fatalf("deflated %v, byte %d: %v %v", deflate, i, got, err)
			}
		}
	}
}

func TestNPZBomb(t *testing.T) {
	bomb := npyMember("|u1", false, "(2097152,)", strings.Repeat("\x00", 2<<20))
	data := zipOf(t, part{name: "a.npy", data: bomb, deflate: true})
	f, err := openBytes(t, "x.npz", data, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Tensor(t.Context(), "a"); err != nil || len(got.Data) != 2<<20 {
		t.Errorf("2 MiB of zeros under the default limits: %v", err)
	}
	for _, l := range []Limits{{MaxInflate: 1 << 20}, {MaxRatio: 100}} {
		f, err := openBytes(t, "x.npz", data, l)
		if err != nil {
			t.Fatal(err)
		}
		before := allocated()
		if _, err := f.Tensor(t.Context(), "a"); kindOf(err) != TooLarge {
			t.Errorf("%+v: %v", l, err)
		}
		if n := allocated() - before; n > 1<<20 {
			t.Errorf("%+v: %d bytes allocated for a refusal", l, n)
		}
	}
}

func TestNPZTruncations(t *testing.T) {
	everyTruncation(t, "npz", "unicode.npz", true)
	everyTruncation(t, "npz", "fortran_be.npz", true)
}
