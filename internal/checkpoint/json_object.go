package checkpoint

import (
	"math"
	"slices"
)

// jsonObject is an object of a JSON text, as far as a table can be made of it.
type jsonObject struct {
	names   []string               // in the order of the file
	arrays  map[string]*jsonArray  // lists of numbers
	texts   map[string]string      // strings, numbers, true, false; not null
	objects map[string]*jsonObject // kept to look for "shape" and "data"
	heads   []string               // the list of names of the name "heads"
	results []*jsonObject          // of the name "results"
	wrong   *Error                 // the first list that is no array of numbers
	seen    map[string]bool        // every name, whatever it holds
}

// has tells whether a name is in the object.
func (o *jsonObject) has(name string) bool { return o.seen[name] }

// object takes an object, behind its brace. Objects in it are kept to a depth of 2.
func (s *jsonScan) object(depth int) (*jsonObject, error) {
	if err := s.tally(); err != nil {
		return nil, err
	}
	o := &jsonObject{arrays: map[string]*jsonArray{}, texts: map[string]string{}, objects: map[string]*jsonObject{}, seen: map[string]bool{}}
	err := s.entries(func(name string) error {
		if o.seen[name] {
			return s.fault(DuplicateName, "the name %s stands twice in an object", quoted(name))
		}
		if err := s.tally(); err != nil {
			return err
		}
		o.seen[name] = true
		o.names = append(o.names, name)
		return s.member(o, name, depth)
	})
	if err != nil {
		return nil, err
	}
	return o, nil
}

// entries takes the entries of an object, behind its brace; take gets each one's
// name and takes its value.
func (s *jsonScan) entries(take func(name string) error) error {
	for first := true; ; first = false {
		more, err := s.more('}', first)
		if err != nil || !more {
			return err
		}
		start := s.off()
		name, cut, err := s.str()
		switch {
		case err != nil:
			return err
		case cut:
			return fault(TooLarge, start, "a name of over %d bytes", jsonWord)
		}
		c, err := s.peek()
		if err != nil {
			return err
		}
		if c != ':' {
			return s.fault(Parse, "%q where a colon belongs", c)
		}
		s.take()
		if err := take(name); err != nil {
			return err
		}
	}
}

// opening takes the bracket that what begins with.
func (s *jsonScan) opening(bracket byte, what string) error {
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c != bracket {
		return s.fault(Corrupt, "%s begins with %q, not with %q", what, c, bracket)
	}
	s.take()
	return nil
}

// tally counts an object or a name of one, each of which takes memory that no
// number pays for.
func (s *jsonScan) tally() error {
	if s.names++; s.names > jsonNames {
		return s.fault(NotATable, "over %d objects and names, not a table", jsonNames)
	}
	return nil
}

// member takes the value of a name.
func (s *jsonScan) member(o *jsonObject, name string, depth int) error {
	c, err := s.peek()
	if err != nil {
		return err
	}
	switch c {
	case '{':
		s.take()
		if name == weightMap || depth == 2 {
			return s.skip([]byte{'}'})
		}
		o.objects[name], err = s.object(depth + 1)
		return err
	case '[':
		s.take()
		if c, err = s.peek(); err != nil {
			return err
		}
		switch {
		case c == '{' && name == "results" && depth == 0:
			return s.resultList(o)
		case c == '"' && name == "heads" && depth == 1: // of a result
			o.heads, err = s.nameList()
			return err
		}
		a, err := s.array()
		if err == nil {
			o.take(name, a)
		}
		return err
	case '"':
		text, cut, err := s.str()
		if err == nil && !cut {
			o.texts[name] = text
		}
		return err
	}
	word, err := s.bare()
	if err != nil {
		return err
	}
	switch _, why := jsonNumber(word); {
	case string(word) == "null":
	case why != "" && string(word) != "true" && string(word) != "false":
		return s.fault(Parse, "%s", why)
	default:
		o.texts[name] = string(word)
	}
	return nil
}

// take keeps an array under its name.
func (o *jsonObject) take(name string, a *jsonArray) {
	o.arrays[name] = a
	if a.wrong != nil && o.wrong == nil {
		o.wrong = at(a.wrong, name, -1).(*Error)
	}
}

// resultList takes a list of objects, behind its bracket.
func (s *jsonScan) resultList(o *jsonObject) error {
	for first := true; ; first = false {
		more, err := s.more(']', first)
		if err != nil || !more {
			return err
		}
		c, err := s.peek()
		if err != nil {
			return err
		}
		if c != '{' {
			wrong := s.fault(Parse, "%q where a result of poslens belongs", c)
			o.take("results", &jsonArray{wrong: wrong})
			return s.skip([]byte{']'})
		}
		s.take()
		r, err := s.object(1)
		if err != nil {
			return err
		}
		o.results = append(o.results, r)
	}
}

// mostHeads bounds the names of one list.
const mostHeads = 4096

// nameList takes a list of strings, behind its bracket.
func (s *jsonScan) nameList() ([]string, error) {
	var names []string
	for first := true; ; first = false {
		more, err := s.more(']', first)
		if err != nil || !more {
			return names, err
		}
		name, cut, err := s.str()
		switch {
		case err != nil:
			return nil, err
		case cut || len(names) == mostHeads:
			return nil, s.fault(TooLarge, "over %d names, or one of over %d bytes", mostHeads, jsonWord)
		}
		names = append(names, name)
	}
}

// isConfig tells a model's configuration: it names its architecture and holds no
// matrix.
func (o *jsonObject) isConfig() bool {
	for _, a := range o.arrays {
		if len(a.shape) > 1 {
			return false
		}
	}
	return o.has("model_type") || o.has("architectures") || o.has("_class_name")
}

// model is what a configuration says it configures, in brackets.
func (o *jsonObject) model() string {
	if t := o.texts["model_type"]; t != "" {
		return " (" + quoted(t) + ")"
	}
	return ""
}

// shaped joins "shape" and "data" to one array. The second result says that the
// object has both.
func (o *jsonObject) shaped(l Limits) (*jsonArray, bool, error) {
	shape, data := o.arrays["shape"], o.arrays["data"]
	if shape == nil || data == nil {
		return nil, false, nil
	}
	for _, a := range []*jsonArray{shape, data} {
		if a.wrong != nil {
			return nil, true, a.wrong
		}
	}
	if len(shape.shape) != 1 {
		return nil, true, fault(BadShape, -1, "a shape that is itself of shape %v", shape.shape)
	}
	dims := make([]int, len(shape.data))
	for i, v := range shape.data {
		if v != math.Trunc(v) || v < 0 || v > 1<<53 {
			return nil, true, fault(BadShape, -1, "the shape has %v where a length belongs", v)
		}
		dims[i] = int(v)
	}
	n, err := count(dims, l)
	switch {
	case err != nil: // over the limit too: the data is not
		return nil, true, fault(BadShape, -1, "shape %v beside %d numbers: %v", dims, len(data.data), err)
	case n != len(data.data):
		return nil, true, fault(BadShape, -1, "shape %v needs %d numbers, and there are %d", dims, n, len(data.data))
	case len(data.shape) > 1 && !slices.Equal(data.shape, dims):
		return nil, true, fault(BadShape, -1, "shape %v beside data of shape %v", dims, data.shape)
	}
	return &jsonArray{shape: dims, data: data.data}, true, nil
}
