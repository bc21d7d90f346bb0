package checkpoint

import (
	"context"
	"path"
	"strings"
)

// headBytes are read from the front of a file to tell its format.
const headBytes = 4096

// opener reads a container's header.
type opener func(context.Context, *blob, Limits) (*File, error)

// format is a kind of file: its name, how to tell it by its first bytes, how to
// open it, and a line for the manual, which those that are not read don't have.
type format struct {
	name  string
	sniff func(head []byte) bool
	open  opener
	doc   string
}

// Format describes a kind of file that is read, for a manual.
type Format struct {
	Name string
	Doc  string // one line
}

// Formats lists the kinds of file that are read.
func Formats() []Format {
	var read []Format
	for _, f := range formats() {
		if f.doc != "" {
			read = append(read, Format{f.name, f.doc})
		}
	}
	return read
}

// formats are tried from the top. Those with a magic number come first, those
// that are told by their looks last. (A function, since an opener may open
// siblings, whose formats stand here too.)
func formats() []format {
	return []format{
		{"npy", isNPY, openNPY, "an array by numpy.save: one tensor without a name"},
		{"torch, npz", isZip, openZip, "PyTorch's archive since 1.6 (.pt, .pth, .bin, .ckpt), also in several files by their index, or numpy's (.npz); a pickle in it runs no code"},
		{"hdf5", isHDF5, notYet("an HDF5 file (Keras)", `export the table with h5py: numpy.save("table.npy", h5py.File("model.h5")["PATH/OF/TABLE"][()])`), ""},
		{"gguf", starts("GGUF"), openGGUF, "llama.cpp's GGUF, versions 2 and 3 of both byte orders, with the usual quantised types"},
		{"ggml", starts("lmgg", "fmgg", "tjgg"), notYet("a GGML file from before GGUF", "use the checkpoint that it was converted from, as safetensors or PyTorch"), ""},
		{"tflite", isTFLite, notYet("a TensorFlow Lite file", `export the table with TensorFlow: numpy.save("table.npy", tf.lite.Interpreter("model.tflite").get_tensor(INDEX))`), ""},
		{"gzip", starts("\x1f\x8b"), openGzip, "any of these compressed by gzip, one layer deep"},
		{"zstd", isZstd, openZstd, "any of these compressed by zstd, one layer deep"},
		{"tar", isTar, openTar, ""},
		{"xz", starts("\xfd7zXZ\x00"), notYet("a file compressed by xz", "unxz it first"), ""},
		{"bzip2", isBzip2, notYet("a file compressed by bzip2", "bunzip2 it first"), ""},
		{"torch legacy", isLegacyTorch, openTorchLegacy, "PyTorch's layout before 1.6; a pickle in it runs no code"},
		{"pickle", isPickle, notYet("a Python pickle that torch.save did not write", "save the arrays as .npz or .safetensors instead"), ""},
		{"onnx", isONNX, openONNX, "ONNX: initialisers and constants, also in files beside it, also quantised with a scale"},
		{"tensorflow", isTFIndex, openTFIndex, "TensorFlow's checkpoints (V2) and SavedModels, by index, data file, prefix or folder"},
		{"html", isHTML, notModel("a web page (HTML), not a model: the download gave a page instead of the file", "download it again; a wrong address or a missing login gives such a page"), ""},
		{"lfs", starts("version https://git-lfs.github.com/spec/", "version https://hawser.github.com/spec/"), notModel("a Git LFS pointer, not the model itself", "run git lfs pull in its repository"), ""},
		{"safetensors", isSafetensors, openSafetensors, "Hugging Face safetensors, with its metadata, also in several files by their index"},
		{"flax", isMsgpack, openFlax, "Flax's msgpack, names joined by /, also in chunks"},
		{"json", isJSON, openJSON, `a matrix, an object of matrices, or {"shape": [...], "data": [...]}`},
		{"text", isText, openText, "a matrix as CSV, TSV or columns between spaces, with or without a header"},
	}
}

// byName are the formats that a name's suffix stands for. They are asked only
// where the first bytes tell nothing, so that a broken file is called what it
// was meant to be.
func byName() map[string]opener {
	return map[string]opener{
		".safetensors": openSafetensors,
		".npy":         openNPY,
		".msgpack":     openFlax,
		".onnx":        openONNX,
		".csv":         openText,
		".tsv":         openText,
		".txt":         openText,
	}
}

// open finds out which format a blob is in, and opens it.
func (b *blob) open(ctx context.Context, l Limits) (*File, error) {
	if b.size == 0 {
		return nil, fault(Empty, -1, "the file is empty")
	}
	head, err := b.bytes(0, min(b.size, headBytes))
	if err != nil {
		return nil, err
	}
	if open, ok := tfByName(b.name, head); ok {
		return open(ctx, b, l)
	}
	if f, ok := byHead(head); ok {
		return f.open(ctx, b, l)
	}
	if b.isTFTable() {
		return openTFIndex(ctx, b, l)
	}
	suffix := strings.ToLower(path.Ext(b.name))
	if open, ok := byName()[suffix]; ok {
		return open(ctx, b, l)
	}
	return nil, b.unknown(head)
}

// byHead finds the format that a file's first bytes tell.
func byHead(head []byte) (format, bool) {
	for _, f := range formats() {
		if f.sniff(head) {
			return f, true
		}
	}
	return format{}, false
}

// unknown is the Error of bytes that no format claims.
func (b *blob) unknown(head []byte) error {
	e := fault(Corrupt, 0, "no known container starts with % x", head[:min(len(head), 8)])
	e.Hint = "poslens help formats lists what is read"
	if strings.Trim(string(head), "\x00") == "" {
		e.Msg = "the file starts with nothing but zeros"
		e.Hint = "a download that was cut short or not begun leaves such a file: fetch it again"
	}
	return e
}

// unsupported is the Error of a container that is known, but not read.
func unsupported(what, hint string) *Error {
	return &Error{Kind: Unsupported, Off: -1, Msg: what + " is not read yet", Hint: hint}
}

// notYet refuses a container that is known, but not read.
func notYet(what, hint string) opener {
	return func(context.Context, *blob, Limits) (*File, error) { return nil, unsupported(what, hint) }
}

// notModel refuses a file that came in a model's place.
func notModel(what, hint string) opener {
	return func(context.Context, *blob, Limits) (*File, error) {
		return nil, &Error{Kind: Corrupt, Off: -1, Msg: what, Hint: hint}
	}
}
