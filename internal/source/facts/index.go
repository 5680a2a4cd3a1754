package facts

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/allele-go/allele/internal/source/load"
)

// Index is what all packages of a program know together: which interfaces have
// known variants, who calls whom, and with which arguments generic types are used.
//
// A package and its variant for tests are checked by themselves, so one type may be
// two to the type checker. Here a type is known by the path of its package and its
// name.
type Index struct {
	prog     *load.Program
	scope    map[string]bool // paths of the packages
	sums     map[*load.Package][]Sum
	variant  map[string]map[string]bool // interface -> its variants, a pointer with a star in front
	graph    map[string]*function
	harmless map[string]bool               // functions that may be called with anything, as far as is known by now
	changing map[string]bool               // methods that change their receivers; nil until asked for
	decls    map[*types.Func]*ast.FuncDecl // nil until asked for
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

// known is how a type is told from others. It is empty for one without a name of
// its own at the top of a package.
func known(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !atTop(n.Obj()) {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// atTop reports whether something is declared outside of functions. What was read
// from export data may not have a parent yet, and is.
func atTop(o types.Object) bool { return o.Parent() == nil || o.Parent() == o.Pkg().Scope() }

// variantName is known of a type that may be a pointer.
func variantName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return "*" + known(p.Elem())
	}
	return known(t)
}

// isVariant reports whether a value of a type can be in an interface, as far as the
// source says.
func (x *Index) isVariant(iface, t types.Type) bool { return x.variant[known(iface)][variantName(t)] }

// isSum reports whether the variants of an interface are known.
func (x *Index) isSum(t types.Type) bool { return types.IsInterface(t) && x.variant[known(t)] != nil }

func (x *Index) at(pos token.Pos) token.Position { return x.prog.Fset.Position(pos) }
