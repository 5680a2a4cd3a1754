//go:build go1.25

package testbin

import (
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/words"
)

// Folder returns the folder of a package.
func (p *Program) Folder(pkg string) string {
	for _, s := range p.Overlay.Dirs() {
		if s.Path == pkg {
			return s.Dir
		}
	}
	return p.Dir
}

// Relative returns the path of a file relative to the folder of -C, if the file is in
// that folder.
func (p *Program) Relative(file string) string {
	if dir, err := filepath.Abs(p.Dir); err == nil {
		if r, err := filepath.Rel(dir, file); err == nil && !strings.HasPrefix(r, "..") {
			return r
		}
	}
	return file
}

// Where returns the argument, such as ./tree, that selects a package in a command with the
// same -C.
func (p *Program) Where(pkg string) string {
	dir := p.Relative(p.Folder(pkg))
	switch {
	case filepath.IsAbs(dir): // another module of the workspace
		return pkg
	case dir == ".":
		return dir
	}
	return "./" + filepath.ToSlash(dir)
}

// File returns the path of a file in the folder of a package, relative to the folder of -C.
func (p *Program) File(pkg, file string) string {
	if filepath.IsAbs(file) {
		return p.Relative(file)
	}
	file = filepath.Join(p.Folder(pkg), file)
	if dir, err := filepath.Abs(p.Dir); err == nil {
		if r, err := filepath.Rel(dir, file); err == nil {
			return filepath.ToSlash(r)
		}
	}
	return file
}

// SameFlags returns the flags that another command needs for the same build.
func (p *Program) SameFlags() string {
	flags := ""
	if p.Dir != "" {
		flags = "-C " + words.Shell(p.Dir) + " " // the go command accepts it only as the first flag
	}
	for _, f := range p.Flags() {
		flags += words.Shell(f) + " "
	}
	return flags
}

// ScopeFlag returns the flag -scope, if it was given.
func (p *Program) ScopeFlag() string {
	if p.Scope == "" {
		return ""
	}
	return words.Shell("-scope="+p.Scope) + " "
}
