package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"poslens/internal/posemb"
)

// The manual's table of architectures has each preset once, under its kind, with
// every name that --arch takes, and fits a terminal.
func TestArchitecturesTopic(t *testing.T) {
	text := (&app{}).architecturesTopic().Long
	for _, line := range strings.Split(text, "\n") {
		if len(line) > manualWidth || strings.TrimRight(line, " ") != line {
			t.Errorf("a line of %d characters: %q", len(line), line)
		}
	}
	plain := strings.Join(strings.Fields(text), " ")
	last := 0
	for _, kind := range posemb.Kinds() {
		heading := fmt.Sprintf("%s: %s (%d architectures)", strings.ToUpper(string(kind)), kind.Holds(), len(presetsOf(kind, posemb.Presets)))
		start := strings.Index(plain, heading)
		if start < last {
			t.Fatalf("%q is not where it belongs", heading)
		}
		last = start
		for _, p := range posemb.Presets {
			if p.Kind != kind {
				continue
			}
			names := strings.Join(p.Names(), ", ") + " tensor "
			i := strings.Index(plain, " "+names)
			if i < start || strings.Count(plain, " "+names) != 1 {
				t.Errorf("%q stands %d times, under %s: %v", names, strings.Count(plain, " "+names), kind, i >= start)
				continue
			}
			of := plain[i:]
			for _, f := range p.Facts() {
				want := f.About + " " + f.Says
				at := strings.Index(of, want)
				if at < 0 {
					t.Errorf("%s: %q is missing", p.Arch, want)
					continue
				}
				of = of[at+len(want):]
			}
			if next := strings.Index(of, " tensor "); next >= 0 && strings.Contains(of[:next], " source ") {
				t.Errorf("%s: something else is told of it", p.Arch)
			}
		}
	}
	if !strings.Contains(plain, "NO TABLE IN THE FILE") {
		t.Error("models without a table are missing")
	}
}

// A flag whose value may be left out is shown as it has to be typed, and no line of
// the flags is too wide.
func TestHelpOfOptionalValue(t *testing.T) {
	for _, command := range []string{"profile", "decay"} {
		var out bytes.Buffer
		env := Env{Out: &out, Err: &out, Getenv: func(string) string { return "" }, Terminal: aTerminal}
		if code := Main(t.Context(), []string{command, "--help"}, env); code != 0 {
			t.Fatalf("%s: status %d", command, code)
		}
		if !strings.Contains(out.String(), "--fit[=MODEL,...]  ") || strings.Contains(out.String(), `[="`) {
			t.Errorf("%s does not tell how --fit takes its models:\n%s", command, out.String())
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if len(line) > manualWidth {
				t.Errorf("%s: a line of %d: %q", command, len(line), line)
			}
		}
	}
}

// No line of a help or of the manual is wider than a terminal, in characters, and
// everything that has a page of the manual is listed by the root.
func TestHelpFitsTerminal(t *testing.T) {
	help := func(words ...string) string {
		t.Helper()
		var out bytes.Buffer
		env := Env{Out: &out, Err: &out, Getenv: noEnv, Terminal: noTerminal}
		if code := Main(t.Context(), words, env); code != 0 {
			t.Fatalf("%v: status %d", words, code)
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > manualWidth {
				t.Errorf("%v: a line of %d: %q", words, n, line)
			}
		}
		return out.String()
	}
	root := (&app{env: Env{Getenv: noEnv, Terminal: noTerminal}}).root()
	_, topics, _ := strings.Cut(help("--help"), "\nTopics")
	for _, c := range root.Commands() {
		if c.Name() == "completion" || c.Name() == "help" { // of the library
			continue
		}
		whole := help("help", c.Name())
		for _, sub := range c.Commands() {
			help("help", c.Name(), sub.Name())
		}
		manual := c.Annotations[manualKey]
		if manual == "" {
			continue
		}
		if !strings.Contains(whole, manual) || strings.Contains(help(c.Name(), "--help"), manual) {
			t.Errorf("%s: its page of the manual is not in its long help alone", c.Name())
		}
		if !strings.Contains(topics, "\n  "+c.Name()+" ") {
			t.Errorf("%s is no topic", c.Name())
		}
	}
}

// On a terminal the manual of architectures is short: their names, each once, under
// their kinds.
func TestArchitecturesOnTerminal(t *testing.T) {
	var out bytes.Buffer
	env := Env{Out: &out, Err: &out, Getenv: func(string) string { return "" }, Terminal: aTerminal}
	if code := Main(t.Context(), []string{"help", "architectures"}, env); code != 0 {
		t.Fatalf("status %d: %s", code, out.String())
	}
	lines := strings.Split(out.String(), "\n")
	for _, line := range lines {
		if len(line) > manualWidth {
			t.Errorf("a line of %d: %q", len(line), line)
		}
	}
	if len(lines) > 70 {
		t.Errorf("%d lines", len(lines))
	}
	plain := " " + strings.Join(strings.Fields(strings.NewReplacer("(", ", ", ")", ",").Replace(out.String())), " ")
	for _, p := range posemb.Presets {
		for _, name := range p.Names() {
			if !strings.Contains(plain, " "+name+",") && !strings.Contains(plain, " "+name+" ") {
				t.Errorf("%s is missing", name)
			}
		}
	}
	for _, want := range []string{"ABSOLUTE: a vector a position", "poslens help architectures NAME"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}
