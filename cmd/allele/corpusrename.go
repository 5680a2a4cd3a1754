//go:build go1.25

package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/ops/casefile"
	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/strays"
	"github.com/allele-go/allele/internal/source/load"
)

// rename moves the stored cases and the saved inputs of a test that was renamed, or moved to
// another package. The cases of its subtests and of all its Checks are moved with it.
func (c *cases) rename(args []string) error {
	var from loadFlags
	f := c.flags("mv")
	from.registerModule(f.FlagSet)
	if err := f.parse(args); err != nil {
		return err
	}
	if f.NArg() < 2 || f.NArg() > 4 {
		return fmt.Errorf("got %d arguments, want the old and the new name of a test, "+
			"as in: %s corpus mv TestOld TestNew [package [new package]]", f.NArg(), self)
	}
	m := mover{cases: c, old: f.Arg(0), new: f.Arg(1)}
	if !strays.IsTest(m.new) {
		return fmt.Errorf("%s is not the name of a test; write the new name of %s in its place", m.new, m.old)
	}
	pkg := "."
	if f.NArg() > 2 {
		pkg = f.Arg(2)
	}
	var err error
	if m.from, err = oneFolder(from, pkg); err != nil {
		return err
	}
	if m.to = m.from; f.NArg() > 3 {
		if m.to, err = oneFolder(from, f.Arg(3)); err != nil {
			return err
		}
	}
	return m.all()
}

// mover moves what belongs to a test.
type mover struct {
	*cases
	old, new string
	from, to load.Folder
}

// oneFolder returns the folder of a package. A folder without Go files has no import path: the
// package may have been removed.
func oneFolder(from loadFlags, pkg string) (load.Folder, error) {
	conf, _, err := load.Config{Dir: from.dir}.Settle()
	if err != nil {
		return load.Folder{}, err
	}
	cmd := conf.Command(append(append([]string{"list"}, from.goFlags()...), "-f", "{{.ImportPath}}\n{{.Dir}}", "--", pkg)...)
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if lines := strings.Split(strings.TrimSpace(string(out)), "\n"); err == nil && len(lines) == 2 {
		return load.Folder{Path: lines[0], Dir: lines[1]}, nil
	} else if err == nil {
		return load.Folder{}, fmt.Errorf("%s: want one package", pkg)
	}
	dir := pkg
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(from.dir, dir)
	}
	if abs, fails := absolute(dir); fails == nil {
		return load.Folder{Dir: abs}, nil
	}
	return load.Folder{}, fmt.Errorf("go list %s: %w\n%s", pkg, err, strings.TrimSpace(problem.String()))
}

// renamed returns the new name of a property, if it belongs to the test.
func (m *mover) renamed(property string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(property, m.old)
	if !ok || rest != "" && rest[0] != '/' && rest[0] != '#' {
		return "", false
	}
	return m.new + rest, m.old != m.new || m.from != m.to
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
			filepath.Join(m.from.Dir, "testdata", "allele"), m.old, self)
	}
	fmt.Fprintf(m.stdout, "moved %s and %s of %s to %s\n", count(stored, "stored case"), count(saved, "saved input"), m.old, m.new)
	return nil
}

// stored moves the case files in testdata/allele. A case belongs to the property that its header
// names and to the property of its folder: people rename folders, and replace names in files.
func (m *mover) stored() (moved int, err error) {
	root := filepath.Join(m.from.Dir, "testdata", "allele")
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
		m.warn("skipped: %v", err)
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
	dir := filepath.Join(m.to.Dir, "testdata", "allele", casefile.Stored(name))
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
	places, err := corpus.List(m.root)
	if err != nil || m.from.Path == "" || m.to.Path == "" {
		return 0, err
	}
	for _, p := range places {
		name, ok := m.renamed(p.Property)
		if !ok || p.Package != m.from.Path {
			continue
		}
		k, err := corpus.Read(p.Dir)
		if err != nil {
			return moved, err
		}
		if _, err := m.add(m.to.Path, name, k); err != nil {
			return moved, err
		}
		moved += len(k.Entries)
		if err := os.RemoveAll(p.Dir); err != nil {
			return moved, err
		}
	}
	return moved, nil
}
