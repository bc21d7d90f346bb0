package checkpoint

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

const (
	tfState    = "checkpoint"             // a text that names the newest of a run's checkpoints
	tfStateKey = "model_checkpoint_path:" // what it starts with

	savedVariables = "variables/variables.index" // of a SavedModel
)

// tfIndexes are the indexes that a folder may have without a text that names one.
var tfIndexes = []string{savedVariables, "variables.index", "bert_model.ckpt.index", "model.ckpt.index"}

// openTFFolder opens the TensorFlow checkpoint of a folder: the one that its file
// "checkpoint" names, a SavedModel's variables, or one of a usual name. A folder
// with none of them is NotFound.
func openTFFolder(ctx context.Context, folder fs.FS, dir string, l Limits) (*File, error) {
	name, err := tfNewest(folder, dir)
	if err != nil {
		return nil, inFile(tfState, err)
	}
	names := tfIndexes
	if name != "" {
		names = []string{name}
	}
	if f, err := openFirst(ctx, folder, dir, names, l); f != nil || err != nil {
		return f, err
	}
	if name != "" {
		e := fault(Corrupt, -1, "the newest checkpoint is named %s, but its index %s is not in the folder", quoted(strings.TrimSuffix(name, tfIndex)), quoted(name))
		e.Hint = "name the index of another checkpoint itself"
		return nil, inFile(tfState, e)
	}
	return nil, fault(NotFound, -1, "no TensorFlow checkpoint in this folder: there is none of %s", strings.Join(append([]string{tfState}, tfIndexes...), ", "))
}

// tfNewest reads which index a folder's "checkpoint" names, from that folder on. It
// is empty where there is no such file, or one of another program.
func tfNewest(folder fs.FS, dir string) (string, error) {
	name := path.Join(dir, tfState)
	info, err := fs.Stat(folder, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", openFault(err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxConfig {
		return "", nil
	}
	text, err := readSmall(folder, name, maxConfig)
	if err != nil {
		return "", err
	}
	_, rest, ok := strings.Cut("\n"+string(text), "\n"+tfStateKey)
	if !ok {
		return "", nil
	}
	prefix, err := protoString(strings.TrimLeft(rest, " \t"))
	if err != nil {
		return "", fault(Corrupt, -1, "the path of the newest checkpoint: %v", err)
	}
	clean := path.Clean(prefix)
	if prefix == "" || !fs.ValidPath(clean) || strings.Contains(prefix, `:\`) {
		e := fault(UnsafePath, -1, "the newest checkpoint is at %s, outside of its folder", quoted(prefix))
		e.Hint = "name the index of a checkpoint itself: a file that ends in " + tfIndex
		if i := strings.LastIndexAny(prefix, `/\`); isThere(folder, path.Join(dir, prefix[i+1:]+tfIndex)) {
			e.Hint = "the folder has " + quoted(prefix[i+1:]+tfIndex) + ": name that itself"
		}
		return "", e
	}
	return clean + tfIndex, nil
}

// isThere tells whether a folder has a file.
func isThere(folder fs.FS, name string) bool {
	info, err := fs.Stat(folder, name)
	return err == nil && info.Mode().IsRegular()
}

// protoString understands a quoted string in protobuf's text format, whose escapes
// are those of C.
func protoString(s string) (string, error) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return "", errors.New("it is not in quotes")
	}
	quote := s[0]
	var text []byte
	for s = s[1:]; s != "" && s[0] != quote && s[0] != '\n'; {
		if s[0] != '\\' {
			text, s = append(text, s[0]), s[1:]
			continue
		}
		if len(s) > 1 && (s[1] == '"' || s[1] == '\'') {
			text, s = append(text, s[1]), s[2:]
			continue
		}
		r, multibyte, rest, err := strconv.UnquoteChar(s, quote)
		if err != nil {
			return "", errors.New("an escape in it is none")
		}
		if multibyte {
			text = append(text, string(r)...)
		} else {
			text = append(text, byte(r))
		}
		s = rest
	}
	if s == "" || s[0] != quote {
		return "", errors.New("its quotes are not closed")
	}
	return string(text), nil
}
