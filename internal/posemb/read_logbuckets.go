package posemb

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// readLogBuckets reads DeBERTa-v2's vectors of log buckets, normalised as the
// encoder does it, and lays them out over the offsets.
func readLogBuckets(r *reading) (Table, error) {
	r.noPositions()
	n, d, data, err := r.matrix()
	if err != nil {
		return nil, err
	}
	size := n / 2
	if n%2 != 0 || size < 4 {
		return nil, r.fault(NotATable, "", "%s no two halves of log buckets", are(n, "row"))
	}
	far := 2 * size // 512 for 256 buckets
	if v, ok := r.number("max_relative_positions"); ok && v > size/2+1 {
		far = v
	} else if v, ok := r.number("max_position_embeddings"); ok && v > size/2+1 {
		far = v
	}
	if d > unasked/(2*far) {
		return nil, r.fault(BadOption, "", "offsets up to %d of %d components are too many", far-1, d)
	}
	rows := mat.NewDense(n, d, data)
	if scale, shift := r.parts[1], r.parts[2]; scale != nil && shift != nil {
		if len(scale.Data) != d || len(shift.Data) != d {
			return nil, r.fault(NotATable, "", "a LayerNorm of %d and %d for vectors of %d", len(scale.Data), len(shift.Data), d)
		}
		rows = normalised(rows, scale.Data, shift.Data)
		r.note("the encoder's LayerNorm is applied to the rows")
	}
	axis := Axis{"offset", 1 - far, far - 1, r.preset.Beyond}
	table := mat.NewDense(axis.Len(), d, nil)
	stored := Stored{Tensor: r.match.Name(), Unit: "row", Count: n, Axis: WholeTable, Turned: r.reversed()}
	for i := range axis.Len() {
		k := axis.Min + i
		if stored.Turned {
			k = -k
		}
		row := min(max(logBucket(k, size, far)+size, 0), n-1)
		stored.At = append(stored.At, row)
		table.SetRow(i, rows.RawRowView(row))
	}
	sign := "query - key"
	if !stored.Turned {
		sign = "key - query"
	}
	r.note("%d log buckets by %s, laid out over the offsets %d..%d of key - query", n-1, sign, axis.Min, axis.Max)
	r.note("row 0 is used by no offset")
	return &Vectors{Origin: r.origin(), Axes: []Axis{axis}, Table: table, Unused: []int{0}, Notes: r.notes, Stored: []Stored{stored}}, nil
}

// normalised is LayerNorm over each row, with DeBERTa's epsilon.
func normalised(t *mat.Dense, scale, shift []float64) *mat.Dense {
	const epsilon = 1e-7
	n, d := t.Dims()
	out := mat.NewDense(n, d, nil)
	for i := range n {
		row, to := t.RawRowView(i), out.RawRowView(i)
		mean, square := 0.0, 0.0
		for _, v := range row {
			mean += v / float64(d)
		}
		for _, v := range row {
			square += (v - mean) * (v - mean) / float64(d)
		}
		for j, v := range row {
			to[j] = (v-mean)/math.Sqrt(square+epsilon)*scale[j] + shift[j]
		}
	}
	return out
}
