package checkpoint

import "math"

// msgpackKind is what a token is.
type msgpackKind uint8

const (
	msgpackNever msgpackKind = iota // no token starts so
	msgpackOther                    // nil, a boolean, a floating-point number: their values are of no use here
	msgpackInt
	msgpackText
	msgpackBinary
	msgpackArray // from here on they may hold more values
	msgpackMap
	msgpackExtension
)

// String names a kind with its article.
func (k msgpackKind) String() string {
	return [...]string{"nothing", "nil, a boolean or a float", "a whole number", "a text", "bytes", "a list", "a map", "an extension"}[k]
}

// msgpackToken is the head of a value.
type msgpackToken struct {
	kind msgpackKind
	off  int64
	n    int64 // the whole number; bytes of a text, of bytes or of an extension's data, items of a list, pairs of a map: they follow
	past bool  // a whole number past an int64
	ext  int8  // an extension's type
}

// msgpackHead is a first byte: the kind, and the big-endian number of some bytes
// that follows it, or, of the fixed extensions, their size.
type msgpackHead struct {
	kind   msgpackKind
	width  int
	signed bool
	fixed  int64
}

// msgpackHeads are the first bytes 0xc0 to 0xdf. Those before and behind hold
// their number themselves.
//
//	https://github.com/msgpack/msgpack/blob/master/spec.md
var msgpackHeads = [0x20]msgpackHead{
	{kind: msgpackOther}, {kind: msgpackNever}, {kind: msgpackOther}, {kind: msgpackOther}, // nil, never used, false, true
	{kind: msgpackBinary, width: 1}, {kind: msgpackBinary, width: 2}, {kind: msgpackBinary, width: 4},
	{kind: msgpackExtension, width: 1}, {kind: msgpackExtension, width: 2}, {kind: msgpackExtension, width: 4},
	{kind: msgpackOther, width: 4}, {kind: msgpackOther, width: 8}, // float 32, float 64
	{kind: msgpackInt, width: 1}, {kind: msgpackInt, width: 2}, {kind: msgpackInt, width: 4}, {kind: msgpackInt, width: 8},
	{kind: msgpackInt, width: 1, signed: true}, {kind: msgpackInt, width: 2, signed: true}, {kind: msgpackInt, width: 4, signed: true}, {kind: msgpackInt, width: 8, signed: true},
	{kind: msgpackExtension, fixed: 1}, {kind: msgpackExtension, fixed: 2}, {kind: msgpackExtension, fixed: 4}, {kind: msgpackExtension, fixed: 8}, {kind: msgpackExtension, fixed: 16},
	{kind: msgpackText, width: 1}, {kind: msgpackText, width: 2}, {kind: msgpackText, width: 4},
	{kind: msgpackArray, width: 2}, {kind: msgpackArray, width: 4},
	{kind: msgpackMap, width: 2}, {kind: msgpackMap, width: 4},
}

// token takes the next token. What it says will follow is checked against the
// bytes that there are: an item of a list is one at least, a pair of a map two.
func (m *msgpackReader) token() (msgpackToken, error) {
	t := msgpackToken{off: m.off}
	p, err := m.take(1)
	if err != nil {
		return t, err
	}
	switch c := p[0]; {
	case c < 0x80:
		t.kind, t.n = msgpackInt, int64(c)
	case c < 0x90:
		t.kind, t.n = msgpackMap, int64(c&0x0f)
	case c < 0xa0:
		t.kind, t.n = msgpackArray, int64(c&0x0f)
	case c < 0xc0:
		t.kind, t.n = msgpackText, int64(c&0x1f)
	case c >= 0xe0:
		t.kind, t.n = msgpackInt, int64(int8(c))
	default:
		if err := m.head(&t, msgpackHeads[c-0xc0]); err != nil {
			return t, err
		}
	}
	follow := t.n
	switch t.kind {
	case msgpackOther, msgpackInt:
		return t, nil
	case msgpackMap:
		follow = 2 * t.n
	}
	return t, m.holds(follow)
}

// head takes what follows a first byte of the table.
func (m *msgpackReader) head(t *msgpackToken, h msgpackHead) error {
	t.kind, t.n = h.kind, h.fixed
	if h.kind == msgpackNever {
		return fault(Corrupt, t.off, "no msgpack value starts with the byte 0xc1")
	}
	if h.width > 0 {
		p, err := m.take(h.width)
		if err != nil {
			return err
		}
		var u uint64
		for _, c := range p {
			u = u<<8 | uint64(c)
		}
		if shift := 64 - 8*h.width; h.signed {
			u = uint64(int64(u<<shift) >> shift)
		}
		t.n, t.past = int64(u), u > math.MaxInt64 && !h.signed
	}
	if h.kind == msgpackExtension {
		p, err := m.take(1)
		if err != nil {
			return err
		}
		t.ext = int8(p[0])
	}
	return nil
}
