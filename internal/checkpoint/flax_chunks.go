package checkpoint

import (
	"strconv"
	"strings"

	"poslens/internal/tensor"
)

// join makes one array of the map t, which was gone through: the pieces are the
// arrays found from the index first on, and shape is where its shape stands, or
// negative. Flax cuts an array of more than 1 GiB so: {marker: true, "shape": {"0":
// rows, "1": columns}, "chunks": {"0": array, "1": array ...}}.
func (w *flaxWalk) join(t msgpackToken, first int, shape int64) error {
	a, err := w.joined(t, w.found[first:], shape)
	if err != nil {
		return at(err, w.name(), t.off)
	}
	w.found = w.found[:first]
	return w.add(a)
}

// joined makes an array of its chunks.
func (w *flaxWalk) joined(t msgpackToken, chunks []flaxArray, shape int64) (flaxArray, error) {
	a := flaxArray{off: t.off}
	byKey := map[string]flaxArray{}
	prefix := w.name("chunks", "")
	for _, c := range chunks {
		key, ok := strings.CutPrefix(c.info.Name, prefix)
		if _, dup := byKey[key]; !ok || dup {
			return a, fault(Corrupt, c.off, "something else than chunks in a chunked array")
		}
		byKey[key] = c
	}
	if len(chunks) == 0 || shape < 0 {
		return a, fault(Corrupt, -1, "a chunked array without a shape or without chunks")
	}
	var bytes int64
	for i := range chunks {
		c, ok := byKey[strconv.Itoa(i)]
		if !ok {
			return a, fault(Corrupt, -1, "chunk %d of a chunked array is missing: there are %d others", i, len(chunks))
		}
		if i == 0 {
			a.info.DType, a.info.Stored = c.info.DType, c.info.Stored
		}
		if c.info.Stored != a.info.Stored {
			return a, fault(Corrupt, c.off, "chunk %d is of %s, but chunk 0 of %s", i, quoted(c.info.Stored), quoted(a.info.Stored))
		}
		for _, p := range c.parts {
			a.parts = append(a.parts, p)
			bytes += p.n
		}
	}
	var err error
	if a.info.Shape, err = w.chunkedShape(shape); err != nil {
		return a, err
	}
	count, err := declared(a.info.Shape)
	if err != nil {
		return a, at(err, "", shape)
	}
	if need := a.info.DType.Bytes(count); a.info.DType != tensor.Invalid && need != bytes {
		return a, fault(BadShape, shape, "%d bytes in %d chunks, but shape %v of %s needs %d", bytes, len(chunks), a.info.Shape, a.info.Stored, need)
	}
	return a, nil
}

// chunkedShape goes back for a shape that is a map of the keys "0", "1" and so on.
func (w *flaxWalk) chunkedShape(off int64) ([]int, error) {
	behind := w.in.off
	w.in.off = off
	t, err := w.in.token()
	if err != nil {
		return nil, err
	}
	if t.kind != msgpackMap {
		return nil, fault(Corrupt, off, "%v in a chunked array's place for its shape", t.kind)
	}
	if t.n > tensor.MaxRank {
		return nil, fault(BadShape, off, "%d dimensions, but %d at most", t.n, tensor.MaxRank)
	}
	byKey := map[string]int{}
	for range t.n {
		key, err := w.key()
		if err != nil {
			return nil, err
		}
		if byKey[key], err = w.dimension(); err != nil {
			return nil, err
		}
	}
	shape := make([]int, t.n)
	for i := range shape {
		d, ok := byKey[strconv.Itoa(i)]
		if !ok {
			return nil, fault(Corrupt, off, "dimension %d of a chunked array is missing", i)
		}
		shape[i] = d
	}
	w.in.off = behind
	return shape, nil
}
