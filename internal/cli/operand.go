package cli

import (
	"strings"
)

// operand is a SOURCE as typed: [LABEL=]PLACE[#TENSOR].
type operand struct {
	raw    string
	label  string // empty: made from the place
	place  string // a path, "-", or "gen:KIND,..."
	tensor string // a name or a glob; empty: detected
}

// parseOperand splits a SOURCE. Real file names hold = and #, so what exists
// decides: an operand that exists whole is the place; else it is split at the
// last # whose left part exists, first as it is, then without a leading LABEL=.
func parseOperand(raw string, exists func(string) bool) operand {
	if place, tensor, ok := splitTensor(raw, exists); ok {
		return operand{raw: raw, place: place, tensor: tensor}
	}
	o := operand{raw: raw}
	rest := raw
	if label, after, ok := strings.Cut(raw, "="); ok && label != "" && !strings.ContainsAny(label, `/\:,#`) {
		o.label, rest = label, after
	}
	if place, tensor, ok := splitTensor(rest, exists); ok {
		o.place, o.tensor = place, tensor
		return o
	}
	o.place = rest
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		o.place, o.tensor = rest[:i], rest[i+1:]
	}
	return o
}

// splitTensor finds the longest left part of s that exists, the rest after a #.
func splitTensor(s string, exists func(string) bool) (place, tensor string, ok bool) {
	if exists(s) {
		return s, "", true
	}
	for i := strings.LastIndexByte(s, '#'); i > 0; i = strings.LastIndexByte(s[:i], '#') {
		if exists(s[:i]) {
			return s[:i], s[i+1:], true
		}
	}
	return "", "", false
}
