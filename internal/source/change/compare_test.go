//go:build go1.25

package change

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const base = `package p

import "fmt"

// limit is a bound.
const limit = 3

type list []int

func (l list) first() int { return l[0] }

// sum adds up.
func sum(l list) (n int) {
	for _, x := range l {
		n += x
	}
	return n
}

func show(l list) string { return fmt.Sprint(l) }
`

// differences renders what compare finds. Wide differences have a star.
func differences(t *testing.T, before, after string) string {
	t.Helper()
	var units [2][]*unit
	for i, src := range []string{before, after} {
		f, err := parse("p", "p.go", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		units[i] = f.units
	}
	var lines []string
	for _, d := range compare(units[0], units[1]) {
		_, line, _ := strings.Cut(d.String(), " ")
		if d.wide {
			line += "*"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, ", ")
}

func TestCompare(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"a comment", "// sum adds up.", "// sum adds all\n// up.\n\n/* and more */", ""},
		{"layout", "{ return l[0] }", "{\n\treturn l[0]\n}", ""},
		{"a comma that the layout requires", "Sprint(l)", "Sprint(\n\tl,\n)", ""},
		{"a body", "n += x", "n -= x", "sum changed"},
		{"a string in a body", "fmt.Sprint(l)", "fmt.Sprint(l, `a`)", "show changed"},
		{"a signature", "func sum(l list) (n int)", "func sum(l []int) (n int)", "sum changed"},
		{"a method", "return l[0]", "return l[1]", "(list).first changed"},
		{"a constant", "limit = 3", "limit = 4", "const limit changed*"},
		{"a type", "type list []int", "type list []int8", "type list changed*"},
		{"a new function", "const", "func f() {}\n\nconst", "f is new"},
		{"a new function that shadows a predeclared one", "const", "func max() {}\n\nconst", "max is new*"},
		{"an init function", "const", "func init() {}\n\nconst", "func init in p.go 1 is new*"},
		{"a new method, which may implement an interface", "const", "func (l list) String() string { return `` }\n\nconst", "(list).String is new*"},
		{"a new method of a new type", "const", "type set int\n\nfunc (s set) String() string { return `` }\n\nconst", "type set is new*, (set).String is new"},
		{"an unused import", `import "fmt"`, `import ("fmt"; "os")`, ""},
		{"a blank import", `import "fmt"`, `import ("fmt"; _ "os")`, "import os in p.go is new*"},
		{"another package with the same name", `"fmt"`, `"other/fmt"`, "show changed"},
		{"a directive", "const", "//go:embed x\nvar x string\n\nconst", "directives of p.go is new*, var x is new*"},
		{"a directive without effect on the build", "import", "//go:generate x\nimport", ""},
		{"a variable without a name", "const", "var _ = sum(nil)\n\nconst", "var _ in p.go 1 is new*"},
		{"a removed function", "func show(l list) string { return fmt.Sprint(l) }", "", "show is gone"},
		{"a removed method", "func (l list) first() int { return l[0] }", "", "(list).first is gone*"},
		{"order", base[strings.Index(base, "func (l"):], base[strings.Index(base, "// sum"):] + "func (l list) first() int { return l[0] }\n", ""},
	} {
		if got := differences(t, base, strings.Replace(base, c.old, c.new, 1)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The slow twin: declarations differ if gofmt prints them differently without
// comments. Random edits of lines make the versions to compare.
func TestCompareAsPrinted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	edits := []func(lines []string) []string{
		func(l []string) []string { return slices.Insert(l, r.IntN(len(l)), "// a comment") },
		func(l []string) []string { return slices.Insert(l, r.IntN(len(l)), "") },
		func(l []string) []string { i := r.IntN(len(l)); return slices.Delete(l, i, i+1) },
		func(l []string) []string { i := r.IntN(len(l)); return slices.Insert(l, i, l[r.IntN(len(l))]) },
		func(l []string) []string {
			i := r.IntN(len(l))
			l[i] = strings.Replace(l[i], "l", "x", 1)
			return l
		},
	}
	tried := 0
	for range 6_000 {
		lines := strings.Split(base, "\n")
		for range 1 + r.IntN(3) {
			lines = edits[r.IntN(len(edits))](lines)
		}
		src := strings.Join(lines, "\n")
		want, ok := printedDifferences(base, src)
		if !ok {
			continue
		}
		tried++
		f, _ := parse("p", "p.go", []byte(base))
		g, _ := parse("p", "p.go", []byte(src))
		var got []string
		for _, d := range compare(f.units, g.units) {
			got = append(got, d.title())
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v in\n%s", got, want, src)
		}
	}
	if tried < 500 {
		t.Errorf("only %d versions could be parsed", tried)
	}
}

// printedDifferences names the declarations that two versions print differently.
// It reports false if a version cannot be parsed, or declares a name twice.
func printedDifferences(before, after string) (names []string, ok bool) {
	old, ok1 := printed(before)
	now, ok2 := printed(after)
	for name := range old {
		if old[name] != now[name] {
			names = append(names, name)
		}
	}
	for name := range now {
		if old[name] == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, ok1 && ok2
}

func printed(src string) (map[string]string, bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0) // without comments
	if err != nil {
		return nil, false
	}
	all := map[string]string{}
	for _, d := range f.Decls {
		var b bytes.Buffer
		if err := format.Node(&b, fset, d); err != nil {
			return nil, false
		}
		name := ""
		switch d := d.(type) {
		case *ast.FuncDecl:
			if name = d.Name.Name; d.Recv != nil {
				name = fmt.Sprintf("(%s).%s", receiver(d), name)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			name = d.Tok.String() + " " + specName(d.Specs)
		}
		text := strings.Join(strings.Fields(b.String()), " ") // empty lines stay when it is printed
		if all[name] != "" {
			return nil, false
		}
		all[name] = text
	}
	return all, strings.Contains(src, `import "fmt"`)
}
