package figure

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Alt describes c in plain text, for those who do not see it: one line that is one
// sentence for every chart, with its kind, its axes and their ranges, and the extremes
// and where they stand. Panels and boards have a line of their own above those of
// their charts. It is "" for a chart that can't be drawn.
func Alt(c Chart) string {
	if checkChart(c) != nil {
		return ""
	}
	return strings.Join(altOf(c, ""), "\n")
}

// WriteAlt writes what Alt says, with the title of s in the place of the chart's
// unless it is empty, and a line break at the end. A chart that can't be drawn is an
// error.
func WriteAlt(w io.Writer, c Chart, s Style) error {
	if err := checkChart(c); err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	_, err := io.WriteString(w, strings.Join(altOf(c, s.Title), "\n")+"\n")
	return err
}

// altOf are the lines of a chart; title replaces its own unless empty.
func altOf(c Chart, title string) []string {
	switch c := c.(type) {
	case *Heatmap:
		return []string{altLine("Heat map", title, c.Title, c.alt())}
	case *Marginal:
		return append(altOf(c.Map, title), altOf(c.Curve, "")...)
	case *Lines:
		return []string{altLine("Line chart", title, c.Title, c.alt())}
	case *Scatter:
		return []string{altLine("Scatter plot", title, c.Title, c.alt())}
	case *Tiles:
		lines := []string{altLine("Tiles of heat maps", title, c.Title, c.alt())}
		if c.Beside != nil {
			lines = append(lines, altOf(c.Beside, "")...)
		}
		return lines
	case *Panels:
		kind := fmt.Sprintf("Panels in %s and %s", count(c.Rows, "row"), count(c.Cols, "column"))
		return altGroup(altLine(kind, title, c.Title, ""), c.Charts, c.NameOf)
	case *Board:
		return altGroup(altLine("Board of "+count(len(c.Charts), "chart"), title, c.Title, ""), c.Charts, func(int) string { return "" })
	}
	return nil
}

// altGroup is a line and those of the charts that it heads, with the name of each in
// the place of its title; places without a chart have none.
func altGroup(head string, charts []Chart, name func(i int) string) []string {
	lines := []string{head}
	for i, c := range charts {
		if c != nil {
			lines = append(lines, altOf(c, name(i))...)
		}
	}
	return lines
}

// altLine is a sentence: the kind, the title if there is one, and what is said.
func altLine(kind, title, own, says string) string {
	if title == "" {
		title = own
	}
	if title = altText(title); title != "" {
		kind += ` "` + title + `"`
	}
	if says != "" {
		kind += ": " + says
	}
	return kind + "."
}

// altText is a label as plain text of one line.
func altText(s string) string { return hyphened(clean(s)) }

// altOr is a label, or where there is none a word.
func altOr(s, word string) string {
	if s = altText(s); s == "" {
		return word
	}
	return s
}

// altAxis is an axis: its label, if it has one, and its range.
func altAxis(label, span string) string {
	if label = altText(label); label != "" {
		return label + ", " + span
	}
	return span
}

// altRounding is what two values differ by at most that count as one, as a share of
// the larger.
const altRounding = 1e-9

// altSame tells whether two values are one but for rounding.
func altSame(a, b float64) bool {
	return a == b || finite(a) && finite(b) && math.Abs(a-b) <= altRounding*max(math.Abs(a), math.Abs(b))
}

// count is a number with a noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// altNumber is a number in at most four digits; whole ones below ten million in all
// of theirs.
func altNumber(v float64) string { return altDigits(v, 4) }

// altDigits is a number rounded to some digits.
func altDigits(v float64, digits int) string {
	switch {
	case v == 0: // not -0
		return "0"
	case v == math.Trunc(v) && math.Abs(v) < 1e7:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// altSpan is a range in words, or its one value.
func altSpan(s span) string {
	if lo, hi := altDigits(s.lo, s.digits()), altDigits(s.hi, s.digits()); lo != hi {
		return lo + " to " + hi
	}
	return altNumber(s.lo)
}
