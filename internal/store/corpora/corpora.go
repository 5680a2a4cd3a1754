//go:build go1.25

// Package corpora moves saved inputs and stored cases: between the corpora of two machines, to
// files and back, to the corpus of a fuzz test and back, and to a test with another name.
//
//	s := &corpora.Set{Root: root, Out: stdout, Warn: warn, Self: "allele"}
//	ok, err := s.Merge(dirs)                  // copies of other machines
//	err := s.Export(dir, pattern)             // one file for each input
//	ok, err := s.Import(dir, packages)        // such files, also written by people
//	err := s.Move(corpora.Move{Old: "TestA", New: "TestB", From: pkg, To: pkg})
//	ok, err := s.ImportGo(native, gocache)    // go test -fuzz
//
// All of this works on inputs as text, without a test binary: an input that does not fit its type
// any more is found by the next search. Files are untrusted, so each problem skips one file, and
// what is read is bounded. Nothing that is already in a corpus is changed: it may be newer.
package corpora

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/words"
)

// Set is the corpora of all properties, in a folder.
type Set struct {
	Root string
	Out  io.Writer                        // for what was done
	Warn func(format string, args ...any) // prints a problem that does not end the command
	Self string                           // how the user calls the command, for messages
}

// Named returns the name of a property as allele corpus list prints it. Patterns are
// matched against this name.
func Named(p corpus.Place) string { return p.Package + "." + p.Property }

// Places returns the properties whose names match a pattern, with the folders of their
// corpora. If there are none, it prints what to do.
func (s *Set) Places(pattern string) ([]corpus.Place, error) {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	all, err := corpus.List(s.Root)
	if err != nil {
		return nil, err
	}
	some := slices.DeleteFunc(slices.Clone(all), func(p corpus.Place) bool { return !match.MatchString(Named(p)) })
	switch {
	case len(all) == 0:
		fmt.Fprintf(s.Out, "no saved inputs in %s\nto save inputs that show something new, run: %s test ./...\n", s.Root, s.Self)
	case len(some) == 0:
		fmt.Fprintf(s.Out, "no property matches %s; there %s with saved inputs\nto list them, run: %s corpus list\n",
			pattern, are(len(all)), s.Self)
	}
	return some, nil
}

func are(n int) string {
	if n == 1 {
		return "is 1"
	}
	return "are " + words.Group(n)
}

// Merge copies the saved inputs of other corpora, in copies of Root from other machines, to this
// set. ok is false if some inputs could not be copied.
func (s *Set) Merge(dirs []string) (ok bool, err error) {
	ok = true
	for _, dir := range dirs {
		if sameFolder(dir, s.Root) {
			return false, fmt.Errorf("%s is the corpus itself; name copies from other machines", dir)
		}
		if _, err := Folder(dir); err != nil {
			return false, err
		}
		places, err := corpus.List(dir)
		if err != nil {
			return false, err
		}
		if len(places) == 0 {
			return false, fmt.Errorf("no corpus in %s; want a copy of a folder like %s, which has a folder for each package", dir, s.Root)
		}
		for _, p := range places {
			ok = s.mergeOne(p) && ok
		}
	}
	return ok, nil
}

func sameFolder(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// Folder returns the absolute path of a folder, which must exist.
func Folder(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder", dir)
	}
	return filepath.Abs(dir)
}

// mergeOne copies the inputs of one property. It returns false if some inputs could not
// be copied; it has then printed why.
func (s *Set) mergeOne(p corpus.Place) bool {
	k, err := corpus.Read(p.Dir)
	switch {
	case err != nil:
		s.Warn("%s: skipped: %v", p.Dir, err)
		return false
	case k.Property == "":
		s.Warn("%s: skipped: no file in it names a property", p.Dir)
		return false
	}
	for _, text := range k.Problems {
		s.Warn("damaged, skipped: %s", text)
	}
	added, err := s.add(k.Package, k.Property, k)
	fmt.Fprintf(s.Out, "%-40s %9s of %s new\n", words.Printable(Named(p)), words.Group(added), words.Count(len(k.Entries), "input"))
	if err != nil {
		s.Warn("%s: not all inputs were added: %v", Named(p), err)
	}
	return err == nil
}

// add saves the inputs of k that the property's corpus does not contain yet, and the
// progress of the search. It does not change inputs that the corpus already contains,
// since they may be newer.
func (s *Set) add(pkg, property string, k *corpus.Corpus) (added int, err error) {
	dir := corpus.Folder(s.Root, pkg, property)
	mine, err := corpus.Read(dir)
	if err != nil {
		return 0, err
	}
	known := map[string]bool{}
	for _, e := range mine.Entries {
		known[e.ID()] = true
	}
	w, err := corpus.Create(dir, pkg, property)
	if err != nil {
		return 0, err
	}
	rejected := 0
	for _, e := range k.Entries {
		if known[e.ID()] {
			continue
		}
		if problem := w.Add(e); problem != nil {
			rejected, err = rejected+1, problem
			continue
		}
		known[e.ID()] = true
		added++
	}
	if rejected > 1 {
		err = fmt.Errorf("%s were rejected; the last one: %w", words.Count(rejected, "input"), err)
	}
	if k.Runs > mine.Runs {
		err = errors.Join(err, w.Ran(k.Runs, k.Binary))
	}
	return added, errors.Join(err, w.Close())
}
