package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
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

// isNPY tells an array that numpy.save wrote.
func isNPY(head []byte) bool { return bytes.HasPrefix(head, []byte(npyMagic)) }

// openNPY opens an array that numpy.save wrote: one tensor without a name.
func openNPY(_ context.Context, b *blob, l Limits) (*File, error) {
	h, err := readNPYHeader(io.NewSectionReader(b, 0, b.size))
	if err != nil {
		return nil, err
	}
	n, err := count(h.shape, l)
	if err != nil {
		return nil, err
	}
	length := int64(n) * int64(h.dtype.Size()) // n <= 1 << 31 unless the limit was raised
	if have := b.size - h.headerLen; int64(n) > have || length > have {
		return nil, fault(Truncated, b.size, "shape %v of %s needs %d bytes behind the header, but there are %d", h.shape, h.stored, length, have)
	}
	f := newFile("npy")
	info := h.info("")
	return f, f.add(info, func(ctx context.Context) (*tensor.Tensor, error) {
		return b.tensor(ctx, info, h.headerLen, length, h.order, l)
	})
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
		return npyHeader{}, fault(Corrupt, 0, "no numpy array: it starts with %q, not %q", start[:6], npyMagic)
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
			return npyHeader{}, fault(BadShape, base, "dimension %.40s is out of range", digits)
		}
	}
	if _, err := tensor.Count(h.shape, 1<<62); err != nil && !errors.Is(err, tensor.ErrTooLarge) {
		return npyHeader{}, at(shapeFault(err), "", base)
	}
	err = h.setDType(dict["descr"])
	return h, at(err, "", base)
}

// setDType understands a descr: "<f4", or the fields of a structured type.
func (h *npyHeader) setDType(descr any) error {
	h.order = binary.LittleEndian
	switch d := descr.(type) {
	case string:
		h.stored = d
	case pyList:
		names, objects := pyFields(d)
		h.stored = "structured"
		if objects {
			return npyObjects(h.stored)
		}
		return unsupportedDType("a structured array with the fields "+strings.Join(names, ", "),
			`save the field that you want alone: numpy.save("field.npy", a["name"])`)
	default:
		return fault(Corrupt, -1, "numpy header: descr is neither a string nor a list of fields")
	}
	code := strings.TrimLeft(h.stored, "<>=|")
	if len(h.stored)-len(code) > 1 || code == "" {
		return fault(Corrupt, -1, "numpy header: %.40q is no dtype", h.stored)
	}
	if h.stored[0] == '>' {
		h.order = binary.BigEndian
	}
	if t, ok := npyTypes[code]; ok {
		h.dtype = t
		return nil
	}
	what := fmt.Sprintf("elements of numpy type %.40q", h.stored)
	switch code[0] {
	case 'O':
		return npyObjects(h.stored)
	case 'c':
		return unsupportedDType(what+" are complex", "save the real part: numpy.save(\"real.npy\", a.real)")
	case 'f':
		return unsupportedDType(what+" (long double) differ from machine to machine", `convert it first: a.astype("float64")`)
	case 'M', 'm':
		return unsupportedDType(what+" are dates or times, not numbers", `if they are meant as numbers: a.astype("int64")`)
	case 'V':
		if code == "V2" {
			return unsupportedDType(what+" are two bytes of no type, which is what numpy.save makes of bfloat16", `convert it before saving: a.astype("float32")`)
		}
		return unsupportedDType(what+" are bytes of no type", `convert it before saving: a.astype("float32")`)
	case 'S', 'a', 'U', 'T':
		return unsupportedDType(what+" are text", `if they spell numbers: a.astype("float64")`)
	}
	return unsupportedDType(what+" are not known", `convert it first: a.astype("float64")`)
}

// npyTypes are the type codes that numpy writes for numbers, without the byte
// order in front.
var npyTypes = map[string]tensor.DType{
	"f2": tensor.F16, "f4": tensor.F32, "f8": tensor.F64,
	"i1": tensor.I8, "i2": tensor.I16, "i4": tensor.I32, "i8": tensor.I64,
	"u1": tensor.U8, "u2": tensor.U16, "u4": tensor.U32, "u8": tensor.U64,
	"b1": tensor.Bool, "?": tensor.Bool,
}

// unsupportedDType is the Error of a dtype that is no real number.
func unsupportedDType(msg, hint string) *Error {
	return &Error{Kind: UnsupportedDType, Off: -1, Msg: msg, Hint: hint}
}

// npyObjects is the Error of an array of Python objects.
func npyObjects(stored string) *Error {
	return &Error{Kind: UnsafePickle, Off: -1,
		Msg:  fmt.Sprintf("an array of Python objects (%.40q) is a pickle, which could run code and is never loaded", stored),
		Hint: `convert it where it was made: numpy.save("table.npy", a.astype("float64"))`}
}

// pyFields lists the quoted names of a structured type's fields, and tells
// whether any of them holds Python objects.
func pyFields(fields pyList) (names []string, objects bool) {
	for _, f := range fields {
		field, ok := f.(pyTuple)
		if !ok || len(field) < 2 {
			continue
		}
		if name, ok := field[0].(string); ok && len(names) < 10 {
			names = append(names, fmt.Sprintf("%.40q", name))
		}
		switch t := field[1].(type) {
		case string:
			objects = objects || strings.HasPrefix(strings.TrimLeft(t, "<>=|"), "O")
		case pyList:
			_, inner := pyFields(t)
			objects = objects || inner
		}
	}
	return names, objects
}
