package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"poslens/internal/checkpoint"
)

// anyRatio is above what one byte of zstd or deflate can stand for: four bytes of
// zstd give 128 KiB at most (RFC 8878, 3.1.1.2).
const anyRatio = 1 << 15

// limitFlags bound what a file may ask for.
type limitFlags struct {
	elements int
	inflate  string
	given    func(flag string) bool
}

// define adds the flags.
func (l *limitFlags) define(f *pflag.FlagSet) {
	l.given = f.Changed
	f.IntVar(&l.elements, "max-elements", 1<<31, "refuse a tensor of more than `N` elements")
	f.StringVar(&l.inflate, "max-inflate", "16G", "refuse what gzip, zstd or zip unpacks to more than `SIZE` bytes (K, M, G, T: of 1024); unless given, also to over 1024 times its size")
}

// read turns the flags into what checkpoint understands. A size that was given
// is the only bound of its kind.
func (l *limitFlags) read() (checkpoint.Limits, error) {
	var limits checkpoint.Limits
	if l.elements < 1 {
		return limits, usagef("--max-elements: %d is below 1", l.elements)
	}
	inflate, err := parseSize("max-inflate", l.inflate)
	if err != nil {
		return limits, err
	}
	limits.MaxElements, limits.MaxInflate = int64(l.elements), inflate
	if l.given("max-inflate") {
		limits.MaxRatio = anyRatio
	}
	return limits, nil
}

// parseSize reads a number of bytes from 1 on, also with a suffix.
func parseSize(flag, s string) (int64, error) {
	digits, unit := s, int64(1)
	for i, suffix := range []string{"K", "M", "G", "T"} {
		if before, ok := strings.CutSuffix(strings.ToUpper(s), suffix); ok {
			digits, unit = before, 1<<(10*(i+1))
		}
	}
	v, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || v < 1 || v > math.MaxInt64/unit {
		return 0, &usageError{fmt.Sprintf("--%s: %q is no size from 1 byte on", flag, s), fmt.Sprintf("for example --%s 32G; K, M, G and T are of 1024", flag)}
	}
	return v * unit, nil
}
