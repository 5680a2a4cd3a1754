//go:build go1.25

package load

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Finder finds packages by their names, without loading them.
type Finder struct {
	Dir   string   // where the go command is run
	Flags []string // of go list
}

// Paths returns the import paths that match patterns, as the go command lists them.
func (f Finder) Paths(patterns ...string) (paths []string, err error) {
	cmd, err := f.list("{{.ImportPath}}", patterns...)
	if err != nil {
		return nil, err
	}
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w\n%s", strings.Join(patterns, " "), err, strings.TrimSpace(problem.String()))
	}
	return strings.Fields(string(out)), nil
}

// list returns the command that prints something about packages.
func (f Finder) list(format string, patterns ...string) (*exec.Cmd, error) {
	conf, _, err := Config{Dir: f.Dir}.Settle()
	if err != nil {
		return nil, err
	}
	return conf.Command(slices.Concat([]string{"list"}, f.Flags, []string{"-f", format, "--"}, patterns)...), nil
}

// One returns the package that a pattern matches.
func (f Finder) One(pattern string) (Folder, error) {
	paths, err := f.Paths(pattern)
	if err != nil {
		return Folder{}, err
	}
	if len(paths) != 1 {
		return Folder{}, fmt.Errorf("%s matches %d packages, want one", pattern, len(paths))
	}
	cmd, err := f.list("{{.Dir}}", paths[0])
	if err != nil {
		return Folder{}, err
	}
	dir, err := cmd.Output()
	return Folder{Path: paths[0], Dir: strings.TrimSpace(string(dir))}, err
}

// Folder returns the folder of a package. A folder without Go files has no import path: the
// package may have been removed.
func (f Finder) Folder(pkg string) (Folder, error) {
	cmd, err := f.list("{{.ImportPath}}\n{{.Dir}}", pkg)
	if err != nil {
		return Folder{}, err
	}
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if lines := strings.Split(strings.TrimSpace(string(out)), "\n"); err == nil && len(lines) == 2 {
		return Folder{Path: lines[0], Dir: lines[1]}, nil
	} else if err == nil {
		return Folder{}, fmt.Errorf("%s: want one package", pkg)
	}
	dir := pkg
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(f.Dir, dir)
	}
	if info, fails := os.Stat(dir); fails == nil && info.IsDir() {
		abs, err := filepath.Abs(dir)
		return Folder{Dir: abs}, err
	}
	return Folder{}, fmt.Errorf("go list %s: %w\n%s", pkg, err, strings.TrimSpace(problem.String()))
}

// Cache returns the cache folder of the go command, or "" if it is not known.
func (f Finder) Cache() string {
	conf, _, err := Config{Dir: f.Dir}.Settle()
	if err != nil {
		return ""
	}
	out, _ := conf.Command("env", "GOCACHE").Output() // without an answer there is no cache
	return strings.TrimSpace(string(out))
}
