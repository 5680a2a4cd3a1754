//go:build go1.25

package codec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
)

// keyOf returns the typeKey of a Go type.
func (r *resolver) keyOf(t reflect.Type) string {
	key, ok := r.typeKeys[t]
	if !ok {
		p := printer{world: r.world, types: map[reflect.Type]string{}, imports: map[string]string{}, aliases: map[string]bool{}}
		if e, err := parser.ParseExprFrom(token.NewFileSet(), "", p.typeText(t), parser.SkipObjectResolution); err == nil {
			key = typeKey(e)
		}
		r.typeKeys[t] = key
	}
	return key
}

// typeKey returns the text of a type expression in a normal form: equal types have
// equal keys. Names have no package, because a case file must not depend on the
// package that it was written for. The key is empty if e is not a type.
func typeKey(e ast.Expr) string {
	var k keyWriter
	k.write(e)
	if k.notType {
		return ""
	}
	return string(k.out)
}

type keyWriter struct {
	out     []byte
	notType bool
}

func (k *keyWriter) text(s string) { k.out = append(k.out, s...) }

// write appends the key of a type. It is one switch over the forms of types, kept
// whole.
func (k *keyWriter) write(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		k.text(alias(e.Name))
	case *ast.SelectorExpr:
		if x := unparen(e.X); isMethodOf(x) {
			k.write(x)
			k.text(".")
		}
		k.text(e.Sel.Name)
	case *ast.ParenExpr:
		k.write(e.X)
	case *ast.StarExpr:
		k.text("*")
		k.write(e.X)
	case *ast.ArrayType:
		k.text("[")
		k.length(e.Len)
		k.text("]")
		k.write(e.Elt)
	case *ast.MapType:
		k.text("map[")
		k.write(e.Key)
		k.text("]")
		k.write(e.Value)
	case *ast.IndexExpr:
		k.instance(e.X, e.Index)
	case *ast.IndexListExpr:
		k.instance(e.X, e.Indices...)
	case *ast.StructType:
		k.text("struct{")
		k.fields(e.Fields)
		k.text("}")
	case *ast.InterfaceType:
		if e.Methods.NumFields() == 0 {
			k.text("any")
			return
		}
		k.text("interface{")
		k.fields(e.Methods)
		k.text("}")
	case *ast.FuncType:
		k.text("func(")
		k.fields(e.Params)
		k.text(")")
		k.fields(e.Results)
	case *ast.ChanType:
		k.text("chan" + strconv.Itoa(int(e.Dir)) + " ")
		k.write(e.Value)
	case *ast.Ellipsis:
		k.text("...")
		k.write(e.Elt)
	default:
		k.notType = true
	}
}

// isMethodOf reports whether x in x.Name must be a type and not a package, as in
// (*T).Name.
func isMethodOf(x ast.Expr) bool {
	_, isStar := x.(*ast.StarExpr)
	return isStar
}

func alias(name string) string {
	switch name {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	}
	return name
}

func (k *keyWriter) length(e ast.Expr) {
	if e == nil {
		return
	}
	ev := evaluator{lookup: func(string) (Const, bool) { return Const{}, false }}
	if n, err := ev.eval(e); err == nil && !n.special {
		k.text(n.Value.ExactString())
		return
	}
	k.notType = true
}

func (k *keyWriter) instance(generic ast.Expr, args ...ast.Expr) {
	k.write(generic)
	k.text("[")
	for i, a := range args {
		if i > 0 {
			k.text(",")
		}
		k.write(a)
	}
	k.text("]")
}

func (k *keyWriter) fields(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, name := range f.Names {
			k.text(name.Name + " ")
			k.write(f.Type)
			k.text(";")
		}
		if len(f.Names) == 0 {
			k.write(f.Type)
			k.text(";")
		}
	}
}

// qualifierOf returns the package in a qualified type such as pkg.T, *pkg.T or
// pkg.T[int], or "" if there is none.
func qualifierOf(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.CallExpr:
			e = x.Fun
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok {
				return id.Name
			}
			return ""
		default:
			return ""
		}
	}
}
