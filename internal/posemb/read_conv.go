package posemb

import "math"

// readConv reads wav2vec 2.0's convolution over time, whose weights [channels,
// channels of a group, taps] tell how much of each offset reaches a position. A
// group of channels counts as a head; its score is the energy of its weights:
//
//	energy(group, tap) = sum of weight^2 over the group's channels in and out
//	weight = g(tap) v / |v(tap)|,  |v(tap)| over all channels
//
// so that the groups' energies at a tap add up to g(tap)^2. Fused weights are taken
// as they are. The output at a position reads tap t at position + t - taps/2, the
// last of an even number of outputs being cut off. From facebookresearch/fairseq,
// models/wav2vec/wav2vec2.py.
func readConv(r *reading) (Table, error) {
	r.noPositions()
	t := r.parts[0]
	if r.oriented {
		return nil, r.fault(BadOption, "leave --axes out", "a convolution is channels x channels of a group x taps, and in no other order")
	}
	if len(t.Shape) != 3 || len(t.Data) == 0 || t.Shape[0]%t.Shape[1] != 0 {
		return nil, r.fault(NotATable, "", "%s is no channels x channels of a group x taps", shapeText(t.Shape))
	}
	each, taps := t.Shape[1], t.Shape[2]
	groups := t.Shape[0] / each
	if taps/2 > maxDistance {
		return nil, r.fault(NotATable, "", "%s: none is farther than %d", count(taps, "tap"), maxDistance)
	}
	r.oddPart(t)
	energy := make([]float64, taps*groups)
	for i := 0; i < len(t.Data); i += taps {
		group := i / (taps * each * each)
		for k, x := range t.Data[i : i+taps] {
			energy[k*groups+group] += float64(x * x)
		}
	}
	if err := r.weightNorm(energy, taps, groups); err != nil {
		return nil, err
	}
	axis := Axis{"offset", -(taps / 2), taps - 1 - taps/2, r.preset.Beyond}
	if r.reversed() {
		axis.Min, axis.Max = -axis.Max, -axis.Min
		energy = reverseRows(taps, groups, energy)
		r.note("taps run by query - key, as asked, and are turned")
	}
	r.note("%s of %s, each as a head: the energy of its weights (their sum of squares) at %s, offsets %d..%d of key - query",
		count(groups, "group"), count(each, "channel"), count(taps, "tap"), axis.Min, axis.Max)
	bias := r.bias([]Axis{axis}, taps, groups, energy)
	bias.Stored[0].Unit = "tap"
	return bias, nil
}

// weightNorm brings the energies of v, taps x groups, to those of g v / |v|. Without
// a g they are the weights' own.
func (r *reading) weightNorm(energy []float64, taps, groups int) error {
	if len(r.parts) < 2 {
		return nil
	}
	g := r.parts[1]
	if len(g.Data) != taps {
		return r.fault(NotATable, "", "%s is %s, expected a number for each of %s", printable(g.Name), shapeText(g.Shape), count(taps, "tap"))
	}
	r.oddPart(g)
	none := 0
	for k, length := range g.Data {
		row := energy[k*groups:][:groups]
		whole := 0.0
		for _, e := range row {
			whole += e
		}
		if whole == 0 {
			none++
		}
		for i, e := range row {
			if row[i] = e / whole * float64(length*length); whole == 0 {
				row[i] = math.NaN()
			}
		}
	}
	if none > 0 {
		r.note("%s of zeros: without a direction, and not finite in the model either", count(none, "tap"))
	}
	r.note("weights are g v / |v|, the norm taken at each tap (%s and %s)", printable(g.Name), printable(r.parts[0].Name))
	return nil
}
