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

	"github.com/allele-go/allele/internal/proc/dist"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/list"
	"github.com/allele-go/allele/internal/testbin/weigh"
	"github.com/allele-go/allele/internal/words"
)

// factLister is the state of allele facts.
type factLister struct {
	testbin.Program
	lister                  list.Lister
	stdout                  io.Writer
	write, weights, verbose bool
}

// factsCommand sets up allele facts.
func factsCommand(f *flagSet) action {
	l := &factLister{}
	l.lister.Program = &l.Program
	loadFlags(f, &l.Settings)
	f.BoolVar(&l.write, "write", false, "write "+facts.DeclarationsFile+" into the folder of each package with properties")
	f.BoolVar(&l.weights, "weights", false, "also print or write weights with which all constructors of a type are generated equally often")
	f.BoolVar(&l.verbose, "v", false, "also list rejected builders and why")
	return func(c *call) error {
		l.stdout, l.Stderr = c.stdout, c.stderr
		choose(&l.Settings, c.Args(), "")
		return l.facts()
	}
}

// facts reads the source, and prints or writes its facts.
func (c *factLister) facts() error {
	defer c.Close()
	// Files of an earlier -write contain older facts. They are skipped: they may not even
	// compile any more.
	conf, err := c.LoadConfig()
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
	if warnBroken(c.Stderr, prog.Broken); err == nil && len(prog.Broken) > 0 {
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
			fmt.Fprintf(c.stdout, "%-10s %s:%d: %s\n", l.Kind, c.Relative(l.Pos.Filename), l.Pos.Line, words.Printable(l.Text))
		}
		for _, w := range chosen[pkg.Path].All {
			fmt.Fprintf(c.stdout, "%-10s %s\n", "weights", words.Printable(weightLine(w)))
		}
		delete(chosen, pkg.Path)
	}
	if !found {
		fmt.Fprintf(c.stdout, "%s in scope, but the source has no facts that help to generate inputs; -scope adds packages\n",
			words.Count(len(prog.Scope), "package"))
	}
	if rejected > 0 {
		fmt.Fprintf(c.stdout, "\nrejected %s; -v lists them and why\n", words.Count(rejected, "builder"))
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
			owned = append(owned, c.Relative(f.path))
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
		fmt.Fprintf(c.stdout, "%s: wrote %s\n", f.pkg, c.Relative(f.path))
		return nil
	}
	err := fs.ErrNotExist
	if !f.own {
		err = os.Remove(f.path)
	}
	some := func(g factsFile) bool { return g.pkg == f.pkg && g.text != nil }
	switch {
	case err == nil:
		fmt.Fprintf(c.stdout, "%s: removed %s: there is nothing to declare in it\n", f.pkg, c.Relative(f.path))
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

// addWeights adds weights to files that are about to be written. The weights depend on
// the other declarations in these files. So addWeights first writes the files without
// weights, and then builds the tests that compute the weights; otherwise the next call
// would compute different weights. If there is an error, it restores the old files.
func (c *factLister) addWeights(x *facts.Index, files []factsFile) (err error) {
	for _, f := range files {
		old, readErr := os.ReadFile(f.path)
		switch {
		case readErr != nil && !errors.Is(readErr, fs.ErrNotExist):
			return readErr
		case f.own || f.text == nil && readErr != nil:
			continue
		}
		defer func() {
			switch {
			case err == nil:
			case old == nil:
				os.Remove(f.path)
			default:
				os.WriteFile(f.path, old, 0o666)
			}
		}()
		if f.text == nil {
			err = os.Remove(f.path)
		} else {
			err = os.WriteFile(f.path, f.text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	chosen, err := c.weigh()
	if err != nil {
		return err
	}
	for i := range files {
		f := &files[i]
		found, left, err := x.Weighted(f.pkg, chosen[f.pkg])
		if err != nil && !errors.Is(err, facts.ErrNothing) {
			return err
		}
		if f.fill(found); len(left) > 0 && filepath.Base(f.path) == facts.DeclarationsFile {
			c.leftOut(f.pkg, left)
		}
	}
	return nil
}

// leftOut prints which types have no weights, and what to do about it.
func (c *factLister) leftOut(pkg string, types []string) {
	fmt.Fprintf(c.Stderr, "%s: no weights for %s that cannot be named in %s, or whose constructors share a name: %s; "+
		"use the option allele.Distribution{} of a Check instead, which needs no names\n",
		pkg, words.Count(len(types), "type"), facts.DeclarationsFile, words.Printable(strings.Join(types, ", ")))
}

// weigh builds the tests and computes the weights of every property, one package after
// the other.
func (c *factLister) weigh() (map[string]facts.Chosen, error) {
	if err := c.Build(); err != nil {
		return nil, err
	}
	chosen := map[string]facts.Chosen{}
	for _, t := range c.Overlay.Tests {
		props, err := c.lister.List(t)
		if err != nil {
			fmt.Fprintf(c.Stderr, "allele facts: cannot list the properties of %v\n", err)
		}
		var scales weigh.Scales
		for _, p := range props {
			data, err := weigh.Dist(&c.Program, p, job.Text{Inputs: 1, Uniform: true})
			var answer dist.Dist
			if err == nil {
				answer, err = dist.Decode(data)
			}
			if err != nil {
				fmt.Fprintf(c.Stderr, "allele facts: skipped a property: %v\n", err)
				continue
			}
			scales.Add(p.Name, answer)
		}
		if chosen[t.Path] = scales.Chosen(); len(scales.Left) > 0 {
			c.leftOut(t.Path, scales.Left)
		}
	}
	return chosen, nil
}

// weightLine returns the weights of a type as a line of the listing.
func weightLine(w facts.Weights) string {
	var parts []string
	for _, way := range w.Ways {
		parts = append(parts, way.Name+" "+way.Weight())
	}
	return fmt.Sprintf("%s is %s (%s)", w.Type, strings.Join(parts, ", "), w.From)
}
