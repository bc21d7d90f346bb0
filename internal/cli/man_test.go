package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// treeForPages is a command tree as poslens man sees it.
func treeForPages() *cobra.Command {
	root := (&app{env: Env{Getenv: noEnv, Terminal: noTerminal}}).root()
	root.InitDefaultHelpCmd() // as the library does before it runs a command
	return root
}

// everyCommand are all commands and topics of a tree.
func everyCommand(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		all = append(all, everyCommand(c)...)
	}
	return all
}

// Every command and topic has its page, and every flag of a command, every example and
// every line of the manual is on it.
func TestManPages(t *testing.T) {
	root := treeForPages()
	pages := map[string]string{}
	for _, p := range manPages(root) {
		if pages[p.file()] != "" {
			t.Errorf("there are two pages %s", p.file())
		}
		pages[p.file()] = p.text
	}
	flags := 0
	for _, c := range everyCommand(root) {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		if c.Name() == "formats" || c.Name() == "architectures" {
			name = strings.TrimSuffix(name, ".1") + ".7"
		}
		page := pages[name]
		if page == "" {
			t.Errorf("no page %s", name)
			continue
		}
		delete(pages, name)
		if strings.HasSuffix(name, ".7") {
			hasLines(t, name, page, c.Long)
			continue
		}
		hasLines(t, name, page, c.Example)
		hasLines(t, name, page, c.Annotations[manualKey])
		has := func(f *pflag.Flag) {
			flags++
			item := ".TP\n"
			if f.Shorthand != "" {
				item += `\fB\-` + f.Shorthand + `\fR, `
			}
			item += `\fB\-\-` + strings.ReplaceAll(f.Name, "-", `\-`) + `\fR`
			if !strings.Contains(page, item+"\n") && !strings.Contains(page, item+" ") && !strings.Contains(page, item+"[") {
				t.Errorf("%s: no --%s", name, f.Name)
			}
		}
		c.LocalFlags().VisitAll(has)
		c.InheritedFlags().VisitAll(has)
	}
	if flags < 100 {
		t.Errorf("only %d flags were looked for", flags)
	}
	for name := range pages {
		t.Errorf("%s is the page of nothing", name)
	}
}

// hasLines checks that a page has the lines of a text as they are, in their order.
func hasLines(t *testing.T, name, page, text string) {
	t.Helper()
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimRight(line, " "); line == "" {
			continue
		}
		_, rest, ok := strings.Cut(page, "\n"+escaped(line)+"\n")
		if !ok {
			t.Errorf("%s: no line %q", name, line)
			return
		}
		page = "\n" + rest
	}
}

func find(t *testing.T, root *cobra.Command, name string) *cobra.Command {
	t.Helper()
	c, _, err := root.Find([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A page is made of the requests and escapes of man(7) that readers share, in ASCII,
// and the same each time.
func TestManStructure(t *testing.T) {
	requests := []string{".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi", ".in", ".sp", ".nh", ".ad"}
	escape := regexp.MustCompile(`\\(-|e|&|f[BIR]|\((aq|ga|ha|ti|dq)|\[u[0-9A-F]{4,6}\])`)
	again := manPages(treeForPages())
	for i, p := range manPages(treeForPages()) {
		if p != again[i] {
			t.Errorf("%s is not the same each time", p.file())
		}
		var sections []string
		for n, line := range strings.Split(strings.TrimSuffix(p.text, "\n"), "\n") {
			request, rest, _ := strings.Cut(line, " ")
			switch {
			case line == "" || strings.TrimRight(line, " \t") != line:
				t.Errorf("%s:%d: empty, or blanks at its end: %q", p.file(), n+1, line)
			case strings.HasPrefix(line, "'"), strings.HasPrefix(line, ".") && !slices.Contains(requests, request):
				t.Errorf("%s:%d: no request that is known: %q", p.file(), n+1, line)
			case strings.ContainsFunc(line, func(c rune) bool { return c < ' ' || c > '~' }):
				t.Errorf("%s:%d: not plain ASCII: %q", p.file(), n+1, line)
			case strings.ContainsAny(escape.ReplaceAllString(line, ""), "\\'`^~-"):
				t.Errorf("%s:%d: an escape that is not known, or a character without its: %q", p.file(), n+1, line)
			case strings.Count(line, `\fB`)+strings.Count(line, `\fI`) != strings.Count(line, `\fR`):
				t.Errorf("%s:%d: a font is left on: %q", p.file(), n+1, line)
			case request == ".SH":
				sections = append(sections, rest)
			}
		}
		if !strings.HasPrefix(p.text, ".TH ") || strings.Count(p.text, ".nf\n") != strings.Count(p.text, ".fi\n") {
			t.Errorf("%s begins with no title, or is left unfilled", p.file())
		}
		want := []string{"NAME", "DESCRIPTION", "SEE ALSO"}
		if p.section == 1 {
			want = []string{"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "DETAILS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"}
			want = slices.DeleteFunc(want, func(s string) bool {
				return (s == "COMMANDS" || s == "DETAILS" || s == "EXAMPLES") && !slices.Contains(sections, s)
			})
		}
		if !slices.Equal(sections, want) {
			t.Errorf("%s has the sections %q, want %q", p.file(), sections, want)
		}
	}
}

// TestRoff checks what roff would read otherwise.
func TestRoff(t *testing.T) {
	var r roff
	r.item(inFonts("-o, --fit[=MODEL,...]"), ".txt is a suffix\n'quoted' a\\b")
	r.prose("one\ntwo\n\n\tcode --x\n\n.end ~ ^ ` \" é 𝛼")
	want := `.TP
\fB\-o\fR, \fB\-\-fit\fR[=\fIMODEL,...\fR]
\&.txt is a suffix
\(aqquoted\(aq a\eb
one
two
.PP
.nf
.in 0
    code \-\-x
.fi
.in
.PP
\&.end \(ti \(ha \(ga \(dq \[u00E9] \[u1D6FC]
`
	if got := r.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for typed, want := range map[string]string{
		"--dot":                    `\fB\-\-dot\fR`,
		"-f, --format FORM":        `\fB\-f\fR, \fB\-\-format\fR \fIFORM\fR`,
		"--buckets RULE,N,MAX":     `\fB\-\-buckets\fR \fIRULE,N,MAX\fR`,
		"--kernel squared-x VALUE": `\fB\-\-kernel\fR \fIsquared\-x\fR \fIVALUE\fR`,
	} {
		if got := inFonts(typed); got != want {
			t.Errorf("%s: %s, want %s", typed, got, want)
		}
	}
}

// groff, where it is installed, has nothing to complain of, and shows the flags, the
// examples and the manual's tables character by character.
func TestManByGroff(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	root := treeForPages()
	dir := t.TempDir()
	for _, p := range manPages(root) {
		path := filepath.Join(dir, p.file())
		if err := os.WriteFile(path, []byte(p.text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(groff, "-ww", "-man", "-Tutf8", "-P-cbou", path) // without bold and underline
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil || stderr.Len() > 0 {
			t.Errorf("%s: groff says %v %s", p.file(), err, stderr.String())
			continue
		}
		c := root
		if words := strings.Split(p.name, "-"); len(words) > 1 {
			c = find(t, root, words[1])
		}
		text := c.Example
		if p.section == 7 {
			text = c.Long
		}
		if c.CommandPath() != strings.ReplaceAll(p.name, "-", " ") {
			continue // a command of a command
		}
		for _, line := range strings.Split(text+"\n"+c.Annotations[manualKey], "\n") {
			if line != "" && !strings.Contains(stdout.String(), "\n"+line+"\n") {
				t.Errorf("%s: groff does not show %q as it is", p.file(), line)
				break
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if p.section == 1 && !regexp.MustCompile(`(?m)^ .*--`+f.Name+`\b`).MatchString(stdout.String()) {
				t.Errorf("%s: groff shows no --%s", p.file(), f.Name)
			}
		})
	}
}
