//go:build go1.25

// Package build makes instrumented test binaries without touching the user's
// files.
//
// It writes rewritten sources to a work folder, and an overlay makes the go
// command read them in place of the originals. A file is written only if its
// content changed, so a second build has nothing to compile.
//
// The rewritten sources contain probes: pieces of code that record the path of a run,
// which is the list of sites (places in the source) that it reached. Each execution of a
// probe is a hit, and the number of hits in a run is limited. Package probe inserts the
// probes, and package hook stores what they record.
//
//	o, err := build.Make(listing, build.Config{Work: dir}) // or Rewrite, for a program that is already checked
//	err = o.Test("example.com/tree", "tree.test")
//	err = o.Operands("example.com/tree", "tree.operands") // a binary that records compared values
//
// Each package gets one more file, the support file. It refers to variables of package
// hook by go:linkname instead of an import, so no import cycle can arise.
package build

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/change"
	"github.com/allele-go/allele/internal/source/edit"
	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/source/probe"
)

// Config describes how to rewrite.
type Config struct {
	Work   string // a folder that is kept between builds
	Load   load.Config
	Calls  bool    // every probe is a call: for -race, and as a reference in tests
	Debug  bool    // check that local copies of the buffer position are up to date; see package probe
	Steps  bool    // count steps only: no path is recorded
	Strip  bool    // leave out the symbol table and debug information, as go test does
	Cover  bool    // mark the blocks of a coverage profile; see Overlay.Blocks
	Faults *Faults // which packages get faults; nil means none
	// Changed has the lines of files whose faults may be switched on. Functions without such lines have no gates: that saves
	// most of the time of the compiler. nil means all lines.
	Changed map[string]change.Lines
	Plain   []string // import paths of packages that are not rewritten, because the result does not compile
}

// Overlay is a rewritten program.
type Overlay struct {
	Sites    []site.Site // by package, then by position
	Blocks   []Block     // of a coverage profile
	Tests    []Test
	Broken   []load.Broken   // packages that are left out, because they do not compile
	Declined []load.Declined // packages in scope that are not rewritten; one entry for each path

	// Faults lists the faults of a build with faults. Without counts the places that cannot
	// be made faulty, by the reason.
	Faults  []site.Fault
	Without map[string]int

	config  Config
	listing *load.Listing     // what it was made from; nil if Rewrite was called directly
	hook    string            // import path of package hook in the program
	suite   string            // import path of package suite in the program
	probed  string            // import path of package probed in the program
	replace map[string]string // original file -> file to read instead
	copies  map[string]string // folder of a module in the module cache -> folder of its copy
	dirs    []Dir
	written map[string]string // file below the work folder -> checksum of its content
	marked  map[string]string // key of a package -> its mark
	set     bool              // probes also record the set of reached sites, without order

	plain map[string]string // like replace, for the operand binary (operands.go)
	off   string            // why there is no operand binary; empty if there is one

	overlays map[string][]byte // contents of overlay.json and operands.json
	sums     sync.Map          // package and Kind of a binary -> its checksum
}

// Test is a package whose tests use the library. Names lists the tests that may contain
// a property, as far as the source shows, and Maybe those of which only a run can tell.
type Test struct {
	Path  string
	Names []string
	Maybe []string
	Marks []Mark // of the rewritten packages that its binary is built from
}

// Paths returns the packages of the tests.
func (o *Overlay) Paths() (all []string) {
	for _, t := range o.Tests {
		all = append(all, t.Path)
	}
	return all
}

// Mark is a text in the rewritten code of a package.
type Mark struct{ Path, Mark string }

// Dir is the folder of a package in scope. If its module was copied from the module
// cache, Dir is the folder of the copy, where the go command can write.
type Dir struct{ Path, Dir string }

// Dirs returns the folders of the packages in scope.
func (o *Overlay) Dirs() []Dir { return o.dirs }

// End returns a number that is larger than the number of every site.
func (o *Overlay) End() int {
	end := 0
	for _, s := range o.Sites {
		end = max(end, int(s.ID)+1)
	}
	return end
}

// ImportPath returns the name of a site's file as a cover profile writes it: the import
// path of the package, a slash and the base name.
func (o *Overlay) ImportPath(s site.Site) string {
	for _, d := range o.dirs {
		if d.Dir == o.placed(filepath.Dir(s.File)) {
			return d.Path + "/" + filepath.Base(s.File)
		}
	}
	return s.File
}

// Rewrite instruments every package in scope.
func Rewrite(prog *load.Program, c Config) (*Overlay, error) {
	o := &Overlay{Broken: prog.Broken, config: c, replace: map[string]string{}, copies: map[string]string{},
		written: map[string]string{}, overlays: map[string][]byte{}, marked: map[string]string{},
		hook: hookPath, suite: suitePath, Without: map[string]int{}}
	if err := dropManifest(c.Work); err != nil {
		return nil, err
	}
	declineNames(prog)
	if err := o.copyModules(prog); err != nil {
		return nil, err
	}
	o.plain = maps.Clone(o.replace)
	if c.Load.Main || c.Faults != nil && len(prog.Uses) == 0 {
		if err := o.inject(); err != nil {
			return nil, err
		}
	}
	blocks, err := readBlocks(filepath.Join(c.Work, "blocks.json"))
	if err != nil {
		return nil, err
	}
	impure := slices.ContainsFunc(prog.Scope, func(p *load.Package) bool { return probe.Pure(p.Path) })
	informed := *prog
	informed.Scope = c.informed(prog.Scope)
	known := knowledge{leaves(prog, impure), rounds(prog), cycles(prog), impure, facts.NewIndex(&informed), nil}
	o.set = spawns(prog)
	if known.cover, err = o.newCoverer(prog); err != nil {
		return nil, err
	}
	for _, pkg := range prog.Scope {
		if pkg.Declined != nil {
			o.decline(pkg)
			continue
		}
		if err := o.rewrite(prog, pkg, blocks, known); err != nil {
			return nil, fmt.Errorf("rewrite %s: %w", pkg.Path, err)
		}
	}
	if err := blocks.write(filepath.Join(c.Work, "blocks.json")); err != nil {
		return nil, err
	}
	if err := o.finish(prog); err != nil {
		return nil, err
	}
	calls := facts.NewCalls(prog)
	for _, path := range prog.Tests {
		t := Test{Path: path, Marks: o.marksOf(path, prog.Built[path])}
		t.Names, t.Maybe = calls.Tests(path)
		o.Tests = append(o.Tests, t)
	}
	return o, errors.Join(o.writeOverlay(overlayName, o.replace), o.writeOverlay(operandsName, o.plain))
}

const (
	overlayName  = "overlay.json"
	operandsName = "operands.json"
)

func (o *Overlay) writeOverlay(name string, replace map[string]string) error {
	data, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	o.overlays[name] = data
	return o.write(filepath.Join(o.config.Work, name), data)
}

// knowledge contains what is found out about all packages before the first one is rewritten.
type knowledge struct {
	leaf, round, cyclic func(*types.Func) bool
	impure              bool
	facts               *facts.Index
	cover               *coverer // nil if the build is not for a coverage profile
}

// rewrite instruments the files of one package and adds its support files.
func (o *Overlay) rewrite(prog *load.Program, pkg *load.Package, blocks *blocks, known knowledge) error {
	var sites []site.Site
	opts := probe.Options{
		Leaf: known.leaf, Round: known.round, Cyclic: known.cyclic, Set: o.set, Impure: known.impure,
		Calls: o.config.Calls || o.config.Load.Main, Debug: o.config.Debug, Steps: o.config.Steps,
	}
	base := blocks.start(pkg.Key())
	opts.Site = func(s site.Site) uint32 {
		s.ID = base + uint32(len(sites))
		sites = append(sites, s)
		return s.ID
	}
	probes := make([]edit.Buffer, len(pkg.Files))
	walk := func() {
		sites = nil
		p := probe.New(prog.Fset, pkg.Info, opts)
		for i, f := range pkg.Files {
			if f.Embedded {
				continue
			}
			probes[i] = edit.Buffer{}
			p.File(f.AST, &probes[i])
			o.keepNames(prog.Fset, f, &probes[i])
		}
	}
	walk()
	if moved := blocks.reserve(pkg.Key(), len(sites)); moved != base {
		base = moved
		walk() // the block was too small, so the numbers have changed
	}
	gates, err := o.addFaults(prog, pkg, probes)
	if err != nil {
		return err
	}
	rewritten := make([][]byte, len(pkg.Files))
	for i, f := range pkg.Files {
		if f.Embedded {
			continue
		}
		if err := known.cover.mark(pkg, f, &probes[i]); err != nil {
			return err
		}
		rewritten[i] = probes[i].Apply(f.Src)
		if err := o.add(f.Path, pkg, rewritten[i]); err != nil {
			return err
		}
	}
	o.Sites = append(o.Sites, sites...)
	o.dirs = append(o.dirs, Dir{pkg.Path, o.placed(pkg.Dir)})
	o.setMarks(pkg, rewritten)
	return o.support(pkg, known.facts, gates)
}

// decline leaves a package as it is. If a package and its external tests have the same
// reason, the user reads one sentence about both.
func (o *Overlay) decline(pkg *load.Package) {
	o.dirs = append(o.dirs, Dir{pkg.Path, o.placed(pkg.Dir)})
	same := func(d load.Declined) bool { return d.Path == pkg.Path && d.Why == pkg.Declined.Why }
	if !slices.ContainsFunc(o.Declined, same) {
		o.Declined = append(o.Declined, *pkg.Declined)
	}
}

// add writes a rewritten file, and makes the overlay use it in place of the original.
func (o *Overlay) add(original string, pkg *load.Package, content []byte) error {
	return o.place(o.replace, "src", original, pkg, content)
}

// place writes a file below the named folder of the work folder. It adds an entry to
// replace, so that the go command reads this file in place of the original.
func (o *Overlay) place(replace map[string]string, folder, original string, pkg *load.Package, content []byte) error {
	file := filepath.Join(o.config.Work, folder, filepath.FromSlash(pkg.Key()), filepath.Base(original))
	if err := o.write(file, content); err != nil {
		return err
	}
	replace[o.placed(original)] = file
	return nil
}

// support adds the support file, which declares the names that probes use (names.go) and the
// gates of faults, and the corresponding file for the operand binary. In a package that has
// only test files, both are test files.
func (o *Overlay) support(pkg *load.Package, x *facts.Index, gates string) error {
	name := filepath.Join(pkg.Dir, pkg.Support()[0])
	var known Facts
	if len(o.config.informed([]*load.Package{pkg})) > 0 {
		known = FactsOf(x, pkg)
	}
	plain := o.linked(plainText(pkg.Name, known))
	if o.config.Load.Main {
		known.Text = markText(o.marked[pkg.Key()])
		return o.add(name, pkg, o.linked(supportFile(pkg.Name, supportCounts, known)))
	}
	literals, inTests := facts.Literals(pkg)
	known.Text += literalsText(literals) + markText(o.marked[pkg.Key()]) + gates
	text := o.linked(supportText(pkg.Name, known, o.config, o.set))
	err := errors.Join(o.add(name, pkg, text), o.place(o.plain, "operands", name, pkg, plain))
	testMark := o.marked[pkg.Key()+ofTests]
	if known.Tests == nil && len(inTests) == 0 && testMark == "" {
		return err
	}
	more := Facts{}
	if known.Tests != nil {
		more = *known.Tests
	}
	name = filepath.Join(pkg.Dir, pkg.Support()[1])
	plain = o.linked(supportFile(pkg.Name, "", more))
	more.Text += inTestFile(literalsText(inTests))
	if testMark != "" {
		more.Text += markTextInTests(testMark)
	}
	return errors.Join(err, o.add(name, pkg, o.linked(supportFile(pkg.Name, "", more))), o.place(o.plain, "operands", name, pkg, plain))
}

// placeholder matches what stands for an import path in a go:linkname line. The same words in
// other lines belong to the user: they may be in a literal.
var placeholder = regexp.MustCompile(`(?m)^(//go:linkname \S+ )(HOOK|SUITE)\.`)

// linked returns the text of an added file with the import paths of the packages hook and suite.
func (o *Overlay) linked(text []byte) []byte {
	return placeholder.ReplaceAllFunc(text, func(line []byte) []byte {
		line = bytes.Replace(line, []byte(" HOOK."), []byte(" "+o.hook+"."), 1)
		return bytes.Replace(line, []byte(" SUITE."), []byte(" "+o.suite+"."), 1)
	})
}

// Test builds the test binary of a package or, with load.Config.Main, the program.
func (o *Overlay) Test(pkg, out string) error {
	if err := o.one(WithProbes, pkg, out); err != nil {
		return err
	}
	return o.verify(pkg, out)
}

// compilation is a go command that builds binaries with one of the overlays.
type compilation struct {
	pkgs    []string
	out     string // the binary or, for several packages, a folder with a separator at its end
	overlay string
	flags   []string
}

// compile builds binaries. It writes the overlay again if another command has built something
// else in the work folder meanwhile.
func (o *Overlay) compile(c compilation) error {
	if err := os.MkdirAll(filepath.Dir(c.out), 0o777); err != nil {
		return err
	}
	if err := writeChanged(filepath.Join(o.config.Work, c.overlay), o.overlays[c.overlay]); err != nil {
		return adviseDelete(err, o.config.Work)
	}
	command, quiet := []string{"test", "-c"}, []string{"-vet=off"}
	if o.config.Load.Main {
		command, quiet = []string{"build"}, nil
	}
	args := slices.Concat(command, quiet, []string{"-overlay", filepath.Join(o.config.Work, c.overlay), "-o", c.out},
		c.flags, o.config.Load.Building(), c.pkgs)
	text, err := o.config.Load.Command(args...).CombinedOutput()
	if err != nil && bytes.Contains(text, []byte("already exists and is not an object file")) {
		// The output file of an earlier build is damaged: delete it and try again.
		if os.Remove(c.out) == nil {
			text, err = o.config.Load.Command(args...).CombinedOutput()
		}
	}
	if err != nil {
		return &CompileError{c.pkgs[0], strings.Join(command, " "), err, string(bytes.TrimSpace(text))}
	}
	return nil
}

// CompileError means that the go command could not build a binary.
type CompileError struct {
	Package string
	Command string // the subcommand of the go command
	Err     error  // how the go command ended
	Output  string // what it printed
}

func (e *CompileError) Error() string {
	return fmt.Sprintf("go %s %s: %v\n%s", e.Command, e.Package, e.Err, e.Output)
}

func (e *CompileError) Unwrap() error { return e.Err }
