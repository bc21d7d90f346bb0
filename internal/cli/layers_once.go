package cli

import (
	"context"

	"poslens/internal/posemb"
	"poslens/internal/tensor"
)

// layersOnce is a source of tables of which some are layers of one tensor. That tensor
// is read once for all of them, not once for each.
type layersOnce struct {
	posemb.Source
	keep bool           // the table that is read next is a layer of a tensor
	last *tensor.Tensor // the last tensor kept, whose numbers no reader changes; nil: none
}

// Tensor reads a tensor, unless it is the one that is kept.
func (s *layersOnce) Tensor(ctx context.Context, name string) (*tensor.Tensor, error) {
	if !s.keep {
		s.last = nil
		return s.Source.Tensor(ctx, name)
	}
	if s.last != nil && s.last.Name == name {
		return s.last, nil
	}
	s.last = nil // before the next one is there
	t, err := s.Source.Tensor(ctx, name)
	if err == nil {
		s.last = t
	}
	return t, err
}
