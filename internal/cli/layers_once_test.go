package cli

import (
	"context"
	"testing"

	"poslens/internal/tensor"
)

// countingSource is a source that counts how often a tensor is read.
type countingSource struct{ reads map[string]int }

func (c countingSource) Tensors() []tensor.Info     { return nil }
func (c countingSource) Meta(string) (string, bool) { return "", false }
func (c countingSource) Tensor(_ context.Context, name string) (*tensor.Tensor, error) {
	c.reads[name]++
	return &tensor.Tensor{Info: tensor.Info{Name: name}}, nil
}

// The layers of a tensor are one reading; tensors that are tables of their own are not
// kept.
func TestLayersOnce(t *testing.T) {
	c := countingSource{map[string]int{}}
	s := &layersOnce{Source: c}
	for _, step := range []struct {
		name string
		keep bool
	}{{"a", true}, {"a", true}, {"b", true}, {"b", true}, {"a", false}, {"a", false}, {"b", true}} {
		s.keep = step.keep
		got, err := s.Tensor(t.Context(), step.name)
		if err != nil || got.Name != step.name {
			t.Fatalf("%v: %v, %v", step, got, err)
		}
	}
	if c.reads["a"] != 3 || c.reads["b"] != 2 {
		t.Errorf("reads %v, want a 3 times and b twice", c.reads)
	}
}
