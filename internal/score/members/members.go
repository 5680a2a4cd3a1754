//go:build go1.25

// Package members finds who judges the faults of a package: the properties and the ordinary tests
// in test binaries.
//
//	p := &testbin.Program{...}       // built with faults
//	c := members.Config{Program: p, Lister: lister, Set: "all", CPUs: 4, ...}
//	packages, err := c.Packages()    // package score asks their members about faults
//	kills, err := members.KilledBy(p, property, folder, limits)
//
// A member is asked in processes of its test binary, by package judge (ask.go). Its key is a hash
// of all that its verdicts depend on, so that they can be cached (keys.go). Corpora are minimised
// by the faults that each input kills, which the same processes report (kills.go).
package members

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/score/judge"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/list"
)

// Config is which faults are judged by what.
type Config struct {
	*testbin.Program // built with faults, to judge them
	Lister           *list.Lister
	Of               []string // packages with faults that the tests of all packages judge
	Set              string   // of faults: all or pit
	CPUs             int
	Limits           Limits
}

// Limits are the limits of judging, and which tests are left out.
type Limits struct {
	Timeout time.Duration  // of a run
	Memory  int64          // of a process
	Room    *judge.Room    // for processes
	Since   string         // the revision, if only faults on changed lines are judged
	Skip    *regexp.Regexp // matches the properties and tests that are left out; nil matches none
}

// skips reports whether a property or test is left out.
func (l Limits) skips(name string) bool { return l.Skip != nil && l.Skip.MatchString(name) }

// Packages returns the faults of each package with the suite that judges them.
func (c *Config) Packages() (all []score.Package, err error) {
	of := map[string][]site.Fault{}
	for _, f := range c.Overlay.Faults {
		if score.InSet(f, c.Set) && !c.withoutJudge(f.Package) {
			of[f.Package] = append(of[f.Package], f)
		}
	}
	teams := c.teams()
	some := false
	for _, path := range slices.Sorted(maps.Keys(of)) {
		p := score.Package{Path: path, Faults: of[path]}
		for _, t := range c.judges(path, teams) {
			if some = some || t.unbuilt; t.unbuilt {
				p.Members = append(p.Members, unbuilt(c, t)...)
				continue
			}
			p.Err = errors.Join(p.Err, t.err)
			p.Members = append(p.Members, c.members(path, t)...)
		}
		some = some || len(p.Members) > 0
		all = append(all, p)
	}
	if c.Match != nil && !some {
		return nil, fmt.Errorf("no property or test matches -run %s; to use all of them, leave -run out", c.Match)
	}
	return all, nil
}

// withoutJudge reports whether a package is left out because its tests do not compile. With -of,
// the tests of other packages judge it.
func (c *Config) withoutJudge(pkg string) bool {
	return len(c.Of) == 0 && slices.ContainsFunc(c.Overlay.Broken, func(b load.Broken) bool { return b.Path == pkg })
}

// team is a test binary with what it contains.
type team struct {
	build.Test
	dir   string
	props []launch.Property
	tests []string // names of ordinary tests that take part; nil means all
	leave map[string]string
	keys  keys
	err   error

	settings goState
	unbuilt  bool // with -since, as it judges no fault on a changed line
}

// teams lists the properties and tests of all test binaries.
func (c *Config) teams() (all []team) {
	hashes, set := &testbin.Binaries{Program: c.Program}, goSettings(c)
	for _, t := range c.Overlay.Tests {
		if c.BuiltAs(t.Path) == "" {
			all = append(all, team{Test: t, unbuilt: true})
			continue
		}
		x := team{Test: t, dir: c.Folder(t.Path), leave: map[string]string{}, settings: set}
		if x.props, x.err = c.Lister.List(t); x.err == nil {
			x.err = c.chooseTests(&x)
		}
		if hash, err := hashes.Hash(t.Path); err == nil {
			x.keys = c.keysIn(x.dir, hash)
		}
		all = append(all, x)
	}
	return all
}

// judges returns what judges the faults of a package: its own tests. With -of, and if a package
// has no tests of its own, all tests that are built from the package do.
func (c *Config) judges(pkg string, teams []team) (some []team) {
	if i := slices.IndexFunc(teams, func(t team) bool { return t.Path == pkg }); i >= 0 && len(c.Of) == 0 {
		return teams[i : i+1]
	}
	for _, t := range teams {
		if slices.ContainsFunc(c.Listing.Needs(t.Path), func(n load.Needed) bool { return n.Path == pkg }) {
			some = append(some, t)
		}
	}
	return some
}

// members returns the members of a suite that judge the faults of a package: the properties and the ordinary tests of a binary.
func (c *Config) members(pkg string, t team) (all []*score.Member) {
	for _, p := range t.props {
		if c.Limits.skips(p.Name) {
			continue
		}
		key, searched := t.keys.property(p)
		all = append(all, &score.Member{Kind: score.Property, Name: p.Name, Key: key, Searched: searched, Ask: c.askProperty(p)})
	}
	if t.tests == nil || len(t.tests) > 0 {
		all = append(all, &score.Member{Kind: score.Tests, Name: t.Path, Key: t.keys.tests(c.Match, c.Limits.Skip),
			Ledger: score.Key(pkg, fmt.Sprint(c.Match), fmt.Sprint(c.Limits.Skip), c.Limits.Since), Ask: c.askTests(t)})
	}
	return all
}

// unbuilt returns the tests of a binary that was not built, because there is no fault that they judge.
func unbuilt(c *Config, t team) []*score.Member {
	if c.Match != nil || c.Limits.Skip != nil {
		return nil // which tests match is not known
	}
	return []*score.Member{{Kind: score.Tests, Name: t.Path, Ask: func([]site.Fault, score.Answer) error {
		return errors.New("a file has changed since its tests were chosen; run the command again")
	}}}
}

// chooseTests decides which tests take part, with -run.
func (c *Config) chooseTests(t *team) error {
	if c.Match == nil && c.Limits.Skip == nil {
		return nil
	}
	conf := proc.Config{Job: &job.Job{Mode: job.List}, Idle: list.AskMax, Args: []string{"-test.list=."}}
	d, _, err := c.Exec(launch.Property{Package: t.Path, Dir: t.dir}, conf)
	if err == nil && d.Code != 0 {
		err = fmt.Errorf("cannot list the tests: %s", d.Text)
	}
	t.tests = []string{}
	for name := range strings.FieldsSeq(d.Out) {
		switch {
		case !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Example") || name == build.SuiteTest:
		case c.Limits.skips(name):
			t.leave[name] = leftSkip
		case c.Match == nil || c.Match.MatchString(name):
			t.tests = append(t.tests, name)
		default:
			t.leave[name] = leftPattern
		}
	}
	return err
}

// Why a test does not take part that the user has left out.
const (
	leftPattern = "its name does not match -run"
	leftSkip    = "its name matches -skip"
)
