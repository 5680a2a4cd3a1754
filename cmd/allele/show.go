package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/casefile"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/proc"
)

const showUsage = `usage: allele show [flags] FILE

Prints a stored case: what its header says, and the input. With -test it prints
the test to paste for it. FILE is .../testdata/allele/<property>/<name>.case

`

// shower is allele show.
type shower struct {
	program
	stdout io.Writer
}

// showCommand is allele show.
func showCommand(args []string, stdout, stderr io.Writer) int {
	s := &shower{program: program{stderr: stderr}, stdout: stdout}
	defer s.close()
	f := flag.NewFlagSet("allele show", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { fmt.Fprint(stderr, showUsage); f.PrintDefaults() }
	s.register(f)
	asTest := f.Bool("test", false, "print the test to paste, which takes a build")
	if err := f.Parse(args); err != nil {
		return exitUsage
	}
	if f.NArg() != 1 {
		fmt.Fprintln(stderr, "allele show: want one file, behind all flags: go tool allele show -test FILE")
		return exitUsage
	}
	if err := s.showFile(f.Arg(0), *asTest); err != nil {
		fmt.Fprintln(stderr, "allele show:", err)
		return exitUsage
	}
	return exitOK
}

func (s *shower) showFile(arg string, asTest bool) error {
	file, err := findCase(s.dir, arg)
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
		fmt.Fprintf(s.stdout, "%-8s %s\n", x.Key, printable(strings.ReplaceAll(x.Value, "\n", " ")))
	}
	if len(f.Facts) > 0 {
		fmt.Fprintln(s.stdout)
	}
	from := ""
	if s.dir != "" {
		from = "-C " + s.dir + " "
	}
	fmt.Fprintf(s.stdout, "%s\n\nas test  go tool allele show %s-test %s\n", printable(f.Expr), from, arg)
	return nil
}

// findCase finds the file that an argument names. Reports name a case relative to its
// package, as go test names everything, so packages below dir are searched too.
func findCase(dir, arg string) (string, error) {
	file := arg
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	_, err := os.Stat(file)
	local := filepath.Clean(arg)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(filepath.ToSlash(local), "testdata/allele/") {
		return file, nil // whoever reads it says what is wrong
	}
	found := below(filepath.Join(dir, "."), local)
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%s: there is no such file here or in a package below; "+
			"a path in a report is relative to its package: go there first, or use -C", arg)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%s: several packages below have such a file; name one of\n    %s", arg, strings.Join(found, "\n    "))
}

// foldersMax bounds a walk: who starts it in the root of a disk has to say more.
const foldersMax = 50_000

// below finds a file in the folders below one.
func below(dir, local string) (found []string) {
	folders := 0
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // a folder that cannot be read has nothing for us
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

// noPackages reports whether a folder of this name holds no packages of the module.
func noPackages(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		name == "testdata" || name == "vendor" || name == "node_modules"
}

// packageFolder is the folder of the package that a stored case belongs to.
func packageFolder(file string) (string, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	folder := filepath.Dir(filepath.Dir(file))
	if filepath.Base(folder) != "allele" || filepath.Base(filepath.Dir(folder)) != "testdata" {
		return "", fmt.Errorf("%s: its path does not say which package it belongs to; "+
			"-test wants <package>/testdata/allele/<property>/<name>.case, so copy it there", file)
	}
	return filepath.Dir(filepath.Dir(folder)), nil
}

// showTest has the test binary of the package print the test, as only that knows
// the types.
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
	if err := s.build(); err != nil {
		return err
	}
	for _, t := range s.overlay.Tests {
		if !sameFolder(s.folder(t.Path), folder) {
			continue
		}
		text, err := s.askTest(property{Package: t.Path, Dir: folder}, file, testsFor(f, t.Names))
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

// pointAt has the package in a folder built, from where allele test is likely to
// be run too, as that decides on the work folder: here or, if the package is not
// in the module around, in the module that it is in.
func (s *shower) pointAt(folder string) error {
	from, err := filepath.Abs(s.dir)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(from, folder)
	if err != nil || !filepath.IsLocal(rel) {
		s.dir, s.patterns = folder, []string{"."}
		return nil
	}
	for dir := folder; dir != from; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			rel, _ = filepath.Rel(dir, folder)
			s.dir = dir
			break
		}
	}
	if s.patterns = []string{"."}; rel != "." {
		s.patterns[0] = "./" + filepath.ToSlash(rel)
	}
	return nil
}

// testsFor are the tests that may have the property of a case.
func testsFor(f casefile.File, names []string) []string {
	test, _ := f.Fact("test")
	if i := strings.IndexAny(test, "/#"); i >= 0 {
		test = test[:i]
	}
	if slices.Contains(names, test) {
		return []string{test}
	}
	return names
}

// askTest runs a test binary that writes the test for a case.
func (s *shower) askTest(p property, file string, tests []string) (string, error) {
	text, err := os.CreateTemp(s.temp.path, "test-*")
	if err != nil {
		return "", err
	}
	text.Close()
	defer os.Remove(text.Name())
	j := &job.Job{Mode: job.Show, Text: job.Text{Case: file, To: text.Name()}}
	d, events, err := s.exec(p, proc.Config{Job: j, Args: []string{launch.TestsFlag(tests)}})
	if err != nil {
		return "", err
	}
	for _, e := range events {
		if e.Kind != event.Note {
			continue
		}
		if e.Verdict == event.Failed {
			return "", fmt.Errorf("%s\nmend the file, or delete it if it is not needed any more", e.Text)
		}
		data, err := os.ReadFile(text.Name())
		return string(data), err
	}
	if d.Code != 0 {
		return "", fmt.Errorf("%s: the tests of %s ended (%s) before one took it\n%s",
			file, p.Package, d.Text, strings.TrimSpace(d.Out+d.Err+d.Stack))
	}
	return "", fmt.Errorf("%s: no property of %s has this case; is the test that its folder or header names still there?", file, p.Package)
}
