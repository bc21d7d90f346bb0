package cli

import (
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"
)

// When the line of progress is drawn.
const (
	soonest  = time.Second            // after work began
	redrawn  = 100 * time.Millisecond // at the earliest after it was drawn
	lookedAt = 125 * time.Millisecond // how often is looked whether there is something to draw
)

// eraseLine goes to the beginning of the terminal's line and clears it.
const eraseLine = "\r\x1b[K"

// meter draws on a terminal's stderr how far long work is: one line, which goes away
// before anything else is written and when the work is done. A nil meter, and one that
// was not begun, draw nothing.
type meter struct {
	now    func() time.Time
	stderr io.Writer

	mu      sync.Mutex
	columns func() int // of the terminal; nil: nothing is drawn
	command string
	stages  []*stage // begun and not done, each within the one before it
	line    string   // that stands on the terminal; empty: none
	drawn   time.Time
	over    chan struct{} // closed by stop
}

// stage is work of several things.
type stage struct {
	what        string
	total, done int64
	begun, last time.Time // last: when more was done
}

func newMeter(stderr io.Writer) *meter {
	return &meter{now: time.Now, stderr: stderr, over: make(chan struct{})}
}

// beginProgress lets the meter draw, unless the user or the terminal wants none.
func (a *app) beginProgress(cmd *cobra.Command) {
	if a.meter == nil || a.quiet || a.noProgress || a.env.Getenv("TERM") == "dumb" {
		return
	}
	columns := func() int { w, _ := a.env.Terminal(a.meter.stderr); return w }
	if _, tty := a.env.Terminal(a.meter.stderr); tty {
		a.meter.begin(cmd.Name(), columns)
		go a.meter.watch()
	}
}

// begin lets the meter draw, in so many columns.
func (m *meter) begin(command string, columns func() int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.command, m.columns = command, columns
}

// watch looks every now and then whether there is something to draw, until stop.
func (m *meter) watch() {
	ticks := time.NewTicker(lookedAt)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			m.draw()
		case <-m.over:
			return
		}
	}
}

// start is the progress.Func of the meter.
func (m *meter) start(what string, total int64) (add func(more int64)) {
	if m == nil {
		return func(int64) {}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &stage{what: what, total: total, begun: m.now()}
	m.stages = append(m.stages, s)
	return func(more int64) { m.advance(s, more) }
}

// advance tells that more of a stage is done, so that what was begun within it is
// over, whatever became of it.
func (m *meter) advance(s *stage, more int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.done, s.last = s.done+more, m.now()
	for i, open := range m.stages {
		if open != s {
			continue
		}
		m.stages = m.stages[:i+1]
		if s.done >= s.total {
			m.stages = m.stages[:i]
		}
	}
	if len(m.stages) == 0 { // else draw soon says what is left
		m.erase()
	}
}

// draw draws the innermost work that has gone on for a while.
func (m *meter) draw() {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if m.columns == nil || m.line != "" && now.Sub(m.drawn) < redrawn {
		return
	}
	for i := len(m.stages) - 1; i >= 0; i-- {
		s := m.stages[i]
		if now.Sub(s.begun) < soonest {
			continue
		}
		line := m.command + ": " + s.String(now)
		line = line[:max(0, min(len(line), m.columns()-1))] // all in ASCII; the last column would wrap
		if line != "" && line != m.line {
			io.WriteString(m.stderr, eraseLine+line)
			m.line, m.drawn = line, now
		}
		return
	}
	m.erase()
}

// erase takes the line off the terminal, if there is one.
func (m *meter) erase() {
	if m.line != "" {
		io.WriteString(m.stderr, eraseLine)
		m.line = ""
	}
}

// stop takes the line off, and no other is drawn.
func (m *meter) stop() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.erase()
	m.columns = nil
	select {
	case <-m.over:
	default:
		close(m.over)
	}
}

// messages is stderr, in front of whose writes the line goes away.
func (m *meter) messages() io.Writer {
	return writerFunc(func(p []byte) (int, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.erase()
		return m.stderr.Write(p)
	})
}

// results is stdout: with the first result no more progress is drawn.
func (m *meter) results(stdout io.Writer) io.Writer {
	return writerFunc(func(p []byte) (int, error) {
		m.stop()
		return stdout.Write(p)
	})
}

// writerFunc is a function that writes.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
