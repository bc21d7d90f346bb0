package checkpoint

import (
	"bytes"
	"errors"
	"math"
	"strconv"
)

// parseCell reads a number, or says why the cell is none.
func parseCell(c []byte) (v float64, why string) {
	if len(c) == 0 {
		return 0, "the cell is empty, which is not 0 (NA stands for a missing value)"
	}
	plain := true
	for _, b := range c {
		if (b < '0' || b > '9') && b != '.' && b != '-' && b != '+' && b != 'e' && b != 'E' {
			plain = false
			break
		}
	}
	if plain || isNamed(c) {
		v, err := strconv.ParseFloat(string(c), 64)
		switch {
		case err == nil:
			return v, ""
		case errors.Is(err, strconv.ErrRange):
			return 0, quoted(string(c)) + " does not fit a float64"
		case !plain:
			return math.NaN(), "" // NA, -nan
		}
	}
	switch {
	case !isTextCell(c):
		return 0, quoted(string(c)) + " is not text: a binary file?"
	case isDecimalComma(c):
		return 0, quoted(string(c)) + " has a decimal comma, where a decimal point is wanted"
	}
	return 0, quoted(string(c)) + " is not a number"
}

// isNamed tells the words that stand for a number: NA, nan, inf, infinity.
func isNamed(c []byte) bool {
	if string(c) == "NA" {
		return true
	}
	if c[0] == '-' || c[0] == '+' {
		c = c[1:]
	}
	return bytes.EqualFold(c, []byte("nan")) || bytes.EqualFold(c, []byte("inf")) || bytes.EqualFold(c, []byte("infinity"))
}

// isDecimalComma tells 0,5 and -1,5e-3, which are one number in much of the world.
func isDecimalComma(c []byte) bool {
	i := bytes.IndexByte(c, ',')
	if i < 1 || i+1 == len(c) || c[i+1] < '0' || c[i+1] > '9' {
		return false
	}
	point := append(append(append([]byte(nil), c[:i]...), '.'), c[i+1:]...)
	_, err := strconv.ParseFloat(string(point), 64)
	return err == nil
}

// isTextCell tells whether a cell has no control characters.
func isTextCell(c []byte) bool {
	for _, b := range c {
		if b < 0x20 && b != '\t' && b != '\v' && b != '\f' || b == 0x7f {
			return false
		}
	}
	return true
}
