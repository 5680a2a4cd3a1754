package load

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// choose gives the packages to rewrite: those of main modules, and what the
// scope adds. Of the variants of a package the one with its tests is taken,
// since it has every file.
func choose(all []*listed, c Config) ([]*listed, error) {
	for _, pattern := range c.Scope {
		if err := adds(pattern, all, c.Patterns); err != nil {
			return nil, err
		}
	}
	best := map[string]*listed{}
	for _, p := range all {
		if strings.HasSuffix(p.ImportPath, ".test") || len(p.GoFiles)+len(p.CgoFiles) == 0 || !inScope(p, c.Scope) {
			continue
		}
		if old := best[p.key()]; old == nil || old.ForTest == "" && p.ForTest == p.path() {
			best[p.key()] = p
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(p *listed) bool { return best[p.key()] != p }), nil
}

func (p *listed) key() string { return (&Package{Path: p.path(), External: p.external()}).Key() }

func inScope(p *listed, scope []string) bool {
	if keptOut(p) != "" {
		return false
	}
	if p.Module != nil && p.Module.Main {
		return true
	}
	return slices.ContainsFunc(scope, func(pattern string) bool { return Match(pattern, p.path()) })
}

// library is never rewritten, but the programs are that it is tried on.
const library = "github.com/allele-go/allele"

var tried = []string{library + "/examples/", library + "/eval/workload/"}

// untouched are the packages of the standard library that are never rewritten,
// each with everything below it. The runtime runs parts of them where no probe
// may: on the system stack, in the child of a fork, inside a lock of its own.
var untouched = []string{"runtime", "internal", "crypto/internal", "sync", "reflect", "unsafe", "syscall", "time", "testing"}

// keptOut says why a package is never rewritten; it is empty for others.
func keptOut(p *listed) (why string) {
	path := p.path()
	switch below := func(parent string) bool { return path == parent || strings.HasPrefix(path, parent+"/") }; {
	case below(library) && !slices.ContainsFunc(tried, func(s string) bool { return strings.HasPrefix(path, s) }):
		return "it runs the properties"
	case p.Standard && slices.ContainsFunc(untouched, below):
		return "the Go runtime or the probes rely on it as it is"
	}
	return ""
}

// adds tells the user what is wrong with a pattern by which nothing is
// rewritten. A pattern that covers untouched packages among others is fine.
func adds(pattern string, all []*listed, patterns []string) error {
	var kept, below *listed
	for _, p := range all {
		switch why := keptOut(p); {
		case Match(pattern, p.path()) && why == "":
			return nil
		case Match(pattern, p.path()):
			kept = p
		case strings.HasPrefix(p.path(), pattern+"/"):
			below = p
		}
	}
	switch {
	case kept != nil && kept.path() == pattern:
		return fmt.Errorf("-scope %s: this package is never rewritten, since %s; leave it out", pattern, keptOut(kept))
	case kept != nil:
		return fmt.Errorf("-scope %s: it matches only packages that are never rewritten, such as %s, since %s; leave it out",
			pattern, kept.path(), keptOut(kept))
	case below != nil:
		return fmt.Errorf("-scope %s: no such package is part of these tests, but %s is; write %s/... for everything below it",
			pattern, below.path(), pattern)
	}
	return fmt.Errorf("-scope %s: no package that these tests are built from has such an import path; "+
		"choose from what this prints: go list -deps -test %s", pattern, strings.Join(patterns, " "))
}

// Match reports whether an import path matches a pattern of the go command:
// three dots stand for any text, and x/... is also x.
func Match(pattern, path string) bool {
	dots := strings.NewReplacer(regexp.QuoteMeta("..."), ".*")
	text := dots.Replace(regexp.QuoteMeta(pattern))
	if parent, ok := strings.CutSuffix(text, "/.*"); ok {
		text = parent + "(/.*)?"
	}
	return regexp.MustCompile("^(" + text + ")$").MatchString(path)
}
