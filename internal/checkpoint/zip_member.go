package checkpoint

import (
	"bufio"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"poslens/internal/tensor"
)

// inflateSlack is what a member may always unpack to, however small it is: the
// ratio of a few bytes says nothing.
const inflateSlack = 1 << 20

// maxLead is how much is read in front of a tensor that fills the rest of its
// member, so that the CRC can be checked: an array's header.
const maxLead = 4 << 10

// start finds a member's first byte: behind its local header, which must agree
// with the directory.
func (a *archive) start(m *member) (int64, error) {
	if m.flags&zipEncrypted != 0 {
		return 0, fault(Unsupported, m.header, "the zip member %s is encrypted", quoted(m.name))
	}
	if m.method != zipStored && m.method != zipDeflate {
		e := fault(Unsupported, m.header, "the zip member %s is packed with method %d%s, which is not read", quoted(m.name), m.method, zipMethods[m.method])
		e.Hint = "stored and deflated members are: pack it again with those"
		return 0, e
	}
	p, err := a.b.bytes(m.header, zipLocalLen+int64(len(m.name)))
	if err != nil {
		return 0, err
	}
	le := binary.LittleEndian
	name, extra := int(le.Uint16(p[26:])), int64(le.Uint16(p[28:]))
	differ := string(p[:4]) != zipLocal || name != len(m.name) || string(p[zipLocalLen:]) != m.name || le.Uint16(p[8:]) != m.method
	if le.Uint16(p[6:])&zipDescriptor == 0 {
		packed, size := le.Uint32(p[18:]), le.Uint32(p[22:])
		differ = differ || le.Uint32(p[14:]) != m.crc ||
			packed != math.MaxUint32 && int64(packed) != m.packed || size != math.MaxUint32 && int64(size) != m.size
	}
	if differ {
		return 0, fault(Corrupt, m.header, "the zip member %s differs from the directory in its own header", quoted(m.name))
	}
	start := m.header + zipLocalLen + int64(name) + extra
	return start, a.b.holds(start, m.packed)
}

// zipMethods names the methods that are in use.
var zipMethods = map[uint16]string{9: " (Deflate64)", 12: " (bzip2)", 14: " (LZMA)", 93: " (Zstandard)", 95: " (xz)"}

// stored gives a stored member as a blob that ends where the member ends; places
// in it are those of the archive.
func (a *archive) stored(m *member, start int64) *blob {
	check := &crcReaderAt{r: a.b, m: m, start: start, next: start}
	return &blob{ReaderAt: check, size: start + m.packed, name: a.b.name}
}

// reader reads a member from its first byte on, unpacked. At its end it compares
// size and CRC-32.
func (a *archive) reader(m *member, l Limits) (io.Reader, error) {
	start, err := a.start(m)
	if err != nil {
		return nil, err
	}
	if m.method == zipStored {
		return io.NewSectionReader(a.stored(m, start), start, m.packed), nil
	}
	packed := bufio.NewReaderSize(io.NewSectionReader(a.b, start, m.packed), 4<<10)
	return &inflater{r: flate.NewReader(packed), m: m, start: start, limit: m.most(l)}, nil
}

// most is how many bytes a member may unpack to.
func (m *member) most(l Limits) int64 {
	if m.method == zipStored {
		return m.packed
	}
	l = l.withDefaults()
	most := l.MaxInflate
	if m.packed <= (math.MaxInt64-inflateSlack)/l.MaxRatio {
		most = min(most, m.packed*l.MaxRatio+inflateSlack)
	}
	return most
}

// all reads a whole member of at most limit bytes.
func (a *archive) all(m *member, limit int64, l Limits) ([]byte, error) {
	if m.size > limit {
		return nil, fault(HeaderTooLarge, m.header, "the zip member %s claims %d bytes, limit %d", quoted(m.name), m.size, limit)
	}
	r, err := a.reader(m, l)
	if err != nil {
		return nil, err
	}
	var p []byte
	if m.method == zipStored {
		p = make([]byte, m.size) // start has seen them in the file
		_, err = io.ReadFull(r, p)
	} else {
		p, err = io.ReadAll(r) // the inflater stops past m.size
	}
	if err != nil {
		return nil, readFault(m.header, err)
	}
	return p, nil
}

// tensor reads a tensor that begins at the byte off of a member and may touch
// the n bytes from there on. Of a stored member only its span is read; a
// deflated one is unpacked up to the span's end.
func (a *archive) tensor(ctx context.Context, m *member, info tensor.Info, off, n int64, order binary.ByteOrder, l Limits) (*tensor.Tensor, error) {
	span, err := checkSpan(info, n, a.b.size, l)
	if err != nil {
		return nil, at(err, info.Name, -1)
	}
	length := span * int64(info.DType.Size())
	if off > m.size || length > m.size-off {
		return nil, at(fault(Truncated, -1, "bytes %d to %d of the zip member %s wanted, but it has %d", off, off+length, quoted(m.name), m.size), info.Name, -1)
	}
	if off+length > m.most(l) { // what is decoded takes memory before the first byte is unpacked
		return nil, at(m.bomb(m.most(l)), info.Name, -1)
	}
	whole := off+length == m.size
	if m.method == zipStored {
		start, err := a.start(m)
		if err != nil {
			return nil, at(err, info.Name, -1)
		}
		b := a.stored(m, start)
		if whole && off > 0 && off <= maxLead {
			if _, err := b.bytes(start, off); err != nil {
				return nil, at(err, info.Name, -1)
			}
		}
		return b.tensor(ctx, info, start+off, length, order, l)
	}
	r, err := a.reader(m, l)
	if err != nil {
		return nil, at(err, info.Name, -1)
	}
	if err := skip(ctx, r, off); err != nil {
		return nil, at(readFault(m.header, err), info.Name, -1)
	}
	t, err := readTensor(ctx, io.LimitReader(r, length), info, off, order)
	if err == nil && whole {
		_, err = io.Copy(io.Discard, r) // there is nothing left but the check of the CRC
	}
	if err != nil {
		return nil, at(readFault(m.header, err), info.Name, -1)
	}
	return t, nil
}

// skip reads n bytes and drops them.
func skip(ctx context.Context, r io.Reader, n int64) error {
	for n > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		got, err := io.CopyN(io.Discard, r, min(n, 1<<20))
		if n -= got; err != nil {
			return err
		}
	}
	return nil
}

// bomb is the Error of a member that unpacks to more than it may.
func (m *member) bomb(most int64) *Error {
	return fault(TooLarge, m.header, "the zip member %s of %d bytes unpacks to more than %d", quoted(m.name), m.packed, most)
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
	}
	return n, err
}

// crcReaderAt checks a stored member's CRC-32 when it is read from its first to
// its last byte in one go; a part can't be checked, since the sum is over all.
type crcReaderAt struct {
	r     io.ReaderAt
	m     *member
	start int64
	next  int64 // up to where it was read without a gap
	crc   uint32
}

// ReadAt reads at a place of the archive. It is for one reader at a time.
func (c *crcReaderAt) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(p, off)
	if off != c.next || n == 0 {
		return n, err
	}
	c.crc = crc32.Update(c.crc, crc32.IEEETable, p[:n])
	c.next += int64(n)
	if c.next == c.start+c.m.packed && c.crc != c.m.crc {
		return 0, c.m.badCRC()
	}
	return n, err
}
