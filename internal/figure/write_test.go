package figure

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sums is the SHA-256 of samples of every kind in every format.
func sums(t testing.TB) string {
	var b strings.Builder
	charts := sampleCharts()
	for i, name := range []string{"undefined", "panels, all sorts", "map4", "far", "lines5", "many", "panels 2x3"} {
		for _, format := range Formats() {
			if format == "pdf" && i > 1 { // the slow one: its two hold all there is to draw
				continue
			}
			fmt.Fprintf(&b, "%s %s %x\n", name, format, sha256.Sum256(writeBytes(t, format, charts[name], Style{DPI: 30})))
		}
	}
	return b.String()
}

// The same chart gives the same bytes, in one process and in two.
func TestSameBytes(t *testing.T) {
	const child = "FIGURE_TEST_SUMS"
	if os.Getenv(child) != "" {
		fmt.Print("<sums>" + sums(t) + "</sums>")
		return
	}
	first := sums(t)
	if second := sums(t); first != second {
		t.Errorf("one process:\n%s\n%s", first, second)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSameBytes$")
	cmd.Env = append(os.Environ(), child+"=1", "TZ=Asia/Kathmandu")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !strings.Contains(string(out), "<sums>"+first+"</sums>") {
		t.Errorf("two processes:\n%s\n%s", first, out)
	}
}

func TestSVG(t *testing.T) {
	h := sampleMap(4, 4)
	h.Title = `位置 <b>"σ" & font-family:Liberation Sans` + "\x1b[31m\x00"
	b := writeBytes(t, "svg", h, Style{})
	s := string(b)
	for _, want := range []string{
		"位置 &lt;b&gt;", "&amp; font-family:Liberation Sans [31m<", `image-rendering:pixelated`, `preserveAspectRatio="none"`,
		`font-family="'Liberation Sans',Arial,Helvetica,sans-serif"`, `width="432pt" height="360pt" viewBox="0 0 432 360"`,
		">cosine similarity</text>", `href="data:image/png;base64,`,
	} {
		if !strings.Contains(s, want) {
			t.Errorf("no %s", want)
		}
	}
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestPDF(t *testing.T) {
	b := writeBytes(t, "pdf", sampleMap(4, 4), Style{})
	if !bytes.HasPrefix(b, []byte("%PDF-")) {
		t.Errorf("starts with %q", b[:8])
	}
	if today := time.Now().Format("D:2006"); bytes.Contains(b, []byte(today)) {
		t.Error("holds the date of today")
	}
	for _, want := range []string{"/CreationDate (D:20000101000000", "/FontFile2", "/BaseFont /LiberationSans"} {
		if !bytes.Contains(b, []byte(want)) {
			t.Errorf("no %s", want)
		}
	}
}

// The images of a PDF stand upright: along the matrices around each, up stays
// up.
func TestPDFUpright(t *testing.T) {
	b := writeBytes(t, "pdf", sampleMap(4, 4), Style{})
	images := 0
	for _, part := range bytes.Split(b, []byte("stream\n"))[1:] {
		r, err := zlib.NewReader(bytes.NewReader(part))
		if err != nil {
			continue
		}
		content, _ := io.ReadAll(r)
		if !bytes.Contains(content, []byte(" Do")) {
			continue
		}
		// the vertical scales of the states that q saves and Q restores
		up := []float64{1}
		for _, op := range regexp.MustCompile(`\bq\b|\bQ\b|(?:\S+ ){3}(\S+) \S+ \S+ cm|/I\w+ Do`).FindAllStringSubmatch(string(content), -1) {
			last := &up[len(up)-1]
			switch {
			case op[0] == "q":
				up = append(up, *last)
			case op[0] == "Q":
				up = up[:len(up)-1]
			case op[1] != "":
				d, err := strconv.ParseFloat(op[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				*last *= d
			default:
				if images++; *last <= 0 {
					t.Errorf("image %d is upside down: %g", images, *last)
				}
			}
		}
	}
	if images != 2 { // the map and its colour bar
		t.Errorf("%d images", images)
	}
}

// Characters that a format lacks are told once, all together.
func TestMissingCharacters(t *testing.T) {
	h := sampleMap(4, 4)
	h.Title, h.XLabel = "位置 of −1", "σ and 位"
	for format, want := range map[string][]string{
		"png": {`png: the font has no "位置"; drawn as a box (svg keeps it)`},
		"svg": nil,
		"pdf": {`pdf: text is Windows-1252, which has no "σ位置"; spelled out or written as ? (svg keeps it)`},
	} {
		got, err := Write(io.Discard, format, h, Style{})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", format, got, err, want)
		}
	}
}
