//go:build go1.25

package facts

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/allele-go/allele/internal/source/load"
)

// sized lists the arguments of a function that determine how much memory or time it
// takes; a receiver is argument 0. These are arguments from which the function computes
// a length for make, a count for Repeat or Grow, the end of a loop, or an argument of a
// recursive call. Generated numbers for these arguments must be small. If the function
// passes an argument to another function of the package, that function is examined too.
func (x *Index) sized(f load.Func) []int {
	if x.sizes == nil {
		x.sizes = map[*types.Func][]int{}
	}
	if known, ok := x.sizes[f.Obj]; ok {
		return known
	}
	x.sizes[f.Obj] = nil // result for a recursive call of sized, which would add nothing
	if f.Decl.Body == nil {
		return nil
	}
	s := sizer{x: x, f: f, of: map[types.Object][]int{}, found: map[int]bool{}}
	for i, o := range parameters(f.Pkg.Info, f.Decl) {
		if o != nil && isInteger(o.Type()) {
			s.of[o] = []int{i}
		}
	}
	if len(s.of) == 0 {
		return nil
	}
	s.spread()
	ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
		s.look(n)
		return true
	})
	var all []int
	for i := range s.found {
		all = append(all, i)
	}
	slices.Sort(all)
	x.sizes[f.Obj] = all
	return all
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

type sizer struct {
	x     *Index
	f     load.Func
	of    map[types.Object][]int // variable -> the arguments that it is computed from
	found map[int]bool
}

// spread finds the local variables that are computed from arguments. If n variables are
// computed one from another, that may take n passes. Three are enough in practice.
func (s *sizer) spread() {
	for range 3 {
		ast.Inspect(s.f.Decl.Body, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
				for i := range a.Lhs {
					s.assign(a.Lhs[i], a.Rhs[i])
				}
			}
			return true
		})
	}
}

func (s *sizer) assign(to, from ast.Expr) {
	id, ok := to.(*ast.Ident)
	if !ok {
		return
	}
	o := s.f.Pkg.Info.ObjectOf(id)
	if o == nil || !isInteger(o.Type()) {
		return
	}
	for _, i := range s.in(from) {
		if !slices.Contains(s.of[o], i) {
			s.of[o] = append(s.of[o], i)
		}
	}
}

// in lists the arguments that an expression is computed from. The result of a
// call does not count, except for conversions and max.
func (s *sizer) in(e ast.Expr) (all []int) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id, isName := ast.Unparen(n.Fun).(*ast.Ident)
			return s.f.Pkg.Info.Types[n.Fun].IsType() || isName && id.Name == "max"
		case *ast.Ident:
			all = append(all, s.of[s.f.Pkg.Info.ObjectOf(n)]...)
		}
		return true
	})
	return all
}

func (s *sizer) look(n ast.Node) {
	switch n := n.(type) {
	case *ast.ForStmt:
		if n.Cond != nil {
			s.take(n.Cond)
		}
	case *ast.RangeStmt:
		if t := s.f.Pkg.Info.TypeOf(n.X); t != nil && isInteger(t) {
			s.take(n.X)
		}
	case *ast.CallExpr:
		s.call(n)
	}
}

func (s *sizer) take(e ast.Expr) {
	for _, i := range s.in(e) {
		s.found[i] = true
	}
}

func (s *sizer) call(c *ast.CallExpr) {
	info := s.f.Pkg.Info
	var id *ast.Ident
	var receiver []ast.Expr
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		if id = fun.Sel; info.Selections[fun] != nil {
			receiver = []ast.Expr{fun.X}
		}
	default:
		return
	}
	switch f := info.Uses[id].(type) {
	case *types.Builtin:
		if f.Name() == "make" && len(c.Args) > 1 {
			for _, a := range c.Args[1:] {
				s.take(a)
			}
		}
	case *types.Func:
		if name := f.Name(); (name == "Repeat" || name == "Grow") && len(c.Args) > 0 {
			s.take(c.Args[len(c.Args)-1])
		}
		if f.Pkg() != s.f.Pkg.Types {
			return
		}
		args := append(receiver, c.Args...)
		if f.Origin() == s.f.Obj { // the arguments of a recursive call determine how deep it goes
			for _, a := range args {
				s.take(a)
			}
		}
		d := s.x.decl(f.Origin())
		if d == nil {
			return
		}
		for _, i := range s.x.sized(load.Func{Pkg: s.f.Pkg, Decl: d, Obj: f.Origin()}) {
			if i < len(args) {
				s.take(args[i])
			}
		}
	}
}
