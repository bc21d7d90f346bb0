package report

import (
	"io"
	"strings"
	"testing"
)

// Rows behind the others are written as those are, though they come in one slice.
func TestRowsBehind(t *testing.T) {
	all := &Table{Cols: []Column{{Name: "a"}, {Name: "b", Numeric: true}}, Rows: [][]any{{"x\ty", 0}, {"k", 1}, {"k", 2}}}
	same := &Table{Cols: all.Cols, Rows: all.Rows[:1], Behind: func(yield func([]any) bool) {
		row := []any{"k", 0}
		for i := 1; i < 3; i++ {
			if row[1] = i; !yield(row) {
				return
			}
		}
	}}
	for name, write := range map[string]func(*strings.Builder, *Table) error{
		"tsv": func(b *strings.Builder, t *Table) error { return WriteTSV(b, t) },
		"csv": func(b *strings.Builder, t *Table) error { return WriteCSV(b, t) },
	} {
		var want, got strings.Builder
		if err := write(&want, all); err != nil {
			t.Fatal(err)
		}
		if err := write(&got, same); err != nil {
			t.Fatal(err)
		}
		if want.String() != got.String() || strings.Count(got.String(), "\n") != 4 {
			t.Errorf("%s: %q, want %q", name, got.String(), want.String())
		}
	}
}

// A reader that goes away ends the rows.
func TestRowsBehindEnd(t *testing.T) {
	rows := 0
	endless := &Table{Cols: []Column{{Name: "a"}}, Behind: func(yield func([]any) bool) {
		for yield([]any{rows}) {
			rows++
		}
	}}
	if err := WriteTSV(closed{}, endless); err == nil {
		t.Error("no error")
	}
	if rows > 1<<20 {
		t.Errorf("%d rows were asked for", rows)
	}
	short := &Table{Cols: []Column{{Name: "a"}, {Name: "b"}}, Behind: func(yield func([]any) bool) { yield([]any{1}) }}
	if err := WriteTSV(&strings.Builder{}, short); err == nil || !strings.Contains(err.Error(), "1 cells for 2 columns") {
		t.Errorf("got %v", err)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
