package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// A label that holds a newline or turns the order of a text round does neither in
// a message, on the page or in what the page reads out.
func TestHostileLabels(t *testing.T) {
	const label = "a\nb\u202ec="
	for _, args := range []string{
		"-v spectrum gen:smooth,n=8,d=4",
		"-v similarity gen:smooth,n=8,d=4",
		"-v decay --fit gen:smooth,n=40,d=4",
		"-v check gen:smooth,n=8,d=4",
		"-v metrics gen:smooth,n=8,d=4",
		"-v profile --mean gen:alibi,heads=3",
		"-v grid --grid 2x4 gen:smooth,n=8,d=4",
		"compare gen:smooth,n=8,d=4",
		"explain gen:smooth,n=8,d=4",
	} {
		words := strings.Fields(args)
		words[len(words)-1] = label + words[len(words)-1]
		var out, errs bytes.Buffer
		env := Env{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: noEnv, Terminal: noTerminal}
		Main(context.Background(), append(words, "-f", "text"), env)
		for line := range strings.SplitSeq(strings.TrimSuffix(errs.String(), "\n"), "\n") {
			if !strings.HasPrefix(line, "poslens: ") {
				t.Errorf("%s: a line of stderr is %q", args, line)
			}
		}
		if text := out.String() + errs.String(); strings.Contains(text, "\u202e") || strings.Contains("\n"+text, "\nb") {
			t.Errorf("%s: the label stands in\n%s", args, text)
		}
	}
	page, _ := runReport(t, label+"gen:smooth,n=8,d=4", label+"gen:sinusoid,n=8,d=4")
	if strings.Contains(page, "\u202e") {
		t.Error("the page turns its text round")
	}
}
