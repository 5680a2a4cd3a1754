//go:build go1.25

package score

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/site"
)

// sketch returns the beginning of a test that calls the function of a fault, or "" if the function
// cannot be called from a test, or the source is not the one that was judged.
func sketch(src []byte, f site.Fault) string {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	for _, d := range file.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Name.Name == "init" || d.Name.Name == "main" || d.Type.TypeParams != nil ||
			set.Position(d.Pos()).Offset > f.Edit.Offset || f.Edit.Offset >= set.Position(d.End()).Offset {
			continue
		}
		return testOf(d)
	}
	return ""
}

func testOf(d *ast.FuncDecl) string {
	var b strings.Builder
	call := d.Name.Name
	name, test := strings.ToUpper(call[:1])+call[1:], "t"
	declare := func(names string, t ast.Expr) {
		if slices.Contains(strings.Split(names, ", "), test) {
			test = "tt"
		}
		fmt.Fprintf(&b, "\tvar %s %s\n", names, types.ExprString(t))
	}
	if d.Recv != nil && len(d.Recv.List) == 1 {
		of := d.Recv.List[0]
		receiver := "x"
		if len(of.Names) > 0 && of.Names[0].Name != "_" {
			receiver = of.Names[0].Name
		}
		declare(receiver, of.Type)
		call = receiver + "." + call
	}
	var args []string
	for i, p := range d.Type.Params.List {
		names := []string{}
		for j, n := range p.Names {
			if names = append(names, n.Name); n.Name == "_" {
				names[j] = fmt.Sprintf("arg%d%d", i+1, j+1)
			}
		}
		if len(names) == 0 {
			names = []string{fmt.Sprintf("arg%d", i+1)}
		}
		t := p.Type
		if dots, ok := t.(*ast.Ellipsis); ok {
			t = &ast.ArrayType{Elt: dots.Elt}
			args = append(args, names[0]+"...")
		} else {
			args = append(args, names...)
		}
		declare(strings.Join(names, ", "), t)
	}
	call += "(" + strings.Join(args, ", ") + ")"
	check := "\t" + call + "\n\t// Compare what it changes with what you expect.\n"
	if n := d.Type.Results.NumFields(); n > 0 {
		got := []string{"got"}
		for i := 2; i <= n; i++ {
			got = append(got, fmt.Sprint("got", i))
		}
		check = fmt.Sprintf("\t%s := %s\n\t// Compare it with what you expect.\n", strings.Join(got, ", "), call)
	}
	return fmt.Sprintf("func Test%sCase(%s *testing.T) {\n%s%s}\n", name, test, b.String(), check)
}
