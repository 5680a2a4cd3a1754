package formats

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/allele-go/allele"
)

// Program is a program in a small language that Lua, Python, JavaScript and the shell have in
// common. Names in it are numbers: a name that is used is one of those that were declared before,
// whatever the number is, so that a program is coherent after every change of it.
type Program []Stmt

// Stmt is a statement: one of Assign, Print, If, While, Func, Return, CallStmt and Loop.
type Stmt interface{ stmt() }

// Expr is an expression: one of Num, Str, Truth, Var, Binary, Not, Call and Items.
type Expr interface{ expr() }

// Use is a name that is used: its number among the names that were declared.
type Use uint8

type (
	// Assign declares a name, or changes its value.
	Assign struct {
		New   bool
		Of    Use
		Value Expr
	}
	// Print prints a value.
	Print struct{ Value Expr }
	// If runs one of two lists.
	If struct {
		Cond       Expr
		Then, Else []Stmt
	}
	// While runs a list a few times.
	While struct {
		Cond Expr
		Body []Stmt
	}
	// Loop runs a list for each number up to a limit.
	Loop struct {
		Limit uint8
		Body  []Stmt
	}
	// Func declares a function.
	Func struct {
		Params uint8
		Body   []Stmt
	}
	// Return returns from a function.
	Return struct{ Value Expr }
	// CallStmt calls a function.
	CallStmt struct{ Call Call }
)

type (
	// Num is a number.
	Num float64
	// Str is a text.
	Str string
	// Truth is true or false.
	Truth bool
	// Var is the value of a name.
	Var Use
	// Binary is an operation of two values.
	Binary struct {
		Op          Op
		Left, Right Expr
	}
	// Not is the opposite of a value.
	Not struct{ Of Expr }
	// Call is a call of a function that was declared.
	Call struct {
		Of   Use
		Args []Expr
	}
	// Items is a list of values.
	Items []Expr
)

// Op is an operator.
type Op uint8

const (
	Add Op = iota
	Sub
	Mul
	Less
	Same
	And
	Or
	Join
	ops
)

func (Assign) stmt()   {}
func (Print) stmt()    {}
func (If) stmt()       {}
func (While) stmt()    {}
func (Loop) stmt()     {}
func (Func) stmt()     {}
func (Return) stmt()   {}
func (CallStmt) stmt() {}
func (Num) expr()      {}
func (Str) expr()      {}
func (Truth) expr()    {}
func (Var) expr()      {}
func (Binary) expr()   {}
func (Not) expr()      {}
func (Call) expr()     {}
func (Items) expr()    {}

// scope is the names that a place can use. Without coherent, names are used as their numbers
// say, as far as the names of a program go: for experiments.
type scope struct {
	vars, funcs []string
	params      map[string]int // of each function
	made        *int           // how many names there are
	inFunc      bool
	loose       bool
}

func newScope() *scope { return &scope{params: map[string]int{}, made: new(int)} }

// inner returns a scope for a block: what is declared there is not seen outside.
func (s *scope) inner() *scope {
	c := *s
	c.vars, c.funcs = c.vars[:len(c.vars):len(c.vars)], c.funcs[:len(c.funcs):len(c.funcs)]
	return &c
}

func (s *scope) name(prefix string) string {
	*s.made++
	return prefix + strconv.Itoa(*s.made)
}

// variable returns a name that was declared.
func (s *scope) variable(u Use) (name string, ok bool) {
	if s.loose {
		return "v" + strconv.Itoa(1+int(u)%16), true
	}
	if len(s.vars) == 0 {
		return "", false
	}
	return s.vars[int(u)%len(s.vars)], true
}

// function returns a function that was declared.
func (s *scope) function(u Use) (name string, ok bool) {
	if s.loose {
		return "f" + strconv.Itoa(1+int(u)%16), true
	}
	if len(s.funcs) == 0 {
		return "", false
	}
	return s.funcs[int(u)%len(s.funcs)], true
}

// language is how a language writes statements and expressions. The texts of blocks end with their last line.
type language struct {
	assign, declare             string
	print                       string
	ifThen, orElse, endIf       string
	while, endWhile             string // with a limit on how often
	loop, endLoop               string
	function, endFunction, pass string
	ret                         string
	ops                         [ops]string
	not, yes, no                string
	items                       func([]string) string
	quote                       func(string) string
	statement                   string // after a statement
	callFormat                  string
}

// languages have the formats of statements. The verbs are, in order: names, then expressions.
var (
	lua = language{assign: "%s = %s", declare: "local %s = %s", print: "print(%s)",
		ifThen: "if %s then", orElse: "else", endIf: "end",
		while: "for w%[2]d = 1, 3 do if not (%[1]s) then break end", endWhile: "end", loop: "for %s = 1, %d do", endLoop: "end",
		function: "local function %s(%s)", endFunction: "end", ret: "do return %s end",
		ops: [ops]string{"arith('+', %s, %s)", "arith('-', %s, %s)", "arith('*', %s, %s)", "less(%s, %s)", "(%s == %s)",
			"(%s and %s)", "(%s or %s)", "(tostring(%s) .. tostring(%s))"},
		not: "(not %s)", yes: "true", no: "false", items: func(x []string) string { return "{" + strings.Join(x, ", ") + "}" },
		quote: quoteC, callFormat: "%s(%s)"}
	python = language{assign: "%s = %s", declare: "%s = %s", print: "print(%s)", ifThen: "if %s:", orElse: "else:",
		while: "for w%[2]d in [x for x in range(3) if %[1]s]:", loop: "for %s in range(%d):",
		function: "def %s(%s):", pass: "pass", ret: "return %s",
		ops: [ops]string{"arith('+', %s, %s)", "arith('-', %s, %s)", "arith('*', %s, %s)", "less(%s, %s)", "(%s == %s)",
			"(%s and %s)", "(%s or %s)", "(str(%s) + str(%s))"},
		not: "(not %s)", yes: "True", no: "False", items: func(x []string) string { return "[" + strings.Join(x, ", ") + "]" },
		quote: quoteC, callFormat: "%s(%s)"}
	javascript = language{assign: "%s = %s", declare: "let %s = %s", print: "console.log(%s)",
		ifThen: "if (%s) {", orElse: "} else {", endIf: "}",
		while: "for (let w%[2]d = 0; w%[2]d < 3 && (%[1]s); w%[2]d++) {", endWhile: "}",
		loop: "for (let %[1]s = 0; %[1]s < %[2]d; %[1]s++) {", endLoop: "}",
		function: "function %s(%s) {", endFunction: "}", ret: "if (true) return %s",
		ops: [ops]string{"(%s + %s)", "(%s - %s)", "(%s * %s)", "(%s < %s)", "(%s === %s)", "(%s && %s)", "(%s || %s)", "(\"\" + %s + %s)"},
		not: "(!%s)", yes: "true", no: "false", items: func(x []string) string { return "[" + strings.Join(x, ", ") + "]" },
		quote: quoteC, statement: ";", callFormat: "%s(%s)"}
	shell = language{assign: "%s=%s", declare: "%s=%s", print: "echo %s", ifThen: "if [ -n %s ]; then", orElse: "else", endIf: "fi",
		while: "for w%[2]d in 1 2 3; do [ -n %[1]s ] || break", endWhile: "done", loop: "for %s in $(seq 1 %d); do", endLoop: "done",
		function: "%s() {", endFunction: "}", ret: "return 0 # %s", pass: ":",
		ops: [ops]string{"\"$(arith %s + %s)\"", "\"$(arith %s - %s)\"", "\"$(arith %s '*' %s)\"", "\"$(arith %s '<' %s)\"",
			"\"$(arith %s = %s)\"", "%s%s", "%s%s", "%s\" \"%s"},
		not: "\"$([ -z %s ] && echo 1)\"", yes: "1", no: "\"\"", items: func(x []string) string { return strings.Join(x, "") + "\"\"" },
		quote: quoteShell, callFormat: "\"$(%s %s)\""}
)

// Preludes define operations that work for values of every type.
const (
	luaPrelude = `local function arith(op, a, b)
  a, b = tonumber(a) or 0, tonumber(b) or 0
  if op == '+' then return a + b elseif op == '-' then return a - b end
  return a * b
end
local function less(a, b) return tostring(a) < tostring(b) end
`
	pythonPrelude = `def arith(op, a, b):
    a = a if isinstance(a, (int, float)) else 0
    b = b if isinstance(b, (int, float)) else 0
    return a + b if op == '+' else a - b if op == '-' else a * b
def less(a, b):
    return str(a) < str(b)
`
	shellPrelude = `arith() { case "$1$3" in *[!0-9]*|"") echo 0;; *) expr "0$1" "$2" "0$3";; esac; }
`
)

// Lua writes a program in Lua.
func Lua(v Program) ([]byte, error) { return lua.program(luaPrelude, v, newScope()), nil }

// Python writes a program in Python.
func Python(v Program) ([]byte, error) { return python.program(pythonPrelude, v, newScope()), nil }

// JavaScript writes a program in JavaScript.
func JavaScript(v Program) ([]byte, error) { return javascript.program("", v, newScope()), nil }

// Shell writes a script for sh.
func Shell(v Program) ([]byte, error) { return shell.program(shellPrelude, v, newScope()), nil }

func (l *language) program(prelude string, v Program, s *scope) []byte {
	var b bytes.Buffer
	b.WriteString(prelude)
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
		if name, ok := s.variable(x.Of); ok && !x.New {
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
	case Loop:
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
		if text, ok := w.call(x.Call, s); ok {
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
		in.vars = append(in.vars, p)
	}
	if strings.Count(w.function, "%s") == 1 { // the shell has no names for parameters
		in.vars = in.vars[:len(in.vars)-len(params)]
		w.open(w.function, name)
	} else {
		w.open(w.function, name, strings.Join(params, ", "))
	}
	w.block(x.Body, in, w.endFunction)
	s.funcs = append(s.funcs, name)
	s.params[name] = len(params)
}

func (l *language) expr(e Expr, s *scope) string {
	switch e := e.(type) {
	case Num:
		return l.number(float64(e))
	case Str:
		return l.quote(string(e))
	case Truth:
		if e {
			return l.yes
		}
		return l.no
	case Var:
		if name, ok := s.variable(Use(e)); ok {
			return l.variable(name)
		}
	case Binary:
		return fmt.Sprintf(l.ops[e.Op%ops], l.expr(e.Left, s), l.expr(e.Right, s))
	case Not:
		return fmt.Sprintf(l.not, l.expr(e.Of, s))
	case Call:
		if text, ok := l.call(e, s); ok {
			return text
		}
	case Items:
		var all []string
		for _, x := range e {
			all = append(all, l.expr(x, s))
		}
		return l.items(all)
	}
	return l.no
}

func (l *language) variable(name string) string {
	if l.callFormat == shell.callFormat {
		return `"$` + name + `"`
	}
	return name
}

func (l *language) number(x float64) string {
	if x != x || x > 1e9 || x < -1e9 {
		x = 7
	}
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if l.callFormat == shell.callFormat {
		text = strconv.FormatInt(int64(max(x, -x)), 10)
	} else if x < 0 {
		text = "(" + text + ")"
	}
	return text
}

// call writes a call with as many arguments as the function has parameters.
func (l *language) call(c Call, s *scope) (text string, ok bool) {
	name, ok := s.function(c.Of)
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
	between := ", "
	if l.callFormat == shell.callFormat {
		between = " "
	}
	return fmt.Sprintf(l.callFormat, name, strings.Join(args, between)), true
}

// quoteC writes a text as Lua, Python and JavaScript read it.
func quoteC(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range strings.ToValidUTF8(s, "?") {
		switch {
		case c == '"' || c == '\\':
			b.WriteString("\\" + string(c))
		case c == '\n':
			b.WriteString("\\n")
		case c < ' ' || c == 0x7f || c == 0x2028 || c == 0x2029 || c == 0xfeff:
			b.WriteByte('?')
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// quoteShell writes a text as the shell reads it.
func quoteShell(s string) string {
	return "'" + strings.NewReplacer("'", `'\''`, "\x00", "").Replace(s) + "'"
}

// Source writes a program in a language, as the encoder of that format does. If coherent is false, the names in it are used as their
// numbers say, whether they were declared or not: for experiments.
func Source(language string, v Program, coherent bool) ([]byte, error) {
	s := newScope()
	s.loose = !coherent
	switch language {
	case "lua":
		return lua.program(luaPrelude, v, s), nil
	case "python":
		return python.program(pythonPrelude, v, s), nil
	case "javascript":
		return javascript.program("", v, s), nil
	case "sh":
		return shell.program(shellPrelude, v, s), nil
	}
	return nil, fmt.Errorf("programs cannot be written in %q", language)
}

// ProgramOptions are the options of a Check over programs.
func ProgramOptions() []allele.Option { return []allele.Option{statements, expressions} }
