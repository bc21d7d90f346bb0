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
// little-endian, row-major, of the type that data has ('<f4' or '<f8'). No
// dimension makes a scalar. A shape of another number of elements is a BadShape
// error.
func WriteNPY[F float32 | float64](w io.Writer, shape []int, data []F) error {
	if err := fits(shape, len(data)); err != nil {
		return err
	}
	if err := writeAll(w, npyFront(floatBytes[F](), shape)); err != nil {
		return err
	}
	return writeFloats(w, data)
}

// npyFront is what stands before an array's numbers: the magic, the version, the
// header's length and the header, which spaces fill up to a multiple of 64. The
// numbers have size bytes each. The shape has passed fits, so its rank is bounded
// and the header a short one.
func npyFront(size int, shape []int) []byte {
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
	header := "{'descr': '<f" + strconv.Itoa(size) + "', 'fortran_order': False, 'shape': (" + tuple + "), }" + strings.Repeat(" ", spare)
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

// writeFloats writes numbers in their own width, little-endian.
func writeFloats[F float32 | float64](w io.Writer, data []F) error {
	const most = 256 << 10 // bytes at once
	size := floatBytes[F]()
	buf := make([]byte, min(most, size*len(data)))
	for len(data) > 0 {
		n := min(most/size, len(data))
		encode(buf, data[:n])
		if err := writeAll(w, buf[:n*size]); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// floatBytes is the bytes of a number.
func floatBytes[F float32 | float64]() int {
	var v F
	return binary.Size(v)
}

// encode puts numbers into dst, which has the room, four at a time: one by one
// the checks of bounds would take longer than the numbers.
func encode[F float32 | float64](dst []byte, src []F) {
	le := binary.LittleEndian
	switch src := any(src).(type) {
	case []float32:
		for ; len(src) >= 4; dst, src = dst[16:], src[4:] {
			d, s := dst[:16], src[:4]
			le.PutUint32(d[0:], math.Float32bits(s[0]))
			le.PutUint32(d[4:], math.Float32bits(s[1]))
			le.PutUint32(d[8:], math.Float32bits(s[2]))
			le.PutUint32(d[12:], math.Float32bits(s[3]))
		}
		for i, v := range src {
			le.PutUint32(dst[4*i:], math.Float32bits(v))
		}
	case []float64:
		for ; len(src) >= 4; dst, src = dst[32:], src[4:] {
			d, s := dst[:32], src[:4]
			le.PutUint64(d[0:], math.Float64bits(s[0]))
			le.PutUint64(d[8:], math.Float64bits(s[1]))
			le.PutUint64(d[16:], math.Float64bits(s[2]))
			le.PutUint64(d[24:], math.Float64bits(s[3]))
		}
		for i, v := range src {
			le.PutUint64(dst[8*i:], math.Float64bits(v))
		}
	}
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
