package checkpoint

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"strconv"

	"poslens/internal/tensor"
)

// onnxPlace is where external_data says that a tensor's numbers are.
type onnxPlace struct {
	location string // of the file, from the folder of the model
	offset   string // of the first byte; empty: 0
	length   string // in bytes; empty: up to the file's end
	twice    string // a key that stands twice

	off, need int64 // the offset, and the bytes that the shape needs
}

// take takes one entry in. Other keys, such as checksum, are left aside.
func (p *onnxPlace) take(entry wireMessage) error {
	key, value, err := readEntry(entry)
	if err != nil {
		return err
	}
	var into *string
	switch key {
	case "location":
		into = &p.location
	case "offset":
		into = &p.offset
	case "length":
		into = &p.length
	default:
		return nil
	}
	if *into != "" {
		p.twice = key
	}
	*into = value
	return nil
}

// check tells whether the place makes sense for a tensor that needs so many
// bytes. It does not look for the file.
func (p *onnxPlace) check(need int64) error {
	p.need = need
	switch {
	case p.twice != "":
		return fault(Corrupt, -1, "external_data has the key %s twice", p.twice)
	case p.location == "":
		return fault(Corrupt, -1, "external_data does not say in which file")
	case !filepath.IsLocal(p.location):
		return fault(UnsafePath, -1, "its numbers are said to be in %s, which is outside of the model's folder", quoted(p.location))
	}
	for _, n := range []struct {
		name, text string
		most       int64
	}{{"offset", p.offset, -1}, {"length", p.length, need}} {
		if n.text == "" {
			continue
		}
		v, err := strconv.ParseInt(n.text, 10, 64)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			return fault(Corrupt, -1, "external_data has the %s %s, which is no number", n.name, quoted(n.text))
		case err != nil || v < 0:
			return fault(OutOfRange, -1, "external_data has the %s %s", n.name, quoted(n.text))
		case n.name == "offset":
			p.off = v
		case v != need:
			return fault(BadShape, -1, "external_data has %d bytes, but the shape needs %d", v, need)
		}
	}
	return nil
}

// read opens the file and reads the numbers, and nothing else of it.
func (p *onnxPlace) read(ctx context.Context, t *onnxTensor) (*tensor.Tensor, error) {
	folder := t.g.b.folder
	if folder == nil {
		e := fault(NotFound, -1, "its numbers are in the file %s, and standard input has no files beside it", quoted(p.location))
		e.Hint = "name the model's file: its folder has the other one"
		return nil, at(e, t.info.Name, -1)
	}
	file, err := openBeside(folder, path.Join(path.Dir(t.g.b.name), filepath.ToSlash(p.location)))
	if err != nil {
		return nil, at(p.named(err), t.info.Name, -1)
	}
	defer file.Close()
	if err := p.fits(file.size); err != nil {
		return nil, at(p.named(err), t.info.Name, -1)
	}
	got, err := file.tensor(ctx, t.info, p.off, p.need, nil, t.g.limits)
	return got, p.named(err)
}

// fits holds the place against the size of the file.
func (p *onnxPlace) fits(size int64) error {
	switch {
	case p.off > size:
		return fault(OutOfRange, -1, "its first byte is said to be at %d, but the file has %d", p.off, size)
	case p.length == "" && p.need != size-p.off:
		return fault(BadShape, -1, "the file has %d bytes from %d on, but the shape needs %d", size-p.off, p.off, p.need)
	}
	return nil
}

// named says in an Error which file it is about.
func (p *onnxPlace) named(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	told := *e
	told.Msg = "its numbers are in the file " + quoted(p.location) + ": " + e.Msg
	if told.Kind == NotFound {
		told.Hint = "put it beside the model's file: they belong together"
	}
	return &told
}
