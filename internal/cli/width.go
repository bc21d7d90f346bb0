package cli

import (
	"errors"
	"strconv"
	"strings"
)

// widths are the words that --width takes: what a figure will be set in.
var widths = []struct {
	word          string
	width, height float64 // inches; height 0 is that of the chart's shape
}{
	{"column", 3.5, 0}, // of two on a page: IEEE has 3.5 inches, Nature 89 mm
	{"page", 7, 0},     // the text of a page of two columns: IEEE has 7.16 inches, Nature 183 mm
	{"slide", 10, 5.6}, // 16:9
}

// units are what a width may be given in besides inches, as journals do.
var units = []struct {
	suffix  string
	perInch float64
}{
	{"mm", 25.4},
	{"cm", 2.54},
	{"in", 1},
}

func widthWords() []string {
	var words []string
	for _, w := range widths {
		words = append(words, w.word)
	}
	return words
}

// widthsInWords says what the words stand for.
func widthsInWords() string {
	var list []string
	for _, w := range widths {
		s := strconv.FormatFloat(w.width, 'f', -1, 64)
		if w.height > 0 {
			s += " x " + strconv.FormatFloat(w.height, 'f', -1, 64)
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

// widthFlag is --width of the output flags, as a flag's value.
type widthFlag outputFlags

func (f *widthFlag) Set(s string) error {
	for _, w := range widths {
		if s == w.word {
			f.width, f.shape = w.width, 0
			if w.height > 0 {
				f.shape = w.width / w.height
			}
			return nil
		}
	}
	number, unit := s, 1.0
	for _, u := range units {
		if before, ok := strings.CutSuffix(s, u.suffix); ok {
			number, unit = before, u.perInch
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	v /= unit
	if err != nil {
		return errors.New("neither a length nor a word it knows")
	}
	f.width, f.shape = v, 0
	return nil
}

func (f *widthFlag) String() string {
	if f == nil || f.width == 0 {
		return ""
	}
	return strconv.FormatFloat(f.width, 'g', -1, 64)
}

// Type words what the flag takes.
func (f *widthFlag) Type() string {
	return "inches, 89mm, 8.9cm, or " + strings.Join(widthWords(), ", ")
}
