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

// Pattern is a value with holes that a function looks for: what is known about
// one of its parameters where a branch is taken. For
//
//	case Join:
//		if l, ok := x.A.(Text); ok && x.Wide { ... }
//
// it is Join{A: Text{}, Wide: true}. A part that is zero may be anything, unless
// it is listed as fixed.
//
// The thesis takes patterns from the clauses of a function (paper 3, section 4.2).
// Go has no clauses, so conditions are collected on the way to a branch. Conditions
// that must be false there are left out: a hole is filled without looking at them,
// and a random value hardly ever makes them true.
type Pattern struct {
	Name string // of the function, and a number
	Pos  token.Position

	root  types.Type
	shape *shape
}

const (
	patternsOfFunc = 64  // enough for a switch over pairs of variants
	patternsLooked = 512 // of a function, before patternsOfFunc are chosen
	patternsMax    = 512 // of a package
	depthMax       = 6   // fields from the root down
	listMax        = 4   // elements of a list
	// alternativesMax is how many alternatives of a condition are followed.
	alternativesMax = 16
	// stepsMax bounds the statements walked in one function: if a condition has
	// alternatives, all that follows is walked for each.
	stepsMax = 20_000
)

// Patterns finds the shapes that functions of a package branch on.
func (x *Index) Patterns(pkg *load.Package) (found []Pattern) {
	seen := map[string]bool{}
	for f := range x.prog.Funcs() {
		if f.Pkg != pkg || f.File.Test && !onlyTests(pkg) || ast.IsGenerated(f.File.AST) {
			continue // generated code reads every field alike
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

// chosen returns the patterns of the function. If there are too many, it first
// drops those that are contained in another pattern.
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

// walker walks one function.
type walker struct {
	x     *Index
	pkg   *load.Package
	fun   load.Func
	seen  map[string]bool // patterns of the package
	found []Pattern
	steps int
	// reading lists the called functions that are being walked. ends collects the
	// returns of the last one.
	reading []*types.Func
	ends    *[]outcome
}

// state is what is known at one point of a function.
type state struct {
	vars   map[types.Object]place       // the places that variables refer to
	conds  map[types.Object][2][][]cond // for bools: what is known if they are false, and if they are true
	shapes map[types.Object]*shape      // by parameter
	dirty  []string                     // places that were assigned to: their value is no longer that of the parameter
	first  map[types.Object]bool        // integers that are zero when a loop begins
	path   []cond                       // all conditions that hold here, within a called function
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

// function walks a body once for all parameters that may have patterns.
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

// rootOf returns the type of the patterns of a parameter, or nil if it has none.
// Patterns are of structs of packages in scope, pointers to them, and interfaces
// with known variants. A parameter may also point to such an interface, as in a
// function that replaces the value.
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

// ownStruct reports whether a type is a struct whose fields a declaration can
// name.
func (w *walker) ownStruct(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || known(t) == "" || n.TypeParams().Len()+n.TypeArgs().Len() > 0 || !w.x.scope[n.Obj().Pkg().Path()] {
		return false
	}
	_, ok = n.Underlying().(*types.Struct)
	return ok
}

// emit records what is known about a parameter as a pattern, if it is specific
// enough. A constructor alone is not, nor is one field, whose constants are
// recorded separately, nor are bools and nils, which random values have often
// enough.
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
	return n.zero(p.root) // a struct whose known parts are all zero
}

// Fixed lists the parts that must be zero, as paths of field names from the root,
// separated by dots. An element of a list is its number.
func (p Pattern) Fixed() []string { return p.shape.fixed(nil, "") }
