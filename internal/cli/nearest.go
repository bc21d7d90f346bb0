package cli

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// nearest finds the word that differs least from a mistyped one, or "" when all
// differ too much for a guess to help.
func nearest(word string, words []string) string {
	best, bestDist := "", max(1, len(word)/3)+1
	for _, w := range words {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(w)); d < bestDist {
			best, bestDist = w, d
		}
	}
	return best
}
