//go:build go1.25

package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/fate"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/judge"
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/ops/score"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// packages builds the tests, and returns the faults of each package with the suite that judges
// them, and how many places could not be made faulty for each reason.
func (s *scorer) packages() (all []score.Package, declined map[string]int, err error) {
	s.faults, s.judging = &build.Faults{Of: s.of}, true
	if err := s.build(); err != nil {
		return nil, nil, err
	}
	warnBroken(s.stderr, s.overlay.Broken)
	for _, d := range s.overlay.Declined {
		fmt.Fprintf(s.stderr, "allele score: %s has no faults: %s; %s\n", d.Path, d.Why, d.Do)
	}
	of := map[string][]site.Fault{}
	for _, f := range s.overlay.Faults {
		if score.InSet(f, s.set) && !s.withoutJudge(f.Package) {
			of[f.Package] = append(of[f.Package], f)
		}
	}
	teams := s.teams()
	some := false
	for _, path := range slices.Sorted(maps.Keys(of)) {
		p := score.Package{Path: path, Faults: of[path]}
		for _, t := range s.judges(path, teams) {
			p.Err = errors.Join(p.Err, t.err)
			p.Members = append(p.Members, s.members(t)...)
		}
		some = some || len(p.Members) > 0
		all = append(all, p)
	}
	if s.match != nil && !some {
		return nil, nil, fmt.Errorf("no property or test matches -run %s; to use all of them, leave -run out", s.match)
	}
	return all, s.overlay.Without, nil
}

// withoutJudge reports whether a package is left out because its tests do not compile. With -of,
// the tests of other packages judge it.
func (s *scorer) withoutJudge(pkg string) bool {
	return len(s.of) == 0 && slices.ContainsFunc(s.overlay.Broken, func(b load.Broken) bool { return b.Path == pkg })
}

// team is a test binary with what it contains.
type team struct {
	build.Test
	dir   string
	props []property
	tests []string // names of ordinary tests that take part; nil means all
	leave map[string]string
	keys  keys
	err   error
}

// teams lists the properties and tests of all test binaries.
func (s *scorer) teams() (all []team) {
	hashes := &binaries{program: &s.program}
	for _, t := range s.overlay.Tests {
		x := team{Test: t, dir: s.folder(t.Path), leave: map[string]string{}}
		if x.props, x.err = s.list(t); x.err == nil {
			x.err = s.chooseTests(&x)
		}
		if hash, err := hashes.Hash(t.Path); err == nil {
			x.keys = s.keysIn(x.dir, hash)
		}
		all = append(all, x)
	}
	return all
}

// judges returns what judges the faults of a package: its own tests. With -of, and if a package
// has no tests of its own, all tests that are built from the package do.
func (s *scorer) judges(pkg string, teams []team) (some []team) {
	if i := slices.IndexFunc(teams, func(t team) bool { return t.Path == pkg }); i >= 0 && len(s.of) == 0 {
		return teams[i : i+1]
	}
	for _, t := range teams {
		if slices.ContainsFunc(s.listing.Needs(t.Path), func(n load.Needed) bool { return n.Path == pkg }) {
			some = append(some, t)
		}
	}
	return some
}

// members returns the members of a suite: the properties and the ordinary tests of a binary.
func (s *scorer) members(t team) (all []*score.Member) {
	for _, p := range t.props {
		key, searched := t.keys.property(p)
		all = append(all, &score.Member{Kind: score.Property, Name: p.Name, Key: key, Searched: searched, Ask: s.askProperty(p)})
	}
	if t.tests == nil || len(t.tests) > 0 {
		all = append(all, &score.Member{Kind: score.Tests, Name: t.Path, Key: t.keys.tests(s.match), Ask: s.askTests(t)})
	}
	return all
}

// chooseTests decides which tests take part, with -run.
func (s *scorer) chooseTests(t *team) error {
	if s.match == nil {
		return nil
	}
	j := &job.Job{Mode: job.List}
	d, _, err := s.exec(property{Package: t.Path, Dir: t.dir}, proc.Config{Job: j, Idle: askMax, Args: []string{"-test.list=."}})
	if err == nil && d.Code != 0 {
		err = fmt.Errorf("cannot list the tests: %s", d.Text)
	}
	t.tests = []string{}
	for name := range strings.FieldsSeq(d.Out) {
		switch {
		case !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Example") || name == build.SuiteTest:
		case s.match.MatchString(name):
			t.tests = append(t.tests, name)
		default:
			t.leave[name] = leftPattern
		}
	}
	return err
}

// leftPattern is why a test does not take part that the user has left out.
const leftPattern = "its name does not match -run"

// askProperty returns a function that judges faults with the saved inputs and stored cases of
// a property.
func (s *scorer) askProperty(p property) func([]site.Fault, score.Answer) error {
	return func(faults []site.Fault, to score.Answer) error {
		root, err := corpusRoot()
		if err != nil {
			return err
		}
		start := scoring(&s.program, p, corpus.Folder(root, p.Package, p.Name), s.limits.bytes)
		return s.ask(judge.Config{Binary: s.Binary(p.Package), Dir: p.Dir, Faults: faults, Process: start}, to)
	}
}

// scoring returns a function that describes the process which judges faults with the inputs of
// a property. folder is the folder of its corpus.
func scoring(p *program, of property, folder string, memory int64) func(request string) proc.Config {
	return func(request string) proc.Config {
		j := &job.Job{Mode: job.Score, Property: of.Name, Corpus: folder, Text: job.Text{Request: request}}
		j.Limits.Memory, j.Limits.Temp, j.Program.Sites = memory, p.temp.path, p.Sites()
		return proc.Config{Args: []string{of.TestFlag(), "-test.timeout=0"}, Job: j}
	}
}

// askTests returns a function that judges faults with the ordinary tests of a package. A
// property in one of them returns at once, as if its name were listed: its inputs are another
// member of the suite.
func (s *scorer) askTests(t team) func([]site.Fault, score.Answer) error {
	return func(faults []site.Fault, to score.Answer) error {
		start := func(request string) proc.Config {
			conf := judge.Tests(request)
			conf.Job = &job.Job{Mode: job.List, Events: os.DevNull}
			return conf
		}
		return s.ask(judge.Config{Binary: s.Binary(t.Path), Dir: t.dir, Faults: faults, Leave: t.leave, Process: start}, to)
	}
}

// ask judges faults in a temporary folder: package score caches the verdicts.
func (s *scorer) ask(c judge.Config, to score.Answer) (err error) {
	if c.Work, err = os.MkdirTemp(s.temp.path, "judge-*"); err != nil {
		return err
	}
	defer os.RemoveAll(c.Work)
	ctx, free := interruptible(&s.launcher.All)
	defer free()
	c.Workers, c.Wall, c.Memory = s.workers(), s.limits.timeout, s.limits.bytes
	c.Progress, c.Got = func(judged, _, killed int) { to.Seen(judged, killed) }, to.Verdict
	r, err := judge.Run(ctx, c)
	if r != nil {
		saved := func(t judge.Test) bool { return !strings.HasPrefix(t.Name, fate.Generated) }
		if !slices.ContainsFunc(r.Tests, saved) {
			to.Empty()
		}
		for _, t := range r.Tests {
			if t.Left != "" && t.Left != leftPattern {
				to.Left(t.Name, t.Left)
			}
		}
		for _, v := range r.Verdicts { // also those that Got was not called for
			to.Verdict(v)
		}
	}
	if ctx.Err() != nil {
		return score.ErrStopped
	}
	return err
}

// workers returns how many processes may judge the faults of a package at a time.
func (s *scorer) workers() int { return max(1, s.cpus/max(1, len(s.overlay.Tests))) }

// interruptible returns a context that ends when the processes of a group are asked to stop.
func interruptible(processes *launch.Group) (ctx context.Context, free func()) {
	ctx, cancel := context.WithCancel(context.Background())
	leave := processes.Enter(&canceller{cancel})
	return ctx, func() {
		leave()
		cancel()
	}
}

// canceller makes a context a member of a group of processes.
type canceller struct{ cancel context.CancelFunc }

// Stop cancels the context.
func (c *canceller) Stop() { c.cancel() }

// Kill cancels the context.
func (c *canceller) Kill() { c.cancel() }

// keys makes the keys of the members of a suite: hashes of everything that their verdicts
// depend on, as far as it is known. Tests may also read files of other folders.
type keys struct {
	common string // "" if something cannot be read; then nothing is cached
	dir    string // of the package
}

// keysIn returns what the keys of the members of the package in a folder have in common.
func (s *scorer) keysIn(dir, binary string) keys {
	sum, err := contentHash(dir, func(path string) bool {
		return path == storedIn(dir) || path != dir && !inFolder(filepath.Join(dir, "testdata"), path)
	})
	if err != nil {
		return keys{}
	}
	return keys{score.Key(binary, sum, fmt.Sprint(s.limits.timeout), fmt.Sprint(s.limits.bytes)), dir}
}

// storedIn returns the folder of the stored cases of a package.
func storedIn(dir string) string { return filepath.Join(dir, "testdata", "allele") }

func inFolder(folder, path string) bool {
	return path == folder || strings.HasPrefix(path, folder+string(filepath.Separator))
}

// tests returns the key of the ordinary tests.
func (k keys) tests(match *regexp.Regexp) string {
	if k.common == "" {
		return ""
	}
	return score.Key(k.common, fmt.Sprint(match))
}

// property returns the key of a property, which has stored cases and saved inputs, and whether
// a search has run it.
func (k keys) property(p property) (key string, searched bool) {
	root, err := corpusRoot()
	if err != nil {
		return "", false
	}
	c, err := corpus.Read(corpus.Folder(root, p.Package, p.Name))
	if err != nil {
		return "", false
	}
	cases, err := contentHash(storedIn(k.dir), func(string) bool { return false })
	if err != nil || k.common == "" {
		return "", c.Runs > 0
	}
	var saved []string
	for _, e := range c.Entries {
		saved = append(saved, e.Input)
	}
	slices.Sort(saved)
	return score.Key(k.common, cases, score.Key(saved...)), c.Runs > 0
}

// hashedMax is how many bytes are read for a hash. If there are more, nothing is cached: to
// read them would take longer than to judge the faults.
const hashedMax = 1 << 30

// contentHash returns a hash of the names and contents of the files below a folder, which need
// not exist. Folders for which skip returns true are left out.
func contentHash(root string, skip func(folder string) bool) (string, error) {
	h, size := sha256.New(), int64(0)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root && errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && skip(path):
			return fs.SkipDir
		case !d.Type().IsRegular():
			fmt.Fprintf(h, "%q %v\n", path, d.Type())
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		name, _ := filepath.Rel(root, path) // both are absolute or both are not
		one := sha256.New()
		n, err := io.Copy(one, io.LimitReader(f, hashedMax-size+1))
		if size += n; err == nil && size > hashedMax {
			err = fmt.Errorf("%s: more than %d bytes", root, hashedMax)
		}
		fmt.Fprintf(h, "%q %x\n", name, one.Sum(nil))
		return err
	})
	return fmt.Sprintf("%x", h.Sum(nil)[:16]), err
}
