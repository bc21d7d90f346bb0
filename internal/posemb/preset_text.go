package posemb

import (
	"fmt"
	"reflect"
	"strings"
)

// Kinds lists the kinds of table, in the order of the manual.
func Kinds() []Kind { return []Kind{KindAbsolute, KindVectors, KindBias} }

// Holds says what a table of the kind holds.
func (k Kind) Holds() string {
	switch k {
	case KindAbsolute:
		return "a vector a position"
	case KindVectors:
		return "a vector an offset"
	case KindBias:
		return "a score an offset and head"
	}
	return ""
}

// Fact is one thing that is known of a preset.
type Fact struct {
	About string // a word or two: "tensor", "left out", "sign"
	Says  string // a phrase
}

// Names are what ReadOptions.Arch takes for the preset, its own name first.
func (p *Preset) Names() []string { return append([]string{p.Arch}, p.Also...) }

// Facts tell what a preset reads and how, for a manual: the tensors' names, how
// rows go, which are left out, the sign of offsets as stored, buckets and grid, and
// the source. What a family does not have is left away.
func (p *Preset) Facts() []Fact {
	var facts []Fact
	for _, f := range []Fact{
		{"tensor", p.namesInWords(0)},
		{"with", p.partsInWords()},
		{"rows", p.Doc},
		{"left out", p.leftOut()},
		{"stored", p.layoutInWords()},
		{"sign", p.signInWords()},
		{"offsets", p.offsetsInWords()},
		{"buckets", p.bucketsInWords()},
		{"grid", p.gridInWords()},
		{"source", p.Ref},
	} {
		if f.Says != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

// Tableless tells what models do that store no table, and which they are by the
// model_type of config.json or the architecture of a GGUF file; none where only
// their tensors tell.
func Tableless() []Fact {
	var facts []Fact
	for _, k := range kinless {
		about, _, _ := strings.Cut(k.why, ":")
		facts = append(facts, Fact{about, strings.Join(k.models, ", ")})
	}
	return facts
}

// namesInWords lists the names of part i, without the marks in front.
func (p *Preset) namesInWords(i int) string {
	s := strings.TrimPrefix(strings.TrimPrefix(string(p.Parts[i]), optional), anywhere)
	return strings.ReplaceAll(s, "|", ", ")
}

// partsInWords tells the parts behind the naming one.
func (p *Preset) partsInWords() string {
	var words []string
	for i := 1; i < len(p.Parts); i++ {
		w := p.namesInWords(i)
		mark, mayMiss := strings.CutPrefix(string(p.Parts[i]), optional)
		if strings.HasPrefix(mark, anywhere) {
			w += " (at any place above)"
		}
		if mayMiss {
			w += " (where it is there)"
		}
		words = append(words, w)
	}
	return strings.Join(words, "; ")
}

// leftOut tells which rows are no positions.
func (p *Preset) leftOut() string {
	var words []string
	if p.Reserved > 0 {
		words = append(words, count(p.Reserved, "row")+" in front")
	}
	switch p.Padding {
	case padIndex:
		words = append(words, fmt.Sprintf("where one of rows 1 to %d is exactly zero, the rows up to it", firstRows-1))
	case padAny:
		words = append(words, fmt.Sprintf("where one of rows 0 to %d is exactly zero, the rows up to it", firstRows-1))
	case padFirst:
		words = append(words, "row 0 where it is exactly zero")
	}
	if p.Suffix > 0 {
		words = append(words, count(p.Suffix, "row")+" behind")
	}
	return strings.Join(words, "; ")
}

// layoutInWords tells an order of dimensions that is not the usual one.
func (p *Preset) layoutInWords() string {
	var words []string
	if p.Stacked {
		words = append(words, "layers first, a table each")
	}
	if p.Heads1st {
		words = append(words, "heads before offsets")
	}
	if p.RowMajor {
		words = append(words, "rows x columns x width")
	}
	if p.Vector {
		words = append(words, "one dimension")
	}
	return strings.Join(words, "; ")
}

// signInWords tells which way stored rows run; offsets read are always key - query.
func (p *Preset) signInWords() string {
	switch {
	case p.Kind == KindAbsolute:
		return ""
	case p.reads(readMirrored):
		return "none: the same to all sides"
	case p.reads(readRotary), p.reads(readSinusoid), p.reads(readInterleaved):
		return "none: computed"
	case p.Reversed:
		return "query - key"
	}
	return "key - query"
}

// offsetsInWords tells which offsets the rows of a line are, and what is done
// outside.
func (p *Preset) offsetsInWords() string {
	var words []string
	if p.reads(readOffsets) {
		switch p.Span {
		case spanBoth:
			words = append(words, "-K..K of 2K+1 rows")
		case spanBack:
			words = append(words, "-(K-1)..0 of K rows")
		case spanUneven:
			words = append(words, fmt.Sprintf("%d..%d of %d rows, or what the configuration says", uneven.Min, uneven.Max, uneven.Len()))
		case spanOpenPast:
			words = append(words, "-K..K-1 of 2K rows, as stored")
		}
	}
	switch p.Beyond {
	case BeyondClipped:
		words = append(words, "the end's row serves beyond")
	case BeyondZero:
		words = append(words, "nothing is added beyond")
	}
	return strings.Join(words, "; ")
}

// bucketsInWords tells the rule of a bucketed bias.
func (p *Preset) bucketsInWords() string {
	rule := p.Buckets
	if rule == (BucketRule{}) {
		return ""
	}
	number := "as many as there are"
	if rule.Buckets > 0 {
		number = fmt.Sprint(rule.Buckets)
	}
	side := "both directions in an encoder, back only in a decoder (t5, t5-causal)"
	if rule.Name != "" {
		side = map[string]string{T5Both: "both directions (t5)", T5Causal: "back only (t5-causal)"}[rule.Name]
	}
	return fmt.Sprintf("%s, to distance %d, %s", number, rule.MaxDistance, side)
}

// gridInWords tells how a raster or a window is found.
func (p *Preset) gridInWords() string {
	switch {
	case p.reads(readWindow), p.reads(readMirrored):
		return "a square window; --grid HxW says another"
	case p.reads(readNetwork):
		return "a window, of relative_coords_table or relative_position_index, or as config.json has it; --grid HxW where none says it"
	case p.reads(readDecomposed):
		return "rows and columns as the two tensors have them"
	case p.reads(readSeparable), p.reads(readAxial):
		return "all rows and columns that are stored"
	case p.reads(readVideo):
		return "frames of a square grid, as the number of rows or the configuration tells; --grid TxHxW says another"
	case p.reads(readHiera):
		return "the small one that is stored; --grid HxW, a multiple of the window, gives the model's"
	case !p.reads(readGrid):
		return ""
	case p.RowMajor:
		return "as the dimensions say"
	case p.GridRows > 0:
		return fmt.Sprintf("%d rows behind %s, or a square where those do not fit; --grid HxW says another", p.GridRows, count(p.Reserved, "row"))
	case p.Prefixed:
		return fmt.Sprintf("a square behind %s, or as config.json has it; --grid HxW says another", count(p.Reserved, "row"))
	}
	return "a square behind 0, 1 or 2 rows, or as config.json has it; --grid HxW says another"
}

// reads tells whether a preset has this reader: functions are compared by where
// they stand.
func (p *Preset) reads(f ReadFunc) bool {
	return reflect.ValueOf(p.Read).Pointer() == reflect.ValueOf(f).Pointer()
}
