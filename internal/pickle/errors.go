package pickle

import "fmt"

// Kind says what sort of fault an Error is.
type Kind uint8

// The kinds of fault.
const (
	Corrupt   Kind = iota // the bytes break the rules of pickles
	Truncated             // the bytes end before the pickle does
	Unsafe                // it can't be read without a registry of code
	TooLarge              // over a limit
)

// Error is a fault of a pickle and where it is.
type Error struct {
	Kind Kind
	Off  int64 // of the opcode, from the pickle's first byte
	Msg  string
}

// Error gives the message and the place.
func (e *Error) Error() string { return fmt.Sprintf("%s (byte %d)", e.Msg, e.Off) }
