package posemb

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Said is what a file of our own says of its table beside the numbers, as text;
// reading takes it back. The keys are
//
//	poslens.kind       absolute, vectors or bias
//	poslens.arch       the architecture that read the table, a word for people
//	poslens.reserved   leading rows that are no positions: 0, they are left out
//	poslens.positions  FIRST:STRIDE of the rows' positions, where it is not 0:1
//	poslens.grid       ROWSxCOLS, or FRAMESxROWSxCOLS
//	poslens.offsets    A:B, or A:B,C:D on two axes, B and D not included
//	poslens.beyond     what becomes of offsets outside, a word an axis
//	poslens.heads      a JSON list of names
//	poslens.steps      true, where several offsets share a stored value
//	poslens.unused     stored rows that no offset uses: 0,16
//
// Where tables of one file differ in one, its key is SaidOf that tensor.
func Said(t Table) map[string]string {
	said := map[string]string{"poslens.kind": string(t.Kind())}
	if arch := t.From().Arch; arch != "" {
		said["poslens.arch"] = arch
	}
	switch t := t.(type) {
	case *Absolute:
		said["poslens.reserved"] = "0"
		if stride := max(t.Stride, 1); t.First != 0 || stride != 1 {
			said["poslens.positions"] = fmt.Sprintf("%d:%d", t.First, stride)
		}
		if g := t.Grid; g != (Grid{}) {
			said["poslens.grid"] = fmt.Sprintf("%dx%d", g.Rows, g.Cols)
			if t.Frames > 1 {
				said["poslens.grid"] = fmt.Sprintf("%dx%dx%d", t.Frames, g.Rows, g.Cols)
			}
		}
	case *Vectors:
		sayOffsets(said, t.Axes, t.Heads, t.Unused)
	case *Bias:
		sayOffsets(said, t.Axes, t.Heads, t.Unused)
		if t.Steps {
			said["poslens.steps"] = "true"
		}
	}
	return said
}

// SaidOf is a key of Said for one of several tensors.
func SaidOf(key, tensor string) string { return key + ":" + tensor }

// sayOffsets adds what both kinds of relative tables say.
func sayOffsets(said map[string]string, axes []Axis, heads []string, unused []int) {
	var offsets, beyond []string
	for _, x := range axes {
		offsets = append(offsets, fmt.Sprintf("%d:%d", x.Min, x.Max+1))
		beyond = append(beyond, string(cmp.Or(x.Beyond, BeyondNone)))
	}
	said["poslens.offsets"] = strings.Join(offsets, ",")
	if slices.ContainsFunc(axes, func(x Axis) bool { return cmp.Or(x.Beyond, BeyondNone) != BeyondNone }) {
		said["poslens.beyond"] = strings.Join(beyond, ",")
	}
	if len(heads) > 0 {
		list, _ := json.Marshal(heads) // a list of strings has a JSON
		said["poslens.heads"] = string(list)
	}
	if len(unused) > 0 {
		said["poslens.unused"] = joined(unused, ",")
	}
}

// said is an entry of Said for the naming tensor, without the "poslens." in front.
func (r *reading) said(key string) (string, bool) {
	key = "poslens." + key
	if v, ok := r.src.Meta(SaidOf(key, r.match.Info.Name)); ok {
		return v, true
	}
	return r.src.Meta(key)
}

// Bounds on what a file may say.
const (
	maxPosition = 1 << 31 // of its rows' positions
	maxWord     = 100     // bytes of a name
)

// saidArch takes the word for the architecture that read an exported table; its
// rules were applied then and are not again.
func (r *reading) saidArch(o *Origin) error {
	said, ok := r.said("arch")
	if !ok || o.Arch != "" {
		return nil
	}
	if !plainWord(said) {
		return r.fault(NotATable, "", "poslens.arch is %.200q, expected a word", said)
	}
	o.Arch = said
	return nil
}

// plainWord says whether a name from a file can be shown as it is.
func plainWord(s string) bool { return s != "" && len(s) <= maxWord && printable(s) == s }

// saidPositions takes the positions of the rows from a file that says them as
// FIRST:STRIDE, as one does that was exported with a range or a stride. The
// caller's own range or stride counts the rows instead.
func (r *reading) saidPositions(a *Absolute) error {
	said, ok := r.said("positions")
	if !ok || !r.whole() {
		return nil
	}
	from, by, _ := strings.Cut(said, ":")
	first, err1 := strconv.Atoi(from)
	stride, err2 := strconv.Atoi(by)
	if err1 != nil || err2 != nil || first < 0 || stride < 1 || first > maxPosition || stride > maxPosition {
		return r.fault(NotATable, "", "poslens.positions is %.200q, expected FIRST:STRIDE", said)
	}
	a.First, a.Stride = first+a.Reserved*stride, stride
	a.Notes = append(a.Notes, fmt.Sprintf("its rows are the positions %d, %d ..., as it says itself", a.First, a.First+stride))
	return nil
}

// saidGrid takes the grid of n positions from a file that says it. The caller's
// own stands instead, and rows that the caller takes off leave none.
func (r *reading) saidGrid(n int) (frames int, g Grid, err error) {
	said, ok := r.said("grid")
	if !ok || r.opt.Grid != nil {
		return 0, Grid{}, nil
	}
	sides, good, rows := []int{}, true, int64(1)
	for _, word := range strings.Split(said, "x") {
		v, err := strconv.ParseInt(word, 10, 32)
		good = good && err == nil && v >= 1 && word[0] != '+' && len(sides) < 3
		if !good {
			break
		}
		sides = append(sides, int(v))
		if rows <= int64(n) { // three sides could overflow
			rows *= v
		}
	}
	if !good || len(sides) < 2 {
		return 0, Grid{}, r.fault(NotATable, "", "poslens.grid is %.200q, expected ROWSxCOLS or FRAMESxROWSxCOLS", said)
	}
	if len(sides) == 2 {
		sides = append([]int{0}, sides...)
	}
	frames, g = sides[0], Grid{sides[1], sides[2]}
	switch {
	case rows == int64(n) && frames > 1:
		r.note("its rows are %d times %s, as it says itself", frames, g)
	case rows == int64(n):
		frames = 0
		r.note("its rows are %s, as it says itself", g)
	case r.opt.Reserved != nil || r.opt.Suffix != nil:
		r.note("it says that its rows are %s, which those that are left are not: read as positions in a line", g)
		return 0, Grid{}, nil
	default:
		return 0, Grid{}, r.fault(NotATable, "--grid HxW says better", "poslens.grid is %.200q for %s", said, count(n, "position"))
	}
	return frames, g, nil
}
