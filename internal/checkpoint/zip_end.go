package checkpoint

import (
	"encoding/binary"
	"math"
)

// zipEndRecord is what a zip file's end says of its directory.
type zipEndRecord struct {
	off, size int64
	count     uint64
}

// findZipEnd finds the end record: in the last bytes, or before a comment.
func findZipEnd(b *blob) (zipEndRecord, error) {
	for _, n := range []int64{1 << 10, zipEndLen + zipMaxComment} {
		n = min(n, b.size)
		tail, err := b.bytes(b.size-n, n)
		if err != nil {
			return zipEndRecord{}, err
		}
		for i := len(tail) - zipEndLen; i >= 0; i-- {
			if string(tail[i:i+4]) != zipEnd {
				continue
			}
			comment := int(binary.LittleEndian.Uint16(tail[i+20:]))
			if i+zipEndLen+comment == len(tail) {
				return parseZipEnd(b, tail[i:i+zipEndLen], b.size-n+int64(i))
			}
		}
	}
	e := fault(Truncated, b.size, "a zip archive without the directory that belongs at its end")
	e.Hint = "the download may be cut: compare the file's size with the source's, and fetch it again"
	return zipEndRecord{}, e
}

// zipEndFields are the numbers of an end record: the number of this disk and of
// the directory's, the members on this disk and in all, the bytes of the
// directory, and where it begins.
type zipEndFields [6]uint64

// parseZipEnd understands the end record at a place, and the zip64 record that
// may stand before it.
func parseZipEnd(b *blob, p []byte, place int64) (zipEndRecord, error) {
	le := binary.LittleEndian
	f := zipEndFields{
		uint64(le.Uint16(p[4:])), uint64(le.Uint16(p[6:])), uint64(le.Uint16(p[8:])), uint64(le.Uint16(p[10:])),
		uint64(le.Uint32(p[12:])), uint64(le.Uint32(p[16:])),
	}
	wide, end, err := findZip64End(b, place)
	if err != nil {
		return zipEndRecord{}, err
	}
	if wide != nil {
		full := zipEndFields{math.MaxUint16, math.MaxUint16, math.MaxUint16, math.MaxUint16, math.MaxUint32, math.MaxUint32}
		for i := range f {
			if f[i] != full[i] && f[i] != wide[i] {
				return zipEndRecord{}, fault(Corrupt, end, "the two end records of the zip archive differ")
			}
		}
		f = *wide
	}
	disk, dirDisk, here, all, size, off := f[0], f[1], f[2], f[3], f[4], f[5]
	if disk != 0 || dirDisk != 0 || here != all {
		return zipEndRecord{}, fault(Unsupported, place, "a zip archive in several parts")
	}
	if off > uint64(end) || size != uint64(end)-off {
		return zipEndRecord{}, fault(Corrupt, place, "the zip directory is said to be %d bytes at byte %d, but it must end at byte %d", size, off, end)
	}
	return zipEndRecord{off: int64(off), size: int64(size), count: all}, nil
}

// findZip64End reads the zip64 record that belongs to the end record at a place,
// and tells where the directory must end: before the one or the other. Without a
// zip64 record it is nil.
func findZip64End(b *blob, place int64) (*zipEndFields, int64, error) {
	le := binary.LittleEndian
	before := place - zipLocator64Len
	if before < 0 {
		return nil, place, nil
	}
	locator, err := b.bytes(before, zipLocator64Len)
	if err != nil || string(locator[:4]) != zipLocator64 {
		return nil, place, err
	}
	at := le.Uint64(locator[8:])
	if at > uint64(before) || uint64(before)-at < zipEnd64Len {
		return nil, 0, fault(Corrupt, before, "the zip64 record is said to stand at byte %d", at)
	}
	p, err := b.bytes(int64(at), zipEnd64Len)
	if err != nil {
		return nil, 0, err
	}
	if string(p[:4]) != zipEnd64 {
		return nil, 0, fault(Corrupt, int64(at), "no zip64 record where one is said to be")
	}
	return &zipEndFields{
		uint64(le.Uint32(p[16:])), uint64(le.Uint32(p[20:])), le.Uint64(p[24:]), le.Uint64(p[32:]), le.Uint64(p[40:]), le.Uint64(p[48:]),
	}, int64(at), nil
}
