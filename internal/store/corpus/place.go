//go:build go1.25

package corpus

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Place is a property that has a corpus.
type Place struct {
	Dir               string
	Package, Property string // from a segment or, if no segment contains them, the names of the folders
}

// List returns the properties that have a corpus below root, sorted by package and
// property. If root does not exist, the list is empty.
func List(root string) ([]Place, error) {
	packages, err := folders(root)
	if err != nil {
		return nil, fmt.Errorf("list the corpora: %w", err)
	}
	var places []Place
	for _, pkg := range packages {
		properties, err := folders(pkg)
		if err != nil {
			return nil, fmt.Errorf("list the corpora: %w", err)
		}
		for _, dir := range properties {
			if list, err := segments(dir, segmentExt); err == nil && len(list) > 0 {
				places = append(places, place(dir, list))
			}
		}
	}
	slices.SortFunc(places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Property, b.Property), cmp.Compare(a.Dir, b.Dir))
	})
	return places, nil
}

func folders(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		if e.IsDir() {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list, nil
}

// place reads the names of the package and the property from the first segment that
// contains them.
func place(dir string, list []segment) Place {
	for _, s := range list {
		if h, ok := firstLine(s.path()); ok {
			return Place{dir, h.Package, h.Property}
		}
	}
	return Place{dir, filepath.Base(filepath.Dir(dir)), filepath.Base(dir)}
}

func firstLine(file string) (header, bool) {
	f, err := os.Open(file)
	if err != nil {
		return header{}, false
	}
	defer f.Close()
	lines := newLines(f, lineMax)
	if !lines.next() {
		return header{}, false
	}
	rest, ok := bytes.CutPrefix(lines.text, []byte(magic))
	if !ok {
		return header{}, false
	}
	h, err := parseHeader(rest)
	return h, err == nil && h.Property != ""
}
