package analysis

import (
	"context"
	"fmt"
	"strings"

	"poslens/internal/posemb"
)

// DecayBias averages a relative table's scores by distance: over its heads, and
// over both signs of the offset:
//
//	c(k) = mean over heads and over offsets o with |o| = k of b(o)
//
// Where offsets have two axes |o| is the larger of |dy| and |dx|. Scores that are not
// finite are left out, and a warning names them; without any other the error wraps
// ErrNothing.
func DecayBias(ctx context.Context, b *posemb.Bias, opt DecayOptions) (*DecayCurve, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	offsets, err := offsetsOf(b.Axes, b.Scores)
	if err != nil {
		return nil, err
	}
	largest := 0
	for _, k := range offsets {
		largest = max(largest, k.Distance())
	}
	steps, warning, err := opt.reach(largest, 1)
	if err != nil {
		return nil, err
	}
	at := make([]int, steps+1)
	scores := make([][]float64, steps+1)
	for k := range at {
		at[k] = k
	}
	var broken []Offset
	found := 0
	for row, k := range offsets {
		whole := true
		for _, s := range b.Scores.RawRowView(row) {
			if !finite(s) {
				whole = false
				continue
			}
			found++
			if k.Distance() <= steps {
				scores[k.Distance()] = append(scores[k.Distance()], s)
			}
		}
		if !whole {
			broken = append(broken, k)
		}
	}
	if found == 0 {
		return nil, nothing("no score of the table is finite")
	}
	c := newCurve(b.Origin, MeasureScore, AxisDistance, at, opt.MeanOnly)
	for k := range at {
		c.set(k, scores[k])
	}
	if len(broken) > 0 {
		c.Warnings = append(c.Warnings, nameOffsets(broken)+": scores that are not finite are left out")
	}
	c.warnOptions(opt, warning)
	note := "mean and spread over both signs of the offset"
	if _, heads := b.Scores.Dims(); heads > 1 {
		note = "mean and spread over heads and both signs of the offset"
	}
	if len(b.Axes) == 2 {
		note += fmt.Sprintf("; distance is the larger of |%s| and |%s|", b.Axes[0].Name, b.Axes[1].Name)
	}
	c.Notes = append(c.Notes, note)
	c.withoutSummary("only a cosine has this figure")
	c.finish()
	return c, nil
}

// warnOptions adds the warning about the reach, and one about options that scores
// have no use for.
func (c *DecayCurve) warnOptions(opt DecayOptions, reach string) {
	if reach != "" {
		c.Warnings = append(c.Warnings, reach)
	}
	var ignored []string
	if opt.Dot {
		ignored = append(ignored, "dot")
	}
	if opt.Center {
		ignored = append(ignored, "center")
	}
	if opt.Eps != 0 {
		ignored = append(ignored, "eps")
	}
	if opt.Single {
		ignored = append(ignored, "single precision")
	}
	if len(ignored) > 0 {
		c.Warnings = append(c.Warnings, strings.Join(ignored, ", ")+": scores are taken as they stand, ignored")
	}
}
