//go:build go1.25

package codec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
)

// typeDecl is a type that the source declares outside functions.
type typeDecl struct {
	pkg     string // name in the package clause
	name    string
	test    bool // in a test file
	defines ast.Expr
	never   bool // it has no values of its own: an alias, or a generic type
}

// methodDecl is a method that the source declares.
type methodDecl struct {
	name, sig string // see signature
	pointer   bool   // the receiver is a pointer
}

// Sight is what the types of a folder are named for.
type Sight struct {
	Path string // import path of the package in the folder
	From string // import path of the package of the code, Style.Pkg
}

// Implementers returns an expression for a value of each type in the folder that implements
// an interface, in the order of the source. It leaves out types that the code cannot name,
// and test doubles: types in test files, if other types implement an interface that no test
// file declares. It compares the texts of methods, so a method with other names for the same
// types, such as aliases, is not recognised.
func (p *PackageConsts) Implementers(iface reflect.Type, s Sight) []string {
	p.load()
	wanted, ok := methodsOf(iface)
	if !ok {
		return nil
	}
	var real, double []string
	inTest := true // a type inside a function is not among the declarations
	for _, d := range p.decls {
		path := d.path(s)
		if d.name == iface.Name() && path == iface.PkgPath() {
			inTest = d.test
			continue
		}
		name, named := d.nameIn(s)
		pointer, implements := p.implements(d, path, wanted)
		value := p.value(d, name, pointer)
		switch {
		case !named || d.never || !implements || value == "":
		case d.test:
			double = append(double, value)
		default:
			real = append(real, value)
		}
	}
	if inTest || real == nil {
		return append(real, double...)
	}
	return real
}

// Lacks reports whether there is source that declares no type or function with this name.
func (p *PackageConsts) Lacks(name string) bool {
	p.load()
	return len(p.funcs)+len(p.decls) > 0 && p.funcs[name] == "" && !p.Declares(name)
}

// External reports whether a function belongs to the external tests.
func (p *PackageConsts) External(function string) bool {
	p.load()
	return strings.HasSuffix(p.funcs[function], "_test")
}

// path returns the import path of the type's package. External tests are a package of their own.
func (d *typeDecl) path(s Sight) string {
	if d.test && strings.HasSuffix(d.pkg, "_test") {
		return s.Path + "_test"
	}
	return s.Path
}

// nameIn returns the type's name as the code must write it.
func (d *typeDecl) nameIn(s Sight) (name string, ok bool) {
	switch path := d.path(s); {
	case path == s.From:
		return d.name, true
	case d.test && s.From != path+"_test":
		return "", false // only the external tests of a package can name a type of its tests
	default:
		return d.pkg + "." + d.name, token.IsExported(d.name) && importable(path, s.From)
	}
}

// wantedMethod is a method of an interface.
type wantedMethod struct {
	sig string
	pkg string // import path of the package that can declare it, if it is not exported
}

// methodsOf returns the methods of an interface, by name. ok is false if one of them has no
// text.
func methodsOf(iface reflect.Type) (all map[string]wantedMethod, ok bool) {
	all = map[string]wantedMethod{}
	p := printer{types: map[reflect.Type]string{}, imports: map[string]string{}, pkgNames: map[string]string{}}
	for i := range iface.NumMethod() {
		m := iface.Method(i)
		e, err := parser.ParseExprFrom(token.NewFileSet(), "", p.typeText(m.Type), parser.SkipObjectResolution)
		f, isFunc := e.(*ast.FuncType)
		if err != nil || !isFunc {
			return nil, false
		}
		all[m.Name] = wantedMethod{signature(f), m.PkgPath}
	}
	return all, true
}

// signature returns the types of parameters and results, without names.
func signature(f *ast.FuncType) string {
	var b strings.Builder
	for _, list := range []*ast.FieldList{f.Params, f.Results} {
		b.WriteString("(")
		for i := 0; list != nil && i < len(list.List); i++ {
			field := list.List[i]
			b.WriteString(strings.Repeat(typeKey(field.Type)+",", max(1, len(field.Names))))
		}
		b.WriteString(")")
	}
	return b.String()
}

// implements reports whether a type, or a pointer to it, has all methods.
func (p *PackageConsts) implements(d typeDecl, path string, all map[string]wantedMethod) (pointer, ok bool) {
	if _, isInterface := d.defines.(*ast.InterfaceType); isInterface {
		return false, false
	}
	have := map[string]methodDecl{}
	p.promote(d.pkg, d.name, false, have, embeddedMax)
	for name, want := range all {
		m, found := have[name]
		if !found || m.sig != want.sig || want.pkg != "" && want.pkg != path {
			return false, false
		}
		pointer = pointer || m.pointer
	}
	return pointer, true
}

// embeddedMax is how many levels of embedded fields are followed; a type may embed a pointer
// to itself.
const embeddedMax = 8

// promote adds the methods of a type of the package pkg to have, also those of its embedded
// fields. through is true if a pointer leads to the type.
func (p *PackageConsts) promote(pkg, name string, through bool, have map[string]methodDecl, levels int) {
	for _, m := range p.methods[pkg+"."+name] {
		if _, hidden := have[m.name]; !hidden {
			m.pointer = m.pointer && !through
			have[m.name] = m
		}
	}
	for _, d := range p.decls {
		s, isStruct := d.defines.(*ast.StructType)
		if d.pkg != pkg || d.name != name || !isStruct || levels == 0 {
			continue
		}
		for _, f := range s.Fields.List {
			star, pointer := f.Type.(*ast.StarExpr)
			typ := f.Type
			if pointer {
				typ = star.X
			}
			if id, own := typ.(*ast.Ident); own && f.Names == nil {
				p.promote(pkg, id.Name, through || pointer, have, levels-1)
			}
		}
	}
}

// value returns an expression for a value of a type, or of a pointer to it. It returns "" if
// allele generates no such values.
func (p *PackageConsts) value(d typeDecl, name string, pointer bool) string {
	composite := false
	switch e := p.resolved(d.pkg, d.defines, embeddedMax).(type) {
	case *ast.StructType, *ast.ArrayType, *ast.MapType:
		composite = true
	case *ast.FuncType, *ast.ChanType, *ast.InterfaceType:
		return ""
	case *ast.Ident:
		if zero, basic := zeros[e.Name]; basic && !pointer {
			return name + "(" + zero + ")"
		}
	}
	switch {
	case composite && pointer:
		return "&" + name + "{}"
	case composite:
		return name + "{}"
	case pointer:
		return "new(" + name + ")"
	}
	return "*new(" + name + ")" // the source of its definition is elsewhere
}

// resolved returns the definition of a type, where names of types of the package are replaced
// by their definitions.
func (p *PackageConsts) resolved(pkg string, e ast.Expr, levels int) ast.Expr {
	id, ok := unparen(e).(*ast.Ident)
	for i := 0; ok && levels > 0 && i < len(p.decls); i++ {
		if d := p.decls[i]; d.pkg == pkg && d.name == id.Name {
			return p.resolved(pkg, d.defines, levels-1)
		}
	}
	return unparen(e)
}

// zeros has the zero values of predeclared types.
var zeros = map[string]string{
	"string": `""`, "bool": "false", "int": "0", "int8": "0", "int16": "0", "int32": "0", "int64": "0", "rune": "0", "uint": "0",
	"uint8": "0", "uint16": "0", "uint32": "0", "uint64": "0", "uintptr": "0", "byte": "0",
	"float32": "0", "float64": "0", "complex64": "0", "complex128": "0",
}

// method records a method.
func (p *PackageConsts) method(pkg string, f *ast.FuncDecl) {
	if len(f.Recv.List) != 1 {
		return
	}
	typ := unparen(f.Recv.List[0].Type)
	star, pointer := typ.(*ast.StarExpr)
	if pointer {
		typ = unparen(star.X)
	}
	if id, ok := typ.(*ast.Ident); ok {
		key := pkg + "." + id.Name
		p.methods[key] = append(p.methods[key], methodDecl{f.Name.Name, signature(f.Type), pointer})
	}
}
