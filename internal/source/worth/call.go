//go:build go1.25

package worth

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// calls reports whether a call calls one of some functions or methods, given as path.Name or path.Type.Name.
func calls(p *Package, call *ast.CallExpr, names ...string) bool {
	f := p.callee(call)
	return f != nil && slices.Contains(names, funcName(f))
}

func funcName(f *types.Func) string {
	if f.Pkg() == nil {
		return f.Name()
	}
	name := f.Pkg().Path() + "."
	if recv := f.Signature().Recv(); recv != nil {
		t := recv.Type()
		if ptr, ok := t.(*types.Pointer); ok {
			t = ptr.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok {
			name += named.Obj().Name() + "."
		}
	}
	return name + f.Name()
}

// inside calls visit with each call that a node is in an argument of, the innermost first, and the number of the argument. A
// function literal ends the search, and so does a call that may have effects: its result is not all that matters.
func inside(p *Package, n ast.Node, visit func(call *ast.CallExpr, i int) string) string {
	for {
		if call, i := p.argument(n); call != nil {
			if why := visit(call, i); why != "" {
				return why
			}
		}
		switch outer := p.parents[n].(type) {
		case *ast.FuncLit:
			return ""
		case *ast.CallExpr:
			if !p.makesText(outer) {
				return ""
			}
			n = outer
		case ast.Expr:
			n = outer
		default:
			return ""
		}
	}
}

// number returns the old and the new value of a constant that is a whole number.
func number(p *Package, c Change) (before, after int64, ok bool) {
	e, isExpr := c.Node.(ast.Expr)
	if !isExpr || !c.constant() {
		return 0, 0, false
	}
	value := func(v constant.Value) (int64, bool) {
		if v == nil || v.Kind() != constant.Int {
			return 0, false
		}
		return constant.Int64Val(v)
	}
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, c.To)
	before, ok = value(p.info.Types[e].Value)
	after, now := value(tv.Value)
	return before, after, ok && now && err == nil
}

// computes reports whether a change is one of a number or a text that is computed: no statement, and no condition.
func (c Change) computes() bool {
	_, ok := c.Node.(ast.Expr)
	return ok && (c.constant() || c.Operator == "math" || c.Operator == "invert")
}

// textPackages are packages whose functions only make values for a log line. textMethods are methods that do so.
var (
	textPackages = []string{"context", "fmt", "strconv", "strings", "time", "path/filepath", "log/slog",
		"go.uber.org/zap", "github.com/rs/zerolog"}
	textMethods = []string{"String", "Error", "GoString", "Name"}
)

// makesText reports whether a call only makes a value of its arguments, as far as that is known.
func (p *Package) makesText(call *ast.CallExpr) bool {
	switch tv := p.info.Types[call.Fun]; {
	case tv.IsType():
		return true
	case tv.IsBuiltin():
		return slices.Contains([]string{"len", "cap", "min", "max", "make", "new", "append", "real", "imag", "complex"}, p.builtin(call))
	}
	f := p.callee(call)
	if f == nil || f.Pkg() == nil {
		return f != nil // error.Error
	}
	return slices.Contains(textPackages, f.Pkg().Path()) || len(call.Args) == 0 && slices.Contains(textMethods, f.Name())
}
