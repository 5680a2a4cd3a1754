//go:build go1.25

// Package worth decides which small changes of a program are worth making.
//
// A change that nobody could write tells nothing about tests: the compiler rejects it, or go vet does before the tests
// run. Package fault asks before it makes a fault:
//
//	p := worth.Of(fset, pkg, info, files)
//	p.Rejected(c) // "change that go vet rejects": x != a || x != b
//	p.Quiet(c)    // "text of an error": errors.New("")
//	p.Unlikely(c) // "the capacity of a slice": the fault is made, with this note
//	p.Keeps(n)    // what the program has to contain in place of n, so that it compiles
//
// A false positive hides a gap in somebody's tests, so each rule is about types and functions that it knows, and not about
// names that look right. The only exception are loggers, since each program has its own.
package worth

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Package is what is known about the package whose source is changed.
type Package struct {
	fset    *token.FileSet
	types   *types.Package
	info    *types.Info
	parents map[ast.Node]ast.Node
	reads   map[types.Object]int // how often local variables and imports are read
}

// Of returns what is known about a package with these files. Only nodes of the files may be asked about.
func Of(fset *token.FileSet, pkg *types.Package, info *types.Info, files []*ast.File) *Package {
	p := &Package{fset, pkg, info, map[ast.Node]ast.Node{}, map[types.Object]int{}}
	for _, f := range files {
		var path []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			if len(path) > 0 {
				p.parents[n] = path[len(path)-1]
			}
			path = append(path, n)
			return true
		})
	}
	for id, o := range info.Uses {
		if mustBeRead(o) && p.parents[id] != nil && !p.isTarget(id) {
			p.reads[o]++
		}
	}
	return p
}

// mustBeRead reports whether the compiler rejects a program that never reads a variable, or never uses an import.
func mustBeRead(o types.Object) bool {
	switch o := o.(type) {
	case *types.PkgName:
		return true
	case *types.Var:
		return o.Kind() == types.LocalVar
	}
	return false
}

// isTarget reports whether a value is assigned to an identifier, which is not a use.
func (p *Package) isTarget(id *ast.Ident) bool {
	var x ast.Expr = id
	for {
		paren, ok := p.parents[x].(*ast.ParenExpr)
		if !ok {
			break
		}
		x = paren
	}
	switch s := p.parents[x].(type) {
	case *ast.AssignStmt:
		for _, y := range s.Lhs {
			if x == y && (s.Tok == token.ASSIGN || s.Tok == token.DEFINE) {
				return true
			}
		}
	case *ast.RangeStmt:
		return x == s.Key || x == s.Value
	}
	return false
}

// Change is a change of an expression or a statement.
type Change struct {
	Operator string
	Node     ast.Node
	To       string                          // the source that replaces the node
	Source   func(from, to token.Pos) string // the source of its file
}

// Parent returns the node that contains a node directly.
func (p *Package) Parent(n ast.Node) ast.Node { return p.parents[n] }

// within returns the source of an expression around a changed node.
func (c Change) within(e ast.Node) string {
	return c.Source(e.Pos(), c.Node.Pos()) + c.To + c.Source(c.Node.End(), e.End())
}

// constant reports whether a constant is changed. Its new value is a literal, or a sum of literals.
func (c Change) constant() bool { return c.Operator == "constant" }

// callee returns the function or the method that a call calls, or nil if that is not known.
func (p *Package) callee(call *ast.CallExpr) *types.Func {
	f := ast.Unparen(call.Fun)
	switch x := f.(type) {
	case *ast.IndexExpr:
		f = x.X
	case *ast.IndexListExpr:
		f = x.X
	}
	var o types.Object
	switch f := f.(type) {
	case *ast.Ident:
		o = p.info.Uses[f]
	case *ast.SelectorExpr:
		o = p.info.Uses[f.Sel]
	}
	fn, _ := o.(*types.Func)
	return fn
}

// signature returns the signature of what a call calls. It returns false for a conversion.
func (p *Package) signature(call *ast.CallExpr) (*types.Signature, bool) {
	tv := p.info.Types[call.Fun]
	if tv.Type == nil || tv.IsType() {
		return nil, false
	}
	sig, ok := tv.Type.Underlying().(*types.Signature)
	return sig, ok
}

// builtin returns the name of the builtin function that a call calls, or "".
func (p *Package) builtin(call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if _, ok := p.info.Uses[id].(*types.Builtin); !ok {
		return ""
	}
	return id.Name
}

// argument returns the call that an expression is an argument of, and the number of the argument.
func (p *Package) argument(n ast.Node) (*ast.CallExpr, int) {
	call, ok := p.parents[n].(*ast.CallExpr)
	if !ok {
		return nil, 0
	}
	for i, a := range call.Args {
		if a == n {
			return call, i
		}
	}
	return nil, 0
}
