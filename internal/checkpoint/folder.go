package checkpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// The names that a folder's model may have, best first. They are tried one by
// one, and the folder is never listed, so that a model hub can serve it.
var (
	folderFiles = []string{
		"model.safetensors", "pytorch_model.bin", "model.pt", "model.pth", "model.ckpt", "model.npz",
		"diffusion_pytorch_model.safetensors", "open_clip_model.safetensors", "open_clip_pytorch_model.bin",
	}
	folderIndexes = []string{"model.safetensors.index.json", "pytorch_model.bin.index.json", "diffusion_pytorch_model.safetensors.index.json"}
	folderUnread  = []string{"tf_model.h5", "flax_model.msgpack", "model.onnx"} // known by name; opening them says why not
)

// Sizes of the small files beside a model.
const (
	maxConfig = 1 << 20
	maxIndex  = 64 << 20
)

// openFolder opens the model of a folder: the first of the fixed names that is
// there. What its config.json says is added to the File's metadata.
func openFolder(ctx context.Context, folder fs.FS, dir string, l Limits) (*File, error) {
	names := slices.Concat(folderFiles, folderIndexes, folderUnread)
	for _, name := range names {
		full := path.Join(dir, name)
		file, info, err := openStat(folder, full)
		if hasKind(err, NotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if info.IsDir() {
			file.Close()
			continue
		}
		if slices.Contains(folderIndexes, name) {
			file.Close()
			return nil, shardFault(folder, full)
		}
		f, err := openFile(ctx, file, info, full, folder, l)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.addConfig(folder, path.Join(dir, "config.json"))
		return f, nil
	}
	return nil, &Error{Kind: NotFound, Off: -1, Msg: "no model in this folder: there is none of " + strings.Join(names, ", "),
		Hint: "name the model's file itself"}
}

// shardFault is the Error of a model in several files, which says which of them
// to open: the one that its index names for a position table, if it does.
func shardFault(folder fs.FS, name string) error {
	var shards struct {
		WeightMap map[string]string `json:"weight_map"`
	}
	e := unsupported("a model in several files ("+path.Base(name)+")", "open one of its shards itself")
	index, err := readSmall(folder, name, maxIndex)
	if err != nil || json.Unmarshal(index, &shards) != nil {
		return e
	}
	files := map[string]bool{}
	table := ""
	for tensor, file := range shards.WeightMap {
		files[file] = true
		if likelyTable(tensor) && (table == "" || tensor < table) {
			table = tensor
		}
	}
	switch {
	case table != "":
		e.Hint = fmt.Sprintf("open the shard itself: %s holds %s", quoted(shards.WeightMap[table]), quoted(table))
	case len(files) > 0:
		e.Hint = "open one of its shards itself: " + quotedList(slices.Sorted(maps.Keys(files)), 5)
	}
	return e
}

// likelyTable guesses from a tensor's name, for a hint only, that it holds
// positions.
func likelyTable(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"pos_emb", "position_emb", "positional_emb", "wpe", "relative_position_bias", "relative_attention_bias"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// addConfig adds the words and numbers that stand in a config.json, if there is
// one, as "config.model_type" and so on. A broken one is a warning.
func (f *File) addConfig(folder fs.FS, name string) {
	text, err := readSmall(folder, name, maxConfig)
	if hasKind(err, NotFound) {
		return
	}
	var config map[string]json.RawMessage
	if err == nil && json.Unmarshal(text, &config) != nil {
		err = errors.New("it is no JSON object")
	}
	if err != nil {
		f.warn(Corrupt, "", "config.json is left aside: "+err.Error())
		return
	}
	for key, raw := range config {
		var word string
		var number json.Number
		if json.Unmarshal(raw, &word) == nil && raw[0] == '"' {
			f.meta["config."+key] = word
		} else if json.Unmarshal(raw, &number) == nil && raw[0] != 'n' {
			f.meta["config."+key] = number.String()
		}
	}
}

// readSmall reads a whole file of a folder, of a size that is bounded.
func readSmall(folder fs.FS, name string, most int64) ([]byte, error) {
	file, err := folder.Open(name)
	if err != nil {
		return nil, openFault(err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, readFault(int64(len(text)), err)
	}
	if int64(len(text)) > most {
		return nil, fault(TooLarge, -1, "%s is over %d bytes", path.Base(name), most)
	}
	return text, nil
}
