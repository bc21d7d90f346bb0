package cli

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int64{
		"1": 1, "1000": 1000, "1K": 1 << 10, "3m": 3 << 20, "16G": 16 << 30, "2T": 2 << 40, "8388607T": 8388607 << 40,
		"9223372036854775807": math.MaxInt64,
		"":                    0, "0": 0, "-1": 0, "0K": 0, "-1G": 0, "K": 0, "1KK": 0, "1GT": 0, "1KB": 0, "1 K": 0, "1.5G": 0, "1e9": 0, "x": 0, "\u212a": 0,
		"8388608T": 0, "9223372036854775808": 0, "99999999999999999999": 0,
	} {
		got, err := parseSize("max-inflate", s)
		var usage *usageError
		if got != want || (err == nil) != (want > 0) || err != nil && (!errors.As(err, &usage) || usage.hint == "") {
			t.Errorf("%q: %d, %v; want %d", s, got, err, want)
		}
	}
}

// TestMaxInflate: what unpacks to many times its size is refused, until a limit
// is given.
func TestMaxInflate(t *testing.T) {
	const bomb = "../checkpoint/testdata/compressed/bomb.npy.zst"
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 1, "over 1024 times"},
		{[]string{"--max-inflate", "16G"}, 0, ""},
		{[]string{"--max-inflate", "64M"}, 1, "67108864"},
	} {
		var out, stderr bytes.Buffer
		env := Env{Out: &out, Err: &stderr, Getenv: func(string) string { return "" }, Terminal: noTerminal}
		code := Main(context.Background(), append([]string{"ls", "--all", bomb}, c.args...), env)
		if code != c.code || !strings.Contains(stderr.String(), c.want) || (code == 1) != strings.Contains(stderr.String(), "--max-inflate raises") {
			t.Errorf("%q: status %d, %q, %q", c.args, code, out.String(), stderr.String())
		}
	}
}
