//go:build go1.25

package tidy

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A comment that names a file or a function sends the reader there, so it must exist. In comments of Go
// files, and in the pages about the code, these are checked:
//
//	name.go, folder/name.go   a Go file of the same folder, or one whose path ends so
//	pkg.Name                  a name of one of our packages
//	Type.name                 a field or method of a type of the same package
//
// Indented lines are examples, in which names may be variables.
var (
	mentionedFile = regexp.MustCompile(`\b((?:[a-z0-9_]+/)*[a-z0-9_]+\.go)\b`)
	mentionedName = regexp.MustCompile(`(^|[^\w./"\\])([A-Za-z_]\w*)\.([A-Za-z_]\w*)`)
)

// codePages are the pages about the code.
var codePages = []string{"docs/ARCHITECTURE.md", "CONTRIBUTING.md"}

// notOurs lists Go files that comments name as examples, or that are not in this repository, with the reason.
var notOurs = map[string]string{
	"_test.go":         "the end of the names of test files",
	"zz_allele.go":     "a file that the command adds to a package",
	"zz_allele2.go":    "the same, if that name is taken",
	"tree_test.go":     "a file of a user",
	"x_test.go":        "a file of a user",
	"a_test.go":        "a file of a user",
	"x_linux_amd64.go": "a file of a user",
}

func mentions(tree *Tree) (problems []string) {
	names := declaredIn(tree)
	for _, f := range tree.Files {
		if f.Nested || f.Test || strings.HasPrefix(f.Dir, "internal/tidy") {
			continue
		}
		for _, group := range f.AST.Comments {
			line := tree.Fset.Position(group.Pos()).Line
			for i, text := range strings.Split(group.Text(), "\n") {
				for _, what := range names.missing(tree, f.Dir, text) {
					problems = append(problems, fmt.Sprintf("%s:%d: the comment names %s, which does not exist", f.Path, line+i, what))
				}
			}
		}
	}
	for _, t := range tree.Texts {
		if !slices.Contains(codePages, t.Path) {
			continue
		}
		for i, line := range strings.Split(t.Body, "\n") {
			for _, span := range codeSpan.FindAllString(line, -1) {
				for _, what := range names.missing(tree, "", strings.Trim(span, "`")) {
					problems = append(problems, fmt.Sprintf("%s:%d: the page names %s, which does not exist", t.Path, i+1, what))
				}
			}
		}
	}
	return problems
}

// declarations are the names of packages: "dir Name" and "dir Type.name".
type declarations struct {
	names   map[string]bool
	folders map[string][]string // by the name of the package
}

func declaredIn(tree *Tree) declarations {
	d := declarations{names: map[string]bool{}, folders: map[string][]string{}}
	for _, f := range tree.Files {
		if f.Nested || f.Test {
			continue
		}
		if pkg := f.AST.Name.Name; !slices.Contains(d.folders[pkg], f.Dir) {
			d.folders[pkg] = append(d.folders[pkg], f.Dir)
		}
		for _, decl := range f.AST.Decls {
			switch x := decl.(type) {
			case *ast.FuncDecl:
				d.names[f.Dir+" "+functionName(x)] = true
			case *ast.GenDecl:
				for _, spec := range x.Specs {
					d.spec(f.Dir, spec)
				}
			}
		}
	}
	return d
}

func (d declarations) spec(dir string, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range s.Names {
			d.names[dir+" "+name.Name] = true
		}
	case *ast.TypeSpec:
		d.names[dir+" "+s.Name.Name] = true
		ast.Inspect(s.Type, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok {
				for _, name := range field.Names {
					d.names[dir+" "+s.Name.Name+"."+name.Name] = true
				}
				if len(field.Names) == 0 { // whatever an embedded type has may be meant
					d.names[dir+" "+s.Name.Name+".*"] = true
				}
			}
			return true
		})
	}
}

// missing returns what a text in a folder names and what does not exist.
func (d declarations) missing(tree *Tree, dir, text string) (all []string) {
	for _, m := range mentionedFile.FindAllString(text, -1) {
		if notOurs[path.Base(m)] == "" && !d.isFile(tree, dir, m) {
			all = append(all, m)
		}
	}
	if strings.HasPrefix(text, "\t") {
		return all
	}
	for _, m := range mentionedName.FindAllStringSubmatch(text, -1) {
		left, right := m[2], m[3]
		if right == "go" || d.names[dir+" "+left+".*"] {
			continue
		}
		if folders := d.folders[left]; len(folders) > 0 && ast.IsExported(right) {
			if !slices.ContainsFunc(folders, func(f string) bool { return d.names[f+" "+right] }) {
				all = append(all, left+"."+right)
			}
		} else if d.names[dir+" "+left] && ast.IsExported(left) && !d.names[dir+" "+left+"."+right] {
			all = append(all, left+"."+right)
		}
	}
	return all
}

func (d declarations) isFile(tree *Tree, dir, name string) bool {
	return tree.Paths[path.Join(dir, name)] || slices.ContainsFunc(tree.Files, func(f *File) bool {
		return strings.HasSuffix("/"+f.Path, "/"+name)
	})
}
