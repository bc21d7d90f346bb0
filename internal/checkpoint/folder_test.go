package checkpoint

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestFolder(t *testing.T) {
	files := func(names ...string) fstest.MapFS {
		folder := fstest.MapFS{}
		for _, name := range names {
			folder[name] = &fstest.MapFile{Data: good}
		}
		return folder
	}
	for _, c := range []struct {
		folder    fstest.MapFS
		name      string
		want      string // the file that is opened
		kind      Kind
		mentioned string // in the message or the hint
	}{
		{files("model.safetensors", "pytorch_model.bin"), ".", "model.safetensors", "", ""},
		{files("pytorch_model.bin", "model.pt"), ".", "pytorch_model.bin", "", ""},
		{files("pytorch_model.bin/x", "open_clip_model.safetensors"), ".", "open_clip_model.safetensors", "", ""}, // pytorch_model.bin is a folder
		{files("model.npz", "flax_model.msgpack", "model.onnx", "tf_model.h5"), ".", "model.npz", "", ""},
		{files("flax_model.msgpack", "model.onnx", "tf_model.h5"), ".", "flax_model.msgpack", "", ""},
		{files("model.onnx", "tf_model.h5"), ".", "model.onnx", "", ""},
		{files("sub/model.safetensors"), "sub", "sub/model.safetensors", "", ""},
		{files("weights.safetensors"), ".", "", NotFound, "pytorch_model.bin"},
		{files("sub/model.safetensors"), ".", "", NotFound, "model.safetensors"},
		{fstest.MapFS{"model.safetensors": {Data: good[:20]}, "pytorch_model.bin": {Data: good}}, ".", "", Truncated, `"model.safetensors": `},
		{fstest.MapFS{"tf_model.h5": {Data: []byte("\x89HDF\r\n\x1a\n")}}, ".", "", Unsupported, "HDF5"},
		{fstest.MapFS{"model.safetensors.index.json": {Data: []byte(`{}`)}, "pytorch_model.bin": {Data: good}}, ".", "", Empty, `"model.safetensors.index.json": `},
		{fstest.MapFS{"pytorch_model.bin.index.json": {Data: []byte(`{"weight_map":{"a":"x"}}`)}, "x": {Data: good}, "model.pt": {Data: good}}, ".", "pytorch_model.bin.index.json", "", ""},
		{fstest.MapFS{"model.safetensors.index.json": {Data: []byte(`{"weight_map":{"a":"x"}}`)}, "model.safetensors": {Data: good}}, ".", "model.safetensors", "", ""},
		{fstest.MapFS{"pytorch_model.bin.index.json": {Data: []byte(`{"weight_map":{"h.wpe.weight":"m-2"}}`)}}, ".", "", NotFound, `"m-2": no such file`},
		{fstest.MapFS{"checkpoint": {Data: []byte("model_checkpoint_path: \"m\"\n")}, "tf_model.h5": {Data: good}}, ".", "", Corrupt, `"checkpoint": `},
		{fstest.MapFS{"checkpoint": {Data: []byte("model_checkpoint_path: \"../m\"\n")}}, ".", "", UnsafePath, `"../m"`},
		{fstest.MapFS{"checkpoint": {Data: []byte("of another program")}, "tf_model.h5": {Data: []byte("\x89HDF\r\n\x1a\n")}}, ".", "", Unsupported, "HDF5"},
		{fstest.MapFS{"checkpoint": {Data: []byte("model_checkpoint_path: \"m\"\n")}, "model.safetensors": {Data: good}}, ".", "model.safetensors", "", ""},
	} {
		f, err := Open(t.Context(), c.folder, c.name, Limits{})
		if kindOf(err) != c.kind || (f == nil) != (c.kind != "") {
			t.Errorf("%v: %v, want %q", c.folder, err, c.kind)
			continue
		}
		if f != nil && f.Name != c.want {
			t.Errorf("%v: opened %s, want %s", c.folder, f.Name, c.want)
		}
		if err != nil && !strings.Contains(err.Error()+hintOf(err), c.mentioned) {
			t.Errorf("%v: %v (%s) does not mention %s", c.folder, err, hintOf(err), c.mentioned)
		}
	}
}
