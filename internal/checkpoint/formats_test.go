package checkpoint

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// hintOf is the hint of an Error.
func hintOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}

// sniffed is the name of the format that bytes are taken for.
func sniffed(head string) string {
	for _, f := range formats() {
		if f.sniff([]byte(head)) {
			return f.name
		}
	}
	return ""
}

func TestSniff(t *testing.T) {
	for _, c := range []struct{ head, want string }{
		{"\x93NUMPY\x01\x00v\x00{", "npy"},
		{"\x93NUMPY", "npy"},
		{"PK\x03\x04\x14\x00", "torch, npz"},
		{"PK\x05\x06" + strings.Repeat("\x00", 18), "torch, npz"},
		{"\x40\x00\x00\x00\x00\x00\x00\x00{\"a\"", "safetensors"},
		{"\x00\x00\x00\x00\x00\x01\x00\x00{", "safetensors"}, // 1 TiB
		{"\xf8\xff\xff\xff\xff\xff\xff\xff{", "safetensors"}, // 8 + n wraps
		{"\x08\x01\x00\x00\x00\x00\x00\x00{\"a\"", "safetensors"},
		{"\x08\x07\x12\x00\x00\x00\x00\x00{\"a\"", "safetensors"}, // looks a little like ONNX
		{"\x08\x07\x3a\x00\x00\x00\x00\x00{\"a\"", "safetensors"},
		{`{"name":{"a":1}}`, "json"}, // a brace at byte 8
		{"[[1,2],\n{", "json"},
		{" \n\t[[1]]", "json"},
		{"\xef\xbb\xbf{}", "json"},
		{"1,2\n3,4\n", "text"},
		{"\xef\xbb\xbf1,2\n", "text"},
		{"\xff\xfe1\x00,\x00", "text"},
		{"\xfe\xff\x001\x00,", "text"},
		{"h\xc3\xb6he,breite\n1,2\n", "text"},
		{strings.Repeat("a", headBytes-1) + "\xc3", "text"}, // a letter cut by the head's end
		{"BZh,x\n1,2\n", "text"},
		{"GGUF\x03\x00\x00\x00", "gguf"},
		{"GGUF\x00\x00\x00\x03", "gguf"},
		{"lmgg\x00\x00", "ggml"},
		{"\x89HDF\r\n\x1a\n", "hdf5"},
		{strings.Repeat("\x00", 512) + "\x89HDF\r\n\x1a\n", "hdf5"},
		{strings.Repeat("\x00", 2048) + "\x89HDF\r\n\x1a\n", "hdf5"},
		{strings.Repeat("\x00", 100) + "\x89HDF\r\n\x1a\n", ""},
		{"\x1c\x00\x00\x00TFL3", "tflite"},
		{"\x1f\x8b\x08", "gzip"},
		{"\x28\xb5\x2f\xfd\x00", "zstd"},
		{"\xfd7zXZ\x00", "xz"},
		{"BZh91AY&SY", "bzip2"},
		{"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", "torch legacy"},
		{"\x80\x03\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", "torch legacy"},
		{"\x80\x02}q\x00", "pickle"},
		{"\x80\x04\x95\x00", "pickle"},
		{"\x08\x08\x12\x09make_onnx:\xed\x14", "onnx"},
		{"\x08\x06\x3a\x9e\xa4\x23\x0a\x41", "onnx"},
		{"\x82\xabtransformer\x82", "flax"},
		{"\xde\x00\x10\xa6params\x82", "flax"},
		{"<!DOCTYPE html><html>", "html"},
		{"\n  <HTML>", "html"},
		{"<?xml version=\"1.0\"?><Error>", "html"},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:", "lfs"},
		{"\x10\x00\x00\x00\x00\x00\x00\x00this is not json", ""},
		{"\x00\x00\x00\x00", ""},
		{"\xff\xff\xff", ""},
		{"\xef\xbb\xbf<html>", "html"},
	} {
		if got := sniffed(c.head); got != c.want {
			t.Errorf("%.20q is taken for %q, want %q", c.head, got, c.want)
		}
	}
}

// TestUnread: every container that is not read says what it is and what to do.
func TestUnread(t *testing.T) {
	for _, f := range formats() {
		_, err := f.open(context.Background(), memory([]byte("?")), defaults)
		if kind := kindOf(err); kind != Unsupported {
			continue
		}
		if !strings.HasSuffix(err.Error(), "is not read yet") || hintOf(err) == "" {
			t.Errorf("%s: %v; hint %q", f.name, err, hintOf(err))
		}
	}
}

// TestNameBreaksTies: a name counts only where the bytes say nothing.
func TestNameBreaksTies(t *testing.T) {
	hopeless := "\x10\x00\x00\x00\x00\x00\x00\x00this is not json"
	for _, c := range []struct {
		name, data, mention string
		kind                Kind
	}{
		{"x.safetensors", hopeless, "header", Corrupt},
		{"x.SAFETENSORS", hopeless, "header", Corrupt},
		{"x.safetensors", "\x10\x00\x00", "3", Truncated},
		{"x.npy", "\x93NUM", "more was promised", Truncated},
		{"x.npy", hopeless, "numpy", Corrupt},
		{"x.pt", hopeless, "no known container", Corrupt},
		{"x", hopeless, "no known container", Corrupt},
		{"x.csv", string(good), "", ""}, // the bytes say safetensors
		{"x.npy", string(good), "", ""},
		{"x.pt", "\x00\x00\x00\x00\x00\x00", "zeros", Corrupt},
		{"m.index", "\x00\x00\x06\x01" + tableMagic, "TensorFlow", Truncated},
		{"m", "\x00\x00\x06\x01" + tableMagic, "TensorFlow", Truncated},
		{"m.data-00000-of-00001", hopeless, "TensorFlow", NotFound},
	} {
		f, err := openBytes(t, c.name, []byte(c.data), Limits{})
		if kindOf(err) != c.kind || (f == nil) != (c.kind != "") || err != nil && !strings.Contains(err.Error(), c.mention) {
			t.Errorf("%s of %.20q: %v, want %q with %q", c.name, c.data, err, c.kind, c.mention)
		}
	}
}
