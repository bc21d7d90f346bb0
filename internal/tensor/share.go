package tensor

import (
	"runtime"
	"sync"
)

// shareFrom is the elements from which on work is shared by all cores: with
// fewer, starting them takes longer than they save.
const shareFrom = 1 << 20

// share does part for the elements 0 <= i < n, in one go, or in equal parts on
// all cores when there are many. Every part but the last has a whole number of
// blocks. Parts must not depend on each other.
func share(n, block int, part func(from, to int)) {
	workers := runtime.GOMAXPROCS(0)
	if n < shareFrom || workers == 1 {
		part(0, n)
		return
	}
	var wait sync.WaitGroup
	step := (n + workers*block - 1) / (workers * block) * block
	for from := 0; from < n; from += step {
		wait.Go(func() { part(from, min(from+step, n)) })
	}
	wait.Wait()
}
