//go:build go1.25

package facts

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// Index contains the facts that need all packages of a program: which interfaces
// have known variants, the call graph, and the type arguments that generic types
// are used with.
//
// A package and its variant for tests are type-checked separately, so there may be two
// objects for one type. The index identifies a type by the path of its package and by
// its name.
type Index struct {
	prog     *load.Program
	scope    map[string]bool // paths of the packages in scope
	sums     map[*load.Package][]Sum
	sumsIn   map[string]map[string]bool    // package -> interfaces whose variants only its tests know; "" -> those that all know
	foreigns map[string]bool               // interface -> whether another package implements it; see implementedElsewhere
	variant  map[string]map[string]bool    // interface -> its variants; a pointer type has a star in front
	graph    map[string]*function          // call graph, by full name
	harmless map[string]bool               // functions that were found safe to call with any arguments
	changing map[string]bool               // methods that change their receivers; nil until needed
	decls    map[*types.Func]*ast.FuncDecl // the declarations of all functions; nil until needed
	sizes    map[*types.Func][]int         // function -> its arguments that must be small
	writes   map[*ast.BlockStmt][]write    // body of a function -> its assignments; see forget.go
	checks   *Calls                        // nil until needed
	options  map[string]bool               // function types and interfaces -> whether a builder makes them; see option
	used     []types.Type                  // instances of generic types and functions, in the order of the source
}

// NewIndex reads a program and returns its index.
func NewIndex(prog *load.Program) *Index {
	x := &Index{
		prog:     prog,
		scope:    map[string]bool{},
		sums:     map[*load.Package][]Sum{},
		sumsIn:   map[string]map[string]bool{},
		foreigns: map[string]bool{},
		options:  map[string]bool{},
		variant:  map[string]map[string]bool{},
		graph:    map[string]*function{},
		harmless: map[string]bool{},
		writes:   map[*ast.BlockStmt][]write{},
	}
	for _, pkg := range prog.Scope {
		x.scope[pkg.Types.Path()] = true
	}
	x.readSums()
	x.readCalls()
	x.readInstances()
	return x
}

// known returns a name that identifies a type: the path of its package, a dot and its
// name. It returns "" for a type that is not declared at the top level of a package.
func known(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !atTop(n.Obj()) {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// atTop reports whether an object is declared outside functions. An object without a
// parent was read from export data, which contains only such objects.
func atTop(o types.Object) bool { return o.Parent() == nil || o.Parent() == o.Pkg().Scope() }

// variantName is like known, but it also accepts a pointer type, and returns its name
// with a star in front.
func variantName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return "*" + known(p.Elem())
	}
	return known(t)
}

// isVariant reports whether a type is a known variant of an interface.
func (x *Index) isVariant(iface, t types.Type) bool { return x.variant[known(iface)][variantName(t)] }

// isSum reports whether the variants of an interface are known. tests is the path of the
// package whose tests ask, or empty if other files do.
func (x *Index) isSum(t types.Type, tests string) bool {
	return types.IsInterface(t) && (x.sumsIn[""][known(t)] || tests != "" && x.sumsIn[tests][known(t)])
}

// pathOfTests returns the path of the package of a test file, and "" for other files. See isSum.
func pathOfTests(f load.Func) string {
	if f.File.Test {
		return f.Pkg.Path
	}
	return ""
}

// inTest reports whether an object is declared in a test file.
func (x *Index) inTest(o types.Object) bool {
	return strings.HasSuffix(x.at(o.Pos()).Filename, "_test.go")
}

func (x *Index) at(pos token.Pos) token.Position { return x.prog.Fset.Position(pos) }
