// Command poslens shows what a transformer's position embeddings have learned.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"poslens/internal/cli"
)

func main() { os.Exit(run()) }

// run cancels the context on the first interrupt, so that temporaries are
// removed; a second one ends the process at once.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	// A closed pipe must be seen as a write error, not kill the process.
	signal.Ignore(syscall.SIGPIPE)
	return cli.Main(ctx, os.Args[1:], cli.OS())
}
