package checkpoint

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriteNPY writes an array as numpy.save does, byte for byte: version 1.0,
// float64, little-endian, row-major. No dimension makes a scalar.
func WriteNPY(w io.Writer, shape []int, data []float64) error {
	if err := fits(shape, len(data)); err != nil {
		return err
	}
	if err := writeAll(w, npyFront(shape)); err != nil {
		return err
	}
	return writeFloats(w, data)
}

// npyFront is what stands before an array's numbers: the magic, the version, the
// header's length and the header, which spaces fill up to a multiple of 64. The
// shape has passed fits, so its rank is bounded and the header a short one.
func npyFront(shape []int) []byte {
	const front = 10 // bytes before the header
	dims := make([]string, len(shape))
	for i, n := range shape {
		dims[i] = strconv.Itoa(n)
	}
	tuple := strings.Join(dims, ", ")
	spare := 0
	if len(shape) == 1 {
		tuple += ","
	}
	if len(shape) > 0 {
		spare = max(0, 21-len(dims[0])) // numpy's room for the first dimension to grow in place
	}
	header := "{'descr': '<f8', 'fortran_order': False, 'shape': (" + tuple + "), }" + strings.Repeat(" ", spare)
	header += strings.Repeat(" ", 64-(front+len(header)+1)%64) + "\n"
	head := binary.LittleEndian.AppendUint16([]byte(npyMagic+"\x01\x00"), uint16(len(header)))
	return append(head, header...)
}

// fits checks that a shape has n elements.
func fits(shape []int, n int) error {
	want, err := count(shape, Limits{MaxElements: math.MaxInt64})
	if err != nil {
		return err
	}
	if want != n {
		return fault(BadShape, -1, "shape %v needs %d numbers, and there are %d", shape, want, n)
	}
	return nil
}

// writeFloats writes numbers as little-endian float64.
func writeFloats(w io.Writer, data []float64) error {
	const piece = 8192 // numbers
	buf := make([]byte, 0, 8*min(piece, len(data)))
	for len(data) > 0 {
		n := min(piece, len(data))
		buf = buf[:0]
		for _, v := range data[:n] {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
		}
		if err := writeAll(w, buf); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// writeAll writes p, and holds a writer that took less to account.
func writeAll(w io.Writer, p []byte) error {
	n, err := w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}
