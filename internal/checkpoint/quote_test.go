package checkpoint

import (
	"strings"
	"testing"
)

func TestQuoted(t *testing.T) {
	long := strings.Repeat("ö", 120)
	for s, want := range map[string]string{
		"":                 `""`,
		"wpe.weight":       `"wpe.weight"`,
		"позиция 😀":        `"позиция 😀"`,
		"\x1b[31m\r\n\"":   `"\x1b[31m\r\n\""`,
		"\u202eevil\u200b": `"\u202eevil\u200b"`, // turns the line around, and hides
		"\xff\x9b31m":      `"\xff\x9b31m"`,
		long:               `"` + long + `"`,
		long + "ö":         `"` + long + `..."`,
	} {
		if got := quoted(s); got != want {
			t.Errorf("%q is quoted as %s, want %s", s, got, want)
		}
	}
	if got := quotedList([]string{"a", "\n", "c"}, 2); got != `"a", "\n" and 1 more` {
		t.Error(got)
	}
}

// TestMessagesAreSafe puts an escape sequence wherever a file may hold a word that
// a message repeats.
func TestMessagesAreSafe(t *testing.T) {
	const evil = "\x1b[31m"
	json := strings.ReplaceAll(`"`+evil+`"`, "\x1b", `\u001b`)
	entry := func(name, dtype string) []byte {
		return safetensorsOf(`{`+name+`:{"dtype":`+dtype+`,"shape":[2],"data_offsets":[0,2]}}`, 2)
	}
	for name, data := range map[string][]byte{
		"a dtype":         entry(`"a"`, json),
		"a name":          entry(json, `"F32"`),
		"a numpy dtype":   npyOf(3, "{'descr': '"+evil+"', 'fortran_order': False, 'shape': (2,)}", nil),
		"a numpy field":   npyOf(3, "{'descr': [('"+evil+"', '<f4')], 'fortran_order': False, 'shape': (2,)}", nil),
		"a member":        zipOf(t, part{name: evil, data: "x"}),
		"an array":        zipOf(t, part{name: evil + ".npy", data: "x"}),
		"a torch class":   torchOf(t, pkGlobal("m", evil)+")R"),
		"a torch storage": torchOf(t, pkTensor(pkStorage(evil, "0", 4), 0, []int{4}, []int{1})),
		"a torch order":   zipOf(t, append(torchParts(oneRow, floats(1, 2, 3, 4)), part{name: "archive/byteorder", data: evil})...),
		"a JSON string":   []byte(`[` + json + `]`),
		"a JSON word":     []byte(`[` + evil + `]`),
		"a JSON name":     []byte(`{` + json + `:1}`),
		"a cell":          []byte("1,2\n3," + evil + "\n"),
	} {
		f, err := openBytes(t, "x.csv", data, Limits{})
		for i := 0; err == nil && i < len(f.Tensors()); i++ {
			_, err = f.Tensor(t.Context(), f.Tensors()[i].Name)
		}
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if s := err.Error() + hintOf(err); strings.Contains(s, "\x1b") {
			t.Errorf("%s: the message %q would reach a terminal", name, s)
		}
	}
}
