//go:build go1.25

// Package fault compiles small deliberate changes of a program, its faults, into the
// program. A gate is code at the place of a fault that gives the original value, the value
// of one of the changes, or the original value and a record whether the changes would have
// given another one. So one binary contains all faults, and one run that records shows which
// of them can matter to that run.
//
//	r := fault.Rewrite(fset, pkg, fault.Options{})
//	r.Edits   // insertions for the files of the package
//	r.Support // declarations of the gates
//
// Gates are slow, so a function has two bodies. The body with gates is a copy. It is a
// function of its own, which the original calls if a fault of the function is switched on or a
// run records:
//
//	func f(a, b int) bool { if alleleFunc_[7]!=0&&alleleOn_(7){return alleleG7_f(a,b)};
//		return a < b
//	}
//	func alleleG7_f(a, b int) bool {
//		return alleleLssInt_(12, a, b)
//	}
//
// So the original body costs one comparison more than without faults, and small functions
// do not even have this comparison; see apart.go. In a function literal, and where a function of
// its own would behave differently, the copy is inserted at the beginning of the function:
//
//	func() bool { if alleleFunc_[7]!=0&&alleleOn_(7){
//		return alleleLssInt_(12, a, b)
//	};
//		return a < b
//	}
//
// Line directives keep all positions.
//
// Package hook defines the values in the arrays alleleSite_ and alleleFunc_.
package fault

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/source/worth"
)

// Options say what a package gets.
type Options struct {
	None bool // no faults: the package gets only guards
	Near bool // also faults that change whole numbers a little, see near.go
	// Texts means that the texts of errors and the calls of loggers get faults, too.
	Texts bool
	// Gated reports whether faults on some lines of a file may be switched on. A function without such lines has no gates:
	// its faults are listed, and that is all. nil means all functions.
	Gated func(file string, first, last int) bool
	// Probes are the insertions of probes for each file of the package, if it gets probes.
	// A function literal in a body with gates needs them: it may be called when all gates
	// are off.
	Probes [][]Edit
}

// Edit is an insertion before the byte at Offset. If the text contains newlines, it ends
// with a line directive.
type Edit struct {
	Offset int
	Text   string
}

// Result is what Rewrite adds to a package.
type Result struct {
	Faults []site.Fault // by position; ID is the index
	// Edits are the insertions for each file, by offset. Insertions at the same offset are
	// in order. They come before those of probes.
	Edits       [][]Edit
	Support     string         // declarations for the support file of the package
	TestSupport string         // declarations that only test files need
	Declined    map[string]int // reason -> number of places without a fault
}

// Rewrite adds faults to a package. Its test files get no faults, only guards: calls that
// turn a panic that a fault has caused into a failed test.
func Rewrite(fset *token.FileSet, pkg *load.Package, o Options) *Result {
	r := &rewriter{
		fset: fset, pkg: pkg, opts: o,
		gates: newGates(pkg), inlined: map[*types.Func]*unit{},
		result: &Result{Edits: make([][]Edit, len(pkg.Files)), Declined: map[string]int{}},
	}
	if !o.None {
		r.worth = worth.Of(fset, pkg.Types, pkg.Info, sources(pkg))
	}
	why := r.names()
	for i, f := range pkg.Files {
		r.index, r.file, r.edits = i, f, nil
		switch {
		case f.Embedded || f.Cgo:
			r.decline("file with cgo, or file that is embedded")
			continue
		case f.Test:
			r.guardTests()
		case why != "":
			r.decline(why)
		default:
			r.source()
		}
		r.result.Edits[i] = r.edits
	}
	r.write()
	r.number()
	r.result.Support, r.result.TestSupport = r.support()
	return r.result
}

// rewriter rewrites one package.
type rewriter struct {
	fset *token.FileSet
	pkg  *load.Package
	opts Options

	worth   *worth.Package
	gates   *gates
	places  []place               // by number of the gate
	funcs   int                   // number of functions with two bodies
	units   []*unit               // all functions that are not in another one
	inlined map[*types.Func]*unit // those with a direct copy, if something calls it
	stack   *bool                 // result of readsStack
	found   []found               // the faults
	result  *Result

	index int // of the file in pkg.Files
	file  *load.File
	edits []Edit // of the file
}

// place is a place with a gate.
type place struct {
	fn  int // number of its function, or -1
	all int // its entry in hook.Faults.All
}

// found is a fault, and its file.
type found struct {
	file int
	site.Fault
}

// sources returns the files that may get faults.
func sources(pkg *load.Package) (files []*ast.File) {
	for _, f := range pkg.Files {
		if !f.Test && !f.Embedded && !f.Cgo {
			files = append(files, f.AST)
		}
	}
	return files
}

func (r *rewriter) decline(why string) { r.result.Declined[why]++ }

func (r *rewriter) offset(pos token.Pos) int { return r.fset.File(pos).Offset(pos) }

func (r *rewriter) text(from, to token.Pos) string {
	return string(r.file.Src[r.offset(from):r.offset(to)])
}

// number sorts the faults by position and numbers them.
func (r *rewriter) number() {
	slices.SortStableFunc(r.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Site, b.Site),
			cmp.Compare(a.Variant, b.Variant))
	})
	for i, f := range r.found {
		f.ID = i
		r.result.Faults = append(r.result.Faults, f.Fault)
	}
}

// names returns why the package can have no faults: it has declared a predeclared name
// that every support file needs.
func (r *rewriter) names() string {
	for _, name := range []string{"int", "uint8", "bool", "int32", "string"} {
		if r.pkg.Types.Scope().Lookup(name) != nil {
			return "package with its own " + name
		}
	}
	return ""
}

// source rewrites a file that is not a test.
func (r *rewriter) source() {
	faults := true
	switch {
	case ast.IsGenerated(r.file.AST):
		r.decline("generated file")
		faults = false
	case hasLineDirective(r.file.AST):
		r.decline("file with line directives")
		faults = false
	}
	for _, d := range r.file.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			if why := untouchable(r.pkg.Info, d); why != "" {
				r.decline(why)
				continue
			}
			f, _ := r.pkg.Info.Defs[d.Name].(*types.Func)
			if f == nil {
				continue
			}
			if u := r.function(d, d.Body, f.Signature(), funcName(d), faults); u.fn >= 0 && r.separate(d) && r.small(d) {
				r.inlined[f] = u
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				r.variables(d, faults)
			}
		}
	}
}
