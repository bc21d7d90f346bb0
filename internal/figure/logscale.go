package figure

import (
	"errors"
	"math"
	"strconv"
)

// logged is the lines with the numbers of logarithmic axes as their logarithms to
// base 10, so that all else is as on a linear axis; those that have none are gaps.
func (l *Lines) logged() *Lines {
	if !l.XLog && !l.YLog {
		return l
	}
	c := *l
	c.Series = make([]Series, len(l.Series))
	for i, s := range l.Series {
		if l.XLog {
			s.X = logarithms(s.X)
		}
		if l.YLog {
			s.Y, s.Lo, s.Hi = logarithms(s.Y), logarithms(s.Lo), logarithms(s.Hi)
		}
		c.Series[i] = s
	}
	if l.XLog {
		c.Spans = loggedSpans(l.Spans)
		if l.XFrom != 0 || l.XTo != 0 {
			c.XFrom, c.XTo = math.Log10(l.XFrom), math.Log10(l.XTo)
		}
		c.MarkZero = false
	}
	if l.YLog && (l.YMin != 0 || l.YMax != 0) {
		c.YMin, c.YMax = math.Log10(l.YMin), math.Log10(l.YMax)
		if c.YMin == 0 && c.YMax == 0 { // which would mean the data's
			c.YMax = 1e-9
		}
	}
	return &c
}

// logarithms are NaN where there are none.
func logarithms(v []float64) []float64 {
	if v == nil {
		return nil
	}
	log := make([]float64, len(v))
	for i, x := range v {
		log[i] = math.NaN()
		if x > 0 && !math.IsInf(x, 1) {
			log[i] = math.Log10(x)
		}
	}
	return log
}

// checkLog finds ends of a logarithmic axis that have no logarithm.
func (l *Lines) checkLog() error {
	if l.YLog && (l.YMin != 0 || l.YMax != 0) && l.YMin <= 0 {
		return errors.New("lines: a logarithmic y axis begins above 0")
	}
	if l.XLog && l.XScale != Linear {
		return errors.New("lines: an x axis on two scales")
	}
	return nil
}

// logged is the panels with their lines logged.
func (g *Panels) logged() *Panels {
	c := *g
	c.Charts = make([]Chart, len(g.Charts))
	for i, chart := range g.Charts {
		c.Charts[i] = chart
		if l, ok := chart.(*Lines); ok {
			c.Charts[i] = l.logged()
		}
	}
	return &c
}

// checkLog refuses lines that share axes of which only some are logarithmic.
func (g *Panels) checkLog() error {
	_, lines := g.sorted()
	for _, l := range lines {
		if l.XLog != lines[0].XLog || l.YLog != lines[0].YLog {
			return errors.New("panels: lines share their axes, and only some are logarithmic")
		}
	}
	return nil
}

// ticksOn are the ticks of an axis, which may be of logarithms.
func (s span) ticksOn(log bool, n int, whole bool) []tick {
	if !log {
		return s.ticks(n, whole)
	}
	return s.logTicks(n)
}

// logTicks gives at most about n places within a span of logarithms: powers of ten
// where there are several, else round numbers between them.
func (s span) logTicks(n int) []tick {
	n = max(n, 2)
	first, last := math.Ceil(s.lo-1e-9), math.Floor(s.hi+1e-9)
	if decades := int(last-first) + 1; last-first < 1e4 && decades >= 3 {
		every := (decades + n - 1) / n
		var at []float64
		for e := int(first); e <= int(last); e++ {
			if mod(e, every) == 0 {
				at = append(at, float64(e))
			}
		}
		return powers(at)
	}
	for _, of := range [][]float64{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1, 3}, {1}} {
		var at []float64
		for e := math.Floor(s.lo); e <= s.hi; e++ {
			for _, f := range of {
				if v := e + math.Log10(f); v >= s.lo-1e-9 && v <= s.hi+1e-9 {
					at = append(at, v)
				}
			}
		}
		if len(at) >= 2 && len(at) <= n {
			return powers(at)
		}
	}
	// Less than the steps between round numbers, or hardly any room.
	lo, hi := math.Pow(10, s.lo), math.Pow(10, s.hi)
	if !(lo > 0) || math.IsInf(hi, 0) {
		return powers([]float64{s.lo, s.hi})
	}
	var ticks []tick
	for _, t := range (span{lo, hi, true}).wide().ticks(n, false) {
		if v := math.Log10(t.at); v >= s.lo-1e-9 && v <= s.hi+1e-9 {
			ticks = append(ticks, tick{v, t.label})
		}
	}
	return ticks
}

// powers labels places by the numbers whose logarithms they are, all as decimals or,
// where these are long, all with a power of ten.
func powers(at []float64) []tick {
	ticks := make([]tick, len(at))
	long := false
	for i, v := range at {
		e := math.Floor(v + 1e-9)
		digit := math.Round(math.Pow(10, v-e))
		if digit >= 10 {
			digit, e = 1, e+1
		}
		long = long || e > 5 || e < -3
		label := strconv.FormatFloat(digit, 'f', -1, 64) + "e" + strconv.FormatFloat(e, 'f', -1, 64)
		ticks[i] = tick{v, label}
	}
	for i, t := range ticks {
		if !long {
			x, _ := strconv.ParseFloat(t.label, 64)
			t.label = strconv.FormatFloat(x, 'f', -1, 64)
		}
		ticks[i].label = minus(t.label)
	}
	return ticks
}
