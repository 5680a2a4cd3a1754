//go:build go1.25

package codec

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/value/schema"
)

// PackageConsts has the constants and types that the source of a package declares.
// It uses no type checker, because a type checker is too large to be linked into
// every test binary. So some constants may be missing because they cannot be
// evaluated; their values are then printed as numbers.
type PackageConsts struct {
	tags tags // of this binary
	dir  string
	load func()

	consts map[string]*constDecl
	order  []*constDecl
	types  map[string]string // from the name of a type to the type that its declaration names
	names  map[string]map[string]string
	makers map[string][]*builderDecl // from the name of a type to the functions that make or change it
	odd    map[string]bool           // types that no value is derived for: interfaces, functions, channels

	decls   []typeDecl              // all types, in the order of the source
	methods map[string][]methodDecl // by package and type, as in shop.Cart
	funcs   map[string]string       // from the name of a function to that of its package
	errors  map[string]errorName    // from the text of an error to its variable

	listed  map[schema.Site][]argument
	imports map[importKey]importedAs
}

// constDecl is one constant, as it is declared.
type constDecl struct {
	name, typ string
	expr      ast.Expr
	iota      int64
	state     evalState
	value     Const
}

type evalState uint8

const (
	unseen evalState = iota
	running
	done
	failed
)

// SourceConsts returns the constants of the package in a folder, including those of
// its tests. It reads the source at the first call of a method.
func SourceConsts(dir string) *PackageConsts {
	p := &PackageConsts{dir: dir, consts: map[string]*constDecl{}, types: map[string]string{},
		names: map[string]map[string]string{}, makers: map[string][]*builderDecl{}, odd: map[string]bool{},
		methods: map[string][]methodDecl{}, funcs: map[string]string{}, errors: map[string]errorName{},
		listed: map[schema.Site][]argument{}, imports: map[importKey]importedAs{}}
	p.load = sync.OnceFunc(p.read)
	return p
}

// Const finds a constant by name.
func (p *PackageConsts) Const(name string) (Const, bool) {
	p.load()
	if d := p.consts[name]; d != nil && d.state == done {
		return d.value, true
	}
	return Const{}, false
}

// Names returns the names of the constants of a type by their value, see ConstNames.
// If several constants have the same value, the map has the first. Do not change the
// map.
func (p *PackageConsts) Names(typeName string) map[string]string {
	p.load()
	return p.names[typeName]
}

// Declares reports whether the package declares a type with this name.
func (p *PackageConsts) Declares(typeName string) bool {
	p.load()
	_, ok := p.types[typeName]
	return ok
}

func (p *PackageConsts) read() {
	p.tags = ownTags()
	files, _ := filepath.Glob(filepath.Join(p.dir, "*.go")) // sorted by name
	for _, file := range files {
		p.file(file)
	}
	for _, d := range p.order {
		p.evaluate(d)
		p.nameValue(d)
	}
}

// file collects the declarations of one file. If the file has a syntax error, it
// collects the declarations before the error.
func (p *PackageConsts) file(name string) {
	if info, err := os.Stat(name); err != nil || info.Size() > fileMax {
		return
	}
	if !p.tags.selects(name) {
		return // the file is for another system, or needs a build tag that is not set
	}
	f, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if f == nil {
		return
	}
	test := strings.HasSuffix(name, "_test.go")
	p.importDecls(f, test)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			p.funcDecl(f.Name.Name, d, test)
		case *ast.GenDecl:
			switch d.Tok {
			case token.TYPE:
				p.typeDecls(f.Name.Name, d, test)
			case token.CONST:
				p.constDecls(d)
			case token.VAR:
				p.varDecls(f.Name.Name, d)
			}
		}
	}
}

func (p *PackageConsts) funcDecl(pkg string, f *ast.FuncDecl, test bool) {
	p.builder(f, test)
	if f.Recv != nil {
		p.method(pkg, f)
	} else {
		p.funcs[f.Name.Name] = pkg
	}
}

func (p *PackageConsts) typeDecls(pkg string, g *ast.GenDecl, test bool) {
	for _, spec := range g.Specs {
		if t, ok := spec.(*ast.TypeSpec); ok {
			p.types[t.Name.Name] = typeKey(t.Type)
			p.decls = append(p.decls, typeDecl{pkg, t.Name.Name, test, t.Type, t.Assign.IsValid() || t.TypeParams != nil})
			switch t.Type.(type) {
			case *ast.InterfaceType, *ast.FuncType, *ast.ChanType:
				p.odd[t.Name.Name] = true
			}
		}
	}
}

// constDecls collects the constants of a const declaration. A line without values
// repeats the values and the type of the line above, as in Go.
func (p *PackageConsts) constDecls(g *ast.GenDecl) {
	var typ ast.Expr
	var values []ast.Expr
	for i, spec := range g.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if len(v.Values) > 0 {
			typ, values = v.Type, v.Values
		}
		for j, name := range v.Names {
			if j < len(values) {
				p.add(&constDecl{name: name.Name, typ: declaredType(typ), expr: values[j], iota: int64(i)})
			}
		}
	}
}

// declaredType returns the name of a constant's type. A type of another package
// keeps its qualifier, so that it is not mistaken for a type of this package.
func declaredType(typ ast.Expr) string {
	switch t := typ.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return qualifierOf(t) + "." + t.Sel.Name
	}
	return ""
}

func (p *PackageConsts) add(d *constDecl) {
	if d.name == "_" || p.consts[d.name] != nil {
		return
	}
	p.consts[d.name] = d
	p.order = append(p.order, d)
}

// evaluate evaluates a constant, and the constants that it depends on.
func (p *PackageConsts) evaluate(d *constDecl) {
	if d.state != unseen {
		return
	}
	d.state = running // a constant found in this state depends on itself
	ev := evaluator{lookup: p.lookup, underlying: p.underlying, iota: constant.MakeInt64(d.iota)}
	n, err := ev.eval(d.expr)
	if err != nil || n.special {
		d.state = failed
		return
	}
	d.value, d.state = n.Const, done
	if d.typ != "" {
		d.value.Type = d.typ
	}
}

func (p *PackageConsts) lookup(name string) (Const, bool) {
	d := p.consts[name]
	if d == nil {
		return Const{}, false
	}
	p.evaluate(d)
	return d.value, d.state == done
}

func (p *PackageConsts) underlying(typ string) string { return p.types[typ] }

// nameValue adds a constant to names, if its type is declared in the package.
func (p *PackageConsts) nameValue(d *constDecl) {
	typ := d.value.Type
	if _, own := p.types[typ]; d.state != done || !own {
		return
	}
	if p.names[typ] == nil {
		p.names[typ] = map[string]string{}
	}
	key := d.value.Value.ExactString()
	if _, taken := p.names[typ][key]; !taken {
		p.names[typ][key] = d.name
	}
}
