//go:build go1.25

package facts

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/allele-go/allele/internal/source/load"
)

const (
	// literalsMax is how many constants of one type are taken from a package. A part of
	// a large table of words shows as much about the input as the whole table.
	literalsMax = 256
	// literalBytes is the maximal length of a string constant.
	literalBytes = 1 << 10
)

// Literals finds the constants that code of a package compares values with: operands of
// comparisons, cases of a switch, keys of maps, and texts that strings are searched
// for. It returns each constant once, as an expression that compiles in the package, in
// the order of the source. It leaves out constants of types that the package cannot
// name without an import. Constants that only test files use are returned as inTests.
func Literals(pkg *load.Package) (found, inTests []string) {
	c := &collector{pkg: pkg, named: map[*types.TypeName]bool{}, seen: map[string]bool{}, count: map[string]int{}}
	c.files(sources(pkg))
	n := len(c.found)
	c.files(tests(pkg))
	return c.found[:n:n], c.found[n:]
}

// files reads files, which may name the types that they and files before them declare.
func (c *collector) files(files []*load.File) {
	for _, t := range declared(files, c.pkg) {
		c.named[t] = !generic(t)
	}
	for _, f := range files {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			c.look(n)
			return true
		})
	}
}

type collector struct {
	pkg   *load.Package
	named map[*types.TypeName]bool // types that the support file can name
	found []string
	seen  map[string]bool
	count map[string]int // by type
}

// look records the constants in one node. It does not visit the nodes below it.
func (c *collector) look(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if compares(n.Op) && c.value(n.X) == nil != (c.value(n.Y) == nil) {
			c.take(n.X, n.Y)
		}
	case *ast.SwitchStmt:
		if n.Tag == nil || c.value(n.Tag) != nil {
			return
		}
		for _, s := range n.Body.List {
			c.take(s.(*ast.CaseClause).List...)
		}
	case *ast.CompositeLit:
		if t := c.pkg.Info.TypeOf(n); t == nil || !isMap(t) {
			return
		}
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				c.take(kv.Key)
			}
		}
	case *ast.CallExpr:
		if c.searches(n.Fun) {
			c.take(n.Args[:min(2, len(n.Args))]...) // the third is a number
		}
	}
}

func compares(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// value returns the value of an expression if it is constant, and nil otherwise.
func (c *collector) value(e ast.Expr) constant.Value { return c.pkg.Info.Types[e].Value }

// searchFuncs are the functions that search for one text, or for letters, in another text.
var searchFuncs = []string{
	"HasPrefix", "HasSuffix", "Contains", "Index", "EqualFold", "Cut", "CutPrefix", "CutSuffix",
	"TrimPrefix", "TrimSuffix", "Split", "Compare", "Equal",
	"ContainsAny", "ContainsRune", "Count", "IndexAny", "IndexByte", "IndexRune", "LastIndex", "LastIndexAny", "LastIndexByte",
	"SplitN", "SplitAfter", "SplitAfterN", "Trim", "TrimLeft", "TrimRight",
}

func (c *collector) searches(fun ast.Expr) bool {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := c.pkg.Info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return false
	}
	path := f.Pkg().Path()
	return (path == "strings" || path == "bytes") && slices.Contains(searchFuncs, f.Name())
}

// take records each expression that is a constant, or the conversion of a constant to
// []byte.
func (c *collector) take(exprs ...ast.Expr) {
	for _, e := range exprs {
		if v := c.value(e); v != nil {
			c.keep(c.pkg.Info.TypeOf(e), v)
			continue
		}
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !c.pkg.Info.Types[call.Fun].IsType() {
			continue
		}
		if v := c.value(call.Args[0]); v != nil && v.Kind() == constant.String && isBytes(c.pkg.Info.TypeOf(e)) && c.means("byte") {
			c.add("[]byte", v)
		}
	}
}

func isBytes(t types.Type) bool {
	s, ok := types.Unalias(t).(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Uint8])
}

// keep adds a constant converted to its type, as in Kind(3), if the package can name
// the type.
func (c *collector) keep(t types.Type, v constant.Value) {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Info()&(types.IsInteger|types.IsFloat|types.IsString) == 0 || basic.Info()&types.IsUntyped != 0 {
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if name := types.Typ[t.Kind()].Name(); c.means(name) { // types.Typ has uint8 for byte
			c.add(name, convert(basic, v))
		}
	case *types.Named:
		if c.named[t.Obj()] {
			c.add(t.Obj().Name(), convert(basic, v))
		}
	}
}

// convert converts a constant to the kind of its type. For example, 1e3 is a float
// constant, but its type may be int.
func convert(t *types.Basic, v constant.Value) constant.Value {
	switch {
	case t.Info()&types.IsInteger != 0:
		return constant.ToInt(v)
	case t.Info()&types.IsFloat != 0:
		return constant.ToFloat(v)
	}
	return v
}

func (c *collector) add(typeName string, v constant.Value) {
	text, ok := literal(v)
	if !ok || c.count[typeName] == literalsMax {
		return
	}
	if text = typeName + "(" + text + ")"; !c.seen[text] {
		c.seen[text] = true
		c.count[typeName]++
		c.found = append(c.found, text)
	}
}

// means reports whether the name of a predeclared type has its usual meaning: the
// package has not redeclared it.
func (c *collector) means(name string) bool { return c.pkg.Types.Scope().Lookup(name) == nil }

// literal returns a constant as the operand of a conversion. ok is false if it is too
// long, or neither a number nor a string.
func literal(v constant.Value) (text string, ok bool) {
	switch v.Kind() {
	case constant.Int:
		return v.ExactString(), true
	case constant.Float:
		f, _ := constant.Float64Val(v)
		return strconv.FormatFloat(f, 'g', -1, 64), true
	case constant.String:
		s := constant.StringVal(v)
		return strconv.Quote(s), len(s) <= literalBytes
	}
	return "", false
}
