package checkpoint

import (
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// bomb is the Error of a member that unpacks to more than it may.
func (m *member) bomb(most int64) *Error {
	return overInflate(m.header, "the zip member %s of %d bytes unpacks to more than %d", quoted(m.name), m.packed, most)
}

// badCRC is the Error of a member whose bytes are not those that were packed.
func (m *member) badCRC() *Error {
	e := fault(Corrupt, m.header, "the zip member %s has a wrong CRC-32: its bytes are damaged", quoted(m.name))
	e.Hint = "the download may be damaged: fetch the file again"
	return e
}

// inflater unpacks a deflated member, counting what comes out.
type inflater struct {
	r     io.Reader
	m     *member
	start int64
	limit int64
	n     int64
	crc   uint32
}

// Read unpacks. It ends with io.EOF only where size and CRC-32 agree with the
// directory.
func (z *inflater) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	z.n += int64(n)
	z.crc = crc32.Update(z.crc, crc32.IEEETable, p[:n])
	var bad flate.CorruptInputError
	switch {
	case z.n > z.m.size:
		return 0, fault(Corrupt, z.start, "the zip member %s unpacks to more than the %d bytes of the directory", quoted(z.m.name), z.m.size)
	case z.n > z.limit:
		return 0, z.m.bomb(z.limit)
	case errors.As(err, &bad), errors.Is(err, io.ErrUnexpectedEOF):
		return n, &Error{Kind: Corrupt, Off: z.start, Msg: fmt.Sprintf("the zip member %s can't be unpacked", quoted(z.m.name)), Err: err,
			Hint: "the download may be damaged: fetch the file again"}
	case err == io.EOF && z.n != z.m.size:
		return n, fault(Corrupt, z.start, "the zip member %s unpacks to %d bytes, not to the %d of the directory", quoted(z.m.name), z.n, z.m.size)
	case err == io.EOF && z.crc != z.m.crc:
		return n, z.m.badCRC()
	case err != nil && err != io.EOF:
		return n, readFault(z.start, err)
	}
	return n, err
}

// crcReader reads a stored member from its first byte on, and checks its CRC-32
// with the last.
type crcReader struct {
	r   io.Reader
	m   *member
	n   int64
	crc uint32
}

// Read reads on. With a wrong CRC-32 nothing comes of the last read.
func (c *crcReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.crc = crc32.Update(c.crc, crc32.IEEETable, p[:n])
	if n > 0 && c.n == c.m.packed && c.crc != c.m.crc {
		return 0, c.m.badCRC()
	}
	return n, err
}
