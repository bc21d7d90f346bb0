package checkpoint

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"
)

// all stands for the whole of an axis.
var all = tfExtent{0, -1}

// TestSliceKeys compares with keys worked out by hand from the formats' own
// examples.
func TestSliceKeys(t *testing.T) {
	for v, want := range map[int64]string{
		0: "\x80", 1: "\x81", 63: "\xbf", 64: "\xc0\x40", 8191: "\xdf\xff", 8192: "\xe0\x20\x00",
		-1: "\x7f", -64: "\x40", -65: "\x3f\xbf", -0x800: "\x38\x00", 0x424242: "\xf0\x42\x42\x42",
		math.MaxInt64: "\xff\xc0\x7f\xff\xff\xff\xff\xff\xff\xff", math.MinInt64: "\x00\x3f\x80\x00\x00\x00\x00\x00\x00\x00",
	} {
		if got := orderedInt(nil, v); string(got) != want {
			t.Errorf("%d: % x, want % x", v, got, want)
		}
	}
	for _, c := range []struct {
		name  string
		slice []tfExtent
		want  string
	}{
		{"w", []tfExtent{{0, 100}, all}, "\x00w\x00\x01\x01\x02\x80\xc0\x64\x80\x7f"},
		{"", nil, "\x00\x00\x01\x00"},
		{"a\x00b\xff", []tfExtent{all}, "\x00a\x00\xffb\xff\x00\x00\x01\x01\x01\x80\x7f"},
	} {
		if got := tfSliceKey(c.name, c.slice); got != c.want {
			t.Errorf("%q %v: % x, want % x", c.name, c.slice, got, c.want)
		}
	}
}

// TestOrderedInt: the bytes are in the order of the numbers.
func TestOrderedInt(t *testing.T) {
	number := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-1<<14, 1<<14), rapid.Int64Range(-70, 70))
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		order := bytes.Compare(orderedInt(nil, a), orderedInt(nil, b))
		if (a < b) != (order < 0) || (a == b) != (order == 0) {
			t.Fatalf("%d and %d are in the order %d", a, b, order)
		}
	})
}

// TestSlices puts variables together that are cut along one axis, along several,
// and not in a grid.
func TestSlices(t *testing.T) {
	for _, c := range []struct {
		what  string
		shape []int
		list  [][]tfExtent
	}{
		{"rows", []int{7, 3}, [][]tfExtent{{{0, 3}, all}, {{3, 2}, all}, {{5, 2}, all}}},
		{"columns", []int{4, 5}, [][]tfExtent{{all, {0, 2}}, {all, {2, 3}}}},
		{"a vector", []int{9}, [][]tfExtent{{{4, 5}}, {{0, 4}}}},
		{"a grid", []int{4, 6}, [][]tfExtent{{{0, 2}, {0, 3}}, {{0, 2}, {3, 3}}, {{2, 2}, {0, 3}}, {{2, 2}, {3, 3}}}},
		{"a pinwheel", []int{3, 3}, [][]tfExtent{{{0, 1}, {0, 2}}, {{0, 2}, {2, 1}}, {{2, 1}, {1, 2}}, {{1, 2}, {0, 1}}, {{1, 1}, {1, 1}}}},
		{"the middle axis", []int{2, 6, 2}, [][]tfExtent{{all, {0, 1}, all}, {all, {1, 5}, all}}},
		{"one that is empty", []int{4, 2}, [][]tfExtent{{{0, 4}, {0, 2}}, {{4, 0}, all}}},
		{"no elements", []int{0, 2}, [][]tfExtent{{{0, 0}, all}}},
		{"over 64 rows", []int{300, 2}, [][]tfExtent{{{0, 100}, all}, {{100, 100}, all}, {{200, 100}, all}}},
	} {
		f, err := openIn(t, slicedOf(c.shape, c.list...), "m")
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		checkListing(t, f)
		if got := namesOf(f); !slices.Equal(got, []string{"v"}) {
			t.Errorf("%s: %q is listed", c.what, got)
		}
		got, err := f.Tensor(t.Context(), "v")
		if err != nil || !slices.Equal(got.Shape, c.shape) {
			t.Errorf("%s: %v, %v", c.what, got, err)
			continue
		}
		for i, v := range got.Data {
			if v != float64(i) {
				t.Errorf("%s: element %d is %v", c.what, i, v)
				break
			}
		}
	}
}

// TestSlicesOfSeveralFiles reads each slice from the data file that it is in.
func TestSlicesOfSeveralFiles(t *testing.T) {
	a, b, c := floats(0, 1), floats(2, 3), floats(4, 5)
	rows := func(from, n int64) []tfExtent { return []tfExtent{{from, n}, all} }
	whole := protoOf(1, shapeOf(3, 2))
	var parts []pair
	for i, shard := range []int{2, 0, 2} {
		slice := rows(int64(i), 1)
		data, off := []string{a, b, c}[i], 0
		if i == 2 {
			off = len(a)
		}
		parts = append(parts, pair{tfSliceKey("v", slice), entryOf(1, shard, off, data, 1, 2)})
		whole += protoOf(nil, nil, nil, nil, nil, nil, sliceOf(slice...))
	}
	folder := fstest.MapFS{
		"m.index":               {Data: tableOf(0, blockOf(append(append([]pair{headerOf(3)}, parts...), pair{"v", whole})...))},
		"m.data-00000-of-00003": {Data: []byte(b)},
		"m.data-00002-of-00003": {Data: []byte(a + c)},
	}
	f, err := openIn(t, folder, "m")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Tensor(t.Context(), "v"); err != nil || !slices.Equal(got.Data, []float64{0, 1, 2, 3, 4, 5}) {
		t.Errorf("%v, %v", got, err)
	}
	folder["m.data-00002-of-00003"].Data = []byte(a + c[:7])
	if _, err := f.Tensor(t.Context(), "v"); kindOf(err) != Truncated || !strings.Contains(err.Error(), `"m.data-00002-of-00003"`) {
		t.Errorf("a data file that is cut: %v", err)
	}
	folder["m.data-00002-of-00003"].Data = []byte(a + floats(4, 6))
	if _, err := f.Tensor(t.Context(), "v"); kindOf(err) != Corrupt {
		t.Errorf("a slice that is damaged: %v", err)
	}
	delete(folder, "m.data-00000-of-00003")
	if _, err := f.Tensor(t.Context(), "v"); kindOf(err) != NotFound || !strings.Contains(err.Error(), `"m.data-00000-of-00003"`) {
		t.Errorf("a data file that is gone: %v", err)
	}
}

// TestSlicesThatDoNotFit: slices that do not make up their variable spoil it.
func TestSlicesThatDoNotFit(t *testing.T) {
	data := floats(1, 2, 3, 4)
	first := []tfExtent{{0, 2}, all}
	type part struct {
		slice []tfExtent
		entry string
	}
	whole := entryOf(1, 0, 0, data, 2, 2)
	half := func(off int) string { return entryOf(1, 0, off, data[off:off+8], 1, 2) }
	for _, c := range []struct {
		what  string
		full  string
		parts []part
		kind  Kind
	}{
		{"good", protoOf(1, shapeOf(2, 2)), []part{{first, whole}}, ""},
		{"two of three rows", protoOf(1, shapeOf(3, 2)), []part{{first, whole}}, BadShape},
		{"more rows than the axis", protoOf(1, shapeOf(1, 2)), []part{{first, whole}}, BadShape},
		{"a negative start", protoOf(1, shapeOf(2, 2)), []part{{[]tfExtent{{-1, 2}, all}, whole}}, BadShape},
		{"a start past the axis", protoOf(1, shapeOf(2, 2)), []part{{[]tfExtent{{math.MaxInt64, 2}, all}, whole}}, BadShape},
		{"another rank", protoOf(1, shapeOf(4)), []part{{first, whole}}, BadShape},
		{"stored with another rank", protoOf(1, shapeOf(2, 2)), []part{{first, entryOf(1, 0, 0, data, 4)}}, BadShape},
		{"stored with another size", protoOf(1, shapeOf(2, 2)), []part{{first, half(0)}}, BadShape},
		{"of another type", protoOf(3, shapeOf(2, 2)), []part{{first, whole}}, Corrupt},
		{"twice the same rows", protoOf(1, shapeOf(2, 2)), []part{{[]tfExtent{{0, 1}, all}, half(0)}, {[]tfExtent{{0, 1}, {0, 2}}, half(8)}}, Overlap},
		{"the same bytes twice", protoOf(1, shapeOf(2, 2)), []part{{[]tfExtent{{0, 1}, all}, half(0)}, {[]tfExtent{{1, 1}, all}, half(0)}}, Overlap},
		{"more than the whole", protoOf(1, shapeOf(2, 2)), []part{{first, whole}, {[]tfExtent{{1, 1}, all}, half(0)}}, BadShape},
		{"a slice of slices", protoOf(1, shapeOf(2, 2)), []part{{first, whole + protoOf(nil, nil, nil, nil, nil, nil, "")}}, Unsupported},
		{"a broken entry", protoOf(1, shapeOf(2, 2)), []part{{first, "\x00"}}, Corrupt},
		{"a data file that is not there", protoOf(1, shapeOf(2, 2)), []part{{first, entryOf(1, 7, 0, data, 2, 2)}}, Corrupt},
		{"a scalar", protoOf(1, ""), []part{{nil, entryOf(1, 0, 0, data[:4])}}, BadShape},
		{"strings", protoOf(7, shapeOf(2, 2)), []part{{first, whole}}, UnsupportedDType},
		{"over the limit", protoOf(1, shapeOf(1<<20, 1<<20)), []part{{[]tfExtent{all, {0, 1 << 20}}, protoOf(1, shapeOf(1<<20, 1<<20), 0, 0, 4<<40)}}, TooLarge},
		{"more than the data", protoOf(1, shapeOf(1<<14, 1<<14)), []part{{[]tfExtent{all, {0, 1 << 14}}, protoOf(1, shapeOf(1<<14, 1<<14), 0, 0, 4<<28)}}, Truncated},
	} {
		full := c.full
		var pairs []pair
		for _, p := range c.parts {
			pairs = append(pairs, pair{tfSliceKey("v", p.slice), p.entry})
			full += protoOf(nil, nil, nil, nil, nil, nil, sliceOf(p.slice...))
		}
		slices.SortFunc(pairs, func(a, b pair) int { return strings.Compare(a.key, b.key) })
		f, err := openIn(t, bundleOf(data, append(pairs, pair{"v", full})...), "m")
		before := allocated()
		if err == nil {
			_, err = f.Tensor(t.Context(), "v")
		}
		if kindOf(err) != c.kind {
			t.Errorf("%s: %v, want %q", c.what, err, c.kind)
		}
		if took := allocated() - before; took > 4<<20 {
			t.Errorf("%s: %d bytes allocated", c.what, took)
		}
	}
}

// TestSlicesLost: the index must have every slice that it names, once. Those that
// nobody names are listed as they are.
func TestSlicesLost(t *testing.T) {
	data := floats(1, 2)
	slice := []tfExtent{{0, 1}, all}
	spec := protoOf(nil, nil, nil, nil, nil, nil, sliceOf(slice...))
	part := pair{tfSliceKey("v", slice), entryOf(1, 0, 0, data, 1, 2)}
	if _, err := openIn(t, bundleOf(data, pair{"v", protoOf(1, shapeOf(1, 2)) + spec}), "m"); kindOf(err) != Unsupported || hintOf(err) == "" {
		t.Errorf("lost: %v", err)
	}
	if _, err := openIn(t, bundleOf(data, part, pair{"v", protoOf(1, shapeOf(1, 2)) + spec + spec}), "m"); kindOf(err) != Overlap {
		t.Errorf("twice: %v", err)
	}
	f, err := openIn(t, bundleOf(data, part), "m")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Tensor(t.Context(), part.key); err != nil || !slices.Equal(got.Data, []float64{1, 2}) {
		t.Errorf("left over: %v, %v among %q", got, err, namesOf(f))
	}
	many := protoOf(1, shapeOf(1, 2)) + strings.Repeat(spec, maxTFSlices+1)
	f, err = openIn(t, bundleOf(data, pair{"a", entryOf(1, 0, 0, data, 2)}, pair{"v", many}), "m")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tensor(t.Context(), "v"); kindOf(err) != Unsupported {
		t.Errorf("too many: %v", err)
	}
}
