package posemb

import "math"

// readRotary reads RETSim's bias, which two vectors a and b make. With halves
// paired (x[k], x[k+h]) and R_m turning pair k by the angle m w(k):
//
//	bias(m, n) = <R_m a, R_n b>
//	           = sum_k (a1 b1 + a2 b2) cos(w(k) d) + (a2 b1 - a1 b2) sin(w(k) d)
//	w(k) = 10000^(-k/h),  d = n - m
//
// From LLukas22/retsim-pytorch.
func readRotary(r *reading) (Table, error) {
	r.noPositions()
	a, b := r.parts[0].Data, r.parts[1].Data
	if len(a) != len(b) || len(a) < 4 || len(a)%2 != 0 {
		return nil, r.fault(NotATable, "", "vectors of %d and %d components: two of the same even length are wanted", len(a), len(b))
	}
	half, far := len(a)/2, len(a)-1
	axis, err := r.chosenOffsets(-far, far)
	if err != nil {
		return nil, err
	}
	if half > largest/axis.Len() {
		return nil, r.fault(BadOption, "--offsets A:B chooses fewer", "%s of %s are too many", count(axis.Len(), "offset"), count(len(a), "component"))
	}
	sign := 1
	if r.reversed() {
		sign = -1
		r.note("the angles run by query - key, as asked")
	}
	r.oddValues(1, len(a), a)
	r.oddValues(1, len(b), b)
	scores := make([]float64, axis.Len())
	for k := range half {
		a1, a2, b1, b2 := a[k], a[k+half], b[k], b[k+half]
		even, odd := float64(a1*b1)+float64(a2*b2), float64(a2*b1)-float64(a1*b2)
		w := math.Pow(10000, -float64(k)/float64(half))
		for i := range scores {
			sin, cos := math.Sincos(w * float64(sign*(axis.Min+i)))
			scores[i] += float64(even*cos) + float64(odd*sin)
		}
	}
	r.note("computed from the rotary vectors a and b for the offsets %d..%d of key - query", axis.Min, axis.Max)
	bias := r.bias([]Axis{axis}, axis.Len(), 1, scores)
	bias.Stored = nil // computed from all of both vectors
	return bias, nil
}
