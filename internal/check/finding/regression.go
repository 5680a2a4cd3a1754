//go:build go1.25

package finding

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/value/codec"
)

// Regression returns an input as Go code: inside a test, above a test that reads the case
// file, or alone.
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

// test returns a test that runs the property on this input alone. The test contains the
// value if the package of the test can express it, the test has only one Check, and the
// input does not need a process of its own; then whole is true. Otherwise the test names the
// case file. If neither works, code is empty: a fuzz target, for example, cannot be called.
func test(p *property.Property, f Finding, text codec.Text) (code string, whole bool) {
	root, _, sub := strings.Cut(p.Name, "/")
	root, _, nth := strings.Cut(root, "#")
	_, isTest := p.TB.(*testing.T)
	file := f.Stored()
	head := fmt.Sprintf("func %s_%s(t *testing.T) {\n", root, p.Mark(f.Term))
	switch {
	case !isTest || property.Fuzzed(p.TB) || f.Flaky: // a test of a flaky input would pass or fail at random
		return "", false
	case text.Nameable && !sub && !nth && !f.needsProcess(): // Replay runs the input in the test's process
		return needs(text.Imports) + head + tabbed(text.Decl("in")) + fmt.Sprintf("\tallele.Replay(t, %s, in)\n}", root), true
	case file == "":
		return "", false
	}
	return head + fmt.Sprintf("\tallele.ReplayFile(t, %s, %q)\n}", root, filepath.ToSlash(file)), false
}

// needs returns a comment that lists the packages that the test must import for the value.
func needs(imports []string) string {
	if len(imports) == 0 {
		return ""
	}
	return "// imports " + strings.Join(imports, ", ") + "\n"
}

func tabbed(s string) string { return prefixed(s, "\t") + "\n" }

// Pasted returns a test that compiles in the package of the property. The value is inside
// the test or, if it cannot be written there, in a comment above the test.
func Pasted(p *property.Property, f Finding) string {
	text := codec.Print(p.World, f.Term, p.Place.Style())
	code, whole := test(p, f, text)
	if whole || code == "" {
		return Regression(p, f, text)
	}
	return "// " + strings.ReplaceAll(text.Decl("in"), "\n", "\n// ") + "\n" + code
}
