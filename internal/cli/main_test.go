package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
)

// TestStatus holds the contract of the exit statuses, with their precedence:
// 2, 130, 1, 3.
func TestStatus(t *testing.T) {
	some := &partial{1, 2, "sources"}
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("no"), 1},
		{&checkpoint.Error{Kind: checkpoint.Corrupt}, 1},
		{&posemb.Error{Kind: posemb.Ambiguous}, 1},
		{some, 1},
		{usagef("no"), 2},
		{fmt.Errorf("x: %w", &posemb.OptionError{}), 2},
		{fmt.Errorf("x: %w", context.Canceled), 130},
		{errors.Join(context.Canceled, usagef("no")), 2},
		{errors.Join(some, context.Canceled), 130},
		{&faults{errors: 1, tables: 1}, 3},
		{fmt.Errorf("x: %w", &faults{notes: 1, tables: 1}), 3},
		{errors.Join(&faults{errors: 1, tables: 1}, some), 1},
		{errors.Join(&faults{errors: 1, tables: 1}, context.Canceled), 130},
		{errors.Join(&faults{errors: 1, tables: 1}, usagef("no")), 2},
	} {
		if got := status(c.err); got != c.want {
			t.Errorf("%v: status %d, want %d", c.err, got, c.want)
		}
	}
}

// TestTerminal checks what goes to a terminal: text and not a table for
// programs, no binary, and colours only where they are wanted.
func TestTerminal(t *testing.T) {
	on := func(vars map[string]string, args ...string) (int, string, string) {
		var out, stderr bytes.Buffer
		env := Env{Out: &out, Err: &stderr, Getenv: func(k string) string { return vars[k] }, Terminal: aTerminal}
		code := Main(context.Background(), args, env)
		return code, out.String(), stderr.String()
	}
	for _, form := range []string{"npy", "png", "pdf"} {
		code, out, stderr := on(nil, "similarity", "gen:smooth,n=8", "-f", form)
		if code != 2 || out != "" || !strings.Contains(stderr, "binary") {
			t.Errorf("%s to a terminal: status %d, %d bytes, %q", form, code, len(out), stderr)
		}
	}
	code, out, _ := on(nil, "generate", "smooth", "-q") // npy into a pipe, text here
	if code != 0 || strings.Contains(out, "NUMPY") || !strings.Contains(out, "smooth") {
		t.Errorf("generate on a terminal: status %d, %.80q", code, out)
	}
	for _, c := range []struct {
		name   string
		vars   map[string]string
		args   []string
		colour bool
	}{
		{"plain", nil, nil, true},
		{"NO_COLOR", map[string]string{"NO_COLOR": "1"}, nil, false},
		{"TERM=dumb", map[string]string{"TERM": "dumb"}, nil, false},
		{"--color never", nil, []string{"--color", "never"}, false},
		{"--color always beats NO_COLOR", map[string]string{"NO_COLOR": "1"}, []string{"--color", "always"}, true},
	} {
		_, out, _ := on(c.vars, append([]string{"similarity", "gen:smooth,n=16", "-q"}, c.args...)...)
		if got := strings.Contains(out, "\x1b["); got != c.colour {
			t.Errorf("%s: colours %v, want %v", c.name, got, c.colour)
		}
	}
}

// TestHelpOfEveryCommand opens with examples, and every example is a command
// that the program knows.
func TestHelpOfEveryCommand(t *testing.T) {
	a := &app{env: Env{Getenv: noEnv, Terminal: noTerminal}}
	for _, c := range a.root().Commands() {
		if c.IsAdditionalHelpTopicCommand() || c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		var out, stderr bytes.Buffer
		env := Env{Out: &out, Err: &stderr, Getenv: noEnv, Terminal: noTerminal}
		if code := Main(context.Background(), []string{c.Name(), "--help"}, env); code != 0 {
			t.Fatalf("%s --help: status %d: %s", c.Name(), code, stderr.String())
		}
		if !strings.HasPrefix(out.String(), "Examples:\n  poslens ") {
			t.Errorf("%s --help does not open with examples: %.60q", c.Name(), out.String())
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if len([]rune(line)) > 82 {
				t.Errorf("%s --help has a line of %d characters: %s", c.Name(), len(line), line)
			}
		}
	}
}
