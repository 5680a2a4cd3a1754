//go:build go1.25

package probe

import (
	"go/ast"
	"go/types"
)

// quiet reports whether a call surely runs no probe.
func (p *Prober) quiet(c *ast.CallExpr) bool {
	tv := p.info.Types[c.Fun]
	if tv.IsType() || tv.IsBuiltin() {
		return true
	}
	f := Callee(p.info, c)
	if f == nil {
		return false
	}
	return !p.opts.Impure && pure(f) || p.opts.Leaf != nil && p.opts.Leaf(f)
}

// Callee returns the function that a call surely calls. It returns nil for a call of a
// function value or of an interface's method, because that may be any function.
func Callee(info *types.Info, c *ast.CallExpr) *types.Func {
	fun := ast.Unparen(c.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		if sel := info.Selections[x]; sel != nil && types.IsInterface(sel.Recv()) {
			return nil
		}
		id = x.Sel
	default:
		return nil
	}
	f, _ := info.Uses[id].(*types.Func)
	if f == nil {
		return nil
	}
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return nil
	}
	return f.Origin()
}

// purePackages are packages of the standard library that only run their own code, code
// of other packages in this list, and functions or methods that a caller passes to
// them.
var purePackages = map[string]bool{
	"strings": true, "bytes": true, "unicode": true, "unicode/utf8": true, "unicode/utf16": true,
	"math": true, "math/bits": true, "strconv": true, "unsafe": true,
}

// Pure reports whether a package is assumed to run no probe. The assumption holds only
// if none of these packages is rewritten.
func Pure(path string) bool { return purePackages[path] }

// pure reports whether f belongs to one of purePackages and cannot call code of its
// caller: each parameter is a basic type, or a slice or array of a basic type.
func pure(f *types.Func) bool {
	if f.Pkg() == nil || !purePackages[f.Pkg().Path()] {
		return false
	}
	sig := f.Signature()
	if sig.Recv() != nil || sig.TypeParams() != nil {
		return false
	}
	for v := range sig.Params().Variables() {
		if !inert(v.Type()) {
			return false
		}
	}
	return true
}

// CallsBack reports whether f, a function of a package that is not rewritten, may call
// a function that is rewritten. It may if a parameter or the receiver can contain
// something to call.
func CallsBack(f *types.Func) bool {
	sig := f.Signature()
	if sig.TypeParams() != nil || sig.Recv() != nil && (f.Pkg() == nil || !Pure(f.Pkg().Path())) {
		return true
	}
	for v := range sig.Params().Variables() {
		if !inert(v.Type()) {
			return true
		}
	}
	return false
}

func inert(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid // the type may depend on a type of C
	case *types.Slice:
		return inert(t.Elem())
	case *types.Array:
		return inert(t.Elem())
	}
	return false
}

// starters are functions outside the scope that run their argument in a new goroutine.
var starters = map[string]bool{
	"(*sync.WaitGroup).Go":                      true,
	"time.AfterFunc":                            true,
	"context.AfterFunc":                         true,
	"(*golang.org/x/sync/errgroup.Group).Go":    true,
	"(*golang.org/x/sync/errgroup.Group).TryGo": true,
}

// Starts reports whether a statement surely starts a goroutine, itself or by
// calling one of starters.
func Starts(info *types.Info, s ast.Node) (starts bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return n == s
		}
		starts = starts || StartsHere(info, n)
		return !starts
	})
	return starts
}

// StartsHere is like Starts for a node without the nodes below it.
func StartsHere(info *types.Info, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.CallExpr:
		f := Callee(info, n)
		return f != nil && starters[f.FullName()]
	}
	return false
}
