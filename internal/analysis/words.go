package analysis

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNothing is wrapped by the error of an analysis whose input holds no defined
// number to work on.
var ErrNothing = errors.New("nothing to analyse")

// nothing is an ErrNothing with its reason.
func nothing(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNothing, fmt.Sprintf(format, args...))
}

// listed is how many items a warning names before it only counts.
const listed = 8

// enumerate writes rising numbers with runs drawn together: "3, 7 to 12 and 5 more".
func enumerate(numbers []int) string {
	var parts []string
	done := 0
	for done < len(numbers) && len(parts) < listed {
		end := done
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		switch end - done {
		case 0:
			parts = append(parts, fmt.Sprint(numbers[done]))
		case 1:
			parts = append(parts, fmt.Sprint(numbers[done]), fmt.Sprint(numbers[end]))
		default:
			parts = append(parts, fmt.Sprintf("%d to %d", numbers[done], numbers[end]))
		}
		done = end + 1
	}
	return more(parts, len(numbers)-done)
}

// more joins items and counts those that were not named.
func more(items []string, left int) string {
	s := strings.Join(items, ", ")
	if left > 0 {
		s += fmt.Sprintf(" and %d more", left)
	}
	return s
}

// plural chooses the form of a word that goes with n things.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
