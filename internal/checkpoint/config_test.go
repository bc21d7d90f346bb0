package checkpoint

import (
	"strings"
	"testing"
	"testing/fstest"
)

// held is a list of n numbers.
func held(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("7, ", n), ", ") + "]" }

func TestFolderConfig(t *testing.T) {
	config := `{"model_type":"gpt2","n_positions":1024,"eps":1e-05,"tied":true,"none":null,"12":"twelve","number_word":"12",
		"list":[1],"image_size":[224, 448],"floats":[0.5,-1e-3],"words":["a"],"mixed":[1,"a"],"nested_list":[[7,7]],"empty":[],"long":` + held(64) + `,"too_long":` + held(65) + `,
		"digits":` + strings.Repeat("9", 65) + `,"list_of_digits":[` + strings.Repeat("9", 65) + `],
		"vision_config":{"image_size":[336,336],"model_type":"clip_vision_model","deep":{"x":1,"deeper":{"x":2}}},"nothing":{}}`
	folder := fstest.MapFS{"sub/model.safetensors": {Data: good}, "sub/other.safetensors": {Data: good}, "sub/config.json": {Data: []byte(config)}}
	for _, name := range []string{"sub", "sub/model.safetensors"} {
		f, err := Open(t.Context(), folder, name, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for key, want := range map[string]string{
			"config.model_type": "gpt2", "config.n_positions": "1024", "config.eps": "1e-05", "config.12": "twelve", "config.number_word": "12",
			"config.tied": "", "config.none": "", "model_type": "",
			"config.list": "1", "config.image_size": "224,448", "config.floats": "0.5,-1e-3", "config.words": "", "config.mixed": "", "config.nested_list": "", "config.empty": "",
			"config.long": strings.TrimSuffix(strings.Repeat("7,", 64), ","), "config.too_long": "", "config.digits": "", "config.list_of_digits": "",
			"config.vision_config": ConfigObject, "config.vision_config.image_size": "336,336", "config.vision_config.model_type": "clip_vision_model",
			"config.vision_config.deep": ConfigObject, "config.vision_config.deep.x": "1", "config.vision_config.deep.deeper": "", "config.vision_config.deep.deeper.x": "",
			"config.nothing": ConfigObject,
		} {
			if got, ok := f.Meta(key); got != want || ok != (want != "") {
				t.Errorf("%s: %s: %.80q, %v; want %.80q", name, key, got, ok, want)
			}
		}
	}
	f, err := Open(t.Context(), folder, "sub/other.safetensors", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := f.Meta("config.model_type"); ok {
		t.Errorf("a file of a name of its own has the config beside it: %q", got)
	}
	for _, broken := range []string{`{"model_type":`, `[]`, `null`, `7`, `{"a":"` + strings.Repeat("x", maxConfig) + `"}`} {
		folder["sub/config.json"] = &fstest.MapFile{Data: []byte(broken)}
		for _, name := range []string{"sub", "sub/model.safetensors"} {
			f, err := Open(t.Context(), folder, name, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if w := f.Warnings(); len(w) != 1 || !strings.Contains(w[0].Msg, "config.json") {
				t.Errorf("%s beside a broken config: %+v", name, w)
			}
		}
	}
}

// Which files a config.json beside them speaks of.
func TestHasConfig(t *testing.T) {
	for name, want := range map[string]bool{
		"model.safetensors": true, "pytorch_model.bin": true, "model.safetensors.index.json": true, "model-00001-of-00002.safetensors": true,
		"pytorch_model-00002-of-00002.bin": true, "adapter_model.safetensors": false, "epoch-3.pt": false, "model-00001-of-2.safetensors": false,
		"-of-": false, "model-00001-of-": false, "x-00001-of-00002.safetensors": false, "model--of-00002.safetensors": false, "": false,
	} {
		if got := hasConfig(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
