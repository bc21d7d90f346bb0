package tensor

import (
	"math"
	"testing"
)

// TestFloat8 compares all codes with (-1)^s 2^(e-bias) (1 + f/2^bits), or
// (-1)^s 2^(1-bias) f/2^bits where e is 0.
func TestFloat8(t *testing.T) {
	codes := make([]byte, 256)
	for c := range codes {
		codes[c] = byte(c)
	}
	for _, c := range []struct {
		typ        DType
		bits, bias int // of the fraction and of the exponent
		special    func(e, f int) float64
		finite     map[byte]float64
		nan, inf   int
	}{
		{F8_E4M3, 3, 7, func(e, f int) float64 {
			if e == 15 && f == 7 {
				return math.NaN()
			}
			return 0
		}, map[byte]float64{0x7e: 448, 0xfe: -448, 0x08: 0x1p-6, 0x07: 7 * 0x1p-9, 0x01: 0x1p-9, 0x38: 1, 0xc0: -2, 0x80: math.Copysign(0, -1)}, 2, 0},
		{F8_E5M2, 2, 15, func(e, f int) float64 {
			switch {
			case e == 31 && f == 0:
				return math.Inf(1)
			case e == 31:
				return math.NaN()
			}
			return 0
		}, map[byte]float64{0x7b: 57344, 0xfb: -57344, 0x04: 0x1p-14, 0x03: 3 * 0x1p-16, 0x01: 0x1p-16, 0x3c: 1, 0xc0: -2, 0x80: math.Copysign(0, -1)}, 6, 2},
	} {
		got := make([]float64, 256)
		if err := Decode(got, codes, c.typ, nil); err != nil {
			t.Fatal(err)
		}
		nan, inf := 0, 0
		for code, v := range got {
			e, f := code&0x7f>>c.bits, code&(1<<c.bits-1)
			want := c.special(e, f)
			if want == 0 {
				if e == 0 {
					want = math.Ldexp(float64(f), 1-c.bias-c.bits)
				} else {
					want = math.Ldexp(float64(f+1<<c.bits), e-c.bias-c.bits)
				}
			}
			if code > 127 {
				want = -want
			}
			if !same(v, want) {
				t.Errorf("%v %#02x is %v, want %v", c.typ, code, v, want)
			}
			if math.IsNaN(v) {
				nan++
			}
			if math.IsInf(v, 0) {
				inf++
			}
		}
		if nan != c.nan || inf != c.inf {
			t.Errorf("%v has %d NaN and %d infinite codes, want %d and %d", c.typ, nan, inf, c.nan, c.inf)
		}
		for code, want := range c.finite {
			if !same(got[code], want) {
				t.Errorf("%v %#02x is %v, want %v", c.typ, code, got[code], want)
			}
		}
	}
}
