//go:build go1.25

package build

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/allele-go/allele/internal"
	"github.com/allele-go/allele/internal/proc/scoring"
	"github.com/allele-go/allele/internal/source/edit"
	"github.com/allele-go/allele/internal/source/fault"
	"github.com/allele-go/allele/internal/source/load"
)

// A build with faults differs from one with probes alone in three ways. Packages that match
// Faults.Of get the bodies with gates that package fault writes. Every package with tests gets
// a test file that registers its tests with package suite, which can run them many times in
// one process. And the tests need not use the library: if no test of the build does, the
// sources of the packages hook and suite, and of those that suite imports, become packages of
// the user's module, in a folder that exists in the overlay only.

// Faults describes which packages of a build get faults.
type Faults struct {
	Of []string // patterns of import paths; if empty, the packages that are loaded by name
	// Late means that no fault is switched on before the program has started, so that packages
	// need no file for that. The file imports os, which packages of the standard library cannot.
	Late bool
	Near bool // also faults that change whole numbers a little
	// Since is a git revision: only faults on lines that have changed since then are judged. "" means all.
	Since string
	// Texts means that the texts of errors and the calls of loggers get faults, too.
	Texts bool
	// Only lists packages that are in scope for their faults alone. What their source tells about types is not used, so
	// that the program generates the same inputs as one without faults.
	Only []string
}

// informed returns the packages in scope whose source tells about types.
func (c Config) informed(scope []*load.Package) []*load.Package {
	switch {
	case c.Load.Main:
		return nil // a program generates no inputs
	case c.Faults == nil:
		return scope
	}
	return slices.DeleteFunc(slices.Clone(scope), func(p *load.Package) bool { return slices.Contains(c.Faults.Only, p.Path) })
}

// has reports whether a package gets faults.
func (f *Faults) has(prog *load.Program, pkg *load.Package) bool {
	if len(f.Of) == 0 {
		return slices.Contains(prog.Named, pkg.Path)
	}
	return slices.ContainsFunc(f.Of, func(pattern string) bool { return load.Match(pattern, pkg.Path) })
}

// list returns what identifies the faults of a build, or nil for a build without.
func (f *Faults) list() []string {
	if f == nil {
		return nil
	}
	return append([]string{fmt.Sprint("faults", f.Late, f.Near, f.Texts)}, f.Of...)
}

// SuiteTest is the test that runs the registered tests.
const SuiteTest = scoring.SuiteTest

const suitePath = load.Library + "/internal/score/suite"

// addFaults adds the edits of package fault for one package to those of its probes, and
// records its faults. It returns the declarations for the support file.
func (o *Overlay) addFaults(prog *load.Program, pkg *load.Package, probes []edit.Buffer) (support string, err error) {
	if o.config.Faults == nil {
		return "", nil
	}
	// The tests of a package without faults get guards all the same.
	opts := fault.Options{None: !o.config.Faults.has(prog, pkg), Near: o.config.Faults.Near, Texts: o.config.Faults.Texts,
		Probes: make([][]fault.Edit, len(probes))}
	for i := range probes {
		for offset, text := range probes[i].All() {
			opts.Probes[i] = append(opts.Probes[i], fault.Edit{Offset: offset, Text: text})
		}
	}
	lines, changed := o.config.Changed, false
	if lines != nil {
		opts.Gated = func(file string, first, last int) bool { return lines[file].Touch(first, last) }
		for _, f := range pkg.Files {
			changed = changed || !f.Test && len(lines[f.Path]) > 0
		}
	}
	r := fault.Rewrite(prog.Fset, pkg, opts)
	if lines != nil && !changed && !opts.None {
		list := r
		opts.None, opts.Gated = true, nil
		r = fault.Rewrite(prog.Fset, pkg, opts) // only guards
		r.Faults, r.Declined = list.Faults, list.Declined
	}
	for i := range probes {
		var both edit.Buffer
		for _, e := range slices.Concat(r.Edits[i], opts.Probes[i]) {
			both.InsertLines(e.Offset, e.Text)
		}
		probes[i] = both
	}
	for _, f := range r.Faults {
		f.ID = len(o.Faults)
		o.Faults = append(o.Faults, f)
	}
	for why, n := range r.Declined {
		o.Without[why] += n
	}
	if len(r.Faults) > 0 && !o.config.Faults.Late && (lines == nil || changed) {
		if err := o.addBoot(pkg); err != nil {
			return "", err
		}
	}
	return r.Support, o.addSuite(prog, pkg, r.TestSupport)
}

// BootVariable is the variable of the environment that names a fault which is switched on
// when the program starts: an import path, the number of the gate and that of the variant.
const BootVariable = scoring.BootVariable

// bootText declares a variable whose initialiser switches on a fault. The go command passes
// the files of a package to the compiler in the order of their names, and variables that
// depend on no others are initialised in that order. So this file has a name that comes first.
const bootText = `
import alleleOs_ "os"

//go:linkname alleleBoot_ HOOK.Boot
func alleleBoot_(text, path string) (site, variant int, ok bool)

var alleleBooted_ = alleleStart_(alleleOs_.Getenv(%q))

func alleleStart_(text string) bool {
	s, v, ok := alleleBoot_(text, %q)
	if ok && s < len(alleleSite_) {
		alleleSite_[s] = 2 + uint8(v)
	}
	return ok
}
`

// addBoot adds the file that switches on a fault of a package before its initialisers run.
func (o *Overlay) addBoot(pkg *load.Package) error {
	text := supportFile(pkg.Name, fmt.Sprintf(bootText, BootVariable, pkg.Path), Facts{})
	return o.add(filepath.Join(pkg.Dir, pkg.Boot()), pkg, o.linked(text))
}

// libraryImport matches an import of a package of the library, up to the last element of its path.
var libraryImport = regexp.MustCompile(`"` + regexp.QuoteMeta(load.Library) + `/internal/([a-z]+/)*`)

// inject adds the packages of internal.Sources to a program that does not use the library, or whose library may have
// another version. They become neighbours in one folder, and import each other there.
func (o *Overlay) inject() error {
	mains, err := o.mainModules()
	if err != nil {
		return err
	}
	name := "zzallele"
	for exists(filepath.Join(mains[0].Dir, name)) {
		name += "z"
	}
	path := mains[0].Path + "/" + name
	o.hook, o.suite, o.probed = path+"/hook", path+"/suite", path+"/probed"
	return fs.WalkDir(internal.Sources, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(internal.Sources, file)
		if err != nil {
			return err
		}
		text = libraryImport.ReplaceAll(text, []byte(`"`+path+"/"))
		local := filepath.Join(name, filepath.Base(filepath.Dir(file)), filepath.Base(file))
		to := filepath.Join(o.config.Work, "src", local)
		o.replace[filepath.Join(mains[0].Dir, local)] = to
		return o.write(to, text)
	})
}

// addSuite adds the test file that registers the tests of a package. It also contains the
// declarations that the guards in test files need.
func (o *Overlay) addSuite(prog *load.Program, pkg *load.Package, support string) error {
	if !pkg.HasTests() {
		return nil
	}
	tests, examples := suiteOf(pkg)
	var b strings.Builder
	fmt.Fprintf(&b, "%s// Code generated by allele. DO NOT EDIT.\n\npackage %s\n\nimport _ \"unsafe\"\nimport alleleTesting_ \"testing\"\n",
		supportLanguage, pkg.Name)
	switch uses := slices.Contains(prog.Uses, pkg.Path); {
	case o.suite != suitePath:
		fmt.Fprintf(&b, "import _ %q\n", o.suite)
	case !uses:
		fmt.Fprintf(&b, "import _ %q\n", load.Library)
	}
	b.WriteString(support)
	b.WriteString(`
//go:linkname alleleAdd_ SUITE.Add
func alleleAdd_(tests []alleleTesting_.InternalTest, examples []alleleTesting_.InternalExample)

func init() {
	alleleAdd_([]alleleTesting_.InternalTest{
`)
	for _, name := range tests {
		fmt.Fprintf(&b, "\t\t{%q, %[1]s},\n", name)
	}
	b.WriteString("\t}, []alleleTesting_.InternalExample{\n")
	for _, e := range examples {
		fmt.Fprintf(&b, "\t\t{%q, %[1]s, %q, %t},\n", "Example"+e.Name, e.Output, e.Unordered)
	}
	b.WriteString("\t})\n}\n")
	if !pkg.External || !internalTests(prog, pkg.Path) {
		b.WriteString("\n//go:linkname alleleRun_ SUITE.Run\nfunc alleleRun_(t *alleleTesting_.T)\n\n" +
			"func " + SuiteTest + "(t *alleleTesting_.T) { alleleRun_(t) }\n")
	}
	return o.add(filepath.Join(pkg.Dir, pkg.Suite()), pkg, o.linked([]byte(b.String())))
}

// internalTests reports whether the internal tests of a package are rewritten: then they contain
// SuiteTest, and the external tests do not.
func internalTests(prog *load.Program, path string) bool {
	return slices.ContainsFunc(prog.Scope, func(p *load.Package) bool {
		return p.Path == path && !p.External && p.Declined == nil && p.HasTests()
	})
}

// suiteOf returns the tests and the examples with output of a package.
func suiteOf(pkg *load.Package) (tests []string, examples []*doc.Example) {
	var files []*ast.File
	for _, f := range pkg.Files {
		if !f.Test {
			continue
		}
		files = append(files, f.AST)
		for _, d := range f.AST.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if ok && fd.Recv == nil && isTestName(fd.Name.Name) && isTest(pkg.Info.Defs[fd.Name]) {
				tests = append(tests, fd.Name.Name)
			}
		}
	}
	for _, e := range doc.Examples(files...) {
		if e.Output != "" || e.EmptyOutput {
			examples = append(examples, e)
		}
	}
	return tests, examples
}

// isTestName reports whether the go command takes a function of this name for a test.
func isTestName(name string) bool {
	rest, ok := strings.CutPrefix(name, "Test")
	if !ok || rest == "" {
		return ok
	}
	first, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLower(first)
}

// isTest reports whether a function has the signature of a test.
func isTest(o types.Object) bool {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Params().Len() != 1 || f.Signature().Results().Len() != 0 || f.Signature().TypeParams() != nil {
		return false
	}
	p, ok := f.Signature().Params().At(0).Type().(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Name() == "T" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing"
}
