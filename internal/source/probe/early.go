//go:build go1.25

package probe

import (
	"go/ast"
	"go/types"
)

// A property for inputs that a parser accepts either assumes that, or returns:
//
//	v, err := Parse(text)
//	if err != nil {
//		return
//	}
//
// In both cases the rest of the property was not tested. So the probe of such an if says so in its symbol, and the search
// treats the run as one that was discarded. It is still counted as passed, as the property says.

// returnsEarly returns the ifs of a property, or of a function that it calls with its T, that do nothing but return before
// the end of it. They may log why. typ is the type of the function. Whether a run ended there only its last probe shows:
// a property may go on after a helper has returned.
func returnsEarly(typ types.Type, body *ast.BlockStmt) (early map[*ast.IfStmt]bool) {
	if len(body.List) < 2 || !isProperty(typ) {
		return nil
	}
	early = map[*ast.IfStmt]bool{}
	for _, s := range body.List[:len(body.List)-1] {
		for x, ok := s.(*ast.IfStmt); ok; x, ok = x.Else.(*ast.IfStmt) {
			early[x] = onlyReturns(x.Body.List)
		}
	}
	return early
}

// onlyReturns reports whether statements do nothing but log and return.
func onlyReturns(list []ast.Stmt) bool {
	for i, s := range list {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			return i == len(list)-1
		case *ast.ExprStmt:
			if !logs(s.X) {
				return false
			}
		default:
			return false
		}
	}
	return false
}

func logs(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "Log" || sel.Sel.Name == "Logf")
}

// isProperty reports whether a function may be a property, func(*allele.T, In), or a part of one: it has inputs after a
// parameter like *testing.T, and returns nothing.
func isProperty(typ types.Type) bool {
	sig, ok := typ.(*types.Signature)
	if !ok || sig.Results().Len() > 0 || sig.Params().Len() < 2 {
		return false
	}
	t := sig.Params().At(0).Type()
	for _, name := range []string{"Fatalf", "Errorf"} {
		if f, _, _ := types.LookupFieldOrMethod(t, true, nil, name); f != nil {
			return true
		}
	}
	return false
}
