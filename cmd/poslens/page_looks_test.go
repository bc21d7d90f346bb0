//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// schemes are the colours that a system asks for.
var schemes = []string{"light", "dark"}

func (p *opened) scheme(t *testing.T, name string) {
	t.Helper()
	p.do(t, command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	}))
}

// axe has axe-core look for what keeps people out, in both schemes.
func (p *opened) axe(t *testing.T) {
	t.Helper()
	path := os.Getenv("POSLENS_AXE")
	if path == "" {
		t.Log("POSLENS_AXE is not set: axe-core is not asked")
		return
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range schemes {
		p.scheme(t, scheme)
		p.eval(t, string(source)+";null", nil)
		var found struct {
			Passed     int
			Violations []string
		}
		p.eval(t, `axe.run(document, {resultTypes: ["violations"]}).then(r => ({
			passed: r.passes.length,
			violations: r.violations.map(v => v.impact + " " + v.id + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(" | ")),
		}))`, &found)
		if found.Passed < 20 {
			t.Errorf("%s: axe-core found %d rules kept, want 20 or more", scheme, found.Passed)
		}
		for _, violation := range found.Violations {
			if strings.HasPrefix(violation, "serious") || strings.HasPrefix(violation, "critical") {
				t.Errorf("%s: %s", scheme, violation)
			} else {
				t.Logf("%s: %s", scheme, violation)
			}
		}
	}
}

// picture is what the window shows, for people to look at.
func (p *opened) picture(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("POSLENS_SHOTS")
	if dir == "" {
		return
	}
	shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), shot, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// pictures of a page in every shape, for people to look at.
func (p *opened) pictures(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("POSLENS_SHOTS")
	if dir == "" {
		return
	}
	write := func(suffix string, b []byte) {
		if err := os.WriteFile(filepath.Join(dir, name+suffix), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p.eval(t, "document.activeElement.blur()", nil)
	for _, scheme := range schemes {
		p.scheme(t, scheme)
		for _, width := range []int64{1100, 400} {
			p.do(t, chromedp.EmulateViewport(width, 900))
			shot, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			write(fmt.Sprintf("-%s-%d.png", scheme, width), shot)
		}
	}
	pdf, err := chromedp.Run(p.ctx, chromedp.PrintToPDF())
	if err != nil {
		t.Fatal(err)
	}
	write(".pdf", pdf)
}
