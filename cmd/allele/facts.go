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

	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/source/load"
)

const factsUsage = `usage: allele facts [flags] [packages]

Reads the source of the packages, and of the packages in scope that they use. Prints facts
about types: variants of interfaces, constants, functions that make values, constants that
fields are compared with, and patterns that functions match. allele test uses these facts.
With -write they are written to a test file, so that go test uses them too.

With -weights it also computes odds for the constructors of each type (the variants,
builders and patterns of an interface), so that all are generated equally often. This
builds the tests, because only a test binary contains the types of its inputs.

Example:
    go tool allele facts -write ./...

Flags:
`

// factLister is the state of allele facts.
type factLister struct {
	program
	stdout                  io.Writer
	write, weights, verbose bool
}

// factsCommand runs allele facts.
func factsCommand(args []string, stdout, stderr io.Writer) int {
	c := &factLister{program: program{stderr: stderr}, stdout: stdout}
	defer c.close()
	f := newFlags("allele facts", factsUsage, stdout)
	c.loadFlags.register(f.FlagSet)
	f.BoolVar(&c.write, "write", false, "write "+facts.DeclarationsFile+" into the folder of each package with properties")
	f.BoolVar(&c.weights, "weights", false, "also print or write weights with which all constructors of a type are generated equally often")
	f.BoolVar(&c.verbose, "v", false, "also list rejected builders and why")
	err := f.parse(args)
	if err == nil {
		c.choose(f.Args())
		err = c.all()
	}
	return ended("allele facts", err, stderr)
}

func (c *factLister) all() error {
	// Files of an earlier -write contain older facts. They are skipped: they may not even
	// compile any more.
	conf, err := c.loadConfig()
	if err != nil {
		return err
	}
	conf.Skip = facts.IsDeclarations
	listing, err := load.List(conf)
	if err != nil {
		return err
	}
	prog, err := listing.Check()
	switch {
	case err != nil:
		return err
	case len(prog.Scope) == 0 && len(prog.Broken) > 0:
		return load.BrokenError(prog.Broken)
	case c.write:
		err = c.writeFacts(prog)
	default:
		err = c.printFacts(prog)
	}
	if warnBroken(c.stderr, prog.Broken); err == nil && len(prog.Broken) > 0 {
		err = errFailed
	}
	return err
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
	rejected, found := 0, false
	for _, pkg := range prog.Scope {
		p := x.Package(pkg)
		lines := p.Lines()
		if !c.verbose {
			lines = slices.DeleteFunc(lines, func(l facts.Line) bool { return l.Kind == "no builder" })
			rejected += len(p.Rejected)
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
		fmt.Fprintf(c.stdout, "%s in scope, but the source has no facts that help to generate inputs; -scope adds packages\n",
			count(len(prog.Scope), "package"))
	}
	if rejected > 0 {
		fmt.Fprintf(c.stdout, "\nrejected %s; -v lists them and why\n", count(rejected, "builder"))
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
	text      []byte // nil if there are no facts
	own       bool   // the user wrote the file, so it is left as it is
}

// writeFacts writes the files of each package with properties. It makes all texts before it
// writes the first file, so that an error leaves no files behind. It leaves files of the
// user as they are, writes the others, and then returns an error.
func (c *factLister) writeFacts(prog *load.Program) error {
	x := facts.NewIndex(prog)
	var files []factsFile
	for _, path := range prog.Tests {
		if !x.Checks(path) {
			continue
		}
		found, err := x.Declarations(path)
		if err != nil && !errors.Is(err, facts.ErrNothing) {
			return err
		}
		for _, name := range []string{facts.DeclarationsFile, facts.ExternalFile} {
			f := factsFile{path: filepath.Join(folderOf(prog, path), name), pkg: path}
			f.fill(found)
			if f.own, err = isOwn(f.path); err != nil {
				return err
			}
			files = append(files, f)
		}
	}
	if files == nil {
		return fmt.Errorf("no package here has tests with allele.Check; name packages that do: %s facts -write ./...", self)
	}
	if c.weights {
		if err := c.addWeights(x, files); err != nil {
			return err
		}
	}
	var owned []string
	for _, f := range files {
		if f.own && f.text != nil {
			owned = append(owned, c.relative(f.path))
		} else if err := c.put(f, files); err != nil {
			return err
		}
	}
	if owned != nil {
		return fmt.Errorf("not written by this command, so left as it is: %s\n"+
			"    give that file another name, which changes nothing for go test, and run the command again", strings.Join(owned, ", "))
	}
	return nil
}

// fill takes the text of the file from those that were made for its package.
func (f *factsFile) fill(found []facts.File) {
	f.text = nil
	for _, g := range found {
		if g.Name == filepath.Base(f.path) {
			f.text = g.Text
		}
	}
}

// put writes a file, or removes it if it was written earlier and there are no facts for it.
func (c *factLister) put(f factsFile, all []factsFile) error {
	if f.text != nil {
		if err := os.WriteFile(f.path, f.text, 0o666); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "%s: wrote %s\n", f.pkg, c.relative(f.path))
		return nil
	}
	err := fs.ErrNotExist
	if !f.own {
		err = os.Remove(f.path)
	}
	some := func(g factsFile) bool { return g.pkg == f.pkg && g.text != nil }
	switch {
	case err == nil:
		fmt.Fprintf(c.stdout, "%s: removed %s: there is nothing to declare in it\n", f.pkg, c.relative(f.path))
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case filepath.Base(f.path) == facts.DeclarationsFile && !slices.ContainsFunc(all, some):
		fmt.Fprintf(c.stdout, "%s: %v; no file was written\n", f.pkg, facts.ErrNothing)
	}
	return nil
}

// isOwn reports whether the file exists and was not written by this command.
func isOwn(file string) (bool, error) {
	old, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && !facts.IsDeclarations(file, old), err
}

func folderOf(prog *load.Program, path string) string {
	for _, pkg := range prog.Scope {
		if pkg.Path == path {
			return pkg.Dir
		}
	}
	panic("allele: a package with tests is not in scope: " + path)
}
