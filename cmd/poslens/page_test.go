//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPage opens reports in a headless Chromium, where there is one: of the built-in
// example, and of a table whose names are hostile. POSLENS_SHOTS names a folder for
// pictures of them; POSLENS_AXE is axe-core's axe.min.js, and without it nothing is
// asked of axe.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	work := t.TempDir()
	example := filepath.Join(work, "example")
	poslens(t, nil, new(bytes.Buffer), "-q", "report", "-o", example)
	hostile := filepath.Join(work, "hostile")
	file := filepath.Join(work, `<script>boom('1')<`+`!--"&.json`)
	name := `</script><script>window.boom = 1</script><img src=x onerror='window.boom=1'>".wpe.weight`
	table, err := json.Marshal(map[string][][]float64{name: {{1, 2}, {2, 1}, {0, 1}, {1, 1}}, "2" + name: {{1, 2}, {2, 1}, {0, 3}, {1, 4}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, table, 0o666); err != nil {
		t.Fatal(err)
	}
	poslens(t, nil, new(bytes.Buffer), "-q", "report", file, "-o", hostile)

	b := newBrowser(t)
	for _, dir := range []string{example, hostile} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			p := b.open(t, filepath.Join(dir, "index.html"))
			p.quiet(t)
			p.structured(t)
			p.agrees(t, dir)
			p.keyboard(t)
			p.narrow(t)
			p.axe(t)
			p.pictures(t, filepath.Base(dir))
			p.quiet(t)
		})
	}
	t.Run("values", func(t *testing.T) {
		b.open(t, filepath.Join(example, "index.html")).values(t, example)
	})
	t.Run("without script", func(t *testing.T) {
		p := b.open(t, filepath.Join(example, "index.html"), command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
		p.quiet(t)
		if got := p.number(t, `document.querySelectorAll("figure svg text").length`); got < 30 {
			t.Errorf("%v words in the figures, want 30 or more", got)
		}
		if p.number(t, `[...document.querySelectorAll(".read")].filter(e => !e.hidden).length`) != 0 {
			t.Error("a read-out is shown that nothing fills")
		}
	})
}

// structured looks at what a screen reader goes by, and that no name broke out.
func (p *opened) structured(t *testing.T) {
	t.Helper()
	var got struct {
		Levels              []int
		Alts                []string
		Main, Header, Foot  int
		Skip                string
		Bare, Ids, Scripts  int
		Images, Boom, Plots int
	}
	p.eval(t, `({
		levels: [...document.querySelectorAll("h1, h2, h3, h4")].map(h => +h.tagName[1]),
		alts: [...document.querySelectorAll(".plot")].map(e => e.getAttribute("aria-label")),
		main: document.querySelectorAll("main").length, header: document.querySelectorAll("body > header").length,
		foot: document.querySelectorAll("body > footer").length,
		skip: document.body.firstElementChild.getAttribute("href"),
		bare: document.querySelectorAll("th:not([scope])").length,
		ids: document.querySelectorAll("[id]").length - new Set([...document.querySelectorAll("[id]")].map(e => e.id)).size,
		scripts: document.querySelectorAll("script:not([type])").length,
		images: document.querySelectorAll("img, iframe, object, [onerror], [onclick]").length,
		boom: window.boom ? 1 : 0,
		plots: document.querySelectorAll("figure").length,
	})`, &got)
	for i, level := range got.Levels {
		if i == 0 && level != 1 || i > 0 && (level == 1 || level > got.Levels[i-1]+1) {
			t.Errorf("levels of headings %v, want one 1 first and no step left out", got.Levels)
			break
		}
	}
	if got.Main != 1 || got.Header != 1 || got.Foot != 1 || got.Skip != "#main" {
		t.Errorf("main %d, header %d, footer %d, skip link %q", got.Main, got.Header, got.Foot, got.Skip)
	}
	if got.Bare != 0 || got.Ids != 0 {
		t.Errorf("%d headers without a scope, %d ids twice", got.Bare, got.Ids)
	}
	if got.Scripts != 1 || got.Images != 0 || got.Boom != 0 {
		t.Errorf("%d scripts, %d foreign elements, %d of a name's own code ran", got.Scripts, got.Images, got.Boom)
	}
	if len(got.Alts) == 0 || len(got.Alts) != got.Plots {
		t.Errorf("%d texts for %d figures", len(got.Alts), got.Plots)
	}
	for _, alt := range got.Alts {
		if !strings.ContainsAny(alt, "0123456789") || !strings.HasSuffix(alt, ".") {
			t.Errorf("alternative text without a number in a sentence: %q", alt)
		}
	}
}

// keyboard goes through the page by the tab key, and finds everything on its way.
func (p *opened) keyboard(t *testing.T) {
	t.Helper()
	p.eval(t, `(() => {
		window.reached = new Set();
		document.addEventListener("focusin", e => window.reached.add(e.target));
		document.activeElement.blur();
		window.wanted = [...document.querySelectorAll("a[href], summary, .plot, .scroll")].filter(e => !e.closest("details:not([open])") || e.tagName === "SUMMARY");
	})()`, nil)
	n := int(p.number(t, "window.wanted.length"))
	for range n + 2 {
		p.do(t, chromedp.KeyEvent(kb.Tab))
	}
	var missed []string
	p.eval(t, `window.wanted.filter(e => !window.reached.has(e)).map(e => e.outerHTML.slice(0, 80))`, &missed)
	if n == 0 || len(missed) > 0 {
		t.Errorf("of %d, not reached by the keyboard: %q", n, missed)
	}
}

// narrow makes the window 400 pixels wide.
func (p *opened) narrow(t *testing.T) {
	t.Helper()
	p.do(t, chromedp.EmulateViewport(400, 800))
	var wide []string
	p.eval(t, `[...document.querySelectorAll("body *")].filter(e => !e.closest(".scroll table, svg, .skip") && e.getBoundingClientRect().right > 400.5).map(e => e.outerHTML.slice(0, 80))`, &wide)
	if got := p.number(t, "document.documentElement.scrollWidth"); got > 400 || len(wide) > 0 {
		t.Errorf("%v pixels wide in a window of 400: %q", got, wide)
	}
	p.do(t, chromedp.EmulateViewport(1100, 900))
}
