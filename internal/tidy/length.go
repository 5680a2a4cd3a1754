//go:build go1.25

package tidy

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
)

// Files and functions with more lines than this are hard to follow. Functions of tests are exempt: a table is
// long because the behaviour has many rows, not because it is tangled.
const (
	fileMax     = 500
	testFileMax = 800
	functionMax = 60
)

// longFiles and longFunctions are the agreed exceptions, each with its reason. An
// exception that is no longer needed is a problem too, so the lists stay up to date. A
// function is named folder.Name or folder.Type.Name.
var (
	longFiles     = map[string]string{}
	longFunctions = map[string]string{}
)

func lengths(tree *Tree) []string {
	return append(
		over(fileLengths(tree), longFiles),
		over(functionLengths(tree), longFunctions)...)
}

// A length is how long a named thing is and how long it may be.
type length struct {
	name       string
	lines, max int
}

// over lists things that are too long without an exception, and exceptions that are not
// needed.
func over(all []length, except map[string]string) []string {
	var problems []string
	used := map[string]bool{}
	for _, l := range all {
		if l.lines <= l.max {
			continue
		}
		used[l.name] = true
		if except[l.name] == "" {
			problems = append(problems, fmt.Sprintf("%s: %d lines, at most %d", l.name, l.lines, l.max))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(except)) {
		if !used[name] {
			problems = append(problems, fmt.Sprintf("%s: exception no longer needed", name))
		}
	}
	return problems
}

func fileLengths(tree *Tree) []length {
	var all []length
	for _, f := range tree.Files {
		l := length{f.Path, f.Lines, fileMax}
		if f.Test {
			l.max = testFileMax
		}
		all = append(all, l)
	}
	return all
}

func functionLengths(tree *Tree) []length {
	var all []length
	for _, f := range tree.Files {
		for _, decl := range f.AST.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || f.Test {
				continue
			}
			first, last := tree.Fset.Position(fn.Type.Func).Line, tree.Fset.Position(fn.End()).Line
			all = append(all, length{f.Dir + "." + functionName(fn), last - first + 1, functionMax})
		}
	}
	return all
}

// functionName returns Name, or Type.Name for a method.
func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	return baseName(fn.Recv.List[0].Type) + "." + fn.Name.Name
}

// baseName returns the name of a type without package, pointer and type arguments.
func baseName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return baseName(e.X)
	case *ast.ParenExpr:
		return baseName(e.X)
	case *ast.IndexExpr:
		return baseName(e.X)
	case *ast.IndexListExpr:
		return baseName(e.X)
	}
	return "?"
}
