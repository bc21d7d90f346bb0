package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many links may lead from an operand to its file.
const maxLinks = 40

// rootOf opens the folder that a place's siblings may be read from, and names
// the place inside it. The operand itself may be a link, and so may the folders
// before it. In a model hub's cache the files of snapshots/REV are links into
// blobs, so there the root is the repository's whole folder, models--*.
func rootOf(place string, isDir bool) (*os.Root, string, error) {
	abs, err := filepath.Abs(place)
	if err != nil {
		return nil, "", err
	}
	if isDir {
		dir, err := filepath.EvalSymlinks(abs)
		if err != nil {
			return nil, "", err
		}
		if repo, rest, ok := inHubCache(dir); ok {
			return openedRoot(repo, rest)
		}
		return openedRoot(dir, ".")
	}
	for range maxLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
		if err != nil {
			return nil, "", err
		}
		base := filepath.Base(abs)
		if repo, rest, ok := inHubCache(dir); ok { // before its link into blobs is followed
			return openedRoot(repo, rest+"/"+base)
		}
		to, err := os.Readlink(filepath.Join(dir, base))
		if err != nil { // no link
			return openedRoot(dir, base)
		}
		if abs = to; !filepath.IsAbs(to) {
			abs = filepath.Join(dir, to)
		}
	}
	return nil, "", &os.PathError{Op: "open", Path: place, Err: errors.New("too many links")}
}

// openedRoot opens a root, in which the place has this name.
func openedRoot(dir, name string) (*os.Root, string, error) {
	root, err := os.OpenRoot(dir)
	return root, name, err
}

// inHubCache splits a path of .../models--ORG--NAME/snapshots/REV... behind the
// repository's folder. The rest has slashes.
func inHubCache(dir string) (repo, rest string, ok bool) {
	const snapshots = "/snapshots/"
	slashed := filepath.ToSlash(dir) + "/"
	for i := strings.Index(slashed, snapshots); i >= 0; {
		if strings.HasPrefix(filepath.Base(dir[:i]), "models--") {
			return dir[:i], strings.TrimSuffix(slashed[i+1:], "/"), true
		}
		next := strings.Index(slashed[i+1:], snapshots)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return "", "", false
}
