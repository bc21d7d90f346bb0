package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
)

// checkFlags choose what is looked for, what counts, and what is shown.
type checkFlags struct {
	ignore []string
	strict bool
	norms  bool
}

func (a *app) checkCommand() *cobra.Command {
	var (
		read readingFlags
		out  outputFlags
		how  checkFlags
	)
	cmd := &cobra.Command{
		Use:   "check SOURCE...",
		Short: "Faults of a table: rows that are untrained, duplicate, zero or broken",
		Long: `What is wrong with the position tables of a file, all of them unless one is
named: an error is a table that is broken or in part never was trained, a note
what healthy tables can have too. Each finding names its rows, a figure, and
what it means. The status is 3 when there is an error.

A figure, and --norms, shows the L2 norm of each row against its position or
offset, and on it what was found: errors as dark bands with a thick bar above,
notes as faint ones. Reserved rows have no position and are left out; scores of
offsets have no norms. What each finding means: poslens help check.`,
		Example: `  poslens check model.safetensors
  poslens check *.pt --ignore norm-outliers --strict -q
  poslens check model.pt -o findings.json -o norms.png`,
		Args:        someSources,
		Annotations: map[string]string{manualKey: checksHelp()},
	}
	addReading(cmd, &read, true, true)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		f.StringSliceVar(&how.ignore, "ignore", nil, "leave `CODE` out; repeatable, or with commas between")
		f.BoolVar(&how.strict, "strict", false, "a note gives status 3 too")
		f.BoolVar(&how.norms, "norms", false, "text and data are the norm of each row, with the codes found there")
	})
	mustCompleteList(cmd, "ignore", checkCodes())
	addOutput(cmd, &out)
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("ignore") && (len(how.ignore) == 0 || slices.Contains(how.ignore, "")) {
			return usagef("--ignore: the code is empty")
		}
		for _, code := range how.ignore {
			if err := oneOf("ignore", code, checkCodes()); err != nil {
				return err
			}
		}
		if err := a.check(&out, inputs(args)); err != nil {
			return err
		}
		return a.checkTables(cmd.Context(), args, &read, &out, how)
	})
	return cmd
}

// checkTables checks every table of every operand.
func (a *app) checkTables(ctx context.Context, operands []string, read *readingFlags, out *outputFlags, how checkFlags) error {
	opt, err := read.options()
	if err != nil {
		return err
	}
	var tables []loaded
	some := a.forEach(operands, func(raw string) error {
		found, err := a.loadOne(ctx, parseOperand(raw, isPlace), read, opt, anyKind(), true)
		tables = append(tables, found...)
		return err
	})
	if len(tables) == 0 || some != nil && !someFailed(some) {
		return some
	}
	a.label(tables)
	results, err := ofTables(a, tables, func(l loaded) (checkedTable, error) {
		r, err := analysis.Check(ctx, l.table, analysis.CheckOptions{Ignore: how.ignore})
		if err != nil {
			return checkedTable{}, err
		}
		for _, rule := range analysis.Checks {
			if reason := r.Reasons[rule.Code]; reason != "" {
				a.detail("%s: not asked for %s: %s", r.Label, rule.Code, reason)
			}
		}
		return checked(r, l.table), nil
	})
	if len(results) == 0 {
		return err
	}
	p := checkProduct(results)
	forms := a.asked(out)
	if drawn := shows(forms, chartForms...); drawn || how.norms {
		curves, err := a.normsOf(results)
		if err != nil {
			return err
		}
		figured := curves
		if drawn || shows(forms, "text") {
			figured = a.mostFound(curves)
		}
		p = withNorms(p, curves, figured, how.norms, out)
	}
	return cmp.Or(a.emit(ctx, out, p), some, err, faultsIn(results, how.strict))
}

// faultsIn is the error that gives the status 3; nil where nothing counts.
func faultsIn(results []checkedTable, strict bool) error {
	f := &faults{tables: len(results)}
	for _, r := range results {
		f.errors += r.Errors
		if strict {
			f.notes += r.Notes
		}
	}
	if f.errors+f.notes == 0 {
		return nil
	}
	return f
}

// checkCodes are the codes of all findings.
func checkCodes() []string {
	var codes []string
	for _, c := range analysis.Checks {
		codes = append(codes, c.Code)
	}
	return codes
}

// checksHelp is the manual's list of what is looked for, from the registry.
func checksHelp() string {
	var s strings.Builder
	s.WriteString("Findings, in the order in which they are told. Rows are positions where reserved\nrows, a range or a stride have moved them, else the stored rows:\n\n")
	for _, c := range analysis.Checks {
		entry(&s, fmt.Sprintf("%s (%s; %s)", c.Code, c.Level, tablesWords(c.Tables)), c.Doc)
	}
	return strings.TrimRight(s.String(), "\n")
}

// tablesWords tells of which tables something is asked.
func tablesWords(tables string) string {
	switch tables {
	case "all":
		return "all tables"
	case "vectors":
		return "absolute tables and vectors of offsets"
	case "bias":
		return "scores of offsets"
	}
	return tables + " tables"
}
