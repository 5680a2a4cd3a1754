package finding

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/value/codec"
)

// Regression is an input as a person wants it: in a test, or above one, or alone.
func Regression(p *property.Property, f Finding, text codec.Text) string {
	code, whole := test(p, f, text)
	switch {
	case whole:
		return code
	case code == "":
		return text.Decl("in")
	}
	return text.Decl("in") + "\n\n" + code
}

// test writes a test that runs the property on this input alone: with the value if
// it can be written in the package of the test and only one Check can be meant,
// then it is whole; else with the case file. Where neither works there is none.
func test(p *property.Property, f Finding, text codec.Text) (code string, whole bool) {
	root, _, sub := strings.Cut(p.Name, "/")
	root, _, nth := strings.Cut(root, "#")
	_, isTest := p.TB.(*testing.T)
	file := f.Stored()
	head := fmt.Sprintf("func %s_%s(t *testing.T) {\n", root, p.Mark(f.Term))
	switch {
	case !isTest || f.Flaky: // a test of that would pass and fail
		return "", false
	case text.Nameable && !sub && !nth && !f.apart(): // or it would end the process of the test
		return needs(text.Imports) + head + tabbed(text.Decl("in")) + fmt.Sprintf("\tallele.Replay(t, %s, in)\n}", root), true
	case file == "":
		return "", false
	}
	return head + fmt.Sprintf("\tallele.ReplayFile(t, %s, %q)\n}", root, filepath.ToSlash(file)), false
}

// needs names the packages the value is written with.
func needs(imports []string) string {
	if len(imports) == 0 {
		return ""
	}
	quoted := make([]string, len(imports))
	for i, p := range imports {
		quoted[i] = fmt.Sprintf("%q", p)
	}
	return "// imports " + strings.Join(quoted, ", ") + "\n"
}

func tabbed(s string) string { return prefixed(s, "\t") + "\n" }

// Pasted is a test that compiles where it is pasted: the value is in it or, if it
// cannot be, in a comment above.
func Pasted(p *property.Property, f Finding) string {
	text := codec.Print(p.World, f.Term, p.Place.Style())
	code, whole := test(p, f, text)
	if whole || code == "" {
		return Regression(p, f, text)
	}
	return "// " + strings.ReplaceAll(text.Decl("in"), "\n", "\n// ") + "\n" + code
}
