package checkpoint

import (
	"bufio"
	"compress/flate"
	"context"
	"encoding/binary"
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
	if start > m.end-m.packed {
		return 0, m.tooFar(Overlap, m.end)
	}
	return start, nil
}

// zipMethods names the methods that are in use.
var zipMethods = map[uint16]string{9: " (Deflate64)", 12: " (bzip2)", 14: " (LZMA)", 93: " (Zstandard)", 95: " (xz)"}

// reader reads a member from its first byte on, unpacked. At its end it compares
// size and CRC-32.
func (a *archive) reader(m *member) (io.Reader, error) {
	start, err := a.start(m)
	if err != nil {
		return nil, err
	}
	if m.method == zipStored {
		return &crcReader{r: io.NewSectionReader(a.b, start, m.packed), m: m}, nil
	}
	packed := bufio.NewReaderSize(io.NewSectionReader(a.b, start, m.packed), 4<<10)
	return &inflater{r: flate.NewReader(packed), m: m, start: start, limit: a.most(m)}, nil
}

// most is how many bytes a member may unpack to.
func (a *archive) most(m *member) int64 {
	if m.method == zipStored {
		return m.packed
	}
	most, ratio := a.limits.MaxInflate, a.limits.MaxRatio
	if m.packed <= (math.MaxInt64-inflateSlack)/ratio {
		most = min(most, m.packed*ratio+inflateSlack)
	}
	return most
}

// all reads a whole member of at most limit bytes.
func (a *archive) all(m *member, limit int64) ([]byte, error) {
	if m.size > limit {
		return nil, fault(HeaderTooLarge, m.header, "the zip member %s claims %d bytes, limit %d", quoted(m.name), m.size, limit)
	}
	r, err := a.reader(m)
	if err != nil {
		return nil, err
	}
	var p []byte
	if m.method == zipStored {
		p = make([]byte, m.size) // they are in the file: start has seen to it
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
func (a *archive) tensor(ctx context.Context, m *member, info tensor.Info, off, n int64, order binary.ByteOrder) (*tensor.Tensor, error) {
	e, err := measure(info, n, a.b.size, a.limits)
	if err != nil {
		return nil, at(err, info.Name, m.header)
	}
	if off > m.size || e.bytes > m.size-off {
		return nil, at(fault(Truncated, m.header, "bytes %d to %d of the zip member %s wanted, but it has %d", off, off+e.bytes, quoted(m.name), m.size), info.Name, -1)
	}
	if most := a.most(m); off+e.bytes > most { // what is decoded takes memory before the first byte is unpacked
		return nil, at(m.bomb(most), info.Name, -1)
	}
	read := a.inflated
	if m.method == zipStored {
		read = a.asStored
	}
	t, err := read(ctx, m, info, e, off, order)
	if err != nil {
		return nil, at(err, info.Name, -1)
	}
	return t, nil
}

// asStored is tensor for a stored member. Its CRC-32 is checked where the tensor
// and no more than maxLead before it are the whole member; that of a part is not
// known.
func (a *archive) asStored(ctx context.Context, m *member, info tensor.Info, e extent, off int64, order binary.ByteOrder) (*tensor.Tensor, error) {
	start, err := a.start(m)
	if err != nil {
		return nil, err
	}
	r := newReading(info, e, start+off, order)
	if m.size == 0 || off+e.bytes < m.size || off > maxLead {
		return r.tensor(r.shared(ctx, a.b.ReadAt))
	}
	lead, err := a.b.bytes(start, off)
	if err != nil {
		return nil, err
	}
	r.summed(crc32.IEEE)
	t, err := r.tensor(r.shared(ctx, a.b.ReadAt))
	if err == nil && r.crc(crc32.ChecksumIEEE(lead)) != m.crc {
		return nil, m.badCRC()
	}
	return t, err
}

// inflated is tensor for a deflated member. Its faults are placed where the
// member's packed bytes are.
func (a *archive) inflated(ctx context.Context, m *member, info tensor.Info, e extent, off int64, order binary.ByteOrder) (*tensor.Tensor, error) {
	r, err := a.reader(m)
	if err != nil {
		return nil, err
	}
	if err := skip(ctx, r, off); err != nil {
		return nil, readFault(m.header, err)
	}
	in := newReading(info, e, m.header, order)
	t, err := in.tensor(in.inOrder(ctx, func(p []byte, _ int64) (int, error) { return io.ReadFull(r, p) }))
	if err == nil && off+e.bytes == m.size {
		_, err = io.Copy(io.Discard, r) // there is nothing left but the check of the CRC
	}
	if err != nil {
		return nil, err
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
