//go:build go1.25

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"github.com/allele-go/allele/internal/source/load"
)

const buildUsage = `usage: allele build [flags] [package]

Builds a Go program with probes. Such a program guides the search of allele run by the
branches of its code. It does the same as without probes, a little slower, and its module
need not require allele. Packages of other modules and of the standard library get probes
with -scope.

Example:
    go tool allele build -o tool ./cmd/tool
    go tool allele run -format json -- ./tool @@

Flags:
`

// buildCommand runs allele build.
func buildCommand(args []string, stdout, stderr io.Writer) int {
	p := &program{stderr: stderr}
	p.main = true
	defer p.close()
	f := newFlags("allele build", buildUsage, stdout)
	p.buildFlags.register(f.FlagSet)
	out := f.String("o", "", "write the program to this `file` (default: the name of the package, in the current folder)")
	err := f.parse(args)
	if err == nil && len(f.Args()) > 1 {
		err = fmt.Errorf("name one package, and flags before it: there are %d arguments", len(f.Args()))
	}
	if err == nil {
		p.choose(f.Args())
		err = buildProgram(p, *out)
	}
	return ended("allele build", err, stderr)
}

// buildProgram builds a program, and writes it to a file.
func buildProgram(p *program, out string) error {
	if err := p.build(); err != nil {
		return err
	}
	if len(p.overlay.Broken) > 0 {
		return load.BrokenError(p.overlay.Broken)
	}
	for _, d := range p.overlay.Declined {
		fmt.Fprintln(p.stderr, "allele build:", d)
	}
	pkg := p.overlay.Tests[0].Path
	if out == "" {
		out = programName(pkg)
	}
	if !filepath.IsAbs(out) {
		out = filepath.Join(p.dir, out)
	}
	if info, err := os.Stat(out); err == nil && info.IsDir() {
		out = filepath.Join(out, programName(pkg))
	}
	return install(p.Binary(pkg), out)
}

// majorVersion matches the last part of an import path that is not the name of a program.
var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// programName returns the name that go build gives to a program.
func programName(pkg string) string {
	name := path.Base(pkg)
	if majorVersion.MatchString(name) && path.Dir(pkg) != "." {
		name = path.Base(path.Dir(pkg))
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// magic is how programs begin on Linux, macOS and Windows.
var magic = []string{"\x7fELF", "\xcf\xfa\xed\xfe", "MZ"}

// install copies a program to a file. It replaces a program only, so that a wrong name
// does not cost the user a file.
func install(from, to string) error {
	if old, err := os.Open(to); err == nil {
		head := make([]byte, 4)
		n, _ := io.ReadFull(old, head) // a short file is no program
		old.Close()
		if n > 0 && !slices.ContainsFunc(magic, func(m string) bool { return bytes.HasPrefix(head, []byte(m)) }) {
			return fmt.Errorf("-o: %s exists and is not a program; delete it, or choose another name", to)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("-o: %w", err)
	}
	part := fmt.Sprintf("%s.part%d", to, os.Getpid()) // a program that is running cannot be overwritten, but it can be replaced
	defer os.Remove(part)                             // after the rename this does nothing
	if err := copyFile(from, part); err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return os.Rename(part, to)
}
