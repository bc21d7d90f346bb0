package checkpoint

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
)

// unpacking reads what a compressed file holds, and counts it.
type unpacking struct {
	io.ReadCloser // of the bytes inside
	layer         layer
	in            *boundReader  // the compressed bytes
	ahead         *bufio.Reader // those of them that were read, but not unpacked yet
	size          int64         // of the compressed file
	limits        Limits
	most          int64 // bytes that may come of it
	n             int64 // those that came
	err           error // what ended it, but for the end of the file
}

// unpack starts to unpack a file.
func (y layer) unpack(ctx context.Context, b *blob, l Limits) (*unpacking, error) {
	in := &boundReader{ctx: ctx, r: io.NewSectionReader(b, 0, b.size), most: b.size}
	u := &unpacking{layer: y, in: in, ahead: bufio.NewReaderSize(in, 64<<10), size: b.size, limits: l, most: l.MaxInflate}
	if b.size <= (math.MaxInt64-inflateSlack)/l.MaxRatio {
		u.most = min(u.most, b.size*l.MaxRatio+inflateSlack)
	}
	var err error
	if u.ReadCloser, err = y.reader(u.ahead, u.most); err != nil {
		return nil, err
	}
	return u, nil
}

// Read unpacks. It ends with io.EOF only where the file ended as it should.
func (u *unpacking) Read(p []byte) (int, error) {
	if u.err != nil {
		return 0, u.err
	}
	n, err := u.ReadCloser.Read(p)
	u.n += int64(n)
	switch {
	case u.n > u.most:
		u.err = u.tooMuch()
		return 0, u.err
	case err != nil && err != io.EOF:
		u.err = u.fault(err)
		return n, u.err
	}
	return n, err
}

// tooMuch is the Error of a file that unpacks to more than it may.
func (u *unpacking) tooMuch() *Error {
	if u.most < u.limits.MaxInflate {
		return overInflate(-1, "its %d bytes unpack to more than %d, over %d times as many", u.size, u.most, u.limits.MaxRatio)
	}
	return overInflate(-1, "unpacks to more than the %d bytes that are allowed", u.most)
}

// fault is the Error of compressed bytes that can't be unpacked.
func (u *unpacking) fault(err error) error {
	if u.in.err != nil { // some readers make another error of it
		return u.in.err
	}
	at := u.in.read - int64(u.ahead.Buffered())
	if _, left := u.ahead.Peek(1); errors.Is(err, io.ErrUnexpectedEOF) && left == io.EOF {
		e := fault(Truncated, at, "the file ends in the middle of its %s data", u.layer.name)
		e.Hint = "the download may be incomplete: fetch the file again"
		return e
	}
	e := u.layer.explain(err, u.most)
	if e == nil {
		e = &Error{Kind: Corrupt, Msg: "its " + u.layer.name + " data can't be unpacked", Err: err}
	}
	e.Off = at
	if e.Hint == "" {
		e.Hint = "the download may be damaged: fetch the file again"
	}
	return e
}
