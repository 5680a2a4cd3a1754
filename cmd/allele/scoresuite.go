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
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/score"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
)

// packages builds the tests, and returns the faults of each package with the suite that
// judges them.
func (s *scorer) packages() (all []score.Package, err error) {
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
	if p.Faults, p.Declined, err = s.faults(t.Path); err != nil {
		return p, err
	}
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

var errNotConnected = errors.New("this build of allele cannot judge faults")

// faults returns the faults that the test binary of a package contains, and the number of
// places without faults for each reason.
func (s *scorer) faults(pkg string) ([]site.Fault, map[string]int, error) {
	return nil, nil, errNotConnected
}

// askProperty returns a function that judges faults with the saved inputs and stored cases of
// a property.
func (s *scorer) askProperty(p property) func([]site.Fault, func(fate.Verdict)) error {
	return func(faults []site.Fault, got func(fate.Verdict)) error { return errNotConnected }
}

// askTests returns a function that judges faults with the ordinary tests of a package.
func (s *scorer) askTests(pkg string) func([]site.Fault, func(fate.Verdict)) error {
	return func(faults []site.Fault, got func(fate.Verdict)) error {
		_, free := interruptible(&s.launcher.All)
		defer free()
		return errNotConnected
	}
}

// interruptible returns a context that ends when the processes of a group are asked to stop.
func interruptible(processes *launch.Group) (ctx context.Context, free func()) {
	ctx, cancel := context.WithCancel(context.Background())
	leave := processes.Enter(canceller(cancel))
	return ctx, func() {
		leave()
		cancel()
	}
}

// canceller makes a context a member of a group of processes.
type canceller context.CancelFunc

// Stop cancels the context.
func (c canceller) Stop() { c() }

// Kill cancels the context.
func (c canceller) Kill() { c() }

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
