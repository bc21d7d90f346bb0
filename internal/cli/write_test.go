package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var errDisk = errors.New("the disk is on fire")

func TestWriteFile(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	big := strings.Repeat("x", 1<<20)
	for _, c := range []struct {
		name string
		ctx  context.Context
		emit func(io.Writer) error
		want error
	}{
		{"whole", context.Background(), func(w io.Writer) error { _, err := io.WriteString(w, big); return err }, nil},
		{"fails at once", context.Background(), func(io.Writer) error { return errDisk }, errDisk},
		{"fails half way", context.Background(), func(w io.Writer) error {
			if _, err := io.WriteString(w, big); err != nil {
				return err
			}
			return errDisk
		}, errDisk},
		{"interrupted", cancelled, func(w io.Writer) error { _, err := io.WriteString(w, big); return err }, context.Canceled},
	} {
		for _, old := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "out.tsv")
				if old {
					if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if err := new(drafts).writeFile(c.ctx, path, c.emit); !errors.Is(err, c.want) {
					t.Errorf("error %v, want %v", err, c.want)
				}
				got, err := os.ReadFile(path)
				switch {
				case c.want == nil && string(got) != big:
					t.Errorf("%d bytes written, want %d", len(got), len(big))
				case c.want != nil && old && string(got) != "old":
					t.Errorf("the old file was changed to %.20q", got)
				case c.want != nil && !old && !errors.Is(err, os.ErrNotExist):
					t.Errorf("a failed write left a file (%v)", err)
				}
				entries, err := os.ReadDir(dir)
				if err != nil {
					t.Fatal(err)
				}
				if most := 1; len(entries) > most {
					t.Errorf("%d files are left, want at most %d: %v", len(entries), most, entries)
				}
			})
		}
	}
}

// brokenPipe is a stdout whose reader is gone after some bytes.
type brokenPipe struct{ left int }

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, syscall.EPIPE
	}
	return len(p), nil
}

// fullDisk is a stdout that takes no byte.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestStatusOfStdout(t *testing.T) {
	for _, c := range []struct {
		name string
		out  io.Writer
		want int
		says string
	}{
		{"closed pipe", &brokenPipe{10}, 0, ""},
		{"full disk", fullDisk{}, 1, "poslens: stdout: no space left on device\n"},
	} {
		for _, args := range [][]string{
			{"version"}, {"help", "metrics"}, {"ls", "gen:smooth"}, {"decay", "gen:smooth"}, {"profile", "gen:locality"},
			{"similarity", "gen:smooth"}, {"export", "gen:smooth"}, {"generate", "smooth"}, {"decay", "gen:smooth", "-f", "png"},
			{"decay", "gen:smooth", "-f", "json"}, {"decay", "gen:smooth", "-f", "text"}, {"--help"}, {"completion", "bash"},
		} {
			var stderr bytes.Buffer
			env := Env{Out: c.out, Err: &stderr, Getenv: noEnv, Terminal: noTerminal}
			if got := Main(context.Background(), append(args, "-q"), env); got != c.want {
				t.Errorf("%s, %q: status %d, want %d", c.name, args, got, c.want)
			}
			if stderr.String() != c.says {
				t.Errorf("%s, %q: stderr %q, want %q", c.name, args, stderr.String(), c.says)
			}
			if b, ok := c.out.(*brokenPipe); ok {
				b.left = 10
			}
		}
	}
}

func noEnv(string) string        { return "" }
func noTerminal(any) (int, bool) { return 0, false }
func aTerminal(any) (int, bool)  { return 80, true }
