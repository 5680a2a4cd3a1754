//go:build go1.25

package main

import (
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/testbin"
)

// loadFlags registers the flags of every command that reads the source.
func loadFlags(f *flagSet, s *testbin.Settings) {
	f.StringVar(&s.Scope, "scope", "", "also trace these packages of other modules or of the standard library: "+
		"a comma-separated `list` of import paths; x/... is x and all packages below it")
	f.BoolVar(&s.ShowCommands, "x", false, "print the commands that are run")
	moduleFlags(f, s)
}

// moduleFlags registers only the flags that affect which packages a pattern matches.
func moduleFlags(f *flagSet, s *testbin.Settings) {
	f.StringVar(&s.Dir, "C", "", "change to this `folder` first")
	f.StringVar(&s.Tags, "tags", "", "build `tags`")
	f.StringVar(&s.Mod, "mod", "", "module download `mode`, as for go build")
}

// buildFlags registers the flags of every command that builds.
func buildFlags(f *flagSet, s *testbin.Settings) {
	loadFlags(f, s)
	f.BoolVar(&s.Race, "race", false, "build with the race detector")
	f.BoolVar(&s.ShowWork, "work", false, "print the work folder")
}

// suitesFlag registers the flag of commands that list properties.
func suitesFlag(f *flagSet, suites *bool) {
	f.BoolVar(suites, "suites", true, "where the source does not show which tests call allele.Check, as in suites, "+
		"run those that may do so once to find out")
}

// runFlag registers the flag that selects properties.
func runFlag(f *flagSet) *string {
	return f.String("run", "", "only properties whose name matches this `pattern`")
}

// choose sets the package patterns, and the pattern of -run. Without package patterns it chooses
// the package in the current folder.
func choose(s *testbin.Settings, patterns []string, match string) (err error) {
	if s.Patterns = patterns; len(patterns) == 0 {
		s.Patterns = []string{"."}
	}
	if match == "" {
		return nil
	}
	if s.Match, err = regexp.Compile(match); err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	return nil
}

// commandsWith returns the commands that reports suggest. They contain the flags of this
// command, and limits are its flags that only allele test has.
func commandsWith(p *testbin.Program, limits string) job.Commands {
	c := job.CommandsFor(self, p.SameFlags())
	c.Test += p.ScopeFlag() + limits
	c.Show += p.ScopeFlag()
	return c
}

// fromDir returns a path that is relative to dir, or to the working directory if dir is empty.
func fromDir(dir, path string) string {
	if dir != "" && !filepath.IsAbs(path) {
		return filepath.Join(dir, path)
	}
	return path
}

// within is fromDir, as an absolute path.
func within(dir, path string) (string, error) { return filepath.Abs(fromDir(dir, path)) }
