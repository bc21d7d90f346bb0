package cli

import (
	"fmt"
	"slices"
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
	axes       string
	sign       string
	offsets    string
	buckets    string
	layer      string // as given
	layers     []int  // none: any
	everyLayer bool   // all layers are asked for
	relative   bool   // a bare matrix is a relative table
	matrix     bool   // the table is a matrix of scores
	several    bool   // there are several operands: what is told of one names it
	limits     limitFlags
}

// addReading defines the reading flags of a command, those that only absolute or
// only relative tables know where it takes such.
func addReading(cmd *cobra.Command, r *readingFlags, absolute, relative bool) {
	r.cmd = cmd
	group(cmd, "Reading", func(f *pflag.FlagSet) {
		f.StringVar(&r.tensor, "tensor", "", "the tensor's `NAME` or glob, for every source without a #TENSOR")
		f.StringVar(&r.arch, "arch", "", "read as this architecture; `NAME` as in: poslens help architectures")
		f.StringVar(&r.layer, "layer", "", "take the table of layer `N`, those of N,N,..., or all")
		if absolute {
			f.StringVar(&r.positions, "positions", "", "keep positions `A:B` (B not included; A: and :B are open)")
			f.IntVar(&r.stride, "stride", 0, "keep only every `N`-th position")
			f.IntVar(&r.reserved, "reserved", 0, "leading `ROWS` that are no positions (default: by architecture)")
			f.IntVar(&r.suffix, "suffix", 0, "trailing `ROWS` that are no positions (default: by architecture)")
		}
		f.StringVar(&r.grid, "grid", "", gridUsage(absolute, relative))
		f.StringVar(&r.axes, "axes", "", "the tensor's dimensions in the order stored: `WORD,WORD` of "+strings.Join(posemb.AxisWords(), ", "))
		if relative {
			f.StringVar(&r.sign, "sign", "", "stored rows run by `WHICH`: "+strings.Join(signs, " or ")+" (default: by architecture)")
			f.StringVar(&r.offsets, "offsets", "", "the rows of a bare matrix are the offsets `A:B` (B not included); of a computed bias, those to compute")
			f.StringVar(&r.buckets, "buckets", "", "rows are buckets by `RULE,N,MAX` (RULE: t5 or t5-causal; for example t5,32,128)")
		}
		r.limits.define(f)
	})
	mustComplete(cmd, "arch", oneWord(archNames()))
	mustComplete(cmd, "layer", []string{"all"})
	mustCompleteList(cmd, "axes", posemb.AxisWords())
	if relative {
		mustComplete(cmd, "sign", signs)
		mustComplete(cmd, "buckets", []string{posemb.T5Both + ",32,128", posemb.T5Causal + ",32,128"}) // as T5 has them
	}
}

// signs are the words that --sign takes.
var signs = []string{posemb.KeyQuery, posemb.QueryKey}

// gridUsage says what a grid is of the tables that a command takes.
func gridUsage(absolute, relative bool) string {
	switch {
	case !absolute:
		return "the offsets are those of a window of `HxW`"
	case relative:
		return "the rows are a raster of `HxW` patches, or TxHxW of T frames; the offsets those of a window of HxW"
	}
	return "the rows are a raster of `HxW` patches, or TxHxW of T frames"
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
	if o.Grid, o.Frames, err = parseGrid(r.grid); err != nil {
		return o, err
	}
	if o.Axes, err = parseAxes(r.axes); err != nil {
		return o, err
	}
	if err = oneOf("sign", r.sign, signs); err != nil {
		return o, err
	}
	o.Sign = r.sign
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

// mustCompleteList offers the words of a flag that takes several with commas between
// them: those that are not there yet.
func mustCompleteList(cmd *cobra.Command, flag string, words []string) {
	f := func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		done := typed[:strings.LastIndexByte(typed, ',')+1]
		var offered []string
		for _, w := range words {
			if !slices.Contains(strings.Split(done, ","), w) {
				offered = append(offered, done+w)
			}
		}
		return offered, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // a bug: the command has no flag of that name
	}
}
