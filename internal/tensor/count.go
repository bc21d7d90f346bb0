package tensor

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// The faults of a shape, for errors.Is.
var (
	ErrShape    = errors.New("impossible shape")      // a negative or overflowing dimension, or strides of another rank
	ErrRange    = errors.New("strides reach too far") // a view that goes backwards, or past any storage
	ErrTooLarge = errors.New("more elements than the limit")
)

// MaxRank is the most dimensions a shape may have, as in numpy and torch.
const MaxRank = 64

// Count multiplies a shape out to its number of elements; an empty shape is a
// scalar's, 1. It is the only way from a shape to a count: a negative dimension,
// a rank over MaxRank, and a product past int64 (dimensions of 0 left aside) are
// ErrShape, and a count over limit is ErrTooLarge.
func Count(shape []int, limit int64) (int, error) {
	if len(shape) > MaxRank {
		return 0, fmt.Errorf("%w: %d dimensions, but %d at most", ErrShape, len(shape), MaxRank)
	}
	product, empty := uint64(1), false
	for _, d := range shape {
		if d < 0 {
			return 0, fmt.Errorf("%w: %v has a negative dimension", ErrShape, shape)
		}
		if d == 0 {
			empty = true
			continue
		}
		high, low := bits.Mul64(product, uint64(d))
		if high != 0 || low > math.MaxInt64 {
			return 0, fmt.Errorf("%w: the product of %v overflows", ErrShape, shape)
		}
		product = low
	}
	if empty {
		return 0, nil
	}
	if int64(product) > limit || product > math.MaxInt {
		return 0, fmt.Errorf("%w: shape %v has %d, limit %d", ErrTooLarge, shape, product, limit)
	}
	return int(product), nil
}
