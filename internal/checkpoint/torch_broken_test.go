package checkpoint

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestTorchBroken has one broken tensor beside a sound one, and alone.
func TestTorchBroken(t *testing.T) {
	four := pkStorage("FloatStorage", "0", 4)
	for _, c := range []struct {
		name, broken string
		kind         Kind
	}{
		{"past the storage", pkTensor(four, 0, []int{5}, []int{1}), OutOfRange},
		{"the last element past the storage", pkTensor(four, 1, []int{2, 2}, []int{2, 1}), OutOfRange},
		{"an offset past the storage", pkTensor(four, 5, []int{0}, []int{1}), OutOfRange},
		{"a negative offset", pkTensor(four, -1, []int{1}, []int{1}), OutOfRange},
		{"a negative stride", pkTensor(four, 3, []int{4}, []int{-1}), OutOfRange},
		{"a stride that overflows", pkTensor(four, 0, []int{3}, []int{1 << 62}), OutOfRange},
		{"a negative size", pkTensor(four, 0, []int{-4}, []int{1}), BadShape},
		{"a size that overflows", pkTensor(four, 0, []int{1 << 40, 1 << 40}, []int{0, 0}), BadShape},
		{"strides of another rank", pkTensor(four, 0, []int{4}, []int{1, 1}), BadShape},
		{"more dimensions than there may be", pkTensor(four, 0, make([]int, 65), make([]int, 65)), BadShape},
		{"a row that stands for too many", pkTensor(four, 0, []int{1 << 30, 4}, []int{0, 1}), TooLarge},
		{"a row that stands for more than the file is worth", pkTensor(four, 0, []int{1 << 22, 4}, []int{0, 1}), TooLarge},
		{"a storage that is not there", pkTensor(pkStorage("FloatStorage", "7", 4), 0, []int{4}, []int{1}), Corrupt},
		{"a storage of more than its member", pkTensor(pkStorage("FloatStorage", "0", 5), 0, []int{4}, []int{1}), Truncated},
		{"a storage past any file", pkTensor(pkStorage("FloatStorage", "0", 1<<62), 0, []int{4}, []int{1}), Corrupt},
		{"a storage of less than nothing", pkTensor(pkStorage("FloatStorage", "0", -4), 0, []int{4}, []int{1}), Corrupt},
		{"no storage", pkTensor("N", 0, []int{4}, []int{1}), Corrupt},
		{"a storage without its parts", pkTensor(pkTuple(pkText("storage"))+"Q", 0, []int{4}, []int{1}), Corrupt},
		{"a reference to something else", pkTensor(pkText("module")+"Q", 0, []int{4}, []int{1}), Corrupt},
		{"too few arguments", pkGlobal("torch._utils", "_rebuild_tensor_v2") + pkTuple(four) + "R", Corrupt},
		{"a parameter of nothing", pkGlobal("torch._utils", "_rebuild_parameter") + ")R", Corrupt},
		{"a parameter of no tensor", pkGlobal("torch._utils", "_rebuild_parameter") + pkTuple("N") + "R", Corrupt},
		{"parameters of parameters without end", strings.Repeat(pkGlobal("torch._utils", "_rebuild_parameter")+"(", 20) + oneRow + strings.Repeat("tR", 20), Corrupt},
		{"a size of text", pkGlobal("torch._utils", "_rebuild_tensor_v2") + pkTuple(four, pkInt(0), pkTuple(pkText("4")), pkInts([]int{1})) + "R", Corrupt},
		{"no dtype", pkGlobal("torch._utils", "_rebuild_tensor_v3") + pkTuple(four, pkInt(0), pkInts([]int{4}), pkInts([]int{1}), "N", "N", "N") + "R", Corrupt},
		{"an untyped storage without a dtype", pkTensor(pkStorage("UntypedStorage", "0", 4), 0, []int{4}, []int{1}), Corrupt},
		{"a storage of an unknown class", pkTensor(pkStorage("FutureStorage", "0", 4), 0, []int{4}, []int{1}), UnsupportedDType},
	} {
		f, err := openBytes(t, "x.pt", torchOf(t, pkDict("bad", c.broken, "good", oneRow), floats(1, 2, 3, 4)), Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkListing(t, f)
		if _, err := f.Tensor(t.Context(), "good"); err != nil {
			t.Errorf("%s spoils the tensor beside it: %v", c.name, err)
		}
		before := allocated()
		got, err := f.Tensor(t.Context(), "bad")
		var e *Error
		if got != nil || !errors.As(err, &e) || e.Kind != c.kind || e.Tensor != "bad" {
			t.Errorf("%s: %v %v, want %s", c.name, got, err, c.kind)
		}
		if n := allocated() - before; n > 1<<20 {
			t.Errorf("%s: %d bytes allocated for a refusal", c.name, n)
		}
		f, err = openBytes(t, "x.pt", torchOf(t, pkDict("bad", c.broken), floats(1, 2, 3, 4)), Limits{})
		if c.kind == UnsupportedDType {
			if err != nil || len(f.Tensors()) != 1 {
				t.Errorf("%s alone is not listed: %v", c.name, err)
			}
		} else if kindOf(err) != c.kind {
			t.Errorf("%s alone: %v, want %s", c.name, err, c.kind)
		}
	}
}

// TestTorchDeep has names that are longer than they are worth.
func TestTorchDeep(t *testing.T) {
	deep := strings.Repeat("]", 1100) + oneRow + strings.Repeat("a", 1100)
	if _, err := openBytes(t, "x.pt", torchOf(t, deep, floats(1, 2, 3, 4)), Limits{}); kindOf(err) != TooLarge {
		t.Errorf("1100 lists in each other: %v", err)
	}
	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprint(i), "h\x00")
	}
	long := oneRow + "q\x000" + pkDict(strings.Repeat("k", 1<<20), pkDict(many...))
	before := allocated()
	if _, err := openBytes(t, "x.pt", torchOf(t, long, floats(1, 2, 3, 4)), Limits{}); kindOf(err) != TooLarge {
		t.Errorf("100 names of a MiB: %v", err)
	}
	if n := allocated() - before; n > 100<<20 {
		t.Errorf("they allocated %d bytes", n)
	}
}
