package checkpoint

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"poslens/internal/tensor"
)

// The bounds of a walk through a Flax file.
const (
	maxFlaxDepth = 128     // of maps and lists
	maxFlaxKeys  = 1 << 20 // of all maps together
	maxFlaxKey   = 1 << 12 // bytes of a key
	maxFlaxFirst = 5       // keys that are told where nothing else is to be had
)

// flaxChunked is the key that marks a map that is one array in pieces.
const flaxChunked = "__msgpack_chunked_array__"

// flaxArray is an array that was found.
type flaxArray struct {
	info  tensor.Info
	off   int64 // where it is declared
	parts []filePart
}

// flaxWalk is the state of a walk.
type flaxWalk struct {
	in        *msgpackReader
	path      []string
	found     []flaxArray
	keys      int      // met so far
	names     int64    // bytes that names may still take
	first     []string // keys of the outermost map
	elsewhere int      // arrays that a text or a map here stands for
	numpy     bool     // msgpack-numpy seems to be at work
}

// value goes through one value, whose keys are the path and whose token was taken.
func (w *flaxWalk) value(t msgpackToken) error {
	switch t.kind {
	case msgpackMap:
		return w.dict(t)
	case msgpackArray:
		return w.list(t)
	case msgpackExtension:
		return w.extension(t)
	case msgpackText:
		return w.text(t)
	case msgpackBinary:
		return w.in.jump(t.n)
	}
	return nil
}

// dict goes through a map. Two equal keys are DuplicateName, also the text "0"
// and the number.
func (w *flaxWalk) dict(t msgpackToken) error {
	found, shape := len(w.found), int64(-1)
	seen := map[string]bool{}
	for range t.n {
		off := w.in.off
		key, err := w.key()
		if err != nil {
			return err
		}
		if seen[key] {
			return fault(DuplicateName, off, "the key %s stands twice in its map", quoted(w.name(key)))
		}
		seen[key] = true
		if len(w.path) == 0 && len(w.first) < maxFlaxFirst {
			w.first = append(w.first, key)
		}
		v, err := w.in.token()
		if err != nil {
			return err
		}
		if key == "shape" {
			shape = v.off
		}
		if err := w.below(t, key, v); err != nil {
			return err
		}
	}
	switch {
	case seen[flaxChunked]:
		return w.join(t, found, shape)
	case seen["kvstore"] && seen["driver"]: // a TensorStore specification, as T5X writes it
		w.elsewhere++
	case seen["nd"] && seen["type"]:
		w.numpy = true
	}
	return nil
}

// list goes through a list, whose items have the keys 0, 1 and so on.
func (w *flaxWalk) list(t msgpackToken) error {
	for i := range t.n {
		v, err := w.in.token()
		if err != nil {
			return err
		}
		key := "" // of a number in a long list nobody asks
		if v.kind >= msgpackArray {
			key = strconv.FormatInt(i, 10)
		}
		if err := w.below(t, key, v); err != nil {
			return err
		}
	}
	return nil
}

// below goes through the value v under a key of t.
func (w *flaxWalk) below(t msgpackToken, key string, v msgpackToken) error {
	if len(w.path) == maxFlaxDepth {
		return fault(TooLarge, t.off, "maps and lists nest over %d deep", maxFlaxDepth)
	}
	w.path = append(w.path, key)
	err := w.value(v)
	w.path = w.path[:len(w.path)-1]
	return err
}

// key takes a map's next key: a text, or a whole number as its digits.
func (w *flaxWalk) key() (string, error) {
	t, err := w.in.token()
	if err != nil {
		return "", err
	}
	if w.keys++; w.keys > maxFlaxKeys {
		return "", fault(TooLarge, t.off, "over %d keys", maxFlaxKeys)
	}
	switch {
	case t.past:
		return strconv.FormatUint(uint64(t.n), 10), nil
	case t.kind == msgpackInt:
		return strconv.FormatInt(t.n, 10), nil
	case t.kind != msgpackText && t.kind != msgpackBinary:
		return "", fault(Corrupt, t.off, "%v as a key, which should be a text", t.kind)
	case t.n > maxFlaxKey:
		return "", fault(TooLarge, t.off, "a key of %d bytes, over %d", t.n, maxFlaxKey)
	}
	p, err := w.in.take(int(t.n))
	if err != nil {
		return "", err
	}
	if !utf8.Valid(p) {
		return "", fault(Corrupt, t.off, "the key %s is not valid UTF-8", quoted(string(p)))
	}
	return string(p), nil
}

// text goes over a text, but for one that stands for an array in another file.
func (w *flaxWalk) text(t msgpackToken) error {
	for _, mark := range []string{"PLACEHOLDER://", "//GDAPlaceholder:"} { // of Orbax, and of Flax before it
		if t.n < int64(len(mark)) {
			continue
		}
		p, err := w.in.peek(len(mark))
		if err != nil {
			return err
		}
		if string(p) == mark {
			w.elsewhere++
		}
	}
	return w.in.jump(t.n)
}

// name is the path with some more keys, joined.
func (w *flaxWalk) name(more ...string) string {
	return strings.Join(append(w.path[:len(w.path):len(w.path)], more...), "/")
}

// add notes an array under the path.
func (w *flaxWalk) add(a flaxArray) error {
	if len(w.found) == maxTensors {
		return fault(TooLarge, a.off, "over %d arrays", maxTensors)
	}
	for _, key := range w.path {
		w.names -= int64(len(key)) + 1
	}
	if w.names < 0 {
		return fault(TooLarge, a.off, "the names of the arrays take too much memory")
	}
	a.info.Name = w.name()
	w.found = append(w.found, a)
	return nil
}
