package tensor

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The formula of each type for one element: number i of the block x of a
// little-endian file, bit by bit. It shares nothing with the loops under test but
// half.
var elements = map[DType]func(x []byte, i int) float64{
	Q4_0: func(x []byte, i int) float64 { return h16(x, 0) * (field(x[2+i%16:], 4*(i/16), 4) - 8) },
	Q4_1: func(x []byte, i int) float64 { return h16(x, 0)*field(x[4+i%16:], 4*(i/16), 4) + h16(x, 2) },
	Q5_0: func(x []byte, i int) float64 {
		return h16(x, 0) * (field(x[6+i%16:], 4*(i/16), 4) + 16*field(x[2:], i, 1) - 16)
	},
	Q5_1: func(x []byte, i int) float64 {
		return h16(x, 0)*(field(x[8+i%16:], 4*(i/16), 4)+16*field(x[4:], i, 1)) + h16(x, 2)
	},
	Q8_0: func(x []byte, i int) float64 { return h16(x, 0) * float64(int8(x[2+i])) },
	IQ4_NL: func(x []byte, i int) float64 {
		levels := []float64{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}
		return h16(x, 0) * levels[int(field(x[2+i%16:], 4*(i/16), 4))]
	},
	Q2_K: func(x []byte, i int) float64 {
		s := x[i/16:]
		return h16(x, 80)*field(s, 0, 4)*field(x[16+i/128*32+i%32:], i%128/32*2, 2) - h16(x, 82)*field(s, 4, 4)
	},
	Q3_K: func(x []byte, i int) float64 {
		g, s := i/16, x[96:]
		scale := field(s[g%8:], g/8*4, 4) + 16*field(s[8+g%4:], g/4*2, 2) - 32
		return h16(x, 108) * scale * (field(x[32+i/128*32+i%32:], i%128/32*2, 2) + 4*field(x[i%32:], i/32, 1) - 4)
	},
	Q4_K: func(x []byte, i int) float64 {
		scale, least := sixBits(x[4:], i/32)
		return h16(x, 0)*scale*field(x[16+i/64*32+i%32:], i%64/32*4, 4) - h16(x, 2)*least
	},
	Q5_K: func(x []byte, i int) float64 {
		scale, least := sixBits(x[4:], i/32)
		q := field(x[48+i/64*32+i%32:], i%64/32*4, 4) + 16*field(x[16+i%32:], i/32, 1)
		return h16(x, 0)*scale*q - h16(x, 2)*least
	},
	Q6_K: func(x []byte, i int) float64 {
		// The numbers 64 apart are the halves of a byte; those 32 apart are two bits
		// apart in the high ones.
		q := field(x[i/128*64+i%64:], i%128/64*4, 4) + 16*field(x[128+i/128*32+i%32:], i%128/32*2, 2)
		return h16(x, 208) * float64(int8(x[192+i/16])) * (q - 32)
	},
	Q8_K: func(x []byte, i int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(x))) * float64(int8(x[4+i]))
	},
}

// h16 is the half at a place of a block.
func h16(x []byte, at int) float64 { return half(binary.LittleEndian.Uint16(x[at:])) }

// field is n bits from a bit on, the lowest of the first byte being bit 0.
func field(x []byte, bit, n int) float64 {
	v := 0.0
	for k := range n {
		if x[(bit+k)/8]>>((bit+k)%8)&1 == 1 {
			v += float64(int(1) << k)
		}
	}
	return v
}

// sixBits are the scale and the minimum of group j of Q4_K and Q5_K.
func sixBits(s []byte, j int) (scale, least float64) {
	if j < 4 {
		return field(s[j:], 0, 6), field(s[j+4:], 0, 6)
	}
	return field(s[j+4:], 0, 4) + 16*field(s[j-4:], 6, 2), field(s[j+4:], 4, 4) + 16*field(s[j:], 6, 2)
}

// wordsOf are the places of a block's numbers of more than one byte: {place, bytes}.
var wordsOf = map[DType][][2]int{
	Q4_0: {{0, 2}}, Q4_1: {{0, 2}, {2, 2}}, Q5_0: {{0, 2}, {2, 4}}, Q5_1: {{0, 2}, {2, 2}, {4, 4}}, Q8_0: {{0, 2}}, IQ4_NL: {{0, 2}},
	Q2_K: {{80, 2}, {82, 2}}, Q3_K: {{108, 2}}, Q4_K: {{0, 2}, {2, 2}}, Q5_K: {{0, 2}, {2, 2}}, Q6_K: {{208, 2}}, Q8_K: append(pairsFrom(260), [2]int{0, 4}),
}

// pairsFrom are 16 numbers of two bytes.
func pairsFrom(at int) (words [][2]int) {
	for i := range 16 {
		words = append(words, [2]int{at + 2*i, 2})
	}
	return words
}

// bigEndian is blocks with their numbers turned around.
func bigEndian(src []byte, typ DType) []byte {
	turned := slices.Clone(src)
	for x := turned; len(x) > 0; x = x[typ.Size():] {
		for _, w := range wordsOf[typ] {
			slices.Reverse(x[w[0] : w[0]+w[1]])
		}
	}
	return turned
}

// TestBlocks compares every element of any blocks, in both byte orders, with its
// formula.
func TestBlocks(t *testing.T) {
	for typ := Q4_0; typ <= IQ4_NL; typ++ {
		t.Run(typ.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(0, 3).Draw(t, "blocks")
				src := rapid.SliceOfN(rapid.Byte(), n*typ.Size(), n*typ.Size()).Draw(t, "src")
				checkBlocks(t, typ, src)
			})
		})
	}
}

// fataler is what checkBlocks needs of a test.
type fataler interface {
	Fatal(...any)
	Fatalf(string, ...any)
}

func checkBlocks(t fataler, typ DType, src []byte) {
	size, block := typ.Size(), typ.Block()
	little, big := make([]float64, len(src)/size*block), make([]float64, len(src)/size*block)
	if err := Decode(little, src, typ, binary.LittleEndian); err != nil {
		t.Fatal(err)
	}
	if err := Decode(big, bigEndian(src, typ), typ, binary.BigEndian); err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(little, big, same) {
		t.Fatalf("%v: the byte orders differ for % x", typ, src)
	}
	for i, v := range little {
		x := src[i/block*size:][:size]
		if want := elements[typ](x, i%block); v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
			t.Fatalf("%v: element %d of % x is %v, want %v", typ, i%block, x, v, want)
		}
	}
}

// TestBlocksByHand: values that can be worked out without a formula.
func TestBlocksByHand(t *testing.T) {
	const one, two, half = "\x00\x3c", "\x00\x40", "\x00\x38" // halfs
	const quarter = "\x00\x00\x80\x3e"                        // float32
	zeros := func(n int) string { return string(make([]byte, n)) }
	for _, c := range []struct {
		typ  DType
		x    string
		want map[int]float64 // some elements
	}{
		{Q4_0, two + "\x0f\xf0" + zeros(14), map[int]float64{0: 14, 1: -16, 15: -16, 16: -16, 17: 14, 31: -16}},
		{Q4_1, two + half + "\x0f\xf0" + zeros(14), map[int]float64{0: 30.5, 1: 0.5, 17: 30.5, 31: 0.5}},
		{Q5_0, one + "\x01\x00\x02\x80" + "\x0f\xf0" + zeros(13) + "\x50", map[int]float64{0: 15, 1: -16, 16: -16, 17: 15, 31: 5}},
		{Q5_1, one + half + "\x01\x00\x02\x80" + "\x0f\xf0" + zeros(13) + "\x50", map[int]float64{0: 31.5, 1: 0.5, 16: 0.5, 17: 31.5, 31: 21.5}},
		{Q8_0, half + "\x80\x7f\xff" + zeros(29), map[int]float64{0: -64, 1: 63.5, 2: -0.5, 31: 0}},
		{IQ4_NL, two + "\xf0\x08" + zeros(14), map[int]float64{0: -254, 1: 2, 16: 226, 17: -254, 31: -254}},
		{Q2_K, "\x13" + zeros(15) + "\x03" + zeros(63) + one + two, map[int]float64{0: 7, 1: -2, 15: -2, 16: 0, 255: 0}},
		{Q3_K, "\x01" + zeros(31) + "\x01" + zeros(63) + "\x02" + zeros(11) + one, map[int]float64{0: -30, 1: 120, 15: 120, 16: 128, 255: 128}},
		{Q4_K, one + two + "\x3f\x01" + zeros(2) + "\x01\x00" + zeros(6) + "\xf3" + zeros(127), map[int]float64{0: 63*3 - 2, 1: -2, 31: -2, 32: 15, 33: 0, 255: 0}},
		{Q5_K, one + two + "\x01\x02" + zeros(2) + "\x01\x00" + zeros(6) + "\x03" + zeros(31) + "\xf3" + zeros(127), map[int]float64{0: 17, 1: -2, 32: 62, 33: 0, 255: 0}},
		// Byte 1 of q is number 1 and number 65, its high bits 3 and 1; byte 127 is number 191
		// (it is in the second half of the second 128) and number 255. Scales are 2 of the first
		// group, -1 of the fifth, -128 of the last.
		{Q6_K, zeros(1) + "\xf5" + zeros(125) + "\xa0" + zeros(1) + "\x13" + zeros(61) + "\x40" + "\x02" + zeros(3) + "\xff" + zeros(10) + "\x80" + two,
			map[int]float64{0: 2 * 2 * -32, 1: 2 * 2 * (53 - 32), 33: 0, 64: 2 * -1 * -32, 65: 2 * -1 * (31 - 32), 191: 0, 254: 2 * -128 * -32, 255: 2 * -128 * (26 - 32)}},
		{Q8_K, quarter + "\x80\x7f\xff" + zeros(252) + "\x04" + strings.Repeat("\xff", 32), map[int]float64{0: -32, 1: 31.75, 2: -0.25, 3: 0, 255: 1}},
	} {
		y := make([]float64, c.typ.Block())
		if err := Decode(y, []byte(c.x), c.typ, nil); err != nil {
			t.Errorf("%v: %v", c.typ, err)
			continue
		}
		for i, want := range c.want {
			if y[i] != want {
				t.Errorf("%v: element %d is %v, want %v", c.typ, i, y[i], want)
			}
		}
	}
}

// TestBlocksParallel: what all cores do is what one does, whatever the blocks are
// that each takes.
func TestBlocksParallel(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, typ := range []DType{Q8_0, Q4_K} {
		n := shareFrom + 3*typ.Block()
		src := make([]byte, typ.Bytes(int64(n)))
		for i := range src {
			src[i] = byte(random.Uint32())
		}
		one := make([]float64, n)
		decodeBlocks(one, src, typ, binary.LittleEndian)
		for _, procs := range []int{2, 3, 7} {
			old := runtime.GOMAXPROCS(procs)
			all := make([]float64, n)
			err := Decode(all, src, typ, nil)
			runtime.GOMAXPROCS(old)
			if err != nil || !slices.EqualFunc(all, one, same) {
				t.Errorf("%v: %d cores differ from one (%v)", typ, procs, err)
			}
		}
	}
}

// FuzzDecode decodes any bytes as any type in both orders: they are refused, or
// the blocks have the values of their formulas.
func FuzzDecode(f *testing.F) {
	for typ := Invalid; typ <= IQ4_NL; typ++ {
		f.Add(uint8(typ), typ.Block(), make([]byte, typ.Size()))
	}
	f.Add(uint8(Q3_K), 512, slices.Repeat([]byte("\x5a\xff\x3c"), 2*110/3))
	f.Fuzz(func(t *testing.T, number uint8, n int, src []byte) {
		typ := DType(number)
		if n < 0 || n > 1<<16 {
			return
		}
		dst := make([]float64, n)
		fits := typ.Size() > 0 && n%typ.Block() == 0 && typ.Bytes(int64(n)) == int64(len(src))
		for _, order := range []binary.ByteOrder{nil, binary.LittleEndian, binary.BigEndian} {
			if err := Decode(dst, src, typ, order); (err == nil) != fits {
				t.Fatalf("%d bytes for %d elements of %v: %v", len(src), n, typ, err)
			}
		}
		if fits && typ.Block() > 1 {
			checkBlocks(t, typ, src)
		}
	})
}
