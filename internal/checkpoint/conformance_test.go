package checkpoint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// conformant are a small good file of every container, by which all are held to
// the same rules. A new container is one row more.
var conformant = []struct {
	name   string // in the table of formats
	folder string // of fixtures
	file   string
	format string // what File.Format says
	tensor string
	whole  bool // a file that is cut anywhere is refused
}{
	{"npy", "npy", "be_f2.npy", "npy", "", true},
	{"npz", "npz", "unicode.npz", "npz", "позиция", true},
	{"safetensors", "safetensors", "bf16.safetensors", "safetensors", "wpe.weight", true},
	{"torch", "torch", "flat.pt", "torch", "wpe.weight", true},
	{"torch legacy", "torch", "flat.legacy.pt", "torch", "wpe.weight", true},
	{"gguf", "gguf", "q8_0.gguf", "gguf", "position_embd.weight", true},
	{"onnx", "onnx", "raw_f32.onnx", "onnx", "wpe.weight", false}, // what stands last in it may be left out
	{"tensorflow", "tf", "bert_model.ckpt.index", "tensorflow", "bert/embeddings/position_embeddings", true},
	{"flax", "flax", "flax_model.msgpack", "flax", "transformer/wpe/embedding", true},
	{"gzip", "compressed", "c_f4.npy.gz", "npy in gzip", "", true},
	{"zstd", "compressed", "c_f4.npy.zst", "npy in zstd", "", true},
	{"text", "text", "header.csv", "text", "", false},
	{"json", "text", "named.json", "json", "pos_embed", false},
}

// folderOf is the folder of fixtures that has a file.
func folderOf(t testing.TB, folder, file string) string {
	t.Helper()
	for _, root := range fixtureRoots() {
		if _, err := os.Stat(filepath.Join(root, folder, file)); err == nil {
			return filepath.Join(root, folder)
		}
	}
	t.Skipf("%s/%s is not here", folder, file)
	return ""
}

func TestContainersConform(t *testing.T) {
	for _, c := range conformant {
		t.Run(c.file, func(t *testing.T) {
			root, err := os.OpenRoot(folderOf(t, c.folder, c.file))
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			f, err := Open(t.Context(), root.FS(), c.file, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			checkListing(t, f)
			if f.Format != c.format {
				t.Errorf("the format is %q, want %q", f.Format, c.format)
			}
			first, err := f.Tensor(t.Context(), c.tensor)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := f.Tensor(t.Context(), c.tensor); err != nil || !slices.Equal(first.Data, again.Data) {
				t.Errorf("read again: %v", err)
			}
			_, err = f.Tensor(t.Context(), c.tensor+"s")
			if !hasKind(err, NotFound) {
				t.Errorf("a name that is not there: %v", err)
			}
			if c.tensor != "" && !strings.Contains(hintOf(err), c.tensor) {
				t.Errorf("the hint %q does not name %q", hintOf(err), c.tensor)
			}
			for range 2 {
				if err := f.Close(); err != nil {
					t.Errorf("closing: %v", err)
				}
			}
			t.Run("cut", func(t *testing.T) { everyTruncation(t, c.folder, c.file, c.whole) })
			t.Run("damaged", func(t *testing.T) { everyDamage(t, c.folder, c.file) })
		})
	}
}

// TestEveryFormatConforms finds the formats without a row above.
func TestEveryFormatConforms(t *testing.T) {
	var rows []string
	for _, c := range conformant {
		rows = append(rows, c.name)
	}
	for _, f := range Formats() {
		for _, name := range strings.Split(f.Name, ", ") {
			if !slices.Contains(rows, name) {
				t.Errorf("%s has no row of conformant", name)
			}
		}
	}
}

// everyDamage turns the bits of each byte of a fixture around, one byte at a time.
// Whatever comes of it, nothing may panic, allocate without bound or give a File
// with an error, and every error has a kind.
func everyDamage(t *testing.T, folder, file string) {
	data := readFixture(t, folder, file)
	siblings := fstest.MapFS{}
	names, err := filepath.Glob(filepath.Join(folderOf(t, folder, file), strings.TrimSuffix(file, ".index")+"*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			siblings[filepath.Base(name)] = &fstest.MapFile{Data: readFixture(t, folder, filepath.Base(name))}
		}
	}
	for i := range data {
		data[i] ^= 0xff
		siblings[file] = &fstest.MapFile{Data: data}
		f, err := Open(t.Context(), siblings, file, Limits{MaxInflate: 1 << 20})
		if (f == nil) != (err != nil) || err != nil && kindOf(err) == "" {
			t.Fatalf("byte %d: the file %v with the error %v", i, f, err)
		}
		if f != nil {
			for _, info := range f.Tensors() {
				if _, err := f.Tensor(t.Context(), info.Name); err != nil && kindOf(err) == "" {
					t.Errorf("byte %d, tensor %q: %v has no kind", i, info.Name, err)
				}
			}
			f.Close()
		}
		data[i] ^= 0xff
	}
}
