//go:build go1.25

package corpora

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/store/casefile"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/words"
)

// Move is a test that was renamed, or moved to another package. A package that was removed has no
// path.
type Move struct {
	Old, New string
	From, To Package
}

// Package is the import path and the folder of a package.
type Package struct{ Path, Dir string }

// Move moves the stored cases and the saved inputs of a test. The cases of its subtests and of all
// its Checks are moved with it.
func (s *Set) Move(m Move) error {
	return (&mover{s, m}).all()
}

// mover moves what belongs to a test.
type mover struct {
	*Set
	Move
}

// renamed returns the new name of a property, if it belongs to the test.
func (m *mover) renamed(property string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(property, m.Old)
	if !ok || rest != "" && rest[0] != '/' && rest[0] != '#' {
		return "", false
	}
	return m.New + rest, m.Old != m.New || m.From != m.To
}

func (m *mover) all() error {
	stored, err := m.stored()
	if err != nil {
		return err
	}
	saved, err := m.saved()
	if err != nil {
		return err
	}
	if stored+saved == 0 {
		return fmt.Errorf("no stored cases in %s and no saved inputs belong to %s; to list saved inputs, run: %s corpus list",
			filepath.Join(m.From.Dir, "testdata", "allele"), m.Old, m.Self)
	}
	fmt.Fprintf(m.Out, "moved %s and %s of %s to %s\n",
		words.Count(stored, "stored case"), words.Count(saved, "saved input"), m.Old, m.New)
	return nil
}

// stored moves the case files in testdata/allele. A case belongs to the property that its header
// names and to the property of its folder: people rename folders, and replace names in files.
func (m *mover) stored() (moved int, err error) {
	root := filepath.Join(m.From.Dir, "testdata", "allele")
	folders, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	for _, folder := range folders {
		files, _ := os.ReadDir(filepath.Join(root, folder.Name())) // not a folder, or one that nobody can read
		for _, f := range files {
			if !strings.HasSuffix(f.Name(), ".case") || !f.Type().IsRegular() {
				continue
			}
			ok, err := m.file(filepath.Join(root, folder.Name(), f.Name()))
			if err != nil {
				return moved, err
			}
			if ok {
				moved++
			}
		}
		os.Remove(filepath.Join(root, folder.Name())) // fails unless it is empty
	}
	os.Remove(root)
	return moved, nil
}

// file moves a case file, if it belongs to the test. It is written at its new place before it is
// removed.
func (m *mover) file(file string) (moved bool, err error) {
	f, err := casefile.Read(file)
	if err != nil {
		m.Warn("skipped: %v", err)
		return false, nil
	}
	name, ok := m.owned(f, filepath.Base(filepath.Dir(file)))
	if !ok {
		return false, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	data = casefile.Renamed(data, name)
	dir := filepath.Join(m.To.Dir, "testdata", "allele", casefile.Stored(name))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return false, err
	}
	to, err := freeName(filepath.Join(dir, filepath.Base(file)), data, file)
	if err != nil {
		return false, err
	}
	if err := casefile.Write(to, data); err != nil || to == file {
		return err == nil, err
	}
	return true, os.Remove(file)
}

// owned returns the new property of a case in a folder, if the case belongs to the test. On Windows,
// properties whose names differ only in case share a folder.
func (m *mover) owned(f casefile.File, folder string) (name string, ok bool) {
	owner, named := f.Fact("test")
	if named {
		if name, ok = m.renamed(owner); ok || strings.EqualFold(casefile.Stored(owner), folder) {
			return name, ok
		}
	}
	if casefile.Short(folder) {
		return "", false
	}
	owner, _ = url.PathUnescape(folder) // a folder with an odd name belongs to no property
	return m.renamed(owner)
}

// freeName returns a name for a file that does not exist yet, or has the same content, or is the
// file that is moved.
func freeName(name string, data []byte, self string) (string, error) {
	ext := filepath.Ext(name)
	for n, free := 2, name; ; n++ {
		old, err := os.ReadFile(free)
		if errors.Is(err, os.ErrNotExist) || err == nil && (bytes.Equal(old, data) || free == self) {
			return free, nil
		}
		if err != nil {
			return "", err
		}
		free = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
	}
}

// saved moves the inputs in the cache.
func (m *mover) saved() (moved int, err error) {
	places, err := corpus.List(m.Root)
	if err != nil || m.From.Path == "" || m.To.Path == "" {
		return 0, err
	}
	for _, p := range places {
		name, ok := m.renamed(p.Property)
		if !ok || p.Package != m.From.Path {
			continue
		}
		k, err := corpus.Read(p.Dir)
		if err != nil {
			return moved, err
		}
		if _, err := m.add(m.To.Path, name, k); err != nil {
			return moved, err
		}
		moved += len(k.Entries)
		if err := os.RemoveAll(p.Dir); err != nil {
			return moved, err
		}
	}
	return moved, nil
}
