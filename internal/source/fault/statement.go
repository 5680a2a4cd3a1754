//go:build go1.25

package fault

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// increment makes the gate of i++ or i--. The statement becomes i += g(), so that it can be the
// post statement of a loop and its operand is evaluated once.
func (w *walker) increment(s *ast.IncDecStmt) {
	t := w.info().TypeOf(s.X)
	w.node(s.X)
	b, ok := w.basic(t)
	if !ok {
		return
	}
	back, ok := w.back(t, s.Pos())
	if !ok {
		return
	}
	reverse := map[token.Token]string{token.INC: "--", token.DEC: "++"}[s.Tok]
	changes := []change{{opIncrement, w.src(s), w.src(s.X) + reverse}}
	if !hasIndex(s.X) { // adding 0 to a missing element of a map would add the element
		changes = append(changes, change{opIncrement, w.src(s), deleted})
	}
	n, ok := w.place(s, changes...)
	if !ok {
		return
	}
	sign := map[token.Token]string{token.INC: "+=", token.DEC: "-="}[s.Tok]
	w.comment(s.TokPos, 2, sign+back+strings.TrimSuffix(gate(w.gates.one(b), n), ",")+")"+closing(back))
}

func hasIndex(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if _, ok := n.(*ast.IndexExpr); ok {
			found = true
		}
		return !found
	})
	return found
}

// assignOps are the operators of assignments such as +=.
var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
	token.AND_NOT_ASSIGN: token.AND_NOT, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

// assign makes the gates of an assignment: one that deletes it, and one for its operator if it
// has one.
func (w *walker) assign(s *ast.AssignStmt, listed bool) {
	end := ""
	switch {
	case s.Tok == token.DEFINE || allBlank(s.Lhs):
	case s.Tok == token.ADD_ASSIGN && isString(w.info().TypeOf(s.Lhs[0])) && repeatable(w.info(), s.Rhs[0]):
		// the same as a fault of the operator
	case !listed:
		w.decline("assignment that cannot be deleted, in the head of a statement")
	default:
		differs, lazy := w.stores(s)
		end = w.deletable(s, differs, lazy)
	}
	if op, ok := assignOps[s.Tok]; ok {
		w.assignOp(s, op)
	} else {
		for _, x := range s.Lhs {
			w.node(x)
		}
		for _, x := range s.Rhs {
			w.value(x, opDestination)
		}
	}
	if end != "" {
		w.put(s.End(), end)
	}
}

func allBlank(list []ast.Expr) bool {
	for _, x := range list {
		if id, ok := x.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

// stores returns an expression that is true if an assignment changes the value of its
// variable, or "" if that is not known. lazy means that the expression may panic, or that nobody needs its value
// unless the place records.
func (w *walker) stores(s *ast.AssignStmt) (differs string, lazy bool) {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return "", false
	}
	x, y := s.Lhs[0], s.Rhs[0]
	if lazy = !w.pure(x) || !w.pure(y); lazy && (!repeatable(w.info(), x) || !repeatable(w.info(), y) || mayAdd(w.info(), x)) {
		return "", false
	}
	t, u := w.info().TypeOf(x), w.info().TypeOf(y)
	if !isExact(t) || !isExact(u) {
		if !isNil(w.info(), y) || !isNilable(t) {
			return "", false
		}
	}
	if text := w.src(x) + " != (" + w.src(y) + ")"; !hasNewline(text) {
		return text, lazy
	}
	return "", false
}

func isString(t types.Type) bool { b, ok := basicOf(t); return ok && b.Info()&types.IsString != 0 }

// deletable puts a statement into an if statement whose condition is a gate. It returns the
// text for the end of the statement, or "" if there is no fault. differs is an expression that is true
// if the statement has an effect, and lazy means that only a place that records evaluates it; if it is empty, the statement
// always has an effect.
func (w *walker) deletable(s ast.Stmt, differs string, lazy bool) string {
	n, ok := w.place(s, change{opDelete, w.src(s), deleted})
	switch {
	case !ok:
		return ""
	case differs == "":
		w.put(s.Pos(), fmt.Sprintf("if %s(%d){", w.gates.keep(), n))
	case lazy:
		w.put(s.Pos(), seen(w.gates, n, differs)+fmt.Sprintf("if %s(%d){", w.gates.condition("Hold", "", "", "0 == 0", ""), n))
	default:
		w.put(s.Pos(), fmt.Sprintf("if %s%s){", gate(w.gates.keepIf(), n), differs))
	}
	return "}"
}

// assignOp makes the gate of x += y, which becomes x = g(x, y). So x must have no effects.
func (w *walker) assignOp(s *ast.AssignStmt, op token.Token) {
	x, y := s.Lhs[0], s.Rhs[0]
	from := len(w.unit.gated)
	w.node(x)
	n, b, back, declare, ok := w.assignPlace(s, op)
	if !ok {
		w.node(y)
		return
	}
	copied := w.rendered(x, from)
	if !types.Identical(w.info().TypeOf(x), b) {
		copied = w.gates.alias(b.Kind()) + "(" + copied + ")"
	}
	shifts := op == token.SHL || op == token.SHR
	if shifts || op == token.ADD || op == token.SUB {
		w.skip[y] = skipAll
	}
	name, operand := "", b
	if shifts {
		operand = types.Typ[types.Uint64]
		if c, _ := basicOf(w.info().TypeOf(y)); w.info().Types[y].Value == nil && c.Info()&types.IsUnsigned == 0 {
			operand = types.Typ[types.Int64]
		}
		name = w.gates.shift(op, b, operand)
	} else {
		name = declare()
	}
	w.comment(s.TokPos, len(s.Tok.String()), "="+back+gate(name, n)+copied+",")
	w.operand(y, opSecond, operand)
	w.put(y.End(), ")"+closing(back))
}

// assignPlace makes the place for the operator of an assignment. declare declares its gate.
func (w *walker) assignPlace(s *ast.AssignStmt, op token.Token) (n int, b *types.Basic, back string, declare func() string, ok bool) {
	x, y := s.Lhs[0], s.Rhs[0]
	t := w.info().TypeOf(x)
	if b, ok = w.basic(t); !ok {
		return
	}
	if back, ok = w.back(t, s.Pos()); !ok || (op == token.SHL || op == token.SHR) && !w.shiftable(y) {
		return 0, nil, "", nil, false
	}
	if !repeatable(w.info(), x) || hasNewline(w.src(x)) {
		w.decline("assignment with an operator whose left side has effects")
		return 0, nil, "", nil, false
	}
	changes := []change{{opMath, w.src(s), fmt.Sprintf("%s %s= %s", w.src(x), arithmetics[op].to, w.src(y))}}
	declare = func() string { return w.gates.math(op, b) }
	if b.Info()&types.IsString != 0 {
		changes = []change{{opMath, w.src(s), deleted}, {opMath, w.src(s), w.src(x) + " = " + w.src(y)}}
		if declare = w.gates.joins(repeatable(w.info(), y)); !repeatable(w.info(), y) {
			changes = changes[1:]
		}
	}
	n, ok = w.place(s, changes...)
	return n, b, back, declare, ok
}

// rendered returns an expression with the insertions that were made since from.
func (w *walker) rendered(x ast.Expr, from int) string {
	var edits []Edit
	for _, i := range w.unit.gated[from:] {
		edits = append(edits, Edit{i.offset, i.text})
	}
	return apply(w.file.Src, span{w.offset(x.Pos()), w.offset(x.End())}, edits)
}

// statement makes the gate that deletes a call.
func (w *walker) statement(s *ast.ExprStmt, listed bool) {
	end := ""
	if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && listed {
		if why := w.needed(call); why != "" {
			w.decline(why)
		} else {
			end = w.deletable(s, "", false)
		}
	}
	w.node(s.X)
	if end != "" {
		w.put(s.End(), end)
	}
}

// needed returns why a call is not deleted: the compiler knows that it does not return, or
// without it the program would wait forever, which no count of steps notices.
func (w *walker) needed(call *ast.CallExpr) string {
	var o types.Object
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		o = w.info().Uses[f]
	case *ast.SelectorExpr:
		o = w.info().Uses[f.Sel]
	}
	if b, ok := o.(*types.Builtin); ok {
		switch b.Name() {
		case "panic":
			return "call that does not return"
		case "close":
			return "call that synchronises goroutines"
		}
		return ""
	}
	if o == nil || o.Pkg() == nil {
		return ""
	}
	switch o.Pkg().Path() + "." + o.Name() {
	case "os.Exit", "runtime.Goexit", "syscall.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln":
		return "call that does not return"
	}
	if o.Pkg().Path() == "sync" {
		return "call that synchronises goroutines"
	}
	return ""
}
