package checkpoint

import "strings"

// The values of a Python literal, beside string, bool and nil (None).
type (
	pyInt   string // digits with an optional sign, of any length
	pyTuple []any
	pyList  []any
	pyDict  map[string]any
)

// maxPyDepth bounds how deep a literal may nest.
const maxPyDepth = 32

// parsePyLiteral reads the literal that a numpy header is: dicts with string
// keys, lists, tuples, strings, whole numbers, True, False and None. Nothing is
// evaluated: any other text, a call above all, is Corrupt. base is added to the
// offsets of faults.
func parsePyLiteral(text []byte, base int64) (any, error) {
	p := &pyParser{text: string(text), base: base}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.pos < len(p.text) {
		return nil, p.fault("something follows the header's dict")
	}
	return v, nil
}

// pyParser is a place in the text of a literal.
type pyParser struct {
	text string
	pos  int
	base int64
}

func (p *pyParser) fault(msg string) error {
	return fault(Corrupt, p.base+int64(p.pos), "numpy header: %s", msg)
}

// space passes over white space.
func (p *pyParser) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n\f", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// take passes over white space and then a word, if it is the next one.
func (p *pyParser) take(word string) bool {
	p.space()
	if !strings.HasPrefix(p.text[p.pos:], word) {
		return false
	}
	p.pos += len(word)
	return true
}

// value reads one value.
func (p *pyParser) value(depth int) (any, error) {
	if depth > maxPyDepth {
		return nil, p.fault("it nests too deep")
	}
	p.space()
	if p.pos == len(p.text) {
		return nil, p.fault("it ends where a value belongs")
	}
	switch c := p.text[p.pos]; {
	case p.take("True"):
		return true, nil
	case p.take("False"):
		return false, nil
	case p.take("None"):
		return nil, nil
	case c == '{':
		return p.dict(depth)
	case c == '[':
		p.pos++
		items, _, err := p.items("]", depth)
		return pyList(items), err
	case c == '(':
		p.pos++
		items, comma, err := p.items(")", depth)
		if err == nil && len(items) == 1 && !comma {
			return items[0], nil // (16) is the number 16
		}
		return pyTuple(items), err
	case c == '\'' || c == '"':
		return p.str()
	case c == '-' || c == '+' || c >= '0' && c <= '9':
		return p.number()
	}
	return nil, p.fault("it holds something that is no plain value")
}

// items reads values up to the closing bracket; a comma may stand before it.
func (p *pyParser) items(closing string, depth int) (items []any, comma bool, err error) {
	for !p.take(closing) {
		if len(items) > 0 && !comma {
			return nil, false, p.fault("a comma or " + closing + " is missing")
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, false, err
		}
		items = append(items, v)
		comma = p.take(",")
	}
	return items, comma, nil
}

// dict reads a dict whose keys are strings, each once.
func (p *pyParser) dict(depth int) (any, error) {
	p.pos++
	dict, comma := pyDict{}, true
	for !p.take("}") {
		if !comma {
			return nil, p.fault("a comma or } is missing")
		}
		p.space()
		if p.pos == len(p.text) || p.text[p.pos] != '\'' && p.text[p.pos] != '"' {
			return nil, p.fault("a key is no string")
		}
		key, err := p.str()
		if err != nil {
			return nil, err
		}
		if _, dup := dict[key]; dup {
			return nil, p.fault("a key stands twice")
		}
		if !p.take(":") {
			return nil, p.fault("a colon is missing behind a key")
		}
		if dict[key], err = p.value(depth + 1); err != nil {
			return nil, err
		}
		comma = p.take(",")
	}
	return dict, nil
}

// str reads a string in either quotes. A backslash keeps the next character as
// it stands: names of fields are only shown.
func (p *pyParser) str() (string, error) {
	quote := p.text[p.pos]
	var s strings.Builder
	for i := p.pos + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == quote:
			p.pos = i + 1
			return s.String(), nil
		case c == '\n':
			return "", p.fault("a string is not closed")
		case c == '\\' && i+1 < len(p.text):
			i++
			s.WriteByte(p.text[i])
		default:
			s.WriteByte(c)
		}
	}
	return "", p.fault("a string is not closed")
}

// number reads a whole number, with the L that Python 2 puts behind a long one.
func (p *pyParser) number() (any, error) {
	start := p.pos
	if p.text[p.pos] == '-' || p.text[p.pos] == '+' {
		p.pos++
	}
	digits := p.pos
	for p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9' {
		p.pos++
	}
	if p.pos == digits {
		return nil, p.fault("a sign without a number")
	}
	n := pyInt(p.text[start:p.pos])
	if p.pos < len(p.text) && p.text[p.pos] == 'L' {
		p.pos++
	}
	if p.pos < len(p.text) && strings.IndexByte(" \t\r\n\f,)]}:", p.text[p.pos]) < 0 {
		return nil, p.fault("a number is no whole number")
	}
	return n, nil
}
