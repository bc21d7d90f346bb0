package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"poslens/internal/checkpoint"
	"poslens/internal/tensor"
)

// hubCache lays out a model hub's cache with real links: a model in two files, as
// it is downloaded, and another repository's secret beside it.
func hubCache(t *testing.T) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo := filepath.Join(dir, "models--org--name")
	put := func(name string, data string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, tensorName := range map[string]string{"b1": "wte.weight", "b2": "wpe.weight", "../../secret": "wpe.weight"} {
		var b strings.Builder
		table := &tensor.Tensor{Info: tensor.Info{Name: tensorName, DType: tensor.F64, Shape: []int{1, 2}}, Data: []float64{1, 2}}
		if err := checkpoint.WriteSafetensors(&b, []*tensor.Tensor{table}, nil); err != nil {
			t.Fatal(err)
		}
		put("models--org--name/blobs/"+name, b.String())
	}
	put("models--org--name/blobs/index", `{"weight_map":{"wte.weight":"model-1.safetensors","wpe.weight":"model-2.safetensors"}}`)
	put("models--org--name/blobs/config", `{"model_type":"gpt2"}`)
	put("models--org--name/blobs/evil", `{"weight_map":{"wte.weight":"model-1.safetensors","wpe.weight":"out.safetensors"}}`)
	link := func(to, name string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.FromSlash(to), name); err != nil {
			t.Skip(err)
		}
	}
	for name, to := range map[string]string{
		"model.safetensors.index.json": "index", "config.json": "config", "evil.index.json": "evil",
		"model-1.safetensors": "b1", "model-2.safetensors": "b2", "out.safetensors": "../../secret",
	} {
		link("../../blobs/"+to, "models--org--name/snapshots/rev/"+name)
	}
	link("../../../blobs/b2", "models--org--name/snapshots/rev/sub/model.safetensors")
	link(filepath.Join(repo, "snapshots", "rev"), "mine")
	link("mine", "mine too")
	link("mine/model.safetensors.index.json", "my index.json")
	link("my index.json", "my other.json")
	link(filepath.Join(repo, "blobs", "b2"), "my blob")
	link("round", "round")
	return dir
}

// openRooted opens a place from the root that it has.
func openRooted(t *testing.T, place string) (*checkpoint.File, error) {
	t.Helper()
	info, err := os.Stat(place)
	root, name, err2 := rootOf(place, err == nil && info.IsDir())
	if err2 != nil {
		return nil, err2
	}
	t.Cleanup(func() { root.Close() })
	return checkpoint.Open(t.Context(), root.FS(), name, checkpoint.Limits{})
}

// TestHubCache opens what is in a hub's cache by every way that leads there. Its
// files are links into another folder, of the same repository.
func TestHubCache(t *testing.T) {
	dir := hubCache(t)
	both := []string{"wpe.weight", "wte.weight"}
	snapshot := "models--org--name/snapshots/rev"
	for place, want := range map[string][]string{
		snapshot:       both,
		snapshot + "/": both,
		snapshot + "/model.safetensors.index.json": both,
		snapshot + "/model-1.safetensors":          {"wte.weight"},
		snapshot + "/sub":                          {"wpe.weight"},
		snapshot + "/sub/model.safetensors":        {"wpe.weight"},
		"mine":                                     both,
		"mine too":                                 both,
		"mine/model.safetensors.index.json":        both,
		"mine too/model-2.safetensors":             {"wpe.weight"},
		"my index.json":                            both,
		"my other.json":                            both,
		"my blob":                                  {"wpe.weight"},
	} {
		f, err := openRooted(t, filepath.Join(dir, filepath.FromSlash(place)))
		if err != nil {
			t.Errorf("%s: %v", place, err)
			continue
		}
		var names []string
		for _, info := range f.Tensors() {
			names = append(names, info.Name)
			if _, err := f.Tensor(t.Context(), info.Name); err != nil {
				t.Errorf("%s: %v", place, err)
			}
		}
		if !slices.Equal(names, want) || len(f.Warnings()) > 0 {
			t.Errorf("%s: %q, want %q; %v", place, names, want, f.Warnings())
		}
		if v, _ := f.Meta("config.model_type"); filepath.Ext(place) == "" && len(want) == 2 && v != "gpt2" {
			t.Errorf("%s: config.model_type %q", place, v)
		}
		f.Close()
	}
}

// TestHubCacheLinksOut: a link that leaves the repository is not followed.
func TestHubCacheLinksOut(t *testing.T) {
	dir := hubCache(t)
	snapshot := filepath.Join(dir, "models--org--name", "snapshots", "rev")
	unsafe := func(err error) bool {
		var e *checkpoint.Error
		return errors.As(err, &e) && e.Kind == checkpoint.UnsafePath
	}
	if _, err := openRooted(t, filepath.Join(snapshot, "out.safetensors")); !unsafe(err) {
		t.Errorf("named itself: %v", err)
	}
	f, err := openRooted(t, filepath.Join(snapshot, "evil.index.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Tensor(t.Context(), "wpe.weight"); !unsafe(err) {
		t.Errorf("by the index: %v", err)
	}
	if _, err := f.Tensor(t.Context(), "wte.weight"); err != nil {
		t.Errorf("beside it: %v", err)
	}
	if _, err := openRooted(t, filepath.Join(dir, "round")); err == nil {
		t.Error("a link to itself was opened")
	}
}

func TestInHubCache(t *testing.T) {
	for dir, want := range map[string]string{
		"/c/models--o--n/snapshots/rev":               "/c/models--o--n snapshots/rev",
		"/c/models--o--n/snapshots/rev/snapshots/sub": "/c/models--o--n snapshots/rev/snapshots/sub",
		"/snapshots/c/models--o--n/snapshots/rev":     "/snapshots/c/models--o--n snapshots/rev",
		"/c/models--o--n/snapshots":                   "/c/models--o--n snapshots",
		"/c/models--o--n/blobs":                       "",
		"/c/other/snapshots/rev":                      "",
		"/snapshots/rev":                              "",
		"/":                                           "",
	} {
		repo, rest, ok := inHubCache(filepath.FromSlash(dir))
		got := ""
		if ok {
			got = filepath.ToSlash(repo) + " " + rest
		}
		if got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
