package report

import (
	"regexp"
	"strings"
)

// colour is a colour of an SVG's element.
var colour = regexp.MustCompile(`(fill|stroke)="(#[0-9a-f]{6})"`)

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
