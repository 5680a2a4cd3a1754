// Package facts reads out of the source what a program cannot know about itself.
//
//	names := facts.Tests(prog, "example.com/tree") // tests that may call Check
package facts

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// check is the function that makes a test one of ours.
const check = "github.com/allele-go/allele.Check"

// Tests names the test functions of a package, its external tests included,
// from which Check can be reached by calls that name their callee. Others need
// not run to find the properties of the package.
func Tests(prog *load.Program, path string) []string {
	uses := map[string][]string{} // who mentions whom, by full name
	tests := map[string]string{}  // full name -> name
	for f := range prog.Funcs() {
		name := f.Obj.FullName()
		uses[name] = append(uses[name], mentions(f.Pkg.Info, f.Decl.Body)...)
		if f.Pkg.Path == path && f.File.Test && f.Decl.Recv == nil && isTest(f.Decl.Name.Name) {
			tests[name] = f.Decl.Name.Name
		}
	}
	var found []string
	for full, name := range tests {
		if reaches(uses, full, map[string]bool{}) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

func isTest(name string) bool { return strings.HasPrefix(name, "Test") && name != "TestMain" }

// mentions lists the functions that a body names, called or not: one that is
// handed on may be called by whom it is handed to.
func mentions(info *types.Info, body ast.Node) (names []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := info.Uses[id].(*types.Func); ok {
				names = append(names, f.Origin().FullName())
			}
		}
		return true
	})
	return names
}

func reaches(uses map[string][]string, from string, seen map[string]bool) bool {
	if from == check {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(uses[from], func(to string) bool { return reaches(uses, to, seen) })
}
