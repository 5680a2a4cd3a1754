//go:build go1.25

package testbin

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
)

// Install copies the program that was built to a file, or into a folder. Without a name, the file
// has the name of the package, as for go build.
func (p *Program) Install(out string) error {
	pkg := p.Overlay.Tests[0].Path
	if out == "" {
		out = programName(pkg)
	}
	if !filepath.IsAbs(out) {
		out = filepath.Join(p.Dir, out)
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
