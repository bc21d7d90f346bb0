package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
)

// Page is a report as one HTML file that asks nothing of anywhere: figures, styles,
// script and the data behind the figures stand in it.
type Page struct {
	Title    string   // of the window
	Heading  string   // the one h1
	Lede     []string // paragraphs under it
	Overview *Grid    // of several sections; nil without it
	Sections []Section
	Shared   []PageFigure // of all sections together
	Made     []Fact       // how the page was made
	Files    []string     // beside the page, of all sections
}

// Section is one table, or several that are read alike.
type Section struct {
	Title   string
	Failure string   // why there are no figures; empty: there are
	Facts   []Fact   // what was found
	Found   *Grid    // the same of several tables, in the place of Facts
	Notes   []string // how rows were read
	Figures []PageFigure
	Checks  []Check
	Metrics []Metrics
}

// Fact is a name and what it is.
type Fact struct{ Name, Text string }

// PageFigure is a drawing with its words and the numbers that it is drawn from.
type PageFigure struct {
	Title   string
	Alt     string   // what it shows in a sentence, with the numbers
	Caption []string // paragraphs under it: the numbers and what they mean
	Light   string   // an SVG, as figure.Write gives it, on a light ground
	Dark    string   // the same on a dark one; empty: Light serves both
	Plots   []Plot   // what can be read from it point by point; none: nothing can
	Files   []string // beside the page: the figure, its data
}

// Check is what was found wrong in one table.
type Check struct {
	Title    string // of the table; empty where the section has one
	Verdict  string // "no findings", "1 error, 2 notes"
	Findings []Finding
}

// Finding is one thing that is wrong.
type Finding struct{ Level, Code, Text string }

// Metrics are a table's figures, in a grid.
type Metrics struct {
	Title  string // of the table; empty where the section has one
	Notes  []string
	Grid   *Grid // nil: there are none, and Notes say why
	Folded bool  // closed until it is opened
}

// Grid is a table with headers.
type Grid struct {
	Caption string
	Cols    []Column
	Groups  []Group
	Notes   []string
}

// Group is some rows under a heading that they share.
type Group struct {
	Title, Doc string // empty: no heading
	Rows       [][]Cell
}

// Cell is one entry of a Grid. The first of a row is its header.
type Cell struct {
	Text    string
	Detail  string // smaller, under it
	Exact   string // the number at full precision, for programs; empty: none
	Section int    // 1, 2, ...: a link to that section; 0: none
}

// Number is a cell for a number: rounded to some significant digits, and exact.
func Number(v float64, digits int) Cell {
	return Cell{Text: rounded(v, digits), Exact: number(v)}
}

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

// breakable is a text whose long names may go on in the next line between their parts.
func breakable(s string) template.HTML {
	var b strings.Builder
	for part := range strings.SplitAfterSeq(template.HTMLEscapeString(s), "_") {
		b.WriteString(part)
		if strings.HasSuffix(part, "_") {
			b.WriteString("<wbr>")
		}
	}
	return template.HTML(between.ReplaceAllString(b.String(), "$1<wbr>$2"))
}

// between is where parts of a name meet that a dot or a slash parts.
var between = regexp.MustCompile(`([A-Za-z0-9][./])([A-Za-z])`)

// pageView is what the template sees.
type pageView struct {
	*Page
	Style  template.CSS
	Script template.JS
}

// WriteHTML writes a page. All texts are escaped; only Light and Dark are taken as
// they are, so that nothing but figure.Write may make them. The same page gives the
// same bytes.
func WriteHTML(w io.Writer, p *Page) error {
	serial := 0
	t, err := template.New("page").Funcs(template.FuncMap{
		"drawing":    func(f PageFigure) template.HTML { return template.HTML(themed(f.Light, f.Dark)) },
		"leastWidth": leastWidth,
		"breakable":  breakable,
		"id": func(kind string) string { // a name that no other element has
			serial++
			return fmt.Sprintf("%s-%d", kind, serial)
		},
		"next": func(i int) int { return i + 1 },
	}).Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, pageView{p, template.CSS(pageCSS), template.JS(pageJS)}); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}
