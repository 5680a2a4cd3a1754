// Package foreign copies published modules, so that experiments can build and change them
// as their authors would.
//
//	m := foreign.At("github.com/BurntSushi/toml", "v1.4.0")
//	err := m.Copy(dir)
//	err = foreign.Require(dir, env) // makes the copy require this repository's library
package foreign

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// Module is a version of a published module.
type Module struct{ Path, Version string }

// At returns a version of a module.
func At(path, version string) Module { return Module{Path: path, Version: version} }

func (m Module) String() string { return m.Path + " " + m.Version }

// Library is the path of the module that this repository contains.
const Library = "github.com/allele-go/allele"

// Download returns the module's folder in the module cache, and downloads the module if
// needed.
func (m Module) Download() (dir string, err error) {
	cmd := exec.Command("go", "mod", "download", "-json", m.Path+"@"+m.Version)
	cmd.Dir = os.TempDir() // outside of our own module
	out, err := cmd.Output()
	var found struct{ Dir, Error string }
	if json.Unmarshal(out, &found) == nil && found.Error != "" {
		return "", fmt.Errorf("download %s: %s", m.Path, found.Error)
	}
	if err != nil {
		return "", fmt.Errorf("download %s: %w", m.Path, err)
	}
	return found.Dir, nil
}

// Copy copies the module to a folder, with files that can be changed: those in the module
// cache are read-only.
func (m Module) Copy(to string) error {
	from, err := m.Download()
	if err != nil {
		return err
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(file string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(file, info.Mode().Perm()|0o200)
	})
}

// Require makes the module in a folder require the library in this repository. It must be
// called in the eval folder.
func Require(dir string, env []string) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	_, err = Go(dir, env, "mod", "edit", "-require="+Library+"@v0.0.0", "-replace="+Library+"="+root)
	return err
}

// Env returns variables that override the user's workspace and flags. With -mod=mod the
// go command completes the go.sum of a module that requires something more.
func Env(cache string) []string { return append(slices.Clone(UserCache), "GOCACHE="+cache) }

// UserCache is like Env, with the build cache of the user.
var UserCache = []string{"GOWORK=off", "GOFLAGS=-mod=mod -buildvcs=false"}

// Go runs the go command in a folder, and returns what it prints.
func Go(dir string, env []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}

// Hold returns a folder below the user's cache folder for an experiment, and waits until no other process holds it. The
// place of an experiment is always the same: if it changed, the go command would compile everything again.
func Hold(name ...string) (dir string, release func(), err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", nil, err
	}
	dir = filepath.Join(append([]string{cache, "allele-eval"}, name...)...)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", nil, err
	}
	lock, err := os.Create(filepath.Join(dir, "lock"))
	if err != nil {
		return "", nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		lock.Close()
		return "", nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	return dir, func() { lock.Close() }, nil
}

// Command builds the command of this repository. It must be called in the eval folder.
func Command(to string) error {
	_, err := Go("..", UserCache, "build", "-trimpath", "-o", to, "./cmd/allele")
	return err
}

// Checksum identifies the content of files, such as a command whose results are kept.
func Checksum(files ...string) (string, error) {
	sum := sha256.New()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		sum.Write(data)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:6]), nil
}

// Caches makes build caches for experiments.
type Caches struct {
	dir   string
	quick bool
}

// NewCaches returns caches for an experiment. In a quick run all of them are the user's
// cache, because building the standard library takes a minute.
func NewCaches(quick bool) (Caches, error) {
	cache, err := os.UserCacheDir()
	return Caches{filepath.Join(cache, "allele-eval", "std"), quick}, err
}

// Std returns a build cache that contains the standard library and the library of this
// repository, built with the given flags, and nothing else. It must be called in the eval
// folder.
func (c Caches) Std(flags ...string) (string, error) {
	if c.quick {
		out, err := Go(os.TempDir(), nil, "env", "GOCACHE")
		return strings.TrimSpace(out), err
	}
	dir := filepath.Join(c.dir, strings.Join(append([]string{runtime.Version()}, flags...), ""))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	_, err := Go("..", Env(dir), slices.Concat([]string{"build"}, flags, []string{"std", Library})...)
	return dir, err
}

// Fresh makes a copy of the cache that Std returns, as a new folder. remove removes it.
func (c Caches) Fresh(to string, flags ...string) (dir string, remove func(), err error) {
	std, err := c.Std(flags...)
	if err != nil || c.quick {
		return std, func() {}, err
	}
	// Files of a build cache never change, so links are enough. Copies would take seconds.
	if out, err := exec.Command("cp", "-al", std, to).CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("copy a build cache: %w\n%s", err, out)
	}
	return to, func() { os.RemoveAll(to) }, nil
}
