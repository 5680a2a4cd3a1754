//go:build go1.25

// Package testkit has helpers for tests, which no product code may use: golden files, and
// modules outside this repository that use the library as a user would.
//
//	testkit.Golden(t, "testdata/report.golden", got)    // -update rewrites the file
//	dir := testkit.Module(t, map[string]string{"a_test.go": src})
//	out, exit := testkit.Go(t, dir, nil, "test", "./...")
//
// The test cache of go test must know every file that the result of a test depends on. It
// does not know the files that a child process reads. So Module itself lists the folders
// of the repository; otherwise go test would print a cached "ok" after the code changed.
package testkit

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// modulePath is the module that a scratch module requires. Root uses it to distinguish the
// main go.mod from those of nested modules.
const modulePath = "github.com/allele-go/allele"

// scratchMod is the go.mod of a scratch module that does not have its own.
const scratchMod = `module NAME

go 1.25

require ` + modulePath + ` v0.0.0

replace ` + modulePath + ` => `

// Root returns the top of the repository: the nearest folder above the test that contains
// the go.mod of the main module, not of a nested one.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for !isRoot(dir) {
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatalf("testkit: no go.mod of %s above the test", modulePath)
		}
		dir = parent
	}
	return dir
}

func isRoot(dir string) bool {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	first, _, _ := bytes.Cut(mod, []byte("\n"))
	return strings.TrimSpace(string(first)) == "module "+modulePath
}

// Module writes files into a new folder outside the repository and returns it.
// Unless files has a go.mod, one is added that takes this library from the repository.
func Module(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	return module(t, "scratch", files)
}

// Inside is the path of a scratch module that may import internal packages. The command
// rewrites it like a user's module, because the path is below examples.
const Inside = modulePath + "/examples/scratch"

// ModuleInside is Module for a module with the path Inside.
func ModuleInside(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	return module(t, Inside, files)
}

func module(t testing.TB, name string, files map[string]string) (dir string) {
	t.Helper()
	root := Root(t)
	watch(t, root)
	dir = t.TempDir()
	write(t, dir, "go.mod", strings.Replace(scratchMod, "NAME", name, 1)+root+"\n")
	for name, body := range files {
		write(t, dir, name, body)
	}
	return dir
}

func write(t testing.TB, dir, name, body string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(body), 0o666); err != nil {
		t.Fatal(err)
	}
}

// watch lists every folder of the main module. The test cache records the size and time of
// each entry that is listed, so a change of the library makes the test run again.
func watch(t testing.TB, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || file == root {
			return err
		}
		if d.Name() == ".git" || exists(filepath.Join(file, "go.mod")) {
			return filepath.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Go runs the go command in dir and returns its output, both streams together, and its
// exit code. It works offline and without a workspace, whatever the settings of the
// machine. env is applied last and takes precedence.
func Go(t testing.TB, dir string, env []string, args ...string) (out string, exit int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	cmd.Env = append(cmd.Env, env...)
	text, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatalf("testkit: go %s: %v", strings.Join(args, " "), err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}
