package checkpoint

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

// pipes is a folder whose pipes nobody writes into: to open one fails the test.
type pipes struct {
	fstest.MapFS
	t *testing.T
}

func (p pipes) Open(name string) (fs.File, error) {
	if f := p.MapFS[name]; f != nil && f.Mode&fs.ModeNamedPipe != 0 {
		p.t.Errorf("%s is opened, and would be waited for", name)
	}
	return p.MapFS.Open(name)
}

// TestPipesBeside: a pipe in a model's folder, under whatever name, is told
// without opening it.
func TestPipesBeside(t *testing.T) {
	pipe := &fstest.MapFile{Mode: fs.ModeNamedPipe}
	data := floats(1, 2)
	bundle := bundleOf(data, pair{"v", entryOf(1, 0, 0, data, 2)})
	bundle["m.data-00000-of-00001"] = pipe
	external := onnxOf(initializer("v", 1, []int64{2}, elsewhere("location", "w.bin")))
	for what, c := range map[string]struct {
		folder fstest.MapFS
		name   string
		kind   Kind
	}{
		"a usual name":     {fstest.MapFS{"model.safetensors": pipe}, ".", Unsupported},
		"a list of models": {fstest.MapFS{"checkpoint": pipe}, ".", NotFound},
		"an index":         {fstest.MapFS{"m.index": pipe}, "m", Unsupported},
		"a data file":      {bundle, "m.index", Unsupported},
		"external data":    {fstest.MapFS{"m.onnx": {Data: external}, "w.bin": pipe}, "m.onnx", Unsupported},
	} {
		f, err := Open(t.Context(), pipes{c.folder, t}, c.name, Limits{})
		if err == nil {
			_, err = f.Tensor(t.Context(), "v")
		}
		if kindOf(err) != c.kind {
			t.Errorf("%s: %v, want %q", what, err, c.kind)
		}
	}
}
