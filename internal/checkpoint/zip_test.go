package checkpoint

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"
)

// part is a member for zipOf. What is zero is made as it should be.
type part struct {
	name    string
	data    string
	deflate bool
	raw     *zip.FileHeader // what is to be lied about; data is then written as it is
}

// zipOf makes an archive with the standard library's writer.
func zipOf(t testing.TB, parts ...part) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, p := range parts {
		h, data := p.raw, []byte(p.data)
		if h == nil {
			h = &zip.FileHeader{CRC32: crc32.ChecksumIEEE(data), UncompressedSize64: uint64(len(data))}
			if p.deflate {
				h.Method = zip.Deflate
				data = deflated(t, data)
			}
			h.CompressedSize64 = uint64(len(data))
		}
		h.Name = p.name
		f, err := w.CreateRaw(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func deflated(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// patched changes bytes at the nth occurrence of a mark, or the last for -1.
func patched(t *testing.T, data []byte, mark string, nth, off int, with string) []byte {
	t.Helper()
	at := -1
	if nth < 0 {
		at = bytes.LastIndex(data, []byte(mark))
	}
	for i := 0; i <= nth; i++ {
		next := bytes.Index(data[at+1:], []byte(mark))
		if next < 0 {
			t.Fatalf("no %q number %d", mark, nth)
		}
		at += 1 + next
	}
	out := bytes.Clone(data)
	copy(out[at+off:], with)
	return out
}

func TestArchive(t *testing.T) {
	data := zipOf(t, part{name: "a", data: "stored"}, part{name: "b/c", data: strings.Repeat("packed ", 100), deflate: true}, part{name: "empty"})
	a, err := openArchive(memory(data), defaults)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "stored", "b/c": strings.Repeat("packed ", 100), "empty": ""} {
		got, err := a.all(a.byName[name], 1<<10)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if _, err := a.all(a.byName["a"], 5); kindOf(err) != HeaderTooLarge {
		t.Errorf("6 bytes of at most 5: %v", err)
	}
}

// TestArchiveComment has an end record that does not stand at the very end.
func TestArchiveComment(t *testing.T) {
	data := zipOf(t, part{name: "a", data: "stored"})
	for _, n := range []int{1, 1000, 1100, 65535} {
		long := patched(t, data, zipEnd, -1, 20, string([]byte{byte(n), byte(n >> 8)}))
		long = append(long, strings.Repeat("c", n)...)
		if _, err := openArchive(memory(long), defaults); err != nil {
			t.Errorf("a comment of %d bytes: %v", n, err)
		}
		if _, err := openArchive(memory(long[:len(long)-1]), defaults); kindOf(err) != Truncated {
			t.Errorf("a comment of %d bytes, cut: %v", n, err)
		}
	}
}

// TestArchiveFaults has archives of which two readers could make two things, and
// such as lie.
func TestArchiveFaults(t *testing.T) {
	two := zipOf(t, part{name: "a", data: "first file"}, part{name: "b", data: "second file"})
	for _, c := range []struct {
		name string
		data []byte
		kind Kind
	}{
		{"no directory", two[:bytes.LastIndex(two, []byte(zipEnd))], Truncated},
		{"nothing", nil, Truncated},
		{"the same name twice", zipOf(t, part{name: "a", data: "x"}, part{name: "a", data: "y"}), DuplicateName},
		{"one entry less than promised", patched(t, two, zipEnd, 0, 8, "\x03\x00\x03\x00"), Corrupt},
		{"two disks", patched(t, two, zipEnd, 0, 4, "\x01"), Unsupported},
		{"a directory elsewhere", patched(t, two, zipEnd, 0, 16, "\x01"), Corrupt},
		{"a directory of another length", patched(t, two, zipEnd, 0, 12, "\x01"), Corrupt},
		{"a directory before the file", patched(t, two, zipEnd, 0, 16, "\xff\xff\xff\x7f"), Corrupt},
		{"a gap before the end record", append(append(bytes.Clone(two[:len(two)-22]), "gap"...), two[len(two)-22:]...), Corrupt},
		{"no entry in the directory", patched(t, two, zipEntry, 1, 0, "XX"), Corrupt},
		{"an entry with a long name", patched(t, two, zipEntry, 1, 28, "\xff\xff"), Corrupt},
		{"a stored member of two sizes", patched(t, two, zipEntry, 0, 24, "\xff"), Corrupt},
		{"a member past the directory", patched(t, two, zipEntry, 1, 42, "\xff\xff"), Corrupt},
		{"a member that reaches into the directory", patched(t, patched(t, two, zipEntry, 1, 20, "\x40"), zipEntry, 1, 24, "\x40"), Corrupt},
		{"a member that reaches into the next", patched(t, patched(t, two, zipEntry, 0, 20, "\x40"), zipEntry, 0, 24, "\x40"), Overlap},
		{"two members at one place", patched(t, two, zipEntry, 1, 42, "\x00\x00\x00\x00"), Overlap},
		{"64-bit sizes that are not there", patched(t, two, zipEntry, 0, 20, "\xff\xff\xff\xff\xff\xff\xff\xff"), Corrupt},
	} {
		_, err := openArchive(memory(c.data), defaults)
		if kindOf(err) != c.kind {
			t.Errorf("%s: %v, want %s", c.name, err, c.kind)
		}
	}
	_, err := openArchive(memory(two[:40]), defaults)
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "the download may be cut") {
		t.Errorf("a cut file's hint: %+v", e)
	}
	if _, err := openArchive(memory(two), Limits{MaxHeader: 10}.withDefaults()); kindOf(err) != HeaderTooLarge {
		t.Errorf("a directory over the limit: %v", err)
	}
}

// TestMemberFaults has archives whose directory is sound, but not a member.
func TestMemberFaults(t *testing.T) {
	good := strings.Repeat("twelve bytes", 1000)
	packed := string(deflated(t, []byte(good)))
	sum := crc32.ChecksumIEEE([]byte(good))
	raw := func(data string, crc uint32, size uint64) part {
		return part{name: "a", data: data, raw: &zip.FileHeader{Method: zip.Deflate, CRC32: crc, CompressedSize64: uint64(len(data)), UncompressedSize64: size}}
	}
	stored := zipOf(t, part{name: "a", data: good})
	for _, c := range []struct {
		name string
		data []byte
		kind Kind
	}{
		{"another name in its own header", patched(t, stored, zipLocal, 0, 30, "b"), Corrupt},
		{"another method", patched(t, stored, zipLocal, 0, 8, "\x08"), Corrupt},
		{"another size", patched(t, stored, zipLocal, 0, 18, "\x01"), Corrupt},
		{"no header", patched(t, stored, zipLocal, 0, 0, "XX"), Corrupt},
		{"extra bytes past the file", patched(t, stored, zipLocal, 0, 28, "\xff\xff"), Overlap},
		{"extra bytes that push it into the directory", patched(t, stored, zipLocal, 0, 28, "\x01"), Overlap},
		{"encrypted", patched(t, stored, zipEntry, 0, 8, "\x01"), Unsupported},
		{"LZMA", patched(t, stored, zipEntry, 0, 10, "\x0e"), Unsupported},
		{"a byte that changed", patched(t, stored, "twelve", 3, 0, "T"), Corrupt},
		{"a packed byte that changed", zipOf(t, raw("\xff"+packed[1:], sum, uint64(len(good)))), Corrupt},
		{"packed bytes that end early", zipOf(t, raw(packed[:len(packed)/2], sum, uint64(len(good)))), Corrupt},
		{"a wrong CRC", zipOf(t, raw(packed, sum+1, uint64(len(good)))), Corrupt},
		{"fewer bytes than claimed", zipOf(t, raw(packed, sum, uint64(len(good)+1))), Corrupt},
		{"more bytes than claimed", zipOf(t, raw(packed, sum, 100)), Corrupt},
	} {
		a, err := openArchive(memory(c.data), defaults)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, err := a.all(a.byName["a"], 1<<20); kindOf(err) != c.kind || got != nil {
			t.Errorf("%s: %d bytes, %v, want %s", c.name, len(got), err, c.kind)
		}
	}
}

// TestMemberUnreadable: a disk that fails while a member is unpacked is no damage
// of the file's.
func TestMemberUnreadable(t *testing.T) {
	data := zipOf(t, part{name: "a", data: "stored"}, part{name: "b", data: strings.Repeat("packed ", 1000), deflate: true})
	disk := &counting{ReaderAt: bytes.NewReader(data)}
	a, err := openArchive(&blob{ReaderAt: disk, size: int64(len(data))}, defaults)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range a.byName {
		r, err := a.reader(m)
		if err != nil {
			t.Fatal(err)
		}
		broken := &fs.PathError{Op: "read", Path: "x\x1b.zip", Err: errors.New("input/output error")}
		disk.each = func() error { return broken }
		_, err = io.ReadAll(r)
		disk.each = nil
		var e *Error
		if err = readFault(-1, err); !errors.As(err, &e) || e.Kind != Unreadable || strings.Contains(err.Error(), "zip") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMembersAtOnce: several goroutines may read members, each with a check of
// its own.
func TestMembersAtOnce(t *testing.T) {
	array := npyMember("|u1", false, "(1000,)", strings.Repeat("x", 1000))
	f, err := openBytes(t, "x.npz", zipOf(t, part{name: "stored.npy", data: array}, part{name: "deflated.npy", data: array, deflate: true}), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 8 {
		for _, name := range []string{"stored", "deflated"} {
			wait.Go(func() {
				if got, err := f.Tensor(t.Context(), name); err != nil || len(got.Data) != 1000 || got.Data[999] != 'x' {
					t.Errorf("%s: %v %v", name, got, err)
				}
			})
		}
	}
	wait.Wait()
}

// TestBomb has 8 MB of zeros in 8 kB, and limits on either count.
func TestBomb(t *testing.T) {
	data := zipOf(t, part{name: "a", data: strings.Repeat("\x00", 8<<20), deflate: true})
	for _, l := range []Limits{{MaxInflate: 4 << 20}, {MaxRatio: 100}} {
		a, err := openArchive(memory(data), l.withDefaults())
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.reader(a.byName["a"])
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r)
		if kindOf(err) != TooLarge || n > 4<<20 {
			t.Errorf("%+v: %d bytes, %v", l, n, err)
		}
	}
}

// zip64Of writes a one-member archive anew with 64-bit records throughout.
func zip64Of(name, data string) []byte {
	le := binary.LittleEndian
	u64 := func(b []byte, values ...int) []byte {
		for _, v := range values {
			b = le.AppendUint64(b, uint64(v))
		}
		return b
	}
	sum := crc32.ChecksumIEEE([]byte(data))
	local := append([]byte(zipLocal), 45, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	local = le.AppendUint32(local, sum)
	local = append(local, bytes.Repeat([]byte{0xff}, 8)...)
	local = append(local, byte(len(name)), 0, 20, 0)
	local = append(append(local, name...), 1, 0, 16, 0)
	out := append(u64(local, len(data), len(data)), data...)
	dir := len(out)
	entry := append([]byte(zipEntry), 45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	entry = le.AppendUint32(entry, sum)
	entry = append(entry, bytes.Repeat([]byte{0xff}, 8)...)
	entry = append(entry, byte(len(name)), 0, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff)
	entry = append(append(entry, name...), 9, 9, 1, 0, 'x', 1, 0, 24, 0)
	out = append(out, u64(entry, len(data), len(data), 0)...)
	end := len(out)
	out = append(append(out, zipEnd64...), 44, 0, 0, 0, 0, 0, 0, 0, 45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	out = u64(out, 1, 1, end-dir, dir)
	out = append(append(out, zipLocator64...), 0, 0, 0, 0)
	out = append(u64(out, end), 1, 0, 0, 0)
	out = append(append(out, zipEnd...), 0, 0, 0, 0)
	return append(append(out, bytes.Repeat([]byte{0xff}, 12)...), 0, 0)
}

func TestZip64(t *testing.T) {
	data := zip64Of("a", "content")
	if r, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err != nil || len(r.File) != 1 {
		t.Fatalf("the test's own archive: %v", err)
	}
	a, err := openArchive(memory(data), defaults)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := a.all(a.byName["a"], 100); err != nil || string(got) != "content" {
		t.Errorf("%q %v", got, err)
	}
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"two counts", patched(t, data, zipEnd, 0, 8, "\x02\x00\x02\x00")},
		{"a record past the end", patched(t, data, zipLocator64, 0, 8, "\xff\xff\xff\xff\xff\xff\xff\x7f")},
		{"a record past any file", patched(t, data, zipLocator64, 0, 8, "\xff\xff\xff\xff\xff\xff\xff\xff")},
		{"no record there", patched(t, data, zipLocator64, 0, 8, "\x00\x00")},
		{"a directory past any file", patched(t, data, zipEnd64, 0, 48, "\xff\xff\xff\xff\xff\xff\xff\xff")},
		{"a size past int64", patched(t, data, "x\x01\x00\x18\x00", 0, 5, "\xff\xff\xff\xff\xff\xff\xff\xff")},
	} {
		if _, err := openArchive(memory(c.data), defaults); kindOf(err) != Corrupt {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestOtherZips(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []part
		kind  Kind
		says  string
	}{
		{"no members", nil, NotFound, "without members"},
		{"something else", []part{{name: "word/document.xml", data: "<x>"}}, Unsupported, "word/document.xml"},
		{"a Keras file", []part{{name: "config.json", data: "{}"}, {name: "model.weights.h5", data: "\x89HDF"}}, Unsupported, "config.json"},
		{"two pickles", []part{{name: "a/data.pkl", data: "N."}, {name: "b/data.pkl", data: "N."}}, DuplicateName, "b/data.pkl"},
	} {
		_, err := openBytes(t, "x.zip", zipOf(t, c.parts...), Limits{})
		if kindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
