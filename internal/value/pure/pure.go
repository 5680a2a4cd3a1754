//go:build go1.25

// Package pure decides from the source of a method whether it only computes. A method that nobody has
// declared is called only then. The allele command knows all types of a program and decides this better
// (see package facts); here the syntax of one package must suffice, so what is unclear counts as an effect.
package pure

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Method reports whether a method of a type has no effects other than on its receiver and its
// arguments. If its source cannot be read, the answer is no.
func Method(m reflect.Method) bool {
	f := runtime.FuncForPC(m.Func.Pointer())
	file, _ := f.FileLine(f.Entry())
	if !filepath.IsAbs(file) || filepath.Ext(file) != ".go" {
		return false
	}
	return packageAt(filepath.Dir(file)).pure(m.Name)
}

// syntax is the source of a package.
type syntax struct {
	files map[*ast.FuncDecl]*ast.File
	funcs map[string][]*ast.FuncDecl // by name, methods too
	types map[string]bool
	known map[string]bool // whether all functions of a name are pure; true while they are examined
	sync.Mutex
}

var packages sync.Map // from folder to *syntax

func packageAt(dir string) *syntax {
	p, _ := packages.LoadOrStore(dir, sync.OnceValue(func() *syntax { return parsePackage(dir) }))
	return p.(func() *syntax)()
}

func parsePackage(dir string) *syntax {
	p := &syntax{map[*ast.FuncDecl]*ast.File{}, map[string][]*ast.FuncDecl{}, map[string]bool{}, map[string]bool{}, sync.Mutex{}}
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		file, _ := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if file == nil {
			continue
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				p.files[d] = file
				p.funcs[d.Name.Name] = append(p.funcs[d.Name.Name], d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok {
						p.types[t.Name.Name] = true
					}
				}
			}
		}
	}
	return p
}

// pure reports whether the package declares functions with a name, and all of them only compute.
func (p *syntax) pure(name string) bool {
	p.Lock()
	defer p.Unlock()
	return p.allPure(name)
}

func (p *syntax) allPure(name string) bool {
	ok, seen := p.known[name]
	if seen {
		return ok
	}
	p.known[name] = true
	ok = len(p.funcs[name]) > 0
	for _, f := range p.funcs[name] {
		ok = ok && f.Body != nil && p.only(p.files[f], f)
	}
	p.known[name] = ok
	return ok
}

// only reports whether the statements of a function compute, and change only what is local to it or
// what its receiver and arguments lead to.
func (p *syntax) only(file *ast.File, f *ast.FuncDecl) bool {
	ok := true
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				ok = ok && (n.Tok == token.DEFINE || isLocal(file, x))
			}
		case *ast.IncDecStmt:
			ok = ok && isLocal(file, n.X)
		case *ast.CallExpr:
			ok = ok && p.computesCall(file, n.Fun)
		}
		return ok
	})
	return ok
}

// isLocal reports whether an assignment to x changes a variable of a function, or what it leads to.
func isLocal(file *ast.File, x ast.Expr) bool {
	for {
		switch e := x.(type) {
		case *ast.ParenExpr:
			x = e.X
		case *ast.SelectorExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		case *ast.Ident:
			return e.Name == "_" || e.Obj != nil && file.Scope.Lookup(e.Name) != e.Obj
		default:
			return false
		}
	}
}

// computesCall reports whether a call of f only computes: of a built-in function, a conversion, a
// function of the package that does, or of certain packages.
func (p *syntax) computesCall(file *ast.File, f ast.Expr) bool {
	switch f := f.(type) {
	case *ast.ParenExpr:
		return p.computesCall(file, f.X)
	case *ast.StarExpr: // a conversion
		return p.computesCall(file, f.X)
	case *ast.IndexExpr: // type arguments
		return p.computesCall(file, f.X)
	case *ast.ArrayType, *ast.MapType, *ast.InterfaceType:
		return true
	case *ast.Ident:
		return slices.Contains(computing, f.Name) && f.Obj == nil || p.types[f.Name] || p.allPure(f.Name)
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Obj == nil {
			if path := Imported(file, x.Name); path != "" {
				return slices.Contains(computingPackages, path) || path == "fmt" && slices.Contains(computingFmt, f.Sel.Name)
			}
		}
		return p.allPure(f.Sel.Name)
	}
	return false
}

// computing are the predeclared functions and types whose calls compute.
var computing = strings.Fields("append cap clear copy delete len make max min new panic complex real imag " +
	"bool byte rune string error any uintptr int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64")

var computingPackages = strings.Fields("bytes cmp errors maps math math/bits slices sort strconv strings unicode unicode/utf8")

var computingFmt = strings.Fields("Append Appendf Appendln Errorf Sprint Sprintf Sprintln")

// Imported returns the path of the package that a file imports by a name, or "".
func Imported(file *ast.File, name string) string {
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if spec.Name != nil && spec.Name.Name == name || spec.Name == nil && path[strings.LastIndexByte(path, '/')+1:] == name {
			return path
		}
	}
	return ""
}
