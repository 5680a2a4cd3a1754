//go:build go1.25

package codec

import (
	"go/ast"
	"go/constant"
	"go/token"
	"reflect"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
)

// pointer resolves a pointer: nil, the address of a composite literal, or an
// expression such as new(v), ptr(v) or &[]T{v}[0].
func (r *resolver) pointer(s *schema.Schema, e ast.Expr) {
	if r.isNil(s.Type, e) {
		r.open(s, 0, 0)
		return
	}
	at := r.open(s, 1, 0)
	r.content(s, pointee(r.converted(s.Type, e)), cell{typ: s.Type.Elem(), fields: s.Ctors[1].Fields})
	r.seal(at)
}

// converted returns the argument of a conversion to a named pointer type, and any other
// expression unchanged.
func (r *resolver) converted(t reflect.Type, e ast.Expr) ast.Expr {
	if c, ok := e.(*ast.CallExpr); ok && t.Name() != "" && len(c.Args) == 1 && typeKey(c.Fun) == r.keyOf(t) {
		return unparen(c.Args[0])
	}
	return e
}

// target is what a pointer points to. If zero is set, value is the argument of new,
// and may be a type whose zero value is meant.
type target struct {
	value ast.Expr
	zero  bool
}

// pointee returns what the pointer e points to: the operand of & or the argument of
// new or ptr. It also accepts a composite literal without &, because & may be omitted in
// lists, and because the type may not have been a pointer when the case was written.
func pointee(e ast.Expr) target {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if e.Op != token.AND {
			return target{value: e}
		}
		x := unparen(e.X)
		if elem := onlyElem(x); elem != nil {
			return target{value: elem}
		}
		return target{value: x}
	case *ast.CallExpr:
		if isNew(e) {
			return target{value: unparen(e.Args[0]), zero: typeKey(e.Fun) == "new"}
		}
	}
	return target{value: e}
}

// onlyElem returns v if e is []T{v}[0], or else nil.
func onlyElem(e ast.Expr) ast.Expr {
	ix, ok := e.(*ast.IndexExpr)
	if !ok {
		return nil
	}
	lit, ok := unparen(ix.X).(*ast.CompositeLit)
	if !ok || len(lit.Elts) != 1 || isKeyed(lit.Elts[0]) {
		return nil
	}
	return unparen(lit.Elts[0])
}

// content appends the fields of a pointer or an interface that contains e.
func (r *resolver) content(s *schema.Schema, e target, c cell) {
	switch {
	case e.zero && r.namesType(e.value, c.typ):
		r.zeroCell(c)
	case c.inline():
		r.structure(s, e.value, c.typ, c.fields)
	default:
		r.value(c.fields[0].S, e.value)
	}
}

func (r *resolver) zeroCell(c cell) {
	if c.inline() {
		r.zeroFields(c.fields, nil)
		return
	}
	r.zero(c.fields[0].S, nil)
}

// namesType reports whether e, the argument of new, is a type and not a constant.
// Both may be names.
func (r *resolver) namesType(e ast.Expr, t reflect.Type) bool {
	switch e := e.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.StructType, *ast.InterfaceType, *ast.StarExpr:
		return true
	case *ast.Ident:
		if _, isConst := r.consts.lookup(e.Name); isConst {
			return false
		}
	}
	return typeKey(e) == r.keyOf(t)
}

// variant resolves a value of an interface. The type of the expression determines
// the constructor.
func (r *resolver) variant(s *schema.Schema, e ast.Expr) {
	own := r.keyOf(s.Type)
	for {
		c, ok := e.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 || typeKey(c.Fun) != own {
			break
		}
		e = unparen(c.Args[0]) // a conversion to the interface itself
	}
	if id, ok := e.(*ast.Ident); ok && id.Name == "nil" {
		r.open(s, 0, 0)
		return
	}
	c := r.variantOf(s, e)
	if c == 0 {
		r.because(NoVariant, func() { r.unfit(s, e, "%s is not a variant of %s", variantName(e), typeName(s.Type)) })
		return
	}
	typ, fs := s.Variant(c), s.Ctors[c].Fields
	if boxesPointer(typ, fs) {
		if r.isNil(typ, e) {
			r.unfit(s, e, "a nil %s is not a variant of %s", typeName(typ), typeName(s.Type))
			return
		}
		at := r.open(s, c, 0)
		r.content(s, pointee(r.converted(typ, e)), cell{typ: typ.Elem(), fields: fs})
		r.seal(at)
		return
	}
	at := r.open(s, c, 0)
	r.content(s, target{value: e}, cell{typ: typ, fields: fs})
	r.seal(at)
}

func typeName(t reflect.Type) string {
	if t.Name() == "" && t.Kind() == reflect.Interface {
		return "any"
	}
	return t.String()
}

func variantName(e ast.Expr) string {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		if lit, ok := unparen(u.X).(*ast.CompositeLit); ok && lit.Type != nil {
			return "*" + typeKey(lit.Type)
		}
	}
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type != nil {
		return typeKey(lit.Type)
	}
	return describe(e)
}

// variantOf returns the constructor of the variant that has the type of the
// expression. It returns 0 if there is none.
func (r *resolver) variantOf(s *schema.Schema, e ast.Expr) int {
	key, qualifier := r.dynamic(e)
	if c := r.byKey(s, key, qualifier); c != 0 {
		return c
	}
	// The text does not contain the type of the expression if it is a call of a
	// builder or the name of a declared function.
	for c := 1; c < len(s.Ctors); c++ {
		if fs := s.Ctors[c].Fields; len(fs) == 1 && fs[0].Name == "" && r.recognises(fs[0].S, e) {
			return c
		}
	}
	return 0
}

// recognises reports whether an expression calls a builder of s, or is the name of a
// declared value of s.
func (r *resolver) recognises(s *schema.Schema, e ast.Expr) bool {
	switch {
	case s.Opaque():
		return r.builds(s, e)
	case s.Kind == schema.Made:
		b, ok := r.builder(s, e)
		f := s.Ctors[b.ctor].Func
		return ok && !schema.Is[schema.Given](f) && !schema.Is[schema.Literal](f) // they match values of other types too
	case s.Kind == schema.Choice:
		return r.named(s, e) >= 0 || s.Base != nil && r.recognises(s.Base, e)
	}
	return false
}

// byKey finds a variant by the typeKey of its type. If several packages have a type
// with this name, the qualifier decides. Without a qualifier, the package of the
// interface or of the root type is preferred.
func (r *resolver) byKey(s *schema.Schema, key, qualifier string) int {
	index := r.variants[s]
	if index == nil {
		index = map[string][]int{}
		for c := 1; c < len(s.Ctors); c++ {
			k := r.keyOf(s.Variant(c))
			index[k] = append(index[k], c)
		}
		r.variants[s] = index
	}
	found := index[key]
	if len(found) == 0 {
		return 0
	}
	for _, c := range found {
		t := s.Variant(c)
		if t.Kind() == reflect.Pointer && t.Name() == "" {
			t = t.Elem()
		}
		pkg, _, _ := strings.Cut(t.String(), ".")
		home := t.PkgPath() == s.Type.PkgPath() || t.PkgPath() == r.world.Root.Type.PkgPath()
		if qualifier == pkg || qualifier == "" && home {
			return c
		}
	}
	return found[0]
}

// dynamic returns the typeKey of the type that Go infers for an expression, and the
// package with which the text qualifies the type.
func (r *resolver) dynamic(e ast.Expr) (key, qualifier string) {
	star := ""
	for len(star) < starsMax {
		e = unparen(e)
		next := ast.Expr(nil)
		switch x := e.(type) {
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return star + r.defaultType(e), ""
			}
			if ix, ok := unparen(x.X).(*ast.IndexExpr); ok {
				return star + "*" + elemKey(ix.X), ""
			}
			next = x.X
		case *ast.CompositeLit:
			return star + typeKey(x.Type), qualifierOf(x.Type)
		case *ast.CallExpr:
			if !isNew(x) {
				return star + r.resultType(x), qualifierOf(x.Fun)
			}
			if _, isIdent := unparen(x.Args[0]).(*ast.Ident); isIdent || isType(x.Args[0]) {
				return star + "*" + r.argType(x.Args[0]), qualifierOf(x.Args[0])
			}
			next = x.Args[0]
		default:
			return star + r.defaultType(e), ""
		}
		star, e = star+"*", next
	}
	return "", ""
}

// starsMax is the maximal number of pointers to pointers in an interface.
const starsMax = 100

func isNew(c *ast.CallExpr) bool {
	name := typeKey(c.Fun)
	return len(c.Args) == 1 && (name == "new" || name == "ptr" || name == "Ptr")
}

func isType(e ast.Expr) bool {
	switch e.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.StructType, *ast.InterfaceType, *ast.StarExpr, *ast.SelectorExpr:
		return true
	}
	return false
}

// argType returns the type that new(e) points to: the type of e if e is a constant,
// or else e itself.
func (r *resolver) argType(e ast.Expr) string {
	if t := r.defaultType(e); t != "" {
		return t
	}
	return typeKey(e)
}

// elemKey returns the typeKey of T if e is []T{v}, or else "".
func elemKey(e ast.Expr) string {
	if lit, ok := unparen(e).(*ast.CompositeLit); ok {
		if a, ok := lit.Type.(*ast.ArrayType); ok {
			return typeKey(a.Elt)
		}
	}
	return ""
}

// resultType returns the type of a call. A call of an unknown function is taken for
// a conversion, so the function's name is the type.
func (r *resolver) resultType(c *ast.CallExpr) string {
	if f, ok := unparen(c.Fun).(*ast.FuncLit); ok {
		if res := f.Type.Results; res != nil && len(res.List) == 1 {
			return typeKey(res.List[0].Type)
		}
		return ""
	}
	name := typeKey(c.Fun)
	switch {
	case isMath(c.Fun):
		return "float64"
	case name == "complex" && len(c.Args) == 2:
		for _, a := range c.Args {
			if part, ok := unparen(a).(*ast.CallExpr); ok && typeKey(part.Fun) == "float32" {
				return "complex64"
			}
		}
		return "complex128"
	}
	return name
}

// defaultType returns the type of a constant expression: its own type, or the
// default type of an untyped constant. It is "" if e is not constant.
func (r *resolver) defaultType(e ast.Expr) string {
	n, err := r.consts.eval(e)
	switch {
	case err != nil:
		return ""
	case n.Type != "":
		return n.Type
	}
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.CHAR {
		return "int32"
	}
	return map[constant.Kind]string{constant.Bool: "bool", constant.String: "string", constant.Int: "int",
		constant.Float: "float64", constant.Complex: "complex128"}[n.Value.Kind()]
}
