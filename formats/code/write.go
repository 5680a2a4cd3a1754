package code

import (
	"bytes"
	"fmt"
	"strings"
)

func (l *language) program(v Program, s *scope) []byte {
	var b bytes.Buffer
	b.WriteString(l.prelude)
	l.stmts(&b, v, s, 0)
	return b.Bytes()
}

// depthMax bounds the nesting of blocks.
const depthMax = 6

// writer writes the lines of one block.
type writer struct {
	*language
	to    *bytes.Buffer
	scope *scope
	depth int
	lines int
}

func (l *language) stmts(b *bytes.Buffer, list []Stmt, s *scope, depth int) {
	w := &writer{language: l, to: b, scope: s, depth: depth}
	for _, x := range list {
		if depth < depthMax {
			w.stmt(x)
		}
	}
	if w.lines == 0 && l.pass != "" {
		w.line(l.pass)
	}
}

// open writes a line that begins or ends a block.
func (w *writer) open(format string, args ...any) {
	w.to.WriteString(strings.Repeat("    ", w.depth))
	fmt.Fprintf(w.to, format, args...)
	w.to.WriteString("\n")
	w.lines++
}

// line writes a statement.
func (w *writer) line(format string, args ...any) { w.open(format+w.statement, args...) }

// block writes the statements of a block, and its end.
func (w *writer) block(list []Stmt, s *scope, end string) {
	w.stmts(w.to, list, s, w.depth+1)
	if end != "" {
		w.open("%s", end)
	}
}

func (w *writer) stmt(x Stmt) {
	s := w.scope
	switch x := x.(type) {
	case Assign:
		value := w.expr(x.Value, s)
		if name, ok := s.variable(x.Var); ok && !x.New {
			w.line(w.assign, name, value)
			return
		}
		name := s.name("v")
		w.line(w.declare, name, value)
		s.vars = append(s.vars, name)
	case Print:
		w.line(w.print, w.expr(x.Value, s))
	case If:
		w.open(w.ifThen, w.expr(x.Cond, s))
		if len(x.Else) > 0 {
			w.block(x.Then, s.inner(), w.orElse)
			w.block(x.Else, s.inner(), w.endIf)
		} else {
			w.block(x.Then, s.inner(), w.endIf)
		}
	case While:
		*s.made++
		w.open(w.while, w.expr(x.Cond, s), *s.made)
		w.block(x.Body, s.inner(), w.endWhile)
	case For:
		in := s.inner()
		name := s.name("v")
		in.vars = append(in.vars, name)
		w.open(w.loop, name, 1+x.Limit%4)
		w.block(x.Body, in, w.endLoop)
	case Func:
		w.declareFunc(x)
	case Return:
		if s.inFunc {
			w.line(w.ret, w.expr(x.Value, s))
		}
	case CallStmt:
		if text, ok := w.callText(x.Call, s); ok {
			w.line(w.print, text)
		}
	}
}

// declareFunc writes a function. It can call those that were declared before, and not itself, so that every program ends.
func (w *writer) declareFunc(x Func) {
	s := w.scope
	in := s.inner()
	in.inFunc = true
	name := s.name("f")
	var params []string
	for range x.Params % 4 {
		p := s.name("v")
		params = append(params, p)
		if !w.unnamed {
			in.vars = append(in.vars, p)
		}
	}
	w.open(w.function, name, strings.Join(params, ", "))
	w.block(x.Body, in, w.endFunction)
	s.funcs = append(s.funcs, name)
	s.params[name] = len(params)
}

func (l *language) expr(e Expr, s *scope) string {
	switch e := e.(type) {
	case Number:
		return l.number(bounded(float64(e)))
	case String:
		return l.quote(string(e))
	case Bool:
		if e {
			return l.yes
		}
		return l.no
	case Var:
		if name, ok := s.variable(Ref(e)); ok {
			return fmt.Sprintf(l.variable, name)
		}
	case Binary:
		return fmt.Sprintf(l.ops[e.Op%ops], l.expr(e.Left, s), l.expr(e.Right, s))
	case Not:
		return fmt.Sprintf(l.not, l.expr(e.Value, s))
	case Call:
		if text, ok := l.callText(e, s); ok {
			return text
		}
	case List:
		var all []string
		for _, x := range e {
			all = append(all, l.expr(x, s))
		}
		return l.items(all)
	}
	return l.no
}

// bounded returns a number that every language can write without an exponent.
func bounded(x float64) float64 {
	if x != x || x > 1e9 || x < -1e9 {
		return 7
	}
	return x
}

// callText returns a call with as many arguments as the function has parameters.
func (l *language) callText(c Call, s *scope) (text string, ok bool) {
	name, ok := s.function(c.Func)
	if !ok {
		return "", false
	}
	var args []string
	for i := range s.params[name] {
		if i < len(c.Args) {
			args = append(args, l.expr(c.Args[i], s))
		} else {
			args = append(args, l.no)
		}
	}
	return fmt.Sprintf(l.call, name, strings.Join(args, l.between)), true
}
