//go:build go1.25

package facts

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// Field is a field of a struct, with the constants that code compares the field or its
// elements with.
type Field struct {
	Name string
	Pos  token.Position // of the first comparison
	Test bool           // the comparisons are in test files

	of     *types.Named
	field  *types.Var
	consts []comparedWith
	seen   map[string]bool
}

// comparedWith is a constant that code compares a field with.
type comparedWith struct {
	value constant.Value
	named *types.Const // its name, or nil
}

const (
	// fieldMax is how many constants of one field are kept.
	fieldMax = 64
	// fieldsMax is how many fields of a package are kept.
	fieldsMax = 1024
)

// Fields finds the constants that code of a package compares fields of structs with.
// The structs are those of the package itself and of other packages in scope; for code in
// test files of a package that also has other files, those that test files declare.
func (x *Index) Fields(pkg *load.Package) []*Field {
	c := &fieldCollector{x: x, collector: &collector{pkg: pkg}, byName: map[string]*Field{}}
	for _, f := range pkg.Files {
		c.test = f.Test
		ast.Inspect(f.AST, func(n ast.Node) bool {
			c.look(n)
			return true
		})
	}
	return slices.DeleteFunc(c.found, func(f *Field) bool { return len(f.consts) == 0 })
}

type fieldCollector struct {
	*collector
	x      *Index
	test   bool // the file is a test file
	found  []*Field
	byName map[string]*Field
}

// look reads the comparisons of one node, without the nodes below it.
func (c *fieldCollector) look(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if compares(n.Op) {
			c.take(n.X, n.Y)
			c.take(n.Y, n.X)
		}
	case *ast.SwitchStmt:
		if n.Tag == nil {
			return
		}
		for _, s := range n.Body.List {
			c.take(n.Tag, s.(*ast.CaseClause).List...)
		}
	case *ast.CallExpr:
		if c.searches(n.Fun) && len(n.Args) == 2 {
			c.take(n.Args[0], n.Args[1])
		}
	}
}

// take records the constants that an expression is compared with, if the
// expression is a field or an element of a field.
func (c *fieldCollector) take(e ast.Expr, with ...ast.Expr) {
	e = ast.Unparen(e)
	if i, ok := e.(*ast.IndexExpr); ok {
		e = ast.Unparen(i.X)
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || c.value(sel) != nil {
		return
	}
	for _, w := range with {
		if v := c.value(w); v != nil && v.Kind() != constant.Bool {
			if f := c.field(sel); f != nil {
				f.add(convertTo(scalarOf(f.field.Type()), v), namedConst(c.pkg.Info, w))
			}
		}
	}
}

// field returns the entry for the field that an expression selects, or nil if constants
// for that field cannot be declared.
func (c *fieldCollector) field(sel *ast.SelectorExpr) *Field {
	s := c.pkg.Info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return nil
	}
	owner := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		owner = structOf(owner).Field(i).Type()
	}
	if p, ok := types.Unalias(owner).(*types.Pointer); ok {
		owner = p.Elem()
	}
	of, ok := types.Unalias(owner).(*types.Named)
	v := s.Obj().(*types.Var)
	if !ok || known(of) == "" || of.TypeParams().Len()+of.TypeArgs().Len() > 0 ||
		!c.x.scope[of.Obj().Pkg().Path()] || scalarOf(v.Type()) == nil || c.test && c.x.strange(c.pkg, of.Obj()) {
		return nil
	}
	name := known(of) + "." + v.Name()
	f := c.byName[name]
	if f == nil && len(c.found) < fieldsMax {
		f = &Field{Name: v.Name(), Pos: c.x.at(sel.Pos()), Test: c.test, of: of, field: v, seen: map[string]bool{}}
		c.byName[name] = f
		c.found = append(c.found, f)
	}
	return f
}

// structOf returns the struct that a type is or points to, or nil.
func structOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}

// elements returns the element type of a list or map, and any other type itself.
func elements(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return t
}

// scalarOf returns the basic type of a field or of its elements, or nil.
func scalarOf(t types.Type) *types.Basic {
	b, ok := elements(t).Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsInteger|types.IsFloat|types.IsString) == 0 {
		return nil
	}
	return b
}

func convertTo(t *types.Basic, v constant.Value) constant.Value {
	if t == nil || t.Info()&types.IsString != 0 != (v.Kind() == constant.String) {
		return nil // a string field and a number, as in x.S[0] == 'a'
	}
	return convert(t, v)
}

func (f *Field) add(v constant.Value, named *types.Const) {
	if v == nil || v.Kind() == constant.Unknown || len(f.consts) == fieldMax {
		return
	}
	if text, ok := literal(v); ok && !f.seen[text] {
		f.seen[text] = true
		f.consts = append(f.consts, comparedWith{v, named})
	}
}

// Struct returns the name of the struct type that the field belongs to, as Go source in
// the file of n.
func (f *Field) Struct(n *Names) string { return n.object(f.of.Obj()) }

// FieldName returns the name of the field. n.Try fails if the file may not use this
// name.
func (f *Field) FieldName(n *Names) string { return n.field(f.field) }

// Consts returns the constants as Go source, separated by commas. They have the type of
// the field or of its elements.
func (f *Field) Consts(n *Names) string {
	t := elements(f.field.Type())
	var texts []string
	for _, c := range f.consts {
		if c.named != nil && known(c.named.Type()) != "" && known(c.named.Type()) == known(t) {
			if text, ok := n.sub(func() string { return n.object(c.named) }); ok {
				texts = append(texts, text)
				continue
			}
		}
		// The name of the type is asked for only here: an import that is not used is an error.
		texts = append(texts, n.typ(t)+"("+n.constant(c.value, c.named)+")")
	}
	return strings.Join(texts, ", ")
}
