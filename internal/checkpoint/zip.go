package checkpoint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// archive is a zip file's directory. It is read from the central directory at
// the end; what two readers could understand in two ways is refused.
type archive struct {
	b       *blob
	limits  Limits
	members []*member // in the order of the directory
	byName  map[string]*member
}

// member is one file of an archive, as the directory has it.
type member struct {
	name   string
	method uint16
	flags  uint16
	crc    uint32
	packed int64 // bytes in the archive
	size   int64 // bytes after unpacking, as the directory claims
	header int64 // where its local header stands
	end    int64 // where something else begins
}

// The signatures and the fixed sizes of a zip file's records (APPNOTE.TXT 4.3).
const (
	zipLocal     = "PK\x03\x04"
	zipEntry     = "PK\x01\x02"
	zipEnd       = "PK\x05\x06"
	zipEnd64     = "PK\x06\x06"
	zipLocator64 = "PK\x06\x07"

	zipLocalLen     = 30
	zipEntryLen     = 46
	zipEndLen       = 22
	zipEnd64Len     = 56
	zipLocator64Len = 20
	zipMaxComment   = 1<<16 - 1
)

// Compression methods and flags.
const (
	zipStored  = 0
	zipDeflate = 8

	zipEncrypted  = 1 << 0
	zipDescriptor = 1 << 3 // sizes stand behind the data, not in the local header
)

// isZip tells a zip archive, an empty one too.
func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte(zipLocal)) || bytes.HasPrefix(head, []byte(zipEnd))
}

// openZip opens a zip archive as what its members make it: torch or npz.
func openZip(ctx context.Context, b *blob, l Limits) (*File, error) {
	a, err := openArchive(b, l)
	if err != nil {
		return nil, err
	}
	main, err := a.torchPickle()
	if err != nil {
		return nil, err
	}
	if main != nil {
		return torchFile(ctx, a, main)
	}
	for _, m := range a.members {
		if strings.HasSuffix(m.name, npySuffix) {
			return npzFile(ctx, a)
		}
	}
	if len(a.members) == 0 {
		return nil, fault(NotFound, -1, "a zip archive without members")
	}
	e := fault(Unsupported, -1, "a zip archive, but neither PyTorch's (no data.pkl) nor numpy's (no .npy): its first member is %s", quoted(a.members[0].name))
	if a.byName["model.weights.h5"] != nil {
		e.Hint = "Keras files are not read yet: save the table with numpy.save"
	}
	return nil, e
}

// openArchive reads the directory of a zip file and nothing else.
func openArchive(b *blob, l Limits) (*archive, error) {
	end, err := findZipEnd(b)
	if err != nil {
		return nil, err
	}
	if end.size > l.MaxHeader {
		return nil, fault(HeaderTooLarge, end.off, "the zip directory claims %d bytes, limit %d", end.size, l.MaxHeader)
	}
	dir, err := b.bytes(end.off, end.size)
	if err != nil {
		return nil, err
	}
	a := &archive{b: b, limits: l, byName: map[string]*member{}}
	for at := end.off; len(dir) > 0; {
		m, n, err := parseEntry(dir, at)
		if err != nil {
			return nil, err
		}
		if a.byName[m.name] != nil {
			return nil, fault(DuplicateName, at, "the zip member %s stands twice, and two readers could see two files", quoted(m.name))
		}
		a.members = append(a.members, m)
		a.byName[m.name] = m
		dir, at = dir[n:], at+int64(n)
	}
	if uint64(len(a.members)) != end.count {
		return nil, fault(Corrupt, end.off, "the zip directory has %d members, but its end record says %d", len(a.members), end.count)
	}
	if err := a.checkPlaces(end.off); err != nil {
		return nil, err
	}
	return a, nil
}

// checkPlaces finds out where each member must end, and refuses those that reach
// into the directory, which begins at limit, or each other.
func (a *archive) checkPlaces(limit int64) error {
	order := slices.Clone(a.members)
	slices.SortStableFunc(order, func(x, y *member) int { return cmp.Compare(y.header, x.header) })
	kind := Corrupt
	for _, m := range order {
		least := zipLocalLen + int64(len(m.name))
		if m.header > limit-least || m.packed > limit-least-m.header {
			return m.tooFar(kind, limit)
		}
		m.end = limit
		limit, kind = m.header, Overlap
	}
	return nil
}

// tooFar is the Error of a member that does not end where something else begins.
func (m *member) tooFar(k Kind, end int64) *Error {
	return fault(k, m.header, "the zip member %s of %d bytes reaches past byte %d, where something else begins", quoted(m.name), m.packed, end)
}

// parseEntry reads the directory entry at the start of p, which is the byte at of
// the file, and gives its length.
func parseEntry(p []byte, at int64) (*member, int, error) {
	if len(p) < zipEntryLen || string(p[:4]) != zipEntry {
		return nil, 0, fault(Corrupt, at, "no entry where one belongs in the zip directory")
	}
	le := binary.LittleEndian
	name, extra, comment := int(le.Uint16(p[28:])), int(le.Uint16(p[30:])), int(le.Uint16(p[32:]))
	n := zipEntryLen + name + extra + comment
	if n > len(p) {
		return nil, 0, fault(Corrupt, at, "an entry reaches out of the zip directory")
	}
	m := &member{
		name:   string(p[zipEntryLen : zipEntryLen+name]),
		flags:  le.Uint16(p[8:]),
		method: le.Uint16(p[10:]),
		crc:    le.Uint32(p[16:]),
	}
	extras := p[zipEntryLen+name : zipEntryLen+name+extra]
	wide := zip64Extra(extras)
	for _, field := range []struct {
		into *int64
		at   int
	}{{&m.size, 24}, {&m.packed, 20}, {&m.header, 42}} { // the order of the zip64 field
		v := uint64(le.Uint32(p[field.at:]))
		if v == math.MaxUint32 {
			if len(wide) < 8 {
				return nil, 0, fault(Corrupt, at, "the zip member %s lacks its 64-bit sizes", quoted(m.name))
			}
			v, wide = le.Uint64(wide), wide[8:]
		}
		if v > math.MaxInt64 {
			return nil, 0, fault(Corrupt, at, "the zip member %s has a size or place of %d", quoted(m.name), v)
		}
		*field.into = int64(v)
	}
	if m.method == zipStored && m.packed != m.size {
		return nil, 0, fault(Corrupt, at, "the zip member %s is stored, but has two sizes, %d and %d", quoted(m.name), m.packed, m.size)
	}
	return m, n, nil
}

// zip64Extra finds the 64-bit sizes among the extra fields of an entry.
func zip64Extra(p []byte) []byte {
	for len(p) >= 4 {
		id, n := binary.LittleEndian.Uint16(p), int(binary.LittleEndian.Uint16(p[2:]))
		if 4+n > len(p) {
			break
		}
		if id == 1 {
			return p[4 : 4+n]
		}
		p = p[4+n:]
	}
	return nil
}
