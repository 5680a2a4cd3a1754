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
	// literalsMax is how many constants of one type are taken from a package. A
	// table of a thousand words reveals no more about the input than a part of
	// it.
	literalsMax = 256
	// literalBytes is the maximum length of a string.
	literalBytes = 1 << 10
)

// Literals finds the constants that code of a package compares values with: in
// comparisons, in the cases of a switch, as keys of maps and as the text that
// strings are searched for. It returns them as expressions that compile in the
// package, in the order of the source, each once. Constants of types that the
// package has no name for are left out.
func Literals(pkg *load.Package) []string {
	c := &collector{pkg: pkg, named: map[*types.TypeName]bool{}, seen: map[string]bool{}, count: map[string]int{}}
	for _, t := range declared(pkg) {
		c.named[t] = !generic(t)
	}
	for _, f := range pkg.Files {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			c.look(n)
			return true
		})
	}
	return c.found
}

type collector struct {
	pkg   *load.Package
	named map[*types.TypeName]bool // types that the support file can name
	found []string
	seen  map[string]bool
	count map[string]int // by type
}

// look reads the constants of one node, without the nodes below it.
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
			c.take(n.Args...)
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

// value returns the value of a constant expression, and nil for others.
func (c *collector) value(e ast.Expr) constant.Value { return c.pkg.Info.Types[e].Value }

// searchFuncs are the functions that search for one text in another.
var searchFuncs = []string{
	"HasPrefix", "HasSuffix", "Contains", "Index", "EqualFold", "Cut", "CutPrefix", "CutSuffix",
	"TrimPrefix", "TrimSuffix", "Split", "Compare", "Equal",
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

// take records the expressions that are constants, or a []byte conversion of one.
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

// keep adds a constant with the name of its type, if the type has a name here.
func (c *collector) keep(t types.Type, v constant.Value) {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Info()&(types.IsInteger|types.IsFloat|types.IsString) == 0 || basic.Info()&types.IsUntyped != 0 {
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if name := types.Typ[t.Kind()].Name(); c.means(name) { // byte is uint8
			c.add(name, convert(basic, v))
		}
	case *types.Named:
		if c.named[t.Obj()] {
			c.add(t.Obj().Name(), convert(basic, v))
		}
	}
}

// convert converts a constant to the kind of its type: 1e3 may be an int.
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

// means reports whether the package has not redeclared a predeclared type.
func (c *collector) means(name string) bool { return c.pkg.Types.Scope().Lookup(name) == nil }

// literal writes a constant as an operand of a conversion.
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
