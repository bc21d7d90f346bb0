package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"poslens/internal/posemb"
)

// farthest bounds positions and offsets: no table has as many rows.
const farthest = 1 << 31

// parseRange reads a half-open range A:B.
func parseRange(flag, s string) (*posemb.Range, error) {
	if s == "" {
		return nil, nil
	}
	from, to, ok := strings.Cut(s, ":")
	open := flag == "positions" && to == ""
	if flag == "positions" { // either end may be left open
		from, to = cmp.Or(from, "0"), cmp.Or(to, strconv.Itoa(farthest))
	}
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if !ok || err1 != nil || err2 != nil || a >= b || a < -farthest || b > farthest {
		return nil, &usageError{fmt.Sprintf("--%s: %q is not A:B with A below B", flag, s), fmt.Sprintf("for example --%s %s; B itself is not included", flag, map[string]string{"positions": "0:128", "offsets": "-5:6"}[flag])}
	}
	if open {
		b = posemb.End
	}
	return &posemb.Range{From: a, To: b}, nil
}

// parseGrid reads HxW, or TxHxW of T frames.
func parseGrid(s string) (grid *posemb.Grid, frames int, err error) {
	if s == "" {
		return nil, 0, nil
	}
	parts := strings.Split(strings.ToLower(s), "x")
	sides := make([]int, len(parts))
	ok := len(parts) == 2 || len(parts) == 3
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		ok = ok && err == nil && 1 <= n && n <= farthest
		sides[i] = n
	}
	if !ok {
		return nil, 0, &usageError{fmt.Sprintf("--grid: %q is neither HxW nor TxHxW", s), "for example --grid 14x14: 14 rows of 14 patches"}
	}
	if len(sides) == 3 {
		frames, sides = sides[0], sides[1:]
	}
	return &posemb.Grid{Rows: sides[0], Cols: sides[1]}, frames, nil
}

// parseAxes reads WORD,WORD,...
func parseAxes(s string) ([]string, error) {
	if s == "" {
		return nil, nil
	}
	var axes []string
	for _, word := range strings.Split(s, ",") {
		word = strings.ToLower(strings.TrimSpace(word))
		switch {
		case word == "":
			return nil, &usageError{fmt.Sprintf("--axes: %q is not WORD,WORD,...", s), "for example --axes heads,buckets"}
		case slices.Contains(axes, word):
			return nil, usagef("--axes: %s is there twice", word)
		}
		if err := oneOf("axes", word, posemb.AxisWords()); err != nil {
			return nil, err
		}
		axes = append(axes, word)
	}
	return axes, nil
}

// parseBuckets reads RULE,N,MAX.
func parseBuckets(s string) (*posemb.BucketRule, error) {
	if s == "" {
		return nil, nil
	}
	parts := strings.Split(s, ",")
	bad := &usageError{fmt.Sprintf("--buckets: %q is not RULE,N,MAX", s), "RULE is t5 (both directions) or t5-causal; for example --buckets t5,32,128"}
	if len(parts) != 3 || parts[0] != posemb.T5Both && parts[0] != posemb.T5Causal {
		return nil, bad
	}
	n, err1 := strconv.Atoi(parts[1])
	m, err2 := strconv.Atoi(parts[2])
	if err1 != nil || err2 != nil || n < 2 || m < 1 {
		return nil, bad
	}
	return &posemb.BucketRule{Name: parts[0], Buckets: n, MaxDistance: m}, nil
}
