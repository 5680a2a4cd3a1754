//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/internal/ops/filelock"
	"github.com/allele-go/allele/internal/source/build"
)

// Several commands may use a work folder at the same time, for the same packages or for
// others. They rewrite the same files, so they build in turns. Each command then runs its
// own binaries: a later build in the work folder does not change them.

const buildLock = "building" // locked while a command builds in the work folder

// lockWork waits until no other command builds in the work folder. The system releases the
// lock of a command that exits, so the wait ends. On a system without locks there is no wait.
func (p *program) lockWork() (unlock func()) {
	f, err := os.OpenFile(filepath.Join(p.work, buildLock), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return func() {}
	}
	held, able := filelock.Lock(f)
	if !held && able {
		defer announce(p.stderr, "waiting for another command that builds in "+p.work)()
	}
	for !held && able {
		time.Sleep(10 * time.Millisecond)
		held, able = filelock.Lock(f)
	}
	return func() { f.Close() }
}

// Binary returns the path of the test binary of a package.
func (p *program) Binary(pkg string) string { return p.own(build.WithProbes, pkg) }

// builtAs returns a text that identifies the test binary of a package: another binary has another
// text, and the same source and flags make the same binary.
func (p *program) builtAs(pkg string) string { return p.overlay.Sum(build.WithProbes, pkg) }

// own returns where a command has its own binaries.
func (p *program) own(kind build.Kind, pkg string) string {
	return filepath.Join(p.temp.path, "bin", filepath.FromSlash(pkg)+string(kind))
}

// shared returns the binaries of a program in its work folder, where the next command finds them up to date.
func shared(p *program) *build.Binaries {
	b := &build.Binaries{Overlay: p.overlay, Temp: p.temp.path}
	if terminal(p.stderr) {
		b.Progress = func(done, all int) { fmt.Fprintf(p.stderr, "built %d of %d test binaries\n", done, all) }
	}
	return b
}

// compile builds a binary in the work folder, unless it is up to date there, and returns the path
// of this command's own name for it.
func (p *program) compile(kind build.Kind, pkg string) (own string, err error) {
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
