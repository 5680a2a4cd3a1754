//go:build go1.25

package build

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The work folder is a cache, and its files may be damaged in any way. So a file is
// checked before it is used, and a file that cannot be used is written again. If that
// is impossible, the error tells the user which folder to delete.

// workMax is the maximal size of a file that is read from the work folder. blocksMax is
// the limit for blocks.json, whose JSON needs more memory than disk space. It is enough
// for the maximal number of packages: one per block of site numbers. If a file is
// larger, the earlier build is not reused, or all packages are renumbered. Nothing else
// changes.
const (
	workMax   = 64 << 20
	blocksMax = 8 << 20
)

var (
	errLarge   = errors.New("too large")
	errNotFile = errors.New("not a file")
)

// readWork reads a file of the work folder. It returns an error if the file is not a
// regular file, because opening a pipe could block for ever, or if it is too large.
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

// writeChanged writes a file, unless it already has this content. So the modification
// time of an unchanged file stays the same, and the go command sees no change.
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

// adviseDelete adds advice to an error about a file in the work folder: to delete the
// folder.
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
