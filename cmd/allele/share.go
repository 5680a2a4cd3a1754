//go:build go1.25

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/internal/ops/filelock"
)

// Several commands may use a work folder at the same time, for the same packages or for
// others. They rewrite the same files, so they build in turns. Each command then runs its
// own binaries: a later build in the work folder does not change them.

const (
	buildLock  = "building" // locked while a command builds in the work folder
	testSuffix = ".test"
)

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
func (p *program) Binary(pkg string) string { return p.own(pkg, testSuffix) }

// own returns where a command has its own binaries.
func (p *program) own(pkg, suffix string) string {
	return filepath.Join(p.temp.path, "bin", filepath.FromSlash(pkg)+suffix)
}

// compile builds a binary in the work folder, where the next command finds it up to date, and
// returns the path of this command's own name for it.
func (p *program) compile(how func(pkg, out string) error, pkg, suffix string) (own string, err error) {
	shared := filepath.Join(p.work, "bin", filepath.FromSlash(pkg)+suffix)
	if err := how(pkg, shared); err != nil {
		return "", err
	}
	own = p.own(pkg, suffix)
	if err := os.MkdirAll(filepath.Dir(own), 0o777); err != nil {
		return "", err
	}
	now := time.Now()
	os.Chtimes(shared, now, now) // for build.Trim; without the right time, it is built again some day
	os.Remove(own)
	if os.Link(shared, own) == nil {
		return own, nil
	}
	return own, copyFile(shared, own)
}

// copyFile copies a binary, on a system where a file cannot have two names.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
