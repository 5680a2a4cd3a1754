//go:build go1.25

package schema_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
)

// declarations has an example of each kind of declaration, about parts of declarable. Each changes
// what is derived.
func declarations(t *testing.T) map[string]schema.Decl {
	text, number := reflect.TypeFor[string](), reflect.TypeFor[int]()
	m, err := schema.NewMatch("a|b")
	if err != nil {
		t.Fatal(err)
	}
	build, err := schema.NewFunc(func(b bool) string { return fmt.Sprint(b) })
	if err != nil {
		t.Fatal(err)
	}
	encode, err := schema.NewEncoder(func(d declarable) ([]byte, error) { return []byte(d.Text), nil })
	if err != nil {
		t.Fatal(err)
	}
	word := declarable{Text: "a"}
	limit := schema.Decl{Type: number, What: schema.Range{Lo: reflect.ValueOf(1), Hi: reflect.ValueOf(2)}}
	return map[string]schema.Decl{
		"Variants":  {Type: reflect.TypeFor[any](), What: schema.VariantsOf[any](int8(0))},
		"Values":    {Type: text, What: schema.Values{All: []reflect.Value{reflect.ValueOf("a")}}},
		"Likely":    {Type: text, What: schema.Likely{All: []reflect.Value{reflect.ValueOf("a")}}},
		"Range":     limit,
		"Match":     {Type: text, What: m},
		"Trait":     {Type: text, What: schema.UTF8},
		"Func":      {Type: text, What: build},
		"Through":   {Type: encode.Result, What: schema.Through{Encoder: encode}},
		"ShapeDecl": {Type: reflect.TypeFor[declarable](), What: &schema.ShapeDecl{Name: "f#1", Value: reflect.ValueOf(&word).Elem()}},
		"Mix":       {Type: reflect.TypeFor[any](), What: &schema.Mix{Only: []string{"bool", "nil"}}},
		"From":      {Type: text, What: schema.From{Owner: reflect.TypeFor[declarable](), Field: "Text"}},
		"Ignore":    {What: schema.Ignore{Tags: true}},
		"At":        {What: schema.At{Path: "N", Sub: []schema.Decl{limit}}},
	}
}

type declarable struct {
	Text string
	N    int
	Any  any
	Tag  string `validate:"oneof=x y"`
}

// Every kind of declaration has an example above, is written as the user wrote it, and changes what is derived.
// A type switch over kinds, anywhere in the module, has a case for every kind or a default.
func TestEveryKindOfDeclaration(t *testing.T) {
	derived := func(ds ...schema.Decl) string {
		w, err := schema.Derive(reflect.TypeFor[declarable](), ds)
		if slices.ContainsFunc(ds, func(d schema.Decl) bool { _, ok := d.What.(schema.Through); return ok }) {
			w, err = schema.Derive(reflect.TypeFor[[]byte](), ds)
		}
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, s := range w.Schemas {
			fmt.Fprint(&b, s.Kind, s.Type, s.First(), s.Lo, s.Hi, s.Words, s.Odds, len(s.From), s.UTF8, s.Finite, s.NonNil, s.Only, s.Nil, s.Tag != nil, len(s.Patterns), "\n")
			for _, c := range s.Ctors {
				fmt.Fprintln(&b, c.Name)
			}
		}
		return b.String()
	}
	examples, kinds, codes := declarations(t), typesWith(t, "declare", "code"), map[string]bool{}
	for kind, d := range examples {
		if d.Tier = schema.Local; codes[d.String()] || strings.Contains(d.String(), "%!") {
			t.Errorf("%s: it is written as %q, like another kind", kind, d)
		}
		codes[d.String()] = true
		if derived(d) == derived() {
			t.Errorf("%s: %v changes nothing", kind, d)
		}
	}
	for _, kind := range kinds {
		if _, ok := examples[kind]; !ok {
			t.Errorf("%s: no example in this test", kind)
		}
	}
	if n := checkSwitches(t, "What", kinds); n == 0 {
		t.Error("no type switch over kinds of declarations was found")
	}
}

// A type switch over the forms of builders has a case for every form or a default.
func TestEveryForm(t *testing.T) {
	if n := checkSwitches(t, "Form", typesWith(t, "isForm")); n == 0 {
		t.Error("no type switch over forms was found")
	}
}

// typesWith returns the names of the types of this package that have all methods.
func typesWith(t *testing.T, methods ...string) (names []string) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, file := range files {
		for _, decl := range parsed(t, file).Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !slices.Contains(methods, f.Name.Name) {
				continue
			}
			name := lastName(f.Recv.List[0].Type)
			if count[name]++; count[name] == len(methods) {
				names = append(names, name)
			}
		}
	}
	return names
}

// checkSwitches checks the type switches over the field of something, and returns how many there are.
func checkSwitches(t *testing.T, field string, types []string) (n int) {
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		ast.Inspect(parsed(t, path), func(node ast.Node) bool {
			s, ok := node.(*ast.TypeSwitchStmt)
			if !ok || lastName(switched(s)) != field {
				return true
			}
			n++
			rest := slices.Clone(types)
			for _, c := range s.Body.List {
				if c.(*ast.CaseClause).List == nil {
					rest = nil
				}
				for _, e := range c.(*ast.CaseClause).List {
					rest = slices.DeleteFunc(rest, func(k string) bool { return k == lastName(e) })
				}
			}
			if len(rest) > 0 {
				t.Errorf("%s: a switch has no case for %v", path, rest)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func parsed(t *testing.T, file string) *ast.File {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// switched returns x of a type switch over x.(type).
func switched(s *ast.TypeSwitchStmt) ast.Expr {
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		return a.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		return a.X.(*ast.TypeAssertExpr).X
	}
	return nil
}

// lastName returns the name of an expression such as x, *x or pkg.x.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return lastName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
