//go:build go1.25

package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
)

// packages builds the tests, and returns the faults of each package with the suite that
// judges them.
func (s *scorer) packages() (all []score.Package, err error) {
	s.faults, s.allTests = &build.Faults{Of: s.of}, true
	if err := s.build(); err != nil {
		return nil, err
	}
	warnBroken(s.stderr, s.overlay.Broken)
	b := &binaries{program: &s.program}
	for _, t := range s.overlay.Tests {
		p, err := s.suite(t, b)
		if err != nil {
			p = score.Package{Path: t.Path, Err: err}
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, errors.New("no package with tests matches")
	}
	return all, nil
}

// suite returns a package with its faults and the members of its suite.
func (s *scorer) suite(t build.Test, b *binaries) (p score.Package, err error) {
	p.Path = t.Path
	p.Faults, p.Declined = s.faultsOf(t.Path), s.overlay.Without
	hash, err := b.Hash(t.Path)
	if err != nil {
		return p, err
	}
	props, err := s.list(t)
	if err != nil {
		return p, err
	}
	k := s.keysIn(s.folder(t.Path), hash)
	for _, x := range props {
		p.Members = append(p.Members, &score.Member{Kind: score.Property, Name: x.Name, Key: k.property(x), Ask: s.askProperty(x)})
	}
	p.Members = append(p.Members, &score.Member{Kind: score.Tests, Name: t.Path, Key: k.tests(s.match), Ask: s.askTests(t.Path)})
	return p, nil
}

// faultsOf returns the faults that the tests of a package judge. These are the faults of the package itself, or with -of all
// that the build has.
func (s *scorer) faultsOf(pkg string) (faults []site.Fault) {
	for _, f := range s.overlay.Faults {
		if (f.Package == pkg || len(s.faults.Of) > 0) && score.InSet(f, s.set) {
			faults = append(faults, f)
		}
	}
	return faults
}

// askProperty returns a function that judges faults with the saved inputs and stored cases of
// a property.
func (s *scorer) askProperty(p property) func([]site.Fault, func(fate.Verdict)) error {
	return func(faults []site.Fault, got func(fate.Verdict)) error {
		root, err := corpusRoot()
		if err != nil {
			return err
		}
		return s.ask(p.Package, p.Name, faults, got, func(request string) proc.Config {
			j := &job.Job{Mode: job.Score, Property: p.Name, Corpus: corpus.Folder(root, p.Package, p.Name), Text: job.Text{Request: request}}
			j.Limits.Memory, j.Limits.Temp, j.Program.Sites = s.limits.bytes, s.temp.path, s.Sites()
			return proc.Config{Args: []string{p.TestFlag(), "-test.timeout=0"}, Job: j}
		})
	}
}

// askTests returns a function that judges faults with the ordinary tests of a package. A
// property in one of them returns at once, as if its name were listed: its inputs are another
// member of the suite.
func (s *scorer) askTests(pkg string) func([]site.Fault, func(fate.Verdict)) error {
	return func(faults []site.Fault, got func(fate.Verdict)) error {
		return s.ask(pkg, "", faults, got, func(request string) proc.Config {
			conf := judge.Tests(request)
			conf.Job = &job.Job{Mode: job.List, Events: os.DevNull}
			return conf
		})
	}
}

// ask judges faults with the property of this name, or with the ordinary tests if it is empty.
func (s *scorer) ask(pkg, name string, faults []site.Fault, got func(fate.Verdict), start func(string) proc.Config) error {
	ctx, free := interruptible(&s.launcher.All)
	defer free()
	r, err := judge.Run(ctx, judge.Config{
		Binary: s.Binary(pkg), Dir: s.folder(pkg), Work: filepath.Join(s.work, "judge", score.Key(pkg, name)),
		Faults: faults, Workers: s.cpus, Wall: s.limits.timeout, Memory: s.limits.bytes, Process: start, Got: got,
	})
	if r != nil {
		for _, v := range r.Verdicts {
			got(v)
		}
	}
	if ctx.Err() != nil {
		return score.ErrStopped
	}
	return err
}

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

// property returns the key of a property, which has stored cases and saved inputs.
func (k keys) property(p property) string {
	cases, err := contentHash(storedIn(k.dir), func(string) bool { return false })
	if err != nil || k.common == "" {
		return ""
	}
	root, err := corpusRoot()
	if err != nil {
		return ""
	}
	c, err := corpus.Read(corpus.Folder(root, p.Package, p.Name))
	if err != nil {
		return ""
	}
	var saved []string
	for _, e := range c.Entries {
		saved = append(saved, e.Input)
	}
	slices.Sort(saved)
	return score.Key(k.common, cases, score.Key(saved...))
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
