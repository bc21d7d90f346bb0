// Package progress carries how far a long computation is from where that is known to
// where it is shown.
package progress

import "context"

// Bytes is what counts as bytes and is shown in KiB, MiB and so on.
const Bytes = "bytes"

// Func is told that work begins which consists of total things, and gives what to call
// with how many more of them are done. What names them: "draws", or Bytes. Work may
// begin within other work, and ends before that goes on. What is given may be called
// by several goroutines at once.
type Func func(what string, total int64) (add func(more int64))

type key struct{}

// With is a context whose work is told to f.
func With(ctx context.Context, f Func) context.Context { return context.WithValue(ctx, key{}, f) }

// Without is a context whose work is told to nobody: that of the things which are
// counted as a whole.
func Without(ctx context.Context) context.Context { return With(ctx, nil) }

// Start tells that work begins; add tells that more of it is done. Without a listener,
// or of nothing, add does nothing.
func Start(ctx context.Context, what string, total int64) (add func(more int64)) {
	if f, _ := ctx.Value(key{}).(Func); f != nil && total > 0 {
		return f(what, total)
	}
	return func(int64) {}
}
