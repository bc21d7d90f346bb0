package checkpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// Bounds on a config.json.
const (
	maxConfig       = 1 << 20 // bytes of it, as of any small file beside a model
	maxConfigDepth  = 3       // objects in each other, such as thinker_config.vision_config
	maxConfigNumber = 64      // bytes of a number
	maxConfigList   = 64      // numbers of a list
)

// ConfigObject is what Meta gives for an object of config.json, whose own entries
// have its key and a dot in front.
const ConfigObject = "{}"

// hasConfig tells whether a config.json beside a file of this name is of the model in
// it: it is where the name is one that a folder's model has, or that of a part of it,
// such as model-00001-of-00002.safetensors.
func hasConfig(name string) bool {
	if slices.Contains(folderNames, name) {
		return true
	}
	before, after, ok := strings.Cut(name, "-of-")
	i := strings.LastIndexByte(before, '-')
	return ok && i >= 0 && len(before)-i == 6 && len(after) > 5 && slices.Contains(folderNames, before[:i]+after[5:])
}

// addConfig adds what stands in a config.json, if there is one: words and numbers as
// "config.model_type" and so on, short lists of numbers with commas between them, and
// the entries of objects, "config.vision_config.image_size". What is none of these is
// left out. A broken file is a warning.
func (f *File) addConfig(folder fs.FS, name string) {
	text, err := readSmall(folder, name, maxConfig)
	if hasKind(err, NotFound) {
		return
	}
	var config map[string]json.RawMessage
	if err == nil && (json.Unmarshal(text, &config) != nil || config == nil) {
		err = errors.New("it is no JSON object")
	}
	if err != nil {
		f.warn(Corrupt, "", "config.json is left aside: "+err.Error())
		return
	}
	f.addEntries("config.", config, 1)
}

// addEntries adds the entries of an object at this depth of objects in each other.
func (f *File) addEntries(in string, entries map[string]json.RawMessage, depth int) {
	for key, raw := range entries {
		switch raw[0] {
		case '"':
			var word string
			if json.Unmarshal(raw, &word) == nil {
				f.meta[in+key] = word
			}
		case '[':
			if list, ok := numberList(raw); ok {
				f.meta[in+key] = list
			}
		case '{':
			var inner map[string]json.RawMessage
			if depth < maxConfigDepth && json.Unmarshal(raw, &inner) == nil {
				f.meta[in+key] = ConfigObject
				f.addEntries(in+key+".", inner, depth+1)
			}
		case 't', 'f', 'n': // no number
		default:
			if len(raw) <= maxConfigNumber {
				f.meta[in+key] = string(raw)
			}
		}
	}
}

// numberList is a short list of numbers as a text with commas.
func numberList(raw json.RawMessage) (string, bool) {
	if len(raw) > maxConfigList*(maxConfigNumber+1) {
		return "", false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var values []any
	if d.Decode(&values) != nil || len(values) == 0 || len(values) > maxConfigList {
		return "", false
	}
	words := make([]string, len(values))
	for i, v := range values {
		n, ok := v.(json.Number)
		if !ok || len(n) > maxConfigNumber {
			return "", false
		}
		words[i] = n.String()
	}
	return strings.Join(words, ","), true
}
