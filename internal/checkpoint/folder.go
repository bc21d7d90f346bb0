package checkpoint

import (
	"context"
	"io"
	"io/fs"
	"path"
	"strings"
)

// folderNames are the names that a folder's model may have, best first. They are
// tried one by one, and the folder is never listed, so that a model hub can serve
// it.
var folderNames = []string{
	"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json",
	"diffusion_pytorch_model.safetensors", "diffusion_pytorch_model.safetensors.index.json", "diffusion_pytorch_model.bin",
	"open_clip_model.safetensors", "open_clip_pytorch_model.bin",
	"model.pt", "model.pth", "model.ckpt", "model.npz",
	"flax_model.msgpack", "flax_model.msgpack.index.json", "model.onnx",
}

// folderUnread is tried last, to say why it is not read.
const folderUnread = "tf_model.h5"

// openFolder opens the model of a folder: the first of the fixed names that is
// there, or a TensorFlow checkpoint. What its config.json says is added to the
// File's metadata.
func openFolder(ctx context.Context, folder fs.FS, dir string, l Limits) (*File, error) {
	f, err := openFirst(ctx, folder, dir, folderNames, l)
	if f == nil && err == nil {
		f, err = openTFFolder(ctx, folder, dir, l)
		if e, ok := err.(*Error); ok && e.Kind == NotFound { // it names no file of its own: there is none
			f, err = openFirst(ctx, folder, dir, []string{folderUnread}, l)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return nil, &Error{Kind: NotFound, Off: -1, Hint: "name the model's file itself",
			Msg: "no model in this folder: there is none of " + strings.Join(folderNames, ", ") + ", nor a TensorFlow checkpoint"}
	}
	f.addConfig(folder, path.Join(dir, "config.json"))
	return f, nil
}

// openFirst opens the first of these files that is in a folder; nil where none
// is.
func openFirst(ctx context.Context, folder fs.FS, dir string, names []string, l Limits) (*File, error) {
	for _, name := range names {
		full := path.Join(dir, name)
		file, info, err := openStat(folder, full)
		if hasKind(err, NotFound) {
			continue
		}
		if err != nil {
			return nil, inFile(name, err)
		}
		if info.IsDir() {
			file.Close()
			continue
		}
		f, err := openFile(ctx, file, info, full, folder, l)
		return f, inFile(name, err)
	}
	return nil, nil
}

// readSmall reads a whole file of a folder, of a size that is bounded.
func readSmall(folder fs.FS, name string, most int64) ([]byte, error) {
	file, _, err := openStat(folder, name)
	if err != nil {
		return nil, err
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
