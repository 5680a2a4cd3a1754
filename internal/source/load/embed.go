//go:build go1.25

package load

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A program may embed Go files: with //go:embed *.go, or by embedding a whole folder. The go
// command finds embedded files through the overlay. So a file that is embedded must not be
// rewritten, and no file may be added where a pattern would match it.

// Support returns the names of the files that package build may add to a package. The second,
// if any, is for facts about packages that only tests import.
func (p *Package) Support() (names []string) {
	switch {
	case p.External:
		return []string{p.free("_x_test.go")}
	case p.OnlyTests():
		return []string{p.free("_test.go")}
	}
	return []string{p.free(".go"), p.free("_in_test.go")}
}

// Suite returns the name of the test file that package build may add to a package, to run its
// tests several times in one process.
func (p *Package) Suite() string {
	if p.External {
		return p.free("_suite_x_test.go")
	}
	return p.free("_suite_test.go")
}

// Main returns the name of the file that package build may add to a main package.
func (p *Package) Main() string { return p.free("_main.go") }

// Boot returns the name of a file that package build may add to a package. It comes before
// all others in the order of names, as far as one can tell.
func (p *Package) Boot() string {
	name := "0allele.go"
	for {
		if _, err := os.Lstat(filepath.Join(p.Dir, name)); err != nil {
			return name
		}
		name = "0" + name
	}
}

// supportName is how the names of support files begin.
const supportName = "zz_allele"

var supportError = regexp.MustCompile(`(?m)(^|[/\\])` + supportName + `\d*(_main|_x_test|_in_test|_suite_test|_suite_x_test|_test)?\.go:\d`)

// InSupport reports whether errors of the compiler are about a support file.
func InSupport(errors string) bool { return supportError.MatchString(errors) }

// free returns the name of a file that the package does not have: zz_allele.go, or
// zz_allele2.go if the user has a file of this name.
func (p *Package) free(suffix string) string {
	name := supportName + suffix
	for n := 2; ; n++ {
		if _, err := os.Lstat(filepath.Join(p.Dir, name)); err != nil {
			return name
		}
		name = fmt.Sprint(supportName, n, suffix)
	}
}

// OnlyTests reports whether a package has no files except tests.
func (p *Package) OnlyTests() bool {
	return !slices.ContainsFunc(p.Files, func(f *File) bool { return !f.Test })
}

// HasTests reports whether a package has test files.
func (p *Package) HasTests() bool {
	return slices.ContainsFunc(p.Files, func(f *File) bool { return f.Test })
}

// embeds marks the files that a package of the build embeds, and declines the packages
// whose added files would be embedded.
func (l *Listing) embeds(prog *Program) {
	embedded, tested := map[string]bool{}, map[string]bool{}
	for _, p := range l.all {
		tested[p.ForTest] = true
		for _, name := range p.EmbedFiles {
			embedded[filepath.Join(p.Dir, filepath.FromSlash(name))] = true
		}
	}
	for _, pkg := range prog.Scope {
		for _, f := range pkg.Files {
			f.Embedded = embedded[f.Path]
		}
		for _, p := range l.all {
			patterns := p.EmbedPatterns
			if tested[p.ImportPath] {
				patterns = slices.Concat(patterns, p.TestEmbedPatterns, p.XTestEmbedPatterns)
			}
			if pattern := p.wouldEmbed(pkg, patterns); pattern != "" {
				why := fmt.Sprintf("%s embeds its folder (//go:embed %s), so the files that allele adds would become part of the program",
					p.path(), pattern)
				pkg.Decline(why, "to get probes, use a pattern that does not match "+pkg.Support()[0])
				break
			}
		}
	}
}

// wouldEmbed returns the first pattern by which p would embed a file that is added to pkg, or "".
// A pattern that matches a folder embeds everything below it, up to another module.
func (p *listed) wouldEmbed(pkg *Package, patterns []string) string {
	if len(patterns) == 0 || !sameModule(p.Module, pkg.Module) {
		return ""
	}
	below, err := filepath.Rel(p.Dir, pkg.Dir)
	if err != nil || !filepath.IsLocal(below) {
		return ""
	}
	for _, pattern := range patterns {
		glob := strings.TrimPrefix(pattern, "all:")
		for _, name := range pkg.Support() {
			for at := path.Join(filepath.ToSlash(below), name); ; at = path.Dir(at) {
				if matched, err := path.Match(glob, at); matched && err == nil {
					return pattern
				}
				if at == "." {
					break
				}
			}
		}
	}
	return ""
}

func sameModule(a, b *Module) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Path == b.Path
}
