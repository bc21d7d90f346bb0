package checkpoint

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/crc32"
	"runtime"
	"sync"
	"sync/atomic"

	"poslens/internal/progress"
	"poslens/internal/tensor"
)

// A tensor is read in pieces: large enough for one system call or request, and
// small enough that a piece is decoded while it is in the core's cache.
const (
	pieceBytes    = 1 << 20 // of the file, at most
	pieceElements = 1 << 18 // at most
	fewPieces     = 4       // up to which one reader is as fast as several
	maxReaders    = 16      // at once: more take memory, and wait for each other
)

// reading is a tensor on its way from its bytes into memory.
type reading struct {
	info  tensor.Info
	data  []float64
	e     extent
	off   int64 // where its first element stands in the file
	order binary.ByteOrder
	step  int64    // elements of a piece, in whole blocks; the last has fewer
	poly  uint32   // of the CRC-32 that is asked for; 0: of none
	sums  []uint32 // CRC-32 of each piece that was read
	done  func(bytes int64)
}

// fetch fills p with the bytes at a place of the file, or says how many there
// were, and why no more.
type fetch func(p []byte, off int64) (int, error)

// newReading makes room for a tensor of this extent, whose span starts at the
// byte off of the file.
func newReading(info tensor.Info, e extent, off int64, order binary.ByteOrder) *reading {
	size, block := int64(info.DType.Size()), int64(info.DType.Block())
	blocks := min(pieceBytes/size, pieceElements/block, max(e.span/block, 1))
	return &reading{info: info, data: make([]float64, e.count), e: e, off: off, order: order, step: blocks * block}
}

// pieces is how many there are.
func (r *reading) pieces() int { return int((r.e.span + r.step - 1) / r.step) }

// elements is how many stored elements a piece has.
func (r *reading) elements(piece int) int64 { return min(r.step, r.e.span-int64(piece)*r.step) }

// bytes is the bytes of so many stored elements.
func (r *reading) bytes(elements int64) int64 { return r.info.DType.Bytes(elements) }

// begin tells that a tensor of many pieces is to be read.
func (r *reading) begin(ctx context.Context) {
	total := int64(0)
	if r.pieces() > fewPieces {
		total = r.bytes(r.e.span)
	}
	r.done = progress.Start(ctx, progress.Bytes, total)
}

// inOrder reads the pieces one after the other.
func (r *reading) inOrder(ctx context.Context, f fetch) error {
	r.begin(ctx)
	read := r.reader(ctx, f)
	for i := range r.pieces() {
		if err := read(i); err != nil {
			return err
		}
	}
	return nil
}

// shared reads the pieces on all cores when there are many; f is called by
// several goroutines at once. The error is that of the first piece in the file
// that has one: the pieces before it were begun before it, and are read to their
// end.
func (r *reading) shared(ctx context.Context, f fetch) error {
	n := r.pieces()
	readers := min(runtime.GOMAXPROCS(0), maxReaders, n)
	if n <= fewPieces || readers == 1 {
		return r.inOrder(ctx, f)
	}
	r.begin(ctx)
	var next atomic.Int64
	var wait sync.WaitGroup
	errs := make([]error, n)
	for range readers {
		wait.Go(func() {
			read := r.reader(ctx, f)
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				if errs[i] = read(int(i)); errs[i] != nil {
					next.Store(int64(n)) // no further piece is begun
				}
			}
		})
	}
	wait.Wait()
	return cmp.Or(errs...)
}

// reader makes what reads a piece straight into its place, with scratch space of
// its own. Different pieces have different places, in a strided tensor too.
func (r *reading) reader(ctx context.Context, f fetch) func(piece int) error {
	scratch := make([]byte, r.bytes(r.step))
	table := r.table()
	dense := r.info.Dense()
	var loose []float64 // decoded, not yet in place
	if !dense {
		loose = make([]float64, r.step)
	}
	return func(piece int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		from, n := int64(piece)*r.step, r.elements(piece)
		raw := scratch[:r.bytes(n)]
		off := r.off + r.bytes(from)
		if got, err := f(raw, off); got < len(raw) { // an io.EOF beside the last byte is no fault
			return readFault(off+int64(got), err)
		}
		r.done(int64(len(raw)))
		if table != nil {
			r.sums[piece] = crc32.Checksum(raw, table)
		}
		if dense {
			return tensor.Decode(r.data[from:from+n], raw, r.info.DType, r.order)
		}
		if err := tensor.Decode(loose[:n], raw, r.info.DType, r.order); err != nil {
			return err
		}
		tensor.Gather(r.data, loose[:n], from, r.info)
		return nil
	}
}

// tensor is what was read, or what kept it from being read.
func (r *reading) tensor(err error) (*tensor.Tensor, error) {
	if err != nil {
		return nil, at(err, r.info.Name, -1)
	}
	return &tensor.Tensor{Info: r.info, Data: r.data}, nil
}

// summed asks for the CRC-32 of what is read, with the polynomial poly.
func (r *reading) summed(poly uint32) { r.poly, r.sums = poly, make([]uint32, r.pieces()) }

// table is that of the CRC-32 that was asked for; nil: of none.
func (r *reading) table() *crc32.Table {
	if r.poly == 0 {
		return nil
	}
	return crc32.MakeTable(r.poly)
}

// crc is the CRC-32 of the span behind bytes that have the CRC-32 given.
func (r *reading) crc(sum uint32) uint32 {
	for i, s := range r.sums {
		sum = joinCRC(r.poly, sum, s, r.bytes(r.elements(i)))
	}
	return sum
}
