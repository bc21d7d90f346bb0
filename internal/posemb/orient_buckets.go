package posemb

import (
	"fmt"
	"slices"
)

// usualBuckets are the numbers of buckets of released models: T5 and kin 32,
// LayoutLM's boxes 64, WavLM 320.
var usualBuckets = []int{32, 64, 320}

// bucketRows is the naming tensor as n buckets of so many heads: as the caller says,
// else as the preset's name has it, unless the shape speaks against that and for
// the reverse. The number of buckets that the configuration states may be 0.
func (r *reading) bucketRows(stated int) (n, heads int, data []float64, err error) {
	a, b, data, err := r.matrix()
	if err != nil || r.oriented {
		return a, b, data, err
	}
	headsFirst := r.headsFirst()
	if n, heads = a, b; headsFirst {
		n, heads = b, a
	}
	is, why := r.whatBuckets(stated)
	saidHeads, ok := r.numberOf(headKeys)
	switch {
	case n == heads && is(n):
		r.note("%d x %d fits both ways and is read as %s, as %s stores it; --axes %s turns it", a, b, orientation(headsFirst, " x "), r.preset.Arch, orientation(!headsFirst, ","))
	case !is(n) && is(heads) && (!ok || saidHeads == n):
		r.note("%d x %d is read as %s, the reverse of what %s stores: %s", a, b, orientation(!headsFirst, " x "), r.preset.Arch, why)
		headsFirst = !headsFirst
		n, heads = heads, n
	}
	if headsFirst {
		data = channelsLast(data, a, b)
	}
	return n, heads, data, nil
}

// whatBuckets tells numbers that buckets may be, and why these: what is asked for,
// else what the configuration states, else usual ones. A preset with rows behind
// the buckets has more.
func (r *reading) whatBuckets(stated int) (is func(rows int) bool, why string) {
	own := r.preset.Buckets.Buckets
	if o := r.opt.Buckets; o != nil && o.Buckets > 0 {
		stated, why = o.Buckets, fmt.Sprintf("%s are asked for", count(o.Buckets, "bucket"))
	} else if stated > 0 {
		why = fmt.Sprintf("its configuration has %s", count(stated, "bucket"))
	}
	switch {
	case stated > 0 && own > 0:
		return func(rows int) bool { return rows >= stated }, why
	case stated > 0:
		return func(rows int) bool { return rows == stated }, why
	case own > 0:
		return func(rows int) bool { return rows >= own }, fmt.Sprintf("it has %s", count(own, "bucket"))
	}
	return func(rows int) bool { return slices.Contains(usualBuckets, rows) }, "the numbers of buckets in released models are 32, 64 and 320"
}

// orientation names the two dimensions of a bias of buckets.
func orientation(headsFirst bool, between string) string {
	if headsFirst {
		return "heads" + between + "buckets"
	}
	return "buckets" + between + "heads"
}

// bareBuckets reads a matrix of buckets that no preset knows. The number that is
// asked for tells which dimension they are, without one a usual number does.
func (r *reading) bareBuckets() (Table, error) {
	a, b, data, err := r.matrix()
	if err != nil {
		return nil, err
	}
	rule := BucketRule{Name: T5Both, MaxDistance: 128}
	if r.oriented {
		return r.expand(rule, a, b, data)
	}
	asked := 0
	if o := r.opt.Buckets; o != nil {
		asked = o.Buckets
	}
	const hint = "--axes buckets,heads or --axes heads,buckets says which dimension is which"
	is, why := r.whatBuckets(0)
	switch {
	case is(a) && is(b):
		return nil, r.fault(Ambiguous, hint, "%d x %d: both dimensions may be the buckets", a, b)
	case is(a):
		return r.expand(rule, a, b, data)
	case is(b):
		r.note("%d x %d is read as heads x buckets: %s", a, b, why)
		return r.expand(rule, b, a, channelsLast(data, a, b))
	case asked != 0:
		return nil, r.fault(BadOption, hint, "%d buckets asked for, but the table is %d x %d", asked, a, b)
	}
	return nil, r.fault(Ambiguous, hint, "%d x %d: neither number is one of buckets; %s", a, b, why)
}
