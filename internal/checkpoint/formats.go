package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf8"
)

// headBytes are read from the front of a file to tell its format.
const headBytes = 4096

// opener reads a container's header.
type opener func(context.Context, *blob, Limits) (*File, error)

// format is a kind of file: its name, how to tell it by its first bytes, and how
// to open it.
type format struct {
	name  string
	sniff func(head []byte) bool
	open  opener
}

// formats are tried from the top. Those with a magic number come first, those
// that are told by their looks last. (A function, since an opener may open
// siblings, whose formats stand here too.)
func formats() []format {
	return []format{
		{"npy", isNPY, openNPY},
		{"zip", isZip, openZip},
		{"hdf5", isHDF5, notYet("an HDF5 file (Keras)", "save the model's weights as .npz or .safetensors, or the table alone as .npy")},
		{"gguf", starts("GGUF"), notYet("a GGUF file", "use the checkpoint that it was converted from, as safetensors or PyTorch")},
		{"ggml", starts("lmgg", "fmgg", "tjgg"), notYet("a GGML file from before GGUF", "use the checkpoint that it was converted from, as safetensors or PyTorch")},
		{"tflite", isTFLite, notYet("a TensorFlow Lite file", "use the checkpoint that it was converted from")},
		{"gzip", starts("\x1f\x8b"), notYet("a file compressed by gzip", "gunzip it first")},
		{"zstd", starts("\x28\xb5\x2f\xfd"), notYet("a file compressed by zstd", "unzstd it first")},
		{"xz", starts("\xfd7zXZ\x00"), notYet("a file compressed by xz", "unxz it first")},
		{"bzip2", isBzip2, notYet("a file compressed by bzip2", "bunzip2 it first")},
		{"torch legacy", isLegacyTorch, notYet("a PyTorch file in the layout before 1.6", `load it once and save it again: torch.save(torch.load("old.pt", map_location="cpu", weights_only=True), "new.pt")`)},
		{"pickle", isPickle, notYet("a Python pickle that torch.save did not write", "save the arrays as .npz or .safetensors instead")},
		{"onnx", isONNX, notYet("an ONNX file", "use the checkpoint that it was exported from, as safetensors or PyTorch")},
		{"html", isHTML, notModel("a web page (HTML), not a model: the download gave a page instead of the file", "download it again; a wrong address or a missing login gives such a page")},
		{"lfs", starts("version https://git-lfs.github.com/spec/", "version https://hawser.github.com/spec/"), notModel("a Git LFS pointer, not the model itself", "run git lfs pull in its repository")},
		{"safetensors", isSafetensors, openSafetensors},
		{"msgpack", isMsgpack, notYet("a msgpack file (Flax)", "save the weights as .safetensors or .npz")},
		{"json", isJSON, openJSON},
		{"text", isText, openText},
	}
}

// byName are the formats that a name's suffix stands for. They are asked only
// where the first bytes tell nothing, so that a broken file is called what it
// was meant to be.
func byName() map[string]opener {
	return map[string]opener{
		".safetensors": openSafetensors,
		".npy":         openNPY,
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
	for _, f := range formats() {
		if f.sniff(head) {
			return f.open(ctx, b, l)
		}
	}
	suffix := strings.ToLower(path.Ext(b.name))
	if open, ok := byName()[suffix]; ok {
		return open(ctx, b, l)
	}
	return nil, b.unknown(head)
}

// unknown is the Error of bytes that no format claims. A TensorFlow index has
// its magic number at the end, and the file beside it has none at all.
func (b *blob) unknown(head []byte) error {
	if tail, err := b.bytes(max(0, b.size-8), min(b.size, 8)); err == nil && string(tail) == tableMagic {
		return unsupported("the index of a TensorFlow checkpoint", "save the variables as .npz or .npy")
	}
	if strings.Contains(path.Base(b.name), ".data-0") {
		return unsupported("the data of a TensorFlow checkpoint", "save the variables as .npz or .npy")
	}
	e := fault(Corrupt, 0, "no known container starts with % x", head[:min(len(head), 8)])
	e.Hint = "safetensors, PyTorch (.pt, .bin), .npy, .npz, CSV, TSV and JSON are read"
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

const (
	torchMagic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19" // LONG1 of 0x1950a86a20f9469cfc6c
	tableMagic = "\x57\xfb\x80\x8b\x24\x75\x47\xdb"                 // the last 8 bytes of a LevelDB table
	utf8BOM    = "\xef\xbb\xbf"
)

// starts tells files by the bytes in front, one of several magics.
func starts(magics ...string) func([]byte) bool {
	return func(head []byte) bool {
		for _, m := range magics {
			if bytes.HasPrefix(head, []byte(m)) {
				return true
			}
		}
		return false
	}
}

// isHDF5 tells an HDF5 file, whose superblock may come behind a user block of
// 512, 1024, 2048 ... bytes.
func isHDF5(head []byte) bool {
	const magic = "\x89HDF\r\n\x1a\n"
	for off := 0; off < len(head); off = max(512, 2*off) {
		if bytes.HasPrefix(head[off:], []byte(magic)) {
			return true
		}
	}
	return false
}

// isBzip2 tells a bzip2 stream by its magic and the one of its first block.
func isBzip2(head []byte) bool {
	return len(head) >= 10 && string(head[:3]) == "BZh" && string(head[4:10]) == "1AY&SY"
}

// isTFLite tells a TensorFlow Lite flatbuffer.
func isTFLite(head []byte) bool { return len(head) >= 8 && string(head[4:8]) == "TFL3" }

// isLegacyTorch tells the pickled magic number that torch.save put in front before
// it wrote zip archives.
func isLegacyTorch(head []byte) bool {
	return isPickle(head) && bytes.HasPrefix(head[2:], []byte(torchMagic))
}

// isPickle tells a pickle of protocol 2 to 5 by its PROTO opcode.
func isPickle(head []byte) bool {
	return len(head) > 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5
}

// isONNX tells a serialised ModelProto: the field ir_version, then a string or
// the graph, whose length fits what follows.
func isONNX(head []byte) bool {
	if len(head) < 8 || head[0] != 0x08 || head[1] == 0 || head[1] > 30 {
		return false
	}
	rest := head[2:]
	length, n := binary.Uvarint(rest[1:])
	if n <= 0 || length == 0 {
		return false
	}
	body := rest[1+n:]
	switch rest[0] {
	case 0x12, 0x1a, 0x22, 0x32: // producer_name, producer_version, domain, doc_string
		body = body[:min(uint64(len(body)), length)]
		return len(body) > 0 && utf8.Valid(body) && bytes.IndexByte(body, 0) < 0
	case 0x3a, 0x42: // graph, opset_import: messages that begin with a field of low number
		return len(body) > 0 && body[0] > 7 && body[0] < 0x80
	}
	return false
}

// isMsgpack tells a map whose first key is a word, as Flax writes it.
func isMsgpack(head []byte) bool {
	var rest []byte
	switch {
	case len(head) > 1 && head[0] > 0x80 && head[0] <= 0x8f:
		rest = head[1:]
	case len(head) > 3 && head[0] == 0xde:
		rest = head[3:]
	case len(head) > 5 && head[0] == 0xdf:
		rest = head[5:]
	default:
		return false
	}
	length := 0
	switch {
	case len(rest) > 1 && rest[0] > 0xa0 && rest[0] <= 0xbf:
		length, rest = int(rest[0]&0x1f), rest[1:]
	case len(rest) > 2 && rest[0] == 0xd9:
		length, rest = int(rest[1]), rest[2:]
	}
	return length > 0 && length <= len(rest) && plain(rest[:length])
}

// isHTML tells a web page, or the XML of a storage service's error.
func isHTML(head []byte) bool {
	s := strings.ToLower(string(unspaced(head[:min(len(head), 256)])))
	for _, p := range []string{"<!doctype", "<html", "<head", "<?xml", "<error>"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// isJSON tells a text that starts with a brace or a bracket.
func isJSON(head []byte) bool {
	s := unspaced(head)
	return len(s) > 0 && (s[0] == '{' || s[0] == '[')
}

// isText tells a text by its looks: UTF-8 without control characters, or the
// byte order mark of UTF-16.
func isText(head []byte) bool {
	return plain(head) || starts("\xff\xfe", "\xfe\xff")(head)
}

// plain tells bytes without control characters, which are UTF-8 but for a letter
// that is cut at the end.
func plain(p []byte) bool {
	for len(p) > 0 {
		r, n := utf8.DecodeRune(p)
		switch {
		case r == utf8.RuneError && n == 1:
			return !utf8.FullRune(p)
		case r < ' ' && !strings.ContainsRune("\t\n\v\f\r", r), r == 0x7f:
			return false
		}
		p = p[n:]
	}
	return true
}

// unspaced is a text without its byte order mark and leading white space.
func unspaced(p []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(p, []byte(utf8BOM)), " \t\r\n")
}
