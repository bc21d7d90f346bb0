package cli

import (
	"fmt"
	"slices"
	"strings"
)

// noteBook gathers what is to be told of many tables, so that what several share is
// told once, with their names.
type noteBook struct {
	notes   []string // in the order of their first mention
	of      map[string]*tableNames
	sources []string               // of which anything could be told
	tables  map[string]*tableNames // of each source
	uses    *noteBook              // which tables of the sources are used, told first; nil where that is told at once
}

// tableNames are tables in order, each once.
type tableNames struct {
	list []tableName
	have map[tableName]bool
}

func (n *tableNames) add(t tableName) {
	if n.have == nil {
		n.have = map[tableName]bool{}
	}
	if !n.have[t] {
		n.list, n.have[t] = append(n.list, t), true
	}
}

// tableName is a table among those of its source.
type tableName struct{ source, tensor string }

// gather begins a noteBook, unless one is open, in which notes are kept until the
// function that it gives is called.
func (a *app) gather() (tell func()) {
	if a.book != nil {
		return func() {}
	}
	a.book = newNoteBook()
	if a.book.uses = newNoteBook(); a.verbose {
		a.book.uses = nil
	}
	return func() {
		book := a.book
		a.book = nil
		if book.uses != nil {
			book.uses.tell(a)
		}
		book.tell(a)
	}
}

func newNoteBook() *noteBook {
	return &noteBook{of: map[string]*tableNames{}, tables: map[string]*tableNames{}}
}

// add keeps notes of a table, which may be none.
func (b *noteBook) add(t tableName, notes []string) {
	if b.tables[t.source] == nil {
		b.sources = append(b.sources, t.source)
		b.tables[t.source] = &tableNames{}
	}
	b.tables[t.source].add(t)
	for _, note := range notes {
		if b.of[note] == nil {
			b.notes = append(b.notes, note)
			b.of[note] = &tableNames{}
		}
		b.of[note].add(t)
	}
}

// tell prints each note with the names of its sources, and which of their tables it is
// of.
func (b *noteBook) tell(a *app) {
	for _, note := range b.notes {
		var sources []string
		for _, t := range b.of[note].list {
			if !slices.Contains(sources, t.source) {
				sources = append(sources, t.source)
			}
		}
		a.tell("%s: %s%s", b.names(sources), note, b.which(sources, b.of[note]))
	}
}

// namedSources is how many sources a note names at most.
const namedSources = 3

// names are sources in words: few by their names.
func (b *noteBook) names(sources []string) string {
	short := make([]string, len(sources))
	for i, s := range sources {
		short[i] = inline(s)
	}
	switch {
	case len(short) <= namedSources:
		return strings.Join(short, ", ")
	case len(short) == len(b.sources):
		return fmt.Sprintf("all %d sources", len(short))
	}
	return fmt.Sprintf("%s and %d more", strings.Join(short[:namedSources-1], ", "), len(short)-namedSources+1)
}

// which says in brackets which tables of some sources a note is of; nothing where each
// source has one.
func (b *noteBook) which(sources []string, of *tableNames) string {
	all := 0
	for _, s := range sources {
		all += len(b.tables[s].list)
	}
	n := len(of.list)
	switch {
	case all == len(sources):
		return ""
	case n == all && all == 2:
		return " (both tables)"
	case n == all:
		return fmt.Sprintf(" (all %d tables)", all)
	case len(sources) > 1:
		return fmt.Sprintf(" (%d of %d tables)", n, all)
	case n == 1:
		return fmt.Sprintf(" (%s)", inline(of.list[0].tensor))
	}
	var names, others []string
	for _, t := range b.tables[sources[0]].list {
		if of.have[t] {
			names = append(names, t.tensor)
		} else {
			others = append(others, t.tensor)
		}
	}
	if some := globOf(names, others); some != "" {
		return fmt.Sprintf(" (%d of %d tables, %s)", n, all, inline(some))
	}
	return fmt.Sprintf(" (%d of %d tables, the first is %s)", n, all, inline(names[0]))
}

// globOf is a glob for names that none of the others fits: what they end in alike, else
// what they begin with alike; empty where neither will do.
func globOf(names, others []string) string {
	head, tail := names[0], names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, head) {
			head = head[:len(head)-1]
		}
		for !strings.HasSuffix(name, tail) {
			tail = tail[1:]
		}
	}
	switch {
	case strings.ContainsAny(head+tail, "*?"): // they would be read as signs of a glob
	case tail != "" && !slices.ContainsFunc(others, func(s string) bool { return strings.HasSuffix(s, tail) }):
		return "*" + tail
	case head != "" && !slices.ContainsFunc(others, func(s string) bool { return strings.HasPrefix(s, head) }):
		return head + "*"
	}
	return ""
}
