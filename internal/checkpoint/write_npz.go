package checkpoint

import (
	"archive/zip"
	"hash/crc32"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"poslens/internal/tensor"
)

// WriteNPZ writes tensors as numpy.savez does: a zip of .npy members, stored, in
// the order of their names, all of the same time. A tensor without a name becomes
// arr_0.
func WriteNPZ(w io.Writer, tensors []*tensor.Tensor) error {
	named := make([]npzMember, len(tensors))
	for i, t := range tensors {
		name := t.Name
		if name == "" {
			name = "arr_0"
		}
		named[i] = npzMember{name, t}
	}
	slices.SortStableFunc(named, func(a, b npzMember) int { return strings.Compare(a.name, b.name) })
	for i, m := range named {
		switch {
		case i > 0 && m.name == named[i-1].name:
			return &Error{Kind: DuplicateName, Tensor: m.name, Off: -1, Msg: "two tensors of one name"}
		case !utf8.ValidString(m.name):
			return &Error{Kind: Corrupt, Tensor: m.name, Off: -1, Msg: "the name is not UTF-8"}
		case !filepath.IsLocal(filepath.FromSlash(m.name)) || strings.Contains(m.name, `\`):
			return &Error{Kind: UnsafePath, Tensor: m.name, Off: -1, Msg: "the name leads out of the folder that the archive is unpacked in"}
		}
		if err := fits(m.Shape, len(m.Data)); err != nil {
			return at(err, m.Tensor.Name, -1)
		}
	}
	z := zip.NewWriter(w)
	for _, m := range named {
		if err := m.write(z); err != nil {
			return err
		}
	}
	return z.Close()
}

// npzMember is a tensor and its name in the archive, without .npy.
type npzMember struct {
	name string
	*tensor.Tensor
}

// write adds the member. Its checksum is taken first, so that the sizes stand in
// front of the bytes, where every reader finds them.
func (m npzMember) write(z *zip.Writer) error {
	sum := crc32.NewIEEE()
	size := sizeWriter{w: sum}
	if err := WriteNPY(&size, m.Shape, m.Data); err != nil {
		return at(err, m.Tensor.Name, -1)
	}
	h := &zip.FileHeader{
		Name:               m.name + npySuffix,
		CreatorVersion:     20,
		ReaderVersion:      20,
		Method:             zip.Store,
		CRC32:              sum.Sum32(),
		CompressedSize64:   uint64(size.n),
		UncompressedSize64: uint64(size.n),
	}
	if !isASCII(h.Name) {
		h.Flags |= 0x800 // the name is UTF-8
	}
	//lint:ignore SA1019 CreateRaw writes this field, here 1980-01-01, and not Modified
	h.ModifiedDate = 1<<5 | 1
	into, err := z.CreateRaw(h)
	if err != nil {
		return err
	}
	return WriteNPY(into, m.Shape, m.Data)
}

// sizeWriter counts what it hands on.
type sizeWriter struct {
	w io.Writer
	n int64
}

func (s *sizeWriter) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.n += int64(n)
	return n, err
}

// isASCII tells a name that is the same in every code page.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
