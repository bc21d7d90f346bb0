package checkpoint

import (
	"io"
	"io/fs"
)

// besideFile is an open file of the folder that a model is in.
type besideFile struct {
	blob
	io.Closer
}

// openBeside opens a file of a folder that can be read at any place.
func openBeside(folder fs.FS, name string) (*besideFile, error) {
	if !fs.ValidPath(name) {
		return nil, fault(UnsafePath, -1, "it is outside of the model's folder")
	}
	file, info, err := openStat(folder, name)
	if err != nil {
		return nil, err
	}
	r, ok := file.(io.ReaderAt)
	switch {
	case info.IsDir():
		err = fault(Unsupported, -1, "it is a folder")
	case !ok:
		err = fault(Unreadable, -1, "it can't be read from the middle")
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &besideFile{blob{ReaderAt: r, size: info.Size(), name: name, folder: folder}, file}, nil
}
