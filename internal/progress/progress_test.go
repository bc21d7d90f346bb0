package progress

import (
	"context"
	"fmt"
	"testing"
)

// Work is told to the listener of its context alone.
func TestStart(t *testing.T) {
	var told []string
	ctx := With(context.Background(), func(what string, total int64) func(int64) {
		told = append(told, fmt.Sprintf("%s of %d", what, total))
		return func(more int64) { told = append(told, fmt.Sprintf("%s +%d", what, more)) }
	})
	add := Start(ctx, "draws", 3)
	add(1)
	Start(Without(ctx), "rows", 9)(9)
	Start(context.Background(), "rows", 9)(9)
	Start(ctx, "rows", 0)(1)
	add(2)
	want := "[draws of 3 draws +1 draws +2]"
	if got := fmt.Sprint(told); got != want {
		t.Errorf("told %s, want %s", got, want)
	}
}
