//go:build go1.25

package codec

import (
	"go/ast"
	"go/constant"
	"go/token"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
)

// An error that is declared as a value has a name if it is a variable of the standard library, or
// if the allele command has found it. In plain go test the source shows which variable is made with
// the text of the error.

// errorName is a variable of a package, and the name of the package.
type errorName struct{ pkg, name string }

// errorNames is implemented by PackageConsts.
type errorNames interface {
	ErrorName(text string) (pkg, name string)
	ErrorText(name string) (text string, ok bool)
	argument(l schema.Listed) (argument, bool)
	importName(path string, external bool) (name string, ok bool)
}

// ErrorName returns the variable that contains an error with this text, if there is only one.
func (p *PackageConsts) ErrorName(text string) (pkg, name string) {
	p.load()
	e := p.errors[text]
	return e.pkg, e.name
}

// ErrorText returns the text of the error in a variable.
func (p *PackageConsts) ErrorText(name string) (text string, ok bool) {
	p.load()
	for text, e := range p.errors {
		if e.name == name {
			return text, true
		}
	}
	return "", false
}

// varDecls collects the errors of a var declaration: those that errors.New makes from a literal. A
// text that two of them have is left out.
func (p *PackageConsts) varDecls(pkg string, g *ast.GenDecl) {
	for _, spec := range g.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || len(v.Values) != len(v.Names) {
			continue
		}
		for i, name := range v.Names {
			text, ok := errorText(v.Values[i])
			if !ok || name.Name == "_" {
				continue
			}
			if _, taken := p.errors[text]; taken {
				p.errors[text] = errorName{}
			} else {
				p.errors[text] = errorName{pkg, name.Name}
			}
		}
	}
}

// errorText returns the text if e is errors.New("text") or fmt.Errorf("text").
func errorText(e ast.Expr) (text string, ok bool) {
	c, ok := unparen(e).(*ast.CallExpr)
	if !ok || len(c.Args) != 1 {
		return "", false
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	ev := evaluator{lookup: func(string) (Const, bool) { return Const{}, false }}
	n, err := ev.eval(c.Args[0])
	if err != nil || n.special || n.Value.Kind() != constant.String {
		return "", false
	}
	text = constant.StringVal(n.Value)
	f := qualifierOf(sel) + "." + sel.Sel.Name
	return text, f == "errors.New" || f == "fmt.Errorf" && !strings.Contains(text, "%")
}

// errorName returns the variable that contains an error with a text, or "".
func (p *printer) errorName(text string) string {
	names, ok := p.style.Consts.(errorNames)
	if !ok {
		return ""
	}
	external := strings.HasSuffix(p.style.Pkg, "_test")
	switch pkg, name := names.ErrorName(text); {
	case name == "":
	case strings.HasSuffix(pkg, "_test") == external:
		return name
	case external && token.IsExported(name):
		return p.need(strings.TrimSuffix(p.style.Pkg, "_test"), pkg) + "." + name
	}
	return ""
}

// isVariable reports whether an expression is the name of the declared value f. names may be nil.
func isVariable(f *schema.Func, e ast.Expr, names errorNames) bool {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
	default:
		return false
	}
	name := typeKey(e)
	if name == identifier(f.Name) {
		return true
	}
	if names == nil {
		return false
	}
	if a, ok := names.argument(f.Listed()); ok || f.Listed().Text == "" {
		return ok && a.name == name
	}
	text, ok := names.ErrorText(name)
	return ok && f.Listed().Text == text
}
