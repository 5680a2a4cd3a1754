package facts

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// Pattern is a value with holes that a function looks for: what is known about one of
// its parameters where a branch is taken. For
//
//	case Join:
//		if l, ok := x.A.(Text); ok && x.Wide { ... }
//
// it is Join{A: Text{}, Wide: true}. What is zero in it may be anything, but for the
// fields that are fixed.
//
// It is what the thesis takes from the clauses of a function (paper 3, section 4.2).
// Go has no clauses, so conditions are gathered on the way to a branch, and those that
// must not hold there are left out: a hole is filled without looking at them, and
// hardly ever by what they are about.
type Pattern struct {
	Name string // of the function, and a number
	Pos  token.Position

	root  types.Type
	shape *shape
}

const (
	patternsOfFunc = 64  // a switch over pairs of variants has as many
	patternsLooked = 512 // of a function, before those are chosen
	patternsMax    = 512 // of a package
	depthMax       = 6   // fields from the root down
	listMax        = 4   // elements of a list
	// alternativesMax is how many ways a condition may hold that are followed.
	alternativesMax = 16
	// stepsMax bounds the statements looked at in one function: where one condition
	// of several holds, all that follows is looked at for each.
	stepsMax = 20_000
)

// Patterns finds the shapes that functions of a package branch on.
func (x *Index) Patterns(pkg *load.Package) (found []Pattern) {
	seen := map[string]bool{}
	for f := range x.prog.Funcs() {
		if f.Pkg != pkg || f.File.Test && !onlyTests(pkg) || ast.IsGenerated(f.File.AST) {
			continue // generated code looks at every field alike
		}
		w := &walker{x: x, pkg: pkg, fun: f, seen: seen}
		w.function(f.Decl.Recv, f.Decl.Type, f.Decl.Body)
		ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok {
				w.function(nil, lit.Type, lit.Body)
			}
			return true
		})
		found = append(found, w.chosen()...)
	}
	return found[:min(len(found), patternsMax)]
}

// chosen are the patterns of the function. Where there are too many, those go first
// that are the beginning of another one.
func (w *walker) chosen() []Pattern {
	if len(w.found) > patternsOfFunc {
		all := slices.Clone(w.found)
		w.found = slices.DeleteFunc(w.found, func(p Pattern) bool {
			return slices.ContainsFunc(all, func(q Pattern) bool {
				return p.shape != q.shape && types.Identical(p.root, q.root) && p.shape.begins(q.shape)
			})
		})
		w.found = w.found[:min(len(w.found), patternsOfFunc)]
	}
	for i := range w.found {
		w.found[i].Name = plainName(w.fun.Obj) + "#" + itoa(i+1)
	}
	return w.found
}

func onlyTests(pkg *load.Package) bool {
	return !slices.ContainsFunc(pkg.Files, func(f *load.File) bool { return !f.Test })
}

// walker goes through one function.
type walker struct {
	x     *Index
	pkg   *load.Package
	fun   load.Func
	seen  map[string]bool // shapes of the package
	found []Pattern
	steps int
	// reading are the functions that are read in place of a call, ends the returns
	// of the last one.
	reading []*types.Func
	ends    *[]outcome
}

// state is what is known at one place of a function.
type state struct {
	vars   map[types.Object]place       // what variables are parts of
	conds  map[types.Object][2][][]cond // of bools: what holds if they are false, and if true
	shapes map[types.Object]*shape      // by parameter
	dirty  []string                     // places that were assigned to: they tell nothing about the parameter
	first  map[types.Object]bool        // numbers that are zero when a loop begins
	path   []cond                       // all that holds here, where a function is read in place of a call
}

func newState() *state {
	return &state{
		vars:   map[types.Object]place{},
		conds:  map[types.Object][2][][]cond{},
		shapes: map[types.Object]*shape{},
		first:  map[types.Object]bool{},
	}
}

func (s *state) clone() *state {
	return &state{
		maps.Clone(s.vars), maps.Clone(s.conds), maps.Clone(s.shapes),
		slices.Clip(s.dirty), maps.Clone(s.first), slices.Clip(s.path),
	}
}

// function walks a body once for all its parameters of interest.
func (w *walker) function(recv *ast.FieldList, sig *ast.FuncType, body *ast.BlockStmt) {
	st := newState()
	for _, list := range []*ast.FieldList{recv, sig.Params} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, id := range f.Names {
				o := w.pkg.Info.Defs[id]
				if o == nil {
					continue
				}
				if t := w.rootOf(o.Type()); t != nil {
					st.vars[o] = place{root: o, typ: o.Type()}
					st.shapes[o] = &shape{typ: t}
				}
			}
		}
	}
	if len(st.vars) > 0 {
		w.block(body.List, st)
	}
}

// rootOf is the type that patterns of a parameter are of: structs of packages in
// scope, pointers to them, and interfaces with known variants, to which a function that
// puts another value in their place takes a pointer. It is nil for others.
func (w *walker) rootOf(t types.Type) types.Type {
	elem := t
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		elem = p.Elem()
	}
	switch {
	case w.x.isSum(elem):
		return elem
	case w.ownStruct(elem):
		return t
	}
	return nil
}

// ownStruct reports whether a type is a struct whose fields can be written down.
func (w *walker) ownStruct(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || known(t) == "" || n.TypeParams().Len()+n.TypeArgs().Len() > 0 || !w.x.scope[n.Obj().Pkg().Path()] {
		return false
	}
	_, ok = n.Underlying().(*types.Struct)
	return ok
}

// emit keeps what is known about a parameter by now as a pattern, if it is one: a
// constructor alone is none, nor is one field, whose constants are told apart, nor
// what comes by chance often enough: bools and nils.
func (w *walker) emit(st *state, root types.Object, pos token.Pos) {
	s := st.shapes[root]
	below := s.below()
	if below == 0 || below == 1 && !s.explicit || !s.rare() || len(w.found) == patternsLooked {
		return
	}
	p := Pattern{Pos: w.x.at(pos), root: s.typ, shape: s}
	text := p.Root(plainly()) + " " + p.Value(plainly()) + " " + strings.Join(p.Fixed(), " ")
	if !w.seen[text] {
		w.seen[text] = true
		w.found = append(w.found, p)
	}
}

// Root writes the type that the function takes.
func (p Pattern) Root(n *Names) string { return n.typ(p.root) }

// Value writes the shape as a composite literal.
func (p Pattern) Value(n *Names) string {
	if text := p.shape.text(n); text != "" {
		return text
	}
	return n.zero(p.root) // a struct of which all that is known is zero
}

// Fixed lists the fields that are part of the shape although they are zero in it, by
// the names of fields from the root down with dots between; an element of a list is
// its number.
func (p Pattern) Fixed() []string { return p.shape.fixed(nil, "") }
