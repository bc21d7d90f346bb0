package checkpoint

import (
	"bytes"
	"errors"
	"testing"
)

func FuzzSafetensors(f *testing.F) {
	seedFixtures(f, "safetensors", 8<<10)
	f.Fuzz(func(t *testing.T, data []byte) { fuzzOpen(t, "x.safetensors", data) })
}

func FuzzNPY(f *testing.F) {
	seedFixtures(f, "npy", 8<<10)
	f.Fuzz(func(t *testing.T, data []byte) { fuzzOpen(t, "x.npy", data) })
}

// FuzzNPYHeader tries the literal parser on texts alone.
func FuzzNPYHeader(f *testing.F) {
	f.Add([]byte("{'descr': '<f4', 'fortran_order': False, 'shape': (16, 32), }\n"))
	f.Add([]byte(`{"descr": [("a", "<f4"), ('b', [('c', '|O', (2L,))])], 'fortran_order': True, 'shape': ()}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := readNPYHeader(bytes.NewReader(npyOf(2, string(text), nil)))
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%v has no kind", err)
		}
	})
}
