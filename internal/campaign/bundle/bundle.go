//go:build go1.25

// Package bundle packs the test binaries of a module into one file, so that other hosts can
// search its properties without its source and without a compiler.
//
//	err := bundle.Write(file, manifest, files)       // allele pack
//	manifest, err := bundle.Unpack(file, size, dir)  // an agent
//
// A bundle is a zip file. Its first entry is the manifest. A bundle with the same content has the
// same bytes, so the hash of the file names it. Whoever unpacks a bundle must have verified that
// hash: test binaries are programs.
package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/launch"
)

// Format is the version of the format.
const Format = 1

// Manifest describes a bundle.
type Manifest struct {
	Format     int        `json:"format"`
	System     string     `json:"system"` // that the binaries run on, such as linux/amd64
	Go         string     `json:"go"`     // version of Go
	Sites      int        `json:"sites"`  // one more than the highest site number
	Packages   []Package  `json:"packages"`
	Properties []Property `json:"properties"`
}

// Package is a package with properties. Its files are named as in the bundle.
type Package struct {
	Path     string `json:"path"`
	Hash     string `json:"hash"` // of its test binary, as campaigns use it
	Binary   string `json:"binary"`
	Operands string `json:"operands,omitempty"` // the binary that reports operands
	Dir      string `json:"dir"`                // its folder, where its tests run
}

// Property is a Check in a test binary.
type Property struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	Test    string `json:"test"`
	Encoder bool   `json:"encoder,omitempty"`
}

// In returns the properties of a bundle that was unpacked to a folder.
func (m *Manifest) In(dir string) (all []launch.Property) {
	for _, p := range m.Properties {
		one := m.Package(p.Package)
		all = append(all, launch.Property{Package: p.Package, Name: p.Name, Test: p.Test, Encoder: p.Encoder,
			Dir: filepath.Join(dir, filepath.FromSlash(one.Dir))})
	}
	return all
}

// Package returns the package with an import path. It is empty if there is none.
func (m *Manifest) Package(path string) (p Package) {
	if i := slices.IndexFunc(m.Packages, func(p Package) bool { return p.Path == path }); i >= 0 {
		p = m.Packages[i]
	}
	return p
}

// File is a file to be packed.
type File struct {
	Name string // in the bundle, with slashes
	Path string
	Exec bool // it is a program
}

const (
	manifestName = "bundle.json"
	manifestMax  = 16 << 20
	filesMax     = 1 << 16
	bytesMax     = 4 << 30 // of all files, unpacked
)

// Write writes a bundle.
func Write(w io.Writer, m Manifest, files []File) error {
	m.Format = Format
	z := zip.NewWriter(w)
	text, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	f, err := z.CreateHeader(&zip.FileHeader{Name: manifestName, Method: zip.Deflate})
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	for _, one := range files {
		if err := add(z, one); err != nil {
			return fmt.Errorf("pack %s: %w", one.Path, err)
		}
	}
	return z.Close()
}

// add adds a file. It sets no time, so that equal files make equal bundles.
func add(z *zip.Writer, one File) error {
	in, err := os.Open(one.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	h := &zip.FileHeader{Name: one.Name, Method: zip.Deflate}
	mode := fs.FileMode(0o644)
	if one.Exec {
		mode = 0o755
	}
	h.SetMode(mode)
	out, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return err
}

// Unpack unpacks a bundle to an empty folder and returns its manifest.
func Unpack(r io.ReaderAt, size int64, dir string) (*Manifest, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("unpack the bundle: %w", err)
	}
	if len(z.File) == 0 || z.File[0].Name != manifestName || len(z.File) > filesMax {
		return nil, errors.New("unpack the bundle: this is no bundle of allele pack")
	}
	m, err := readManifest(z.File[0])
	if err != nil {
		return nil, fmt.Errorf("unpack the bundle: %s: %w", manifestName, err)
	}
	left := int64(bytesMax)
	names := map[string]bool{}
	for _, f := range z.File[1:] {
		n, err := extract(f, dir, left)
		if err != nil {
			return nil, fmt.Errorf("unpack the bundle: %q: %w", f.Name, err)
		}
		left -= n
		names[f.Name] = true
	}
	if err := m.check(names); err != nil {
		return nil, fmt.Errorf("unpack the bundle: %w", err)
	}
	for _, p := range m.Packages {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(p.Dir)), 0o777); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func readManifest(f *zip.File) (*Manifest, error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, manifestMax+1))
	if err != nil {
		return nil, err
	}
	var head struct{ Format int }
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	if head.Format != Format {
		return nil, fmt.Errorf("format %d, this version reads format %d; use the same version of allele on all hosts", head.Format, Format)
	}
	m := &Manifest{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return m, d.Decode(m)
}

// check reports whether a manifest fits the files of its bundle.
func (m *Manifest) check(names map[string]bool) error {
	for _, p := range m.Packages {
		if !names[p.Binary] || p.Operands != "" && !names[p.Operands] || !filepath.IsLocal(filepath.FromSlash(p.Dir)) {
			return fmt.Errorf("package %q: a file is missing", p.Path)
		}
	}
	for _, p := range m.Properties {
		if m.Package(p.Package).Path == "" || p.Name == "" || p.Test == "" {
			return fmt.Errorf("property %q: its package is missing", p.Name)
		}
	}
	if len(m.Properties) == 0 {
		return errors.New("it has no properties")
	}
	return nil
}

// extract writes a file of a bundle to a folder, at most max bytes.
func extract(f *zip.File, dir string, most int64) (n int64, err error) {
	name := filepath.FromSlash(f.Name)
	if !filepath.IsLocal(name) || strings.HasSuffix(f.Name, "/") || !f.Mode().IsRegular() {
		return 0, errors.New("not a regular file within the bundle")
	}
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return 0, err
	}
	in, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.Mode().Perm()&0o755|0o600)
	if err != nil {
		return 0, err
	}
	n, err = io.Copy(out, io.LimitReader(in, most+1))
	if n > most {
		err = fmt.Errorf("the bundle is larger than %d bytes", int64(bytesMax))
	}
	return n, errors.Join(err, out.Close())
}
