package posemb

import (
	"encoding/json"
	"strconv"
	"strings"
)

// saidAxes takes the offsets of n rows from a file that says them.
func (r *reading) saidAxes(n int) (axes []Axis, ok bool, err error) {
	said, ok := r.said("offsets")
	if !ok {
		return nil, false, nil
	}
	axes, ok = parseAxes(said)
	have := 1
	for _, x := range axes {
		have *= x.Len()
	}
	if !ok || have != n {
		return nil, false, r.fault(NotATable, "--offsets A:B says which offsets the rows are", "poslens.offsets is %.200q for %s", said, count(n, "row"))
	}
	return axes, true, nil
}

// parseAxes reads "A:B" for one axis, "A:B,C:D" for two; half-open, and none farther
// than maxDistance.
func parseAxes(s string) ([]Axis, bool) {
	var axes []Axis
	for _, part := range strings.Split(s, ",") {
		from, to, _ := strings.Cut(part, ":")
		a, err1 := strconv.ParseInt(strings.TrimSpace(from), 10, 32)
		b, err2 := strconv.ParseInt(strings.TrimSpace(to), 10, 32)
		if err1 != nil || err2 != nil || b <= a || a < -maxDistance || b > maxDistance+1 || len(axes) == 2 {
			return nil, false
		}
		axes = append(axes, Axis{"offset", int(a), int(b) - 1, BeyondNone})
	}
	if len(axes) == 2 {
		axes[0].Name, axes[1].Name = "dy", "dx"
	}
	return axes, true
}

// saidBeyond takes what becomes of offsets outside the axes, a word for each. The
// caller's own offsets may be of fewer axes, and then it says nothing of them.
func (r *reading) saidBeyond(axes []Axis) error {
	said, ok := r.said("beyond")
	if !ok {
		return nil
	}
	words := strings.SplitN(said, ",", 4)
	if len(words) != len(axes) && r.opt.Offsets != nil {
		return nil
	}
	good := len(words) == len(axes)
	for i, word := range words {
		switch b := Beyond(word); b {
		case BeyondClipped, BeyondZero, BeyondNone, BeyondEndless:
			if good {
				axes[i].Beyond = b
			}
		default:
			good = false
		}
	}
	if !good {
		return r.fault(NotATable, "", "poslens.beyond is %.200q, expected %s of %s, %s, %s and %s", said, count(len(axes), "word"), BeyondClipped, BeyondZero, BeyondNone, BeyondEndless)
	}
	return nil
}

// saidHeads takes the names of heads among which columns are shared out: one each,
// or with wide as many each as fit.
func (r *reading) saidHeads(to *[]string, columns int, wide bool) error {
	said, ok := r.said("heads")
	if !ok {
		return nil
	}
	var names []string
	if err := json.Unmarshal([]byte(said), &names); err != nil || len(names) == 0 {
		return r.fault(NotATable, "", "poslens.heads is %.200q, expected a list of names", said)
	}
	if wide && columns%len(names) != 0 || !wide && columns != len(names) {
		return r.fault(NotATable, "", "poslens.heads has %s for %s", count(len(names), "name"), count(columns, "column"))
	}
	for _, name := range names {
		if !plainWord(name) {
			return r.fault(NotATable, "", "poslens.heads has the name %.200q, expected at most %d printable bytes", name, maxWord)
		}
	}
	*to = names
	return nil
}

// saidSteps takes whether several offsets share a stored value.
func (r *reading) saidSteps(b *Bias) error {
	switch said, ok := r.said("steps"); {
	case !ok || said == "false":
		return nil
	case said == "true":
		b.Steps = true
		return nil
	default:
		return r.fault(NotATable, "", "poslens.steps is %.200q, expected true or false", said)
	}
}

// saidUnused takes the rows of the file before the export that no offset uses.
func (r *reading) saidUnused(to *[]int) error {
	said, ok := r.said("unused")
	if !ok {
		return nil
	}
	var unused []int
	for _, word := range strings.Split(said, ",") {
		v, err := strconv.Atoi(word)
		if err != nil || v < 0 || v > maxPosition || len(unused) > 0 && v <= unused[len(unused)-1] {
			return r.fault(NotATable, "", "poslens.unused is %.200q, expected rising numbers of rows", said)
		}
		unused = append(unused, v)
	}
	*to = unused
	return nil
}
