package posemb

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"poslens/internal/tensor"
)

// modelRow is one architecture as its files hold it: the names and shapes of a
// real model (narrower, where the width decides nothing), what its configuration
// says, and the tables that must be found, no more and no less.
type modelRow struct {
	arch    string
	tensors []storedTensor
	beside  []storedTensor    // what must not be found; nothing reads their numbers
	meta    map[string]string // of config.json, or of a GGUF file
	want    []wantTable
	nothing string // words of the error, where there is no table
}

// storedTensor is a tensor of a file. Its numbers are 1, 2, 3, ... unless fill
// says otherwise.
type storedTensor struct {
	name  string
	shape []int
	dtype tensor.DType
	fill  func(i int) float64
	zeros int // a row of zeros; 0: none, 1: row 0, ...
}

// numbers is a tensor of F32.
func numbers(name string, shape ...int) storedTensor {
	return storedTensor{name: name, shape: shape, dtype: tensor.F32}
}

// indices is a tensor of I64.
func indices(name string, shape ...int) storedTensor {
	return storedTensor{name: name, shape: shape, dtype: tensor.I64}
}

// filled has the numbers of a function of the element's place.
func (s storedTensor) filled(f func(i int) float64) storedTensor {
	s.fill = f
	return s
}

// padded has zeros in a row.
func (s storedTensor) padded(row int) storedTensor {
	s.zeros = row + 1
	return s
}

// wantTable is what one table must come to.
type wantTable struct {
	name string // Match.Name; where a bar stands, either of two
	kind Kind
	note string // part of a note
	opt  ReadOptions

	positions, reserved, suffix int // of an absolute table; -1 positions: not held to any
	grid                        Grid
	frames                      int  // 0 is 1
	anyGrid                     bool // the rows do not tell it

	axes          [][2]int                     // of a relative table: first and last offset; nil: not held to any
	heads         int                          // 0: one vector for all heads
	beyond        Beyond                       // empty: not held to any
	row           func(q, k int) int           // the family's index: the entry that a query at q and a key at k read
	exact         int                          // row holds to this distance; 0: everywhere
	cell          func(qy, qx, ky, kx int) int // the same in an image
	dy, dx        func(q, k int) int           // the same of two tensors, one an axis
	base          int                          // element at which a layer of a stacked tensor begins
	headsFirstRow bool                         // a head's entries are neighbours
	unused        []int
	other         map[int]string // words about entries that no offset has
	alike         bool           // the same to both sides: no neighbour stands out
	computed      bool           // no entry of the file is a row of the table
	changed       bool           // entries are rows, but not by their numbers
	check         func(*testing.T, Table)
}

// allModels are the rows of every family.
func allModels() []modelRow {
	return slices.Concat(textModels(), towerModels(), imageModels(), vectorModels(), biasModels(), computedModels())
}

// TestArchitectures holds every architecture to what its files hold.
func TestArchitectures(t *testing.T) {
	for _, m := range allModels() {
		t.Run(m.arch, func(t *testing.T) { m.run(t, "") })
	}
}

// TestArchitecturesUnderPrefixes reads some of them again as wrappers, frameworks
// and training code name them.
func TestArchitecturesUnderPrefixes(t *testing.T) {
	everywhere := []string{"model.", "module.", "_orig_mod.", "transformer.", "student.", "teacher.", "state_dict.", "state_dict.model.", "backbone.", "module._orig_mod.model."}
	samples := map[string][]string{
		"BERT": nil, "RoBERTa": nil, "GPT-2": nil, "OPT": nil, "BART": nil, "T5": nil, "DeBERTa-v2": nil, "BERT relative_key": nil,
		"ViT timm": {"visual.trunk."}, "Swin": {"visual.trunk."}, "BEiT shared": {"visual.trunk."}, "LeViT": {"visual.trunk."}, "MaxViT-TF": {"visual.trunk."},
		"SAM": nil, "VITS": nil, "wav2vec2": nil, "Swin v2": {"visual.trunk."}, "DETR": nil, "Reformer": nil, "XLNet": nil,
	}
	for _, m := range allModels() {
		more, sampled := samples[m.arch]
		if !sampled {
			continue
		}
		delete(samples, m.arch)
		for _, prefix := range slices.Concat(everywhere, more) {
			t.Run(m.arch+" under "+prefix, func(t *testing.T) { m.run(t, prefix) })
		}
	}
	if len(samples) > 0 {
		t.Errorf("no such rows: %v", slices.Sorted(maps.Keys(samples)))
	}
}

// run finds and reads the tables of one row.
func (m modelRow) run(t *testing.T, prefix string) {
	src := m.source(prefix, nil)
	found := map[string]Match{}
	for _, match := range Detect(src) {
		if _, twice := found[match.Name()]; twice {
			t.Errorf("%s is found twice", match.Name())
		}
		found[match.Name()] = match
	}
	if len(src.read) > 0 {
		t.Errorf("finding them read %q", src.read)
	}
	for _, w := range m.want {
		name := ""
		for _, alt := range strings.Split(w.name, "|") {
			if _, ok := found[prefix+alt]; ok {
				name = prefix + alt
			}
		}
		match, ok := found[name]
		if !ok {
			t.Errorf("%s is not found", prefix+w.name)
			continue
		}
		delete(found, name)
		w.name = name
		w.hold(t, m, match, prefix)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		t.Errorf("%s is found (%s, %s), but is no table of this model", name, found[name].Arch, found[name].Kind)
	}
	if m.nothing != "" {
		_, err := Choose(src, Choice{}, ReadOptions{})
		wantFault(t, err, NotFound, m.nothing)
	}
}

// source makes the file. Under planted the tensors that it names are zero but for
// ones at its elements.
func (m modelRow) source(prefix string, planted map[string][]int) *memory {
	src := &memory{meta: m.meta}
	for _, s := range m.tensors {
		n := 1
		for _, size := range s.shape {
			n *= size
		}
		data := make([]float64, n)
		ones, zero := planted[s.name]
		for i := range data {
			switch {
			case zero:
			case s.fill != nil:
				data[i] = s.fill(i)
			default:
				data[i] = float64(i + 1)
			}
		}
		for _, i := range ones {
			data[i] = 1
		}
		src.holding(prefix+s.name, data, s.shape...).typed(s.dtype)
		if s.zeros > 0 {
			src.zeroRow(s.zeros - 1)
		}
	}
	for _, s := range m.beside {
		src.holding(prefix+s.name, nil, s.shape...).typed(s.dtype)
	}
	return src
}

// absoluteTable is a table of positions behind reserved rows.
func absoluteTable(name string, positions, reserved int) wantTable {
	return wantTable{name: name, kind: KindAbsolute, positions: positions, reserved: reserved}
}

// gridTable is a table of a raster behind prefix rows.
func gridTable(name string, rows, cols, reserved int) wantTable {
	return wantTable{name: name, kind: KindAbsolute, positions: rows * cols, reserved: reserved, grid: Grid{rows, cols}}
}

// ofType makes the metadata of a model type.
func ofType(model string, more ...string) map[string]string {
	meta := map[string]string{"model_type": model}
	for i := 0; i+1 < len(more); i += 2 {
		meta[more[i]] = more[i+1]
	}
	return meta
}

// The rows are complete, and each stands once.
func TestModelRows(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range allModels() {
		if m.arch == "" || seen[m.arch] || (len(m.want) == 0) == (m.nothing == "") || len(m.tensors)+len(m.beside) == 0 {
			t.Errorf("%q: %s", m.arch, fmt.Sprint(seen[m.arch], len(m.want), m.nothing))
		}
		seen[m.arch] = true
	}
}
