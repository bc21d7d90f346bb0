package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"poslens/internal/posemb"
)

// ProbeOptions say how often to probe and from which seed. The zero value is the
// default.
type ProbeOptions struct {
	Repeats  int    // random orders and draws of pairs; 0: 10
	Seed     uint64 // of all of them
	Reserved bool   // the table was read with its reserved rows as positions, as the released code takes RoBERTa's 514 rows
}

// What probes are made of.
const (
	probeRepeats = 10
	mostRepeats  = 10000
	probeFolds   = 5
	probeRows    = 512 // the released code's, and as many as the repaired probes take
	reservedRows = 2   // which the released code takes of RoBERTa's table
	leastProbed  = 10  // rows: fewer leave folds of one
)

// ProbeResult is what linear models and a seriation read from a table of positions.
type ProbeResult struct {
	posemb.Origin
	Positions        int      `json:"positions"`
	Width            int      `json:"width"`
	Repeats          int      `json:"repeats"`
	Seed             uint64   `json:"seed"`
	Absolute         Probe    `json:"absolute"`           // as published: mean |round(prediction) - position|, in positions
	AbsoluteRepaired Probe    `json:"absolute_repaired"`  // mean |prediction - position|, in positions
	Relative         Probe    `json:"relative"`           // as published: share of pairs whose order is told wrongly, 0 to 1
	RelativeRepaired Probe    `json:"relative_repaired"`  // the same, 0 to 1
	Order            Order    `json:"order"`              // by the positive cosines
	OrderSharp       Order    `json:"order_sharp"`        // by their eighth powers
	Notes            []string `json:"notes,omitempty"`    // what was chosen
	Warnings         []string `json:"warnings,omitempty"` // about rows
}

// Probe is the error of one probe.
type Probe struct {
	Mean   Value  `json:"mean"`             // over the repeats
	SD     Value  `json:"sd"`               // of the sample of repeats
	Each   Values `json:"each"`             // repeat for repeat
	Guess  Value  `json:"guess"`            // the error of who has not seen the table: always the middle position, or heads or tails
	Rows   int    `json:"rows"`             // that were probed
	Reason string `json:"reason,omitempty"` // why there is no mean
}

// Probes asks how well a linear model reads positions from a table's rows, and
// whether their similarities alone order them.
//
// The absolute probe is a least-squares fit from row to position, the relative one a
// logistic regression from two rows to which comes later, both on random folds; each
// is given as the released code has it (MiuLab/PE-Study, absolute.py and relative.py;
// Wang and Chen 2020) and repaired (probeAbsolute and probeRelative say of what). The
// order is that of the Fiedler vector of the positive cosines (recoverOrder).
//
// By default it takes 50 to 100 decompositions of 410 x 512 matrices and 100 logistic
// regressions of as many pairs, some seconds on two processors whatever the table's
// length, and at most 100 MB beside the table. The result depends on the table,
// the repeats and the seed alone. An error says that an option is out of range, that
// reserved rows are asked for which the table no longer has, that no row is defined
// (ErrNothing), or that ctx is done.
func Probes(ctx context.Context, a *posemb.Absolute, opt ProbeOptions) (*ProbeResult, error) {
	repeats := cmp.Or(opt.Repeats, probeRepeats)
	if repeats < 0 || repeats > mostRepeats {
		return nil, fmt.Errorf("%d repeats of the probes: must be 1 to %d", opt.Repeats, mostRepeats)
	}
	if opt.Reserved && a.Reserved > 0 {
		return nil, fmt.Errorf("the probes are to take reserved rows too, but %d of them were left out of the table: read it with 0 reserved rows", a.Reserved)
	}
	own, err := newSubject(ctx, a)
	if err != nil {
		return nil, err
	}
	s := &probing{own, a.Table}
	n, d := a.Table.Dims()
	r := &ProbeResult{Origin: a.Origin, Positions: n, Width: d, Repeats: repeats, Seed: opt.Seed, Warnings: s.rows.warnings}
	r.remark(a, opt)
	for _, probe := range []func(context.Context, *probing, ProbeOptions) error{r.probeAbsolute, r.probeRelative, r.recoverOrder} {
		if err := probe(ctx, s, ProbeOptions{Repeats: repeats, Seed: opt.Seed, Reserved: opt.Reserved}); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// remark notes which rows the probes take.
func (r *ProbeResult) remark(a *posemb.Absolute, opt ProbeOptions) {
	note := func(format string, args ...any) { r.Notes = append(r.Notes, fmt.Sprintf(format, args...)) }
	if most := publishedRows(opt); r.Positions > most {
		note("the published absolute probe takes the first %d of %d positions, the relative one the first %d, as the released code does", most, r.Positions, probeRows)
	}
	if r.Positions > probeRows {
		note("the repaired probes take %d of %d positions, evenly spread", probeRows, r.Positions)
	}
	if r.Positions > mostOrdered {
		note("the order is that of %d of %d positions, evenly spread", mostOrdered, r.Positions)
	}
	if a.Reserved > 0 {
		note("%d reserved %s left out of the probes; the released code takes them as positions", a.Reserved, plural(a.Reserved, "row is", "rows are"))
	}
	if opt.Reserved {
		note("reserved rows that the table holds are probed as positions, in the repaired probes and the order too")
	}
	if a.Grid.Rows > 1 && a.Grid.Cols > 1 || a.Frames > 1 {
		note("positions of a grid are probed in raster order")
	}
}

// publishedRows is how many rows the published absolute probe takes at most.
func publishedRows(opt ProbeOptions) int {
	if opt.Reserved {
		return probeRows + reservedRows
	}
	return probeRows
}

// undefinedProbe is a probe that tells nothing, and why.
func undefinedProbe(rows int, reason string) Probe {
	nan := Value(math.NaN())
	return Probe{Mean: nan, SD: nan, Guess: nan, Rows: rows, Reason: reason}
}

// tooFew is the reason of a probe of too few rows; empty when there are enough.
func tooFew(rows int) string {
	if rows >= leastProbed {
		return ""
	}
	return fmt.Sprintf("%d finite %s: a probe needs %d", rows, plural(rows, "row", "rows"), leastProbed)
}

// over sums repeats up.
func (p *Probe) over(each []float64) {
	p.Each = each
	mean, sd := stat.MeanStdDev(each, nil)
	p.Mean, p.SD = Value(mean), Value(sd)
	if len(each) < 2 {
		p.SD = Value(math.NaN())
	}
}
