//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
)

// TestReadme runs the session of the README, command by command, and compares
// what it prints: stdout and stderr as a terminal shows them.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(readme), "```console\n")
	session, _, ok2 := strings.Cut(rest, "```\n")
	if !ok || !ok2 {
		t.Fatal("the README has no session")
	}
	dir := installed(t)
	work := t.TempDir()
	ran := 0
	for _, part := range strings.Split("\n"+session, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		sh := exec.Command("sh", "-c", command)
		sh.Dir = work
		sh.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		got, err := sh.CombinedOutput()
		if err != nil {
			t.Errorf("$ %s: %v", command, err)
		}
		if diff := cmp.Diff(strings.TrimRight(want, "\n"), strings.TrimRight(string(got), "\n")); diff != "" {
			t.Errorf("$ %s (-README +now):\n%s", command, diff)
		}
		ran++
	}
	if ran < 3 {
		t.Errorf("only %d commands in the README's session", ran)
	}
}

// TestReadmeFigure makes the README's figure again.
func TestReadmeFigure(t *testing.T) {
	want, err := os.ReadFile("../../doc/smooth-similarity.png")
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	poslens(t, nil, new(bytes.Buffer), "report", "-q", "-o", out)
	got, err := os.ReadFile(filepath.Join(out, "smooth-similarity.png"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("doc/smooth-similarity.png is not what report draws now: run `poslens report` and copy it")
	}
}

// TestReadmeFormats compares the README's table of formats with the registry.
func TestReadmeFormats(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "| format | what is read |\n|---|---|\n")
	got, _, _ := strings.Cut(rest, "\n\n")
	var want []string
	for _, f := range checkpoint.Formats() {
		want = append(want, "| "+f.Name+" | "+f.Doc+" |")
	}
	if diff := cmp.Diff(strings.Join(want, "\n"), got); diff != "" {
		t.Errorf("(-registry +README):\n%s", diff)
	}
}

// TestReadmeArchitectures compares the README's table of architectures, grouped by
// hand, with the registry: each stands once, under its kind.
func TestReadmeArchitectures(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "| kind | of | architectures |\n|---|---|---|\n")
	rows, _, _ := strings.Cut(rest, "\n\n")
	got, kind := map[string][]string{}, ""
	for _, row := range strings.Split(rows, "\n") {
		cells := strings.Split(row, " | ")
		if len(cells) != 3 {
			t.Fatalf("a row of %d cells: %q", len(cells), row)
		}
		if k := strings.Trim(cells[0], "| "); k != "" {
			kind = k
		}
		got[kind] = append(got[kind], strings.Split(strings.TrimSuffix(cells[2], " |"), ", ")...)
	}
	want := map[string][]string{}
	for _, p := range posemb.Presets {
		k := string(p.Kind) + ": " + p.Kind.Holds()
		want[k] = append(want[k], p.Arch)
	}
	for _, names := range []map[string][]string{got, want} {
		for _, list := range names {
			slices.Sort(list)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-registry +README):\n%s", diff)
	}
}

// installed puts the test binary into a folder under the name poslens, in which
// shape it is the program.
func installed(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "poslens")); err != nil {
		t.Fatal(err)
	}
	return dir
}
