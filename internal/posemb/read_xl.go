package posemb

import (
	"math"

	"poslens/internal/tensor"
)

// farComputed is how far the offsets of a sinusoid go, which has no end, where the
// caller names none.
const farComputed = 128

// readSinusoid reads the part of Transformer-XL's attention that depends on the
// offset alone. The learned vector v of a head meets the sinusoid R behind the
// head's rows of the layer's projection W:
//
//	bias(key - query) = v . W R(query - key)
//	R(p) = sin(p w(0)), sin(p w(1)), ..., cos(p w(0)), cos(p w(1)), ...
//	w(i) = 10000^(-2i/d),  i = 0..d/2-1
//
// It is a logit before the scale 1/sqrt(width of a head). From Dai et al. 2019,
// section 3.3, term (d).
func readSinusoid(r *reading) (Table, error) {
	return r.sinusoid(func(i, d int) (sin, cos int) { return i, d/2 + i })
}

// readInterleaved is readSinusoid with each sine before its own cosine, as
// Conformers have it.
func readInterleaved(r *reading) (Table, error) {
	return r.sinusoid(func(i, _ int) (sin, cos int) { return 2 * i, 2*i + 1 })
}

// sinusoid computes the bias; place tells which components of R are the sine and
// the cosine of frequency i.
func (r *reading) sinusoid(place func(i, d int) (sin, cos int)) (Table, error) {
	if err := r.computed(); err != nil {
		return nil, err
	}
	v, err := r.positionBias()
	if err != nil {
		return nil, err
	}
	heads, width := v.Shape[0], v.Shape[1]
	d, through, err := r.project(v)
	if err != nil {
		return nil, err
	}
	lo, hi := -farComputed, farComputed
	if r.preset.Span == spanBack {
		hi = 0
	}
	axis, err := r.chosenOffsets(lo, hi)
	if err != nil {
		return nil, err
	}
	most := largest
	if r.opt.Offsets == nil {
		most = unasked
	}
	if max(heads, d) > most/axis.Len() {
		return nil, r.fault(BadOption, "--offsets A:B chooses fewer", "%s of %s and %s are too many", count(axis.Len(), "offset"), count(heads, "head"), count(d, "component"))
	}
	if r.opt.Offsets == nil {
		r.note("no extent is stored: the offsets %d..%d of key - query are taken; --offsets A:B chooses others", lo, hi)
	}
	far := r.clampLength(axis)
	sign, says := 1, "key - query"
	if r.reversed() {
		sign, says = -1, "query - key"
	}
	scores := make([]float64, axis.Len()*heads)
	for i := range d / 2 {
		w := math.Pow(10000, -2*float64(i)/float64(d))
		atSin, atCos := place(i, d)
		for k := range axis.Len() {
			sin, cos := math.Sincos(w * float64(min(max(sign*(axis.Min+k), -far), far)))
			for h := range heads {
				scores[k*heads+h] += float64(through[h*d+atSin]*sin) + float64(through[h*d+atCos]*cos)
			}
		}
	}
	r.note("computed from %s and %s by the sinusoid of %s, before the scale 1/sqrt(%d); what each query adds of its own is not in it",
		printable(r.parts[1].Name), printable(r.parts[0].Name), says, width)
	bias := r.bias([]Axis{axis}, axis.Len(), heads, scores)
	bias.Stored = nil // computed: no stored row is an offset's own
	return bias, nil
}

// computed refuses and notes the options that a table that no tensor stores can't
// follow.
func (r *reading) computed() error {
	r.noPositions()
	if r.oriented {
		return r.fault(BadOption, "leave --axes out", "the table is computed, and its tensors have no axes to name")
	}
	return nil
}

// chosenOffsets is the axis that the caller chooses for a bias that can be computed
// for any offset; else lo..hi. A model that only looks back has none above 0.
func (r *reading) chosenOffsets(lo, hi int) (Axis, error) {
	axis := Axis{"offset", lo, hi, r.preset.Beyond}
	o := r.opt.Offsets
	if o == nil {
		return axis, nil
	}
	to := o.To
	if to == End {
		to = hi + 1
	}
	if o.From < -maxDistance || to > maxDistance+1 {
		return Axis{}, r.fault(BadOption, "", "offsets %v, but none is farther than %d", o, maxDistance)
	}
	if r.preset.Span == spanBack && to > 1 {
		r.note("the model only looks back: of the offsets %v those up to 0 are taken", o)
		to = 1
	}
	if to <= o.From {
		return Axis{}, r.fault(BadOption, "", "offsets %v have none that occurs", o)
	}
	axis.Min, axis.Max = o.From, to-1
	return axis, nil
}

// clampLength is the distance at which config.json clips the sinusoid's argument;
// where it does not, one that no offset reaches.
func (r *reading) clampLength(axis Axis) int {
	far, ok := r.number("clamp_len")
	if !ok {
		return maxDistance
	}
	if far < max(-axis.Min, axis.Max) {
		r.note("clamp_len in config.json: offsets farther than %d are as %d", far, far)
	}
	return far
}

// positionBias is the learned vector of each head, heads x width. One that all
// layers have in a tensor is cut by the layer that the projection's name holds.
func (r *reading) positionBias() (*tensor.Tensor, error) {
	v := r.parts[1]
	if len(v.Shape) == 3 && v.Shape[0] > 0 {
		layers, layer := v.Shape[0], layerOf(r.segs)
		if layers == 1 {
			layer = 0
		}
		if layer < 0 || layer >= layers {
			return nil, r.fault(NotATable, "", "%s is for %s, of which the name says none", printable(v.Name), count(layers, "layer"))
		}
		info, size := v.Info, len(v.Data)/layers
		info.Shape = v.Shape[1:]
		v = &tensor.Tensor{Info: info, Data: v.Data[layer*size : (layer+1)*size]}
		r.note("%s is for %s: that of layer %d is taken", printable(v.Name), count(layers, "layer"), layer)
	}
	if len(v.Shape) != 2 || len(v.Data) == 0 {
		return nil, r.fault(NotATable, "", "%s is %s, expected heads x width of a head", printable(v.Name), shapeText(v.Shape))
	}
	return v, nil
}

// project brings the learned vectors through the projection: d numbers a head, which
// meet the sinusoid. PyTorch's linear layers store it as (heads * width) x d, a
// kernel of TensorFlow or Flax as d x (heads * width), and XLNet and Funnel as
// d x heads x width.
func (r *reading) project(v *tensor.Tensor) (d int, through []float64, err error) {
	t, heads, width := r.parts[0], v.Shape[0], v.Shape[1]
	all := len(v.Data)
	byOutput := len(t.Shape) == 2 && r.segs[len(r.segs)-1] != "kernel"
	switch {
	case byOutput && t.Shape[0] == all:
		d = t.Shape[1]
	case !byOutput && len(t.Shape) == 2 && t.Shape[1] == all, len(t.Shape) == 3 && t.Shape[1] == heads && t.Shape[2] == width:
		d = t.Shape[0]
	default:
		return 0, nil, r.fault(NotATable, "", "a projection of %s does not go with %s of %s in %s", shapeText(t.Shape), count(heads, "head"), count(width, "component"), printable(v.Name))
	}
	if d == 0 || d%2 != 0 {
		return 0, nil, r.fault(NotATable, "", "a sinusoid of %s: an even number is wanted", count(d, "component"))
	}
	if heads > largest/d {
		return 0, nil, r.fault(NotATable, "", "%s of %s are too many", count(heads, "head"), count(d, "component"))
	}
	r.oddPart(v)
	r.oddPart(t)
	through = make([]float64, heads*d)
	for k, x := range v.Data { // k counts the outputs of W, a head after the other
		row := through[k/width*d:][:d]
		first, step := k, all
		if byOutput {
			first, step = k*d, 1
		}
		for j := range row {
			row[j] += float64(x * t.Data[first+j*step])
		}
	}
	return d, through, nil
}

// oddPart notes values of a tensor that are not finite, and one of zeros.
func (r *reading) oddPart(t *tensor.Tensor) {
	if odd := tensor.NonFinite(t.Data); odd > 0 {
		r.note("%s: %d of %d values are not finite", printable(t.Name), odd, len(t.Data))
	}
	if allZero(t.Data) {
		r.note("%s: every value is zero", printable(t.Name))
	}
}
