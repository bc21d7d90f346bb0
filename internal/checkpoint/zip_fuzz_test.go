package checkpoint

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzZip tries whole archives: directories, local headers, packed bytes.
func FuzzZip(f *testing.F) {
	seedFixtures(f, "torch", 4<<10)
	seedFixtures(f, "npz", 4<<10)
	f.Add(zip64Of("a.npy", npyMember("|u1", false, "(2,)", "12")))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzOpen(t, "x.zip", data) })
}

// FuzzTorch tries pickles in an archive that is sound, with a storage "0".
func FuzzTorch(f *testing.F) {
	seedMembers(f, "torch", "data.pkl", func(pickle []byte) { f.Add(pickle, false) })
	f.Add([]byte(pkDict("a", oneRow, "b", pkList(oneRow, pkDict("c", oneRow)))+"."), true)
	storage := strings.Repeat("\x00\x00\x80\x3f", 512)
	f.Fuzz(func(t *testing.T, pickle []byte, deflate bool) {
		fuzzOpen(t, "x.pt", zipOf(t,
			part{name: "a/data.pkl", data: string(pickle), deflate: deflate},
			part{name: "a/data/0", data: storage}))
	})
}

// FuzzNPZ tries arrays in an archive that is sound.
func FuzzNPZ(f *testing.F) {
	seedMembers(f, "npz", npySuffix, func(array []byte) { f.Add(array, false); f.Add(array, true) })
	f.Fuzz(func(t *testing.T, array []byte, deflate bool) {
		fuzzOpen(t, "x.npz", zipOf(t, part{name: "a.npy", data: string(array), deflate: deflate}))
	})
}

// seedMembers gives out the members with a suffix of every archive among the
// fixtures, where the standard library can read them and they are small.
func seedMembers(f *testing.F, container, suffix string, add func([]byte)) {
	for _, root := range fixtureRoots() {
		files, _ := filepath.Glob(filepath.Join(root, container, "*"))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil || len(data) > 16<<10 {
				continue
			}
			z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				continue
			}
			for _, m := range z.File {
				r, err := m.Open()
				if err != nil || !strings.HasSuffix(m.Name, suffix) {
					continue
				}
				if content, err := io.ReadAll(io.LimitReader(r, 8<<10)); err == nil {
					add(content)
				}
			}
		}
	}
}
