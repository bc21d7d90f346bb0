package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// reportFlags choose what a report holds and where it goes.
type reportFlags struct {
	folder  string
	only    string
	figures outputFlags // format and style of the figures
}

func (a *app) reportCommand() *cobra.Command {
	var (
		read    readingFlags
		how     reportFlags
		folders []string
	)
	cmd := &cobra.Command{
		Use:   "report [SOURCE...]",
		Short: "Everything as one folder: figures, data, summary",
		Long: `Figures of every position table in the sources, the data behind each (TSV; the
similarity matrix of up to 768 positions), summary.json with the numbers and
index.md that shows it all in order. The files are listed on stdout. Without a
SOURCE it shows a built-in example: a smooth absolute table and a relative one.
Files of the same name are replaced, others left alone.`,
		Example: `  poslens report
  poslens report model.safetensors -o out
  poslens report before=step1000.pt after=step9000.pt -o training --only figures`,
		Args: cobra.ArbitraryArgs,
	}
	addReading(cmd, &read, true, true)
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringArrayVarP(&folders, "output", "o", []string{"poslens-report"}, "the `FOLDER` to write into; made when missing")
		f.StringVar(&how.only, "only", "", "`PART` is figures: leave out data, summary and index")
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
	label(tables)
	book := &book{app: a, how: how, inputs: inputs(operands), used: map[string]bool{}}
	werr := book.write(ctx, tables)
	if werr != nil && !someFailed(werr) {
		return werr
	}
	return cmp.Or(book.list(ctx), err, werr)
}

// book is a report under way: what was written, in the order of the page.
type book struct {
	app    *app
	how    *reportFlags
	inputs []string
	used   map[string]bool // stems of file names
	files  []string
	pages  []page
	curves []*analysis.DecayCurve // of the absolute tables
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
	some := b.app.attempt("tables", len(groups), func(i int) (string, error) {
		first := groups[i][0]
		if t, ok := first.table.(*posemb.Absolute); ok {
			return first.op.raw, b.absolute(ctx, t)
		}
		return first.op.raw, b.profiles(ctx, groups[i])
	})
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

// refuseFolder stops a report from landing on its inputs: those that lie in its
// folder under a name of the kind that it writes, and those whose prefix it is.
func refuseFolder(dir string, inputs []string) error {
	if err := refusePrefix(dir, inputs); err != nil {
		return err
	}
	for _, in := range inputs {
		if in == "-" || filepath.Dir(whereTo(in)) != whereTo(dir) {
			continue
		}
		base := filepath.Base(in)
		stem := strings.TrimRight(strings.TrimSuffix(base, filepath.Ext(base)), "-0123456789")
		for _, kind := range []string{"index", "summary", "similarity", "decay", "profile", "axes"} {
			if strings.HasSuffix(stem, kind) {
				return &usageError{fmt.Sprintf("%s: is an input, and its name is one that a report writes into %s", in, dir), "choose another folder"}
			}
		}
	}
	return nil
}

// makeFolder makes the folder itself, but not its parents, and tells whether it
// did.
func makeFolder(dir string) (made bool, err error) {
	err = os.Mkdir(dir, 0o777)
	if err == nil {
		return true, nil
	}
	if info, serr := os.Stat(dir); serr == nil && info.IsDir() {
		return false, nil
	} else if serr == nil {
		return false, fmt.Errorf("%s: is a file, not a folder", dir)
	}
	return false, noFolder(dir, dir, err)
}

// sheet is a product with its figure drawn.
type sheet struct {
	*product
	figure   bytes.Buffer
	warnings []string
}

// draw draws a product's figure in the form that o names.
func draw(p *product, o *outputFlags) (*sheet, error) {
	s := &sheet{product: p}
	var err error
	s.warnings, err = figure.Write(&s.figure, o.format, p.chart(), o.style())
	return s, err
}

// add draws a product and writes its page.
func (b *book) add(ctx context.Context, stem string, pg page, p *product) error {
	s, err := draw(p, &b.how.figures)
	if err != nil {
		return err
	}
	return b.put(ctx, stem, pg, s)
}

// put writes one page: its figure and, unless only figures are wanted or the
// result has no table, its data.
func (b *book) put(ctx context.Context, stem string, pg page, s *sheet) error {
	for _, msg := range s.warnings {
		b.app.tell("warning: %s", msg)
	}
	stem = b.stem(stem)
	pg.Figure = stem + "." + b.how.figures.format
	if err := b.file(ctx, pg.Figure, func(w io.Writer) error {
		_, err := w.Write(s.figure.Bytes())
		return err
	}); err != nil {
		return err
	}
	if b.how.only == "figures" {
		return nil
	}
	if s.has("tsv") {
		pg.Data = stem + ".tsv"
		if err := b.file(ctx, pg.Data, func(w io.Writer) error {
			return b.app.render(w, "tsv", &b.how.figures, s.product, screen{})
		}); err != nil {
			return err
		}
	}
	b.pages = append(b.pages, pg)
	return nil
}

// file writes one file of the folder and notes it for the list.
func (b *book) file(ctx context.Context, name string, emit func(io.Writer) error) error {
	path := filepath.Join(b.how.folder, name)
	if err := refuseSameFile(path, b.inputs, nil); err != nil {
		return err
	}
	if err := b.app.drafts.writeFile(ctx, path, emit); err != nil {
		return err
	}
	b.files = append(b.files, path)
	return nil
}

// stem makes a file name of a label that no other page has.
func (b *book) stem(label string) string {
	var s strings.Builder
	for _, r := range label {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			s.WriteRune(r)
		default:
			s.WriteByte('-')
		}
	}
	name := strings.TrimLeft(s.String(), ".-")
	if len(name) > 120 { // file systems stop at 255 bytes
		name = name[:60] + ".." + name[len(name)-58:]
	}
	for i, base := 2, name; b.used[strings.ToLower(name)]; i++ {
		name = fmt.Sprintf("%s-%d", base, i)
	}
	b.used[strings.ToLower(name)] = true // some file systems fold case
	return name
}

// list prints what was written.
func (b *book) list(ctx context.Context) error {
	return fill(ctx, b.app.out, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, strings.Join(b.files, "\n"))
		return err
	})
}

// close writes summary.json and index.md.
func (b *book) close(ctx context.Context, tables []found) error {
	summary := []any{struct {
		Tables []found `json:"tables"`
		Pages  []page  `json:"pages"`
	}{tables, b.pages}}
	if err := b.file(ctx, "summary.json", func(w io.Writer) error {
		return report.WriteJSON(w, "report", summary)
	}); err != nil {
		return err
	}
	return b.file(ctx, "index.md", func(w io.Writer) error { return b.index(w, tables) })
}
