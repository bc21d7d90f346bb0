package figure

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"sync"
	"testing"
)

// A file reads back as the pixels that were written, opaque, whatever they are.
func TestPNGFile(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {2, 3}, {640, 31}, {97, 1100}} {
		want := image.NewRGBA(image.Rect(0, 0, size[0], size[1]))
		for y := range size[1] {
			for x := range size[0] {
				c := color.RGBA{7, 7, 7, 0xff} // flat rows, then noise
				if y >= size[1]/3 {
					c = color.RGBA{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), 0xff}
				}
				want.SetRGBA(x, y, c)
			}
		}
		b, err := pngFile(want, 150)
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if got.Bounds() != want.Rect {
			t.Fatalf("%v, want %v", got.Bounds(), want.Rect)
		}
		for y := range size[1] {
			for x := range size[0] {
				if c := want.RGBAAt(x, y); !same(got.At(x, y), c) {
					t.Fatalf("%v: pixel %d, %d is %v, want %v", size, x, y, got.At(x, y), c)
				}
			}
		}
	}
}

// Figures drawn at the same time are those drawn one after the other.
func TestConcurrent(t *testing.T) {
	charts := sampleCharts()
	write := func() []byte {
		var b bytes.Buffer
		for _, name := range []string{"undefined", "lines5"} {
			for _, format := range Formats() {
				if _, err := Write(&b, format, charts[name], Style{DPI: 30}); err != nil {
					t.Error(err)
				}
			}
			if err := WriteTerminal(&b, charts[name], Terminal{Color: "256"}); err != nil {
				t.Error(err)
			}
		}
		return b.Bytes()
	}
	var at [3][]byte
	var wait sync.WaitGroup
	for i := range at {
		wait.Go(func() { at[i] = write() })
	}
	wait.Wait()
	for i := range at {
		if !bytes.Equal(at[i], write()) {
			t.Errorf("goroutine %d drew something else", i)
		}
	}
}
