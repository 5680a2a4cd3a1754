//go:build go1.25

package strays

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/allele-go/allele/internal/store/casefile"
)

// allChecks returns the Checks of all tests of the package whose names the source shows.
func (p *pkgSource) allChecks() (all []check) {
	for _, f := range p.files() {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			switch {
			case !ok || !f.test || fn.Body == nil || !IsTest(fn.Name.Name):
			case fn.Recv == nil:
				all = append(all, p.outlineOf(fn.Name.Name).checks...)
			default:
				all = append(all, p.methodChecks(f, fn)...)
			}
		}
	}
	return slices.DeleteFunc(all, func(x check) bool { return x.name == "" })
}

// methodChecks returns the Checks of a method of a suite: a test that has a value of its type runs
// the method as a subtest.
func (p *pkgSource) methodChecks(f *goFile, method *ast.FuncDecl) (all []check) {
	recv := method.Recv.List[0].Type
	if star, ok := recv.(*ast.StarExpr); ok {
		recv = star.X
	}
	of, ok := recv.(*ast.Ident)
	if !ok {
		return nil
	}
	for _, test := range p.mentions(of.Name) {
		all = append(all, p.ofMethod(f, method, test).checks...)
	}
	return all
}

// mentions returns the top-level tests whose source contains a name.
func (p *pkgSource) mentions(name string) (tests []string) {
	for _, f := range p.files() {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !f.test || fn.Recv != nil || fn.Body == nil || !IsTest(fn.Name.Name) {
				continue
			}
			found := false
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				found = found || ok && id.Name == name
				return !found
			})
			if found {
				tests = append(tests, fn.Name.Name)
			}
		}
	}
	return tests
}

// likely returns the Check that cases probably belong to now, nil if there is none: the one that the
// first case names, or at the place where it was found, or with a similar name, or in the same test,
// or with inputs of the same type. Many Checks have inputs such as []int, so such a type alone shows
// nothing. If two Checks are equally likely, none is returned.
func likely(c cases, all []check) (best *check) {
	most := 1
	for i := range all {
		switch p := points(c, &all[i]); {
		case p > most:
			best, most = &all[i], p
		case p == most:
			best = nil
		}
	}
	return best
}

// points returns how likely it is that cases belong to a Check. If the type of its inputs is
// another one, only a similar name counts.
func points(c cases, x *check) (n int) {
	same, known := x.takes(c.first.Expr)
	similar := alike(c.owner, x.name)
	if known && !same && !similar {
		return 0
	}
	if test, _ := c.first.Fact("test"); test == x.name {
		n += 8
	}
	if x.at(c.first) {
		n += 4
	}
	if similar {
		n += 3
	}
	if test, _ := top(c.owner); test == x.test {
		n += 2
	}
	if same {
		n++
	}
	if same && !builtin(x.in) {
		n++
	}
	return n
}

// place is a line of a test file in a message.
var place = regexp.MustCompile(`([\w.-]+_test\.go):(\d+)`)

// at reports whether the place in the message of a case is in the Check.
func (x *check) at(f casefile.File) bool {
	message, _ := f.Fact("message")
	m := place.FindStringSubmatch(message)
	if m == nil || m[1] != x.file {
		return false
	}
	line, _ := strconv.Atoi(m[2])
	return x.first <= line && line <= x.last
}

// takes reports whether the input of a case has the type of the inputs of the Check. known is
// false if the source does not show this.
func (x *check) takes(expr string) (same, known bool) {
	e, err := parser.ParseExpr(expr)
	if err != nil || x.in == "" {
		return false, false
	}
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok || lit.Type == nil {
		return false, false
	}
	if name := text(token.NewFileSet(), lit.Type); name != "in" {
		name = name[strings.LastIndexByte(name, '.')+1:]
		return x.in == name || strings.HasSuffix(x.in, "."+name), true
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok || !slices.Contains(x.fields, text(token.NewFileSet(), kv.Key)) {
			return false, true
		}
	}
	return len(lit.Elts) > 0, true
}

// predeclared matches types of the language.
var predeclared = regexp.MustCompile(
	`^(\d+|map|chan|bool|string|u?int(8|16|32|64)?|uintptr|byte|rune|float(32|64)|complex(64|128)|any|error)$`)

// builtin reports whether a type has no name of a package in it.
func builtin(typ string) bool {
	sign := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, name := range strings.FieldsFunc(typ, sign) {
		if !predeclared.MatchString(name) {
			return false
		}
	}
	return true
}

// alike reports whether two names of properties are similar: without a test that they both belong
// to, as a whole, or in their last parts.
func alike(a, b string) bool {
	if test, rest := top(a); rest != "" {
		if other, more := top(b); other == test && more != "" {
			return similar(rest[1:], more[1:]) || 2*common(rest[1:], more[1:]) >= max(len(rest), len(more))-1
		}
	}
	return similar(a, b) || similar(last(a), last(b))
}

func last(name string) string { return name[strings.LastIndexAny(name, "/#")+1:] }

// similar reports whether a name contains the other one, or two thirds of their letters are the
// same, in the same order.
func similar(a, b string) bool {
	a, b = strings.ToLower(strings.TrimPrefix(a, "Test")), strings.ToLower(strings.TrimPrefix(b, "Test"))
	const least = 3 // letters of a name that is contained in another one
	if min(len(a), len(b)) >= least && (strings.Contains(a, b) || strings.Contains(b, a)) {
		return true
	}
	return 3*common(a, b) >= 2*max(len(a), len(b))
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
