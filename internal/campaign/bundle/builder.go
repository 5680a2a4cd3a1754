//go:build go1.25

package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/allele-go/allele/internal/proc/launch"
)

// Builder collects what a bundle contains.
type Builder struct {
	Manifest Manifest
	files    []File
}

// Built is what was built for a package.
type Built struct {
	Hash     string // of the test binary
	Binary   string // file
	Operands string // file of the binary that reports operands; "" if there is none
}

// Add adds a property, and its package with the files in testdata unless the bundle has it.
func (b *Builder) Add(one launch.Property, built Built) error {
	b.Manifest.Properties = append(b.Manifest.Properties,
		Property{Package: one.Package, Name: one.Name, Test: one.Test, Encoder: one.Encoder})
	if b.Manifest.Package(one.Package).Path != "" {
		return nil
	}
	n := len(b.Manifest.Packages)
	pkg := Package{Path: one.Package, Hash: built.Hash, Binary: fmt.Sprintf("bin/%d.test", n), Dir: fmt.Sprintf("dir/%d", n)}
	b.files = append(b.files, File{Name: pkg.Binary, Path: built.Binary, Exec: true})
	if built.Operands != "" {
		pkg.Operands = fmt.Sprintf("bin/%d.operands", n)
		b.files = append(b.files, File{Name: pkg.Operands, Path: built.Operands, Exec: true})
	}
	b.Manifest.Packages = append(b.Manifest.Packages, pkg)
	return b.addData(one.Dir, pkg.Dir)
}

// addData adds the files in testdata of a package's folder.
func (b *Builder) addData(dir, to string) error {
	err := filepath.WalkDir(filepath.Join(dir, "testdata"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		b.files = append(b.files, File{Name: to + "/" + filepath.ToSlash(name), Path: path})
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// WriteFile writes the bundle to the file of the flag -o, which is there only if it is whole.
func (b *Builder) WriteFile(out string) (size int64, err error) {
	part, err := os.CreateTemp(filepath.Dir(out), filepath.Base(out)+".part*")
	if err != nil {
		return 0, fmt.Errorf("-o: %w", err)
	}
	defer os.Remove(part.Name()) // after the rename this does nothing
	err = Write(part, b.Manifest, b.files)
	if info, statErr := part.Stat(); statErr == nil {
		size = info.Size()
	}
	if err = errors.Join(err, part.Close()); err != nil {
		return 0, err
	}
	return size, os.Rename(part.Name(), out)
}
