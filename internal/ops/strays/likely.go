//go:build go1.25

package strays

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/ops/casefile"
)

// candidate is a test that calls Check.
type candidate struct {
	test        string
	file        string
	first, last int      // lines of the function
	types       []string // types of the inputs, as in the source
	fields      []string // fields of an input whose type is an unnamed struct
}

// properties returns the tests that call a function named Check, with the types of the inputs.
func properties(files []testFile) (all []candidate) {
	fset := token.NewFileSet()
	for _, f := range files {
		file, err := parser.ParseFile(fset, f.name, f.text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Body == nil || !isTest(fn.Name.Name) {
				continue
			}
			c := candidate{test: fn.Name.Name, file: f.name, first: fset.Position(fn.Pos()).Line, last: fset.Position(fn.End()).Line}
			if c.inspect(fset, fn.Body) {
				all = append(all, c)
			}
		}
	}
	return all
}

// inspect looks for calls of Check. It reports whether there is one.
func (c *candidate) inspect(fset *token.FileSet, body ast.Node) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 || !strings.HasSuffix(text(fset, call.Fun), "Check") {
			return true
		}
		found = true
		if f, ok := call.Args[1].(*ast.FuncLit); ok {
			if params := f.Type.Params.List; len(params) == 2 {
				c.input(fset, params[1].Type)
			}
		}
		return true
	})
	return found
}

// input records the type of an input.
func (c *candidate) input(fset *token.FileSet, t ast.Expr) {
	c.types = append(c.types, strings.TrimPrefix(text(fset, t), "*"))
	if s, ok := t.(*ast.StructType); ok {
		for _, f := range s.Fields.List {
			for _, name := range f.Names {
				c.fields = append(c.fields, name.Name)
			}
		}
	}
}

func text(fset *token.FileSet, n ast.Node) string {
	var b strings.Builder
	if err := format.Node(&b, fset, n); err != nil {
		return ""
	}
	return b.String()
}

// likely returns the test that cases probably belong to now: the one at the place where the
// case was found, or with an input of the same type, or else with a similar name.
func likely(c cases, test string, all []candidate) (best string) {
	most := 0
	for _, x := range all {
		points := 0
		if x.at(c.first) {
			points += 4
		}
		if x.takes(c.first.Expr) {
			points += 2
		}
		if nearest(test, []string{x.test}) != "" {
			points += 3
		}
		if points > most {
			best, most = x.test, points
		}
	}
	return best
}

// place is a line of a test file in a message.
var place = regexp.MustCompile(`([\w.-]+_test\.go):(\d+)`)

// at reports whether the place in the message of a case is in the test.
func (x candidate) at(f casefile.File) bool {
	message, _ := f.Fact("message")
	m := place.FindStringSubmatch(message)
	if m == nil || m[1] != x.file {
		return false
	}
	line, _ := strconv.Atoi(m[2])
	return x.first <= line && line <= x.last
}

// takes reports whether the input of a case has the type of an input of the test, as far as the
// source shows it.
func (x candidate) takes(expr string) bool {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return false
	}
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok || lit.Type == nil {
		return false
	}
	name := text(token.NewFileSet(), lit.Type)
	if name != "in" {
		name = name[strings.LastIndexByte(name, '.')+1:]
		return slices.ContainsFunc(x.types, func(t string) bool { return t == name || strings.HasSuffix(t, "."+name) })
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok || !slices.Contains(x.fields, text(token.NewFileSet(), kv.Key)) {
			return false
		}
	}
	return len(lit.Elts) > 0
}

// nearest returns the name that shares the most letters with another name, if these are at
// least half of both, or "".
func nearest(name string, all []string) (best string) {
	most := 0
	for _, x := range all {
		n := common(strings.ToLower(name), strings.ToLower(x))
		if kind := len("Test"); 2*(n-kind) >= max(len(name), len(x))-kind && n > most {
			best, most = x, n
		}
	}
	return best
}

// common returns the length of the longest sequence of bytes that both texts contain in this
// order. Of long texts it looks at the beginning only.
func common(a, b string) int {
	const most = 200
	a, b = a[:min(len(a), most)], b[:min(len(b), most)]
	row := make([]int, len(b)+1)
	for i := range len(a) {
		before := 0 // of the row before, one to the left
		for j := range len(b) {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			before = above
		}
	}
	return row[len(b)]
}
