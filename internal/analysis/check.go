package analysis

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"poslens/internal/posemb"
)

// CheckOptions choose what Check looks for. The zero value is all.
type CheckOptions struct {
	Ignore []string // codes of Checks to leave out
}

// CheckResult is what is wrong with one table.
type CheckResult struct {
	posemb.Origin
	Kind     posemb.Kind `json:"kind"`
	Rows     int         `json:"rows"`  // of the table: positions or offsets
	Width    int         `json:"width"` // components, or heads of a bias
	Errors   int         `json:"errors"`
	Notes    int         `json:"notes"`
	Findings []Finding   `json:"findings"` // in the order of Checks

	// Reasons say why checks, by their codes, could not be made.
	Reasons map[string]string `json:"reasons,omitempty"`
}

// Finding is one thing that is wrong.
type Finding struct {
	Code   string `json:"code"` // of Checks
	Level  Level  `json:"level"`
	Unit   string `json:"unit,omitempty"`  // what Rows count: "position" where reserved rows, a range or a stride have moved them; else stored entries: "row", "bucket", "column"; "offset" where nothing is stored. Empty: the whole table
	Rows   []Span `json:"rows"`            // rising; empty: the whole table
	Pairs  []Pair `json:"pairs,omitempty"` // of copies, with what they are copies of; rising
	Head   string `json:"head,omitempty"`
	Figure string `json:"figure"` // what Value is
	Value  Value  `json:"value"`
	Text   string `json:"text"` // a sentence for the person who trained the model
}

// Span is a range of rows, both ends included.
type Span struct{ From, To int }

// MarshalJSON writes [from, to].
func (s Span) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "[%d,%d]", s.From, s.To), nil }

// String is "3", or "3..7".
func (s Span) String() string {
	if s.From == s.To {
		return strconv.Itoa(s.From)
	}
	return fmt.Sprintf("%d..%d", s.From, s.To)
}

// Check looks for everything in Checks that a table of its kind can have. It takes one
// pass over the products of all pairs of rows, O(n^2 d) time, and memory for one copy
// of the table; without the checks of random rows (initial-table, untrained-rows,
// noise-floor) O(n d log n). A table without a finite row has findings, and no error; the only
// errors are a code that is not in Checks, an empty table (ErrNothing), and that ctx
// is done.
func Check(ctx context.Context, t posemb.Table, opt CheckOptions) (*CheckResult, error) {
	for _, code := range opt.Ignore {
		if !KnownCheck(code) {
			return nil, fmt.Errorf("no check is called %q", code)
		}
	}
	res := &CheckResult{Origin: *t.From(), Kind: t.Kind(), Findings: []Finding{}, Reasons: map[string]string{}}
	c := &checking{res: res, ignore: opt.Ignore}
	var err error
	switch t := t.(type) {
	case *posemb.Absolute:
		if t.Table == nil || t.Table.IsEmpty() {
			return nil, nothing("the table has no rows")
		}
		c.t, c.rowNames = t, namesOf(t)
		res.Rows, res.Width = t.Table.Dims()
		c.grid = t.Grid
		c.aside(t)
		err = c.vectors(ctx)
	case *posemb.Vectors:
		if t.Table == nil || t.Table.IsEmpty() {
			return nil, nothing("the table has no rows")
		}
		res.Rows, res.Width = t.Table.Dims()
		e := entriesOf(t.Table, t.Axes, t.Stored)
		c.t, c.rowNames = e.table(t.Table), e.names()
		err = c.vectors(ctx)
	case *posemb.Bias:
		if t.Scores == nil || t.Scores.IsEmpty() {
			return nil, nothing("the table has no scores")
		}
		res.Rows, res.Width = t.Scores.Dims()
		e := entriesOf(t.Scores, t.Axes, t.Stored)
		c.rowNames = e.names()
		c.bias(t, e)
		err = ctx.Err()
	default:
		return nil, fmt.Errorf("no check of a %s table", t.Kind())
	}
	if err != nil {
		return nil, err
	}
	c.settle()
	return res, nil
}

// checking is one table under test.
type checking struct {
	res      *CheckResult
	ignore   []string
	t        *posemb.Absolute // the rows under test; of vectors of offsets the stored ones
	grid     posemb.Grid      // that the rows follow; zero: a line
	repeated bool             // the table repeats itself to the bit
	rowNames
}

// rowNames are how rows are told.
type rowNames struct {
	unit   string
	number func(i int) int         // of row i, in that unit
	words  func(rows []int) string // "rows 3, 7 to 12"
}

// namesOf tells rows of a table of positions.
func namesOf(a *posemb.Absolute) rowNames {
	positions := a.Positions()
	unit := "row"
	if a.Reserved != 0 || a.First != 0 || a.Stride > 1 { // as naming has it
		unit = "position"
	}
	return rowNames{unit, func(i int) int { return positions[i] }, naming(a)}
}

// wants tells whether any of some codes is looked for.
func (c *checking) wants(codes ...string) bool {
	return slices.ContainsFunc(codes, func(code string) bool { return !slices.Contains(c.ignore, code) })
}

// relative tells whether rows are offsets.
func (c *checking) relative() bool { return c.res.Kind != posemb.KindAbsolute }

// found keeps a finding about some rows, given by their index; none: the table.
func (c *checking) found(code string, rows []int, figure string, value float64, format string, args ...any) *Finding {
	f := Finding{Code: code, Level: ruleOf(code).Level, Rows: []Span{}, Figure: figure, Value: Value(value), Text: fmt.Sprintf(format, args...)}
	if len(rows) > 0 {
		numbers := make([]int, len(rows))
		for k, i := range rows {
			numbers[k] = c.number(i)
		}
		f.Unit, f.Rows = c.unit, spans(numbers)
	}
	c.res.Findings = append(c.res.Findings, f)
	return &c.res.Findings[len(c.res.Findings)-1]
}

// skip gives the reason why some checks could not be made.
func (c *checking) skip(reason string, codes ...string) {
	for _, code := range codes {
		if c.wants(code) {
			c.res.Reasons[code] = reason
		}
	}
}

// settle orders what was found, and leaves out what is not wanted.
func (c *checking) settle() {
	c.res.Findings = slices.DeleteFunc(c.res.Findings, func(f Finding) bool { return slices.Contains(c.ignore, f.Code) })
	order := func(code string) int {
		return slices.IndexFunc(Checks, func(r CheckRule) bool { return r.Code == code })
	}
	slices.SortStableFunc(c.res.Findings, func(a, b Finding) int { return cmp.Compare(order(a.Code), order(b.Code)) })
	for _, f := range c.res.Findings {
		if f.Level == LevelError {
			c.res.Errors++
		} else {
			c.res.Notes++
		}
	}
}

// vectors looks at the rows of a table of vectors.
func (c *checking) vectors(ctx context.Context) error {
	left := c.values()
	if left == nil { // said of the table as a whole
		return ctx.Err()
	}
	if done := c.copies(); done {
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.common(left)
	c.lengths(left)
	c.norms(left)
	return c.cosines(ctx, left)
}

// spans draws whole numbers together.
func spans(numbers []int) []Span {
	numbers = slices.Clone(numbers)
	slices.Sort(numbers)
	var all []Span
	for _, n := range slices.Compact(numbers) {
		if last := len(all) - 1; last >= 0 && all[last].To == n-1 {
			all[last].To = n
			continue
		}
		all = append(all, Span{n, n})
	}
	return all
}
