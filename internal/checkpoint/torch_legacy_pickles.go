package checkpoint

import (
	"context"
	"errors"

	"poslens/internal/pickle"
)

// pickleWindow is what is read first of a file that begins with pickles: most
// models' objects are told in less.
const pickleWindow = 64 << 10

// pickles reads pickles that stand one behind the other at the front of a file.
// None tells its length, so a window of the file is read, and a larger one where
// a pickle does not end in it.
type pickles struct {
	b       *blob
	most    int64  // bytes of one pickle
	off     int64  // of the file, where the next pickle begins
	window  []byte // of the file, from off on
	globals []*pickle.Global
}

// next decodes the next pickle; what says in an error which one that is.
func (p *pickles) next(ctx context.Context, what string) (pickle.Value, *pickle.Report, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		v, report, err := pickle.Decode(p.window, pickle.Limits{})
		if err == nil {
			p.off += report.Len
			p.window = p.window[report.Len:]
			p.globals = append(p.globals, report.Globals...)
			return v, report, nil
		}
		var e *pickle.Error
		if !errors.As(err, &e) {
			return nil, nil, err
		}
		rest := p.b.size - p.off
		switch have := int64(len(p.window)); {
		case e.Kind != pickle.Truncated, have == rest:
			return nil, nil, fault(pickleKind(e), p.off+e.Off, "%s: %s", what, e.Msg)
		case have >= p.most:
			return nil, nil, fault(HeaderTooLarge, p.off, "%s: over %d bytes", what, p.most)
		default:
			p.window, err = p.b.bytes(p.off, min(max(4*have, pickleWindow), p.most, rest))
		}
		if err != nil {
			return nil, nil, err
		}
	}
}

// bytes gives n bytes of the file, at or behind the next pickle: out of the window
// where they are in it.
func (p *pickles) bytes(off, n int64) ([]byte, error) {
	if i := off - p.off; i >= 0 && n <= int64(len(p.window))-i {
		return p.window[i : i+n], nil
	}
	return p.b.bytes(off, n)
}
