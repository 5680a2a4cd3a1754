package facts

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// typeCheck type-checks a package again, with its facts as an additional file.
func typeCheck(fset *token.FileSet, pkg *load.Package, known build.Facts) error {
	text := "package " + pkg.Name + "\n\nimport _ \"unsafe\"\n"
	for _, i := range known.Imports {
		text += fmt.Sprintf("import %s %q\n", i.Name, i.Path)
	}
	added, err := parser.ParseFile(fset, "zz_allele.go", text+known.Text, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("%s: %w", pkg.Path, err)
	}
	files := []*ast.File{added}
	for _, f := range pkg.Files {
		files = append(files, f.AST)
	}
	var first error
	conf := types.Config{FakeImportC: true, Importer: imported{pkg}, Error: func(err error) {
		if first == nil {
			first = fmt.Errorf("%s: %w", pkg.Path, err)
		}
	}}
	conf.Check(pkg.Types.Path(), fset, files, nil)
	return first
}

// imported is a types.Importer. It resolves an import to the package that the wrapped
// package imported when it was loaded.
type imported struct{ *load.Package }

func (i imported) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	for _, p := range i.Types.Imports() {
		if p.Path() == path || p.Path() == "vendor/"+path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no package %s", path)
}
