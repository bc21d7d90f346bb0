package posemb

import (
	"strings"
)

// Pattern names tensors by the end of their names: segments between dots, as in
// "embeddings.position_embeddings.weight", where a segment may hold one "*".
// Alternatives stand between bars.
// It is compared with a name's segments (see segments), so one pattern serves
// PyTorch, Flax, Keras and TensorFlow names.
type Pattern string

// match says whether a name ends as the pattern does, and with how many segments.
func (p Pattern) match(segs []string) (n int, ok bool) {
	for rest := string(p); rest != ""; {
		var alt string
		alt, rest, _ = strings.Cut(rest, "|")
		if n, left := matchEnd(alt, segs); left == "" {
			return n, true
		}
	}
	return 0, false
}

// mayMatch says whether some name that ends in these segments matches.
func (p Pattern) mayMatch(last []string) bool {
	for rest := string(p); rest != ""; {
		var alt string
		alt, rest, _ = strings.Cut(rest, "|")
		if n, _ := matchEnd(alt, last); n > 0 && (n == len(last) || n == 1+strings.Count(alt, ".")) {
			return true
		}
	}
	return false
}

// matchEnd compares one alternative with the last segments, from right to left.
// It gives how many agree, and what is left of the alternative.
func matchEnd(alt string, segs []string) (n int, left string) {
	for n < len(segs) {
		dot := strings.LastIndexByte(alt, '.')
		if !matchSegment(alt[dot+1:], segs[len(segs)-1-n]) {
			return n, alt
		}
		n++
		if dot < 0 {
			return n, ""
		}
		alt = alt[:dot]
	}
	return n, alt
}

// matchSegment compares one segment; a "*" stands for any run of characters.
func matchSegment(p, s string) bool {
	head, tail, star := strings.Cut(p, "*")
	if !star {
		return p == s
	}
	return len(s) >= len(head)+len(tail) && strings.HasPrefix(s, head) && strings.HasSuffix(s, tail)
}

// segments splits a tensor's name at dots and slashes and brings the frameworks'
// ways of naming an embedding's matrix to one, "weight": Flax ".../embedding",
// Keras ".../embeddings:0" and ".../vars/0", TensorFlow's object paths, and the
// quantised twin of an ONNX initialiser.
func segments(name string) []string {
	segs := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '/' })
	if n := len(segs); n > 2 && segs[n-2] == "ATTRIBUTES" && segs[n-1] == "VARIABLE_VALUE" {
		segs = segs[:n-2]
	}
	n := len(segs)
	if n == 0 {
		return segs
	}
	last := segs[n-1]
	if i := strings.LastIndexByte(last, ':'); i > 0 && digits(last[i+1:]) {
		last = last[:i]
	}
	last = strings.TrimSuffix(last, "_quantized")
	switch {
	case n > 1 && (last == "embedding" || last == "embeddings"):
		last = "weight"
	case n > 2 && segs[n-2] == "vars" && digits(last):
		segs, last = segs[:n-1], "weight"
	}
	segs[len(segs)-1] = last
	return segs
}

// digits says whether s is a number without a sign.
func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// glob matches a whole name; "*" stands for any run, "?" for one character.
func glob(pattern, name string) bool {
	p, s := []rune(pattern), []rune(name)
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(s) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == s[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
