package checkpoint

import (
	"encoding/binary"
	"strings"

	"poslens/internal/tensor"
)

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
		return fault(Corrupt, -1, "numpy header: %s is no dtype", quoted(h.stored))
	}
	if h.stored[0] == '>' {
		h.order = binary.BigEndian
	}
	if t, ok := npyTypes[code]; ok {
		h.dtype = t
		return nil
	}
	what := "elements of numpy type " + quoted(h.stored)
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
		Msg:  "an array of Python objects (" + quoted(stored) + ") is a pickle, which could run code and is never loaded",
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
			names = append(names, quoted(name))
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
