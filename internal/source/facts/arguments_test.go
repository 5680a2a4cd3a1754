//go:build go1.25

package facts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
)

// A function is a builder if its argument has a type that every property can make, and is not if
// only a pointer to the type can be made.
func TestReadyArguments(t *testing.T) {
	code := "type T struct{}\n"
	imports := map[string]bool{}
	for i, r := range append(schema.ReadyTypes(), "*time.Time", "regexp.Regexp") {
		path := strings.TrimPrefix(r[:strings.LastIndexByte(r, '.')], "*")
		imports[path] = true
		name := strings.Replace(r, path, path[strings.LastIndexByte(path, '/')+1:], 1)
		code += fmt.Sprintf("func F%d(x %s) T { return T{} } // %s\n", i, name, r)
	}
	head := "package p\n"
	for path := range imports {
		head += fmt.Sprintf("import %q\n", path)
	}
	_, x := scratch(t, map[string]string{"p/p.go": head + code})
	_, rejected := x.Builders(x.prog.Scope[0])
	var got []string
	for _, d := range rejected {
		_, of, _ := strings.Cut(code, "func "+d.Name+"(")
		_, of, _ = strings.Cut(of, "// ")
		of, _, _ = strings.Cut(of, "\n")
		got = append(got, of+": "+d.Why)
	}
	if want := "regexp.Regexp: its parameter x regexp.Regexp is a type with hidden fields of a package that is not in scope"; strings.Join(got, "\n") != want {
		t.Errorf("rejected:\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}
