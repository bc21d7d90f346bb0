package cli

import (
	"fmt"
	"strings"

	"poslens/internal/analysis"
)

// words says in a few words how a table was read.
func (f found) words(sep string) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if f.Positions != nil {
		add("%d positions x %d", *f.Positions, *f.Width)
	} else if f.Width != nil {
		add("width %d", *f.Width)
	}
	if f.Heads != nil {
		add("%s", counted(*f.Heads, "head"))
	}
	if f.Offsets != "" {
		add("offsets %s", f.Offsets)
	}
	if f.Reserved != nil && *f.Reserved > 0 {
		add("%d reserved", *f.Reserved)
	}
	if f.Suffix != nil && *f.Suffix > 0 {
		add("%d suffix rows", *f.Suffix)
	}
	if f.Grid != nil {
		add("grid %d x %d", f.Grid.Rows, f.Grid.Cols)
	}
	return strings.Join(parts, sep)
}

// The captions of a page begin with the numbers of its figure, which serve as its
// alternative text too. What the figure means follows.

func similarityCaption(m *analysis.Matrix, span colourSpan, several bool) []string {
	n := len(m.Positions)
	colours := span.sentence(several)
	if colours != "" {
		colours = " " + colours
	}
	const meaning = "Each cell compares two positions: 1 is the same direction, 0 unrelated, -1 opposite. A bright band along the diagonal means that neighbours are alike; stripes beside it, that the table repeats with a period."
	if m.Scores == nil {
		where := ""
		if analysis.Fits(n) {
			where = ": poslens similarity SOURCE -o FILE.npy writes it"
		}
		return []string{
			fmt.Sprintf("Cosine similarity of every two of %d positions, a pixel for the mean of several. Mean over pairs of different positions %s. The matrix is left out%s.%s",
				n, figureText(m.MeanOffdiagonal), where, colours),
			meaning,
		}
	}
	return []string{
		fmt.Sprintf("Cosine similarity of every two of %d positions. Mean over pairs of different positions %s, smallest %s, largest %s.%s",
			n, figureText(m.MeanOffdiagonal), figureText(m.Min), figureText(m.Max), colours),
		meaning,
	}
}

func decayCaption(c *analysis.DecayCurve) []string {
	last := len(c.At) - 1
	line := fmt.Sprintf("Mean cosine similarity of positions k apart, with the middle half of the pairs. At distance %d: %s", c.At[last], figureText(analysis.Value(c.Mean[last])))
	if last > 1 {
		line = fmt.Sprintf("Mean cosine similarity of positions k apart, with the middle half of the pairs. At distance %d: %s; at distance %d: %s",
			c.At[1], figureText(analysis.Value(c.Mean[1])), c.At[last], figureText(analysis.Value(c.Mean[last])))
	}
	line += ". Half-life (halfway to the mean over all pairs): " + figureText(c.Summary.HalfLifeToMean)
	if reason := c.Reasons["half_life_to_mean"]; reason != "" {
		line += ", since " + reason
	}
	return []string{
		line + ".",
		"A curve that falls tells near from far: the faster, the sharper. One that stays level tells no distances, and one that rises again repeats.",
	}
}

// mostNamed is how many heads, tables, or places of a mark a caption names.
const mostNamed = 8

func profileCaption(profiles []*analysis.Profile) []string {
	meaning := "Score against offset = key - query; a negative offset looks back."
	if len(profiles[0].Axes) == 2 {
		meaning = "Score against offset = key - query on both axes, the query in the middle of each map."
	}
	const high = " A high score draws attention to that offset, a low one turns it away; where all are alike, the contents decide."
	if len(profiles) > 1 {
		return []string{fmt.Sprintf("Profiles of %d tables, of %s each.", len(profiles), counted(len(profiles[0].Heads), "head")), meaning + high}
	}
	heads := profiles[0].Heads
	if len(heads) == 1 {
		h := heads[0]
		return []string{
			fmt.Sprintf("Peak at %s; softmax mass back %s, here %s, ahead %s.", h.PeakText(), figureText(h.MassBack), figureText(h.MassHere), figureText(h.MassAhead)),
			meaning + high,
		}
	}
	var peaks []string
	for _, h := range heads[:min(len(heads), mostNamed)] {
		peaks = append(peaks, fmt.Sprintf("head %s at %s", h.Head, h.PeakText()))
	}
	line := fmt.Sprintf("%s. Peaks: %s", counted(len(heads), "head"), strings.Join(peaks, ", "))
	if more := len(heads) - len(peaks); more > 0 {
		line += fmt.Sprintf(", and %d more", more)
	}
	return []string{line + ".", meaning + high}
}

// figureText rounds a figure for a sentence.
func figureText(v analysis.Value) string {
	if v != v {
		return "undefined"
	}
	return fmt.Sprintf("%.4g", float64(v))
}

// allCaption says where several curves come to stand.
func allCaption(curves []*analysis.DecayCurve) []string {
	var ends []string
	for _, c := range curves[:min(len(curves), mostNamed)] {
		at := min(1, len(c.At)-1)
		ends = append(ends, fmt.Sprintf("%s %s at distance %d", c.Label, figureText(analysis.Value(c.Mean[at])), c.At[at]))
	}
	line := "Mean cosine similarity against distance, with the middle half of the pairs: " + strings.Join(ends, ", ")
	if more := len(curves) - len(ends); more > 0 {
		line += fmt.Sprintf(", and %d more", more)
	}
	return []string{line + ".", "The steeper a curve falls, the better its table tells neighbours from all others."}
}

// profileKey is the key figures of profiles for an overview.
func profileKey(profiles []*analysis.Profile) string {
	if len(profiles) == 1 && len(profiles[0].Heads) == 1 {
		h := profiles[0].Heads[0]
		return fmt.Sprintf("peak at %s, mass back %s, ahead %s", h.PeakText(), figureText(h.MassBack), figureText(h.MassAhead))
	}
	var least, most analysis.Value
	some := false
	for _, p := range profiles {
		for _, h := range p.Heads {
			if v := h.Reach90; v.Defined() {
				if !some {
					least, most, some = v, v, true
				}
				least, most = min(least, v), max(most, v)
			}
		}
	}
	if !some {
		return ""
	}
	if least == most {
		return fmt.Sprintf("90 %% of the mass within distance %s", figureText(least))
	}
	return fmt.Sprintf("90 %% of the mass within distance %s to %s, by head", figureText(least), figureText(most))
}
