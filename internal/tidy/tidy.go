//go:build go1.25

// Package tidy checks the rules of this repository that a machine can check, so that
// people discuss only the other rules. It has no product code: run its test.
//
//	go test ./internal/tidy/            // every rule over the repository
//	go test ./internal/tidy/ -update    // accept changed lists of public names and environment variables
//
// A rule is a function from the parsed tree to a list of problems, each a line that names
// the place and what is wrong. Every rule is tested on a tiny fake tree in which it must
// find a problem: a check that cannot fail checks nothing. A rule ignores packages that
// do not exist, because the tree is still growing.
package tidy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// modulePath is the import path of the root package.
const modulePath = "github.com/allele-go/allele"

// A rule checks the whole tree and returns its problems, in a stable order.
type rule struct {
	name  string
	check func(*Tree) []string
}

// rules are the checks that need nothing but the files. The lists of public names and of
// environment variables, and the dependencies of the root package, have tests of their own.
var rules = []rule{
	{"imports", imports},
	{"requires", requires},
	{"languages", languages},
	{"lengths", lengths},
	{"columns", columns},
	{"nil errors", nilErrors},
	{"package names", packageNames},
	{"words", words},
	{"package comments", packageComments},
	{"doc comments", docComments},
	{"walks", walks},
	{"mentions", mentions},
	{"page files", pageFiles},
	{"links", links},
	{"readme", readme},
}

// A Tree is the content of the repository that the rules check.
type Tree struct {
	Fset  *token.FileSet
	Files []*File         // every Go file outside testdata, by path
	Texts []Text          // every text file, testdata included, by path
	Paths map[string]bool // every file and folder
}

// A File is one parsed Go file. Dir is "." for the root package.
type File struct {
	Path, Dir string
	AST       *ast.File
	Lines     int
	Test      bool // its name ends in _test.go
	Nested    bool // it belongs to a nested module
}

// A Text is a file that people read: source, pages, scripts.
type Text struct {
	Path, Body string
}

// Load reads a repository. It returns an error for a file that does not parse.
func Load(fsys fs.FS) (*Tree, error) {
	tree := &Tree{Fset: token.NewFileSet(), Paths: map[string]bool{}}
	nested := map[string]bool{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		tree.Paths[name] = true
		if d.IsDir() {
			nested[name] = nested[path.Dir(name)] || name != "." && exists(fsys, name+"/go.mod")
			return skip(d.Name())
		}
		return tree.add(fsys, name, nested[path.Dir(name)])
	})
	return tree, err
}

func exists(fsys fs.FS, name string) bool {
	_, err := fs.Stat(fsys, name)
	return err == nil
}

// skip returns SkipDir for folders that are not part of the repository's text.
func skip(folder string) error {
	if folder == ".git" {
		return fs.SkipDir
	}
	return nil
}

func (tree *Tree) add(fsys fs.FS, name string, nested bool) error {
	if !mayBeText(name) {
		return nil
	}
	body, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	if path.Ext(name) != "" || strings.HasPrefix(string(body), "#!") {
		tree.Texts = append(tree.Texts, Text{name, string(body)})
	}
	if path.Ext(name) != ".go" || slices.Contains(strings.Split(name, "/"), "testdata") {
		return nil
	}
	return tree.parse(name, body, nested)
}

// mayBeText decides by the name. A file without an extension may be a script; add decides
// that by its first two bytes.
func mayBeText(name string) bool {
	known := []string{"", ".go", ".md", ".mod", ".sh", ".js", ".txt", ".txtar", ".yaml", ".yml"}
	return slices.Contains(known, path.Ext(name))
}

func (tree *Tree) parse(name string, body []byte, nested bool) error {
	parsed, err := parser.ParseFile(tree.Fset, name, body, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("parse %s: %w", name, err)
	}
	tree.Files = append(tree.Files, &File{
		Path:   name,
		Dir:    path.Dir(name),
		AST:    parsed,
		Lines:  strings.Count(string(body), "\n"),
		Test:   strings.HasSuffix(name, "_test.go"),
		Nested: nested,
	})
	return nil
}

// public returns the files that make up the root package.
func (tree *Tree) public() []*File { return tree.packageIn(".") }

// packageIn returns the files of the package in a folder, without its tests.
func (tree *Tree) packageIn(dir string) []*File {
	var files []*File
	for _, f := range tree.Files {
		if f.Dir == dir && !f.Test {
			files = append(files, f)
		}
	}
	return files
}
