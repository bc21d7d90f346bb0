package figure

import (
	"fmt"
	"strings"
)

// alt says what lines show: the axes, and of each line where it is lowest and highest
// and where it ends. Of many lines only the extremes of all are said.
func (l *Lines) alt() string {
	drawn := l.logged() // values that a logarithmic axis has no place for are gaps
	var x, y span
	banded := 0
	for i := range drawn.Series {
		s := &drawn.Series[i]
		if s.Lo != nil {
			banded++
		}
		for j := range s.X {
			if s.defined(j) {
				x.add(l.Series[i].X[j])
				y.add(l.Series[i].Y[j])
			}
		}
	}
	if l.XFrom != 0 || l.XTo != 0 {
		x.add(l.XFrom)
		x.add(l.XTo)
	}
	if l.YMin != 0 || l.YMax != 0 {
		y = span{l.YMin, l.YMax, true}
	}
	b := &strings.Builder{}
	dots := 0
	for i := range drawn.Series {
		if drawn.Series[i].dots() {
			dots++
		}
	}
	if dots < len(l.Series) {
		b.WriteString(count(len(l.Series)-dots, "line"))
	}
	if dots > 0 {
		if dots < len(l.Series) {
			b.WriteString(" and ")
		}
		b.WriteString(count(dots, "row") + " of dots")
	}
	switch {
	case banded == 1 && len(l.Series) == 1:
		b.WriteString(" with a band")
	case banded == len(l.Series):
		b.WriteString(" with a band around each")
	case banded > 0:
		fmt.Fprintf(b, ", of which %d with a band", banded)
	}
	fmt.Fprintf(b, "; across: %s%s; up: %s%s", altAxis(l.XLabel, altSpan(x)), altScale(l.XLog, l.XScale),
		altAxis(l.YLabel, altSpan(y)), altScale(l.YLog, Linear))
	at := func(i, j int) string { return altNumber(l.Series[i].X[j]) }
	value := func(i, j int) string { return altNumber(l.Series[i].Y[j]) }
	if len(l.Series) > fewSeries {
		low, high := [2]int{-1, 0}, [2]int{-1, 0}
		for i := range drawn.Series {
			lo, hi, _ := drawn.Series[i].ends()
			if lo >= 0 && (low[0] < 0 || l.Series[i].Y[lo] < l.Series[low[0]].Y[low[1]]) {
				low = [2]int{i, lo}
			}
			if hi >= 0 && (high[0] < 0 || l.Series[i].Y[hi] > l.Series[high[0]].Y[high[1]]) {
				high = [2]int{i, hi}
			}
		}
		fmt.Fprintf(b, "; lowest %s of %s at %s; highest %s of %s at %s", value(low[0], low[1]), l.altName(low[0]), at(low[0], low[1]),
			value(high[0], high[1]), l.altName(high[0]), at(high[0], high[1]))
		return b.String() + l.altSpans()
	}
	for i := range drawn.Series {
		lo, hi, last := drawn.Series[i].ends()
		fmt.Fprintf(b, "; %s ", l.altName(i))
		switch {
		case lo < 0:
			b.WriteString("has no values")
		case altSame(l.Series[i].Y[lo], l.Series[i].Y[hi]):
			fmt.Fprintf(b, "is %s throughout", value(i, lo))
		default:
			fmt.Fprintf(b, "is lowest, %s, at %s, and highest, %s, at %s", value(i, lo), at(i, lo), value(i, hi), at(i, hi))
			if last != lo && last != hi {
				fmt.Fprintf(b, ", and ends with %s at %s", value(i, last), at(i, last))
			}
		}
	}
	return b.String() + l.altSpans()
}

// altName names a line, by its number where it has no name.
func (l *Lines) altName(i int) string {
	if name := altText(l.Series[i].Name); name != "" {
		return `"` + name + `"`
	}
	if len(l.Series) == 1 {
		return "it"
	}
	return fmt.Sprintf("line %d", i+1)
}

// altScale says how an axis is scaled if not linearly.
func altScale(log bool, s Scale) string {
	switch {
	case log:
		return " (logarithmic)"
	case s == Symlog:
		return " (logarithmic on both sides of 0)"
	}
	return ""
}

// ends are the points of the least and the most y, the first of equal ones, and the
// last point; -1 where there is none.
func (s *Series) ends() (low, high, last int) {
	low, high, last = -1, -1, -1
	for j, y := range s.Y {
		if !s.defined(j) {
			continue
		}
		if low < 0 || y < s.Y[low] {
			low = j
		}
		if high < 0 || y > s.Y[high] {
			high = j
		}
		last = j
	}
	return low, high, last
}

// alt says what a scatter plot shows: the axes, where the first and the last point
// are, and where the least and the most value are.
func (s *Scatter) alt() string {
	var x, y span
	first, last, low, high, n := -1, -1, -1, -1, 0
	for i := range s.X {
		if !s.defined(i) {
			continue
		}
		x.add(s.X[i])
		y.add(s.Y[i])
		if n++; first < 0 {
			first = i
		}
		last = i
		if s.Value == nil || !finite(s.Value[i]) {
			continue
		}
		if low < 0 || s.Value[i] < s.Value[low] {
			low = i
		}
		if high < 0 || s.Value[i] > s.Value[high] {
			high = i
		}
	}
	point := func(i int) string { return fmt.Sprintf("(%s, %s)", altNumber(s.X[i]), altNumber(s.Y[i])) }
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s; across: %s; up: %s", count(n, "point"), altAxis(s.XLabel, altSpan(x)), altAxis(s.YLabel, altSpan(y)))
	if n > 1 {
		fmt.Fprintf(b, "; the first at %s, the last at %s", point(first), point(last))
	} else {
		fmt.Fprintf(b, "; at %s", point(first))
	}
	switch {
	case low >= 0 && s.Value[low] != s.Value[high]:
		fmt.Fprintf(b, "; colour: %s, lowest %s at %s, highest %s at %s", altOr(s.ColorLabel, "values"), altNumber(s.Value[low]), point(low), altNumber(s.Value[high]), point(high))
	case low >= 0:
		fmt.Fprintf(b, "; colour: %s, %s everywhere", altOr(s.ColorLabel, "values"), altNumber(s.Value[low]))
	case s.Cells != nil:
		fmt.Fprintf(b, "; colour: cells of a raster of %d x %d", s.Cells.Rows, s.Cells.Cols)
	}
	if left := len(s.X) - n; left > 0 {
		fmt.Fprintf(b, "; %s undefined", count(left, "point"))
	}
	return b.String()
}
