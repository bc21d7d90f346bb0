package posemb

import (
	"context"
	"fmt"
	"strings"

	"poslens/internal/tensor"
)

// Load reads a match's tensors, and only those, as a table. Every choice that
// the options leave open is told in the table's notes.
func Load(ctx context.Context, src Source, m Match, opt ReadOptions) (Table, error) {
	if err := opt.checkWords(); err != nil {
		return nil, err
	}
	r := &reading{src: src, match: m, opt: opt, segs: segments(m.Info.Name)}
	if opt.Arch != "" {
		m.Arch = opt.Arch
	}
	if m.Arch == "" {
		r.preset = &Preset{Kind: m.Kind, Read: readBare}
	} else if r.preset = byArch(m.Arch); r.preset == nil {
		return nil, unknownArch(m.Arch)
	}
	if opt.Offsets != nil && !r.preset.Endless || opt.Buckets != nil && r.preset.Buckets == (BucketRule{}) {
		r.preset = &Preset{Read: readBare} // the caller says what the rows are
	}
	if k := axesKind(opt.Axes); k != "" && r.preset.Arch != "" && k != r.preset.Kind {
		return nil, r.fault(BadOption, "leave --axes out, or name what its dimensions are", "axes %s are of a table that is %s, but %s is %s", strings.Join(opt.Axes, ","), k, r.preset.Arch, r.preset.Kind)
	}
	if m.Item >= 0 && len(m.Info.Shape) > 0 && m.Info.Shape[0] > mostItems {
		r.note("%s holds %s, of which the first %d are read", printable(m.Info.Name), count(m.Info.Shape[0], "layer"), mostItems)
	}
	if err := r.gather(ctx); err != nil {
		return nil, err
	}
	if t := r.parts[0].Info; integers(t) {
		r.note("stored as %s, a type of whole numbers", dtypeName(t))
	}
	if err := r.takeItem(); err != nil {
		return nil, err
	}
	if err := r.orient(); err != nil {
		return nil, err
	}
	if r.preset.Remark != "" {
		r.note("%s", r.preset.Remark)
	}
	table, err := r.preset.Read(r)
	if err == nil {
		r.noteInitialOffsets(table)
	}
	return table, err
}

// reading is one table on its way in.
type reading struct {
	src    Source
	match  Match
	preset *Preset
	opt    ReadOptions
	segs   []string         // the name's segments
	parts  []*tensor.Tensor // nil where an optional part is absent
	notes  []string

	other    map[int]string // what stored rows are that are no positions, as Stored.Other has it
	oriented bool           // Axes has brought the naming tensor into this package's own order
}

// gather reads the tensors that the preset needs.
func (r *reading) gather(ctx context.Context) error {
	want := r.preset.Parts
	for i := range max(len(want), 1) {
		if i > 0 && (i >= len(r.match.Parts) || r.match.Parts[i] == "") {
			if !strings.HasPrefix(string(want[i]), optional) {
				return r.fault(BadOption, "", "%s needs %s side by side", r.preset.Arch, r.preset.wants())
			}
			r.parts = append(r.parts, nil)
			continue
		}
		name := r.match.Info.Name
		if i < len(r.match.Parts) {
			name = r.match.Parts[i]
		}
		t, err := r.part(ctx, name)
		if err != nil {
			return err
		}
		r.parts = append(r.parts, t)
	}
	return nil
}

// part reads one tensor and holds it against its shape.
func (r *reading) part(ctx context.Context, name string) (*tensor.Tensor, error) {
	t, err := r.src.Tensor(ctx, name)
	if err != nil {
		return nil, err
	}
	if n, err := tensor.Count(t.Shape, int64(len(t.Data))); err != nil || n != len(t.Data) {
		return nil, fault(NotATable, name, "", "%s for the shape %s", count(len(t.Data), "number"), shapeText(t.Shape))
	}
	return t, nil
}

// call says what a stored row is that is no position and no offset.
func (r *reading) call(row int, what string) {
	if r.other == nil {
		r.other = map[int]string{}
	}
	r.other[row] = what
}

// note keeps a sentence for the table.
func (r *reading) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// fault makes an Error about the naming tensor.
func (r *reading) fault(kind, hint, format string, args ...any) *Error {
	return fault(kind, r.match.Name(), hint, format, args...)
}

// origin is where the table comes from; the caller adds its label.
func (r *reading) origin() Origin {
	return Origin{Arch: r.preset.Arch, Tensor: r.match.Name()}
}

// matrix is the naming tensor as n rows of d numbers, leading dimensions of 1
// dropped.
func (r *reading) matrix() (n, d int, data []float64, err error) {
	t := r.parts[0]
	s := squeeze(t.Shape)
	if len(s) != 2 {
		return 0, 0, nil, r.notRows()
	}
	if s[0] == 0 || s[1] == 0 {
		return 0, 0, nil, r.fault(NotATable, "", "%s: no numbers in it", shapeText(t.Shape))
	}
	r.oddValues(s[0], s[1], t.Data)
	return s[0], s[1], t.Data, nil
}

// notRows is the error for a tensor that has no two dimensions.
func (r *reading) notRows() *Error {
	return notRows(r.parts[0].Info)
}

// notRows is the error for a tensor that has no two dimensions.
func notRows(t tensor.Info) *Error {
	switch len(t.Shape) {
	case 0:
		return fault(NotATable, t.Name, "", "a single number, and a table has rows and columns")
	case 1:
		return fault(NotATable, t.Name, "", "1 dimension (%s), and a table has two", shapeText(t.Shape))
	}
	return fault(NotATable, t.Name, "", "%d dimensions (%s) that are no rows and columns", len(t.Shape), shapeText(t.Shape))
}

// oddValues notes rows with values that are not finite, and a table of zeros.
func (r *reading) oddValues(n, d int, data []float64) {
	const most = 3
	bad := 0
	for i, left := 0, tensor.NonFinite(data); i < n && left > 0; i++ {
		odd := tensor.NonFinite(data[i*d : (i+1)*d])
		if odd == 0 {
			continue
		}
		left -= odd
		if bad++; bad <= most {
			r.note("row %d: %d of %d values are not finite", i, odd, d)
		}
	}
	if bad > most {
		r.note("%s with values that are not finite", count(bad-most, "more row"))
	}
	if allZero(data) {
		r.note("every value is zero: never trained, or never filled")
	}
}
