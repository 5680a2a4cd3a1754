//go:build go1.25

package load

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// choose returns the packages to rewrite: those of main modules, and those that the
// patterns in c.Scope add. If a package has variants, it chooses the one built with the
// package's own tests, because that variant contains every file.
func choose(all []*listed, c Config) ([]*listed, error) {
	for _, pattern := range c.Scope {
		if err := adds(pattern, all, c.Patterns); err != nil {
			return nil, err
		}
	}
	return pick(all, c), nil
}

// pick is choose without the check of c.Scope.
func pick(all []*listed, c Config) []*listed {
	best := map[string]*listed{}
	for _, p := range all {
		if strings.HasSuffix(p.ImportPath, ".test") || len(p.GoFiles)+len(p.CgoFiles) == 0 || !inScope(p, c.Scope) {
			continue
		}
		if old := best[p.key()]; old == nil || old.ForTest == "" && p.ForTest == p.path() {
			best[p.key()] = p
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(p *listed) bool { return best[p.key()] != p })
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

// Library is the import path of allele. It is never rewritten, except for the folders in
// tried: examples, workloads and encoders that allele is run on.
const Library = "github.com/allele-go/allele"

var tried = []string{Library + "/examples/", Library + "/eval/workload/", Library + "/eval/decode", Library + "/formats"}

// untouched lists packages of the standard library that are never rewritten, each with
// all packages below it. The Go runtime runs parts of them where a probe may not run:
// on the system stack, in the child process of a fork, or while the runtime holds one
// of its locks.
var untouched = []string{"runtime", "internal", "crypto/internal", "sync", "reflect", "unsafe", "syscall", "time", "testing"}

// keptOut returns why a package is never rewritten, or "" if it may be rewritten.
func keptOut(p *listed) (why string) {
	path := p.path()
	switch below := func(parent string) bool { return path == parent || strings.HasPrefix(path, parent+"/") }; {
	case below(Library) && !slices.ContainsFunc(tried, func(s string) bool { return strings.HasPrefix(path, s) }):
		return "it runs the properties"
	case p.Standard && slices.ContainsFunc(untouched, below):
		return "the Go runtime or the probes rely on the original"
	}
	return ""
}

// adds returns an error if a pattern adds no package to the scope. The pattern may
// match packages that are never rewritten, if it also matches one that may be rewritten.
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
		return fmt.Errorf("-scope %s: this package is never instrumented, because %s; leave it out", pattern, keptOut(kept))
	case kept != nil:
		return fmt.Errorf("-scope %s: it matches only packages that are never instrumented, such as %s, because %s; leave it out",
			pattern, kept.path(), keptOut(kept))
	case below != nil:
		return fmt.Errorf("-scope %s: these tests do not use this package, but they use %s; write %s/... for everything below it",
			pattern, below.path(), pattern)
	}
	return fmt.Errorf("-scope %s: no package that these tests use has this import path; "+
		"to list the packages they use, run: go list -deps -test %s", pattern, strings.Join(patterns, " "))
}

// CanHaveFaults returns an error if no package in scope matches a pattern.
func (l *Listing) CanHaveFaults(pattern string) error {
	var other, below *listed
	for _, p := range l.all {
		switch {
		case Match(pattern, p.path()) && inScope(p, l.config.Scope):
			return nil
		case Match(pattern, p.path()):
			other = p
		case strings.HasPrefix(p.path(), pattern+"/"):
			below = p
		}
	}
	switch {
	case other != nil && keptOut(other) != "":
		return fmt.Errorf("this package cannot have faults, because %s; leave it out", keptOut(other))
	case other != nil:
		return fmt.Errorf("this package is not part of your module; to put faults into it, add -scope %s", pattern)
	case below != nil:
		return fmt.Errorf("these tests do not use this package, but they use %s; write %s/... for everything below it",
			below.path(), pattern)
	}
	return fmt.Errorf("no package that these tests use has this import path; "+
		"to list the packages they use, run: go list -deps -test %s", strings.Join(l.config.Patterns, " "))
}

// Match reports whether an import path matches a pattern of the go command: three dots
// stand for any text, and x/... also matches x.
func Match(pattern, path string) bool {
	dots := strings.NewReplacer(regexp.QuoteMeta("..."), ".*")
	text := dots.Replace(regexp.QuoteMeta(pattern))
	if parent, ok := strings.CutSuffix(text, "/.*"); ok {
		text = parent + "(/.*)?"
	}
	return regexp.MustCompile("^(" + text + ")$").MatchString(path)
}
