package checkpoint

import (
	"strings"
	"testing"
	"testing/fstest"
)

// bundleAt is a checkpoint of one variable "a" under a prefix.
func bundleAt(folder fstest.MapFS, prefix string) fstest.MapFS {
	data := floats(1, 2)
	for name, file := range bundleOf(data, pair{"a", entryOf(1, 0, 0, data, 2)}) {
		folder[prefix+strings.TrimPrefix(name, "m")] = file
	}
	return folder
}

// TestTensorFlowPlaces: a checkpoint is found by its index, its data, its prefix,
// the file that names it, and a SavedModel's graph.
func TestTensorFlowPlaces(t *testing.T) {
	folder := bundleAt(fstest.MapFS{}, "run/model.ckpt-7")
	folder["run/checkpoint"] = &fstest.MapFile{Data: []byte("model_checkpoint_path: \"model.ckpt-7\"\nall_model_checkpoint_paths: \"model.ckpt-6\"\n")}
	bundleAt(folder, "saved/variables/variables")
	folder["saved/saved_model.pb"] = &fstest.MapFile{Data: []byte("\x08\x01\x12\x00")}
	folder["run/lost.data-00000-of-00001"] = &fstest.MapFile{Data: []byte("[1")}
	folder["run/other.index"] = &fstest.MapFile{Data: []byte("1,2\n3,4\n")}
	folder["lost/saved_model.pb"] = folder["saved/saved_model.pb"]
	for _, c := range []struct {
		name, mention string
		kind          Kind
	}{
		{"run/model.ckpt-7.index", "", ""},
		{"run/model.ckpt-7.data-00000-of-00001", "", ""},
		{"run/model.ckpt-7", "", ""},
		{"run/checkpoint", "", ""},
		{"saved/saved_model.pb", "", ""},
		{"saved/variables/variables", "", ""},
		{"run/model.ckpt-6", "no such file", NotFound},
		{"run/model.ckpt", "no such file", NotFound},
		{"run/lost.data-00000-of-00001", `"lost.index"`, NotFound},
		{"lost/saved_model.pb", `"variables/variables.index"`, NotFound},
		{"run/other.index", "", ""}, // a text, whatever its name
	} {
		f, err := openIn(t, folder, c.name)
		if kindOf(err) != c.kind || err != nil && !strings.Contains(err.Error(), c.mention) {
			t.Errorf("%s: %v, want %q with %s", c.name, err, c.kind, c.mention)
		}
		if f == nil || f.Format == "text" {
			continue
		}
		if got, err := f.Tensor(t.Context(), "a"); err != nil || got.Data[1] != 2 {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
		f.Close()
	}
}

func TestTensorFlowFolder(t *testing.T) {
	state := func(text string) fstest.MapFS {
		return bundleAt(fstest.MapFS{"dir/checkpoint": {Data: []byte(text)}}, "dir/m")
	}
	for _, c := range []struct {
		what    string
		folder  fstest.MapFS
		kind    Kind
		mention string // in the message or the hint
	}{
		{"named", state("model_checkpoint_path: \"m\"\n"), "", ""},
		{"with a dot", state("model_checkpoint_path: \"./m\"\n"), "", ""},
		{"after other lines", state("# run 3\nlast_preserved_timestamp: 1.5\nmodel_checkpoint_path:\t'm'"), "", ""},
		{"escaped", state(`model_checkpoint_path: "\x6d"`), "", ""},
		{"on one line", state(`model_checkpoint_path: "m"all_model_checkpoint_paths: "m"`), "", ""},
		{"lost", state(`model_checkpoint_path: "gone"`), Corrupt, `"gone.index"`},
		{"absolute", state(`model_checkpoint_path: "/home/x/m"`), UnsafePath, `the folder has "m.index"`},
		{"absolute and lost", state(`model_checkpoint_path: "/home/x/gone"`), UnsafePath, ".index"},
		{"a drive", state(`model_checkpoint_path: "C:\\x\\m"`), UnsafePath, `"m.index"`},
		{"upwards", state(`model_checkpoint_path: "../dir/m"`), UnsafePath, `"m.index"`},
		{"down and up", state(`model_checkpoint_path: "x/../../dir/m"`), UnsafePath, ""},
		{"empty", state(`model_checkpoint_path: ""`), UnsafePath, ""},
		{"no quotes", state(`model_checkpoint_path: m`), Corrupt, "quotes"},
		{"open quotes", state(`model_checkpoint_path: "m`), Corrupt, "quotes"},
		{"quotes on the next line", state("model_checkpoint_path: \"m\n\""), Corrupt, "quotes"},
		{"a broken escape", state(`model_checkpoint_path: "\xm"`), Corrupt, "escape"},
		{"a terminal's escape", state("model_checkpoint_path: \"\x1b[31m\""), Corrupt, `\x1b`},
		{"another program's", state("\x81\xa1a\x01"), NotFound, ""},
		{"a long one of another program's", state(strings.Repeat("\x81", maxConfig+1)), NotFound, ""},
		{"a folder", bundleAt(fstest.MapFS{"dir/checkpoint/x": {}}, "dir/bert_model.ckpt"), "", ""},
		{"a SavedModel", bundleAt(fstest.MapFS{}, "dir/variables/variables"), "", ""},
		{"its variables", bundleAt(fstest.MapFS{}, "dir/variables"), "", ""},
		{"BERT's", bundleAt(fstest.MapFS{}, "dir/bert_model.ckpt"), "", ""},
		{"none", fstest.MapFS{"dir/x": {}}, NotFound, "checkpoint, variables/variables.index"},
		{"broken", fstest.MapFS{"dir/model.ckpt.index": {Data: []byte("\x00?")}}, Truncated, `"model.ckpt.index": `},
	} {
		f, err := openTFFolder(t.Context(), c.folder, "dir", defaults)
		if kindOf(err) != c.kind || (f == nil) != (err != nil) || err != nil && !strings.Contains(err.Error()+hintOf(err), c.mention) {
			t.Errorf("%s: %v (%s), want %q with %s", c.what, err, hintOf(err), c.kind, c.mention)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\x1b\n") {
			t.Errorf("%s: the message %q is not fit to print", c.what, err)
		}
		if f == nil {
			continue
		}
		if _, err := f.Tensor(t.Context(), "a"); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		f.Close()
	}
}

func TestProtoString(t *testing.T) {
	for in, want := range map[string]string{
		`"plain" rest`: "plain", `'it'`: "it", `"a\"b\\c\'d"`: `a"b\c'd`, `'a\'b"c'`: `a'b"c`,
		`"\320\277"`: "п", `"\n\x41\u00e9"`: "\nAé", `""`: "",
	} {
		if got, err := protoString(in); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"", "x", `"`, `"\`, `"\"`, `"\q"`, "\"a\nb\"", `'a"`, `"\19"`} {
		if got, err := protoString(in); err == nil {
			t.Errorf("%s: %q", in, got)
		}
	}
}

// TestTensorFlowStream: an index that comes as a stream lists its variables, and
// says where their numbers are; the parts that need it say what they are.
func TestTensorFlowStream(t *testing.T) {
	data := floats(1, 2)
	index := bundleOf(data, pair{"a", entryOf(1, 0, 0, data, 2)})["m.index"].Data
	f, err := OpenStream(t.Context(), strings.NewReader(string(index)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tensor(t.Context(), "a"); kindOf(err) != Unsupported || !strings.Contains(err.Error(), "a stream has no files beside it") {
		t.Errorf("%v", err)
	}
	for name, open := range map[string]opener{"m.data-00000-of-00001": openTFData, "saved_model.pb": openSavedModel, "checkpoint": openTFState} {
		b := memory(index)
		b.name = name
		if f, err := open(t.Context(), b, defaults); f != nil || kindOf(err) != Unsupported {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDataNames(t *testing.T) {
	for name, want := range map[string]string{
		"m.data-00000-of-00001": "m", "a.data-b.data-00012-of-00100": "a.data-b", "m.data-100000-of-100001": "m",
	} {
		if got, ok := tfDataPrefix(name); got != want || !ok {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "m", "m.data", "m.data-", ".data-00000-of-00001", "m.data-00000", "m.data-0-of-1", "m.data-00000-of-0000x", "m.data-00000-of-00001.gz"} {
		if _, ok := tfDataPrefix(name); ok {
			t.Errorf("%s is taken for a data file", name)
		}
	}
}
