// Package posemb knows the field: what a position table is, where models keep
// one, what each row of it means, and how to make one. Everything relative is on
// one axis, offset = key - query, so a negative offset looks back.
package posemb

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/tensor"
)

// Source is anything that holds named tensors: a checkpoint, or a map in a test.
type Source interface {
	// Tensors lists what there is, sorted by name, and reads no data.
	Tensors() []tensor.Info
	// Tensor reads one tensor, which is the caller's to change.
	Tensor(ctx context.Context, name string) (*tensor.Tensor, error)
	// Meta is an entry of the source's metadata or configuration: "model_type",
	// "poslens.kind".
	Meta(key string) (string, bool)
}

// Kind is what a table's rows stand for.
type Kind string

// The kinds of table.
const (
	KindAbsolute Kind = "absolute" // a vector a position
	KindVectors  Kind = "vectors"  // a vector an offset
	KindBias     Kind = "bias"     // a score an offset and head
)

// Origin says where a table came from, for titles and JSON.
type Origin struct {
	Label  string `json:"source"`           // the source's label
	Arch   string `json:"arch,omitempty"`   // the preset that read it; empty for a bare matrix
	Tensor string `json:"tensor,omitempty"` // its name in the file; empty for a generated table
}

// Table is one of *Absolute, *Vectors and *Bias.
type Table interface {
	Kind() Kind
	From() *Origin
	Remarks() []string // what was chosen or found while reading, a sentence each
	Storage() []Stored // how the file holds it, a tensor each; nil for one that is computed
}

// Grid is the raster that a 2-D table's rows follow, a row of the raster after the
// other; zero when there is none.
type Grid struct {
	Rows int `json:"rows"` // rows of the raster, not of the table; at least 1
	Cols int `json:"cols"` // Rows times Cols are the positions of a frame
}

// Absolute is a table with one vector a position.
type Absolute struct {
	Origin
	Table    *mat.Dense // positions x width; reserved, prefix and suffix rows are out
	Reserved int        // rows left out in front (padding, class and other prefix tokens)
	Aside    *mat.Dense // those rows, as stored; nil when there are none
	Suffix   int        // rows left out behind
	First    int        // position of the first row of Table
	Stride   int        // positions from one row of Table to the next, at least 1
	Grid     Grid       // zero: positions in a line
	Frames   int        // grids after another, as of a video; 0 and 1: one
	Notes    []string   // as Remarks gives them
	Stored   []Stored   // as Storage gives it
}

// Kind is KindAbsolute.
func (a *Absolute) Kind() Kind { return KindAbsolute }

// From tells the table's origin.
func (a *Absolute) From() *Origin { return &a.Origin }

// Remarks are what was chosen or found while reading.
func (a *Absolute) Remarks() []string { return a.Notes }

// Storage is how the file holds the table.
func (a *Absolute) Storage() []Stored { return a.Stored }

// Positions gives the position of each row of Table.
func (a *Absolute) Positions() []int {
	n, _ := a.Table.Dims()
	p := make([]int, n)
	for i := range p {
		p[i] = a.First + i*max(a.Stride, 1)
	}
	return p
}

// Beyond says what a family does with offsets outside an axis.
type Beyond string

// What happens beyond the ends of an axis.
const (
	BeyondClipped Beyond = "clipped" // the end's row serves for all farther offsets
	BeyondZero    Beyond = "zero"    // nothing is added there
	BeyondNone    Beyond = "none"    // such offsets do not occur
	BeyondEndless Beyond = "endless" // the formula goes on: the axis is what was computed of it
)

// Axis is one axis of offsets k = key - query; k < 0 looks back.
type Axis struct {
	Name   string // "offset", "dy", "dx" or "dt" for one axis; "dy", "dx" for two
	Min    int    // the first offset, in positions or in cells of an image
	Max    int    // the last offset, itself on the axis; at least Min
	Beyond Beyond // what becomes of offsets outside
}

// Len is the number of offsets on the axis.
func (x Axis) Len() int { return x.Max - x.Min + 1 }

// Vectors is a table with one vector an offset (Shaw et al. 2018 and kin).
type Vectors struct {
	Origin
	Axes   []Axis     // one or two; rows of Table follow them, the last axis fastest, each rising
	Table  *mat.Dense // offsets x width; with Heads, offsets x (heads times width), a head after the other
	Heads  []string   // whose vectors they are: "0", "1", ...; nil: one vector for all heads
	Unused []int      // stored rows that no offset uses
	Notes  []string   // as Remarks gives them
	Stored []Stored   // as Storage gives it
}

// Kind is KindVectors.
func (v *Vectors) Kind() Kind { return KindVectors }

// From tells the table's origin.
func (v *Vectors) From() *Origin { return &v.Origin }

// Remarks are what was chosen or found while reading.
func (v *Vectors) Remarks() []string { return v.Notes }

// Storage is how the file holds the table.
func (v *Vectors) Storage() []Stored { return v.Stored }

// Width is the number of components of a vector.
func (v *Vectors) Width() int {
	_, d := v.Table.Dims()
	return d / max(len(v.Heads), 1)
}

// Bias is a table with one score an offset and head: T5, Swin, ALiBi, and what a
// query makes of Vectors.
type Bias struct {
	Origin
	Axes   []Axis     // as in Vectors
	Heads  []string   // column names of Scores: "0", "1", ...
	Scores *mat.Dense // offsets x heads
	Unused []int      // stored rows (buckets) that no offset uses
	Aside  *mat.Dense // their scores, a row each, x heads; nil when they are not known
	Steps  bool       // several offsets share a stored value: draw steps, not slopes
	Notes  []string   // as Remarks gives them
	Stored []Stored   // as Storage gives it
}

// Kind is KindBias.
func (b *Bias) Kind() Kind { return KindBias }

// From tells the table's origin.
func (b *Bias) From() *Origin { return &b.Origin }

// Remarks are what was chosen or found while reading.
func (b *Bias) Remarks() []string { return b.Notes }

// Storage is how the file holds the table.
func (b *Bias) Storage() []Stored { return b.Stored }

// Match is a tensor (or several that belong together) recognised as a position
// table from names and shapes alone.
type Match struct {
	Arch  string      // the preset that reads it; empty for a bare matrix
	Kind  Kind        // what the preset makes of it
	Parts []string    // tensor names in the preset's order, the naming one first; "" for one that is absent
	Info  tensor.Info // of the naming one
	Layer int         // -1 when neither the name nor Item holds one
	Item  int         // index along the tensor's first dimension, which is layers; -1: the tensor is one table
}

// Name is the naming tensor's; with its index in brackets where it is one of
// several that a tensor holds.
func (m Match) Name() string {
	if m.Item < 0 {
		return m.Info.Name
	}
	return fmt.Sprintf("%s[%d]", m.Info.Name, m.Item)
}

// ReadOptions override what Detect and Load choose. The zero value leaves every
// choice to them.
type ReadOptions struct {
	Arch      string      // read as this preset
	Positions *Range      // half-open range of positions to keep
	Stride    int         // keep every Stride-th position; 0 is 1
	Reserved  *int        // leading rows that are no positions
	Suffix    *int        // trailing rows that are no positions
	Grid      *Grid       // raster of the rows that are left; of a relative table its window
	Frames    int         // rasters after another, as of a video; 0 is 1
	Axes      []string    // what the tensor's dimensions are, as stored, those of length 1 in front left out; words of AxisWords
	Sign      string      // how stored rows run: KeyQuery, QueryKey, or empty for what the architecture does
	Offsets   *Range      // half-open range of the offsets of a bare relative matrix or of a computed one (Preset.Endless), none farther than a million
	Buckets   *BucketRule // of a bare matrix of buckets, or in place of the preset's; its zero fields leave the rule as it is
	Relative  bool        // take a bare matrix as vectors of offsets -K..K
}

// How stored offsets run, as ReadOptions.Sign has it.
const (
	KeyQuery = "key-query"
	QueryKey = "query-key"
)

// Range is half-open: From, From+1, ..., To-1.
type Range struct{ From, To int }

// End is a Range.To without a bound: what there is.
const End = math.MaxInt

// String is the range as A:B, or A: without an end.
func (p Range) String() string {
	if p.To == End {
		return fmt.Sprintf("%d:", p.From)
	}
	return fmt.Sprintf("%d:%d", p.From, p.To)
}

// BucketRule is how T5 and its kin map offsets to buckets.
type BucketRule struct {
	Name        string // T5Both or T5Causal
	Buckets     int    // rows of the table, of both directions together
	MaxDistance int    // the rule's constant for the logarithm; the last bucket begins before it
}
