//go:build go1.25

package tidy

import (
	"fmt"
	"go/ast"
	"strings"
	"unicode"
	"unicode/utf8"
)

// packageComments checks that every package has a package comment. This includes folders
// with nothing but tests: a reader who opens one needs to know what it is for.
func packageComments(tree *Tree) []string {
	var dirs []string // in the order of the tree, so that reports are stable
	commented := map[string]bool{}
	for _, f := range tree.Files {
		if _, seen := commented[f.Dir]; !seen {
			dirs = append(dirs, f.Dir)
		}
		commented[f.Dir] = commented[f.Dir] || introduces(f.AST)
	}
	var problems []string
	for _, dir := range dirs {
		if !commented[dir] {
			problems = append(problems, fmt.Sprintf("%s: no package comment that says what it is for", dir))
		}
	}
	return problems
}

// introduces reports whether the file has a package comment. For a command any comment
// will do.
func introduces(f *ast.File) bool {
	if f.Name.Name == "main" {
		return f.Doc.Text() != ""
	}
	return beginsWith(f.Doc, "Package "+f.Name.Name)
}

// docComments checks that every exported name and method of the root package has a comment
// that begins with the name, because go doc shows the comment alone.
func docComments(tree *Tree) []string {
	var problems []string
	for _, f := range tree.public() {
		for _, d := range documented(f.AST) {
			if !beginsWith(d.doc, d.name.Name) {
				problems = append(problems, fmt.Sprintf("%s: the comment of %s does not begin with its name",
					tree.Fset.Position(d.name.Pos()), d.name.Name))
			}
		}
	}
	return problems
}

func beginsWith(doc *ast.CommentGroup, name string) bool {
	rest, ok := strings.CutPrefix(doc.Text(), name)
	next, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// A documentable is an exported name with the comment that go doc shows for it.
type documentable struct {
	name *ast.Ident
	doc  *ast.CommentGroup
}

func documented(f *ast.File) []documentable {
	var all []documentable
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if exportedFunction(decl) {
				all = append(all, documentable{decl.Name, decl.Doc})
			}
		case *ast.GenDecl:
			all = append(all, documentedSpecs(decl)...)
		}
	}
	return all
}

// exportedFunction reports whether fn is exported. Methods of unexported types are not,
// because other packages cannot name them.
func exportedFunction(fn *ast.FuncDecl) bool {
	return fn.Name.IsExported() && (fn.Recv == nil || ast.IsExported(baseName(fn.Recv.List[0].Type)))
}

func documentedSpecs(decl *ast.GenDecl) []documentable {
	var all []documentable
	for _, spec := range decl.Specs {
		names, doc := specNames(spec)
		if !decl.Lparen.IsValid() {
			doc = decl.Doc // of a declaration without parentheses, the parser stores the comment in decl
		}
		// "A, B int" has one comment, which begins with the first name.
		if len(names) > 0 && names[0].IsExported() {
			all = append(all, documentable{names[0], doc})
		}
	}
	return all
}

func specNames(spec ast.Spec) ([]*ast.Ident, *ast.CommentGroup) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{spec.Name}, spec.Doc
	case *ast.ValueSpec:
		return spec.Names, spec.Doc
	}
	return nil, nil
}
