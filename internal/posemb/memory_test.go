package posemb

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"poslens/internal/tensor"
)

// memory is a source in memory that counts what is read.
type memory struct {
	tensors []tensor.Tensor
	meta    map[string]string
	read    []string
}

func (m *memory) Tensors() []tensor.Info {
	var infos []tensor.Info
	for _, t := range m.tensors {
		infos = append(infos, t.Info)
	}
	slices.SortFunc(infos, func(a, b tensor.Info) int { return strings.Compare(a.Name, b.Name) })
	return infos
}

func (m *memory) Tensor(_ context.Context, name string) (*tensor.Tensor, error) {
	for _, t := range m.tensors {
		if t.Name == name {
			m.read = append(m.read, name)
			t.Data = slices.Clone(t.Data)
			return &t, nil
		}
	}
	return nil, fmt.Errorf("no tensor %q", name)
}

func (m *memory) Meta(key string) (string, bool) {
	v, ok := m.meta[key]
	return v, ok
}

// with adds a tensor whose values are 1, 2, 3, ...
func (m *memory) with(name string, shape ...int) *memory {
	n := 1
	for _, s := range shape {
		n *= s
	}
	data := make([]float64, n)
	for i := range data {
		data[i] = float64(i + 1)
	}
	return m.holding(name, data, shape...)
}

// holding adds a tensor with its values.
func (m *memory) holding(name string, data []float64, shape ...int) *memory {
	m.tensors = append(m.tensors, tensor.Tensor{Info: tensor.Info{Name: name, DType: tensor.F32, Stored: "F32", Shape: shape}, Data: data})
	return m
}

// typed changes the element type of the tensor added last.
func (m *memory) typed(t tensor.DType) *memory {
	last := &m.tensors[len(m.tensors)-1]
	last.DType, last.Stored = t, t.String()
	return m
}

// saying adds an entry of the metadata.
func (m *memory) saying(key, value string) *memory {
	if m.meta == nil {
		m.meta = map[string]string{}
	}
	m.meta[key] = value
	return m
}

// zeroRow sets a row of the tensor added last to zeros.
func (m *memory) zeroRow(i int) *memory {
	t := m.tensors[len(m.tensors)-1]
	d := t.Shape[len(t.Shape)-1]
	clear(t.Data[i*d : (i+1)*d])
	return m
}

// one chooses the one table of a name, or without a name the source's.
func one(src Source, name string, opt ReadOptions) (Match, error) {
	found, err := Choose(src, Choice{Name: name}, opt)
	if err != nil {
		return Match{}, err
	}
	if len(found) != 1 {
		return Match{}, fmt.Errorf("%d tables: %v", len(found), found)
	}
	return found[0], nil
}

// loadOnly reads the one table of a source.
func loadOnly(t *testing.T, m Source, opt ReadOptions) (Table, error) {
	t.Helper()
	match, err := one(m, "", opt)
	if err != nil {
		return nil, err
	}
	return Load(t.Context(), m, match, opt)
}

// mustLoad reads the one table of a source.
func mustLoad(t *testing.T, m Source, opt ReadOptions) Table {
	t.Helper()
	table, err := loadOnly(t, m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// ptr makes options that are pointers.
func ptr[T any](v T) *T { return &v }

// told says whether one of the notes holds a text.
func told(notes []string, text string) bool {
	return slices.ContainsFunc(notes, func(s string) bool { return strings.Contains(s, text) })
}

// wantFault checks an error's kind and that its message and hint hold texts.
func wantFault(t *testing.T, err error, kind string, texts ...string) {
	t.Helper()
	e, ok := err.(*Error)
	if !ok || e.Kind != kind {
		t.Fatalf("got %v, want an error of kind %s", err, kind)
	}
	for _, s := range texts {
		if !strings.Contains(e.Error()+"\n"+e.Hint, s) {
			t.Errorf("%q with hint %q does not hold %q", e.Error(), e.Hint, s)
		}
	}
}
