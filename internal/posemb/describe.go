package posemb

import (
	"fmt"
	"strconv"
	"strings"

	"poslens/internal/tensor"
)

// Describe says in one line what a table is: "wpe.weight: 1024 positions x 768,
// F32 (GPT-2)". The info is of the tensor that it was read from.
func Describe(t Table, info tensor.Info) string {
	var s strings.Builder
	if info.Name != "" {
		fmt.Fprintf(&s, "%s: ", printable(info.Name))
	}
	switch t := t.(type) {
	case *Absolute:
		n, d := t.Table.Dims()
		fmt.Fprintf(&s, "%s x %d", count(n, "position"), d)
	case *Vectors:
		fmt.Fprintf(&s, "%s x %d", axesText(t.Axes), t.Width())
		if len(t.Heads) > 0 {
			fmt.Fprintf(&s, " x %s", count(len(t.Heads), "head"))
		}
	case *Bias:
		_, h := t.Scores.Dims()
		fmt.Fprintf(&s, "%s x %s", axesText(t.Axes), count(h, "head"))
	}
	if name := dtypeName(info); name != "" {
		fmt.Fprintf(&s, ", %s", name)
	}
	if arch := t.From().Arch; arch != "" {
		fmt.Fprintf(&s, " (%s)", arch)
	}
	return s.String()
}

// axesText is "257 offsets", or "11 x 11 offsets" on two axes.
func axesText(axes []Axis) string {
	if len(axes) == 1 {
		return count(axes[0].Len(), "offset")
	}
	lens := make([]int, len(axes))
	for i, x := range axes {
		lens[i] = x.Len()
	}
	return shapeText(lens) + " offsets"
}

// dtypeName is a type as people know it; where it is not known here, as the file
// calls it.
func dtypeName(t tensor.Info) string {
	if t.DType == tensor.Invalid {
		return t.Stored
	}
	return t.DType.String()
}

// shapeText is "16 x 32".
func shapeText(shape []int) string {
	if len(shape) == 0 {
		return "scalar"
	}
	return joined(shape, " x ")
}

// joined writes numbers with something between them.
func joined(numbers []int, between string) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, between)
}
