//go:build go1.25

package worth

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Of the checks of go vet that go test runs, two look at values that a change of a program changes: bool and printf. The
// others look at types, declarations and tags. The functions here decide as these two do; TestAccepted of package fault compares.

// suspect reports whether go vet takes a condition for a mistake: x != a || x != b, or x || x.
func suspect(e ast.Expr, info *types.Info) (found bool) {
	seen := map[*ast.BinaryExpr]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if ok && !seen[b] && isLogic(b.Op) {
			found = found || suspectOperands(split(b, b.Op, seen), b.Op, info)
		}
		return !found
	})
	return found
}

func isLogic(op token.Token) bool { return op == token.LAND || op == token.LOR }

func hasLogic(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		found = found || ok && isLogic(b.Op)
		return !found
	})
	return found
}

// split returns the operands of a chain of one operator.
func split(e ast.Expr, op token.Token, seen map[*ast.BinaryExpr]bool) []ast.Expr {
	e = ast.Unparen(e)
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != op {
		return []ast.Expr{e}
	}
	seen[b] = true
	return slices.Concat(split(b.X, op, seen), split(b.Y, op, seen))
}

// suspectOperands looks at the operands between two that have effects.
func suspectOperands(operands []ast.Expr, op token.Token, info *types.Info) bool {
	compares := map[token.Token]token.Token{token.LOR: token.NEQ, token.LAND: token.EQL}[op]
	whole, compared := map[string]bool{}, map[string]bool{}
	for _, e := range operands {
		if hasEffects(e, info) {
			clear(whole)
			clear(compared)
			continue
		}
		text := types.ExprString(e)
		if whole[text] {
			return true
		}
		whole[text] = true
		b, ok := e.(*ast.BinaryExpr)
		if !ok || b.Op != compares {
			continue
		}
		x := b.X
		if info.Types[b.Y].Value == nil {
			if x = b.Y; info.Types[b.X].Value == nil {
				continue
			}
		}
		if text := types.ExprString(x); compared[text] {
			return true
		} else {
			compared[text] = true
		}
	}
	return false
}

// hasEffects reports whether an expression calls a function, or receives from a channel.
func hasEffects(e ast.Expr, info *types.Info) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			tv := info.Types[n.Fun]
			found = found || !tv.IsType() && !tv.IsBuiltin()
		}
		return !found
	})
	return found
}

// losesFormat reports whether a constant is a format with directives, and would be one without: go vet knows the functions that
// format, also those that call fmt with their own arguments. So any function counts that has the parameters of Sprintf.
func (p *Package) losesFormat(e ast.Expr, to string) bool {
	v := p.info.Types[e].Value
	call, i := p.argument(e)
	if to != `""` || v == nil || v.Kind() != constant.String || call == nil || len(call.Args) <= i+1 {
		return false
	}
	return strings.Contains(constant.StringVal(v), "%") && p.takesFormat(call, i)
}

// takesFormat reports whether an argument of a call is followed by arguments of any type.
func (p *Package) takesFormat(call *ast.CallExpr, i int) bool {
	sig, ok := p.signature(call)
	if !ok || !sig.Variadic() || i != sig.Params().Len()-2 {
		return false
	}
	b, ok := sig.Params().At(i).Type().Underlying().(*types.Basic)
	if !ok || b.Kind() != types.String {
		return false
	}
	rest, ok := sig.Params().At(i + 1).Type().(*types.Slice)
	if !ok {
		return false
	}
	any, ok := rest.Elem().Underlying().(*types.Interface)
	return ok && any.Empty()
}
