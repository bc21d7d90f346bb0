package checkpoint

import (
	"fmt"
	"slices"
)

// jsonArray is a list of numbers, or a list of such lists.
type jsonArray struct {
	shape []int
	data  []float64
	wrong *Error // it is none: what it holds instead. The text was read past it
}

// array takes nested lists, behind the first bracket. What is no array of numbers
// is told in its wrong field; an error is a text that can't be read on.
func (s *jsonScan) array() (*jsonArray, error) {
	a := &jsonArray{}
	var n jsonNest
	n.open()
	first := true // no item of the open list was taken
	for {
		more, err := s.more(']', first)
		if err != nil {
			return nil, err
		}
		first = false
		if !more {
			if why := n.close(); why != "" {
				return s.notNumbers(&n, BadShape, why)
			}
			if n.depth == 0 {
				a.shape = n.shape()
				return a, nil
			}
			continue
		}
		c, err := s.peek()
		if err != nil {
			return nil, err
		}
		switch c {
		case '[':
			if n.depth == jsonDepth {
				return nil, s.fault(Corrupt, "lists nested deeper than %d", jsonDepth)
			}
			if why := n.open(); why != "" {
				return s.notNumbers(&n, BadShape, why)
			}
			s.take()
			first = true
			continue
		case '{':
			return s.notNumbers(&n, Parse, "an object where a number belongs")
		case '"':
			text, _, err := s.str()
			if err != nil {
				return nil, err
			}
			return s.notNumbers(&n, Parse, "the string "+quoted(text)+" where a number belongs")
		}
		word, err := s.bare()
		if err != nil {
			return nil, err
		}
		v, why := jsonNumber(word)
		if why != "" {
			return s.notNumbers(&n, Parse, why)
		}
		if why := n.number(); why != "" {
			return s.notNumbers(&n, BadShape, why)
		}
		if int64(len(a.data)) >= s.most {
			return nil, overElements(s.off(), "over %d numbers", s.most)
		}
		a.data = append(a.data, v)
	}
}

// notNumbers reads to the end of lists that turned out to be no array.
func (s *jsonScan) notNumbers(n *jsonNest, k Kind, why string) (*jsonArray, error) {
	if place := n.place(); place != "" {
		why = place + ": " + why
	}
	wrong := s.fault(k, "%s", why)
	return &jsonArray{wrong: wrong}, s.skip(slices.Repeat([]byte{']'}, n.depth))
}

// jsonNest follows nested lists: each depth has one length, and numbers stand at
// one depth only. Its methods say what breaks that.
type jsonNest struct {
	depth int            // lists that are open
	leaf  int            // lists around a number; 0 before the first number
	have  [jsonDepth]int // items so far of the open lists, the outermost first
	known [jsonDepth]int // 1 + the length of the closed lists at each depth; 0 before the first
}

// open opens a list.
func (n *jsonNest) open() string {
	if n.leaf > 0 && n.depth >= n.leaf {
		return "a list where a number belongs"
	}
	n.have[n.depth] = 0
	n.depth++
	return ""
}

// close closes a list.
func (n *jsonNest) close() string {
	n.depth--
	have, known := n.have[n.depth], &n.known[n.depth]
	if *known > 0 && have != *known-1 {
		return fmt.Sprintf("items: %d, but the lists before have %d", have, *known-1)
	}
	*known = have + 1
	if n.depth > 0 {
		n.have[n.depth-1]++
	}
	return ""
}

// number counts a number.
func (n *jsonNest) number() string {
	if n.leaf == 0 && (n.depth == jsonDepth || n.known[n.depth] == 0) {
		n.leaf = n.depth
	}
	if n.leaf != n.depth {
		return "a number where a list belongs"
	}
	n.have[n.depth-1]++
	return ""
}

// place is where in the lists the next item stands: [3][0].
func (n *jsonNest) place() string {
	s := ""
	for _, i := range n.have[:n.depth] {
		s += fmt.Sprintf("[%d]", i)
	}
	return s
}

// shape is the length at each depth, when all lists are closed.
func (n *jsonNest) shape() []int {
	var shape []int
	for _, known := range n.known {
		if known == 0 {
			break
		}
		shape = append(shape, known-1)
	}
	return shape
}
