package faults

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
)

// edit is one change of a module, of one or more files.
type edit struct {
	kind, what string
	parts      []part
}

// part replaces some bytes of a file. A new file has the bytes alone.
type part struct {
	file     string
	from, to int
	text     string
}

// make makes the edit, and returns a function that undoes it.
func (x edit) make(dir string) (undo func() error, err error) {
	var undos []func() error
	undo = func() (err error) {
		for _, u := range slices.Backward(undos) {
			err = errors.Join(err, u())
		}
		undos = nil
		return err
	}
	for _, p := range x.parts {
		file := filepath.Join(dir, p.file)
		src, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return undo, err
			}
			undos = append(undos, func() error { return os.Remove(file) })
		} else if err != nil {
			return undo, err
		} else {
			undos = append(undos, func() error { return os.WriteFile(file, src, 0o666) })
		}
		if p.from > p.to || p.to > len(src) {
			return undo, fmt.Errorf("%s has no bytes %d to %d", p.file, p.from, p.to)
		}
		if err := os.WriteFile(file, []byte(string(src[:p.from])+p.text+string(src[p.to:])), 0o666); err != nil {
			return undo, err
		}
	}
	return undo, nil
}

// The kinds of edits, in the order in which they are drawn. The first ones are those of a quick run.
var editKinds = []string{"operator", "test body", "add a field", "literal", "add a statement", "rename a local", "delete a statement",
	"constant", "package variable", "add an init", "literal of a test", "test helper", "add a test", "comment", "testdata", "go.mod",
	"operator", "body and test", "add a statement", "test body"}

const quickEdits = 3

// draw returns the edits of a module: one of each of editKinds, and one that is made after another. Which ones is decided by
// a hash. What does not compile is not drawn.
func (e *editBench) draw() (chains [][]edit, err error) {
	all, err := e.candidates()
	if err != nil {
		return nil, err
	}
	kinds := editKinds
	if e.Quick {
		kinds = kinds[:quickEdits]
	}
	for _, kind := range kinds {
		var x edit
		var ok bool
		if kind == "body and test" {
			x, ok = e.both(all)
		} else {
			x, ok, err = e.next(all, kind)
		}
		if err != nil {
			return nil, err
		}
		if ok {
			chains = append(chains, []edit{x})
		}
	}
	if !e.Quick {
		first, ok1, err1 := e.next(all, "add a statement")
		second, ok2, err2 := e.next(all, "literal")
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		if ok1 && ok2 && first.parts[0].file != second.parts[0].file {
			chains = append(chains, []edit{first, second})
		}
	}
	return chains, nil
}

// next returns the next edit of a kind that compiles, and removes it.
func (e *editBench) next(all map[string][]edit, kind string) (x edit, ok bool, err error) {
	for len(all[kind]) > 0 {
		x, all[kind] = all[kind][0], all[kind][1:]
		undo, err := x.make(e.src)
		if err == nil {
			_, err = foreign.Go(e.src, nil, "vet", "-tests", "./...")
			compiles := err == nil
			if err := undo(); err != nil {
				return x, false, err
			}
			if compiles {
				return x, true, nil
			}
			continue
		}
		return x, false, errors.Join(err, undo())
	}
	return x, false, nil
}

// both returns an edit of a function and of a test.
func (e *editBench) both(all map[string][]edit) (x edit, ok bool) {
	body, ok1, _ := e.next(all, "literal")
	test, ok2, _ := e.next(all, "test body")
	return edit{"body and test", body.what + ", " + test.what, slices.Concat(body.parts, test.parts)}, ok1 && ok2
}

// candidates returns all edits of a module by kind, in the order of their hashes.
func (e *editBench) candidates() (map[string][]edit, error) {
	all := map[string][]edit{}
	add := func(kind, what string, parts ...part) { all[kind] = append(all[kind], edit{kind, what, parts}) }
	add("testdata", "testdata", part{file: "testdata/edited.txt", text: "edited\n"})
	mod, err := os.ReadFile(filepath.Join(e.src, "go.mod"))
	if err != nil {
		return nil, err
	}
	add("go.mod", "go.mod", part{"go.mod", len(mod), len(mod), "\n// edited\n"})
	err = filepath.WalkDir(e.src, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".go" || strings.Contains(file, "testdata") {
			return err
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(e.src, file)
		if err != nil {
			return err
		}
		if folder := "./" + filepath.ToSlash(filepath.Dir(name)); len(e.packages) > 0 && !slices.Contains(e.packages, path.Clean(folder)) &&
			!slices.Contains(e.packages, folder) {
			return nil // its tests are not run
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			return err
		}
		drawer{add, filepath.ToSlash(name), fset, len(src)}.file(f)
		return nil
	})
	for _, list := range all {
		hash := func(x edit) uint64 {
			h := fnv.New64a()
			fmt.Fprint(h, e.Module, x)
			return h.Sum64()
		}
		slices.SortFunc(list, func(a, b edit) int { return cmp.Compare(hash(a), hash(b)) })
	}
	return all, err
}

// drawer finds the edits of a file.
type drawer struct {
	add  func(kind, what string, parts ...part)
	name string
	fset *token.FileSet
	size int
}

func (d drawer) at(pos token.Pos) int { return d.fset.Position(pos).Offset }

// replace adds an edit that replaces a part of the source.
func (d drawer) replace(kind string, from, to token.Pos, text string) {
	d.add(kind, fmt.Sprintf("%s:%d", d.name, d.fset.Position(from).Line), part{d.name, d.at(from), d.at(to), text})
}

func (d drawer) file(f *ast.File) {
	test := strings.HasSuffix(d.name, "_test.go")
	end := f.FileEnd
	if test {
		for _, i := range f.Imports {
			if i.Path.Value == `"testing"` && i.Name == nil {
				d.replace("add a test", end, end, "\nfunc TestEdited(t *testing.T) { t.Log(\"edited\") }\n")
			}
		}
	} else {
		d.replace("add an init", end, end, "\nfunc init() { _ = 1 }\n")
		d.replace("comment", f.Package, f.Package, "// Edited.\n\n")
	}
	for _, decl := range f.Decls {
		switch x := decl.(type) {
		case *ast.GenDecl:
			if !test {
				d.declaration(x)
			}
		case *ast.FuncDecl:
			switch {
			case x.Body == nil || x.Name.Name == "init":
			case !test:
				d.body(x)
			case strings.HasPrefix(x.Name.Name, "Test"):
				d.replace("test body", x.Body.Lbrace+1, x.Body.Lbrace+1, " _ = 1;")
				d.literals("literal of a test", x.Body)
			case !strings.HasPrefix(x.Name.Name, "Benchmark") && !strings.HasPrefix(x.Name.Name, "Example"):
				d.replace("test helper", x.Body.Lbrace+1, x.Body.Lbrace+1, " _ = 1;")
			}
		}
	}
}

func (d drawer) declaration(x *ast.GenDecl) {
	switch x.Tok {
	case token.CONST:
		d.literals("constant", x)
	case token.VAR:
		d.literals("package variable", x)
	case token.TYPE:
		for _, s := range x.Specs {
			if t, ok := s.(*ast.TypeSpec).Type.(*ast.StructType); ok {
				d.replace("add a field", t.Fields.Opening+1, t.Fields.Opening+1, " edited int;")
			}
		}
	}
}

// literals adds edits that change a literal in a part of a file.
func (d drawer) literals(kind string, in ast.Node) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.BasicLit:
			if v, err := strconv.Atoi(x.Value); err == nil {
				d.replace(kind, x.Pos(), x.End(), strconv.Itoa(v+1))
			} else if x.Kind == token.STRING && kind != "literal" && len(x.Value) > 2 {
				d.replace(kind, x.Pos()+1, x.Pos()+1, "e")
			}
		}
		return true
	})
}

var otherOperator = map[token.Token]token.Token{token.ADD: token.SUB, token.SUB: token.ADD, token.LSS: token.LEQ, token.GTR: token.GEQ,
	token.LEQ: token.LSS, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND}

// body adds the edits of a function.
func (d drawer) body(f *ast.FuncDecl) {
	d.replace("add a statement", f.Body.Lbrace+1, f.Body.Lbrace+1, " _ = 1;")
	d.literals("literal", f.Body)
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.BinaryExpr:
			if other, ok := otherOperator[x.Op]; ok {
				d.replace("operator", x.OpPos, x.OpPos+token.Pos(len(x.Op.String())), other.String())
			}
		case *ast.ExprStmt:
			d.replace("delete a statement", x.Pos(), x.End(), "")
		case *ast.AssignStmt:
			if x.Tok == token.ASSIGN {
				d.replace("delete a statement", x.Pos(), x.End(), "")
			} else if id, ok := x.Lhs[0].(*ast.Ident); ok && id.Obj != nil && id.Name != "_" {
				d.rename(f, id)
			}
		}
		return true
	})
}

// rename adds an edit that gives a local variable another name.
func (d drawer) rename(f *ast.FuncDecl, id *ast.Ident) {
	var parts []part
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if other, ok := n.(*ast.Ident); ok && other.Obj == id.Obj {
			parts = append(parts, part{d.name, d.at(other.End()), d.at(other.End()), "Edited"})
		}
		return true
	})
	slices.Reverse(parts) // so that each leaves the offsets of the next ones
	d.add("rename a local", fmt.Sprintf("%s:%d", d.name, d.fset.Position(id.Pos()).Line), parts...)
}
