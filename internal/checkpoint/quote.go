package checkpoint

import (
	"fmt"
	"strconv"
	"strings"
)

// quoted is a text of a file as it may be printed: in quotes, whatever a terminal
// could obey escaped, and cut where it is very long.
func quoted(s string) string {
	const most = 120 // characters
	n := 0
	for i := range s {
		if n == most {
			return strconv.Quote(s[:i] + "...")
		}
		n++
	}
	return strconv.Quote(s)
}

// quotedList joins names, each quoted, the first few of many.
func quotedList(names []string, most int) string {
	var b strings.Builder
	for i, name := range names {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quoted(name))
	}
	return b.String()
}

// plural picks the word that goes with a number.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
