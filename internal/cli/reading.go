package cli

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/posemb"
)

// readingFlags say how a source is to be read, where the default does not do.
type readingFlags struct {
	cmd        *cobra.Command
	tensor     string
	arch       string
	positions  string
	stride     int
	reserved   int
	suffix     int
	grid       string
	offsets    string
	buckets    string
	layer      string // as given
	layers     []int  // none: any
	everyLayer bool   // all layers are asked for
	relative   bool   // a bare matrix is a relative table
	matrix     bool   // the table is a matrix of scores
	limits     limitFlags
}

// addReading defines the reading flags of a command. A command for absolute
// tables needs no offsets, one for relative tables no grid.
func addReading(cmd *cobra.Command, r *readingFlags, absolute, relative bool) {
	r.cmd = cmd
	group(cmd, "Reading", func(f *pflag.FlagSet) {
		f.StringVar(&r.tensor, "tensor", "", "the tensor's `NAME` or glob, for every source without a #TENSOR")
		f.StringVar(&r.arch, "arch", "", "read as this architecture; `NAME` as in: poslens help architectures")
		f.StringVar(&r.layer, "layer", "", "take the table of layer `N`; N,N,... several, all every one")
		if absolute {
			f.StringVar(&r.positions, "positions", "", "keep positions `A:B` (B not included; A: and :B are open)")
			f.IntVar(&r.stride, "stride", 0, "keep only every `N`-th position")
			f.IntVar(&r.reserved, "reserved", 0, "leading `ROWS` that are no positions (default: by architecture)")
			f.IntVar(&r.suffix, "suffix", 0, "trailing `ROWS` that are no positions (default: by architecture)")
			f.StringVar(&r.grid, "grid", "", "the rows are a raster of `HxW` patches")
		}
		if relative {
			f.StringVar(&r.offsets, "offsets", "", "a bare matrix has a row for each offset `A:B` (B not included)")
			f.StringVar(&r.buckets, "buckets", "", "a bare matrix has a row a bucket: `RULE,N,MAX` (RULE: t5 or t5-causal; for example t5,32,128)")
		}
		r.limits.define(f)
	})
	mustComplete(cmd, "arch", archNames())
}

// options turns the flags into what posemb understands.
func (r *readingFlags) options() (posemb.ReadOptions, error) {
	o := posemb.ReadOptions{Arch: r.arch, Stride: r.stride, Relative: r.relative}
	if _, err := r.limits.read(); err != nil { // a table made here opens no file
		return o, err
	}
	if r.stride < 1 && r.cmd.Flags().Changed("stride") {
		return o, usagef("--stride: %d is below 1", r.stride)
	}
	if err := r.readLayers(); err != nil {
		return o, err
	}
	if r.arch != "" && !posemb.KnownArch(r.arch) {
		if err := oneOf("arch", r.arch, archNames()); err != nil {
			return o, err
		}
	}
	for _, count := range []struct {
		flag  string
		value int
		to    **int
	}{{"reserved", r.reserved, &o.Reserved}, {"suffix", r.suffix, &o.Suffix}} {
		if !r.cmd.Flags().Changed(count.flag) {
			continue
		}
		if count.value < 0 {
			return o, usagef("--%s: %d is negative", count.flag, count.value)
		}
		v := count.value
		*count.to = &v
	}
	var err error
	if o.Positions, err = parseRange("positions", r.positions); err != nil {
		return o, err
	}
	if o.Offsets, err = parseRange("offsets", r.offsets); err != nil {
		return o, err
	}
	if o.Offsets != nil && r.buckets != "" {
		return o, usagef("--offsets and --buckets contradict each other: buckets say which offsets there are")
	}
	if o.Grid, err = parseGrid(r.grid); err != nil {
		return o, err
	}
	o.Buckets, err = parseBuckets(r.buckets)
	return o, err
}

// readLayers reads N, N,N,... or all.
func (r *readingFlags) readLayers() error {
	r.layers, r.everyLayer = nil, r.layer == "all"
	if r.everyLayer || !r.cmd.Flags().Changed("layer") {
		return nil
	}
	for _, word := range strings.Split(r.layer, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil {
			return &usageError{fmt.Sprintf("--layer: %q is no layer's number", word), "for example --layer 0, --layer 0,3,5 or --layer all"}
		}
		if n < 0 {
			return usagef("--layer: %d is negative", n)
		}
		r.layers = append(r.layers, n)
	}
	return nil
}

// farthest bounds positions and offsets: no table has as many rows.
const farthest = 1 << 31

// parseRange reads a half-open range A:B.
func parseRange(flag, s string) (*posemb.Range, error) {
	if s == "" {
		return nil, nil
	}
	from, to, ok := strings.Cut(s, ":")
	open := flag == "positions" && to == ""
	if flag == "positions" { // either end may be left open
		from, to = cmp.Or(from, "0"), cmp.Or(to, strconv.Itoa(farthest))
	}
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if !ok || err1 != nil || err2 != nil || a >= b || a < -farthest || b > farthest {
		return nil, &usageError{fmt.Sprintf("--%s: %q is not A:B with A below B", flag, s), fmt.Sprintf("for example --%s %s; B itself is not included", flag, map[string]string{"positions": "0:128", "offsets": "-5:6"}[flag])}
	}
	if open {
		b = posemb.End
	}
	return &posemb.Range{From: a, To: b}, nil
}

// parseGrid reads HxW.
func parseGrid(s string) (*posemb.Grid, error) {
	if s == "" {
		return nil, nil
	}
	h, w, ok := strings.Cut(strings.ToLower(s), "x")
	rows, err1 := strconv.Atoi(h)
	cols, err2 := strconv.Atoi(w)
	if !ok || err1 != nil || err2 != nil || rows < 1 || cols < 1 {
		return nil, &usageError{fmt.Sprintf("--grid: %q is not HxW", s), "for example --grid 14x14: 14 rows of 14 patches"}
	}
	return &posemb.Grid{Rows: rows, Cols: cols}, nil
}

// parseBuckets reads RULE,N,MAX.
func parseBuckets(s string) (*posemb.BucketRule, error) {
	if s == "" {
		return nil, nil
	}
	parts := strings.Split(s, ",")
	bad := &usageError{fmt.Sprintf("--buckets: %q is not RULE,N,MAX", s), "RULE is t5 (both directions) or t5-causal; for example --buckets t5,32,128"}
	if len(parts) != 3 || parts[0] != posemb.T5Both && parts[0] != posemb.T5Causal {
		return nil, bad
	}
	n, err1 := strconv.Atoi(parts[1])
	m, err2 := strconv.Atoi(parts[2])
	if err1 != nil || err2 != nil || n < 2 || m < 1 {
		return nil, bad
	}
	return &posemb.BucketRule{Name: parts[0], Buckets: n, MaxDistance: m}, nil
}

// archNames are the names that --arch takes.
func archNames() []string {
	var names []string
	for _, p := range posemb.Presets {
		names = append(names, p.Arch)
	}
	return names
}

// mustComplete offers the values of a flag to the shell.
func mustComplete(cmd *cobra.Command, flag string, values []string) {
	f := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // a bug: the command has no flag of that name
	}
}
