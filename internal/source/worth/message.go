//go:build go1.25

package worth

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// worded returns what for a text is that people read.
func worded(p *Package, c Change) string {
	if s, ok := c.Node.(*ast.ExprStmt); ok && c.Operator == "delete" {
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && p.logs(call) && !ends(call) && p.onlyTexts(call.Args) {
			return "a log line"
		}
		return ""
	}
	if !c.computes() {
		return ""
	}
	why := inside(p, c.Node, func(call *ast.CallExpr, i int) string {
		switch {
		case p.makesError(call) || namedError(p, call, i):
			return "the text of an error"
		case p.builtin(call) == "panic" && isTextOrError(p, call.Args[i]):
			return "the text of a panic"
		case p.logs(call):
			return "a log line"
		}
		return ""
	})
	if why == "" && errorField(p, c.Node) {
		return "the text of an error"
	}
	return why
}

// namedError reports whether an argument is the text of an error that a function of the program makes: newError("no file").
func namedError(p *Package, call *ast.CallExpr, i int) bool {
	f := p.callee(call)
	sig, ok := p.signature(call)
	if f == nil || !ok || sig.Results().Len() != 1 || !isError(p, sig.Results().At(0).Type()) {
		return false
	}
	name := strings.ToLower(f.Name())
	if !strings.HasSuffix(name, "error") && !strings.HasSuffix(name, "errorf") && name != "errf" {
		return false
	}
	b, ok := p.info.TypeOf(call.Args[i]).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isTextOrError(p *Package, e ast.Expr) bool {
	t := p.info.TypeOf(e)
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0 || isError(p, t)
}

func isError(p *Package, t types.Type) bool {
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// messageFields are the names of fields that contain a text for people.
var messageFields = []string{"msg", "message", "text", "reason", "detail", "description"}

// errorField reports whether a text is in a field of an error that is called a message.
func errorField(p *Package, n ast.Node) bool {
	kv, ok := p.parents[n].(*ast.KeyValueExpr)
	if !ok || kv.Value != n {
		return false
	}
	lit, ok := p.parents[kv].(*ast.CompositeLit)
	key, isName := kv.Key.(*ast.Ident)
	if !ok || !isName || !slices.Contains(messageFields, strings.ToLower(key.Name)) {
		return false
	}
	t := p.info.TypeOf(lit)
	return isError(p, t) || isError(p, types.NewPointer(t))
}
