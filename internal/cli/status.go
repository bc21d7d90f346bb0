package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
)

// The exit statuses, one contract for every command.
const (
	statusDone        = 0
	statusCould       = 1 // could not: unreadable, corrupt, not found, ambiguous, nothing to analyse
	statusUsage       = 2
	statusFound       = 3 // check found an error; with --strict, a note
	statusInterrupted = 130
)

// usageError is a wrong use of the command line.
type usageError struct{ msg, hint string }

func (e *usageError) Error() string { return e.msg }

// usagef makes a usageError without a hint.
func usagef(format string, args ...any) error { return &usageError{msg: fmt.Sprintf(format, args...)} }

// hinted is an error that knows what to try.
type hinted struct {
	error
	hint string
}

func (e *hinted) Unwrap() error { return e.error }

// partial says that some sources failed, which were named already.
type partial struct {
	failed, total int
	what          string // sources, tables
}

func (e *partial) Error() string {
	return fmt.Sprintf("%d of %d %s could not be used", e.failed, e.total, e.what)
}

// faults says that check found something.
type faults struct{ errors, notes, tables int }

func (e *faults) Error() string {
	var what []string
	if e.errors > 0 {
		what = append(what, counted(e.errors, "error"))
	}
	if e.notes > 0 {
		what = append(what, counted(e.notes, "note"))
	}
	return fmt.Sprintf("check found %s in %s", strings.Join(what, " and "), counted(e.tables, "table"))
}

// onlyFaults tells whether an error says that check found something, and nothing else:
// one that is joined with others does not count.
func onlyFaults(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if _, ok := err.(*faults); ok {
			return true
		}
	}
	return false
}

// status decides the exit status of a command's error, in the order that holds
// when several apply: 2, 130, 1, 3.
func status(err error) int {
	var usage *usageError
	var option *posemb.OptionError
	switch {
	case err == nil, isClosedPipe(err):
		return statusDone
	case errors.As(err, &usage), errors.As(err, &option):
		return statusUsage
	case errors.Is(err, context.Canceled):
		return statusInterrupted
	case onlyFaults(err):
		return statusFound
	}
	return statusCould
}

// isClosedPipe tells whether the reader of our output went away, which ends a
// command quietly.
func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// hintOf finds what an error's maker suggests to try.
func hintOf(err error) string {
	var (
		usage  *usageError
		h      *hinted
		file   *checkpoint.Error
		field  *posemb.Error
		option *posemb.OptionError
	)
	switch {
	case errors.As(err, &usage) && usage.hint != "":
		return usage.hint
	case errors.As(err, &h):
		return h.hint
	case errors.As(err, &file):
		return file.Hint
	case errors.As(err, &field):
		return field.Hint
	case errors.As(err, &option):
		return option.Hint
	}
	return ""
}
