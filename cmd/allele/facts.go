package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/source/load"
)

const factsUsage = `usage: allele facts [flags] [packages]

Prints what the source says about the types of packages, and of those in scope that
they are built from: variants of interfaces, constants, functions that make values,
constants that fields are compared with, and shapes that functions look for. allele test
uses all of it. With -write it becomes a test file, by which go test knows it too.

With -weights there is more: how often to choose each constructor of a type, so that
all come equally often. It takes a build, as only the tests know their inputs.

`

// factLister is allele facts.
type factLister struct {
	program
	stdout                  io.Writer
	write, weights, verbose bool
}

// factsCommand is allele facts.
func factsCommand(args []string, stdout, stderr io.Writer) int {
	c := &factLister{program: program{stderr: stderr}, stdout: stdout}
	defer c.close()
	f := flag.NewFlagSet("allele facts", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { fmt.Fprint(stderr, factsUsage); f.PrintDefaults() }
	c.loadFlags.register(f)
	f.BoolVar(&c.write, "write", false, "write "+facts.DeclarationsFile+" into the folder of each package with properties")
	f.BoolVar(&c.weights, "weights", false, "print or write weights too, by which all constructors of a type come equally often")
	f.BoolVar(&c.verbose, "v", false, "print the functions too that make values and are not called, with the reason")
	if err := f.Parse(args); err != nil {
		return exitUsage
	}
	c.choose(f.Args())
	if err := c.all(); err != nil {
		fmt.Fprintln(stderr, "allele facts:", err)
		return exitUsage
	}
	return exitOK
}

func (c *factLister) all() error {
	// Files that an earlier -write wrote repeat what was found then. They are left out: they
	// may not even compile any more.
	conf := c.loadConfig()
	conf.Skip = written
	prog, err := load.Packages(conf)
	switch {
	case err != nil:
		return err
	case c.write:
		return c.writeFacts(prog)
	}
	return c.printFacts(prog)
}

// printFacts lists the facts of every package in scope.
func (c *factLister) printFacts(prog *load.Program) error {
	x := facts.NewIndex(prog)
	chosen := map[string]facts.Chosen{}
	if c.weights {
		var err error
		if chosen, err = c.weigh(); err != nil {
			return err
		}
	}
	turned, found := 0, false
	for _, pkg := range prog.Scope {
		p := x.Package(pkg)
		lines := p.Lines()
		if !c.verbose {
			lines = slices.DeleteFunc(lines, func(l facts.Line) bool { return l.Kind == "no builder" })
			turned += len(p.Rejected)
		}
		if len(lines) == 0 && chosen[pkg.Path].All == nil {
			continue
		}
		if found {
			fmt.Fprintln(c.stdout)
		}
		found = true
		fmt.Fprintln(c.stdout, title(pkg))
		for _, l := range lines {
			fmt.Fprintf(c.stdout, "%-10s %s:%d: %s\n", l.Kind, c.relative(l.Pos.Filename), l.Pos.Line, printable(l.Text))
		}
		for _, w := range chosen[pkg.Path].All {
			fmt.Fprintf(c.stdout, "%-10s %s\n", "weights", printable(weightLine(w)))
		}
		delete(chosen, pkg.Path)
	}
	if !found {
		fmt.Fprintf(c.stdout, "%s in scope, and nothing in the source that helps to make inputs; -scope adds packages\n",
			count(len(prog.Scope), "package"))
	}
	if turned > 0 {
		fmt.Fprintf(c.stdout, "\nnot called, though they make values: %s; -v says why\n", count(turned, "function"))
	}
	return nil
}

func title(pkg *load.Package) string {
	if pkg.External {
		return pkg.Path + ", external tests"
	}
	return pkg.Path
}

// factsFile is a file to write.
type factsFile struct {
	path, pkg string
	text      []byte // nil if there is nothing to say
}

// writeFacts writes a file for each package with properties. All are made before the
// first is written, so that a mistake leaves none behind.
func (c *factLister) writeFacts(prog *load.Program) error {
	x := facts.NewIndex(prog)
	var files []factsFile
	for _, path := range prog.Tests {
		if len(facts.Tests(prog, path)) == 0 {
			continue
		}
		text, err := x.Declarations(path)
		if err != nil && !errors.Is(err, facts.ErrNothing) {
			return err
		}
		files = append(files, factsFile{filepath.Join(folderOf(prog, path), facts.DeclarationsFile), path, text})
		if err := mayWrite(files[len(files)-1].path); err != nil {
			return err
		}
	}
	if len(files) == 0 {
		return errors.New("no package here has tests with allele.Check; name those that have: go tool allele facts -write ./...")
	}
	if c.weights {
		if err := c.addWeights(x, files); err != nil {
			return err
		}
	}
	for _, f := range files {
		if f.text == nil {
			fmt.Fprintf(c.stdout, "%s: %v; no file is written\n", f.pkg, facts.ErrNothing)
			continue
		}
		if err := os.WriteFile(f.path, f.text, 0o666); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "%s: wrote %s\n", f.pkg, c.relative(f.path))
	}
	return nil
}

// written reports whether a file is one that this command wrote.
func written(file string, src []byte) bool {
	return filepath.Base(file) == facts.DeclarationsFile && bytes.HasPrefix(src, []byte(facts.DeclarationsHeader))
}

// mayWrite refuses a file that somebody else has written.
func mayWrite(file string) error {
	old, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !written(file, old) {
		err = fmt.Errorf("%s is there already and was not written by this command; move or delete it", file)
	}
	return err
}

func folderOf(prog *load.Program, path string) string {
	for _, pkg := range prog.Scope {
		if pkg.Path == path {
			return pkg.Dir
		}
	}
	panic("allele: a package with tests is in scope: " + path)
}
