//go:build go1.25

package testbin

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/change"
	"github.com/allele-go/allele/internal/source/load"
)

// maker adds probes to the packages of a program and compiles its tests.
type maker struct {
	*Program
	conf build.Config
}

// all leaves out tests that do not compile. If a package compiles only without probes, all
// starts over and leaves the package as it is.
func (p maker) all() (err error) {
	for {
		if p.Overlay, err = build.Make(p.Listing, p.conf); err != nil {
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
	if broken := p.Overlay.Broken; len(p.Overlay.Tests) == 0 && len(broken) > 0 {
		return load.BrokenError(broken)
	}
	return nil
}

// tests compiles the tests. If a package can be compiled only without probes, tests returns
// its path at once.
func (p maker) tests() (plain []string, err error) {
	var kept []build.Test
	needed, paths := map[string]bool{}, p.Overlay.Paths()
	if p.conf.Changed != nil {
		needed = judging(p.Program, p.conf.Changed)
		paths = slices.DeleteFunc(paths, func(path string) bool { return !needed[path] })
	}
	shared(p.Program).Ready(build.WithProbes, paths)
	for _, t := range p.Overlay.Tests {
		if p.conf.Changed != nil && !needed[t.Path] {
			kept = append(kept, t) // it is not built
			continue
		}
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
			fmt.Fprintln(p.Stderr, p.Log.show(out.Text))
			return plain, nil
		} else {
			out.Text += "\n" + t.Path + " can be built without probes, so this is a bug in allele: please report it"
		}
		p.Overlay.Broken = append(p.Overlay.Broken, out)
	}
	p.Overlay.Tests = kept
	return nil, nil
}

// CompilerLog is a file for messages of the compiler about code that is not the user's. If it is empty, the user is to see them.
type CompilerLog string

// show returns a text of the compiler for the user. A text of one line is not of the compiler.
func (l CompilerLog) show(text string) string {
	if l == "" || !strings.Contains(strings.TrimSpace(text), "\n") {
		return text
	}
	if err := os.WriteFile(string(l), []byte(text+"\n"), 0o666); err != nil {
		return fmt.Sprintf("what the go command says cannot be written: %v", err)
	}
	return "what the go command says is in " + string(l)
}

// Broken returns the error of a build for the user.
func (l CompilerLog) Broken(err error) error {
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
	return slices.ContainsFunc(p.Overlay.Dirs(), func(d build.Dir) bool { return d.Path == path })
}

// judging returns which tests judge faults on changed lines, by package. Only these are built.
func judging(p *Program, changed map[string]change.Lines) (needed map[string]bool) {
	own, with := map[string]bool{}, map[string]bool{}
	for _, t := range p.Overlay.Tests {
		own[t.Path] = true
	}
	for _, f := range p.Overlay.Faults {
		with[f.Package] = with[f.Package] || changed[f.File].Touch(f.Line, f.EndLine)
	}
	needed = map[string]bool{}
	for _, t := range p.Overlay.Tests {
		needed[t.Path] = slices.ContainsFunc(p.Listing.Needs(t.Path), func(n load.Needed) bool {
			return with[n.Path] && (n.Path == t.Path || !own[n.Path] || len(p.Faults.Of) > 0)
		})
	}
	return needed
}
