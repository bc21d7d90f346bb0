package cli

import (
	"cmp"
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// reportFlags choose what a report holds and where it goes.
type reportFlags struct {
	folder  string
	only    string
	figures outputFlags // format and style of the figures
	command string      // the command line, without what changes no byte of the page
}

func (a *app) reportCommand() *cobra.Command {
	var (
		read    readingFlags
		how     reportFlags
		folders []string
	)
	cmd := &cobra.Command{
		Use:   "report [SOURCE...]",
		Short: "Figures, data, metrics and findings of every table as one folder",
		Long: `Figures of every position table in the sources, the data behind each (TSV; the
similarity matrix of up to 768 positions), their metrics and what check finds,
summary.json with the numbers, and index.html: one page that shows it all in
order, asks nothing of the network and can be sent by itself. The files are
listed on stdout. Without a SOURCE it shows a built-in example: a smooth
absolute table and a relative one. Files of the same name are replaced, others
left alone.`,
		Example: `  poslens report
  poslens report model.safetensors -o out
  poslens report before=step1000.pt after=step9000.pt -o training --only figures`,
		Args: cobra.ArbitraryArgs,
	}
	addReading(cmd, &read, true, true)
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringArrayVarP(&folders, "output", "o", []string{"poslens-report"}, "the `FOLDER` to write into; made when missing")
		f.StringVar(&how.only, "only", "", "`PART` is figures: leave out data, summary and page, and the norms")
		f.StringVarP(&how.figures.format, "format", "f", "png", "`FORM` of the figures: png, svg, pdf")
	})
	addStyle(cmd, &how.figures)
	completeFolder(cmd, "output")
	mustComplete(cmd, "only", []string{"figures"})
	mustComplete(cmd, "format", figureForms)
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		if err := oneOf("only", how.only, []string{"figures"}); err != nil {
			return err
		}
		if err := oneOf("format", how.figures.format, figureForms); err != nil {
			return err
		}
		if len(folders) != 1 || folders[0] == "" || folders[0] == "-" {
			return usagef("-o: a report takes one folder, by its name")
		}
		how.folder = folders[0]
		if err := refuseFolder(how.folder, inputs(args)); err != nil {
			return err
		}
		if err := how.figures.checkStyle(); err != nil {
			return err
		}
		how.command = commandLine(cmd, args)
		if len(args) == 0 {
			args = []string{"gen:smooth", "gen:locality"}
			a.tell("no SOURCE given: the built-in example")
		}
		return a.report(cmd.Context(), args, &read, &how)
	})
	return cmd
}

// report reads the tables and writes the folder.
func (a *app) report(ctx context.Context, operands []string, read *readingFlags, how *reportFlags) error {
	opt, err := read.options()
	if err != nil {
		return err
	}
	var tables []loaded
	err = a.forEach(operands, func(raw string) error {
		found, err := a.loadOne(ctx, parseOperand(raw, isPlace), read, opt, anyKind(), true)
		tables = append(tables, found...)
		return err
	})
	if err != nil && !someFailed(err) || len(tables) == 0 {
		return err
	}
	a.label(tables)
	book := &book{app: a, how: how, inputs: inputs(operands), used: map[string]bool{}}
	for _, l := range tables {
		if l.table.Kind() == posemb.KindAbsolute {
			book.maps++
		}
	}
	werr := book.write(ctx, tables)
	if werr != nil && !someFailed(werr) {
		return werr
	}
	return cmp.Or(book.list(ctx), err, werr)
}

// book is a report under way: what was written, in the order of the page.
type book struct {
	app      *app
	how      *reportFlags
	inputs   []string
	used     map[string]bool // stems of file names
	files    []string
	pages    []page
	sections []*section             // of the page, in order; none of only figures
	shared   []report.PageFigure    // of all sections together
	now      *section               // whose figures are drawn; nil: those of all
	maps     int                    // absolute tables, each with a heat map
	drawn    float64                // seconds of one processor that the null models so far took, about
	curves   []*analysis.DecayCurve // of the absolute tables
}

// page is one figure with its data.
type page struct {
	Title   string   `json:"title"`
	Caption []string `json:"caption"`
	Figure  string   `json:"figure"`
	Data    string   `json:"data,omitempty"`
	Result  []any    `json:"results"`
}

// write computes and writes every page, then the summary and the index.
func (b *book) write(ctx context.Context, tables []loaded) error {
	made, err := makeFolder(b.how.folder)
	if err != nil {
		return err
	}
	if made {
		defer os.Remove(b.how.folder) // goes only while it is empty: nothing was written
	}
	groups := together(tables)
	some := b.app.attempt("tables", len(groups), func(i int) (name, source string, err error) {
		first := groups[i][0]
		b.begin(groups[i])
		err = b.group(ctx, groups[i])
		if !someFailed(err) {
			b.now.failure = err
		}
		return first.op.raw, first.table.From().Label, err
	})
	b.now = nil
	if some != nil && !someFailed(some) {
		return some
	}
	if err := b.allDecays(ctx); err != nil {
		return err
	}
	if b.how.only == "figures" {
		return some
	}
	var found []found
	for _, l := range tables {
		found = append(found, describe(l))
	}
	return cmp.Or(b.close(ctx, found), some)
}

// begin begins a section of the page.
func (b *book) begin(tables []loaded) {
	b.now = &section{tables: tables, title: printable(tables[0].table.From().Label)}
	b.sections = append(b.sections, b.now)
}

// group writes the pages of tables that share them.
func (b *book) group(ctx context.Context, tables []loaded) error {
	if t, ok := tables[0].table.(*posemb.Absolute); ok {
		return b.absolute(ctx, t)
	}
	return b.profiles(ctx, tables)
}

// close writes what is of all tables: their metrics, what check found in them,
// summary.json and the page.
func (b *book) close(ctx context.Context, tables []found) error {
	var sets []*analysis.MetricSet
	var checks []*analysis.CheckResult
	var told []checkedTable
	for _, s := range b.sections {
		for _, e := range s.examined {
			if e.metrics != nil {
				sets = append(sets, e.metrics)
			}
			if e.check != nil {
				checks, told = append(checks, e.check), append(told, checkedTable{CheckResult: e.check})
			}
		}
	}
	var files []string
	for _, of := range []struct {
		stem string
		p    *product
		some bool
	}{{"metrics", metricsProduct(sets, false), len(sets) > 0}, {"check", checkProduct(told), len(told) > 0}} {
		if !of.some {
			continue
		}
		name := b.stem(of.stem) + ".tsv"
		if err := b.file(ctx, name, func(w io.Writer) error {
			return b.app.render(w, "tsv", &b.how.figures, of.p, screen{})
		}); err != nil {
			return err
		}
		files = append(files, name)
	}
	summary := []any{struct {
		Tables  []found                 `json:"tables"`
		Pages   []page                  `json:"pages"`
		Metrics []*analysis.MetricSet   `json:"metrics"`
		Checks  []*analysis.CheckResult `json:"checks"`
	}{tables, b.pages, sets, checks}}
	if err := b.file(ctx, "summary.json", func(w io.Writer) error {
		return report.WriteJSON(w, "report", summary, b.app.failed...)
	}); err != nil {
		return err
	}
	return b.file(ctx, "index.html", func(w io.Writer) error {
		return report.WriteHTML(w, b.page(append(files, "summary.json")))
	})
}
