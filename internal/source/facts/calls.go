//go:build go1.25

package facts

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// function is a node of the call graph. It records what a function refers to, and
// whether its body does something that makes it unsafe to call with generated
// arguments, such as starting a goroutine.
type function struct {
	does  string         // the first unsafe thing that the body does, or empty
	names []types.Object // functions and variables that it refers to
	any   []string       // interface methods that it refers to, by methodOf: any method with such a name may be called
}

// readCalls records what every function and variable of the program refers to. A call of
// an interface's method does not reach a test double: it is never part of an input.
func (x *Index) readCalls() {
	variants := map[string]bool{}
	for _, some := range x.variant {
		maps.Copy(variants, some)
	}
	for f := range x.prog.Funcs() {
		g := x.note(f.Obj.FullName())
		g.read(f.Pkg.Info, f.Decl.Body)
		if f.Decl.Recv != nil && (!f.File.Test || variants[receiver(f.Obj)] || variants["*"+receiver(f.Obj)]) {
			all := x.note(methodOf(f.Obj))
			all.names = append(all.names, f.Obj)
		}
	}
	for _, pkg := range x.prog.Scope {
		for _, f := range pkg.Files {
			x.readVariables(pkg, f)
		}
	}
}

func (x *Index) note(name string) *function {
	if x.graph[name] == nil {
		x.graph[name] = &function{}
	}
	return x.graph[name]
}

// methodOf returns a name for all methods that a call of an interface's method f may
// reach: methods with the same name and the same numbers of parameters and results.
// Types are not compared, because the type checker may have two copies of one type.
func methodOf(f *types.Func) string {
	s := f.Signature()
	return fmt.Sprintf("%s%s/%d/%d", anyMethod, f.Name(), s.Params().Len(), s.Results().Len())
}

func (x *Index) readVariables(pkg *load.Package, f *load.File) {
	for _, d := range f.AST.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			spec := s.(*ast.ValueSpec)
			for _, id := range spec.Names {
				if v, ok := pkg.Info.Defs[id].(*types.Var); ok {
					for _, e := range spec.Values {
						x.note(variable(v)).read(pkg.Info, e)
					}
				}
			}
		}
	}
}

// read records what a body refers to, and the first unsafe thing that it does.
func (g *function) read(info *types.Info, body ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.IfStmt); ok && never(info, s.Cond) {
			if s.Else != nil {
				g.read(info, s.Else)
			}
			return false
		}
		if does := forbidden(info, n); does != "" && g.does == "" {
			g.does = does
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := info.Uses[id].(type) {
		case *types.Func:
			o = o.Origin()
			if r := o.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
				g.any = append(g.any, methodOf(o))
			}
			g.names = append(g.names, o)
		case *types.Var:
			if isGlobal(o) {
				g.names = append(g.names, o)
			}
		}
		return true
	})
}

// never reports whether a condition is the constant false, as in debugging code.
func never(info *types.Info, e ast.Expr) bool {
	if v := info.Types[e].Value; v != nil {
		return v.Kind() == constant.Bool && !constant.BoolVal(v)
	}
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && b.Op == token.LAND && (never(info, b.X) || never(info, b.Y))
}

func isGlobal(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && !v.IsField() && v.Pkg() != nil && atTop(v)
}

// forbidden returns what a statement does if that could outlast the call, block the
// call, or affect the next call. Otherwise it returns "".
func forbidden(info *types.Info, n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "starts a goroutine"
	case *ast.SendStmt, *ast.SelectStmt:
		return "uses a channel"
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return "uses a channel"
		}
	case *ast.CallExpr:
		if callsC(info, n) {
			return "calls code in C"
		}
	case *ast.RangeStmt:
		if t := info.TypeOf(n.X); t != nil {
			if _, ok := t.Underlying().(*types.Chan); ok {
				return "uses a channel"
			}
		}
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			return ""
		}
		for _, e := range n.Lhs {
			if v := written(info, e); v != "" {
				return v
			}
		}
	case *ast.IncDecStmt:
		return written(info, n.X)
	}
	return ""
}

// callsC reports whether a call is C.f(...). The type checker does not have the names of
// C, so a conversion to a type of C, other than a common one, counts as a call too.
func callsC(info *types.Info, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || slices.Contains(typesOfC, sel.Sel.Name) {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	p, ok := info.Uses[id].(*types.PkgName)
	return ok && p.Imported().Path() == "C"
}

var typesOfC = []string{
	"char", "schar", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float", "double", "size_t",
}

// written returns "changes the variable x" if an assignment to the expression changes
// the package variable x, and "" otherwise.
func written(info *types.Info, e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if o := info.Uses[e]; isGlobal(o) {
			return "changes the variable " + o.Name()
		}
	case *ast.SelectorExpr:
		if o := info.Uses[e.Sel]; isGlobal(o) {
			return "changes the variable " + o.Pkg().Name() + "." + o.Name()
		}
		return written(info, e.X)
	case *ast.IndexExpr:
		return written(info, e.X)
	case *ast.StarExpr:
		return written(info, e.X)
	}
	return ""
}

// step is a step of a search through the call graph.
type step struct {
	name string // of a function or variable in the graph
	show string // name for messages; empty for the first step and for interface methods
	from *step
}

// unsafe returns the reason why a function must not be called with generated arguments:
// what the function does, or what a function that it may call does. The reason names
// the shortest chain of calls. If the function may be called, unsafe returns "".
func (x *Index) unsafe(f *types.Func) string {
	start := &step{name: f.FullName()}
	if x.graph[start.name] == nil {
		return "it has no body in Go"
	}
	seen := map[string]bool{start.name: true}
	for todo := []*step{start}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		g := x.graph[at.name]
		if g.does != "" {
			return at.because(g.does)
		}
		next := func(name, show string) {
			if !seen[name] && !x.harmless[name] && x.graph[name] != nil {
				seen[name] = true
				todo = append(todo, &step{name, show, at})
			}
		}
		for _, o := range g.names {
			name, why := x.judge(o)
			if why != "" {
				return at.because(why)
			}
			next(name, short(o))
		}
		for _, name := range g.any {
			next(name, "")
		}
	}
	maps.Copy(x.harmless, seen) // nothing is wrong with any of these
	return ""
}

// because returns a reason with the chain of calls that leads to it, as in "load calls
// read calls os.Open, which reaches the operating system".
func (s *step) because(why string) string {
	var via []string
	for ; s != nil; s = s.from {
		if s.show != "" {
			via = append(via, s.show)
		}
	}
	slices.Reverse(via)
	if len(via) == 0 {
		return "it " + why
	}
	return strings.Join(via, " calls ") + " " + why
}

// short returns the name of a function or variable for messages, without its package.
func short(o types.Object) string {
	f, ok := o.(*types.Func)
	if !ok {
		return o.Name()
	}
	if r := f.Signature().Recv(); r != nil {
		return types.TypeString(r.Type(), func(*types.Package) string { return "" }) + "." + f.Name()
	}
	return f.Name()
}

// judge returns the name under which the call graph lists an object, or the reason why a
// builder must not use the object.
func (x *Index) judge(o types.Object) (name, why string) {
	if o.Pkg() == nil {
		return "", "" // the method Error of the predeclared type error
	}
	f, isFunc := o.(*types.Func)
	if !x.scope[o.Pkg().Path()] {
		return "", outside(o)
	}
	if !isFunc {
		return variable(o.(*types.Var)), ""
	}
	name = f.FullName()
	if r := f.Signature().Recv(); x.graph[name] == nil && (r == nil || !types.IsInterface(r.Type())) {
		return "", "calls " + short(f) + ", which has no body in Go"
	}
	return name, ""
}
