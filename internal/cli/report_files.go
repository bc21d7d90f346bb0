package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// refuseFolder stops a report from landing on its inputs: those that lie in its
// folder under a name of the kind that it writes, and those whose prefix it is.
func refuseFolder(dir string, inputs []string) error {
	if err := refusePrefix(dir, inputs); err != nil {
		return err
	}
	for _, in := range inputs {
		if in == "-" || filepath.Dir(whereTo(in)) != whereTo(dir) {
			continue
		}
		base := filepath.Base(in)
		stem := strings.TrimRight(strings.TrimSuffix(base, filepath.Ext(base)), "-0123456789")
		for _, kind := range []string{"index", "summary", "similarity", "decay", "profile", "axes", "norms", "metrics", "check"} {
			if strings.HasSuffix(stem, kind) {
				return &usageError{fmt.Sprintf("%s: is an input, and its name is one that a report writes into %s", in, dir), "choose another folder"}
			}
		}
	}
	return nil
}

// makeFolder makes the folder itself, but not its parents, and tells whether it
// did.
func makeFolder(dir string) (made bool, err error) {
	err = os.Mkdir(dir, 0o777)
	if err == nil {
		return true, nil
	}
	if info, serr := os.Stat(filepath.Clean(dir)); serr == nil && info.IsDir() {
		return false, nil
	} else if serr == nil {
		return false, fmt.Errorf("%s: is a file, not a folder", dir)
	}
	return false, noFolder(dir, dir, err)
}

// add draws a product and writes its page.
func (b *book) add(ctx context.Context, stem string, pg page, p *product) error {
	s, err := b.draw(p)
	if err != nil {
		return err
	}
	return b.put(ctx, stem, pg, s)
}

// put writes one page: its figure and, unless only figures are wanted or the
// result has no table, its data.
func (b *book) put(ctx context.Context, stem string, pg page, s *sheet) error {
	for _, msg := range s.warnings {
		b.app.tell("warning: %s", msg)
	}
	stem = b.stem(stem)
	pg.Figure = stem + "." + b.how.figures.format
	if err := b.file(ctx, pg.Figure, func(w io.Writer) error {
		_, err := w.Write(s.figure.Bytes())
		return err
	}); err != nil {
		return err
	}
	if b.how.only == "figures" {
		return nil
	}
	if s.has("tsv") {
		pg.Data = stem + ".tsv"
		if err := b.file(ctx, pg.Data, func(w io.Writer) error {
			return b.app.render(w, "tsv", &b.how.figures, s.product, screen{})
		}); err != nil {
			return err
		}
	}
	b.pages = append(b.pages, pg)
	f := s.onPage(pg)
	if b.now == nil {
		b.shared = append(b.shared, f)
	} else {
		b.now.figures = append(b.now.figures, f)
	}
	return nil
}

// file writes one file of the folder and notes it for the list.
func (b *book) file(ctx context.Context, name string, emit func(io.Writer) error) error {
	path := filepath.Join(b.how.folder, name)
	if err := refuseSameFile(path, b.inputs, nil); err != nil {
		return err
	}
	if err := b.app.drafts.writeFile(ctx, path, emit); err != nil {
		return err
	}
	b.files = append(b.files, path)
	return nil
}

// stem makes a file name of a label that no other page has.
func (b *book) stem(label string) string {
	var s strings.Builder
	for _, r := range label {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			s.WriteRune(r)
		default:
			s.WriteByte('-')
		}
	}
	name := strings.TrimLeft(s.String(), ".-")
	if len(name) > 120 { // file systems stop at 255 bytes
		name = name[:60] + ".." + name[len(name)-58:]
	}
	for i, base := 2, name; b.used[strings.ToLower(name)]; i++ {
		name = fmt.Sprintf("%s-%d", base, i)
	}
	b.used[strings.ToLower(name)] = true // some file systems fold case
	return name
}

// list prints what was written.
func (b *book) list(ctx context.Context) error {
	return fill(ctx, b.app.out, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, strings.Join(b.files, "\n"))
		return err
	})
}
