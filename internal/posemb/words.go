package posemb

import "fmt"

// plural picks the word that goes with a number.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// count is a number and its noun, with an s where it needs one.
func count(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, plural(n, noun, noun+"s"))
}

// are is a number, its noun and the verb: "1 row is", "2 rows are".
func are(n int, noun string) string { return count(n, noun) + " " + plural(n, "is", "are") }
