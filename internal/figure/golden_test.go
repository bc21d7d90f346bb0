package figure

import (
	"errors"
	"flag"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden figures and terminal pictures of testdata")

// goldenStyle is the style of the golden figures.
func goldenStyle(theme string) Style { return Style{Width: 4, Height: 3.2, DPI: 72, Theme: theme} }

// Every kind of chart looks in every theme as it did.
func TestGolden(t *testing.T) {
	const folder, most = "testdata/golden", 600_000
	known := map[string]bool{}
	for _, e := range exhibits() {
		for _, theme := range Themes() {
			name := fileName(e.name + " " + theme)
			known[name] = true
			t.Run(name, func(t *testing.T) {
				golden(t, filepath.Join(folder, name), drawPNG(t, e.chart, goldenStyle(theme)), *update)
			})
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	bytes := int64(0)
	for _, entry := range entries {
		if !known[entry.Name()] {
			t.Errorf("%s/%s: no figure has this name", folder, entry.Name())
		}
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		bytes += info.Size()
	}
	if bytes > most {
		t.Errorf("%s: %d bytes, more than %d", folder, bytes, most)
	}
}

// fileName is that of a figure.
func fileName(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, ",", ""), " ", "-") + ".png"
}

// golden compares a picture with the one at a path, or writes it there. Where they
// differ, the new one and the pixels that differ are left in a folder for temporary
// files, which outlives the test.
func golden(t *testing.T, path string, got image.Image, write bool) {
	t.Helper()
	if write {
		writePicture(t, path, got)
		return
	}
	want, err := readPicture(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%s is missing; make golden and make sheet write such", path)
	} else if err != nil {
		t.Fatal(err)
	}
	diff, fault := compare(got, want)
	if fault == "" {
		return
	}
	folder, err := os.MkdirTemp("", "poslens-golden-")
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Base(path)
	writePicture(t, filepath.Join(folder, base), got)
	if diff != nil {
		writePicture(t, filepath.Join(folder, "diff-"+base), diff)
	}
	t.Errorf("%s: %s: see %s; where that is as it should be, make golden and make sheet take it over", path, fault, folder)
}
