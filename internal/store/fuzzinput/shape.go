//go:build go1.25

package fuzzinput

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// syntax is the source of one package without type information: enough to find the
// arguments of a fuzz test and the fields of an input.
type syntax struct {
	dir   string
	files []*ast.File
}

// parseDir parses the Go files of a folder. A file with errors contributes what could be
// parsed.
func parseDir(dir string) (*syntax, error) {
	names, err := filepath.Glob(filepath.Join(globQuoted(dir), "*.go"))
	if err != nil {
		return nil, err
	}
	s := &syntax{dir: dir}
	set := token.NewFileSet()
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if f, _ := parser.ParseFile(set, name, data, parser.SkipObjectResolution); f != nil {
			s.files = append(s.files, f)
		}
	}
	return s, nil
}

func globQuoted(path string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// function returns the declaration of a function, or nil.
func (s *syntax) function(name string) *ast.FuncDecl {
	for _, f := range s.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name && fn.Body != nil {
				return fn
			}
		}
	}
	return nil
}

// Arg is a field of an input, or an argument of a fuzz target.
type Arg struct {
	name string // empty if the whole input is meant
	typ  string // a type of fuzz arguments, such as string; empty if the type is another one
	text string // the type as it is written in the source
}

// fuzzArgs returns the arguments of a fuzz target: the parameters of the function that is
// passed to f.Fuzz, without the first.
func (s *syntax) fuzzArgs(fuzz string) ([]Arg, error) {
	fn := s.function(fuzz)
	if fn == nil {
		return nil, fmt.Errorf("no func %s in %s; export writes the corpus of a fuzz test that exists", fuzz, s.dir)
	}
	target := s.argument(fn, "Fuzz", 0)
	if target == nil {
		return nil, fmt.Errorf("func %s in %s has no call f.Fuzz(func(t *testing.T, ...) {...})", fuzz, s.dir)
	}
	args := s.params(target, fn)[1:]
	for i, a := range args {
		if a.typ == "" {
			return nil, fmt.Errorf("argument %d of %s has the type %s; want types that go test -fuzz accepts", i+1, fuzz, a.text)
		}
	}
	return args, nil
}

// input returns the shape of the input of a test's first Check: its fields, or the input
// itself with an empty name.
func (s *syntax) input(test string) ([]Arg, error) {
	fn := s.function(test)
	if fn == nil {
		return nil, fmt.Errorf("no func %s in %s", test, s.dir)
	}
	property := s.argument(fn, "Check", 1)
	if property == nil {
		return nil, fmt.Errorf("func %s in %s has no call allele.Check(t, func(t *allele.T, in T) {...})", test, s.dir)
	}
	params := property.Params.List
	typ := s.resolve(params[len(params)-1].Type, fn, 0)
	st, ok := typ.(*ast.StructType)
	if !ok {
		return []Arg{s.arg("", params[len(params)-1].Type, fn)}, nil
	}
	return s.params(&ast.FuncType{Params: st.Fields}, fn), nil
}

// argument returns the type of the function that is argument n of the first call of method in
// a function. It must have at least two parameters.
func (s *syntax) argument(fn *ast.FuncDecl, method string, n int) (found *ast.FuncType) {
	ast.Inspect(fn, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || found != nil || len(call.Args) <= n || calleeName(call.Fun) != method {
			return found == nil
		}
		switch f := call.Args[n].(type) {
		case *ast.FuncLit:
			found = f.Type
		case *ast.Ident:
			if decl := s.function(f.Name); decl != nil {
				found = decl.Type
			}
		}
		if found != nil && found.Params.NumFields() < 2 {
			found = nil
		}
		return found == nil
	})
	return found
}

// calleeName returns the name of a function that is called, without its package and type arguments.
func calleeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return calleeName(e.X)
	}
	return ""
}

// params returns the parameters of a function one by one, also those without names.
func (s *syntax) params(f *ast.FuncType, in *ast.FuncDecl) (args []Arg) {
	for _, p := range f.Params.List {
		for _, name := range p.Names {
			args = append(args, s.arg(name.Name, p.Type, in))
		}
		if len(p.Names) == 0 {
			args = append(args, s.arg(calleeName(p.Type), p.Type, in)) // an embedded field has the name of its type
		}
	}
	return args
}

func (s *syntax) arg(name string, typ ast.Expr, in *ast.FuncDecl) Arg {
	a := Arg{name: name, text: types.ExprString(typ)}
	if text := types.ExprString(s.resolve(typ, in, 0)); slices.Contains(fuzzTypes, text) {
		a.typ = text
	}
	return a
}

// fuzzTypes are the types of fuzz arguments.
var fuzzTypes = []string{"string", "[]byte", "[]uint8", "bool", "byte", "rune", "float32", "float64",
	"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"}

// namesMax bounds how many names of types stand for each other: source may be wrong.
const namesMax = 20

// resolve follows the names of types that are declared in the function or in the package.
func (s *syntax) resolve(e ast.Expr, in *ast.FuncDecl, depth int) ast.Expr {
	name, ok := e.(*ast.Ident)
	if !ok || depth == namesMax {
		return e
	}
	var found ast.Expr
	look := func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == name.Name && spec.TypeParams == nil && found == nil {
			found = spec.Type
		}
		return found == nil
	}
	ast.Inspect(in, look)
	for _, f := range s.files {
		for _, d := range f.Decls {
			if gen, ok := d.(*ast.GenDecl); ok {
				ast.Inspect(gen, look)
			}
		}
	}
	if found == nil {
		return e
	}
	return s.resolve(found, in, depth+1)
}
