package probe

import (
	"go/ast"
	"go/token"
	"go/types"
)

// dirty reports whether a node may run probes that are not its own: then a
// position kept in a local is not up to date behind it. Closures are not
// looked into, as they run only when called.
func (p *Prober) dirty(n ast.Node) (dirty bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			dirty = dirty || !p.quiet(n)
		case *ast.SendStmt, *ast.SelectStmt, *ast.GoStmt, *ast.DeferStmt:
			dirty = true
		case *ast.UnaryExpr:
			dirty = dirty || n.Op == token.ARROW
		case *ast.RangeStmt:
			dirty = dirty || (&walker{Prober: p}).rangesOver(n.X) != overData
		case *ast.BranchStmt:
			dirty = dirty || n.Tok == token.GOTO
		}
		return !dirty
	})
	return dirty
}

// probesOperands reports whether a node has short-circuit operands that get a
// probe, which are calls.
func (p *Prober) probesOperands(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			found = found || (n.Op == token.LAND || n.Op == token.LOR) && p.plainBool(n)
		}
		return !found
	})
	return found
}

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
	return pure(f) || p.opts.Leaf != nil && p.opts.Leaf(f)
}

// Callee is the function a call surely calls, or nil: a function value or an
// interface method may be anything.
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

// purePackages of the standard library run no code of others, except what they
// are handed.
var purePackages = map[string]bool{
	"strings": true, "bytes": true, "unicode": true, "unicode/utf8": true, "unicode/utf16": true,
	"math": true, "math/bits": true, "strconv": true, "unsafe": true, "errors": false,
}

// pure reports whether a function of such a package is handed nothing that
// could call back: no function, no interface, no type of another package.
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

func inert(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return inert(t.Elem())
	case *types.Array:
		return inert(t.Elem())
	}
	return false
}

// Silent reports whether a body gets no probe and runs none.
func Silent(info *types.Info, body *ast.BlockStmt, leaf func(*types.Func) bool) bool {
	p := &Prober{info: info, opts: Options{Leaf: leaf}}
	return p.shape(body).silent()
}
