//go:build go1.25

package facts

import (
	"fmt"
	"strings"
	"testing"
)

// Each row is code that compares fields, and the constants found for each field.
func TestFields(t *testing.T) {
	rows := []struct{ name, code, want string }{
		{"a comparison", `type S struct { N int; s string }
func f(s *S) bool { return s.N == 3 || 7 < s.N || s.s == "x" }`, `S.N: int(3), int(7); S.s: string("x")`},
		{"a switch", `type Op string
const Add Op = "+"
type S struct { Op Op }
func f(s S) { switch s.Op { case Add, "-": } }`, `S.Op: Add, Op("-")`},
		{"strings that are searched for", `import "strings"
type S struct { Name string }
func f(s S) bool { return strings.HasPrefix(s.Name, "pre") }`, `S.Name: string("pre")`},
		{"elements", `type S struct { Args []string; M map[string]int; A [2]int8 }
func f(s S) bool { return s.Args[0] == "-v" || s.M["k"] == 9 || s.A[1] == 5 || len(s.Args) == 4 }`, `S.Args: string("-v"); S.M: int(9); S.A: int8(5)`},
		{"an embedded field", `type B struct { N int }
type S struct { *B }
func f(s S) bool { return s.N == 3 }`, `B.N: int(3)`},
		{"type of another package", `import "time"
type S struct { D time.Duration }
func f(s S) bool { return s.D > time.Second }`, `S.D: alleleImport0_.Second`},
		{"type of another package, constant of this one", `import "time"
const quantum = 3 * time.Second
type S struct { D time.Duration }
func f(s S) bool { return s.D > quantum }`, `S.D: quantum`},
		{"no constants", `type S struct { N, M int; B bool; T string }
func f(s S) bool { return s.N == s.M || s.B == true || s.T[0] == 'x' }`, ``},
		{"a struct of a package out of scope", `import "go/token"
func f(p token.Position) bool { return p.Line == 3 }`, ``},
		{"a struct in a function", `func f() bool { type s struct { N int }; return s{}.N == 3 }`, ``},
		{"a struct of a package in scope", `import "scratch/p00"
func f(s p00.S) bool { return s.N == 11 }`, `alleleImport0_.S.N: int(11)`},
	}
	files := map[string]string{}
	for i, c := range rows {
		files[fmt.Sprintf("p%02d/p.go", i)] = fmt.Sprintf("package p%02d\n%s\n", i, c.code)
	}
	_, x := scratch(t, files)
	for i, c := range rows {
		var got []string
		n := Inside(x.prog.Scope[i])
		for _, f := range x.Fields(x.prog.Scope[i]) {
			got = append(got, f.Struct(n)+"."+f.Name+": "+f.Consts(n))
		}
		for _, imported := range n.Imports() {
			if !strings.Contains(strings.Join(got, "; "), imported.Name+".") {
				t.Errorf("%s: the import of %s is not used", c.name, imported.Path)
			}
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, s, c.want)
		}
	}
}
