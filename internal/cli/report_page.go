package cli

import (
	"bytes"
	"fmt"
	"strings"

	"poslens/internal/posemb"
	"poslens/internal/report"
)

// section is a group of tables on the page.
type section struct {
	tables   []loaded
	title    string
	failure  error // why there are no figures
	notes    []string
	key      string // one or two figures of it, for the overview
	figures  []report.PageFigure
	examined []examined
}

// page is the whole report as a page, beside files with the data of all tables.
func (b *book) page(files []string) *report.Page {
	p := &report.Page{Heading: "Position tables", Shared: b.shared, Files: files}
	var labels []string
	total := 0
	for _, s := range b.sections {
		labels = append(labels, s.label())
		total += len(s.tables)
		p.Sections = append(p.Sections, s.section())
	}
	p.Title = "Position tables: " + shortList(labels, 4)
	if len(b.sections) == 1 {
		p.Heading = "Position table: " + labels[0]
		if total > 1 {
			p.Heading = "Position tables: " + labels[0]
		}
	} else {
		p.Overview = b.overview()
	}
	p.Lede = []string{"What these position embeddings hold: which tensors they are, how their rows were read, how alike positions are or what an offset scores, what may be wrong, and how the numbers compare with chance."}
	p.Made = []report.Fact{
		{Name: "tool", Text: "poslens " + version},
		{Name: "command", Text: b.how.command},
		{Name: "random draws", Text: fmt.Sprintf("seed %d, %d draws of each null model", uint64(reportSeed), reportDraws)},
		{Name: "numbers", Text: "summary.json has them all at full precision; rounded here. The same files and command give the same bytes."},
	}
	return p
}

// label names a section in a few words: the label of its table, or of its source.
func (s *section) label() string {
	if len(s.tables) == 1 {
		return printable(s.tables[0].table.From().Label)
	}
	return printable(s.title)
}

// overview is a row a section.
func (b *book) overview() *report.Grid {
	g := &report.Grid{
		Caption: "What was found",
		Cols:    []report.Column{{Name: "source"}, {Name: "kind"}, {Name: "positions or offsets"}, {Name: "width or heads"}, {Name: "architecture"}, {Name: "key figures"}, {Name: "check"}},
	}
	var rows [][]report.Cell
	for i, s := range b.sections {
		f := describe(s.tables[0])
		size, width := f.Offsets, ""
		if f.Positions != nil {
			size = fmt.Sprint(*f.Positions)
		}
		switch {
		case f.Heads != nil:
			width = counted(*f.Heads, "head")
		case f.Width != nil:
			width = fmt.Sprint(*f.Width)
		}
		label := report.Cell{Text: s.label(), Section: i + 1}
		if n := len(s.tables); n > 1 {
			label.Detail = fmt.Sprintf("%d tables", n)
		}
		key := s.key
		if s.failure != nil {
			key = printable(s.failure.Error())
		}
		rows = append(rows, []report.Cell{label, {Text: string(f.Kind)}, {Text: size}, {Text: width}, {Text: archText(f.Arch)}, {Text: key}, {Text: s.verdict()}})
	}
	g.Groups = []report.Group{{Rows: rows}}
	return g
}

// verdict sums up what check found in the section's tables.
func (s *section) verdict() string {
	errors, notes, made := 0, 0, false
	for _, e := range s.examined {
		if e.check != nil {
			errors, notes, made = errors+e.check.Errors, notes+e.check.Notes, true
		}
	}
	switch {
	case !made:
		return "not made"
	case errors == 0 && notes == 0:
		return "no findings"
	case notes == 0:
		return counted(errors, "error")
	case errors == 0:
		return counted(notes, "note")
	}
	return counted(errors, "error") + ", " + counted(notes, "note")
}

func archText(arch string) string {
	if arch == "" {
		return "none known"
	}
	return printable(arch)
}

// section is what the page says of a group.
func (s *section) section() report.Section {
	out := report.Section{Title: printable(s.title), Figures: s.figures}
	if s.failure != nil {
		out.Failure = printable(s.failure.Error())
	}
	alone := len(s.tables) == 1
	if alone {
		out.Facts = factsOf(describe(s.tables[0]))
	} else {
		out.Found = foundGrid(s.tables)
	}
	seen := map[string]bool{}
	add := func(notes ...string) {
		for _, n := range notes {
			if n = printable(n); !seen[n] {
				seen[n] = true
				out.Notes = append(out.Notes, n)
			}
		}
	}
	add(rowsRead(s.tables[0])...)
	for _, l := range s.tables {
		add(l.table.Remarks()...)
	}
	add(s.notes...)
	for i, e := range s.examined {
		title := ""
		if !alone {
			title = printable(e.label)
		}
		if e.check != nil {
			c := report.Check{Title: title, Verdict: capital(countsOf(e.check), title == "")}
			for _, f := range e.check.Findings {
				c.Findings = append(c.Findings, report.Finding{Level: string(f.Level), Code: f.Code, Text: printable(f.Text)})
			}
			out.Checks = append(out.Checks, c)
		}
		m := report.Metrics{Title: title, Notes: e.notes, Folded: i > 0}
		if e.metrics != nil {
			m.Grid = metricsGrid(e.metrics)
		}
		out.Metrics = append(out.Metrics, m)
	}
	return out
}

// factsOf is what was found of one table.
func factsOf(f found) []report.Fact {
	var facts []report.Fact
	add := func(name, text string) {
		if text != "" {
			facts = append(facts, report.Fact{Name: name, Text: printable(text)})
		}
	}
	add("tensor", f.Tensor)
	add("read with", strings.Join(f.Parts, ", "))
	add("kind", string(f.Kind)+": "+f.Kind.Holds())
	add("architecture", archText(f.Arch))
	if len(f.Shape) > 0 {
		add("stored as", f.DType+" "+joinInts(f.Shape, " x "))
	}
	add("read as", strings.Join(append([]string{f.words("; ")}, f.more()...), "; "))
	return facts
}

// foundGrid is what was found of several tables that are read alike.
func foundGrid(tables []loaded) *report.Grid {
	g := &report.Grid{
		Caption: fmt.Sprintf("%d tables, read alike", len(tables)),
		Cols:    []report.Column{{Name: "tensor"}, {Name: "kind"}, {Name: "architecture"}, {Name: "stored as"}, {Name: "read as"}},
	}
	var rows [][]report.Cell
	for _, l := range tables {
		f := describe(l)
		rows = append(rows, []report.Cell{{Text: printable(f.Tensor)}, {Text: string(f.Kind)}, {Text: archText(f.Arch)}, {Text: f.DType + " " + joinInts(f.Shape, " x ")}, {Text: f.words("; ")}})
	}
	g.Groups = []report.Group{{Rows: rows}}
	return g
}

// rowsRead says what the stored rows of a table are, as explain does: a few runs of
// them.
func rowsRead(l loaded) []string {
	const most = 6
	e := posemb.Explain(l.table)
	if e.Parts() == 0 {
		return nil // the notes say how it is computed
	}
	var lines bytes.Buffer
	if told, err := (&question{}).ask(l); err != nil || writeMeant(&lines, []answer{told}) != nil {
		return nil
	}
	all := strings.Split(strings.TrimSpace(lines.String()), "\n")
	if len(all) > most {
		left := len(all) - most + 1
		all = append(all[:most-1:most-1], fmt.Sprintf("and %d more lines, which poslens explain tells", left))
	}
	return all
}

// shortList names some of the labels.
func shortList(labels []string, most int) string {
	if len(labels) > most {
		return strings.Join(labels[:most], ", ") + fmt.Sprintf(" and %d more", len(labels)-most)
	}
	return strings.Join(labels, ", ")
}

// capital begins a text with a capital where it begins a sentence.
func capital(s string, begins bool) string {
	if !begins || s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
