//go:build go1.25

package load

import (
	"cmp"
	"errors"
	"fmt"
	"go/scanner"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// Broken is a package that does not compile, or whose tests do not. It is left out: the
// tests of other packages are built as if their pattern did not match this one. A package
// that imports a broken package is broken too.
type Broken struct {
	Path    string
	Tests   bool   // only its tests do not compile
	Text    string // its errors, as the go command prints them
	Imports string // for a package without errors of its own: the broken package that it imports
}

// String returns the errors, or the broken package that this one imports.
func (b Broken) String() string {
	if b.Imports == "" {
		return b.Text
	}
	if b.Tests {
		return fmt.Sprintf("%s: its tests are left out, because they import %s, which does not compile", b.Path, b.Imports)
	}
	return fmt.Sprintf("%s: left out, because it imports %s, which does not compile", b.Path, b.Imports)
}

// errorsMax is the maximal number of errors that are reported for one package. It is that
// of the compiler.
const errorsMax = 10

// errImport is the error of a unit that imports a unit with an error.
var errImport = errors.New("an imported package does not compile")

// BrokenError returns an error that lists the broken packages, and nil if there are none.
func BrokenError(broken []Broken) error {
	var texts []string
	for _, b := range broken {
		texts = append(texts, b.String())
	}
	if len(texts) == 0 {
		return nil
	}
	return errors.New(strings.Join(texts, "\n"))
}

// failedLists returns the errors that go list reports, by import path with variant.
func (l *Listing) failedLists() map[string]string {
	failed := map[string]string{}
	for _, p := range l.all {
		if p.Error != nil {
			failed[p.ImportPath] = p.Error.String()
		}
	}
	return failed
}

func (e *listError) String() string {
	if e.Pos == "" && len(e.ImportStack) > 1 {
		return "package " + strings.Join(e.ImportStack, "\n\timports ") + ": " + e.Err
	}
	return strings.TrimPrefix(e.Pos+": "+e.Err, ": ")
}

// without returns the listing without packages that failed, without packages that need one
// of them, and without packages that are built only for a test which is left out.
func (l *Listing) without(failed map[string]string) *Listing {
	why := map[string]string{} // import path with variant -> the package that failed
	for path := range failed {
		why[path] = path
	}
	for more := true; more; { // usually a package comes after those it imports, but not in a cycle
		more = false
		for _, p := range l.all {
			if _, known := why[p.ImportPath]; known {
				continue
			}
			for _, dep := range slices.Concat(p.Imports, p.builtFor()) {
				if cause, ok := why[dep]; ok {
					why[p.ImportPath], more = cause, true
					break
				}
			}
		}
	}
	few := &Listing{config: l.config, began: l.began, broken: slices.Clip(l.broken)}
	for _, p := range l.all {
		cause, out := why[p.ImportPath]
		if !out {
			few.all = append(few.all, p)
		} else if !p.Standard || failed[p.ImportPath] != "" {
			few.report(p, failed[p.ImportPath], l.find(cause))
		}
	}
	few.blameImporters(l)
	slices.SortFunc(few.broken, func(a, b Broken) int { // causes first
		return cmp.Or(strings.Compare(a.Imports, b.Imports), strings.Compare(a.Path, b.Path))
	})
	few.chosen = pick(few.all, l.config)
	return few
}

// builtFor returns the test that a variant is built for.
func (p *listed) builtFor() []string {
	if p.ForTest == "" {
		return nil
	}
	return []string{p.ForTest + ".test"}
}

func (l *Listing) find(path string) *listed {
	return l.all[slices.IndexFunc(l.all, func(p *listed) bool { return p.ImportPath == path })]
}

// report adds a package to the broken ones. text is empty for a package that is left out
// because of another one, cause. A package and its variants are reported once.
func (l *Listing) report(p *listed, text string, cause *listed) {
	path, isTest := strings.CutSuffix(p.path(), ".test")
	if text == "" && (isTest || path == cause.target()) {
		return // the package under test is reported
	}
	if text == "" && p.variant() && p.ForTest != path {
		return // another package, built for a test that is left out
	}
	one := Broken{Path: path, Tests: isTest || p.variant(), Text: text}
	if text == "" {
		one.Imports = cause.target()
	}
	i := slices.IndexFunc(l.broken, func(b Broken) bool { return b.Path == path })
	if i < 0 {
		l.broken = append(l.broken, one)
		return
	}
	old := &l.broken[i]
	old.Tests = old.Tests && one.Tests
	if old.Text == "" && text != "" {
		old.Text, old.Imports = text, ""
	}
}

// target returns the import path of the package that p is, or that p tests.
func (p *listed) target() string { return strings.TrimSuffix(p.path(), ".test") }

// blameImporters reports that a package cannot be found as an error of the packages that
// import it: the package itself does not exist.
func (l *Listing) blameImporters(before *Listing) {
	for _, missing := range before.all {
		if missing.Error == nil || len(missing.GoFiles)+len(missing.CgoFiles) > 0 || strings.HasSuffix(missing.ImportPath, ".test") {
			continue
		}
		text, blamed := missing.Error.String(), false
		for i := range l.broken {
			b := &l.broken[i]
			if !before.imports(b.Path, missing.ImportPath) {
				continue
			}
			b.Imports, blamed = "", true
			if !strings.Contains(b.Text, text) {
				b.Text = strings.TrimPrefix(b.Text+"\n"+text, "\n")
			}
		}
		if blamed {
			l.broken = slices.DeleteFunc(l.broken, func(b Broken) bool { return b.Path == missing.ImportPath })
		}
	}
}

// imports reports whether a package, or its test, imports another package directly.
func (l *Listing) imports(path, other string) bool {
	return slices.ContainsFunc(l.all, func(p *listed) bool { return p.path() == path && slices.Contains(p.Imports, other) })
}

// failedUnits returns the errors of packages that do not type-check.
func (c *checker) failedUnits(order []*unit) map[string]string {
	failed := map[string]string{}
	for _, u := range order {
		if u.err != nil && !errors.Is(u.err, errImport) {
			failed[u.ImportPath] = c.text(u.err)
		}
	}
	return failed
}

// text writes an error as the go command does, with the name of the file relative to the
// folder where the command runs.
func (c *checker) text(err error) string {
	var lines []string
	switch err := err.(type) {
	case typeErrors:
		for _, e := range err {
			lines = append(lines, c.relative(e.Fset.Position(e.Pos).String())+": "+e.Msg)
		}
	case scanner.ErrorList:
		for _, e := range err {
			lines = append(lines, c.relative(e.Pos.String())+": "+e.Msg)
		}
	default:
		return err.Error()
	}
	if len(lines) > errorsMax {
		lines = append(lines[:errorsMax], "too many errors")
	}
	return strings.Join(lines, "\n")
}

// typeErrors are the errors of one package, from the type checker.
type typeErrors []types.Error

func (all typeErrors) Error() string { return all[0].Error() }

func (c *checker) relative(position string) string {
	dir, err := filepath.Abs(c.config.Dir)
	if err != nil {
		return position
	}
	short, err := filepath.Rel(dir, position)
	if err != nil || !filepath.IsLocal(short) {
		return position
	}
	return short
}
