package build

import (
	"go/ast"
	"go/types"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/source/probe"
)

// leaves finds the functions in scope that carry no probe and call nothing that
// might: behind a call of one, a position kept in a local is still right. A
// function is known by its full name, as another package sees it through
// export data.
func leaves(prog *load.Program) func(*types.Func) bool {
	quiet := map[string]bool{}
	isLeaf := func(f *types.Func) bool { return quiet[f.FullName()] }
	for grown := true; grown; { // a caller of leaves is one as well
		grown = false
		for _, pkg := range prog.Scope {
			for _, f := range pkg.Files {
				for _, d := range f.AST.Decls {
					fd, ok := d.(*ast.FuncDecl)
					if !ok || fd.Body == nil {
						continue
					}
					obj, _ := pkg.Info.Defs[fd.Name].(*types.Func)
					if obj == nil || quiet[obj.FullName()] || !probe.Silent(pkg.Info, fd.Body, isLeaf) {
						continue
					}
					quiet[obj.FullName()], grown = true, true
				}
			}
		}
	}
	return isLeaf
}
