package cli

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"poslens/internal/progress"
)

// fakeTerminal keeps what a terminal would show of what is written to it.
type fakeTerminal struct {
	mu     sync.Mutex
	lines  [][]byte
	column int
	writes int
	seen   chan string // gets every write there is room for; nil: none
}

func (f *fakeTerminal) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes++
	select {
	case f.seen <- string(p):
	default:
	}
	if f.lines == nil {
		f.lines = [][]byte{nil}
	}
	for rest := p; len(rest) > 0; rest = rest[1:] {
		line := &f.lines[len(f.lines)-1]
		switch {
		case bytes.HasPrefix(rest, []byte("\x1b[K")):
			*line = (*line)[:min(f.column, len(*line))]
			rest = rest[2:]
		case rest[0] == '\r':
			f.column = 0
		case rest[0] == '\n':
			f.lines, f.column = append(f.lines, nil), 0
		case f.column < len(*line):
			(*line)[f.column] = rest[0]
			f.column++
		default:
			*line = append(*line, rest[0])
			f.column++
		}
	}
	return len(p), nil
}

// String is what the terminal shows.
func (f *fakeTerminal) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return string(bytes.Join(f.lines, []byte("\n")))
}

// fakeClock stands still until it is moved.
type fakeClock struct{ since atomic.Int64 }

func (c *fakeClock) now() time.Time       { return time.Unix(0, c.since.Load()) }
func (c *fakeClock) pass(d time.Duration) { c.since.Add(int64(d)) }
func fakeMeter() (*meter, *fakeTerminal, *fakeClock) {
	term, clock := &fakeTerminal{}, &fakeClock{}
	m := newMeter(term)
	m.now = clock.now
	m.begin("metrics", func() int { return 80 })
	return m, term, clock
}

// shows draws and compares the screen.
func (f *fakeTerminal) shows(t *testing.T, m *meter, want string) {
	t.Helper()
	m.draw()
	if got := f.String(); got != want {
		t.Errorf("the terminal shows %q, want %q", got, want)
	}
}

// Nothing is drawn in the first second of work, then how much is done, the rate and
// what is left; at the end the line is gone.
func TestProgressLine(t *testing.T) {
	m, term, clock := fakeMeter()
	add := m.start("draws", 198)
	clock.pass(999 * time.Millisecond)
	term.shows(t, m, "")
	clock.pass(time.Millisecond)
	term.shows(t, m, "metrics: 0 of 198 draws")
	clock.pass(time.Second)
	add(24) // 12 a second: 174 more take 14.5 s
	term.shows(t, m, "metrics: 24 of 198 draws, 12/s, 15 s left")
	clock.pass(2 * time.Second)
	term.shows(t, m, "metrics: 24 of 198 draws, 12/s, 13 s left")
	clock.pass(time.Minute) // longer than it should have taken
	term.shows(t, m, "metrics: 24 of 198 draws, 12/s")
	add(174)
	term.shows(t, m, "")
	if m.start("rows", 5)(5); len(m.stages) != 0 {
		t.Errorf("%d stages are open, want none", len(m.stages))
	}
}

// However often it is looked, the line is drawn at most ten times a second, and not
// again when nothing has changed.
func TestProgressPace(t *testing.T) {
	m, term, clock := fakeMeter()
	add := m.start("rows", 1e5)
	clock.pass(time.Second)
	m.draw()
	before := term.writes
	for range 1000 {
		clock.pass(time.Millisecond)
		add(1)
		m.draw()
	}
	if n := term.writes - before; n < 9 || n > 10 {
		t.Errorf("drawn %d times in a second, want 9 or 10", n)
	}
	clock.pass(time.Second)
	m.draw()
	before = term.writes
	m.draw()
	if term.writes != before {
		t.Error("a line was drawn that stands there already")
	}
}

// Work within work is drawn once it has gone on for a second; else what it is part
// of. Work that was given up is over when what it is part of goes on.
func TestProgressWithin(t *testing.T) {
	m, term, clock := fakeMeter()
	tables := m.start("tables", 3)
	clock.pass(time.Second)
	draws := m.start("draws", 4)
	term.shows(t, m, "metrics: 0 of 3 tables")
	clock.pass(time.Second)
	draws(1)
	term.shows(t, m, "metrics: 1 of 4 draws, 1.0/s, 3 s left")
	clock.pass(time.Second)
	tables(1)
	term.shows(t, m, "metrics: 1 of 3 tables, 0.33/s, 6 s left")
	draws(1) // too late
	term.shows(t, m, "metrics: 1 of 3 tables, 0.33/s, 6 s left")
	m.start("draws", 4)(4)
	clock.pass(time.Second)
	term.shows(t, m, "metrics: 1 of 3 tables, 0.33/s, 5 s left")
	tables(2)
	term.shows(t, m, "")
}

// The line goes away in front of a message and comes back behind it; with the first
// result it is gone for good.
func TestProgressBesideOutput(t *testing.T) {
	m, term, clock := fakeMeter()
	stderr, stdout := m.messages(), m.results(term)
	m.start("draws", 198)
	clock.pass(time.Second)
	term.shows(t, m, "metrics: 0 of 198 draws")
	fmt.Fprintln(stderr, "poslens: a note")
	if got := term.String(); got != "poslens: a note\n" {
		t.Errorf("behind a message the terminal shows %q", got)
	}
	clock.pass(time.Second)
	term.shows(t, m, "poslens: a note\nmetrics: 0 of 198 draws")
	fmt.Fprint(stdout, "position\n0")
	clock.pass(time.Second)
	term.shows(t, m, "poslens: a note\nposition\n0")
}

// The line is cut where it would wrap, also when the terminal has no width.
func TestProgressWidth(t *testing.T) {
	for _, c := range []struct {
		columns int
		want    string
	}{{24, "metrics: 0 of 198 draws"}, {23, "metrics: 0 of 198 draw"}, {2, "m"}, {1, ""}, {0, ""}} {
		m, term, clock := fakeMeter()
		m.columns = func() int { return c.columns }
		m.start("draws", 198)
		clock.pass(time.Second)
		term.shows(t, m, c.want)
	}
}

// TestStage checks the words for sizes, rates and times.
func TestStage(t *testing.T) {
	for _, c := range []struct {
		what         string
		done, total  int64
		took, passed float64 // seconds until the last was done, and since
		want         string
	}{
		{"draws", 1, 2, 40, 0, "1 of 2 draws, 0.025/s, 40 s left"},
		{"rows", 9999, 999_999, 1, 0, "9999 of 999999 rows, 9999/s, 1 min 40 s left"}, // 99.01 s
		{"pairs", 210_000_000, 537_000_000, 5, 0, "210.0 of 537.0 million pairs, 42 million/s, 8 s left"},
		{"pairs", 1, 2_000_000_000, 1, 0, "0.0 of 2.0 billion pairs, 1.0/s, over 99 h left"},
		{progress.Bytes, 120 << 20, 512 << 20, 2, 0, "120.0 of 512.0 MiB read, 60 MiB/s, 7 s left"},
		{progress.Bytes, 0, 1000, 0, 9, "0 of 1000 bytes read"},
		{progress.Bytes, 1 << 30, 3 << 30, 3600, 0, "1.0 of 3.0 GiB read, 291 KiB/s, 2 h 0 min left"},
		{"draws", 5, 9, 0, 1, "5 of 9 draws"}, // all in no time: no rate
		{"draws", 5, 10, 5, 5, "5 of 10 draws, 1.0/s"},
		{"draws", 19, 20, 2, 0, "19 of 20 draws, 9.5/s, 1 s left"},
	} {
		begun := time.Unix(0, 0)
		s := &stage{what: c.what, done: c.done, total: c.total, begun: begun, last: begun.Add(time.Duration(c.took * 1e9))}
		if c.done == 0 {
			s.last = time.Time{}
		}
		if got := s.String(s.begun.Add(time.Duration((c.took + c.passed) * 1e9))); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Progress is drawn on a terminal that can, and where the user has not said no.
func TestProgressWanted(t *testing.T) {
	for _, c := range []struct {
		name     string
		term     string
		terminal bool
		args     []string
		want     bool
	}{
		{"a terminal", "xterm", true, nil, true},
		{"a terminal without a TERM", "", true, nil, true},
		{"a dumb terminal", "dumb", true, nil, false},
		{"a pipe", "xterm", false, nil, false},
		{"--quiet", "xterm", true, []string{"--quiet"}, false},
		{"-q", "xterm", true, []string{"-q"}, false},
		{"--no-progress", "xterm", true, []string{"--no-progress"}, false},
	} {
		term, clock := &fakeTerminal{}, &fakeClock{}
		a := newApp(Env{
			Out: new(bytes.Buffer), Err: term,
			Getenv:   func(k string) string { return map[string]string{"TERM": c.term}[k] },
			Terminal: func(s any) (int, bool) { return 80, c.terminal && s == any(term) },
		})
		a.meter.now = clock.now
		args := append([]string{"decay", "gen:smooth", "-o", filepath.Join(t.TempDir(), "d.tsv")}, c.args...)
		root := a.root()
		root.SetArgs(args)
		if _, err, _ := a.execute(context.Background(), root, args); err != nil {
			t.Fatal(err)
		}
		a.meter.start("draws", 198)
		clock.pass(time.Minute)
		a.meter.draw()
		if got := strings.Contains(term.String(), "decay: 0 of 198 draws"); got != c.want {
			t.Errorf("%s: progress drawn: %v, want %v (%q)", c.name, got, c.want, term)
		}
		a.meter.stop()
	}
}

// Real work is counted, and an interrupt leaves no line behind.
func TestProgressInterrupted(t *testing.T) {
	term, clock := &fakeTerminal{seen: make(chan string, 100)}, &fakeClock{}
	a := newApp(Env{
		Out: new(bytes.Buffer), Err: term, Getenv: noEnv,
		Terminal: func(s any) (int, bool) { return 80, s == any(term) },
	})
	a.meter.now = func() time.Time { clock.pass(time.Second); return clock.now() }
	ctx, cancel := context.WithCancel(context.Background())
	status := make(chan int)
	go func() { status <- a.main(ctx, []string{"metrics", "gen:smooth,n=64,d=16", "--null-draws", "100000"}) }()
	for drawn := false; !drawn; {
		select {
		case s := <-term.seen:
			drawn = strings.Contains(s, " of 200000 draws, ")
		case <-time.After(time.Minute):
			t.Fatalf("no progress is drawn: %q", term)
		}
	}
	cancel()
	if got := <-status; got != statusInterrupted {
		t.Errorf("status %d, want %d", got, statusInterrupted)
	}
	a.meter.draw()
	screen := term.String()
	if strings.Contains(screen, "metrics: ") || !strings.HasSuffix(screen, "\nposlens: interrupted\n") {
		t.Errorf("behind an interrupt the terminal shows %q", screen)
	}
}
