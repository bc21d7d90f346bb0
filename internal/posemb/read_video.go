package posemb

import (
	"fmt"
	"strings"
)

// releasedVideo is ViViT as it is released: 32 frames of 224 x 224 in tubelets of
// 2 x 16 x 16.
var releasedVideo = video{16, 14}

// video is frames after another of a square grid.
type video struct{ frames, side int }

// String is "16 x 14 x 14".
func (v video) String() string { return fmt.Sprintf("%d x %d x %d", v.frames, v.side, v.side) }

// readVideo reads a table whose rows run over the frames of a video, then over the
// rows and columns of a frame, behind the class token.
func readVideo(r *reading) (Table, error) {
	n, d, data, err := r.matrix()
	if err != nil {
		return nil, err
	}
	suffix := r.suffix()
	reserved := r.preset.Reserved
	if r.opt.Reserved != nil {
		reserved = *r.opt.Reserved
	}
	if left := n - suffix - reserved; r.opt.Grid != nil && r.opt.Reserved == nil && !r.holds(left) && r.holds(n-suffix) {
		reserved = 0
	}
	r.prefix(reserved)
	g, frames := Grid{}, 1
	if left := n - suffix - reserved; reserved >= 0 && suffix >= 0 && left > 0 && left <= n {
		if g, frames, err = r.frames(left, reserved); err != nil {
			return nil, err
		}
	}
	a, err := r.framed(n, d, data, reserved, suffix, g, frames)
	if err != nil {
		return nil, err
	}
	noteValues(a)
	return a, nil
}

// holds says whether n rows are frames of the grid that the caller asks for.
func (r *reading) holds(n int) bool {
	g := r.opt.Grid
	if n < 1 || g.Rows < 1 || g.Cols < 1 || g.Rows > n/g.Cols {
		return false
	}
	return n%(g.Rows*g.Cols) == 0 && (r.opt.Frames < 1 || n/(g.Rows*g.Cols) == r.opt.Frames)
}

// frames decides how many frames of which grid n rows are, and notes it: as the
// caller says, as config.json leaves only one way, as released, or as the number of
// rows allows only one.
func (r *reading) frames(n, reserved int) (g Grid, frames int, err error) {
	front := prefixNote(reserved)
	switch {
	case r.opt.Grid != nil:
		if r.holds(n) && r.whole() {
			frames = n / (r.opt.Grid.Rows * r.opt.Grid.Cols)
			r.note("%s, then %s", front, framesText(frames, *r.opt.Grid))
		}
		return Grid{}, frames, nil // layOut takes the caller's grid
	case r.opt.Frames > 1 || !r.whole():
		r.note("%s", front)
		return Grid{}, 1, nil
	}
	if frames, g, ok := r.statedVideo(n); ok {
		r.note("%s, then %s, as config.json has it", front, framesText(frames, g))
		return g, frames, nil
	}
	all := videos(n)
	fit := all
	said := ""
	if told := r.told(all); len(told) == 1 {
		fit, said = told, ", as config.json has it"
	} else if len(all) > 1 && n == releasedVideo.frames*releasedVideo.side*releasedVideo.side {
		fit, said = []video{releasedVideo}, ", as released"
	}
	switch s := squareRoot(n); {
	case len(fit) == 1:
		v := fit[0]
		r.note("%s, then %s%s", front, framesText(v.frames, Grid{v.side, v.side}), said)
		return Grid{v.side, v.side}, v.frames, nil
	case len(fit) == 0 && s > 1:
		r.note("%s, then %s: one frame", front, Grid{s, s})
		return Grid{s, s}, 1, nil
	case len(fit) == 0:
		r.note("%s; the other %d %s no frames of a square grid: read as positions in a line; --grid TxHxW says better", front, n, plural(n, "is", "are"))
		return Grid{}, 1, nil
	}
	words := make([]string, len(fit))
	for i, v := range fit {
		words[i] = v.String()
	}
	return Grid{}, 0, r.fault(Ambiguous, "--grid TxHxW says which", "%s behind %s are frames x rows x columns in %d ways: %s",
		count(n, "row"), count(reserved, "reserved row"), len(fit), strings.Join(words, ", "))
}

// videos are the ways to read n rows as two frames or more of a square grid of two
// rows or more, the largest grid first.
func videos(n int) []video {
	var all []video
	for side := 2; side <= n/2/side; side++ {
		if n%(side*side) == 0 {
			all = append([]video{{n / (side * side), side}}, all...)
		}
	}
	return all
}

// tubelet is how many frames, rows and columns of pixels config.json puts into one
// position: tubelet_size as a list of the three, or as frames alone beside patch_size; 0
// is what it does not say.
func (r *reading) tubelet() (depth, h, w int) {
	h, w, _ = r.sides("patch_size")
	switch list := r.numbers("tubelet_size"); len(list) {
	case 1:
		depth = list[0]
	case 3:
		depth, h, w = list[0], list[1], list[2]
	}
	return depth, h, w
}

// shots is the size of a video that config.json tells; 0 is what it does not say.
func (r *reading) shots() (frames, h, w int) {
	if list := r.numbers("video_size"); len(list) == 3 { // older configurations of ViViT
		return list[0], list[1], list[2]
	}
	frames, _ = r.number("num_frames")
	h, w, _ = r.sides("image_size")
	return frames, h, w
}

// statedVideo is the frames and the grid of one that config.json tells in full, where n
// rows are just those.
func (r *reading) statedVideo(n int) (frames int, g Grid, ok bool) {
	t, h, w := r.shots()
	depth, y, x := r.tubelet()
	if min(t, h, w, depth, y, x) < 1 {
		return 0, Grid{}, false
	}
	frames, g = t/depth, Grid{h / y, w / x}
	// None is over a million, so that two of them can't overflow.
	return frames, g, min(frames, g.Rows, g.Cols) > 0 && g.Rows*g.Cols <= n && n%(g.Rows*g.Cols) == 0 && n/(g.Rows*g.Cols) == frames
}

// told are the readings that config.json allows: a tubelet takes a whole number of
// the frames, a patch a whole number of the image's rows.
func (r *reading) told(all []video) []video {
	shots, pixels, _ := r.shots()
	depth, patch, _ := r.tubelet()
	if shots == 0 && pixels == 0 {
		return nil
	}
	var fit []video
	for _, v := range all {
		switch {
		case shots > 0 && shots%v.frames != 0, shots > 0 && depth > 0 && shots/depth != v.frames:
		case pixels > 0 && pixels%v.side != 0, pixels > 0 && patch > 0 && pixels/patch != v.side:
		default:
			fit = append(fit, v)
		}
	}
	return fit
}

// framesText is "16 frames of a 14 x 14 grid", or the grid alone of one frame.
func framesText(frames int, g Grid) string {
	if frames < 2 {
		return g.String()
	}
	return fmt.Sprintf("%d frames of %s", frames, g)
}
