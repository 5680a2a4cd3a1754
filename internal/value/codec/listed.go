//go:build go1.25

package codec

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/value/pure"
	"github.com/allele-go/allele/internal/value/schema"
)

// A value that is declared with Values or Likely and cannot be a term is printed as the argument that
// declares it, if the argument means the same at package level:
//
//	allele.Values[error](nil, ErrMine, &MyErr{Code: 3}, local) // ErrMine, &MyErr{Code: 3}, value3("*p.MyErr: code 4")
//
// A case file names variables. Other values have their number in the list and their text there, which
// can be read without the source, and which shows whether another value has taken their place.

// argument is a declared value as Go code.
type argument struct {
	text    string
	imports map[string]string // from the names of packages in text to their paths
	name    string            // if it is the name of a variable: this name, without a package
}

// argument finds the argument that declares a value. It returns false if there is none, or if it means
// something else at package level.
func (p *PackageConsts) argument(l schema.Listed) (argument, bool) {
	if l.File == "" {
		return argument{}, false
	}
	p.load()
	a, ok := p.listed[l.Site]
	if !ok {
		a = p.arguments(l)
		p.listed[l.Site] = a
	}
	if len(a) != l.Of || a[l.N].text == "" {
		return argument{}, false
	}
	return a[l.N], true
}

// arguments returns the arguments of the call at a site. The text of an argument that has another
// meaning at package level is empty.
func (p *PackageConsts) arguments(l schema.Listed) (all []argument) {
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, filepath.Join(p.dir, filepath.Base(l.File)), nil, 0)
	if file == nil {
		return nil
	}
	var found []*ast.CallExpr
	ast.Inspect(file, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if ok && !c.Ellipsis.IsValid() && len(c.Args) == l.Of && declares(c.Fun) &&
			fset.Position(c.Pos()).Line <= l.Line && l.Line <= fset.Position(c.End()).Line {
			found = append(found, c)
		}
		return true
	})
	if len(found) != 1 {
		return nil
	}
	for _, e := range found[0].Args {
		all = append(all, newArgument(fset, file, e))
	}
	return all
}

// declares reports whether a function is Values or Likely.
func declares(f ast.Expr) bool {
	if x, ok := f.(*ast.IndexExpr); ok {
		f = x.X
	}
	name := typeKey(f)
	return name == "Values" || name == "Likely"
}

// argumentMax is the length of the longest argument that is printed.
const argumentMax = 400

func newArgument(fset *token.FileSet, file *ast.File, e ast.Expr) argument {
	a := argument{imports: map[string]string{}}
	if !a.closed(file, e, e) {
		return argument{}
	}
	var out bytes.Buffer
	if format.Node(&out, fset, e) != nil || out.Len() > argumentMax || bytes.ContainsRune(out.Bytes(), '`') {
		return argument{}
	}
	a.text = out.String()
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		a.name = typeKey(e)
	}
	return a
}

// closed reports whether a part n of an argument uses only names that are declared at package level,
// predeclared or imported, or declared in the argument itself. It records the imports.
func (a *argument) closed(file *ast.File, argument ast.Expr, n ast.Node) bool {
	ok := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ok = ok && a.closed(file, argument, n.X)
			return false
		case *ast.Ident:
			inside := n.Obj != nil && argument.Pos() <= n.Obj.Pos() && n.Obj.Pos() < argument.End()
			local := n.Obj != nil && file.Scope.Lookup(n.Name) != n.Obj
			ok = ok && (inside || !local && n.Name != "t" && n.Name != "in") // in the printed test these have another meaning
			if path := pure.Imported(file, n.Name); n.Obj == nil && path != "" {
				a.imports[n.Name] = path
			}
		}
		return ok
	})
	return ok
}

// variable prints a variable or function that is a declared value. If Read would not find the value
// again in what this code makes, again is false.
func (p *printer) variable(t reflect.Type, f *schema.Func, again bool, in context) doc {
	if f.Named {
		return text(p.callee(f))
	}
	a, found := p.argument(f)
	switch {
	case found && (a.name != "" || !p.style.Case):
		p.unnameable = p.unnameable || a.name == "" && !again
		for name, path := range a.imports {
			p.unnameable = p.need(path, p.pkgName(path)) != name || p.unnameable
		}
		if !in.typed {
			return text(a.text)
		}
		return p.convert(t, text(a.text))
	case !found && f.Listed().Text != "":
		if name := p.errorName(f.Listed().Text); name != "" {
			return text(name)
		}
	}
	return p.numbered(f, a)
}

// argument returns the argument that declares f, if it is in the package that the text is for.
func (p *printer) argument(f *schema.Func) (argument, bool) {
	if names := p.names(f); names != nil {
		return names.argument(f.Listed())
	}
	return argument{}, false
}

// names returns the source that declares f, if it is that of the package that the text is for.
func (p *printer) names(f *schema.Func) errorNames {
	names, ok := p.style.Consts.(errorNames)
	if !ok || f.Listed().Pkg != p.style.Pkg {
		return nil
	}
	return names
}

// numbered prints a declared value as its number in the list, with its text.
func (p *printer) numbered(f *schema.Func, a argument) doc {
	p.unnameable = true
	name := identifier(f.Name)
	named := func(l schema.Listed) bool { return argumentOf(p.names(f), l).name != "" }
	if print := cmp.Or(f.Listed().Print(named), a.text); print != "" {
		name += "(" + strconv.Quote(print) + ")"
	}
	return text(name)
}

// numbered returns the number and the text of a declared value in a case file.
func numbered(e ast.Expr) (name, print string, ok bool) {
	c, ok := e.(*ast.CallExpr)
	if !ok || len(c.Args) != 1 {
		return "", "", false
	}
	id, isName := c.Fun.(*ast.Ident)
	lit, isLit := c.Args[0].(*ast.BasicLit)
	if !isName || !isLit || lit.Kind != token.STRING {
		return "", "", false
	}
	print, err := strconv.Unquote(lit.Value)
	return id.Name, print, err == nil
}

// listed returns the index of the declared value among ctors that e is, or -1. The value may have
// another number now. Then its text decides, unless several values have it that the case would not name.
func listed(names errorNames, ctors []schema.Ctor, e ast.Expr) int {
	name, print, ok := numbered(e)
	if !ok {
		return -1
	}
	var all []int
	named := -1
	for i, c := range ctors {
		if !isVar(c) || !prints(names, c.Func, name, print) {
			continue
		}
		isNamed := c.Func.Named || argumentOf(names, c.Func.Listed()).name != ""
		switch is := identifier(c.Func.Name) == name; {
		case is && !isNamed:
			return i
		case is:
			named = i // it had no name when the case was written
		case !isNamed:
			all = append(all, i)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return named
}

// argumentOf returns the argument that declares a value, if it is known.
func argumentOf(names errorNames, l schema.Listed) (a argument) {
	if names != nil {
		a, _ = names.argument(l)
	}
	return a
}

// prints reports whether a declared value is written with a text. That of a function is not known
// without the source; then its name decides.
func prints(names errorNames, f *schema.Func, name, print string) bool {
	is := identifier(f.Name) == name
	if ok, byNumber := f.Listed().Prints(print); ok {
		return is || !byNumber
	}
	if !f.Listed().Silent() {
		return false
	}
	if a := argumentOf(names, f.Listed()); a.text != "" {
		return a.text == print
	}
	return is
}

// changedValue returns what has become of a declared value that a case contains.
func changedValue(s *schema.Schema, name, print string) string {
	was := fmt.Sprintf("the case was stored with %s = %s, ", name, print)
	for _, c := range s.Ctors {
		if now := ""; c.Func != nil && identifier(c.Func.Name) == name {
			if now = c.Func.Listed().Print(func(schema.Listed) bool { return false }); now != "" {
				return was + "which is now " + now + "; declare the old value again"
			}
		}
	}
	return was + "which is not among the declared values; declare it again"
}

func isVar(c schema.Ctor) bool { return c.Func != nil && schema.Is[schema.Variable](c.Func) }

func (r *resolver) undeclared(s *schema.Schema, e ast.Expr) {
	if name, print, ok := numbered(e); ok && slices.ContainsFunc(s.Ctors, isVar) {
		r.because(Excluded, func() { r.unfit(s, e, "%s", changedValue(s, name, print)) })
		return
	}
	r.unfit(s, e, "%s is not among the declared values", describe(e))
}

// named returns the index of the opaque value of s that has the name e, or -1. Earlier versions
// named values by their index alone.
func (r *resolver) named(s *schema.Schema, e ast.Expr) int {
	if at := listed(r.errors, s.Ctors, e); at >= 0 {
		return at
	}
	name := typeKey(e)
	at := slices.IndexFunc(s.Ctors, func(c schema.Ctor) bool {
		return c.Value == nil && (identifier(c.Name) == name || c.IsZero() && r.isNil(s.Type, e) || isVariable(c.Func, e, r.errors))
	})
	if i, ok := strings.CutPrefix(name, "value"); ok && at < 0 {
		if n, err := strconv.Atoi(i); err == nil && n < len(s.Ctors) && s.Ctors[n].Value == nil {
			return n
		}
	}
	return at
}
