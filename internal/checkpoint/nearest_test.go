package checkpoint

import (
	"context"
	"strings"
	"testing"

	"poslens/internal/tensor"
)

func TestNotFound(t *testing.T) {
	of := func(names ...string) *File {
		f := newFile("test")
		for _, name := range names {
			if err := f.add(tensor.Info{Name: name}, nil); err != nil {
				t.Fatal(err)
			}
		}
		f.sortInfos()
		return f
	}
	long := strings.Repeat("x", 5000)
	for _, c := range []struct {
		f          *File
		name, hint string
	}{
		{of("transformer.wpe.weight", "transformer.wte.weight", "lm_head"), "wpe.weight", `nearest: "transformer.wpe.weight"`},
		{of("wpe.weight", "wte.weight", "lm_head"), "model.wpe.weight", `nearest: "wpe.weight"`},
		{of("wpe.weight", "wte.weight", "lm_head"), "wpe.wieght", `nearest: "wpe.weight", "wte.weight"`},
		{of("wpe.weight"), "WPE.Weight", `nearest: "wpe.weight"`},
		{of("a", "b", "c", "d", "e", "f"), "position", `of its 6 tensors, the first are: "a", "b", "c", "d", "e"`},
		{of("l.0.x", "l.1.x", "l.2.x", "l.3.x", "l.4.x", "l.5.x"), "x", `nearest: "l.0.x", "l.1.x", "l.2.x", "l.3.x", "l.4.x"`},
		{of(), "x", "the file holds no tensor at all"},
		{of(""), "x", "the file's only tensor has no name: ask for none"},
		{of("wpe\x1b[31m"), "wpe\x1b[32m", `nearest: "wpe\x1b[31m"`},
		{of(long + ".wpe"), "wpe", `nearest: "` + long[:120] + `..."`},
		{of("a.b"), "", `its only tensor is: "a.b"`},
	} {
		got, err := c.f.Tensor(context.Background(), c.name)
		if got != nil || kindOf(err) != NotFound || hintOf(err) != c.hint {
			t.Errorf("%q: %v; hint %s, want %s", c.name, err, hintOf(err), c.hint)
		}
	}
}

func TestAddTwice(t *testing.T) {
	f := newFile("test")
	if err := f.add(tensor.Info{Name: "a"}, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.add(tensor.Info{Name: "a"}, nil); kindOf(err) != DuplicateName {
		t.Error(err)
	}
}
