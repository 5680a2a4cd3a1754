//go:build go1.25

package build

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// A support file shares its package with the user's code, and probes share functions with
// it. So their names must mean what we intend. Our own names have a form that nobody
// chooses by chance. The predeclared names in predeclared cannot be avoided; for all
// others, a fact that needs a redeclared one is left out. A package that declares one of
// these names is declined.

// predeclared are the predeclared names that every support file uses.
var predeclared = []string{"bool", "int", "uint32"}

// isOurs reports whether an identifier has the form of those that we insert: alleleHit_.
func isOurs(name string) bool {
	return strings.HasPrefix(name, "allele") && strings.HasSuffix(name, "_")
}

// declineNames declines the packages in which names that we insert mean something else.
func declineNames(prog *load.Program) {
	for _, pkg := range prog.Scope {
		for _, name := range predeclared {
			if o := pkg.Types.Scope().Lookup(name); o != nil {
				why := fmt.Sprintf("it declares its own %s (%s), and probes use the predeclared one", name, at(prog, o.Pos()))
				pkg.Decline(why, "rename it")
			}
		}
		if id := ours(pkg); id != nil {
			pkg.Decline(fmt.Sprintf("it declares %s (%s), a name that probes use", id.Name, at(prog, id.Pos())), "rename it")
		}
	}
}

// ours returns the first identifier, in the order of the source, that would be confused
// with one that we insert. Fields, methods and labels are never confused.
func ours(pkg *load.Package) (first *ast.Ident) {
	for _, f := range pkg.Files {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && first == nil && isOurs(id.Name) && confusing(pkg.Info, id) {
				first = id
			}
			return first == nil
		})
	}
	return first
}

func confusing(info *types.Info, id *ast.Ident) bool {
	o, declared := info.Defs[id]
	switch o := o.(type) {
	case nil:
		// The variable of a type switch is declared, but without an object. The name of an
		// imported package is declared where it is not written, so its use counts.
		_, imported := info.Uses[id].(*types.PkgName)
		return declared || imported
	case *types.Var:
		return !o.IsField()
	case *types.Func:
		return o.Signature().Recv() == nil
	case *types.Label:
		return false
	}
	return true
}

// at returns the file and line of a position as the user finds it in the folder of the
// package: //line comments do not count.
func at(prog *load.Program, pos token.Pos) string {
	p := prog.Fset.PositionFor(pos, false)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}
