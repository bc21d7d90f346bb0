package analysis

import "testing"

func TestEnumerate(t *testing.T) {
	for _, c := range []struct {
		numbers []int
		want    string
	}{
		{[]int{7}, "7"},
		{[]int{3, 4}, "3, 4"},
		{[]int{3, 7, 8, 9, 12}, "3, 7 to 9, 12"},
		{[]int{-5, -4, -3}, "-5 to -3"},
		{[]int{0, 2, 4, 6, 8, 10, 12, 14, 16, 18}, "0, 2, 4, 6, 8, 10, 12, 14 and 2 more"},
	} {
		if got := enumerate(c.numbers); got != c.want {
			t.Errorf("%v is named %q, want %q", c.numbers, got, c.want)
		}
	}
}
