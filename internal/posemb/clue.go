package posemb

import (
	"math"
	"slices"
)

// clue is what a preset may look at before any number is read.
type clue struct {
	*survey
	segs  []string // the name's segments
	shape []int
	tower string // model_type of the part that the tensor is in, where config.json has one; lower case
}

// fit is a condition on a clue.
type fit func(clue) bool

// allOf holds when every condition does.
func allOf(fits ...fit) fit {
	return func(c clue) bool {
		for _, f := range fits {
			if !f(c) {
				return false
			}
		}
		return true
	}
}

// anyOf holds when one condition does.
func anyOf(fits ...fit) fit {
	return func(c clue) bool {
		for _, f := range fits {
			if f(c) {
				return true
			}
		}
		return false
	}
}

// not turns a condition round.
func not(f fit) fit { return func(c clue) bool { return !f(c) } }

// under asks for a segment in front of the last, such as "roberta".
func under(names ...string) fit {
	return func(c clue) bool {
		for _, s := range c.segs[:len(c.segs)-1] {
			if slices.Contains(names, s) {
				return true
			}
		}
		return false
	}
}

// model asks for a model type of config.json, the whole model's or that of the part
// that the tensor is in, or an architecture of GGUF.
func model(types ...string) fit {
	return func(c clue) bool {
		return slices.Contains(types, c.model) || c.tower != "" && slices.Contains(types, c.tower)
	}
}

// beside asks for another tensor in the source.
func beside(p Pattern) fit {
	return func(c clue) bool {
		for _, s := range c.names {
			if _, ok := p.match(s); ok {
				return true
			}
		}
		return false
	}
}

// dims asks for that many dimensions, leading ones counted.
func dims(n ...int) fit {
	return func(c clue) bool { return slices.Contains(n, len(c.shape)) }
}

// rows asks for one of some numbers of rows.
func rows(n ...int) fit {
	return func(c clue) bool { return slices.Contains(n, c.rows()) }
}

// powerAnd asks for 2^k + extra rows, which tells extra reserved ones.
func powerAnd(extra int) fit {
	return func(c clue) bool { return isPowerOfTwo(c.rows() - extra) }
}

// multipleAnd asks for a multiple of 64 and extra rows, as of a length that was chosen
// for speed.
func multipleAnd(extra int) fit {
	return func(c clue) bool { n := c.rows() - extra; return n > 0 && n%64 == 0 }
}

// ofVision and ofText ask for a name that speaks of a model's image or text tower.
var (
	ofVision = under("visual", "vision", "vision_model", "vision_tower", "vision_encoder", "image_encoder", "image_vit", "img_processor", "vpm", "attnpool")
	ofText   = under("text", "txt", "text_model", "text_encoder", "language_model")
)

// squareAnd asks for the rows of a square grid + extra rows.
func squareAnd(extra int) fit {
	return func(c clue) bool { return squareRoot(c.rows()-extra) > 1 }
}

// rows is the number of rows once leading ones are dropped.
func (c clue) rows() int {
	if s := squeeze(c.shape); len(s) > 1 {
		return s[0]
	}
	return 0
}

// lastBut asks for the segment before the last.
func lastBut(name string) fit {
	return func(c clue) bool { return len(c.segs) > 1 && c.segs[len(c.segs)-2] == name }
}

// lastButTwo asks for the segment two before the last.
func lastButTwo(name string) fit {
	return func(c clue) bool { return len(c.segs) > 2 && c.segs[len(c.segs)-3] == name }
}

// evenOffsets tells a window with 3 rows behind it, for a class token, from one without:
// (2h-1)(2w-1) is odd. No image with a class token has a window of one cell.
func evenOffsets(c clue) bool {
	n := c.offsets()
	return n%2 == 0 && n > 4
}

// offsets is the number of offsets of a bias of a window: that of the dimension which
// the caller calls so, else of the one that a window can have.
func (c clue) offsets() int {
	s := squeeze(c.shape)
	if len(s) != 2 {
		return 0
	}
	if i := slices.Index(c.opt.Axes, "offsets"); i >= 0 && len(c.opt.Axes) == 2 {
		return s[i]
	}
	if !c.opt.ofWindow(s[0]) && c.opt.ofWindow(s[1]) {
		return s[1]
	}
	return s[0]
}

// ofWindow says that as many rows are the offsets of a window, or those and 3 rows
// behind them: of the window that the caller names, else of a square one of two cells
// a side or more, where rows follow of three or more.
func (o ReadOptions) ofWindow(rows int) bool {
	if g := o.Grid; g != nil {
		y, x := 2*g.Rows-1, 2*g.Cols-1
		return y > 0 && x > 0 && (rows%y == 0 && rows/y == x || rows > 3 && (rows-3)%y == 0 && (rows-3)/y == x)
	}
	side, behind := squareRoot(rows), squareRoot(rows-3)
	return side > 1 && side%2 == 1 || behind > 3 && behind%2 == 1
}

// sibling asks for another tensor of the same module: one of a pattern's
// alternatives behind the name without its last segments.
func sibling(last int, pattern string) fit {
	return func(c clue) bool {
		if len(c.segs) < last {
			return false
		}
		_, ok := c.part(c.segs[:len(c.segs)-last], pattern)
		return ok
	}
}

// squeeze drops leading dimensions of 1 down to two, and a batch dimension of 1
// in the middle ([n, 1, d], which old PyTorch code has).
func squeeze(shape []int) []int {
	for len(shape) > 2 && shape[0] == 1 {
		shape = shape[1:]
	}
	if len(shape) == 3 && shape[1] == 1 {
		return []int{shape[0], shape[2]}
	}
	return shape
}

// isPowerOfTwo tells 8, 16, 32, ...: below that, a number of rows says nothing.
func isPowerOfTwo(n int) bool { return n >= 8 && n&(n-1) == 0 }

// squareRoot is the whole root of a square number, or 0.
func squareRoot(n int) int {
	if n < 1 {
		return 0
	}
	if r := int(math.Sqrt(float64(n))); r*r == n {
		return r
	}
	return 0
}
