package checkpoint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// The effort that goes into guessing what a mistyped name meant.
const (
	nearestNames  = 5
	nearestLength = 200    // names longer than that are only compared as suffixes
	nearestAmong  = 20_000 // tensors that are looked at
)

// notFound is the Error of a tensor that is not in the file. Its hint has up to
// five names that end alike or differ little.
func (f *File) notFound(name string) error {
	e := &Error{Kind: NotFound, Tensor: name, Off: -1, Msg: "is not in the file"}
	switch near := f.nearest(name); {
	case len(f.infos) == 0:
		e.Hint = "the file holds no tensor at all"
	case len(f.infos) == 1 && f.infos[0].Name == "":
		e.Hint = "the file's only tensor has no name: ask for none"
	case len(near) > 0:
		e.Hint = "nearest: " + strings.Join(near, ", ")
	default:
		var some []string
		for _, info := range f.infos[:min(len(f.infos), nearestNames)] {
			some = append(some, quoted(info.Name))
		}
		e.Hint = fmt.Sprintf("%s: %s", plural(len(f.infos), "its only tensor is", fmt.Sprintf("of its %d tensors, the first are", len(f.infos))), strings.Join(some, ", "))
	}
	return e
}

// nearest lists the quoted names that a wrong one may have meant, best first:
// those that end alike, then those that differ in few letters.
func (f *File) nearest(name string) []string {
	type near struct {
		name string
		cost int
	}
	var found []near
	want := strings.ToLower(name)
	for _, info := range f.infos[:min(len(f.infos), nearestAmong)] {
		have := strings.ToLower(info.Name)
		switch {
		case have == want:
			found = append(found, near{info.Name, 0})
		case want != "" && have != "" && (endsWith(have, want) || endsWith(want, have)):
			found = append(found, near{info.Name, 1})
		case len(have) <= nearestLength && len(want) <= nearestLength:
			most := max(2, len(want)/3)
			if apart := len(have) - len(want); apart > most || -apart > most {
				continue
			}
			if d := levenshtein.ComputeDistance(have, want); d <= most {
				found = append(found, near{info.Name, 1 + d})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return a.cost - b.cost })
	var names []string
	for _, n := range found[:min(len(found), nearestNames)] {
		names = append(names, quoted(n.name))
	}
	return names
}

// endsWith tells whether the last parts of a dotted or slashed name are tail.
func endsWith(name, tail string) bool {
	head, ok := strings.CutSuffix(name, tail)
	return ok && (strings.HasSuffix(head, ".") || strings.HasSuffix(head, "/"))
}
