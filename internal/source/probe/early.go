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

// returnsEarly returns the ifs of a property that do nothing but return before the end of it. typ is the type of the
// function.
func returnsEarly(typ types.Type, body *ast.BlockStmt) (early map[*ast.IfStmt]bool) {
	if len(body.List) < 2 || !isProperty(typ) {
		return nil
	}
	early = map[*ast.IfStmt]bool{}
	for _, s := range body.List[:len(body.List)-1] {
		for x, ok := s.(*ast.IfStmt); ok; x, ok = x.Else.(*ast.IfStmt) {
			if len(x.Body.List) == 1 {
				_, early[x] = x.Body.List[0].(*ast.ReturnStmt)
			}
		}
	}
	return early
}

// isProperty reports whether a function has the type of a property: func(*allele.T, In).
func isProperty(typ types.Type) bool {
	sig, ok := typ.(*types.Signature)
	if !ok || sig.Results().Len() > 0 || sig.Params().Len() != 2 {
		return false
	}
	ptr, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	if !ok || named.Obj().Name() != "T" || named.Obj().Pkg() == nil {
		return false
	}
	return named.Obj().Pkg().Path() == "github.com/allele-go/allele"
}
