package checkpoint

// Limits bound what a file may ask for. The zero value means the defaults.
type Limits struct {
	MaxElements int64 // elements of one tensor; default 1 << 31
	MaxHeader   int64 // bytes of a header, of a pickle, of an index's blocks and keys, of all keys between the data; default 100,000,000 (the official safetensors limit)
	MaxInflate  int64 // bytes of one zip member, or of a whole gzip or zstd file, after decompression; default 16 GiB
	MaxRatio    int64 // decompressed bytes per compressed byte, beside 1 MiB that are always allowed, and elements of an expanded view per byte of the file; default 1024
	MaxText     int64 // bytes of a CSV, TSV or JSON matrix; default 1 GiB
	MaxStream   int64 // bytes of standard input and of files that can't be read at any place; default 64 GiB
}

// What is kept of a header's tensors takes several times its bytes, so their number
// is bounded, too: models have a few thousand.
const (
	maxTensors = 1 << 18
	maxNames   = 64 << 20 // bytes of all their names together, where keys are joined or repeated
)

// withDefaults fills the zero fields.
func (l Limits) withDefaults() Limits {
	set := func(p *int64, v int64) {
		if *p == 0 {
			*p = v
		}
	}
	set(&l.MaxElements, 1<<31)
	set(&l.MaxHeader, 100_000_000)
	set(&l.MaxInflate, 16<<30)
	set(&l.MaxRatio, 1024)
	set(&l.MaxText, 1<<30)
	set(&l.MaxStream, 64<<30)
	return l
}
