package cli

import (
	"fmt"
	"slices"
	"strings"
)

// usedTables gathers which tables of an operand are used.
type usedTables struct {
	names []string
	about []string // what posemb.Describe says of each
}

func (u *usedTables) add(about, name string) {
	u.names, u.about = append(u.names, name), append(u.about, about)
}

// listedTables is how many tables of an operand are told a line each.
const listedTables = 4

// tell prints the tables, a line each. Many that differ in nothing but their names are
// told together, unless everything is asked for.
func (u *usedTables) tell(a *app, op operand, r *readingFlags) {
	if len(u.names) <= listedTables || a.verbose {
		for _, about := range u.about {
			a.use(op, r, about)
		}
		return
	}
	var kinds []string // in the order of their first mention
	names := map[string][]string{}
	for i, name := range u.names {
		kind := strings.TrimPrefix(u.about[i], name+": ")
		if names[kind] == nil {
			kinds = append(kinds, kind)
		}
		names[kind] = append(names[kind], name)
	}
	for _, kind := range kinds {
		alike := names[kind]
		if len(alike) == 1 {
			a.use(op, r, fmt.Sprintf("%s: %s", inline(alike[0]), kind))
			continue
		}
		others := slices.DeleteFunc(slices.Clone(u.names), func(s string) bool { return slices.Contains(alike, s) })
		which := globOf(alike, others)
		if which == "" || len(others) == 0 {
			which = fmt.Sprintf("%s to %s", alike[0], alike[len(alike)-1])
		}
		a.use(op, r, fmt.Sprintf("%d tables, %s: %s", len(alike), inline(which), kind))
	}
}
