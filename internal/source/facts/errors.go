//go:build go1.25

package facts

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// Errors has the errors that a package declares as variables. Code compares errors with them.
type Errors struct {
	Pos token.Position // of the first

	vars []*types.Var
}

// List returns the names of the errors as Go source, separated by commas.
func (e *Errors) List(n *Names) string {
	texts := make([]string, len(e.vars))
	for i, v := range e.vars {
		texts[i] = n.object(v)
	}
	return strings.Join(texts, ", ")
}

// Pairs returns, for each error, its name as code outside its package writes it, and the error.
func (e *Errors) Pairs(n *Names) string {
	texts := make([]string, len(e.vars))
	for i, v := range e.vars {
		texts[i] = fmt.Sprintf("%q, %s", v.Pkg().Name()+"."+v.Name(), n.object(v))
	}
	return strings.Join(texts, ", ")
}

// Errors finds the errors that a package declares: variables of type error that are made with
// errors.New or fmt.Errorf. Those in test files are left out, because the code under test cannot
// return them. It returns nil if there are none.
func (x *Index) Errors(pkg *load.Package) *Errors {
	var all *Errors
	for _, f := range sources(pkg) {
		for _, d := range f.AST.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR || f.Test {
				continue
			}
			for _, spec := range g.Specs {
				for _, v := range sentinels(pkg, spec.(*ast.ValueSpec)) {
					if all == nil {
						all = &Errors{Pos: x.at(v.Pos())}
					}
					all.vars = append(all.vars, v)
				}
			}
		}
	}
	return all
}

// sentinels returns the errors among the variables of a declaration.
func sentinels(pkg *load.Package, spec *ast.ValueSpec) (vars []*types.Var) {
	if len(spec.Values) != len(spec.Names) {
		return nil
	}
	for i, id := range spec.Names {
		v, ok := pkg.Info.Defs[id].(*types.Var)
		if ok && id.Name != "_" && types.Identical(v.Type(), types.Universe.Lookup("error").Type()) && makesError(pkg, spec.Values[i]) {
			vars = append(vars, v)
		}
	}
	return vars
}

// makesError reports whether an expression calls errors.New or fmt.Errorf.
func makesError(pkg *load.Package, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := pkg.Info.Uses[sel.Sel].(*types.Func)
	return ok && (f.FullName() == "errors.New" || f.FullName() == "fmt.Errorf")
}

// errors returns a declaration of errors. It leaves out those that the file cannot name.
func (d *declarer) errors(n *Names, e *Errors) string {
	var values []string
	for _, v := range e.vars {
		if text, ok := n.sub(func() string { return n.object(v) }); ok && !d.partial(d.x.at(v.Pos()).Filename) {
			values = append(values, text)
		}
	}
	if values == nil {
		return ""
	}
	return "Likely(" + strings.Join(values, ", ") + ")"
}
