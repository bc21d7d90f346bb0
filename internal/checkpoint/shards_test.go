package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"poslens/internal/tensor"
)

// oneTensor is a safetensors file of one tensor of two bytes.
func oneTensor(name string, values string) *fstest.MapFile {
	file := safetensorsOf(fmt.Sprintf(`{%q:{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}`, name), 2)
	copy(file[len(file)-2:], values)
	return &fstest.MapFile{Data: file}
}

// indexOf is an index of tensors and their shards, alternating.
func indexOf(tensorsAndShards ...string) *fstest.MapFile {
	var pairs []string
	for i := 0; i < len(tensorsAndShards); i += 2 {
		pairs = append(pairs, fmt.Sprintf("%q:%q", tensorsAndShards[i], tensorsAndShards[i+1]))
	}
	return &fstest.MapFile{Data: []byte(`{"metadata":{"total_size":4},"weight_map":{` + strings.Join(pairs, ",") + `}}`)}
}

const indexName = "model.safetensors.index.json"

func TestShards(t *testing.T) {
	folder := fstest.MapFS{
		"m/" + indexName:         indexOf("wte", "m-2.safetensors", "wpe", "sub/m-1.safetensors", "w", "m.bin"),
		"m/sub/m-1.safetensors":  oneTensor("wpe", "\x01\x02"),
		"m/m-2.safetensors":      oneTensor("wte", "\x03\x04"),
		"m/m.bin":                {Data: torchOf(t, pkDict("w", oneRow, "not in the index", oneRow), floats(1, 2, 3, 4))},
		"m/config.json":          {Data: []byte(`{"model_type":"gpt2"}`)},
		"flat/model.safetensors": {Data: good},
		"flat/other.index.json":  indexOf("a", "model.safetensors"),
		"legacy/x.index.json":    indexOf("a", "x.bin", "b", "x.bin"),
		"legacy/x.bin":           {Data: legacyOf(oneTwo, []float32{1, 2, 3, 4}, []float32{5, 6}).bytes()},
		"bom/" + indexName:       {Data: []byte("\xef\xbb\xbf{\"weight_map\" : {\"a\" : \"x\"} }\n")},
		"bom/x":                  {Data: good},
		"both/" + indexName:      indexOf("a", "x"),
		"both/x":                 {Data: good},
		"both/pytorch_model.bin": {Data: []byte("?")},
	}
	for _, c := range []struct {
		name, opened, format string
		want                 map[string][]float64
	}{
		{"m", "m/" + indexName, "safetensors, torch", map[string][]float64{"wpe": {1, 2}, "wte": {3, 4}, "w": {1, 2, 3, 4}}},
		{"m/" + indexName, "m/" + indexName, "safetensors, torch", map[string][]float64{"wpe": {1, 2}, "wte": {3, 4}, "w": {1, 2, 3, 4}}},
		{"flat/other.index.json", "flat/other.index.json", "safetensors", map[string][]float64{"a": {0, 0}}},
		{"legacy/x.index.json", "legacy/x.index.json", "torch", map[string][]float64{"a": {1, 2, 3, 4}, "b": {5, 6}}},
		{"bom", "bom/" + indexName, "safetensors", map[string][]float64{"a": {0, 0}}},
		{"both", "both/" + indexName, "safetensors", map[string][]float64{"a": {0, 0}}},
	} {
		f, err := Open(t.Context(), folder, c.name, Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkListing(t, f)
		if f.Name != c.opened || f.Format != c.format || len(f.Tensors()) != len(c.want) || len(f.Warnings()) > 0 {
			t.Errorf("%s: %s of the format %s, %q, %v", c.name, f.Name, f.Format, namesOf(f), f.Warnings())
		}
		for name, want := range c.want {
			if got, err := f.Tensor(t.Context(), name); err != nil || !slices.Equal(got.Data, want) || got.Name != name {
				t.Errorf("%s: %q is %v %v, want %v", c.name, name, got, err, want)
			}
		}
		if v, _ := f.Meta("config.model_type"); (v == "gpt2") != strings.HasPrefix(c.name, "m") {
			t.Errorf("%s: config.model_type %q", c.name, v)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestShardsBroken: what is wrong with a shard is told, and the others are read.
func TestShardsBroken(t *testing.T) {
	evil := torchOf(t, pkDict("bad", oneRow, "x", pkGlobal("posix", "system")+pkTuple(pkText("true"))+"R"), floats(1, 2, 3, 4))
	for _, c := range []struct {
		name  string
		shard *fstest.MapFile // nil: there is none
		kind  Kind            // of reading its tensor; "": it is read
		says  string          // in that error, and in the warning
		hint  string
	}{
		{"missing", nil, NotFound, "no such file", "not be downloaded"},
		{"without the tensor", oneTensor("other", ""), NotFound, "not in its file \"x.safetensors\"", ""},
		{"cut", &fstest.MapFile{Data: good[:20]}, Truncated, "x.safetensors", ""},
		{"empty", &fstest.MapFile{}, Empty, "the file is empty", ""},
		{"a folder", &fstest.MapFile{Mode: fs.ModeDir}, Unsupported, "no regular file", ""},
		{"not downloaded", &fstest.MapFile{Data: []byte("version https://git-lfs.github.com/spec/v1\noid sha256:x\n")}, Corrupt, "Git LFS pointer", "git lfs pull"},
		{"a web page", &fstest.MapFile{Data: []byte("<!DOCTYPE html><html></html>")}, Corrupt, "web page", ""},
		{"a matrix", &fstest.MapFile{Data: []byte("[[1,2],[3,4]]")}, Unsupported, "the format json", ""},
		{"an index again", indexOf("bad", "x.safetensors"), Unsupported, "the format json", ""},
		{"packed", &fstest.MapFile{Data: []byte("\x1f\x8b\x08\x00")}, Unsupported, "the format gzip", ""},
		{"unknown", &fstest.MapFile{Data: make([]byte, 100)}, Corrupt, "the header's length is 0", ""},
		{"a pickle that calls", &fstest.MapFile{Data: evil}, "", "posix.system", ""},
		{"a broken tensor", &fstest.MapFile{Data: torchOf(t, pkDict("bad", pkTensor(pkStorage("FloatStorage", "9", 4), 0, []int{4}, []int{1}), "ok", oneRow), floats(1, 2, 3, 4))}, Corrupt, "", ""},
	} {
		folder := fstest.MapFS{indexName: indexOf("bad", "x.safetensors", "good", "y.safetensors"), "y.safetensors": oneTensor("good", "\x07\x08")}
		if c.shard != nil {
			folder["x.safetensors"] = c.shard
		}
		f, err := Open(t.Context(), folder, ".", Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkListing(t, f)
		if !slices.Equal(namesOf(f), []string{"bad", "good"}) {
			t.Errorf("%s: %q", c.name, namesOf(f))
		}
		if got, err := f.Tensor(t.Context(), "good"); err != nil || got.Data[0] != 7 {
			t.Errorf("%s: the good one: %v", c.name, err)
		}
		got, err := f.Tensor(t.Context(), "bad")
		if kindOf(err) != c.kind || (got == nil) != (c.kind != "") || err != nil && !strings.Contains(err.Error(), c.says) || !strings.Contains(hintOf(err), c.hint) {
			t.Errorf("%s: %v (%s), want %s: %s (%s)", c.name, err, hintOf(err), c.kind, c.says, c.hint)
		}
		if err != nil && (!strings.Contains(err.Error(), `"bad"`) || !strings.Contains(err.Error(), "x.safetensors")) {
			t.Errorf("%s: the error %v does not name the tensor and the file", c.name, err)
		}
		w := f.Warnings()
		if c.says == "" && len(w) > 0 || c.says != "" && (len(w) != 1 || c.kind != "" && w[0].Kind != c.kind) {
			t.Errorf("%s: warnings %+v", c.name, w)
		}
		if c.kind != "" && c.says != "" {
			folder[indexName] = indexOf("bad", "x.safetensors")
			if f, err := Open(t.Context(), folder, ".", Limits{}); f != nil || kindOf(err) != c.kind {
				t.Errorf("%s, alone: %v", c.name, err)
			}
		}
	}
}

// TestShardsFixtures: of the fixtures whose index lies, the tensors that are there
// are read.
func TestShardsFixtures(t *testing.T) {
	for folder, says := range map[string]string{
		"sharded_missing": `its file "model-00002-of-00002.safetensors": no such file`,
		"sharded_lie":     `is not in its file "model-00002-of-00002.safetensors"`,
	} {
		f, err := Open(t.Context(), os.DirFS("testdata/safetensors"), folder, Limits{})
		if err != nil {
			t.Errorf("%s: %v", folder, err)
			continue
		}
		if _, err := f.Tensor(t.Context(), "wpe.weight"); kindOf(err) != NotFound || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", folder, err)
		}
		if got, err := f.Tensor(t.Context(), "wte.weight"); err != nil || !slices.Equal(got.Shape, []int{4, 32}) {
			t.Errorf("%s: %v", folder, err)
		}
		if w := f.Warnings(); len(w) != 1 || w[0].Kind != NotFound {
			t.Errorf("%s: warnings %v", folder, w)
		}
		f.Close()
	}
}

// TestShardsWarnings: many shards make few warnings.
func TestShardsWarnings(t *testing.T) {
	folder := fstest.MapFS{"good": oneTensor("good", "")}
	pairs := []string{"good", "good"}
	for i := range 100 {
		name := fmt.Sprint(i)
		pairs = append(pairs, "missing "+name, "missing "+name, "lacking "+name, "good", "class "+name, "class "+name)
		folder["class "+name] = &fstest.MapFile{Data: torchOf(t, pkDict("class "+name, oneRow, "x", pkGlobal("m", "C")+")R"), floats(1, 2, 3, 4))}
	}
	folder[indexName] = indexOf(pairs...)
	f, err := Open(t.Context(), folder, ".", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range f.Warnings() {
		got = append(got, w.Msg)
	}
	want := []string{
		`100 of the model's 201 files can't be read, so 100 of its tensors can only be listed; the first is "missing 0": no such file (it may not be downloaded yet: fetch all files of the model)`,
		`100 of the tensors that the index names are not in their files: "lacking 0", "lacking 1", "lacking 2" and 97 more`,
		`in "class 0", "class 1", "class 2" and 97 more: the pickle names "m.C"; such objects were not made`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestShardIndexFaults(t *testing.T) {
	entry := func(s string) string { return `{"weight_map":{` + s + `}}` }
	for _, c := range []struct {
		name, index string
		kind        Kind
		says        string
	}{
		{"up", entry(`"a":"../x"`), UnsafePath, `"../x"`},
		{"up in the middle", entry(`"a":"sub/../../x"`), UnsafePath, ""},
		{"up and down again", entry(`"a":"sub/../x"`), UnsafePath, ""},
		{"absolute", entry(`"a":"/x"`), UnsafePath, ""},
		{"the folder itself", entry(`"a":"."`), UnsafePath, ""},
		{"no name", entry(`"a":""`), UnsafePath, ""},
		{"a long name", entry(`"a":"` + strings.Repeat("x", 5000) + `"`), UnsafePath, ""},
		{"one of two", entry(`"a":"x","b":"../x"`), UnsafePath, ""},
		{"a control character", entry(`"a":"../\u001b[31m"`), UnsafePath, `\x1b[31m`},
		{"a tensor twice", entry(`"a":"x","a":"x"`), DuplicateName, `"a"`},
		{"a tensor twice, in two files", entry(`"a":"x","b":"y","a":"z"`), DuplicateName, `"a"`},
		{"two maps", `{"weight_map":{"a":"x"},"weight_map":{"b":"x"}}`, DuplicateName, "weight_map"},
		{"a list", `{"weight_map":["a"]}`, Corrupt, "begins with '['"},
		{"a number for a file", entry(`"a":1`), Corrupt, "'1' where the name"},
		{"nothing in it", entry(``), NotFound, "names no tensor"},
		{"cut", `{"weight_map":{"a":"x"`, Truncated, ""},
		{"something behind", entry(`"a":"x"`) + "x", Parse, ""},
		{"another thing", `{"weight":{"a":"x"}}`, NotATable, ""},
	} {
		folder := fstest.MapFS{"m/" + indexName: {Data: []byte(c.index)}, "m/x": {Data: good}, "x": {Data: good}, "m/sub/x": {Data: good}}
		for _, name := range []string{"m", "m/" + indexName} {
			f, err := Open(t.Context(), folder, name, Limits{})
			if f != nil || kindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %s: %s", c.name, err, c.kind, c.says)
			}
		}
	}
}

// TestShardIndexTruncations cuts an index everywhere.
func TestShardIndexTruncations(t *testing.T) {
	index := indexOf("a", "x", "b\u00e9", "x").Data
	for n := 1; n < len(index); n++ {
		f, err := openShards(t.Context(), memory(index[:n]), defaults)
		if f != nil || kindOf(err) != Truncated {
			t.Errorf("cut at %d of %d: %v", n, len(index), err)
		}
	}
}

// TestShardsStayInside: a link out of the folder is not followed, and does not
// spoil the other shards.
func TestShardsStayInside(t *testing.T) {
	outside, inside := t.TempDir(), t.TempDir()
	write := func(dir, name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(outside, "x", oneTensor("a", "").Data)
	write(inside, "y", oneTensor("b", "\x07\x08").Data)
	write(inside, "z", oneTensor("c", "\x09\x0a").Data)
	write(inside, indexName, indexOf("a", "out", "b", "y", "c", "in").Data)
	write(inside, "alone.index.json", indexOf("a", "out").Data)
	for name, to := range map[string]string{"out": filepath.Join(outside, "x"), "in": "z"} {
		if err := os.Symlink(to, filepath.Join(inside, name)); err != nil {
			t.Skip(err)
		}
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, err := Open(t.Context(), root.FS(), ".", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for name, want := range map[string]Kind{"a": UnsafePath, "b": "", "c": ""} {
		if _, err := f.Tensor(t.Context(), name); kindOf(err) != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if w := f.Warnings(); len(w) != 1 || w[0].Kind != UnsafePath {
		t.Errorf("warnings %v", w)
	}
	if _, err := Open(t.Context(), root.FS(), "alone.index.json", Limits{}); kindOf(err) != UnsafePath {
		t.Errorf("alone: %v", err)
	}
}

// trackedFS counts what is open, at most, and read of its files.
type trackedFS struct {
	fs.FS
	now, most, opened, read atomic.Int64
}

func (c *trackedFS) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	c.opened.Add(1)
	if n := c.now.Add(1); n > c.most.Load() {
		c.most.Store(n)
	}
	return &trackedFile{File: f, in: c}, nil
}

// Stat opens nothing.
func (c *trackedFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(c.FS, name) }

type trackedFile struct {
	fs.File
	in *trackedFS
}

func (f *trackedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.(io.ReaderAt).ReadAt(p, off)
	f.in.read.Add(int64(n))
	return n, err
}

func (f *trackedFile) Close() error {
	f.in.now.Add(-1)
	return f.File.Close()
}

// TestShardsOpenFew: a shard is open only while something is read of it, and one
// tensor costs the headers and its own bytes.
func TestShardsOpenFew(t *testing.T) {
	const shards, elements = 40, 100_000
	folder := fstest.MapFS{}
	var pairs []string
	var headers int64
	for i := range shards {
		header := fmt.Sprintf(`{"w%d":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]}}`, i, elements, 4*elements)
		folder[fmt.Sprint(i)] = &fstest.MapFile{Data: safetensorsOf(header, 4*elements)}
		pairs = append(pairs, fmt.Sprintf("w%d", i), fmt.Sprint(i))
		headers += headBytes + 8 + int64(len(header))
	}
	folder[indexName] = indexOf(pairs...)
	in := &trackedFS{FS: folder}
	f, err := Open(t.Context(), in, indexName, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if in.now.Load() != 1 || in.most.Load() > 2 { // the index itself
		t.Errorf("%d files are open, %d at once", in.now.Load(), in.most.Load())
	}
	if most := headers + headBytes + 2*int64(len(folder[indexName].Data)); in.read.Load() > most {
		t.Errorf("opening read %d bytes, over %d", in.read.Load(), most)
	}
	in.read.Store(0)
	in.opened.Store(0)
	if _, err := f.Tensor(t.Context(), "w7"); err != nil {
		t.Fatal(err)
	}
	if in.read.Load() != 4*elements || in.opened.Load() != 1 || in.now.Load() != 1 {
		t.Errorf("a tensor of %d bytes cost %d, %d files were opened, %d are open", 4*elements, in.read.Load(), in.opened.Load(), in.now.Load())
	}
	var wait sync.WaitGroup
	for i := range 64 {
		wait.Go(func() {
			if got, err := f.Tensor(t.Context(), fmt.Sprintf("w%d", i%8)); err != nil || len(got.Data) != elements {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if in.now.Load() != 1 {
		t.Errorf("%d files are open", in.now.Load())
	}
	f.Close()
	if in.now.Load() != 0 {
		t.Errorf("%d files are open after Close", in.now.Load())
	}

	folder["7"].Data = append(folder["7"].Data, 0)
	if _, err := f.Tensor(t.Context(), "w7"); kindOf(err) != Corrupt || !strings.Contains(err.Error(), "when its header was read") {
		t.Errorf("a file that has grown: %v", err)
	}
	delete(folder, "8")
	if _, err := f.Tensor(t.Context(), "w8"); kindOf(err) != NotFound || !strings.Contains(err.Error(), `"8"`) {
		t.Errorf("a file that is gone: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Tensor(ctx, "w9"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestShardsCancelled: an interrupt between two shards ends the opening.
func TestShardsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	folder := cancellingFS{fstest.MapFS{indexName: indexOf("a", "x", "b", "y"), "x": oneTensor("a", ""), "y": oneTensor("b", "")}, cancel}
	if f, err := Open(ctx, folder, ".", Limits{}); f != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// cancellingFS cancels when the file x is opened.
type cancellingFS struct {
	fs.FS
	cancel func()
}

func (c cancellingFS) Open(name string) (fs.File, error) {
	if name == "x" {
		c.cancel()
	}
	return c.FS.Open(name)
}

// TestShardsMany: ten thousand files, most of them missing or with tensors that
// the index does not name, cost little memory.
func TestShardsMany(t *testing.T) {
	const shards = 10_000
	folder := fstest.MapFS{}
	var pairs []string
	for i := range shards {
		name := fmt.Sprint(i)
		pairs = append(pairs, name, name)
		if i%2 == 0 {
			folder[name] = oneTensor(name, "")
		}
	}
	folder[indexName] = indexOf(pairs...)
	before := allocated()
	f, err := Open(t.Context(), folder, ".", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if n := allocated() - before; n > 200<<20 {
		t.Errorf("%d files allocated %d bytes", shards, n)
	}
	if len(f.Tensors()) != shards || len(f.Warnings()) != 1 {
		t.Errorf("%d tensors, warnings %v", len(f.Tensors()), f.Warnings())
	}
	for i := shards; i <= maxShards; i++ {
		pairs = append(pairs, fmt.Sprint(i), fmt.Sprint(i))
	}
	folder[indexName] = indexOf(pairs...)
	if _, err := Open(t.Context(), folder, ".", Limits{}); kindOf(err) != TooLarge {
		t.Errorf("too many: %v", err)
	}
}

// TestShardIndexBounds: neither a long index nor long headers take more than they
// are worth.
func TestShardIndexBounds(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"weight_map":{`)
	for i := range maxShardTensors + 1 {
		fmt.Fprintf(&b, "\"%d\":\"x\",\n", i)
	}
	folder := fstest.MapFS{"x": {Data: good}, indexName: {Data: []byte(b.String())}}
	before := allocated()
	if _, err := Open(t.Context(), folder, ".", Limits{}); kindOf(err) != Truncated && kindOf(err) != TooLarge {
		t.Errorf("many tensors: %v", err)
	}
	folder[indexName].Data = append(folder[indexName].Data, `"last":"x"}}`...)
	if _, err := Open(t.Context(), folder, ".", Limits{}); kindOf(err) != TooLarge {
		t.Errorf("many tensors: %v", err)
	}
	if n := allocated() - before; n > 100<<20 {
		t.Errorf("they allocated %d bytes", n)
	}
	folder[indexName].Data = append([]byte(`{"weight_map":{"a":"x"}}`), bytes.Repeat([]byte{' '}, maxIndex)...)
	if _, err := Open(t.Context(), folder, ".", Limits{}); kindOf(err) != TooLarge {
		t.Errorf("a long index: %v", err)
	}

	folder = fstest.MapFS{}
	var pairs []string
	for i := range 100 {
		name := fmt.Sprint(i)
		folder[name] = &fstest.MapFile{Data: safetensorsOf(fmt.Sprintf(`{"__metadata__":{"x":%q},%q:{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}`, strings.Repeat("x", 50_000), name), 0)}
		pairs = append(pairs, name, name)
	}
	folder[indexName] = indexOf(pairs...)
	if _, err := Open(t.Context(), folder, ".", Limits{MaxHeader: 1 << 20}); kindOf(err) != HeaderTooLarge {
		t.Errorf("100 headers of 50 KB: %v", err)
	}
	if _, err := Open(t.Context(), folder, ".", Limits{MaxHeader: 6 << 20}); err != nil {
		t.Errorf("100 headers of 50 KB in 6 MiB: %v", err)
	}
}

// TestShardFormats: the names of the formats that a shard may have are those of
// formats.
func TestShardFormats(t *testing.T) {
	for _, name := range shardFormats {
		if !slices.ContainsFunc(formats(), func(f format) bool { return f.name == name }) {
			t.Errorf("no format is named %q", name)
		}
	}
}

func FuzzShards(f *testing.F) {
	for _, s := range []string{
		`{"metadata":{"total_size":1},"weight_map":{"a":"x","b":"y","c":"z"}}`,
		`{"weight_map":{"a":"../x"}}`, `{"weight_map":{"a":"x","a":"x"}}`, `{"weight_map":{"\u0061":"sub/x","b":""}}`, `{"weight_map":{}}`,
	} {
		f.Add([]byte(s), good)
	}
	f.Add([]byte(`{"weight_map":{"a":"x","good":"z"}}`), legacyOf(oneTwo, []float32{1, 2, 3, 4}, []float32{5, 6}).bytes())
	other := oneTensor("b", "")
	f.Fuzz(func(t *testing.T, index, shard []byte) {
		folder := fstest.MapFS{indexName: {Data: index}, "x": {Data: shard}, "y": other, "sub/x": {Data: shard}}
		before := allocated()
		m, err := Open(t.Context(), folder, ".", Limits{MaxElements: 1 << 16, MaxHeader: 1 << 20, MaxInflate: 1 << 20, MaxText: 1 << 20})
		if most := uint64(4<<20 + 800*(len(index)+len(shard))); allocated()-before > most {
			t.Errorf("opening %d and %d bytes allocated %d, over %d", len(index), len(shard), allocated()-before, most)
		}
		if (m == nil) != (err != nil) || err != nil && kindOf(err) == "" {
			t.Fatalf("the file %v with the error %v", m, err)
		}
		if m == nil {
			return
		}
		defer m.Close()
		checkListing(t, m)
		for i, info := range m.Tensors() {
			if i == 64 {
				break
			}
			got, err := m.Tensor(t.Context(), info.Name)
			if (got == nil) != (err != nil) {
				t.Fatalf("tensor %q: %v with the error %v", info.Name, got, err)
			}
			if got == nil {
				continue
			}
			if n, err := tensor.Count(got.Shape, 1<<16); err != nil || n != len(got.Data) {
				t.Fatalf("tensor %q: %d values for the shape %v (%v)", info.Name, len(got.Data), got.Shape, err)
			}
		}
	})
}
