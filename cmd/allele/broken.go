//go:build go1.25

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/source/load"
)

// maker adds probes to the packages of a program and compiles its tests.
type maker struct {
	*program
	conf build.Config
}

// all leaves out tests that do not compile. If a package compiles only without probes, all
// starts over and leaves the package as it is.
func (p maker) all() (err error) {
	for {
		if p.overlay, err = build.Make(p.listing, p.conf); err != nil {
			return err
		}
		plain, err := p.tests()
		if err != nil {
			return err
		}
		if len(plain) == 0 {
			break
		}
		p.conf.Plain = append(p.conf.Plain, plain...)
	}
	if broken := p.overlay.Broken; len(p.overlay.Tests) == 0 && len(broken) > 0 {
		return load.BrokenError(broken)
	}
	return nil
}

// tests compiles the tests. If a package can be compiled only without probes, tests returns
// its path at once.
func (p maker) tests() (plain []string, err error) {
	var kept []build.Test
	shared(p.program).Ready(build.WithProbes, p.overlay.Paths())
	for _, t := range p.overlay.Tests {
		_, err := p.compile(build.WithProbes, t.Path)
		if err == nil {
			kept = append(kept, t)
			continue
		}
		var wrong, plainly *build.CompileError
		if !errors.As(err, &wrong) {
			return nil, err
		}
		out := load.Broken{Path: t.Path, Tests: true, Text: messages(wrong)}
		if _, err := p.compile(build.Unprobed, t.Path); errors.As(err, &plainly) && !load.InSupport(plainly.Output) {
			out.Text = messages(plainly) // not our fault, and the columns are right
		} else if plain := p.faulty(out.Text); len(plain) > 0 {
			fmt.Fprintln(p.stderr, p.log.show(out.Text))
			return plain, nil
		} else {
			out.Text += "\n" + t.Path + " can be built without probes, so this is a bug in allele: please report it"
		}
		p.overlay.Broken = append(p.overlay.Broken, out)
	}
	p.overlay.Tests = kept
	return nil, nil
}

// compilerLog is a file for messages of the compiler about code that is not the user's. If it is empty, the user is to see them.
type compilerLog string

// show returns a text of the compiler for the user. A text of one line is not of the compiler.
func (l compilerLog) show(text string) string {
	if l == "" || !strings.Contains(strings.TrimSpace(text), "\n") {
		return text
	}
	if err := os.WriteFile(string(l), []byte(text+"\n"), 0o666); err != nil {
		return fmt.Sprintf("what the go command says cannot be written: %v", err)
	}
	return "what the go command says is in " + string(l)
}

// broken returns the error of a build for the user.
func (l compilerLog) broken(err error) error {
	if l == "" {
		return err
	}
	return fmt.Errorf("cannot build the search: there is an error in allele, or in its installation, and not in your program; %s",
		l.show(err.Error()))
}

// messages returns what the go command printed about a package, without the result.
func messages(err *build.CompileError) string {
	lines := slices.DeleteFunc(strings.Split(err.Output, "\n"), func(line string) bool {
		return line == "FAIL" || strings.HasPrefix(line, "FAIL\t")
	})
	return cmp.Or(strings.Join(lines, "\n"), err.Error())
}

// compiled matches the line in which the go command names the package whose errors follow.
var compiled = regexp.MustCompile(`(?m)^# ([^\s\[]+)( \[.*\])?$`)

// faulty returns the packages with probes that have errors, according to the go command.
func (p maker) faulty(text string) (paths []string) {
	for _, m := range compiled.FindAllStringSubmatch(text, -1) {
		path := m[1]
		if short, ok := strings.CutSuffix(path, "_test"); ok && !p.probed(path) {
			path = short
		}
		if p.probed(path) && !slices.Contains(p.conf.Plain, path) && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

func (p maker) probed(path string) bool {
	return slices.ContainsFunc(p.overlay.Dirs(), func(d build.Dir) bool { return d.Path == path })
}

// leftOut says which packages were left out. It is the last line of a command, and "" if
// there are none.
func leftOut(broken []load.Broken) string {
	var paths []string
	for _, b := range broken {
		paths = append(paths, b.Path)
	}
	switch len(paths) {
	case 0:
		return ""
	case 1:
		return "1 package was left out, because it does not compile: " + paths[0]
	}
	return fmt.Sprintf("%s were left out, because they do not compile: %s", count(len(paths), "package"), strings.Join(paths, ", "))
}

// advice returns what to do about some errors of the compiler, and "" for others: errors in a
// file that facts -write has written, and in a file whose language is too old for a Check.
func advice(text string) string {
	switch {
	case strings.Contains(text, facts.DeclarationsFile+":"):
		return outdated(facts.DeclarationsFile)
	case strings.Contains(text, facts.ExternalFile+":"):
		return outdated(facts.ExternalFile)
	case strings.Contains(text, "requires go1.18 or later"):
		return "the go line of go.mod is below 1.18, and a call of allele.Check needs 1.18: " +
			"begin the test file with //go:build go1.18, followed by an empty line\n"
	}
	return ""
}

func outdated(file string) string {
	return fmt.Sprintf("%s is outdated; to write it again, run: %s facts -write ./...\n", file, self)
}

// warnBroken prints the errors of packages that are left out.
func warnBroken(stderr io.Writer, broken []load.Broken) {
	for _, b := range broken {
		fmt.Fprintf(stderr, "%v\n%s", b, advice(b.Text))
	}
	if last := leftOut(broken); last != "" {
		fmt.Fprintln(stderr, last)
	}
}
