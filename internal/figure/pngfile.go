package figure

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"math"

	"github.com/klauspost/compress/zlib"
)

// pngFile is an opaque image as a PNG of 8 bits a channel, with its pixels per
// inch. Rows are not filtered: the few colours of figures, in flat parts, compress
// better as they are than as differences. image/png tries every filter on every row
// and compresses slowly: it takes three quarters of a figure's time.
//
//	https://www.w3.org/TR/png-3/
func pngFile(img *image.RGBA, dpi int) ([]byte, error) {
	const deep, rgb, perMetre = 8, 2, 1 // bits a channel; the colour type; the unit of pHYs
	const level = 5                     // of compression, 1 to 9: a tenth more time than 1, and smooth maps take half the bytes
	density := uint32(math.Round(float64(dpi) / 0.0254))
	number := binary.BigEndian.AppendUint32

	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	w, h := img.Rect.Dx(), img.Rect.Dy()
	chunk(&b, "IHDR", append(number(number(nil, uint32(w)), uint32(h)), deep, rgb, 0, 0, 0))
	chunk(&b, "pHYs", append(number(number(nil, density), density), perMetre))
	var data bytes.Buffer
	z, err := zlib.NewWriterLevel(&data, level)
	if err != nil {
		return nil, err
	}
	row := make([]byte, 1+3*w) // a byte for its filter, 0 for none, before the colours
	for y := range h {
		pixels := img.Pix[y*img.Stride:][:4*w]
		for x := range w {
			copy(row[1+3*x:4+3*x], pixels[4*x:4*x+3])
		}
		if _, err := z.Write(row); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	chunk(&b, "IDAT", data.Bytes())
	chunk(&b, "IEND", nil)
	return b.Bytes(), nil
}

// chunk writes one part of a PNG: its length, its kind, its data and the check of
// both.
func chunk(b *bytes.Buffer, kind string, data []byte) {
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(data)))
	b.Write(n[:])
	b.WriteString(kind)
	b.Write(data)
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(kind)), crc32.IEEETable, data)
	binary.BigEndian.PutUint32(n[:], sum)
	b.Write(n[:])
}
