//go:build go1.25

package codec

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/steps"
)

// A list of calls has two texts. A program is Go code, which compiles:
//
//	allele.Steps[*store](func(t *allele.T, m *store) {
//		f1 := m.Open("a")
//		m.Write(f1, "b")
//	})
//
// The list that a search generates does not say what a reference means, because this depends on the run. It is written
// as a composite literal, which only allele reads. back(0) is the newest result that is allowed:
//
//	allele.Steps[*store]{Open("a"), Write(back(0), "b")}

const (
	machineName = "m"
	runName     = "t"
	back        = "back"
)

// printCalls prints a list of calls. In a field, Go infers the type of a program.
func printCalls(p *printer, s *schema.Schema, v view, at int, in context) doc {
	kids := at + 1
	if !s.Ctors[v.t[at].C].Func.Form.(schema.Calls).Program {
		p.unnameable = true
		var elems []doc
		for k := range v.t.Kids(kids) {
			elems = append(elems, printListed(p, v, k))
		}
		return list(typeLeaf(p.typeText(s.Type)+"{"), elems, "}")
	}
	f := "func(" + runName + " " + p.typeText(s.Type.In(0)) + ", " + machineName + " " + p.typeText(s.Type.In(1)) + ") {"
	open, end := typeLeaf(f), "}"
	if in.root || in.typed {
		open, end = typeLeaf(p.typeText(s.Type)+"("+f), "})"
	}
	return body(open, printProgram(p, s.Machine(), v, kids), end)
}

// printListed prints a call of a list.
func printListed(p *printer, v view, at int) doc {
	s := p.world.Of(v.t[at])
	op := s.Op(int(v.t[at].C))
	if op == nil {
		return text("Check()")
	}
	i := 0
	var args []doc
	for k := range v.t.Kids(at) {
		if op.IsRef(i) {
			args = append(args, text(reference(steps.Ref(v.t[k].X))))
		} else {
			args = append(args, p.value(v, k, context{}))
		}
		i++
	}
	return list(text(op.Name+"("), args, ")")
}

// reference returns a reference as a list has it.
func reference(r steps.Ref) string {
	if call, result, ok := r.Call(); ok {
		return fmt.Sprintf("result(%d, %d)", call, result)
	}
	return fmt.Sprintf("%s(%d)", back, r)
}

// printProgram prints the calls of a program, one a line.
func printProgram(p *printer, m *steps.Machine, v view, at int) (lines []doc) {
	names := variables(p, v, at)
	call := 0
	for k := range v.t.Kids(at) {
		if op := p.world.Of(v.t[k]).Op(int(v.t[k].C)); op != nil {
			lines = append(lines, statement(p, v, k, op, names, call))
		} else if _, takesT := m.HasCheck(); takesT {
			lines = append(lines, text(machineName+".Check("+runName+")"))
		} else {
			lines = append(lines, text(machineName+".Check()"))
		}
		call++
	}
	return lines
}

// result is a result of a call of a program.
type result struct{ call, result int }

// variables returns the names of the results that later calls use.
func variables(p *printer, v view, at int) map[result]string {
	names, types := map[result]string{}, map[result]reflect.Type{}
	var order []result
	call := 0
	for k := range v.t.Kids(at) {
		op := p.world.Of(v.t[k]).Op(int(v.t[k].C))
		i := 0
		for a := range v.t.Kids(k) {
			if op.IsRef(i) {
				if c, r, ok := steps.Ref(v.t[a].X).Call(); ok && c < call && types[result{c, r}] == nil {
					types[result{c, r}] = op.Params[i]
					order = append(order, result{c, r})
				}
			}
			i++
		}
		call++
	}
	counts := map[string]int{}
	for call = range call {
		for _, x := range order { // in the order of the calls, so that numbers ascend
			if x.call == call {
				letter := initial(types[x])
				counts[letter]++
				names[x] = letter + strconv.Itoa(counts[letter])
			}
		}
	}
	return names
}

// initial returns the first letter of the name of a type, in lower case, for variables with a number: f1, f2.
func initial(t reflect.Type) string {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	r, _ := utf8.DecodeRuneInString(t.Name())
	if r = unicode.ToLower(r); r < 'a' || r > 'z' {
		return "x"
	}
	return string(r)
}

// statement prints a call, with variables for its results that are used.
func statement(p *printer, v view, at int, op *steps.Op, names map[result]string, call int) doc {
	var args []doc
	if op.TakesT {
		args = append(args, text(runName))
	}
	i := 0
	for k := range v.t.Kids(at) {
		switch c, r, ok := steps.Ref(v.t[k].X).Call(); {
		case op.IsRef(i) && ok && names[result{c, r}] != "" && c < call:
			args = append(args, text(names[result{c, r}]))
		case op.IsRef(i):
			p.unnameable = true // somebody has changed the case by hand
			args = append(args, text(reference(steps.Ref(v.t[k].X))))
		case op.Variadic && i == len(op.Params)-1:
			args = append(args, variadic(p, v, k)...)
		default:
			p.shadowed = true
			args = append(args, p.value(v, k, context{}))
			p.shadowed = false
		}
		i++
	}
	d := list(text(machineName+"."+op.Name+"("), args, ")")
	left, used := make([]string, len(op.Results)), false
	for r := range left {
		if left[r] = names[result{call, r}]; left[r] == "" {
			left[r] = "_"
		} else {
			used = true
		}
	}
	if used {
		return row(text(strings.Join(left, ", ")+" := "), d)
	}
	return d
}

// variadic prints the arguments of a variadic parameter: none for nil, and one for each element of a list.
func variadic(p *printer, v view, at int) (args []doc) {
	p.shadowed = true
	defer func() { p.shadowed = false }()
	switch n := v.t[at]; {
	case n.C == 0:
		return nil
	case p.world.Of(n).Kind != schema.Slice || n.X == 0:
		return []doc{row(p.value(v, at, context{}), text("..."))}
	}
	for k := range v.t.Kids(at) {
		args = append(args, p.value(v, k, context{}))
	}
	return args
}

// shadows reports whether a program has a variable of this name, so that nothing else of this name can be used there.
func shadows(name string) bool {
	digits := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")
	_, err := strconv.Atoi(digits)
	return name == machineName || name == runName || len(digits) == len(name)-1 && err == nil
}

// readCalls resolves a list of calls.
func readCalls(r *resolver, s *schema.Schema, e ast.Expr) {
	e = unparen(e)
	if conv, ok := e.(*ast.CallExpr); ok && len(conv.Args) == 1 {
		e = unparen(conv.Args[0])
	}
	list := s.Ctors[s.First()].Fields[0].S
	x := callReader{r: r, list: list, vars: map[string]result{}}
	if f, ok := e.(*ast.FuncLit); ok {
		x.t, x.m = paramNames(f)
		at := r.open(s, 0, 0)
		in := r.open(list, 1, 0)
		for i, stmt := range f.Body.List {
			r.under(step{index: i}, func() { x.statement(stmt) })
		}
		r.out[in].X = uint64(x.n)
		r.seal(in)
		r.seal(at)
		return
	}
	if lit, ok := e.(*ast.CompositeLit); ok {
		at := r.open(s, s.First(), 0)
		in := r.open(list, 1, 0)
		for i, elt := range lit.Elts {
			r.under(step{index: i}, func() { x.call(elt, nil) })
		}
		r.out[in].X = uint64(x.n)
		r.seal(in)
		r.seal(at)
		return
	}
	r.unfit(s, e, "%s is not a list of calls: want func(t *allele.T, m %v) { ... }", describe(e), s.Type.In(1))
}

func paramNames(f *ast.FuncLit) (t, m string) {
	var names []string
	for _, p := range f.Type.Params.List {
		for _, n := range p.Names {
			names = append(names, n.Name)
		}
	}
	if len(names) != 2 {
		return runName, machineName
	}
	return names[0], names[1]
}

// callReader reads the calls of a list.
type callReader struct {
	r    *resolver
	list *schema.Schema
	t, m string            // the parameters of a program; empty in other lists
	vars map[string]result // the variables of a program
	n    int               // the number of calls so far
}

// statement reads a line of a program.
func (x *callReader) statement(stmt ast.Stmt) {
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		x.call(stmt.X, nil)
		return
	case *ast.AssignStmt:
		if len(stmt.Rhs) == 1 && stmt.Tok == token.DEFINE {
			x.call(stmt.Rhs[0], stmt.Lhs)
			return
		}
	}
	x.r.lose(stmt, "a case has only calls of methods, such as m.Open(x) and f1 := m.Open(x)")
}

// call reads a call. A call that cannot be read is left out.
func (x *callReader) call(e ast.Expr, left []ast.Expr) {
	call, name := x.method(e)
	if call == nil {
		x.r.lose(e, "%s is not a call of a method of the machine", describe(e))
		return
	}
	c := x.ctor(name)
	if c < 0 {
		x.r.because(NoBuilder, func() { x.r.lose(e, "%v has no operation %s", x.list.Machine().Type, name) })
		return
	}
	elem := x.list.Elem
	op := elem.Op(c)
	args := call.Args
	if id, ok := first(args).(*ast.Ident); ok && x.m != "" && id.Name == x.t && (op == nil || op.TakesT) {
		args = args[1:]
	}
	at := x.r.open(elem, c, 0)
	if op != nil {
		args = x.spread(op, call, args)
		if len(args) != len(op.Params) {
			x.r.lose(e, "%s has %d parameters, not %d", name, len(op.Params), len(args))
			x.r.out = x.r.out[:at]
			return
		}
		for i, arg := range args {
			x.r.under(step{name: "#" + strconv.Itoa(i)}, func() { x.argument(op, i, elem.Ctors[c].Fields[i].S, arg) })
		}
	}
	x.r.seal(at)
	for i, l := range left {
		if id, ok := l.(*ast.Ident); ok && id.Name != "_" {
			x.vars[id.Name] = result{x.n, i}
		}
	}
	x.n++
}

func first(args []ast.Expr) ast.Expr {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// method returns a call and the method that it calls, or nil.
func (x *callReader) method(e ast.Expr) (call *ast.CallExpr, name string) {
	call, _ = unparen(e).(*ast.CallExpr)
	if call == nil {
		return nil, ""
	}
	switch f := unparen(call.Fun).(type) {
	case *ast.Ident:
		if x.m == "" {
			return call, f.Name
		}
	case *ast.SelectorExpr:
		if id, ok := f.X.(*ast.Ident); ok && x.m != "" && id.Name == x.m {
			return call, f.Sel.Name
		}
	}
	return nil, ""
}

// ctor returns the constructor of an operation, or -1.
func (x *callReader) ctor(name string) int {
	for c := range x.list.Elem.Ctors {
		if x.list.Elem.Ctors[c].Name == name {
			return c
		}
	}
	return -1
}

// spread makes one argument of those of a variadic parameter.
func (x *callReader) spread(op *steps.Op, call *ast.CallExpr, args []ast.Expr) []ast.Expr {
	last := len(op.Params) - 1
	if !op.Variadic || call.Ellipsis.IsValid() || len(args) < last {
		return args
	}
	rest := &ast.CompositeLit{Type: &ast.ArrayType{}, Lbrace: call.Rparen, Elts: args[last:], Rbrace: call.Rparen}
	return append(args[:last:last], rest)
}

// argument reads an argument.
func (x *callReader) argument(op *steps.Op, i int, s *schema.Schema, e ast.Expr) {
	if !op.IsRef(i) {
		x.r.value(s, e)
		return
	}
	if id, ok := e.(*ast.Ident); ok {
		if v, known := x.vars[id.Name]; known {
			if ref, ok := steps.Named(v.call, v.result); ok {
				x.r.open(s, 0, uint64(ref))
				return
			}
		}
	}
	if ref, ok := x.listedRef(e); ok {
		x.r.open(s, 0, uint64(ref))
		return
	}
	x.r.lose(e, "%s is not the result of an earlier call", describe(e))
	x.r.open(s, 0, 0)
}

// listedRef reads a reference of a list: back(0), or result(2, 0).
func (x *callReader) listedRef(e ast.Expr) (steps.Ref, bool) {
	call, _ := unparen(e).(*ast.CallExpr)
	if call == nil {
		return 0, false
	}
	var numbers []int
	for _, a := range call.Args {
		lit, _ := unparen(a).(*ast.BasicLit)
		if lit == nil {
			return 0, false
		}
		n, err := strconv.ParseUint(lit.Value, 10, 27)
		if err != nil {
			return 0, false
		}
		numbers = append(numbers, int(n))
	}
	switch name, _ := call.Fun.(*ast.Ident); {
	case name == nil:
		return 0, false
	case name.Name == back && len(numbers) == 1:
		return steps.Ref(numbers[0]), true
	case name.Name == "result" && len(numbers) == 2:
		return steps.Named(numbers[0], numbers[1])
	}
	return 0, false
}
