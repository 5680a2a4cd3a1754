//go:build go1.25

package fault

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// The body with gates of a declared function is a function of its own, after the declaration
// on the same line. So the original keeps its stack frame and its registers:
//
//	func f(a, b int) bool { if alleleFunc_[7]!=0&&alleleOn_(7){return alleleG7_f(a,b)};
//		return a < b
//	};
//	func alleleG7_f(a, b int) bool {
//		return alleleLssInt_(12, a, b)
//	}
//
// Even one comparison keeps a small function from being inlined. So a small function also
// has a direct copy, which is its original body without the comparison:
//
//	func falleleP7_(a, b int) bool {
//		return a < b
//	}
//
// Original bodies call the direct copy, bodies with gates and all other code call f. So a
// fault in f needs the bodies with gates of those callers too: Faults.With in package hook
// lists them.

// separate reports whether the body with gates can be a function of its own.
func (r *rewriter) separate(d *ast.FuncDecl) bool {
	if d == nil || d.Name.Name == "_" || d.Name.Name == "init" || r.readsStack() || r.usesRecover(d.Body) {
		return false
	}
	if d.Type.TypeParams != nil {
		for _, f := range d.Type.TypeParams.List {
			if slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return id.Name == "_" }) {
				return false
			}
		}
	}
	return true
}

// readsStack reports whether code of the package looks at its callers. It would see one
// more function.
func (r *rewriter) readsStack() bool {
	if r.stack == nil {
		reads := false
		for _, o := range r.pkg.Info.Uses {
			f, ok := o.(*types.Func)
			if !ok || f.Pkg() == nil {
				continue
			}
			switch f.Pkg().Path() + "." + f.Name() {
			case "runtime.Caller", "runtime.Callers", "runtime.Stack", "runtime/debug.Stack", "runtime/debug.PrintStack", "log.Output":
				reads = true
			}
		}
		r.stack = &reads
	}
	return *r.stack
}

// usesRecover reports whether code calls recover, which has an effect only in a function that is
// deferred itself.
func (r *rewriter) usesRecover(body ast.Node) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "recover" {
			found = true
		}
		return !found
	})
	return found
}

// inlineMax is the largest size of a function that gets a direct copy. The compiler inlines
// functions of at most 80 nodes, which it counts in another way.
const inlineMax = 90

// callSize is what a call adds to the size of a function, as for the compiler.
const callSize = 57

// small reports whether the compiler may inline a function.
func (r *rewriter) small(d *ast.FuncDecl) bool {
	if d.Type.TypeParams != nil || hasTypeArguments(d.Recv) {
		return false
	}
	size := 0
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.BlockStmt, *ast.ExprStmt, *ast.ParenExpr:
			return true
		case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt, *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
			size = inlineMax + 1
		case *ast.CallExpr:
			if tv := r.pkg.Info.Types[n.Fun]; !tv.IsType() && !tv.IsBuiltin() {
				size += callSize
			}
		}
		size++
		return size <= inlineMax
	})
	return size <= inlineMax
}

func hasTypeArguments(recv *ast.FieldList) (found bool) {
	if recv == nil {
		return false
	}
	ast.Inspect(recv, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.IndexExpr, *ast.IndexListExpr:
			found = true
		}
		return !found
	})
	return found
}

// signature is the head of a function with a name for each parameter.
type signature struct {
	edits      []Edit // what gives names to parameters without one
	recv, rest string // source: the receiver, and what follows the name
	self, args string // for a call: the receiver with a dot, and type arguments and arguments
}

func (u *unit) signature() (s signature) {
	d, n := u.decl, 0
	src := u.source.Src
	named := func(list *ast.FieldList) (names []string) {
		if list == nil {
			return nil
		}
		for _, f := range list.List {
			ids := f.Names
			if len(ids) == 0 {
				ids = []*ast.Ident{nil}
			}
			for _, id := range ids {
				name := fmt.Sprintf("alleleA%d_", n)
				n++
				switch {
				case id == nil:
					s.edits = append(s.edits, Edit{u.r.offset(f.Type.Pos()), name + " "})
				case id.Name == "_":
					s.edits = append(s.edits, Edit{u.r.offset(id.Pos()), strings.TrimSuffix(name, "_")})
				default:
					name = id.Name
				}
				names = append(names, name)
			}
		}
		return names
	}
	part := func(from, to token.Pos) string {
		at := span{u.r.offset(from), u.r.offset(to)}
		return apply(src, at, slices.DeleteFunc(slices.Clone(s.edits), func(e Edit) bool { return !at.has(e.Offset) }))
	}
	if self := named(d.Recv); len(self) == 1 {
		s.self, s.recv = self[0]+".", part(d.Recv.Pos(), d.Recv.End())
	}
	args := named(d.Type.Params)
	s.rest = part(d.Name.End(), d.Body.Lbrace)
	s.args = strings.Join(args, ",")
	if list := d.Type.Params.List; len(list) > 0 {
		if _, variadic := list[len(list)-1].Type.(*ast.Ellipsis); variadic {
			s.args += "..."
		}
	}
	s.args = "(" + s.args + ")"
	if d.Type.TypeParams != nil {
		s.args = "[" + strings.Join(typeParams(d.Type.TypeParams), ",") + "]" + s.args
	}
	return s
}

func typeParams(list *ast.FieldList) (names []string) {
	for _, f := range list.List {
		for _, id := range f.Names {
			names = append(names, id.Name)
		}
	}
	return names
}

// separated returns the edits of a function whose body with gates is a function of its own.
func (u *unit) separated() []Edit {
	s := u.signature()
	part := u.inside(u.lits[0])
	name := fmt.Sprintf("alleleG%d_%s", u.fn, u.decl.Name.Name)
	call := fmt.Sprintf("return %s%s%s", s.self, name, s.args)
	if u.lits[0].ends {
		call = fmt.Sprintf("%s%s%s;return", s.self, name, s.args)
	}
	plain := u.insertions(part, false, 0)
	edits := append(s.edits, Edit{part.from, fmt.Sprintf("if alleleFunc_[%d]!=0&&alleleOn_(%[1]d){%s};", u.fn, call)})
	edits = append(edits, plain...)
	after := u.copied(s, name, u.insertions(part, true, 1))
	if len(u.callers) > 0 {
		if u.r.opts.Probes != nil {
			plain = append(plain, u.probes(part, func(int) bool { return true })...)
			slices.SortStableFunc(plain, func(a, b Edit) int { return a.Offset - b.Offset })
		}
		after += u.copied(s, u.direct(), plain)
	}
	return append(edits, Edit{part.to + 1, after + u.line(u.body.Rbrace+1)})
}

// copied returns a copy of the function with another name and with insertions in its body.
func (u *unit) copied(s signature, name string, edits []Edit) string {
	body := apply(u.source.Src, u.inside(u.lits[0]), edits)
	return fmt.Sprintf("\nfunc %s %s%s{%s%s}", s.recv, name, s.rest, u.line(u.body.Lbrace+1), body)
}

// line returns a directive for the position of what follows.
func (u *unit) line(pos token.Pos) string {
	p := u.r.fset.PositionFor(pos, false)
	return fmt.Sprintf("/*line :%d:%d*/", p.Line, p.Column)
}

// direct returns the name of the direct copy. It is the name of the function with an
// insertion that no probe follows or precedes. A method must not become an exported one.
func (u *unit) direct() string {
	if u.decl.Recv != nil {
		return fmt.Sprintf("alleleP%d_%s", u.fn, u.decl.Name.Name)
	}
	return fmt.Sprintf("%salleleP%d_", u.decl.Name.Name, u.fn)
}

// callDirect makes the original body of a function call the direct copies of small functions.
// Function literals do not: a literal may exist without a body with gates.
func (u *unit) callDirect() {
	ast.Inspect(u.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
			return false
		case *ast.CallExpr:
			u.callOne(n)
		}
		return true
	})
}

func (u *unit) callOne(call *ast.CallExpr) {
	info := u.r.pkg.Info
	at := token.NoPos
	var callee *unit
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		o, _ := info.Uses[f].(*types.Func)
		callee, at = u.r.inlined[o], f.End()
	case *ast.SelectorExpr:
		if s := info.Selections[f]; s != nil && s.Kind() == types.MethodVal {
			o, _ := s.Obj().(*types.Func)
			callee, at = u.r.inlined[o], f.Sel.Pos()
		}
	}
	if callee == nil {
		return
	}
	text := strings.Replace(callee.direct(), callee.decl.Name.Name, "", 1)
	u.plain = append(u.plain, insertion{u.r.offset(at), text, false})
	callee.callers[u.fn] = true
}

// with returns, for each function, which others must run with gates if it must: those that
// call its direct copy, directly or through other direct copies.
func (r *rewriter) with() [][]int {
	callers := make([]map[int]bool, r.funcs)
	for _, u := range r.units {
		if u.fn >= 0 {
			callers[u.fn] = u.callers
		}
	}
	all := make([][]int, r.funcs)
	for fn := range all {
		seen := map[int]bool{}
		for todo := []int{fn}; len(todo) > 0; todo = todo[1:] {
			for c := range callers[todo[0]] {
				if !seen[c] {
					seen[c] = true
					todo = append(todo, c)
				}
			}
		}
		delete(seen, fn)
		all[fn] = slices.Sorted(maps.Keys(seen))
	}
	return all
}
