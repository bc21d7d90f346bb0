package posemb

import (
	"slices"
	"strings"
	"unicode"
)

// Preset is one architecture: what its tables are called, and how their rows go.
// The first preset of Presets that fits a tensor reads it.
type Preset struct {
	Arch  string   // for people, and what ReadOptions.Arch takes (letter case and punctuation aside)
	Also  []string // other models that do the same, which ReadOptions.Arch takes too
	Kind  Kind
	Parts []Pattern // the naming tensor's name; then, behind the same prefix, those that belong to it
	Fits  fit       // what else must hold; nil: the name is enough
	Read  ReadFunc

	Reserved int        // leading rows that are no positions, where the data says nothing else
	Padding  padding    // how a row of zeros is taken
	Suffix   int        // trailing rows that are no positions
	Prefixed bool       // a grid follows exactly the Reserved rows; else 0, 1 or 2, as the squares tell
	GridRows int        // rows of the grid, where they fit; 0: it is a square
	RowMajor bool       // an image is [rows, columns, width]; else its shape must tell
	Span     span       // which offsets the rows are
	Reversed bool       // rows run by query - key
	Beyond   Beyond     // what the family does outside the table
	Buckets  BucketRule // of a bucketed bias; Buckets 0 takes the table's own number
	Heads1st bool       // stored as heads x offsets
	Vector   bool       // the naming tensor has one dimension
	Stacked  bool       // the naming tensor's first dimension is layers, a table each
	Endless  bool       // a formula of any offset: ReadOptions.Offsets chooses those that are computed
	Unsaid   string     // a note for when no row is reserved
	Remark   string     // a note for every table
	Doc      string     // how a row is indexed, for `help architectures`
	Ref      string     // where that is known from
}

// ReadFunc makes a table of the tensors of a match.
type ReadFunc func(*reading) (Table, error)

// padding is what a row of zeros at the front means.
type padding uint8

const (
	padNone  padding = iota // nothing: no row is kept for padding
	padIndex                // the row of padding_idx: positions start behind it
	padFirst                // row 0 alone may be padding
	padAny                  // the row of padding_idx, which may be row 0
)

// span is which offsets a table's rows are.
type span uint8

const (
	spanBoth     span = iota // 2K+1 rows: -K..K
	spanBack                 // K rows: -(K-1)..0
	spanUneven               // 73 rows: 64 back, 8 ahead
	spanOpenPast             // 2K rows by query - key: -K..K-1
)

// byArch finds the preset of a name; nil when there is none.
func byArch(name string) *Preset {
	want := plain(name)
	for i := range Presets {
		if plain(Presets[i].Arch) == want {
			return &Presets[i]
		}
	}
	for i := range Presets {
		if slices.ContainsFunc(Presets[i].Also, func(s string) bool { return plain(s) == want }) {
			return &Presets[i]
		}
	}
	return nil
}

// archNames lists the names that byArch takes, for "did you mean".
func archNames() []string {
	var names []string
	for _, p := range Presets {
		names = append(names, p.Arch)
		names = append(names, p.Also...)
	}
	return names
}

// unknownArch is the error for a name that no preset has.
func unknownArch(name string) *Error {
	names := archNames()
	lower := make([]string, len(names))
	for i, s := range names {
		lower[i] = strings.ToLower(s)
	}
	return fault(BadOption, "", didYouMean(name, lower, ""), "no architecture is called %q", name)
}

// plain is a name in lower case, letters and digits only.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// fits says whether a preset reads a tensor, and how many segments its name took.
func (p *Preset) fits(c clue) (n int, ok bool) {
	if p.Vector != (len(c.shape) == 1) || len(c.shape) == 0 {
		return 0, false
	}
	n, ok = p.Parts[0].match(c.segs)
	return n, ok && (p.Fits == nil || p.Fits(c))
}

// The marks in front of a part's pattern.
const (
	optional = "?" // it may be absent
	anywhere = "^" // it may stand at any place above: a bias that all layers share
)

// parts names the tensors of a preset, the naming one first; nil when one that
// is needed is not in the source. An optional one that is absent is "".
func (p *Preset) parts(c clue, name string, taken int) []string {
	prefix := c.segs[:len(c.segs)-taken]
	names := []string{name}
	for _, part := range p.Parts[1:] {
		tail, mayMiss := strings.CutPrefix(string(part), optional)
		i, ok := c.part(prefix, tail)
		switch {
		case ok && c.infos[i].Name != name:
			names = append(names, c.infos[i].Name)
		case mayMiss:
			names = append(names, "")
		default:
			return nil
		}
	}
	return names
}

// part finds the tensor of one of a pattern's alternatives behind a prefix.
func (s *survey) part(prefix []string, pattern string) (int, bool) {
	pattern, above := strings.CutPrefix(pattern, anywhere)
	for {
		for rest := pattern; rest != ""; {
			var tail string
			tail, rest, _ = strings.Cut(rest, "|")
			if i, ok := s.byName[strings.Join(append(slices.Clone(prefix), tail), ".")]; ok {
				return i, true
			}
		}
		if !above || len(prefix) == 0 {
			return 0, false
		}
		prefix = prefix[:len(prefix)-1]
	}
}

// wants tells a preset's parts in words.
func (p *Preset) wants() string {
	var names []string
	for _, part := range p.Parts {
		if !strings.HasPrefix(string(part), optional) {
			names = append(names, strings.TrimPrefix(string(part), anywhere))
		}
	}
	return strings.Join(names, " and ")
}

// Lookup finds the preset of a name that ReadOptions.Arch takes. Its error suggests
// one that is near.
func Lookup(name string) (*Preset, error) {
	if p := byArch(name); p != nil {
		return p, nil
	}
	return nil, unknownArch(name)
}

// Find lists the presets whose name a word is, and others that have it in one of their
// names or in a tensor's name, or that are of the kind which it names.
func Find(word string) (named, others []Preset) {
	want := plain(word)
	if want == "" {
		return nil, nil
	}
	for _, p := range Presets {
		switch {
		case slices.ContainsFunc(p.Names(), func(s string) bool { return plain(s) == want }):
			named = append(named, p)
		case slices.ContainsFunc(p.Names(), func(s string) bool { return strings.Contains(plain(s), want) }),
			slices.ContainsFunc(p.Parts, func(part Pattern) bool { return strings.Contains(string(part), word) }),
			string(p.Kind) == want:
			others = append(others, p)
		}
	}
	return named, others
}

// KnownArch tells whether ReadOptions.Arch takes a name.
func KnownArch(name string) bool { return byArch(name) != nil }
