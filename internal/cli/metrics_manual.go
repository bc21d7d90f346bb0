package cli

import (
	"strconv"
	"strings"

	"poslens/internal/analysis"
)

// familiesOf draws metrics together that differ in a number alone: "decay_K", "c(K),
// ...; K is 1, 2, 5".
func familiesOf(list []analysis.Metric) []analysis.Metric {
	split := func(m analysis.Metric) (stem, number string) {
		i := strings.LastIndexByte(m.Name, '_') + 1
		return m.Name[:i] + "K", m.Name[i:]
	}
	numbers := map[string][]string{}
	for _, m := range list {
		stem, number := split(m)
		if _, err := strconv.Atoi(number); err == nil {
			numbers[stem] = append(numbers[stem], number)
		}
	}
	var families []analysis.Metric
	for _, m := range list {
		stem, number := split(m)
		of := numbers[stem]
		switch {
		case len(of) < 2:
			families = append(families, m)
		case number == of[0]:
			m.Name, m.Doc = stem, strings.ReplaceAll(m.Doc, number, "K")+"; K is "+strings.Join(of, ", ")
			families = append(families, m)
		}
	}
	return families
}

// metricsManual defines all figures, for the manual.
func metricsManual() string {
	var s strings.Builder
	for _, part := range []struct {
		title string
		list  []analysis.Metric
	}{
		{"Of a table of positions. S is the cosine matrix of n positions, c(k) the mean of S[i, i+k] over i, P the table:", analysis.Metrics},
		{"Of every head of a relative table. b(k) is the score of offset k, p(k) its share of the softmax over the window:", analysis.RelativeMetrics},
		{"Of a table whose positions are cells of a grid (poslens grid):", analysis.GridMetrics},
		{"Of a table of positions under --probes; they have no null models:", analysis.ProbeMetrics},
	} {
		paragraph(&s, part.title)
		for _, m := range familiesOf(part.list) {
			doc := m.Doc
			if m.From != "" {
				doc += " (" + m.From + ")"
			}
			entry(&s, m.Name+", "+m.Group, doc)
		}
		s.WriteByte('\n')
	}
	paragraph(&s, "The figures of decay, profile, their fits, spectrum and compare, by their names in JSON:")
	for _, f := range analysis.Figures {
		entry(&s, f.Name, f.Doc)
	}
	s.WriteString("\nThe models that --fit takes, k being the distance or the signed offset:\n\n")
	for _, m := range analysis.FitModels {
		entry(&s, m.Name, m.Formula+": "+m.Doc)
	}
	s.WriteByte('\n')
	paragraph(&s, "A figure that is undefined is null in JSON, with the reason beside it, and NA in TSV and CSV. p is (1 + draws at least as far from the middle as the figure) / (draws + 1), where the middle is the mean of the figure and all draws, and draws that are just as far count by lot; draws in which the figure is undefined do not count, and JSON tells how many do. A null model that can't change a figure has no z and no p, and JSON says why. The null models of a head move its finite scores: its scores in random orders, and Gaussian ones of their mean and deviation, of which offsets that share a stored bucket have the same. Each p is of one figure by itself: of some 40 figures two are below 0.05 by chance.")
	return strings.TrimRight(s.String(), "\n")
}
