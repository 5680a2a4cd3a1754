//go:build go1.25

package fault

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// guards inserts calls that keep a fault from ending the process: deferred calls in
// goroutines, which recover panics, and checks of sizes before memory is allocated.
type guards struct {
	*rewriter
	out   *[]insertion
	again bool // the guards of a body with gates: what cannot be guarded has been counted
}

func (g guards) decline(why string) {
	if !g.again {
		g.rewriter.decline(why)
	}
}

func (g guards) put(pos token.Pos, text string) {
	*g.out = append(*g.out, insertion{g.offset(pos), text, false})
}

// all inserts the guards of a function or an expression.
func (g guards) all(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			g.goStmt(n)
		case *ast.CallExpr:
			sizes, unguarded := g.sizes(n)
			for range unguarded {
				g.decline("size without a guard")
			}
			for _, size := range sizes {
				g.put(size.Pos(), g.sizeBefore(size))
				g.put(size.End(), sizeAfter(g.sizeBefore(size)))
			}
		}
		return true
	})
}

// goStmt inserts the guard of a goroutine. Its function is a literal, which gets a deferred
// call, or the statement calls a literal that calls the function. Operands are evaluated when the
// statement is executed in both cases.
func (g guards) goStmt(s *ast.GoStmt) {
	if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
		g.gates.guard = true
		*g.out = append(*g.out, insertion{g.offset(lit.Body.Lbrace) + 1, "defer alleleGuard_();", true})
		return
	}
	before := g.goBefore(s.Call)
	if before == "" {
		return
	}
	g.put(s.Call.Fun.Pos(), before)
	g.put(s.Call.Lparen, "/*")
	g.put(s.Call.Lparen+1, goBetween(s.Call))
}

// goBefore returns the literal that calls the function of a go statement, or "" if its
// types cannot be named there. The parenthesis of the call becomes a comment.
func (g guards) goBefore(call *ast.CallExpr) string {
	sig, ok := g.pkg.Info.TypeOf(call.Fun).(*types.Signature)
	if !ok || sig.Variadic() || call.Ellipsis.IsValid() || sig.Params().Len() != len(call.Args) || g.isGeneric(call.Fun) {
		g.decline("go statement without a guard")
		return ""
	}
	n := g.namer(call.Pos())
	var params, args []string
	for i := range sig.Params().Len() {
		t := n.name(sig.Params().At(i).Type())
		params = append(params, fmt.Sprintf("allele%dA_ %s", i, t))
		args = append(args, fmt.Sprintf("allele%dA_", i))
	}
	f := n.name(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), false))
	if n.failed {
		g.decline("go statement without a guard")
		return ""
	}
	g.gates.guard = true
	params = append([]string{"alleleF_ " + f}, params...)
	return fmt.Sprintf("func(%s){defer alleleGuard_();alleleF_(%s)}(", strings.Join(params, ","), strings.Join(args, ","))
}

func goBetween(call *ast.CallExpr) string {
	if len(call.Args) == 0 {
		return "*/"
	}
	return "*/,"
}

func (r *rewriter) isGeneric(fun ast.Expr) bool {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		_, generic := r.pkg.Info.Instances[f]
		return generic
	case *ast.SelectorExpr:
		_, generic := r.pkg.Info.Instances[f.Sel]
		return generic
	}
	return false
}

// sizes returns the arguments of a call that are sizes in elements and not constant.
// It also returns the number of those that cannot be checked.
func (r *rewriter) sizes(call *ast.CallExpr) (sizes []ast.Expr, unguarded int) {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || id.Name != "make" || len(call.Args) < 2 {
		return nil, 0
	}
	if _, ok := r.pkg.Info.Uses[id].(*types.Builtin); !ok {
		return nil, 0
	}
	for _, a := range call.Args[1:] {
		tv := r.pkg.Info.Types[a]
		if tv.Value != nil {
			continue
		}
		if b, ok := basicOf(tv.Type); !ok || b.Info()&types.IsInteger == 0 {
			unguarded++
			continue
		}
		sizes = append(sizes, a)
	}
	return sizes, unguarded
}

// sizeBefore returns the text before a size. The size becomes an int, which make would turn
// it into.
func (r *rewriter) sizeBefore(size ast.Expr) string {
	r.gates.size = true
	if types.Identical(r.pkg.Info.TypeOf(size), types.Typ[types.Int]) {
		return "alleleSize_("
	}
	return "alleleSize_(" + r.gates.alias(types.Int) + "("
}

func sizeAfter(before string) string { return strings.Repeat(")", strings.Count(before, "(")) }

// guardTests inserts the guards of a test file. Package testing ends the process if a test
// panics, so functions with a test as an argument recover panics.
func (r *rewriter) guardTests() {
	if r.pkg.Types.Scope().Lookup("int") != nil {
		return
	}
	var out []insertion
	ast.Inspect(r.file.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				r.catch(n.Type, n.Body, &out)
			}
		case *ast.FuncLit:
			r.catch(n.Type, n.Body, &out)
		case *ast.GoStmt:
			guards{r, &out, false}.goStmt(n)
		}
		return true
	})
	for _, i := range out {
		r.edits = append(r.edits, Edit{i.offset, i.text})
	}
}

func (r *rewriter) catch(t *ast.FuncType, body *ast.BlockStmt, out *[]insertion) {
	name := ""
	for _, field := range t.Params.List {
		p, ok := types.Unalias(r.pkg.Info.TypeOf(field.Type)).(*types.Pointer)
		if !ok || p.Elem().String() != "testing.T" {
			continue
		}
		if name != "" || len(field.Names) != 1 || field.Names[0].Name == "_" {
			return
		}
		name = field.Names[0].Name
	}
	if name == "" {
		return
	}
	r.gates.catch = true
	*out = append(*out, insertion{r.offset(body.Lbrace) + 1, "defer alleleCatch_(" + name + ");", true})
}
