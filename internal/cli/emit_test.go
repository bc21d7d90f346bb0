package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// The kitty protocol's picture is as wide as the terminal, but no wider than is of
// use, and has its own size where nothing is known of what shows it.
func TestPictureWidth(t *testing.T) {
	for _, test := range []struct {
		width int
		tty   bool
		keys  string
	}{
		{80, true, "a=T,f=100,c=80,m=1"},
		{37, true, "a=T,f=100,c=37,m=1"},
		{240, true, "a=T,f=100,c=100,m=1"},
		{0, false, "a=T,f=100,m=1"},
	} {
		var out, stderr bytes.Buffer
		env := Env{Out: &out, Err: &stderr, Getenv: noEnv, Terminal: func(any) (int, bool) { return test.width, test.tty }}
		code := Main(context.Background(), []string{"decay", "gen:smooth,n=16", "-q", "-f", "kitty"}, env)
		if got := out.String(); code != 0 || !strings.HasPrefix(got, "\x1b_G"+test.keys+";") || !strings.HasSuffix(got, "\x1b\\\n") {
			t.Errorf("%d columns, %v: status %d, %.60q, %s", test.width, test.tty, code, got, stderr.String())
		}
	}
}

// TestSteps holds what is written where: -o in the place of stdout, -f beside it or
// for a name without a suffix, --alt always to stdout.
func TestSteps(t *testing.T) {
	for _, test := range []struct {
		o    outputFlags
		tty  bool
		want []step
	}{
		{outputFlags{}, false, []step{{"", "tsv"}}},
		{outputFlags{}, true, []step{{"", "text"}}},
		{outputFlags{format: "kitty"}, false, []step{{"", "kitty"}}},
		{outputFlags{files: []string{"a.kitty"}}, true, []step{{"a.kitty", "kitty"}}},
		{outputFlags{files: []string{"a.png"}, format: "csv"}, true, []step{{"a.png", "png"}, {"", "csv"}}},
		{outputFlags{files: []string{"a"}, format: "csv"}, true, []step{{"a", "csv"}}},
		{outputFlags{alt: true}, false, []step{{"", altForm}}},
		{outputFlags{alt: true}, true, []step{{"", altForm}}},
		{outputFlags{alt: true, files: []string{"a.png"}}, true, []step{{"a.png", "png"}, {"", altForm}}},
		{outputFlags{alt: true, files: []string{"a"}}, true, []step{{"a", "tsv"}, {"", altForm}}},
	} {
		got := test.o.steps("tsv", test.tty)
		if len(got) != len(test.want) {
			t.Errorf("%+v: %v, want %v", test.o, got, test.want)
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%+v: %v, want %v", test.o, got, test.want)
			}
		}
	}
}
