//go:build go1.25

package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/store/corpora"
	"github.com/allele-go/allele/internal/store/strays"
	"github.com/allele-go/allele/internal/testbin"
)

// finder returns what finds packages by the flags of a command.
func finder(s testbin.Settings) load.Finder { return load.Finder{Dir: s.Dir, Flags: s.Flags()} }

// corpusMerge sets up allele corpus merge.
func corpusMerge(*flagSet) action {
	return func(c *call) error {
		set, err := userCorpora(c)
		if err != nil {
			return err
		}
		if c.NArg() == 0 {
			return fmt.Errorf("no folders; name copies of %s from other machines", set.Root)
		}
		return unless(set.Merge(c.Args()))
	}
}

// corpusExport sets up allele corpus export.
func corpusExport(f *flagSet) action {
	var from testbin.Settings
	to := f.String("o", "", "write to this `folder`")
	fuzz := f.String("go", "", "write corpus files of this native `fuzz` test for the inputs of a test")
	moduleFlags(f, &from)
	return func(c *call) error {
		set, err := userCorpora(c)
		switch {
		case err != nil:
			return err
		case *fuzz != "":
			n, err := native(from, *fuzz, c.Args())
			if err != nil {
				return err
			}
			return set.ExportGo(n, *to)
		case *to == "":
			return errors.New("-o is missing: name a folder to write to, as in -o FOLDER")
		case c.NArg() > 1:
			return fmt.Errorf("got %d patterns, want at most one", c.NArg())
		}
		return set.Export(*to, c.Arg(0))
	}
}

// corpusImport sets up allele corpus import.
func corpusImport(f *flagSet) action {
	var from testbin.Settings
	fuzz := f.String("go", "", "read the corpus of this native `fuzz` test for a test")
	moduleFlags(f, &from)
	return func(c *call) error {
		set, err := userCorpora(c)
		switch {
		case err != nil:
			return err
		case *fuzz != "":
			n, err := native(from, *fuzz, c.Args())
			if err != nil {
				return err
			}
			return unless(set.ImportGo(n, finder(from).Cache()))
		case c.NArg() == 0:
			return fmt.Errorf("no folder; name one that %s corpus export -o has written", self)
		}
		return importFiles(set, from, c.Arg(0), c.Args()[1:])
	}
}

// importFiles saves the inputs in files in a folder, of some packages or of all.
func importFiles(set *corpora.Set, from testbin.Settings, dir string, packages []string) (err error) {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(from.Dir, dir)
	}
	if dir, err = corpora.Folder(dir); err != nil {
		return err
	}
	var only []string
	if len(packages) > 0 {
		if only, err = finder(from).Paths(packages...); err != nil {
			return err
		}
	}
	return unless(set.Import(dir, only))
}

// native returns what import -go and export -go work on.
func native(from testbin.Settings, fuzz string, args []string) (n corpora.Native, err error) {
	if len(args) == 0 || len(args) > 2 {
		return n, errors.New("name one test and at most one package, as in -go FuzzX TestX ./pkg")
	}
	if !strings.HasPrefix(fuzz, "Fuzz") || filepath.Base(fuzz) != fuzz {
		return n, fmt.Errorf("-go wants the name of a fuzz test such as FuzzX, got %s", fuzz)
	}
	pkg, err := finder(from).One(append(args[1:], ".")[0])
	return corpora.Native{Fuzz: fuzz, Test: args[0], Package: corpora.Package{Path: pkg.Path, Dir: pkg.Dir}}, err
}

// corpusMove sets up allele corpus mv.
func corpusMove(f *flagSet) action {
	var from testbin.Settings
	moduleFlags(f, &from)
	return func(c *call) error {
		if c.NArg() < 2 || c.NArg() > 4 {
			return fmt.Errorf("got %d arguments, want the old and the new name of a test, "+
				"as in: %s corpus mv TestOld TestNew [package [new package]]", c.NArg(), self)
		}
		m := corpora.Move{Old: c.Arg(0), New: c.Arg(1)}
		if !strays.IsTest(m.New) {
			return fmt.Errorf("%s is not the name of a test; write the new name of %s in its place", m.New, m.Old)
		}
		set, err := userCorpora(c)
		if err != nil {
			return err
		}
		if m.From, err = movedPackage(from, cmp.Or(c.Arg(2), ".")); err != nil {
			return err
		}
		if m.To = m.From; c.NArg() > 3 {
			if m.To, err = movedPackage(from, c.Arg(3)); err != nil {
				return err
			}
		}
		return set.Move(m)
	}
}

// movedPackage returns the path and folder of a package, which may have been removed.
func movedPackage(from testbin.Settings, pkg string) (corpora.Package, error) {
	folder, err := finder(from).Folder(pkg)
	return corpora.Package{Path: folder.Path, Dir: folder.Dir}, err
}
