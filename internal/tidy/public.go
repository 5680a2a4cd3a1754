//go:build go1.25

package tidy

import (
	"go/ast"
	"slices"
	"strings"
)

// publicNames lists the names that a user of the root package can use, one line each:
// declarations, methods, fields. The list is compared with a golden file, so that no name
// is added to or removed from the API unnoticed.
func publicNames(tree *Tree) []string { return namesOf(tree.public()) }

// namesOf lists the names that a user of the package with these files can use. A name may be declared for several systems.
func namesOf(files []*File) []string {
	var names []string
	for _, f := range files {
		for _, decl := range f.AST.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				names = append(names, publicFunction(decl)...)
			case *ast.GenDecl:
				names = append(names, publicSpecs(decl)...)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// namesMax bounds the API: a user should be able to read all of its names.
const namesMax = 33

// declaredNames counts the functions, types, variables and constants of the API. Methods and
// fields do not count: they belong to a name that does.
func declaredNames(tree *Tree) (n int) {
	for _, name := range publicNames(tree) {
		if !strings.HasPrefix(name, "method ") && !strings.HasPrefix(name, "field ") {
			n++
		}
	}
	return n
}

func publicFunction(fn *ast.FuncDecl) []string {
	switch {
	case !exportedFunction(fn):
		return nil
	case fn.Recv == nil:
		return []string{"func " + fn.Name.Name}
	}
	return []string{"method " + functionName(fn)}
}

func publicSpecs(decl *ast.GenDecl) []string {
	var names []string
	for _, spec := range decl.Specs {
		idents, _ := specNames(spec)
		for _, id := range idents {
			if id.IsExported() {
				names = append(names, decl.Tok.String()+" "+id.Name)
			}
		}
		if t, ok := spec.(*ast.TypeSpec); ok && t.Name.IsExported() {
			names = append(names, publicMembers(t)...)
		}
	}
	return names
}

// publicMembers lists the fields of a struct and the methods of an interface. The name of
// an embedded field is that of its type, as in the language.
func publicMembers(t *ast.TypeSpec) []string {
	kind, list := "field ", &ast.FieldList{}
	switch body := t.Type.(type) {
	case *ast.StructType:
		list = body.Fields
	case *ast.InterfaceType:
		kind, list = "method ", body.Methods
	}
	var names []string
	for _, field := range list.List {
		for _, name := range memberNames(field) {
			if ast.IsExported(name) {
				names = append(names, kind+t.Name.Name+"."+name)
			}
		}
	}
	return names
}

func memberNames(field *ast.Field) []string {
	if len(field.Names) == 0 {
		return []string{baseName(field.Type)}
	}
	var names []string
	for _, id := range field.Names {
		names = append(names, id.Name)
	}
	return names
}
