//go:build go1.25

package testbin

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/testbin/cache"
)

// lockWork waits until no other command builds in the work folder.
func (p *Program) lockWork() (unlock func()) {
	return cache.LockBuild(p.Work, func() func() { return announce(p.Stderr, "waiting for another command that builds in "+p.Work) })
}

// Binary returns the path of the test binary of a package.
func (p *Program) Binary(pkg string) string { return p.own(build.WithProbes, pkg) }

// BuiltAs returns a text that identifies the test binary of a package: another binary has another
// text, and the same source and flags make the same binary.
func (p *Program) BuiltAs(pkg string) string { return p.Overlay.Sum(build.WithProbes, pkg) }

// own returns where a command has its own binaries.
func (p *Program) own(kind build.Kind, pkg string) string {
	return filepath.Join(p.Temp.Path, "bin", filepath.FromSlash(pkg)+string(kind))
}

// shared returns the binaries of a program in its work folder, where the next command finds them up to date.
func shared(p *Program) *build.Binaries {
	b := &build.Binaries{Overlay: p.Overlay, Temp: p.Temp.Path}
	if terminal(p.Stderr) {
		b.Progress = func(done, all int) { fmt.Fprintf(p.Stderr, "built %d of %d test binaries\n", done, all) }
	}
	return b
}

// compile builds a binary in the work folder, unless it is up to date there, and returns the path
// of this command's own name for it.
func (p *Program) compile(kind build.Kind, pkg string) (own string, err error) {
	in := shared(p)
	if err := in.One(kind, pkg); err != nil {
		return "", err
	}
	built := in.File(kind, pkg)
	own = p.own(kind, pkg)
	if err := os.MkdirAll(filepath.Dir(own), 0o777); err != nil {
		return "", err
	}
	now := time.Now()
	os.Chtimes(built, now, now) // for build.Trim; without the right time, it is built again some day
	os.Remove(own)
	if os.Link(built, own) == nil {
		return own, nil
	}
	return own, copyFile(built, own)
}

// copyFile copies a binary, on a system where a file cannot have two names. The copy appears when
// it is complete, because a search may wait for it.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to+".part", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Rename(to+".part", to)
}
