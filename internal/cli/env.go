package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Env is the world a command runs in, so that tests can give it another.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	// Terminal tells whether a stream is a terminal and how many columns it has.
	Terminal func(stream any) (width int, ok bool)
}

// OS is the process's own environment.
func OS() Env {
	return Env{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Terminal: terminalOf}
}

// terminalOf asks the system; a terminal that does not tell its width has 80 columns.
func terminalOf(stream any) (int, bool) {
	f, ok := stream.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		return w, true
	}
	return 80, true
}
