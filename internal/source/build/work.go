package build

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The work folder is a cache, and its files may be damaged in any way. So a file
// is checked before it is read, and a file that cannot be used is made again.
// Where that is impossible, the error names the folder to delete.

// workMax is the largest size of a file that is read from the work folder.
// blocksMax is the same for blocks.json, whose JSON needs more memory than disk
// space: it is enough for as many packages as there are numbers for. If a file is
// larger the build is not reused, or all packages are renumbered, and nothing
// else changes.
const (
	workMax   = 64 << 20
	blocksMax = 8 << 20
)

var (
	errLarge   = errors.New("too large")
	errNotFile = errors.New("not a file")
)

// readWork reads a file of the work folder if it is a regular file: opening a
// pipe could block for ever.
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

// writeChanged writes a file unless its content is the same already, so that the
// go command sees no change.
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

// adviseDelete adds the next step to an error about a file in the work folder.
func adviseDelete(err error, work string) error {
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
	return fmt.Errorf("%w; if this happens again, delete the folder %s: allele creates it again", err, work)
}
