//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/store/casefile"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/words"
)

// shower is the state of allele show.
type shower struct {
	testbin.Program
	stdout io.Writer
}

// showCommand sets up allele show.
func showCommand(f *flagSet) action {
	s := &shower{}
	buildFlags(f, &s.Settings)
	asTest := f.Bool("test", false, "print a test that reproduces the case; this builds the package")
	return func(c *call) error {
		if c.NArg() != 1 {
			return fmt.Errorf("name one file: %s show -test FILE", self)
		}
		s.stdout, s.Stderr = c.stdout, c.stderr
		return s.showFile(c.Arg(0), *asTest)
	}
}

func (s *shower) showFile(arg string, asTest bool) error {
	file, err := findCase(s.Dir, arg)
	if err != nil {
		return err
	}
	f, err := casefile.Read(file)
	if err != nil {
		return err
	}
	if asTest {
		return s.showTest(file, f)
	}
	for _, x := range f.Facts {
		fmt.Fprintf(s.stdout, "%-8s %s\n", x.Key, words.Printable(strings.ReplaceAll(x.Value, "\n", " ")))
	}
	if len(f.Facts) > 0 {
		fmt.Fprintln(s.stdout)
	}
	fmt.Fprintf(s.stdout, "%s\n\nas test  %s-test %s\n", words.Printable(f.Expr), commandsWith(&s.Program, "").Show, words.Shell(arg))
	return nil
}

// findCase returns the file that an argument names. The paths in reports are relative to
// the package, as in go test, so findCase searches the packages below dir too.
func findCase(dir, arg string) (string, error) {
	file := arg
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	_, err := os.Stat(file)
	local := filepath.Clean(arg)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(filepath.ToSlash(local), "testdata/allele/") {
		return file, nil // if there is an error, the caller gets it when it reads the file
	}
	found := below(filepath.Join(dir, "."), local)
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%s: no such file here or in a package below; "+
			"a path in a report is relative to the package: change to the package's folder, or use -C", arg)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%s: several packages have such a file; name one of\n    %s", arg, strings.Join(found, "\n    "))
}

// foldersMax is how many folders below visits at most: it may start at the root of a disk.
const foldersMax = 50_000

// below returns the files whose path, relative to dir or to a folder below dir, is local.
func below(dir, local string) (found []string) {
	folders := 0
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // skip folders that cannot be read
		}
		if path != dir && noPackages(d.Name()) {
			return fs.SkipDir
		}
		if folders++; folders > foldersMax {
			return fs.SkipAll
		}
		file := filepath.Join(path, local)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			found = append(found, file)
		}
		return nil
	})
	return found
}

// noPackages reports whether a folder with this name contains no packages of the module.
func noPackages(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		name == "testdata" || name == "vendor" || name == "node_modules"
}

// packageFolder returns the folder of the package that a stored case belongs to.
func packageFolder(file string) (string, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	folder := filepath.Dir(filepath.Dir(file))
	if filepath.Base(folder) != "allele" || filepath.Base(filepath.Dir(folder)) != "testdata" {
		return "", fmt.Errorf("%s: the path does not contain the package of the case; "+
			"for -test, copy the file to <package>/testdata/allele/<property>/<name>.case", file)
	}
	return filepath.Dir(filepath.Dir(folder)), nil
}

// showTest makes the test binary of the package write the test: only the binary contains
// the types of the inputs.
func (s *shower) showTest(file string, f casefile.File) error {
	folder, err := packageFolder(file)
	if err != nil {
		return err
	}
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	if err := s.pointAt(folder); err != nil {
		return err
	}
	defer s.Close()
	if err := s.Build(); err != nil {
		return err
	}
	for _, t := range s.Overlay.Tests {
		if !sameFolder(s.Folder(t.Path), folder) {
			continue
		}
		text, err := s.askTest(launch.Property{Package: t.Path, Dir: folder}, file, testsFor(f, t))
		if err != nil {
			return err
		}
		fmt.Fprint(s.stdout, text)
		return nil
	}
	return fmt.Errorf("%s: no test of the package in %s calls allele.Check", file, folder)
}

func sameFolder(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// pointAt selects the package in a folder, and sets s.Dir, the folder to build it from.
// The work folder depends on s.Dir. So that nothing is built twice, s.Dir should be the
// folder where the user runs allele test: the current folder or, if the package is in
// another module, the root of that module.
func (s *shower) pointAt(folder string) error {
	from, err := filepath.Abs(s.Dir)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(from, folder)
	if err != nil || !filepath.IsLocal(rel) {
		s.Dir, s.Patterns = folder, []string{"."}
		return nil
	}
	for dir := folder; dir != from; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			rel, _ = filepath.Rel(dir, folder)
			s.Dir = dir
			break
		}
	}
	if s.Patterns = []string{"."}; rel != "." {
		s.Patterns[0] = "./" + filepath.ToSlash(rel)
	}
	return nil
}

// testsFor returns the tests that may contain the property of a case: the test that its
// header names or, if that test does not exist, all tests.
func testsFor(f casefile.File, t build.Test) []string {
	test, _ := f.Fact("test")
	if i := strings.IndexAny(test, "/#"); i >= 0 {
		test = test[:i]
	}
	if slices.Contains(t.Names, test) || slices.Contains(t.Maybe, test) {
		return []string{test}
	}
	return t.Names
}

// askTest runs a test binary that writes the test for a case.
func (s *shower) askTest(p launch.Property, file string, tests []string) (string, error) {
	text, err := os.CreateTemp(s.Temp.Path, "test-*")
	if err != nil {
		return "", err
	}
	text.Close()
	defer os.Remove(text.Name())
	j := &job.Job{Mode: job.Show, Text: job.Text{Case: file, To: text.Name()}}
	d, events, err := s.Exec(p, proc.Config{Job: j, Args: []string{launch.TestsFlag(tests)}})
	if err != nil {
		return "", err
	}
	for _, e := range events {
		answer, ok := e.Body.(event.Answered)
		if !ok {
			continue
		}
		if answer.Error != "" {
			return "", fmt.Errorf("%s\nfix or delete this file", answer.Error)
		}
		data, err := os.ReadFile(text.Name())
		return string(data), err
	}
	if d.Code != 0 {
		return "", fmt.Errorf("%s: the tests of %s exited (%s) before one of them read the case\n%s",
			file, p.Package, d.Text, strings.TrimSpace(d.Out+d.Err+d.Stack))
	}
	return "", fmt.Errorf("%s: no property of %s has this case; does the test that its folder or header names still exist?",
		file, p.Package)
}
