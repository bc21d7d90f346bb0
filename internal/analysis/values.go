// Package analysis turns position tables into numbers: pure functions from the
// types of posemb to structs that carry their own warnings. What is undefined is
// NaN in Go and null in JSON, with the reason beside it; it is never 0. Results
// depend on the input alone, not on the number of processors.
package analysis

import (
	"math"
	"strconv"
)

// Value is a float64 that JSON shows as null when it is not finite.
type Value float64

// Defined tells whether the value is a finite number.
func (v Value) Defined() bool { return finite(float64(v)) }

// MarshalJSON writes null for NaN and the infinities, and else the shortest
// digits that read back as the same float64.
func (v Value) MarshalJSON() ([]byte, error) { return appendNumber(nil, float64(v)), nil }

// Values are float64s that JSON shows as null where they are not finite.
type Values []float64

// MarshalJSON writes a list with null for NaN and the infinities.
func (v Values) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	b := append(make([]byte, 0, 2+20*len(v)), '[')
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumber(b, x)
	}
	return append(b, ']'), nil
}

// JSONNumbers are the values, for a writer of JSON that makes no copy of them.
func (v Values) JSONNumbers() []float64 { return v }

// appendNumber writes x as encoding/json does, or null.
func appendNumber(b []byte, x float64) []byte {
	if !finite(x) {
		return append(b, "null"...)
	}
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		b = strconv.AppendFloat(b, x, 'e', -1, 64)
		if n := len(b); b[n-4] == 'e' && b[n-2] == '0' { // e-09 as e-9
			b = append(b[:n-2], b[n-1])
		}
		return b
	}
	return strconv.AppendFloat(b, x, 'f', -1, 64)
}

// finite tells whether x is neither NaN nor an infinity.
func finite(x float64) bool { return x-x == 0 }

// undefined gives n values that are all NaN.
func undefined(n int) Values {
	v := make(Values, n)
	for i := range v {
		v[i] = math.NaN()
	}
	return v
}
