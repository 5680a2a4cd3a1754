package facts

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/allele-go/allele/internal/source/load"
)

// Index contains the facts that need all packages of a program: which interfaces
// have known variants, the call graph, and the type arguments that generic types
// are used with.
//
// A package and its variant for tests are checked separately, so the type checker
// may have two objects for one type. The index identifies a type by the path of
// its package and its name.
type Index struct {
	prog     *load.Program
	scope    map[string]bool // paths of the packages
	sums     map[*load.Package][]Sum
	variant  map[string]map[string]bool // interface -> its variants, a pointer with a star in front
	graph    map[string]*function
	harmless map[string]bool               // functions found safe to call with any arguments so far
	changing map[string]bool               // methods that change their receivers; nil until needed
	decls    map[*types.Func]*ast.FuncDecl // nil until needed
	sizes    map[*types.Func][]int         // arguments that must be small
	used     []types.Type                  // instances of generic types and functions, in the order of the source
}

// NewIndex reads a program once.
func NewIndex(prog *load.Program) *Index {
	x := &Index{
		prog:     prog,
		scope:    map[string]bool{},
		sums:     map[*load.Package][]Sum{},
		variant:  map[string]map[string]bool{},
		graph:    map[string]*function{},
		harmless: map[string]bool{},
	}
	for _, pkg := range prog.Scope {
		x.scope[pkg.Types.Path()] = true
		x.sums[pkg] = Sums(prog, pkg)
		for _, s := range x.sums[pkg] {
			x.variant[pkg.Types.Path()+"."+s.Interface] = s.has
		}
	}
	x.readCalls()
	x.readInstances()
	return x
}

// known returns a name that identifies a type. It is empty for a type that is not
// declared at the top level of a package.
func known(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !atTop(n.Obj()) {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// atTop reports whether an object is declared outside functions. Objects read
// from export data may have no parent yet, and always are.
func atTop(o types.Object) bool { return o.Parent() == nil || o.Parent() == o.Pkg().Scope() }

// variantName is like known for a type that may be a pointer.
func variantName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return "*" + known(p.Elem())
	}
	return known(t)
}

// isVariant reports whether a type is a known variant of an interface.
func (x *Index) isVariant(iface, t types.Type) bool { return x.variant[known(iface)][variantName(t)] }

// isSum reports whether the variants of an interface are known.
func (x *Index) isSum(t types.Type) bool { return types.IsInterface(t) && x.variant[known(t)] != nil }

func (x *Index) at(pos token.Pos) token.Position { return x.prog.Fset.Position(pos) }
