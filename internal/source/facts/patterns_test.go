//go:build go1.25

package facts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// patternsOf writes the patterns of a package, one per line: the value, and after
// a bar the fields that are fixed at zero.
func patternsOf(x *Index, pkg *load.Package) string {
	var lines []string
	n := Inside(pkg)
	for _, p := range x.Patterns(pkg) {
		value, ok := n.Try(func() string { return p.Value(n) })
		if !ok {
			value = "cannot be written"
		}
		line := p.Name + " " + value
		if fixed := p.Fixed(); len(fixed) > 0 {
			line += " | " + strings.Join(fixed, " ")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

const html = `
type Html interface{ html() }
type Text string
type Single string
type Tag struct { Name string; Body Html }
type Join struct { A, B Html; Wide bool }
type Many struct { Of []Html }

func (Text) html()   {}
func (Single) html() {}
func (*Tag) html()   {}
func (Join) html()   {}
func (*Many) html()  {}
`

const tree = `
type Color uint8
const ( Black Color = iota; Red )
type Tree struct { Left, Right *Tree; Color Color; key int; name string }
`

// patternRows are functions. testdata/patterns.golden lists the patterns that
// they look for.
var patternRows = []struct{ name, types, code string }{
	{"clauses of the thesis", html, `func simplify(h Html) Html {
	switch x := h.(type) {
	case Join:
		a, b := simplify(x.A), x.B
		_ = a
		if l, ok := x.A.(Text); ok {
			if r, ok := b.(Text); ok {
				return l + r
			}
		}
		if l, ok := x.A.(Join); ok {
			if _, ok := l.A.(Text); ok {
				return x
			}
		}
	case *Tag:
		return x
	}
	return h
}`},
	{"a constructor alone is not a pattern", html, `func f(h Html) bool { _, ok := h.(Text); return ok }`},
	{"pointers and values differ", html, `func f(h Html) { if t, ok := h.(*Tag); ok { if _, ok := t.Body.(*Tag); ok { println() } } }`},
	{"a pointer to an interface", html, `func f(h *Html) { if t, ok := (*h).(*Tag); ok { if _, ok := t.Body.(Text); ok && h != nil { *h = t.Body } } }`},
	{"a struct whose known parts are zero", html, `func f(j Join) { if j.A == nil && j.B == nil { println() } }`},
	{"a method of a variant", html, `func (j Join) f() bool { _, l := j.A.(Text); _, r := j.B.(Text); return l && r }`},
	{"several types in a clause", html, `func f(h Html) { switch x := h.(type) { case Join: switch x.A.(type) { case Text, *Tag: println(); case nil: println(x.Wide) } } }`},
	{"a constant in a variant", html, `func f(h Html) { if j, ok := h.(Join); ok && j.A == Text("x") { println() } }
func g(h Html) { if j, ok := h.(Join); ok { if s, ok := j.A.(Text); ok && s == "" { println() } } }`},
	{"elements of lists", html, `func f(m *Many) {
	if len(m.Of) == 2 { if _, ok := m.Of[1].(Text); ok { println() } }
	for _, h := range m.Of { if t, ok := h.(*Tag); ok && t.Name == "b" { println() } }
}
func g(h Html) { if m, ok := h.(*Many); ok && len(m.Of) == 0 { println() } }`},
	{"elements by index", html, `type Section struct { Kind byte; Of []Html }
type Module struct { Sections []Section; On bool }
func f(m *Module) {
	for i := range m.Sections { s := &m.Sections[i]; if s.Kind == 7 && m.On { println() } }
	for i := 0; i < len(m.Sections); i++ { if m.Sections[i].Of == nil && !m.On { println() } }
}`},
	{"an interface without known variants", html, `type Any struct { X any; Y Html }
func f(a Any) { if _, ok := a.X.(Text); ok { if _, ok := a.Y.(Text); ok && a.X != nil { println() } } }`},
	{"red-black trees", tree, `func (t *Tree) balance() {
	if t.Color == Black && t.Left != nil && t.Left.Color == Red && t.Left.Left != nil && t.Left.Left.Color == Red { println() }
}`},
	{"a called helper is walked", tree, `func isRed(t *Tree) bool { return t != nil && t.Color == Red }
func (t *Tree) left() *Tree { return t.Left }
func f(t *Tree) { if isRed(t.left()) && !isRed(t.Right) && isRed(t.Left.Left) { println() } }`},
	{"a called method of an embedded type is not walked", tree, `type base struct{ Color Color }
func (b base) above(t *Tree) bool { return b.Color == Red && t.Left != nil }
type outer struct { base; T *Tree }
func f(o *outer) { if o.above(o.T) && o.T.Right != nil { println() } }`},
	{"a helper of several statements", tree, `func isRed(t *Tree) bool {
	if t == nil {
		return false
	}
	return t.Color == Red
}
func f(t *Tree) {
	if isRed(t.Left) && isRed(t.Left.Left) { println() }
	if t.key == 1 && !isRed(t.Right) { println() }
}`},
	{"a helper that returns nil for other values", html, `func tag(h Html) *Tag {
	switch t := h.(type) {
	case *Tag:
		if t.Name == "b" { return t }
	}
	return nil
}
func f(j Join) {
	a, b := tag(j.A), tag(j.B)
	if a != nil && b != nil && b.Body == nil { println() }
	if a == nil && j.Wide { println() }
}`},
	{"a helper with a second result", html, `func bold(h Html) (*Tag, bool) {
	t, ok := h.(*Tag)
	if !ok || t.Name != "b" { return nil, false }
	return t, true
}
func f(j Join) { if t, ok := bold(j.A); ok && t.Body == nil { println() } }
func dual(name string, wide bool) (string, bool) {
	switch { case name == "p" && wide: return "q", true; case name == "q": return "p", true }
	return "", false
}
func g(j Join) { if t, ok := j.B.(*Tag); ok { if _, ok := dual(t.Name, j.Wide); ok { println() } } }`},
	{"a function that calls itself", tree, `func has(t *Tree, k int) bool { return t != nil && (t.key == 9 || has(t.Left, k)) }
func top(t *Tree) { if has(t.Right, 1) { println() } }`},
	{"after an early return the condition is false", tree, `func f(t *Tree) bool {
	if t == nil || t.Left == nil { return false }
	if t.Right != nil { return true }
	return t.key == 7
}`},
	{"two fields that are equal, once one is known", tree, `func f(t *Tree) { if t.Left != nil && t.name == "x" { if t.Left.name == t.name { println() } } }`},
	{"the else branch of a test for nil", tree, `func f(t *Tree) { if t == nil { println() } else if t.Left == nil && t.name == "x" { println() } }`},
	{"two alternatives", tree, `func f(t *Tree) { if t.Left != nil && (t.key == 1 || t.key == 2) { println() } }`},
	{"a switch on a field, and one without a tag", tree, `func f(t *Tree) {
	switch { case t == nil: return; case t.Left == nil: println(); case t.Right == nil: println() }
	switch t.name { case "a", "b": if t.Color == Red { println() } }
}`},
	{"a variable that is assigned to is ignored", tree, `func f(t *Tree) {
	l := t.Left
	l = other()
	if l != nil && l.Color == Red { println() }
	t.Right = l
	if t.Right != nil && t.Right.Color == Red { println() }
}
func other() *Tree { return nil }`},
	{"a loop is walked once", tree, `func f(t *Tree) { for t != nil { if t.key == 3 { println() }; t = t.Left }; if t.key == 4 && t.Left == nil { println() } }`},
	{"impossible conditions are left out", tree, `func f(t *Tree) { if t.Left == nil { if t.Left.Left != nil { println() }; if t.key == 1 { if t.key == 2 && t.name == "" { println() } } } }`},
	{"at most six fields deep", tree, `func f(t *Tree) { if t.Left.Left.Left.Left.Left.Left.Left != nil && t.key == 1 { println() }; if t.Left.Left.Left.Left.key == 1 { println() } }`},
	{"each pattern once", tree, `func f(t *Tree) { if t.Left != nil && t.key == 1 { println() } }
func g(t *Tree) { if t.key == 1 && t.Left != nil { println() } }`},
	{"embedded structs and literals of functions", tree, `type Base struct { On bool; N int }
type Deep struct { Base; T *Tree; P struct{ X int } }
func f() func(Deep) bool { return func(d Deep) bool { return d.On && d.N == 5 && !(d.T == nil) && d.P.X == 3 } }`},
	{"a predeclared name may be redeclared", tree, `const true = 1 == 1
func f(x Deep) { if x.On && x.N == 1 { println() } }
type Deep struct { On bool; N int }`},
}

func TestPatterns(t *testing.T) {
	files := map[string]string{}
	for i, c := range patternRows {
		files[fmt.Sprintf("p%02d/p.go", i)] = "package p\n" + c.types + c.code + "\n"
	}
	_, x := scratch(t, files)
	var got strings.Builder
	for i, c := range patternRows {
		fmt.Fprintf(&got, "# %s\n%s\n\n%s\n\n", c.name, c.code, patternsOf(x, x.prog.Scope[i]))
	}
	testkit.Golden(t, "testdata/patterns.golden", []byte(got.String()))
}
