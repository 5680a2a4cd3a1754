//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/allele-go/allele/internal/ops/bundle"
	"github.com/allele-go/allele/internal/ops/job"
)

const packUsage = `usage: allele pack [flags] [packages]

Builds the tests of packages with probes, and packs the test binaries and the folders testdata of
their packages into one file. Other hosts can search the properties in it without the source
and without a compiler: see allele-fleet.

Example:
    go tool allele pack -o tree.allele ./...

Flags:
`

// packer is the state of allele pack.
type packer struct {
	program
	binaries binaries
	operands string
	manifest bundle.Manifest
	files    []bundle.File
}

// packCommand runs allele pack.
func packCommand(args []string, stdout, stderr io.Writer) int {
	p := &packer{program: program{stderr: stderr}}
	p.binaries.program = &p.program
	defer p.close()
	f := newFlags("allele pack", packUsage, stdout)
	p.buildFlags.register(f.FlagSet)
	p.buildFlags.registerSuites(f.FlagSet)
	out := f.String("o", "", "write the bundle to this `file`")
	pattern := f.String("run", "", "only properties whose name matches this `pattern`")
	f.StringVar(&p.operands, "operands", "auto", "also pack the binaries that report operands of comparisons: the `mode` is auto or off")
	err := f.parse(args)
	switch {
	case err != nil:
	case *out == "":
		err = errors.New("name the file of the bundle: -o FILE")
	case p.operands != "auto" && p.operands != "off":
		err = fmt.Errorf("-operands: want auto or off, not %q", p.operands)
	default:
		p.choose(f.Args())
		if err = p.choosePattern(*pattern); err == nil {
			err = p.pack(*out, stdout)
		}
	}
	return ended("allele pack", err, stderr)
}

// pack builds the tests and writes a bundle.
func (p *packer) pack(out string, stdout io.Writer) error {
	if err := p.build(); err != nil {
		return err
	}
	if len(p.overlay.Broken) > 0 {
		return errors.New(leftOut(p.overlay.Broken))
	}
	var all []property
	for _, test := range p.overlay.Tests {
		found, err := p.list(test)
		if err != nil {
			return fmt.Errorf("cannot list the properties of %w", err)
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return errors.New("no property matches; a property is a call of allele.Check in a test of these packages")
	}
	if p.operands == "auto" && !p.goflags.Detects() {
		p.binaries.buildOperands(all, job.Params{}, false)
	}
	p.manifest = bundle.Manifest{System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Sites: p.Sites()}
	for _, one := range all {
		if err := p.add(one); err != nil {
			return err
		}
	}
	size, err := p.write(out)
	if err == nil {
		fmt.Fprintf(stdout, "packed %s of %s: %s\n", properties(len(all)), count(len(p.manifest.Packages), "package"), inBytes(size))
	}
	return err
}

// add adds a property, and its package unless the bundle has it.
func (p *packer) add(one property) error {
	p.manifest.Properties = append(p.manifest.Properties,
		bundle.Property{Package: one.Package, Name: one.Name, Test: one.Test, Encoder: one.Encoder})
	if p.manifest.Package(one.Package).Path != "" {
		return nil
	}
	hash, err := p.binaries.Hash(one.Package)
	if err != nil {
		return err
	}
	n := len(p.manifest.Packages)
	pkg := bundle.Package{Path: one.Package, Hash: hash, Binary: fmt.Sprintf("bin/%d.test", n), Dir: fmt.Sprintf("dir/%d", n)}
	p.files = append(p.files, bundle.File{Name: pkg.Binary, Path: p.Binary(one.Package), Exec: true})
	if operands := p.binaries.Operands(one.Package); operands != "" {
		pkg.Operands = fmt.Sprintf("bin/%d.operands", n)
		p.files = append(p.files, bundle.File{Name: pkg.Operands, Path: operands, Exec: true})
	}
	p.manifest.Packages = append(p.manifest.Packages, pkg)
	return p.addData(one.Dir, pkg.Dir)
}

// addData adds the files in testdata of a package's folder.
func (p *packer) addData(dir, to string) error {
	err := filepath.WalkDir(filepath.Join(dir, "testdata"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		p.files = append(p.files, bundle.File{Name: to + "/" + filepath.ToSlash(name), Path: path})
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// write writes the bundle to a file, which is there only if it is whole.
func (p *packer) write(out string) (size int64, err error) {
	if out, err = within(p.dir, out); err != nil {
		return 0, err
	}
	part, err := os.CreateTemp(filepath.Dir(out), filepath.Base(out)+".part*")
	if err != nil {
		return 0, fmt.Errorf("-o: %w", err)
	}
	defer os.Remove(part.Name()) // after the rename this does nothing
	err = bundle.Write(part, p.manifest, p.files)
	if info, statErr := part.Stat(); statErr == nil {
		size = info.Size()
	}
	if err = errors.Join(err, part.Close()); err != nil {
		return 0, err
	}
	return size, os.Rename(part.Name(), out)
}
