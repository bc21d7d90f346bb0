//go:build unix

package main

import (
	"context"
	"encoding/json"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is a headless Chromium with a profile of its own.
type browser struct{ ctx context.Context }

func newBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no chromium")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.WindowSize(1100, 900),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
	}
	alloc, stop := chromedp.NewExecAllocator(t.Context(), options...)
	ctx, quit := chromedp.NewContext(alloc)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits, so that its profile can be removed
		quit()
		stop()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return &browser{ctx}
}

// opened is a page in its tab, with what it asked for and complained of.
type opened struct {
	ctx        context.Context
	mu         sync.Mutex
	requests   []string
	complaints []string
}

func (b *browser) open(t *testing.T, file string, before ...chromedp.Action[chromedp.Void]) *opened {
	t.Helper()
	tab, quit := chromedp.NewContext(b.ctx)
	t.Cleanup(quit)
	if err := chromedp.Do(tab); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(tab, 5*time.Minute)
	t.Cleanup(cancel)
	p := &opened{ctx: ctx}
	err := chromedp.Listen(ctx, func(event any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			p.requests = append(p.requests, e.Request.URL)
		case *cdplog.EventEntryAdded:
			p.complaints = append(p.complaints, e.Entry.Text)
		case *cdpruntime.EventExceptionThrown:
			p.complaints = append(p.complaints, e.ExceptionDetails.Text)
		case *cdpruntime.EventConsoleAPICalled:
			p.complaints = append(p.complaints, string(e.Type))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p.do(t, command(network.Enable, network.EnableParams{}), command(cdplog.Enable, cdp.Empty{}))
	p.do(t, before...)
	p.do(t, chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String()), chromedp.WaitReady("footer"))
	return p
}

// command is a command of the protocol as an action.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

func (p *opened) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// eval runs a script, and reads what it gives unless into is nil.
func (p *opened) eval(t *testing.T, script string, into any) {
	t.Helper()
	if into == nil {
		p.do(t, chromedp.Evaluate[chromedp.Void](script))
		return
	}
	got, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]byte](script, chromedp.EvalAwaitPromise))
	if err == nil {
		err = json.Unmarshal(got, into)
	}
	if err != nil {
		t.Fatalf("%.200s: %v", script, err)
	}
}

func (p *opened) number(t *testing.T, script string) (v float64) {
	t.Helper()
	p.eval(t, script, &v)
	return v
}

// quiet wants no request to anywhere but the file itself, and no complaint.
func (p *opened) quiet(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.requests) == 0 || !strings.HasPrefix(p.requests[0], "file:") {
		t.Errorf("requests %q, want that of the file first", p.requests)
	}
	for _, asked := range p.requests[min(1, len(p.requests)):] {
		if !strings.HasPrefix(asked, "data:") {
			t.Errorf("a request to %.80s", asked)
		}
	}
	if len(p.complaints) > 0 {
		t.Errorf("complaints: %q", p.complaints)
	}
}
