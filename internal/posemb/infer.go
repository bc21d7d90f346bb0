package posemb

import (
	"fmt"
	"strconv"
)

// firstRows is how many rows at the front may be padding: padding_idx is 1 in
// most vocabularies, 3 in SentencePiece ones.
const firstRows = 4

// paddingRow finds the one row of zeros among the first; row 1 also where row 0
// is zero too. -1 when there is none, or when zeros go on and mean nothing.
func paddingRow(data []float64, n, d int) int {
	found := -1
	for i := range min(firstRows, n) {
		if !allZero(data[i*d : (i+1)*d]) {
			continue
		}
		if found >= 0 && !(found == 0 && i == 1) {
			return -1
		}
		found = i
	}
	if found+1 >= n || found >= 0 && allZero(data[(found+1)*d:(found+2)*d]) {
		return -1
	}
	return found
}

// allZero says whether every value is exactly 0.
func allZero(x []float64) bool {
	for _, v := range x {
		if v != 0 {
			return false
		}
	}
	return true
}

// reservedRows decides how many leading rows are no positions, and notes why.
func (r *reading) reservedRows(n, d int, data []float64) int {
	if r.opt.Reserved != nil {
		return *r.opt.Reserved
	}
	p := r.preset
	zero := paddingRow(data, n, d)
	switch {
	case zero > 0 && p.Padding == padIndex, zero == 0 && p.Padding == padFirst, zero >= 0 && p.Padding == padAny:
		r.note("row %d is exactly zero and taken as padding (%s)", zero, count(zero+1, "reserved row"))
		r.padding(zero)
		return zero + 1
	case zero == 0 && p.Reserved == 0 && p.Padding == padNone:
		r.note("row 0 is exactly zero; nothing is reserved; --reserved 1 leaves it out")
	case zero == 0 && p.Reserved == 0:
		r.note("row 0 is exactly zero, yet it may be a real position (LXMERT keeps position 0 there): nothing is reserved; --reserved 1 leaves it out")
	case p.Reserved > 0 && p.Prefixed:
		r.note("%s", prefixNote(p.Reserved))
		r.prefix(p.Reserved)
	case p.Reserved > 0 && isPowerOfTwo(n-p.Reserved):
		r.note("%d rows are %d + %d: positions start at row %d (%s, as in %s)", n, n-p.Reserved, p.Reserved, p.Reserved, count(p.Reserved, "reserved row"), p.Arch)
		r.reserve(n)
	case p.Reserved > 0:
		r.reserve(n)
		r.note("positions start at row %d (%s, as in %s)", p.Reserved, count(p.Reserved, "reserved row"), p.Arch)
	case p.Unsaid != "":
		r.note("%s", p.Unsaid)
	}
	return p.Reserved
}

// padding names the row of padding_idx and those before it.
func (r *reading) padding(zero int) {
	for row := range zero {
		r.call(row, "before the padding row: no position has it")
	}
	r.call(zero, "padding, exactly zero")
}

// reserve names the rows that an architecture keeps in front of its n, whatever they
// hold.
func (r *reading) reserve(n int) {
	for row := range min(r.preset.Reserved, n) {
		r.call(row, "reserved: no position has it")
	}
}

// prefix names the rows in front of a grid, when they are the one or two of a ViT, or
// BEiT-3's three.
func (r *reading) prefix(reserved int) {
	if reserved == 3 && r.preset.Prefixed && r.opt.Reserved == nil {
		r.call(0, "never used")
		r.call(1, "never used")
		r.call(2, "class token")
	}
	if reserved == 1 || reserved == 2 {
		r.call(0, "class token")
	}
	if reserved == 2 {
		r.call(1, "distillation token")
	}
}

// gridBehind finds the square raster of n rows behind as many prefix rows as one
// of prefixes says. Squares lie too far apart for two of 0, 1 and 2 to fit (n of 1
// to 3 aside, which are no raster), so 196 is 14 x 14 and never 1 + 195.
func gridBehind(n int, prefixes ...int) (prefix int, g Grid, ok bool) {
	return framesBehind(n, 1, prefixes...)
}

// framesBehind finds the square raster of which some frames stand behind as many
// prefix rows as one of prefixes says.
func framesBehind(n, frames int, prefixes ...int) (prefix int, g Grid, ok bool) {
	for _, p := range prefixes {
		if left := n - p; p >= 0 && left > 0 && left%frames == 0 {
			if s := squareRoot(left / frames); s > 1 {
				return p, Grid{s, s}, true
			}
		}
	}
	return 0, Grid{}, false
}

// String is "a 7 x 7 grid".
func (g Grid) String() string {
	article := "a"
	if s := strconv.Itoa(g.Rows); s[0] == '8' || s == "11" || s == "18" {
		article = "an"
	}
	return fmt.Sprintf("%s %d x %d grid", article, g.Rows, g.Cols)
}

// prefixNote tells what the rows in front of a grid are.
func prefixNote(prefix int) string {
	switch prefix {
	case 0:
		return "no class token"
	case 1:
		return "class token in row 0"
	case 2:
		return "class and distillation tokens in rows 0 and 1"
	}
	return fmt.Sprintf("rows 0 to %d are prefix tokens", prefix-1)
}
