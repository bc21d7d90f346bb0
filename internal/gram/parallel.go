package gram

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// maxWorkers bounds the scratch space where GOMAXPROCS is far more than there are
// processors.
const maxWorkers = 256

// Parallel does the tasks 0..n-1 on all processors and waits for them. Each
// worker makes its own do, which may hold scratch space. Tasks must not depend on
// each other, and what they write must not depend on who does them. Once ctx is
// done no further task starts, and its error is returned.
func Parallel(ctx context.Context, n int, worker func() (do func(task int))) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxWorkers, n) {
		wg.Go(func() {
			do := worker()
			for ctx.Err() == nil {
				task := int(next.Add(1)) - 1
				if task >= n {
					return
				}
				do(task)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
