package pickle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
)

// Pair is an entry of a Dict.
type Pair struct{ Key, Value Value }

// Dict is a dict or OrderedDict. It keeps the order of the file; a later value
// of an equal key takes the place of the earlier one, as in Python.
type Dict struct {
	Pairs []Pair
	State Value // attributes that BUILD set on an OrderedDict; nil if none

	ids   []any       // what find compares; nil once there is an index
	index map[any]int // past smallDict entries
}

// smallDict is the size to which a Dict is searched without an index.
const smallDict = 8

// A tuple as a key is spelled out to be compared: its depth and length have an end.
const (
	maxKeyDepth = 32
	maxKeyLen   = 4096
)

var (
	errUnhashable = errors.New("a list or dict as a dict's key")
	errKeySize    = errors.New("a tuple too large to be a dict's key")
)

// Get gives the value of a string key.
func (d *Dict) Get(key string) (Value, bool) {
	if i, ok := d.find(key); ok {
		return d.Pairs[i].Value, true
	}
	return nil, false
}

// set adds or replaces an entry. The cost is what it took, in objects.
func (d *Dict) set(key, value Value) (cost int, err error) {
	id, err := identity(key)
	if err != nil {
		return 0, err
	}
	cost = weight(id)
	if i, ok := d.find(id); ok {
		d.Pairs[i].Value = value
		return cost, nil
	}
	d.Pairs = append(d.Pairs, Pair{key, value})
	switch {
	case d.index != nil:
		d.index[id] = len(d.Pairs) - 1
	case len(d.Pairs) <= smallDict:
		d.ids = append(d.ids, id)
	default:
		d.index = make(map[any]int, 2*len(d.Pairs))
		for i, id := range append(d.ids, id) {
			d.index[id] = i
		}
		d.ids = nil
	}
	return cost + 2, nil
}

// find looks for an identity.
func (d *Dict) find(id any) (int, bool) {
	if d.index != nil {
		i, ok := d.index[id]
		return i, ok
	}
	for i, other := range d.ids {
		if other == id {
			return i, true
		}
	}
	return 0, false
}

// weight is what comparing by an identity costs, in objects: for a text its
// length counts, for a tuple also that it was spelled out.
func weight(id any) int {
	switch id := id.(type) {
	case string:
		return len(id) / 64
	case Bytes:
		return len(id) / 64
	case bigKey:
		return len(id) / 64
	case tupleKey:
		return len(id) / 8
	}
	return 0
}

type (
	noneKey  struct{}
	bigKey   string
	tupleKey string
)

// identity gives what Python compares a key by, as a comparable Go value: True,
// 1 and 1.0 are one key, equal tuples are one key, objects are themselves. So are
// sets, since a Set may be a frozenset.
func identity(v Value) (any, error) {
	switch v := v.(type) {
	case nil:
		return noneKey{}, nil
	case bool:
		if v {
			return int64(1), nil
		}
		return int64(0), nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return int64(v), nil
		}
		return v, nil
	case *big.Int:
		return bigKey(v.Bytes()) + bigKey(rune('0'+v.Sign())), nil
	case *Tuple:
		b, err := spell(nil, v, 0)
		return tupleKey(b), err
	case *List, *Dict:
		return nil, errUnhashable
	}
	return v, nil
}

// spell writes a tuple's elements so that equal tuples give equal bytes.
func spell(b []byte, t *Tuple, depth int) ([]byte, error) {
	if depth > maxKeyDepth {
		return nil, errKeySize
	}
	b = binary.AppendUvarint(append(b, '('), uint64(len(t.Items)))
	for _, v := range t.Items {
		if len(b) > maxKeyLen {
			return nil, errKeySize
		}
		if inner, ok := v.(*Tuple); ok {
			var err error
			if b, err = spell(b, inner, depth+1); err != nil {
				return nil, err
			}
			continue
		}
		id, err := identity(v)
		if err != nil {
			return nil, err
		}
		switch id := id.(type) {
		case noneKey:
			b = append(b, 'N')
		case int64:
			b = binary.AppendVarint(append(b, 'i'), id)
		case float64:
			b = binary.BigEndian.AppendUint64(append(b, 'f'), math.Float64bits(id))
		case bigKey:
			b = text(b, 'L', string(id))
		case string:
			b = text(b, 's', id)
		case Bytes:
			b = text(b, 'b', string(id))
		default:
			b = fmt.Appendf(append(b, 'p'), "%p;", id)
		}
		if len(b) > maxKeyLen {
			return nil, errKeySize
		}
	}
	return b, nil
}

// text appends a tagged, counted string; one past the limit is cut there, which
// the caller's check of the length then refuses.
func text(b []byte, tag byte, s string) []byte {
	b = binary.AppendUvarint(append(b, tag), uint64(len(s)))
	return append(b, s[:min(len(s), maxKeyLen+1)]...)
}
