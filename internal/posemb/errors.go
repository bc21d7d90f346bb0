package posemb

import (
	"fmt"
	"strconv"
)

// The kinds of Error. A caller switches on them; people read the message.
const (
	Ambiguous = "ambiguous"   // several tables or readings fit
	NotFound  = "not_found"   // no such tensor, or no position table
	NotATable = "not_a_table" // a tensor that can't be read as rows
	WrongKind = "wrong_kind"  // a table, but relative where an absolute one is needed, or the reverse
	BadOption = "bad_option"  // an option that contradicts the tensor
)

// Words that several errors share.
const (
	noLearned = "no learned position table"
	addTensor = "add #TENSOR"
)

// Error is a tensor that can't be chosen or read as a position table.
type Error struct {
	Kind   string // one of the constants above
	Tensor string // empty when it concerns the whole source
	Msg    string // lower case, what was found and what was expected
	Hint   string // what to try; may be empty
}

// Error gives the message without the operand, which the caller adds.
func (e *Error) Error() string {
	if e.Tensor == "" {
		return e.Msg
	}
	return fmt.Sprintf("tensor %q: %s", e.Tensor, e.Msg)
}

// fault makes an Error of a kind about a tensor.
func fault(kind, tensor, hint, format string, args ...any) *Error {
	return &Error{Kind: kind, Tensor: tensor, Hint: hint, Msg: fmt.Sprintf(format, args...)}
}

// printable gives a tensor's name as it may go to a terminal: quoted when it
// holds anything that is not plain text.
func printable(name string) string {
	if q := strconv.Quote(name); q != `"`+name+`"` {
		return q
	}
	return name
}
