package cli

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"poslens/internal/progress"
)

// String tells how far a stage is, how fast it goes and how long it will take:
//
//	43 of 198 draws, 12/s, 13 s left
//
// The rate is that of all things done until the last of them, and what is left that of
// the others at this rate; before the first there is neither. It is plain ASCII.
func (s *stage) String(now time.Time) string {
	u := unitOf(s.what, s.total)
	text := u.number(s.done) + " of " + u.number(s.total)
	if u.name != "" {
		text += " " + u.name
	}
	if s.what == progress.Bytes {
		text += " read"
	} else {
		text += " " + s.what
	}
	took := s.last.Sub(s.begun).Seconds()
	if s.done == 0 || took <= 0 {
		return text
	}
	rate := float64(s.done) / took
	text += ", " + rateText(s.what, rate)
	if left := float64(s.total-s.done)/rate - now.Sub(s.last).Seconds(); left > 0 {
		text += ", " + inWords(left) + " left"
	}
	return text
}

// unit is what large numbers are counted in.
type unit struct {
	name string
	size int64
}

// units of things and of bytes, the largest first.
var (
	plainUnits = []unit{{"billion", 1e9}, {"million", 1e6}, {"", 1}}
	byteUnits  = []unit{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"bytes", 1}}
)

// unitOf is the unit that a number is told in.
func unitOf(what string, n int64) unit {
	units := plainUnits
	if what == progress.Bytes {
		units = byteUnits
	}
	for _, u := range units {
		if n >= u.size {
			return u
		}
	}
	return units[len(units)-1]
}

// number is a count in the unit, with a decimal where the unit is no single thing.
func (u unit) number(n int64) string {
	if u.size == 1 {
		return strconv.FormatInt(n, 10)
	}
	return strconv.FormatFloat(float64(n)/float64(u.size), 'f', 1, 64)
}

// rateText is how many a second, in two digits or whole ones.
func rateText(what string, perSecond float64) string {
	u := unitOf(what, int64(perSecond))
	digits, v := 0, perSecond/float64(u.size)
	if v < 10 {
		digits = 1 - int(math.Floor(math.Log10(v)))
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if u.name != "" {
		text += " " + u.name
	}
	return text + "/s"
}

// inWords is a time in seconds, rounded up: "13 s", "2 min 5 s", "3 h 20 min".
func inWords(seconds float64) string {
	const most = 100 * 3600
	s := int64(math.Ceil(min(seconds, most)))
	switch {
	case s == most:
		return "over 99 h"
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	}
	return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
}
