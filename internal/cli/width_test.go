package cli

import "testing"

// --width takes inches and words; of a word with a height the flag --height wins, and
// the last of several flags counts.
func TestWidthFlag(t *testing.T) {
	for _, c := range []struct {
		given      []string
		height     float64
		width      float64
		wantHeight float64
	}{
		{[]string{"column"}, 0, 3.5, 0},
		{[]string{"page"}, 0, 7, 0},
		{[]string{"slide"}, 0, 10, 5.6},
		{[]string{"slide"}, 4, 10, 4},
		{[]string{"slide", "5"}, 0, 5, 0},
		{[]string{"4.25"}, 2, 4.25, 2},
		{[]string{"4.25in"}, 0, 4.25, 0},
		{[]string{"50.8mm"}, 0, 2, 0},
		{[]string{"5.08cm"}, 0, 2, 0},
	} {
		o := &outputFlags{height: c.height}
		for _, s := range c.given {
			if err := (*widthFlag)(o).Set(s); err != nil {
				t.Fatalf("%v: %v", c.given, err)
			}
		}
		if s := o.style(); s.Width != c.width || s.Height != c.wantHeight {
			t.Errorf("%v and a height of %g: %g x %g, want %g x %g", c.given, c.height, s.Width, s.Height, c.width, c.wantHeight)
		}
	}
	for _, s := range []string{"", "Column", "3,5", "columns", "mm", "7 inches", "8pt"} {
		if err := (*widthFlag)(&outputFlags{}).Set(s); err == nil {
			t.Errorf("%q is taken", s)
		}
	}
}
