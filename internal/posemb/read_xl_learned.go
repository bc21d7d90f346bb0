package posemb

// readLearnedXL reads the tables that Transformer-XL learns in place of a sinusoid:
// r_emb [K, heads, width] or r_bias [K, heads]. Rows run from the farthest offset
// back to offset 0, which is the last; the first serves for all farther ones. From
// kimiyoung/transformer-xl, pytorch/mem_transformer.py, RelLearnableMultiHeadAttn.
func readLearnedXL(r *reading) (Table, error) {
	r.noPositions()
	t := r.parts[0]
	vectors := r.preset.Kind == KindVectors
	rank := 2
	if vectors {
		rank = 3
	}
	if len(t.Shape) != rank || len(t.Data) == 0 {
		return nil, r.fault(NotATable, "", "%s of a layer, expected offsets x heads, and with vectors x width", shapeText(t.Shape))
	}
	if vectors && r.oriented {
		return nil, r.fault(BadOption, "leave --axes out", "vectors of heads are offsets x heads x width, and in no other order")
	}
	n, heads := t.Shape[0], t.Shape[1]
	if n > maxDistance {
		return nil, r.fault(NotATable, "", "%s: none is farther than %d", count(n, "offset"), maxDistance)
	}
	d, data := len(t.Data)/n, t.Data
	r.oddValues(n, d, data)
	axis := Axis{"offset", 1 - n, 0, r.preset.Beyond}
	if r.reversed() {
		axis.Min, axis.Max = 0, n-1
		data = reverseRows(n, d, data)
		r.note("rows run by query - key, as asked, and are turned")
	}
	r.note("offsets %d..%d of key - query", axis.Min, axis.Max)
	if !vectors {
		return r.bias([]Axis{axis}, n, heads, data), nil
	}
	v := r.vectors([]Axis{axis}, n, d, data, nil)
	v.Heads = headNames(heads)
	return v, nil
}
