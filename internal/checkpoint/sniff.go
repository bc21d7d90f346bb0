package checkpoint

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

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
// it wrote zip archives. From protocol 4 on a frame stands around it.
func isLegacyTorch(head []byte) bool {
	if !isPickle(head) {
		return false
	}
	const frame = 9 // bytes
	head = head[2:]
	if len(head) > frame && head[0] == 0x95 {
		head = head[frame:]
	}
	return bytes.HasPrefix(head, []byte(torchMagic))
}

// isPickle tells a pickle of protocol 2 to 5 by its PROTO opcode.
func isPickle(head []byte) bool {
	return len(head) > 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5
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
	case len(rest) > 2 && (rest[0] == 0xd9 || rest[0] == 0xc4):
		length, rest = int(rest[1]), rest[2:]
	case len(rest) > 3 && rest[0] == 0xda:
		length, rest = int(binary.BigEndian.Uint16(rest[1:])), rest[3:]
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

// isZstd tells a zstd frame, or one to be skipped, with which some writers begin.
//
//	RFC 8878, sections 3.1.1 and 3.1.2
func isZstd(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	magic := binary.LittleEndian.Uint32(head)
	return magic == 0xfd2fb528 || magic&^0xf == 0x184d2a50
}
