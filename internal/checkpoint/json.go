package checkpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// openJSON reads tables written as JSON: nested lists of numbers, an object of
// named ones, an object of "shape" and flat "data", or what poslens itself writes
// with -f json. Strings beside named tables are the file's metadata. The index of
// a model in several files stands for the model.
func openJSON(ctx context.Context, b *blob, l Limits) (*File, error) {
	r, base, err := openUTF8(ctx, b, l)
	if err != nil {
		return nil, err
	}
	s := &jsonScan{r: r, base: base, most: l.MaxElements}
	c, err := s.peek()
	switch {
	case err != nil && s.atEnd():
		return nil, fault(Empty, -1, "nothing but white space")
	case err != nil:
		return nil, err
	}
	s.take()
	f := newFile("json")
	switch c {
	case '[':
		err = f.jsonList(s)
	case '{':
		var o *jsonObject
		if o, err = s.whole(); err == nil && o.has(weightMap) {
			return openShards(ctx, b, l)
		}
		if err == nil {
			err = f.jsonObject(o, l)
		}
	default:
		s.back()
		return nil, s.fault(Parse, "%q where a list or an object belongs", c)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// jsonList takes a file that is one array.
func (f *File) jsonList(s *jsonScan) error {
	a, err := s.array()
	if err == nil && a.wrong != nil {
		return a.wrong
	}
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return err
	}
	if len(a.data) == 0 {
		return fault(Empty, -1, "lists of shape %v, which hold no number", a.shape)
	}
	return f.addNumbers("", a.shape, a.data)
}

// whole takes an object, behind its brace, and the end of the text.
func (s *jsonScan) whole() (*jsonObject, error) {
	o, err := s.object(0)
	if err == nil {
		err = s.end()
	}
	return o, err
}

// jsonObject finds out what a file that is one object stands for.
func (f *File) jsonObject(o *jsonObject, l Limits) error {
	switch {
	case o.isConfig():
		err := fault(NotATable, -1, "is a model's configuration%s, not a table", o.model())
		err.Hint = "give the model's folder, or the file of its weights"
		return err
	case o.has("schema") && o.has("command") && o.has("results"):
		return f.jsonResults(o, l)
	case o.wrong != nil:
		return o.wrong
	}
	if a, isOne, err := o.shaped(l); isOne {
		if err != nil {
			return err
		}
		f.takeTexts(o)
		return f.addNumbers("", a.shape, a.data)
	}
	return f.jsonNamed(o, l)
}

// jsonNamed takes an object of tables.
func (f *File) jsonNamed(o *jsonObject, l Limits) error {
	for _, name := range o.names {
		a := o.arrays[name]
		if kid := o.objects[name]; kid != nil {
			shaped, isOne, err := kid.shaped(l)
			switch {
			case !isOne:
				continue // some other thing beside the tables
			case err != nil:
				return at(err, name, -1)
			}
			a = shaped
		}
		if a == nil {
			continue
		}
		if err := f.addNumbers(name, a.shape, a.data); err != nil {
			return err
		}
	}
	switch {
	case len(f.infos) > 0:
		f.takeTexts(o)
		return nil
	case len(o.names) == 0:
		return fault(Empty, -1, "an empty object")
	}
	return fault(NotATable, -1, "an object without a list of numbers: its first name is %s", quoted(o.names[0]))
}

// takeTexts makes the words beside the tables the file's metadata.
func (f *File) takeTexts(o *jsonObject) {
	for name, text := range o.texts {
		f.meta[name] = text
	}
}

// jsonResults takes the tables out of what export and generate write.
func (f *File) jsonResults(o *jsonObject, l Limits) error {
	command := quoted(o.texts["command"])
	if v := o.texts["schema"]; v != "1" {
		return fault(Unsupported, -1, "a result of poslens of schema %s, and only 1 is read", quoted(v))
	}
	if a := o.arrays["results"]; a != nil && a.wrong != nil {
		return a.wrong
	}
	if len(o.results) == 0 {
		return fault(Empty, -1, "a result of poslens's command %s without a table", command)
	}
	for i, r := range o.results {
		a := r.arrays["table"]
		if raw, isOne, err := r.shaped(l); a == nil && isOne { // export --raw
			if err != nil {
				return err
			}
			a = raw
		}
		switch {
		case a == nil:
			err := fault(NotATable, -1, "is a result of poslens's command %s, not a table", command)
			err.Hint = "poslens export -f json writes a table"
			return err
		case a.wrong != nil:
			return a.wrong
		}
		meta, err := r.tableMeta(a)
		if err != nil {
			return err
		}
		for key, text := range meta {
			if old, ok := f.meta[key]; i > 0 && (!ok || old != text) {
				return fault(Unsupported, -1, "tables that differ in %s (%s, %s) in one file", key, quoted(old), quoted(text))
			}
			f.meta[key] = text
		}
		if i > 0 && len(meta) != len(f.meta) {
			return fault(Unsupported, -1, "tables of different kinds in one file")
		}
		name := r.texts["tensor"]
		if name == "" {
			name = "table"
		}
		if err := f.addNumbers(name, a.shape, a.data); err != nil {
			return err
		}
	}
	return nil
}

// tableMeta gives what a result says of its table a, in the words of a file's
// metadata.
func (o *jsonObject) tableMeta(a *jsonArray) (map[string]string, error) {
	meta := map[string]string{}
	if kind := o.texts["kind"]; kind != "" {
		meta["poslens.kind"] = kind
	}
	if reserved, ok := o.texts["reserved"]; ok {
		if n, err := strconv.Atoi(reserved); err != nil || n < 0 {
			return nil, fault(Parse, -1, "reserved: %s is no number of rows", quoted(reserved))
		}
		meta["poslens.reserved"] = reserved
	}
	o.tableWords(meta)
	if p := o.arrays["positions"]; p != nil && p.wrong == nil && len(p.shape) == 1 && len(a.shape) > 0 && len(p.data) == a.shape[0] {
		if first, step, ok := evenly(p.data); ok && (first != 0 || step != 1) {
			meta["poslens.positions"] = fmt.Sprintf("%d:%d", first, step)
		}
	}
	offsets := o.arrays["offsets"]
	if said := o.texts["offsets"]; offsets == nil && said != "" { // two axes: "-5:6,-5:6"
		meta["poslens.offsets"] = said
	}
	if offsets == nil {
		return meta, nil
	}
	if offsets.wrong != nil {
		return nil, at(offsets.wrong, "offsets", -1)
	}
	rows := len(offsets.data)
	if len(offsets.shape) != 1 || len(a.shape) == 0 || a.shape[0] != rows {
		return nil, fault(BadShape, -1, "offsets of shape %v beside a table of shape %v", offsets.shape, a.shape)
	}
	if rows == 0 {
		return meta, nil
	}
	from := offsets.data[0]
	for i, v := range offsets.data {
		if v != from+float64(i) || v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return nil, fault(BadShape, -1, "offsets that do not count up by one (%v after %d others)", v, i)
		}
	}
	meta["poslens.offsets"] = fmt.Sprintf("%d:%d", int(from), int(from)+rows)
	return meta, nil
}

// tableWords adds what a result says of its table that only a reader of tables can
// hold against the numbers: it is given on as it stands.
func (o *jsonObject) tableWords(meta map[string]string) {
	for _, key := range []string{"arch", "beyond", "steps"} {
		if text := o.texts[key]; text != "" {
			meta["poslens."+key] = text
		}
	}
	if g := o.objects["grid"]; g != nil {
		said := g.texts["rows"] + "x" + g.texts["cols"]
		if frames := o.texts["frames"]; frames != "" {
			said = frames + "x" + said
		}
		meta["poslens.grid"] = said
	}
	if len(o.heads) > 0 {
		list, _ := json.Marshal(o.heads) // a list of strings has a JSON
		meta["poslens.heads"] = string(list)
	}
	if a := o.arrays["unused"]; a != nil && a.wrong == nil && len(a.data) > 0 {
		var words []string
		for _, v := range a.data {
			words = append(words, strconv.FormatFloat(v, 'f', -1, 64))
		}
		meta["poslens.unused"] = strings.Join(words, ",")
	}
}

// evenly tells where positions begin and by how much they rise, if they do so
// evenly and in whole numbers.
func evenly(at []float64) (first, step int, ok bool) {
	by := 1.0
	if len(at) > 1 {
		by = at[1] - at[0]
	}
	for i, v := range at {
		if v != math.Trunc(v) || math.Abs(v) > 1<<31 || by < 1 || v != at[0]+float64(i)*by {
			return 0, 0, false
		}
	}
	if len(at) == 0 {
		return 0, 0, false
	}
	return int(at[0]), int(by), true
}
