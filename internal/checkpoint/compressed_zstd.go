package checkpoint

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// The window of a zstd frame is what its reader keeps of the bytes unpacked so
// far. It is allocated before the first of them is there. Readers should take
// commonWindow (RFC 8878, 3.1.1.1.2); the zstd command takes mostWindow.
const (
	commonWindow = 8 << 20
	mostWindow   = 128 << 20
)

// zstdLayer is RFC 8878.
func zstdLayer() layer {
	return layer{name: "zstd", suffixes: []string{".zst", ".zstd"}, undo: "zstd -d", reader: zstdReader, explain: zstdFault}
}

// zstdReader reads the frames of a zstd file, of which at most most bytes may
// come. It starts no goroutine.
func zstdReader(packed *bufio.Reader, most int64) (io.ReadCloser, error) {
	window := uint64(zstdWindow(most))
	d, err := zstd.NewReader(packed,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(window),
		zstd.WithDecoderMaxMemory(window)) // of a frame in one segment
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// zstdWindow is the largest window that a frame may have where at most most bytes
// may come: no more is ever of use, but a writer that does not know how much there
// is takes the same for all.
func zstdWindow(most int64) int64 { return min(mostWindow, max(commonWindow, most)) }

// zstdFault words the faults of package zstd.
func zstdFault(err error, most int64) *Error {
	switch {
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return &Error{Kind: TooLarge, Msg: fmt.Sprintf("a zstd frame wants a window of more than the %d bytes that a file of this size may have", zstdWindow(most)),
			Hint: "if the file is to be trusted, unpack it first: zstd -d --long=31"}
	case errors.Is(err, zstd.ErrUnknownDictionary):
		return &Error{Kind: Unsupported, Msg: "it is packed with a dictionary, which is not in the file", Hint: "unpack it first: zstd -d -D DICTIONARY"}
	case errors.Is(err, zstd.ErrMagicMismatch):
		return &Error{Kind: Corrupt, Msg: "what follows the last zstd frame is no zstd data"}
	case errors.Is(err, zstd.ErrCRCMismatch):
		return &Error{Kind: Corrupt, Msg: "the checksum behind a zstd frame is not that of its bytes: they are damaged"}
	}
	return nil
}
