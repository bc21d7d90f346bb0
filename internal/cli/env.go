package cli

import (
	"cmp"
	"io"
	"os"
	"strings"

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

// ascii tells whether text shall be in ASCII: on a dumb terminal, and in a locale whose
// encoding is not UTF-8. The locale is the first of LC_ALL, LC_CTYPE and LANG that is
// not empty, as POSIX has it; where none is, as in containers, and where it names no
// encoding, UTF-8 is assumed.
func (e Env) ascii() bool {
	if e.Getenv("TERM") == "dumb" {
		return true
	}
	locale := cmp.Or(e.Getenv("LC_ALL"), e.Getenv("LC_CTYPE"), e.Getenv("LANG"))
	locale, _, _ = strings.Cut(locale, "@")
	name, codeset, named := strings.Cut(locale, ".")
	if !named {
		return name == "C" || name == "POSIX"
	}
	codeset = strings.ReplaceAll(strings.ToLower(codeset), "-", "")
	return codeset != "utf8"
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
