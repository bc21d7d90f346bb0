package checkpoint

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"poslens/internal/tensor"
)

// maxJSONDepth bounds the nesting of a header, whose own is 3.
const maxJSONDepth = 64

// stHeader reads a header token by token, since package json itself keeps the
// last of two equal keys in silence.
type stHeader struct {
	json    *json.Decoder
	file    *File
	tensors []stTensor
}

// read takes the whole header in.
func (h *stHeader) read() error {
	if err := h.open('{', "the header"); err != nil {
		return err
	}
	err := h.object("", func(name string) error {
		if name == "__metadata__" {
			return h.metadata()
		}
		return h.tensor(name)
	})
	if err != nil {
		return err
	}
	if _, err := h.json.Token(); !errors.Is(err, io.EOF) {
		return h.fault("something follows the header's object")
	}
	return nil
}

// metadata takes the strings of __metadata__ in.
func (h *stHeader) metadata() error {
	if err := h.open('{', "__metadata__"); err != nil {
		return err
	}
	return h.object("__metadata__", func(key string) error {
		v, err := h.token()
		if err != nil {
			return err
		}
		s, ok := v.(string)
		if !ok {
			return h.fault("the value of __metadata__ %s is no string", quoted(key))
		}
		h.file.meta[key] = s
		return nil
	})
}

// tensor takes one tensor's entry in.
func (h *stHeader) tensor(name string) error {
	t := stTensor{info: tensor.Info{Name: name, Shape: []int{}}}
	if err := h.open('{', "the entry of "+quoted(name)); err != nil {
		return err
	}
	var dtype, shape, offsets bool
	err := h.object(name, func(key string) error {
		switch key {
		case "dtype":
			v, err := h.token()
			if err != nil {
				return err
			}
			dtype = true
			var ok bool
			if t.info.Stored, ok = v.(string); !ok {
				return h.fault("the dtype is no string")
			}
			t.info.DType, _ = tensor.ParseDType(t.info.Stored)
			return nil
		case "shape":
			shape = true
			return h.numbers("shape", BadShape, func(n int64) error {
				if n < 0 || n != int64(int(n)) {
					return fault(BadShape, -1, "dimension %d is out of range", n)
				}
				t.info.Shape = append(t.info.Shape, int(n))
				return nil
			})
		case "data_offsets":
			offsets = true
			var both []int64
			err := h.numbers("data_offsets", Corrupt, func(n int64) error {
				both = append(both, n)
				return nil
			})
			if err != nil {
				return err
			}
			if len(both) != 2 || both[0] < 0 || both[1] < both[0] {
				return h.fault("data_offsets %v are no range of bytes", both[:min(len(both), 3)])
			}
			t.begin, t.end = both[0], both[1]
			return nil
		}
		return h.skip() // as the official reader does
	})
	if err != nil {
		return at(err, name, -1)
	}
	if !dtype || !shape || !offsets {
		return at(h.fault("dtype, shape or data_offsets is missing"), name, -1)
	}
	h.tensors = append(h.tensors, t)
	return nil
}

// object reads the entries of an object up to its brace. Two of one key are
// DuplicateName. of says whose object it is.
func (h *stHeader) object(of string, entry func(key string) error) error {
	seen := map[string]bool{}
	for {
		v, err := h.token()
		if err != nil {
			return err
		}
		if v == json.Delim('}') {
			return nil
		}
		key, ok := v.(string)
		if !ok {
			return h.fault("a key is no string")
		}
		if seen[key] {
			if of == "" {
				of = key
			}
			return &Error{Kind: DuplicateName, Tensor: of, Off: h.place(), Msg: "the key " + quoted(key) + " stands twice in the header"}
		}
		seen[key] = true
		if err := entry(key); err != nil {
			return err
		}
	}
}

// numbers reads a list of whole numbers. One past an int64 is of the kind given.
func (h *stHeader) numbers(what string, tooLong Kind, number func(int64) error) error {
	if err := h.open('[', what); err != nil {
		return err
	}
	for {
		v, err := h.token()
		if err != nil {
			return err
		}
		if v == json.Delim(']') {
			return nil
		}
		digits, ok := v.(json.Number)
		if !ok || strings.ContainsAny(string(digits), ".eE") {
			return h.fault("%s holds something that is no whole number", what)
		}
		n, err := strconv.ParseInt(string(digits), 10, 64)
		if err != nil {
			return fault(tooLong, h.place(), "%s holds %s, which is out of range", what, quoted(string(digits)))
		}
		if err := number(n); err != nil {
			return err
		}
	}
}

// skip passes over one value.
func (h *stHeader) skip() error {
	for depth := 0; ; {
		v, err := h.token()
		if err != nil {
			return err
		}
		switch v {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth > maxJSONDepth {
			return h.fault("the header nests deeper than %d", maxJSONDepth)
		}
		if depth == 0 {
			return nil
		}
	}
}

// open takes an opening brace or bracket.
func (h *stHeader) open(d json.Delim, what string) error {
	v, err := h.token()
	if err != nil {
		return err
	}
	if v != d {
		return h.fault("%s does not start with %v", what, d)
	}
	return nil
}

// token takes the next token.
func (h *stHeader) token() (json.Token, error) {
	v, err := h.json.Token()
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, h.fault("the header's JSON is cut short")
	case err != nil:
		return nil, h.fault("the header is not JSON: %v", err)
	}
	return v, nil
}

// place is where in the file the last token ends.
func (h *stHeader) place() int64 { return 8 + h.json.InputOffset() }

func (h *stHeader) fault(format string, args ...any) error {
	return fault(Corrupt, h.place(), format, args...)
}
