package checkpoint

import (
	"context"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"poslens/internal/tensor"
)

// isTFSlice tells the key of a slice's entry: it starts with a 0, and no name does.
func isTFSlice(key string) bool { return strings.HasPrefix(key, "\x00") }

// tfSliceKey is the key under which a slice of a variable is stored, made so that
// slices are in the order of their places: 0, the name, how many dimensions, and
// for each where the slice starts and how long it is.
//
//	https://github.com/tensorflow/tensorflow, EncodeTensorNameSlice in
//	tensorflow/core/util/saved_tensor_slice_util.cc
func tfSliceKey(name string, slice []tfExtent) string {
	key := []byte{0}
	key = append(key, strings.NewReplacer("\x00", "\x00\xff", "\xff", "\xff\x00").Replace(name)...)
	key = append(key, 0, 1)
	if n := len(slice); n > 0 {
		key = append(key, 1, byte(n))
	} else {
		key = append(key, 0)
	}
	for _, x := range slice {
		key = orderedInt(key, x.start)
		key = orderedInt(key, x.length)
	}
	return string(key)
}

// orderedInt appends a number so that bytes are in the order of numbers. Of n bytes
// the first bits are the sign, turned around, then n-1 of the same and one of the
// other; the rest is the number, in two's complement:
//
//	n = 1: 10vvvvvv from 0 up, 01vvvvvv below
//	n = 2: 110vvvvv vvvvvvvv, 001vvvvv vvvvvvvv, and so on
//
//	https://github.com/tensorflow/tensorflow, WriteSignedNumIncreasing in
//	tensorflow/core/lib/strings/ordered_code.cc
func orderedInt(to []byte, v int64) []byte {
	sign := uint64(v >> 63) // all ones below 0
	n := (bits.Len64(uint64(v)^sign) + 7) / 7
	var p [10]byte
	p[0], p[1] = byte(sign), byte(sign)
	binary.BigEndian.PutUint64(p[2:], uint64(v))
	head := ^uint16(0) << (16 - n) // n ones, then zeros
	p[10-n] ^= byte(head >> 8)
	if n > 1 {
		p[10-n+1] ^= byte(head)
	}
	return append(to, p[10-n:]...)
}

// tfSlices finds the entries of all slices that variables are made of, by their
// keys. The index has to have each of them, for one variable once.
func tfSlices(rows []tfRow) (map[string]*tfRow, error) {
	have := map[string]*tfRow{}
	for i := range rows {
		if isTFSlice(rows[i].key) {
			have[rows[i].key] = &rows[i]
		}
	}
	found := map[string]*tfRow{}
	for _, row := range rows {
		if row.err != nil {
			continue
		}
		for _, slice := range row.entry.slices {
			key := tfSliceKey(row.key, slice)
			switch {
			case have[key] == nil:
				e := fault(Unsupported, row.off, "a variable in %d slices, and the index does not have all of them", len(row.entry.slices))
				e.Hint = "save it in one piece, without a partitioner"
				return nil, at(e, row.key, -1)
			case found[key] != nil:
				return nil, at(fault(Overlap, row.off, "one of its %d slices is there twice", len(row.entry.slices)), row.key, -1)
			}
			found[key] = have[key]
		}
	}
	return found, nil
}

// partition takes the slices of a variable, which must add up to its n elements.
func (t *tfBundle) partition(info tensor.Info, n int64, list [][]tfExtent, bySlice map[string]*tfRow) ([]tfPart, error) {
	if len(info.Shape) == 0 {
		return nil, fault(BadShape, -1, "a single number in slices")
	}
	var parts []tfPart
	sum := int64(0)
	for _, slice := range list {
		row := bySlice[tfSliceKey(info.Name, slice)]
		if row.err != nil {
			return nil, row.err
		}
		p, err := t.part(info.Name, row.entry)
		if err != nil {
			return nil, err
		}
		if p.start, err = sliceStart(slice, p.info.Shape, info.Shape); err != nil {
			return nil, err
		}
		if p.info.DType != info.DType || len(row.entry.slices) > 0 {
			return nil, fault(Corrupt, -1, "a slice of %s in a variable of %s", p.info.Stored, info.Stored)
		}
		if sum += p.entry.size / int64(info.DType.Size()); sum > n {
			return nil, fault(BadShape, -1, "its %d slices have more elements than its shape %v", len(list), info.Shape)
		}
		parts = append(parts, p)
	}
	if sum != n {
		return nil, fault(BadShape, -1, "its %d slices have %d elements, but shape %v has %d", len(list), sum, info.Shape, n)
	}
	return parts, nil
}

// sliceStart is where a slice starts in its variable. It must lie inside, and its
// entry must be of its size.
func sliceStart(slice []tfExtent, stored, shape []int) ([]int, error) {
	if len(slice) != len(shape) || len(stored) != len(shape) {
		return nil, fault(BadShape, -1, "a slice of %d dimensions, stored with %d, of a variable of %d", len(slice), len(stored), len(shape))
	}
	start := make([]int, len(shape))
	for i, x := range slice {
		size := int64(shape[i])
		if x.length < 0 {
			x = tfExtent{0, size}
		}
		if x.start < 0 || x.start > size || x.length > size-x.start {
			return nil, fault(BadShape, -1, "a slice takes %d from %d on of an axis of %d", x.length, x.start, size)
		}
		if int64(stored[i]) != x.length {
			return nil, fault(BadShape, -1, "a slice of %d along axis %d is stored with %d", x.length, i, stored[i])
		}
		start[i] = int(x.start)
	}
	return start, nil
}

// disjoint checks that no two slices have an element in common.
func disjoint(ctx context.Context, parts []tfPart) error {
	for i, a := range parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if slices.ContainsFunc(parts[:i], a.meets) {
			return fault(Overlap, -1, "two of its slices overlap, the one from %v on and another", a.start)
		}
	}
	return nil
}

// meets tells whether two slices have an element in common.
func (p tfPart) meets(q tfPart) bool {
	for i := range p.start {
		if p.start[i] >= q.start[i]+q.info.Shape[i] || q.start[i] >= p.start[i]+p.info.Shape[i] {
			return false
		}
	}
	return true
}

// place puts a slice's numbers where they belong, a run along the last axis at a
// time.
func place(whole *tensor.Tensor, data []float64, p tfPart) {
	last := len(p.start) - 1
	run := p.info.Shape[last]
	row := make([]int, last) // of the slice
	for ; len(data) > 0; data = data[run:] {
		to := 0
		for i, at := range row {
			to = to*whole.Shape[i] + p.start[i] + at
		}
		copy(whole.Data[to*whole.Shape[last]+p.start[last]:], data[:run])
		for i := last - 1; i >= 0; i-- {
			if row[i]++; row[i] < p.info.Shape[i] {
				break
			}
			row[i] = 0
		}
	}
}
