package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages of all commands and topics",
		Long: `A manual page of every command (poslens.1, poslens-decay.1 ...) and of every
topic of the manual (poslens-formats.7 ...) into a folder, from the texts of
their help. The files are listed on stdout. Files of the same name are replaced,
others left alone.`,
		Example: `  poslens man pages            the folder has to be there
  man -l pages/poslens-decay.1
  mv pages/*.1 ~/.local/share/man/man1; mv pages/*.7 ~/.local/share/man/man7`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return &usageError{"man needs a DIR, the folder to write into", "for example: mkdir pages; poslens man pages"}
			case len(args) > 1:
				return usagef("man takes one DIR, and %d were given", len(args))
			case args[0] == "":
				return usagef("DIR is empty")
			case args[0] == "-":
				return &usageError{"the pages are several files, which stdout can't take", "name a folder; one page: poslens COMMAND --help"}
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return folders()
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: a.run(func(cmd *cobra.Command, args []string) error {
			return a.writePages(cmd.Context(), args[0], manPages(cmd.Root()))
		}),
	}
}

// writePages writes the pages into a folder and lists them: all of them or, when one
// can't be written, none.
func (a *app) writePages(ctx context.Context, folder string, pages []manPage) error {
	info, err := os.Stat(filepath.Clean(folder))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &hinted{fmt.Errorf("%s: there is no such folder", folder), "make it first: mkdir -p " + folder}
	case err != nil:
		return fmt.Errorf("%s: %w", folder, errorOf(err))
	case !info.IsDir():
		return fmt.Errorf("%s: is a file, not a folder", folder)
	}
	var files []*draft
	defer func() {
		for _, f := range files {
			a.drafts.discard(f.tmp) // one that came to be is not there any more
		}
	}()
	var list strings.Builder
	for _, page := range pages {
		path := filepath.Join(folder, page.file())
		if regular, err := isRegular(path); err != nil {
			return err
		} else if !regular {
			return fmt.Errorf("%s: is there already, and is no regular file", path)
		}
		f, err := a.drafts.write(ctx, path, func(w io.Writer) error {
			_, err := io.WriteString(w, page.text)
			return err
		})
		if err != nil {
			return err
		}
		files = append(files, f)
		fmt.Fprintln(&list, path)
	}
	for _, f := range files {
		if err := f.commit(); err != nil {
			return err
		}
	}
	return fill(ctx, a.out, func(w io.Writer) error {
		_, err := io.WriteString(w, list.String())
		return err
	})
}
