package checkpoint

import (
	"errors"
	"fmt"
)

// Kind says what sort of fault an Error or a Warning is, in one stable word.
type Kind string

// The kinds of fault. A caller switches on them; people read the message.
const (
	Truncated        Kind = "truncated"         // the file ends before what its header promises
	Corrupt          Kind = "corrupt"           // the bytes break the container's rules
	HeaderTooLarge   Kind = "header_too_large"  // a header length past any sane limit
	OutOfRange       Kind = "out_of_range"      // a tensor reaches outside its storage
	Overlap          Kind = "overlap"           // two tensors claim the same bytes, or leave holes
	BadShape         Kind = "bad_shape"         // a shape that is negative, overflows or contradicts its data
	DuplicateName    Kind = "duplicate_name"    // two tensors or members of one name
	UnsupportedDType Kind = "unsupported_dtype" // a dtype that is no real number, or not read yet
	Unsupported      Kind = "unsupported"       // a container or a feature that is not read yet
	NotFound         Kind = "not_found"         // no such file, member or tensor
	Unreadable       Kind = "unreadable"        // the system would not let it be read
	UnsafePath       Kind = "unsafe_path"       // a name that leads out of its folder
	UnsafePickle     Kind = "unsafe_pickle"     // a pickle that wants to call code, which never happens
	TooLarge         Kind = "too_large"         // over a limit (see Limits)
	Parse            Kind = "parse"             // text that is not a number where one belongs
	Empty            Kind = "empty"             // no bytes, or no rows
	NotATable        Kind = "not_a_table"       // text of another purpose: a configuration, a result
	NonFinite        Kind = "non_finite"        // warning: NaN or infinite values
	UnknownClass     Kind = "unknown_class"     // warning: pickled objects of unknown classes were kept inert
	UnsafeGlobal     Kind = "unsafe_global"     // warning: the pickle names code that could harm; it was not called
)

// Error is a fault of a file: what, in which tensor, where, and what to try.
type Error struct {
	Kind   Kind
	Tensor string // empty when the fault is the file's
	Off    int64  // byte offset, or -1 when no place can be named
	Msg    string // lower case, what was found and what was expected
	Hint   string // what to try; may be empty
	Err    error  // cause; may be nil
}

// Error gives the message without the operand, which the caller adds.
func (e *Error) Error() string {
	s := e.Msg
	if e.Tensor != "" {
		s = fmt.Sprintf("tensor %s: %s", quoted(e.Tensor), s)
	}
	if e.Off >= 0 {
		s = fmt.Sprintf("%s (byte %d)", s, e.Off)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// hasKind tells whether an error is an Error of a kind.
func hasKind(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}

// Warning is something a reader should know that is no error.
type Warning struct {
	Kind   Kind
	Tensor string // empty when it concerns the whole file
	Msg    string
}

// fault makes an Error of a kind at a byte offset (-1: no place).
func fault(k Kind, off int64, format string, args ...any) *Error {
	return &Error{Kind: k, Off: off, Msg: fmt.Sprintf(format, args...)}
}

// at names the tensor and the place of a fault that does not name its own.
func at(err error, tensor string, off int64) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	named := *e
	if named.Tensor == "" {
		named.Tensor = tensor
	}
	if named.Off < 0 {
		named.Off = off
	}
	return &named
}
