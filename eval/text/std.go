package text

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/lab"
)

// library copies packages of the standard library into a module, so that all tools see the
// same code as a part of the module under test: allele does not rewrite some of these packages,
// and native fuzzing does not instrument some.
//
// A copy imports the standard library, except for other packages that are copied, and for
// packages that only the standard library may import. Of these there are copies or substitutes
// too.
type library struct {
	root   string          // GOROOT
	dir    string          // folder of the module
	prefix string          // of the paths of the copies
	copied map[string]bool // by path
}

// Prefixes of the paths of copies.
const (
	stdPath     = modulePath + "/std/"
	changedPath = modulePath + "/changed/" // copies with a planted bug
)

func newLibrary(root, dir, prefix string) *library {
	return &library{root: root, dir: dir, prefix: prefix, copied: map[string]bool{}}
}

func copyPath(pkg string) string { return prefixed(stdPath, pkg) }

// prefixed returns the path of a copy. An element "internal" is renamed.
func prefixed(prefix, pkg string) string {
	elements := strings.Split(pkg, "/")
	for i, e := range elements {
		if e == "internal" {
			elements[i] = "inside"
		}
	}
	return prefix + strings.Join(elements, "/")
}

// substitutes are packages with assembly or with state of the runtime.
var substitutes = map[string]string{
	"internal/bytealg": `package bytealg

import "strings"

func IndexByteString(s string, c byte) int     { return strings.IndexByte(s, c) }
func LastIndexByteString(s string, c byte) int { return strings.LastIndexByte(s, c) }
func IndexString(s, part string) int           { return strings.Index(s, part) }
func CountString(s string, c byte) int         { return strings.Count(s, string(rune(c))) }
func MakeNoZero(n int) []byte                  { return make([]byte, n) }
`,
	"internal/stringslite": `package stringslite

import "strings"

func HasPrefix(s, prefix string) bool                     { return strings.HasPrefix(s, prefix) }
func HasSuffix(s, suffix string) bool                     { return strings.HasSuffix(s, suffix) }
func IndexByte(s string, c byte) int                      { return strings.IndexByte(s, c) }
func Index(s, part string) int                            { return strings.Index(s, part) }
func Cut(s, sep string) (before, after string, found bool) { return strings.Cut(s, sep) }
func TrimPrefix(s, prefix string) string                  { return strings.TrimPrefix(s, prefix) }
func TrimSuffix(s, suffix string) string                  { return strings.TrimSuffix(s, suffix) }
func Clone(s string) string                               { return strings.Clone(s) }
`,
	"internal/godebug": `package godebug

type Setting struct{}

func New(string) *Setting           { return &Setting{} }
func (*Setting) Value() string      { return "" }
func (*Setting) IncNonDefault()     {}
`,
}

// source returns the folder of a package of the standard library.
func (l *library) source(pkg string) string {
	return filepath.Join(l.root, "src", filepath.FromSlash(pkg))
}

// copy copies packages, with the internal packages that they import. Packages that import
// each other must be copied in one call.
func (l *library) copy(pkgs ...string) error {
	for todo := slices.Clone(pkgs); len(todo) > 0; todo = todo[1:] {
		pkg := todo[0]
		if l.copied[pkg] {
			continue
		}
		l.copied[pkg] = true
		if text, ok := substitutes[pkg]; ok {
			if err := l.write(pkg, "substitute.go", []byte(text)); err != nil {
				return err
			}
			continue
		}
		imports, err := l.one(pkg, pkgs)
		if err != nil {
			return fmt.Errorf("copy %s: %w", pkg, err)
		}
		todo = append(todo, imports...)
	}
	return nil
}

// one copies a package, and returns the packages that must be copied too.
func (l *library) one(pkg string, with []string) (also []string, err error) {
	found, err := build.Default.ImportDir(l.source(pkg), 0)
	if err != nil {
		return nil, err
	}
	if len(found.SFiles) > 0 {
		return nil, errors.New("the package has assembly")
	}
	for _, name := range found.GoFiles {
		text, err := os.ReadFile(filepath.Join(found.Dir, name))
		if err != nil {
			return nil, err
		}
		text, imports, err := l.redirect(text, with)
		if err != nil {
			return nil, err
		}
		if err := l.write(pkg, name, text); err != nil {
			return nil, err
		}
		also = append(also, imports...)
	}
	return also, nil
}

func (l *library) write(pkg, name string, text []byte) error {
	return lab.WriteFile(filepath.Join(l.folder(pkg), name), text)
}

// folder returns the folder of a copy.
func (l *library) folder(pkg string) string {
	return filepath.Join(l.dir, filepath.FromSlash(strings.TrimPrefix(prefixed(l.prefix, pkg), modulePath)))
}

// redirect makes a file import copies: of the given packages, and of internal ones. It
// returns the paths of these.
func (l *library) redirect(text []byte, with []string) (out []byte, copies []string, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	// A linkname makes a function available under another name, or takes its body from elsewhere.
	for _, d := range slices.Backward(f.Decls) {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body == nil {
			text = slices.Concat(text[:fset.Position(d.Type.Pos()).Offset], text[fset.Position(d.End()).Offset:])
		}
	}
	for _, spec := range slices.Backward(f.Imports) {
		path, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
		if !slices.Contains(with, path) && !slices.Contains(strings.Split(path, "/"), "internal") {
			continue
		}
		from, to := fset.Position(spec.Path.Pos()).Offset, fset.Position(spec.Path.End()).Offset
		text = slices.Concat(text[:from], []byte(strconv.Quote(prefixed(l.prefix, path))), text[to:])
		copies = append(copies, path)
	}
	return bytes.ReplaceAll(text, []byte("\n//go:linkname "), []byte("\n// linkname ")), copies, nil
}

// extract copies one function of a package, and the declarations that it uses.
func (l *library) extract(pkg, function string) error {
	found, err := build.Default.ImportDir(l.source(pkg), 0)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	decls := map[string][]ast.Decl{}
	imports := map[string]string{} // by name; no file of the package renames an import that matters here
	for _, name := range found.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(found.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			imports[path[strings.LastIndexByte(path, '/')+1:]] = path
		}
		for _, d := range f.Decls {
			for _, name := range declared(d) {
				decls[name] = append(decls[name], d)
			}
		}
	}
	var body bytes.Buffer
	used := map[string]bool{}
	for _, d := range closure(decls, function) {
		format.Node(&body, fset, d)
		body.WriteString("\n\n")
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && decls[x.Name] == nil && imports[x.Name] != "" {
					used[imports[x.Name]] = true
				}
			}
			return true
		})
	}
	head := "package " + found.Name + "\n\n"
	for path := range used {
		head += fmt.Sprintf("import %q\n", path)
	}
	text, copies, err := l.redirect([]byte(head+"\n"+body.String()), nil)
	if err != nil {
		return err
	}
	if err := l.write(pkg, "extract.go", text); err != nil {
		return err
	}
	return l.copy(copies...)
}

// declared returns the names that a declaration of a package declares. A method belongs to the
// name of its type.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name
		if d.Recv != nil {
			ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					name = id
				}
				return true
			})
		}
		names = append(names, name.Name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

// closure returns the declaration of a name and of all names that it uses.
func closure(decls map[string][]ast.Decl, name string) (all []ast.Decl) {
	seen := map[ast.Decl]bool{}
	var visit func(name string)
	visit = func(name string) {
		for _, d := range decls[name] {
			if seen[d] {
				continue
			}
			seen[d] = true
			all = append(all, d)
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					visit(id.Name)
				}
				return true
			})
		}
	}
	visit(name)
	return all
}
