package figure

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"strings"
	"testing"
)

// What is sent, read as a terminal reads it, is the PNG that Write writes.
func TestKitty(t *testing.T) {
	for _, test := range []struct {
		name    string
		chart   Chart
		style   Style
		columns int
		first   string
	}{
		{"small", sampleMap(1, 1), Style{Width: 1, Height: 1, DPI: 30}, 0, "a=T,f=100,m=0"},
		{"large", sampleMap(64, 64), Style{}, 80, "a=T,f=100,c=80,m=1"},
		{"own size", sampleLines(5, 64), Style{Theme: "dark"}, 0, "a=T,f=100,m=1"},
	} {
		var sent, want bytes.Buffer
		if _, err := WriteKitty(&sent, test.chart, test.style, test.columns); err != nil {
			t.Fatal(err)
		}
		if _, err := Write(&want, "png", test.chart, test.style); err != nil {
			t.Fatal(err)
		}
		rest, data := sent.String(), ""
		for i := 0; rest != "\n"; i++ {
			body, after, ok := strings.Cut(rest, "\x1b\\")
			keys, payload, ok2 := strings.Cut(body, ";")
			keys, ok3 := strings.CutPrefix(keys, "\x1b_G")
			if !ok || !ok2 || !ok3 {
				t.Fatalf("%s: chunk %d is no escape code: %.60q", test.name, i, body)
			}
			last := after == "\n"
			if len(payload) == 0 || len(payload) > 4096 || !last && len(payload)%4 != 0 {
				t.Errorf("%s: chunk %d has %d bytes", test.name, i, len(payload))
			}
			more := map[bool]string{false: "m=1", true: "m=0"}[last]
			switch {
			case i == 0 && keys != test.first, i > 0 && keys != more:
				t.Errorf("%s: chunk %d has the keys %q", test.name, i, keys)
			}
			data += payload
			rest = after
		}
		got, err := base64.StdEncoding.DecodeString(data)
		if err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("%s: %d bytes are not the PNG's %d (%v)", test.name, len(got), want.Len(), err)
		}
		if _, err := png.Decode(bytes.NewReader(got)); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestKittyRefused(t *testing.T) {
	for want, write := range map[string]func() error{
		"-1 columns": func() error { _, err := WriteKitty(&bytes.Buffer{}, sampleMap(2, 2), Style{}, -1); return err },
		"no chart":   func() error { _, err := WriteKitty(&bytes.Buffer{}, nil, Style{}, 0); return err },
		"5 dpi":      func() error { _, err := WriteKitty(&bytes.Buffer{}, sampleMap(2, 2), Style{DPI: 5}, 0); return err },
	} {
		if err := write(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := WriteKitty(broken{}, sampleMap(2, 2), Style{}, 0); err == nil {
		t.Error("a full disk is not told")
	}
}
