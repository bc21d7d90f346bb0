package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"poslens/internal/tensor"
)

const (
	npyMagic     = "\x93NUMPY"
	maxNPYHeader = 1 << 20 // bytes of the header's text; numpy itself stops at 10,000
)

// npyHeader is what stands in front of an array's bytes.
type npyHeader struct {
	dtype     tensor.DType
	stored    string // the dtype as the file has it: "<f4"
	order     binary.ByteOrder
	fortran   bool
	shape     []int
	headerLen int64 // bytes before the first element
}

// info describes the array as a tensor of this name. Its shape must have passed
// tensor.Count.
func (h npyHeader) info(name string) tensor.Info {
	i := tensor.Info{Name: name, DType: h.dtype, Stored: h.stored, Shape: h.shape}
	if h.fortran && len(h.shape) > 1 {
		i.Strides = tensor.ColumnMajor(h.shape)
	}
	return i
}

// length is the bytes of the elements, which a file of this size must have behind
// the header. place is where a shortage of them is reported.
func (h npyHeader) length(size, place int64, l Limits) (int64, error) {
	n, err := count(h.shape, l)
	if err != nil {
		return 0, err
	}
	have, width := size-h.headerLen, int64(h.dtype.Size())
	if int64(n) > have/width {
		return 0, fault(Truncated, place, "shape %v of %s needs %d elements of %d bytes behind the header, but there are %d bytes", h.shape, h.stored, n, width, have)
	}
	return int64(n) * width, nil
}

// isNPY tells an array that numpy.save wrote.
func isNPY(head []byte) bool { return bytes.HasPrefix(head, []byte(npyMagic)) }

// openNPY opens an array that numpy.save wrote: one tensor without a name.
func openNPY(_ context.Context, b *blob, l Limits) (*File, error) {
	h, err := readNPYHeader(io.NewSectionReader(b, 0, b.size))
	if err != nil {
		return nil, err
	}
	length, err := h.length(b.size, b.size, l)
	if err != nil {
		return nil, err
	}
	f := newFile("npy")
	info := h.info("")
	err = f.add(info, func(ctx context.Context) (*tensor.Tensor, error) {
		return b.tensor(ctx, info, h.headerLen, length, h.order, l)
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// readNPYHeader reads an array's header and nothing behind it. With an error of
// kind UnsupportedDType or UnsafePickle the header is filled all the same, its
// dtype Invalid, so that the array can be listed.
func readNPYHeader(r io.Reader) (npyHeader, error) {
	var start [12]byte
	if err := readPart(r, start[:8], 0); err != nil {
		return npyHeader{}, err
	}
	if !isNPY(start[:]) {
		return npyHeader{}, fault(Corrupt, 0, "no numpy array: it starts with %s, not %s", quoted(string(start[:6])), quoted(npyMagic))
	}
	major, minor := start[6], start[7]
	if major < 1 || major > 3 || minor != 0 {
		return npyHeader{}, &Error{Kind: Unsupported, Off: 6, Msg: fmt.Sprintf("npy version %d.%d is not read", major, minor), Hint: "versions 1.0, 2.0 and 3.0 are; save it again with numpy.save"}
	}
	width := 4
	if major == 1 {
		width = 2
	}
	if err := readPart(r, start[8:8+width], 8); err != nil {
		return npyHeader{}, err
	}
	n := int64(binary.LittleEndian.Uint32(start[8:])) // the upper half is 0 in version 1
	if n > maxNPYHeader {
		return npyHeader{}, fault(HeaderTooLarge, 8, "the header claims %d bytes, but %d at most are sane", n, maxNPYHeader)
	}
	base := int64(8 + width)
	text := make([]byte, n)
	if err := readPart(r, text, base); err != nil {
		return npyHeader{}, err
	}
	if major == 3 {
		if !utf8.Valid(text) {
			return npyHeader{}, fault(Corrupt, base, "the header is not valid UTF-8")
		}
	} else {
		text = latin1(text)
	}
	h, err := parseNPYHeader(text, base)
	h.headerLen = base + n
	return h, err
}

// readPart fills p from r, where off is its place in the array's file.
func readPart(r io.Reader, p []byte, off int64) error {
	n, err := io.ReadFull(r, p)
	if err != nil {
		return readFault(off+int64(n), err)
	}
	return nil
}

// latin1 is the UTF-8 of text whose bytes are code points.
func latin1(p []byte) []byte {
	s := make([]byte, 0, len(p))
	for _, c := range p {
		s = utf8.AppendRune(s, rune(c))
	}
	return s
}

// parseNPYHeader makes a header of its text, the literal of a Python dict with
// the keys descr, fortran_order and shape, and no others. base is where the text
// stands in the file.
func parseNPYHeader(text []byte, base int64) (npyHeader, error) {
	v, err := parsePyLiteral(text, base)
	if err != nil {
		return npyHeader{}, err
	}
	wrong := func(format string, args ...any) (npyHeader, error) {
		return npyHeader{}, fault(Corrupt, base, "numpy header: "+format, args...)
	}
	dict, ok := v.(pyDict)
	if !ok {
		return wrong("it is no dict")
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if _, ok := dict[key]; !ok {
			return wrong("the key %q is missing", key)
		}
	}
	if len(dict) != 3 {
		return wrong("it has %d keys, not descr, fortran_order and shape alone", len(dict))
	}
	h := npyHeader{}
	if h.fortran, ok = dict["fortran_order"].(bool); !ok {
		return wrong("fortran_order is neither True nor False")
	}
	dims, ok := dict["shape"].(pyTuple)
	if !ok {
		return wrong("shape is no tuple")
	}
	h.shape = make([]int, len(dims))
	for i, d := range dims {
		digits, ok := d.(pyInt)
		if !ok {
			return wrong("shape holds something that is no whole number")
		}
		if h.shape[i], err = strconv.Atoi(string(digits)); err != nil {
			return npyHeader{}, fault(BadShape, base, "dimension %s is out of range", quoted(string(digits)))
		}
	}
	if _, err := tensor.Count(h.shape, 1<<62); err != nil && !errors.Is(err, tensor.ErrTooLarge) {
		return npyHeader{}, at(shapeFault(err), "", base)
	}
	err = h.setDType(dict["descr"])
	return h, at(err, "", base)
}
