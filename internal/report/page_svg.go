package report

import (
	"regexp"
	"strconv"
	"strings"
)

// colour is a colour of an SVG's element.
var colour = regexp.MustCompile(`(fill|stroke)="(#[0-9a-f]{6})"`)

// viewBox finds how wide a drawing is, in points.
var viewBox = regexp.MustCompile(`^<svg [^>]*viewBox="0 0 ([0-9.]+) `)

// leastWidth is how many pixels wide a figure must stand for its type to be read: 0
// where that is less than any screen has.
func leastWidth(f PageFigure) int {
	const narrow, grown, most = 330, 1.3, 1060 // points; pixels a point; pixels, what the page has for it
	m := viewBox.FindStringSubmatch(f.Light)
	if m == nil {
		return 0
	}
	w, err := strconv.ParseFloat(m[1], 64)
	if err != nil || w <= narrow {
		return 0
	}
	return int(min(grown*w, most))
}

// themed joins two drawings that differ in their colours alone: the light one, in
// which each element knows the dark one's colour as --dark-fill or --dark-stroke,
// for a style sheet to take. Where they differ in more, or there is no dark one, it
// is the light one as it is.
func themed(light, dark string) string {
	if dark == "" {
		return light
	}
	from, to := colour.FindAllStringSubmatchIndex(light, -1), colour.FindAllStringSubmatchIndex(dark, -1)
	if len(from) != len(to) {
		return light
	}
	var s strings.Builder
	at := 0
	for i, m := range from {
		what, is := light[m[2]:m[3]], light[m[4]:m[5]]
		if dark[to[i][2]:to[i][3]] != what {
			return light
		}
		s.WriteString(light[at:m[1]])
		at = m[1]
		if of := dark[to[i][4]:to[i][5]]; of != is {
			s.WriteString(` style="--dark-` + what + ":" + of + `"`)
		}
	}
	s.WriteString(light[at:])
	return s.String()
}
