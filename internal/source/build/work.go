package build

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The work folder is a cache. Anything may have happened to what lies there, so a
// file is looked at before it is read, and what cannot be used is made anew. Where
// that is not possible, the error says which folder to delete.

// workMax is how large a file may be that is read from the work folder, and
// blocksMax is for blocks.json, whose JSON takes more memory than space: it is
// enough for as many packages as there are numbers for. Beyond them a build
// is not kept, or numbers are given anew, and nothing else changes.
const (
	workMax   = 64 << 20
	blocksMax = 8 << 20
)

var (
	errLarge   = errors.New("too large")
	errNotFile = errors.New("not a file")
)

// readWork reads a file of the work folder. Opening a pipe could take for ever.
func readWork(file string, most int64) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: file, Err: errNotFile}
	}
	if info.Size() > most {
		return nil, &fs.PathError{Op: "read", Path: file, Err: errLarge}
	}
	return os.ReadFile(file)
}

// writeChanged writes a file unless it holds the same already, so that the go
// command sees nothing new.
func writeChanged(file string, content []byte) error {
	old, err := readWork(file, int64(len(content)))
	if err == nil && bytes.Equal(old, content) {
		return nil
	}
	if errors.Is(err, errNotFile) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o666)
}

// wayOut adds to an error about a file in the work folder what to do about it.
func wayOut(err error, work string) error {
	var path *fs.PathError
	var link *os.LinkError
	var name string
	switch {
	case errors.As(err, &path):
		name = path.Path
	case errors.As(err, &link):
		name = link.New
	}
	if in, relErr := filepath.Rel(work, name); name == "" || relErr != nil || !filepath.IsLocal(in) {
		return err
	}
	return fmt.Errorf("%w; if that stays so, delete the folder %s: all that is there is made again", err, work)
}
