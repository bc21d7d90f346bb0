package tensor

import (
	"fmt"
	"math"
	"math/bits"
)

// RowMajor gives the strides of a dense tensor, the last dimension fastest. The
// shape must have passed Count.
func RowMajor(shape []int) []int {
	strides := make([]int, len(shape))
	step := 1
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = step
		step *= max(shape[i], 1)
	}
	return strides
}

// ColumnMajor gives the strides of a dense tensor in Fortran order, the first
// dimension fastest. The shape must have passed Count.
func ColumnMajor(shape []int) []int {
	strides := make([]int, len(shape))
	step := 1
	for i, d := range shape {
		strides[i] = step
		step *= max(d, 1)
	}
	return strides
}

// Dense tells whether the elements lie in row-major order without gaps. The
// stride of a dimension of 1 is never used, so it may be anything.
func (info Info) Dense() bool {
	if info.Strides == nil {
		return true
	}
	if len(info.Strides) != len(info.Shape) {
		return false
	}
	for i, want := range RowMajor(info.Shape) {
		if info.Shape[i] > 1 && info.Strides[i] != want {
			return false
		}
	}
	return true
}

// Span is how many stored elements lie between the first and the last that the
// tensor touches, both counted:
//
//	1 + sum((shape[i] - 1) * strides[i])
//
// or 0 when it has no elements. The first is always where the view begins, since
// a negative stride is ErrRange, as is a sum past int64. A shape that Count
// refuses, or strides of another rank, are ErrShape.
func Span(info Info) (int64, error) {
	count, err := Count(info.Shape, math.MaxInt64)
	if err != nil {
		return 0, err
	}
	if info.Strides == nil {
		return int64(count), nil
	}
	if len(info.Strides) != len(info.Shape) {
		return 0, fmt.Errorf("%w: %d strides for %d dimensions", ErrShape, len(info.Strides), len(info.Shape))
	}
	span := uint64(1)
	for i, s := range info.Strides {
		if s < 0 {
			return 0, fmt.Errorf("%w: stride %d is negative", ErrRange, s)
		}
		if count == 0 {
			continue
		}
		high, low := bits.Mul64(uint64(info.Shape[i]-1), uint64(s))
		if high != 0 || low > math.MaxInt64-span {
			return 0, fmt.Errorf("%w: shape %v with strides %v overflows", ErrRange, info.Shape, info.Strides)
		}
		span += low
	}
	if count == 0 {
		return 0, nil
	}
	return int64(span), nil
}
