package report

import (
	"bufio"
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// What a type may say of itself to be written without a copy.
type (
	jsonView    interface{ JSONView() any }
	jsonNumbers interface{ JSONNumbers() []float64 }
	jsonRows    interface{ JSONRows() iter.Seq[[]float64] }
)

// jsonWriter writes values as encoding/json does, indented, field by field.
type jsonWriter struct {
	out     *bufio.Writer
	depth   int
	compact bytes.Buffer // of a value that is not walked through
}

// value writes a value where it stands.
func (e *jsonWriter) value(v reflect.Value) error {
	if k := v.Kind(); !v.IsValid() || (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
		e.out.WriteString("null")
		return nil
	}
	if v.Kind() == reflect.Interface {
		return e.value(v.Elem())
	}
	of := v
	if v.CanAddr() { // a method of the pointer counts, as in encoding/json
		of = v.Addr()
	}
	switch x := of.Interface().(type) {
	case jsonNumbers:
		return e.numbers(x.JSONNumbers())
	case jsonRows:
		return e.rows(x.JSONRows())
	case jsonView:
		return e.value(reflect.ValueOf(x.JSONView()))
	case json.Marshaler, encoding.TextMarshaler:
		return e.whole(of)
	}
	switch v.Kind() {
	case reflect.Pointer:
		return e.value(v.Elem())
	case reflect.Struct:
		if fields, ok := fieldsOf(v.Type(), nil); ok {
			return e.object(v, fields)
		}
	case reflect.Slice:
		if ofObjects(v) {
			return e.block('[', ']', v.Len(), func(i int) error { return e.value(v.Index(i)) })
		}
	}
	return e.whole(of)
}

// whole writes a value by encoding/json.
func (e *jsonWriter) whole(v reflect.Value) error {
	e.compact.Reset()
	enc := json.NewEncoder(&e.compact)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v.Interface()); err != nil {
		return err
	}
	indent(e.out, bytes.TrimSuffix(e.compact.Bytes(), []byte("\n")), e.depth)
	return nil
}

// object writes some fields of a struct.
func (e *jsonWriter) object(v reflect.Value, fields []jsonField) error {
	type entry struct {
		name string
		v    reflect.Value
	}
	var entries []entry
	for _, f := range fields {
		x, err := v.FieldByIndexErr(f.index)
		if err != nil || f.omitEmpty && isEmpty(x) { // of a nil pointer
			continue
		}
		entries = append(entries, entry{f.name, x})
	}
	return e.block('{', '}', len(entries), func(i int) error {
		fmt.Fprintf(e.out, "%q: ", entries[i].name)
		return e.value(entries[i].v)
	})
}

// block writes n things between brackets, each in a line of its own.
func (e *jsonWriter) block(open, end byte, n int, write func(i int) error) error {
	e.out.WriteByte(open)
	e.depth++
	for i := range n {
		if i > 0 {
			e.out.WriteByte(',')
		}
		newLine(e.out, e.depth)
		if err := write(i); err != nil {
			return err
		}
	}
	if e.depth--; n > 0 {
		newLine(e.out, e.depth)
	}
	return e.out.WriteByte(end)
}

// rows writes lists of numbers, each in a line of its own.
func (e *jsonWriter) rows(rows iter.Seq[[]float64]) error {
	e.out.WriteByte('[')
	e.depth++
	n := 0
	var err error
	for row := range rows {
		if n++; n > 1 {
			e.out.WriteByte(',')
		}
		newLine(e.out, e.depth)
		if err = e.numbers(row); err != nil {
			break
		}
	}
	if e.depth--; n > 0 {
		newLine(e.out, e.depth)
	}
	e.out.WriteByte(']')
	return err
}

// numbers writes a list of numbers in one line, null for those that are undefined.
func (e *jsonWriter) numbers(x []float64) error {
	if x == nil {
		_, err := e.out.WriteString("null")
		return err
	}
	e.out.WriteByte('[')
	var err error
	for i, v := range x {
		b := e.out.AvailableBuffer()
		if i > 0 {
			b = append(b, ", "...)
		}
		if _, err = e.out.Write(appendNumber(b, v)); err != nil {
			return err
		}
	}
	return e.out.WriteByte(']')
}

// appendNumber writes x as encoding/json does, or null where it is not finite.
func appendNumber(b []byte, x float64) []byte {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return append(b, "null"...)
	case a == 0 || a >= 1e-6 && a < 1e21:
		return strconv.AppendFloat(b, x, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, x, 'e', -1, 64)
	if n := len(b); b[n-4] == 'e' && b[n-2] == '0' { // e-09 as e-9
		b = append(b[:n-2], b[n-1])
	}
	return b
}

// jsonField is a field of a struct, or of one embedded in it.
type jsonField struct {
	name      string
	index     []int
	omitEmpty bool
}

// fieldsOf lists what encoding/json writes of a struct, in its order. It is false where
// that follows a rule that is not known here.
func fieldsOf(t reflect.Type, at []int) (fields []jsonField, ok bool) {
	seen := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		index := append(append([]int{}, at...), i)
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case f.Tag.Get("json") == "-":
			continue
		case f.Anonymous && name == "" && inner.Kind() == reflect.Struct:
			more, known := fieldsOf(inner, index)
			if !known {
				return nil, false
			}
			fields = append(fields, more...)
			for _, m := range more {
				if seen[m.name] {
					return nil, false
				}
				seen[m.name] = true
			}
			continue
		case !f.IsExported():
			continue
		case f.Anonymous || options != "" && options != "omitempty" || strings.ContainsAny(name, "\"\\&<>") || name == "-":
			return nil, false
		case name == "":
			name = f.Name
		}
		if seen[name] {
			return nil, false
		}
		seen[name] = true
		fields = append(fields, jsonField{name, index, options == "omitempty"})
	}
	return fields, true
}

// isEmpty is what omitempty leaves out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// ofObjects tells whether a list has elements which are all written as objects, so that
// each has lines of its own.
func ofObjects(v reflect.Value) bool {
	for i := range v.Len() {
		x := v.Index(i)
		for x.Kind() == reflect.Interface || x.Kind() == reflect.Pointer {
			x = x.Elem()
		}
		if x.Kind() != reflect.Struct || !isObject(x.Type()) {
			return false
		}
	}
	return v.Len() > 0
}

// isObject tells whether a struct is written as an object: it does not write itself, or
// only by another struct.
func isObject(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	if p.Implements(reflect.TypeFor[jsonView]()) {
		return true
	}
	return !p.Implements(reflect.TypeFor[json.Marshaler]()) && !p.Implements(reflect.TypeFor[encoding.TextMarshaler]()) && !p.Implements(reflect.TypeFor[jsonRows]())
}
