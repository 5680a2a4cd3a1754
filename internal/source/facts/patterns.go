//go:build go1.25

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

// Pattern is a value with holes that a function looks for. It contains what is known
// about one of the function's parameters where a branch is taken. For
//
//	case Join:
//		if l, ok := x.A.(Text); ok && x.Wide { ... }
//
// the pattern is Join{A: Text{}, Wide: true}. A part that is zero is a hole: it may
// have any value, unless it is listed as fixed.
//
// Mista's thesis (see package value/weight) takes patterns from the clauses of a Haskell
// function (paper 3, section 4.2). Go functions have no clauses, so we collect the
// conditions that lead to a branch. A condition that must be false there, such as x.N == 3 in the else branch, is usually
// left out: holes are filled with random values, which hardly ever make such a
// condition true.
type Pattern struct {
	Name string // name of the function and a number, as in (*Tree).Insert#2
	Pos  token.Position
	Test bool // the function is in a test file

	root  types.Type
	shape *shape
}

const (
	patternsOfFunc = 64  // patterns of a function; enough for a switch over pairs of variants
	patternsLooked = 512 // patterns found in a function, before patternsOfFunc are chosen
	patternsMax    = 512 // patterns of a package
	depthMax       = 6   // fields and elements on the way from the root to a part
	listMax        = 4   // elements of a list
	// alternativesMax is how many alternatives of a condition are followed.
	alternativesMax = 16
	// condsMax is how many conditions of one alternative are kept. A chain of && has one
	// more with each operator, and no pattern needs as many.
	condsMax = 64
	// stepsMax limits the statements walked in one function. There may be many, because
	// the statements after a condition with alternatives are walked for each
	// alternative.
	stepsMax = 20_000
)

// Patterns finds the patterns that functions of a package look for.
func (x *Index) Patterns(pkg *load.Package) (found []Pattern) {
	seen := map[string]bool{}
	for f := range x.prog.Funcs() {
		if f.Pkg != pkg || ast.IsGenerated(f.File.AST) {
			continue // generated code is skipped: it treats all fields alike
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

// chosen returns the patterns of the function. If there are too many, it first drops
// patterns whose conditions are all part of another pattern.
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

// walker walks the statements of one function and collects its patterns.
type walker struct {
	x     *Index
	pkg   *load.Package
	fun   load.Func
	seen  map[string]bool // patterns found in the package so far
	found []Pattern
	steps int
	// writes lists the assignments of the function that is being walked, and forgets
	// counts how many were forgotten so far; see forget.go.
	writes  []write
	forgets int
	// reading lists the called functions that are being walked, the innermost last.
	// ends collects the return statements of the innermost one.
	reading []*types.Func
	ends    *[]outcome
}

// state is what is known at one point of a function.
type state struct {
	vars   map[types.Object]place       // variable -> the part of a parameter that it refers to
	conds  map[types.Object][2][][]cond // bool variable -> what is known if it is false, and if it is true
	shapes map[types.Object]*shape      // parameter -> what is known about it
	dirty  []string                     // keys of places that were assigned to: they may differ from the function's input
	first  map[types.Object]bool        // integer variables that are zero in the first pass of a loop
	path   []cond                       // within a called function: all conditions that hold here
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

// function walks the body of a function or function literal, if a parameter may have
// patterns.
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
		w.writes = w.x.writesOf(body)
		w.block(body.List, st)
	}
}

// rootOf returns the type of the patterns of a parameter of type t, or nil if the
// parameter cannot have patterns. There are patterns for structs of packages in scope,
// for pointers to them, and for interfaces with known variants. A parameter may also be
// a pointer to such an interface, as in a function that replaces the value; then the
// patterns have the interface type. See strange for test files.
func (w *walker) rootOf(t types.Type) types.Type {
	elem := t
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		elem = p.Elem()
	}
	n, ok := types.Unalias(elem).(*types.Named)
	switch {
	case !ok || w.fun.File.Test && w.x.strange(w.pkg, n.Obj()):
		return nil
	case w.x.isSum(elem, pathOfTests(w.fun)):
		return elem
	case w.ownStruct(elem):
		return t
	}
	return nil
}

// ownStruct reports whether a type is a struct, declared in scope and not generic, so
// that a declaration can name its fields.
func (w *walker) ownStruct(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || known(t) == "" || n.TypeParams().Len()+n.TypeArgs().Len() > 0 || !w.x.scope[n.Obj().Pkg().Path()] {
		return false
	}
	_, ok = n.Underlying().(*types.Struct)
	return ok
}

// emit records what is known about a parameter as a pattern, if it is specific enough.
// Three kinds of patterns are not specific enough: a constructor alone; a single field,
// because constants of fields are recorded separately; and only bools and nils, because
// random values match these often enough.
func (w *walker) emit(st *state, root types.Object, pos token.Pos) {
	s := st.shapes[root]
	below := s.below()
	if below == 0 || below == 1 && !s.explicit || !s.rare() || len(w.found) == patternsLooked || w.forgets > forgetsMax {
		return
	}
	p := Pattern{Pos: w.x.at(pos), Test: w.fun.File.Test, root: s.typ, shape: s}
	n := plainly()
	text := p.Root(n) + " " + p.Value(n) + " " + strings.Join(p.Fixed(), " ")
	if !w.seen[text] && !n.never {
		w.seen[text] = true
		w.found = append(w.found, p)
	}
}

// Root returns the type of the value that the function looks for, as Go source.
func (p Pattern) Root(n *Names) string { return n.typ(p.root) }

// Value returns the pattern as Go source, usually a composite literal.
func (p Pattern) Value(n *Names) string {
	if text := p.shape.text(n); text != "" {
		return text
	}
	return n.zero(p.root) // a struct whose known parts are all zero
}

// Fixed lists the parts that must be zero. Each is a path of field names from the root,
// separated by dots, as in Left.Red. An element of a list is written as its number.
func (p Pattern) Fixed() []string { return p.shape.fixed(nil, "") }
