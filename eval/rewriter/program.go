package rewriter

import (
	"fmt"
	"strings"
)

// Prog describes a Go program. Every value describes a valid one: numbers select among
// what is in scope, modulo its length, and missing parts are the zero value.
type Prog struct {
	Main, Helper, Method, Generic []Stmt
	Odd                           uint8 // how the file is formatted
}

// Stmt describes a statement.
type Stmt struct {
	Kind Kind
	A, B uint8
	X, Y Expr
	Body []Stmt
	Else []Stmt
}

// Expr describes an expression of type int or bool, as its place requires.
type Expr struct {
	Op   Op
	N    int8
	Kids []Expr
}

// Kind selects a statement, and Op selects an expression.
type (
	Kind uint8
	Op   uint8
)

func (e Expr) kid(i int) Expr {
	if i < len(e.Kids) {
		return e.Kids[i]
	}
	return Expr{N: e.N + int8(i)}
}

// printer writes a program.
type printer struct {
	name   string
	b      *strings.Builder
	number int // makes names unique
	// threads is true if the program may start goroutines.
	threads bool
	odd     uint8
}

// env is what is in scope.
type env struct {
	ints   []string
	bools  []string
	loops  []string        // labels of the loops around, the innermost last; empty if unlabelled
	shadow map[string]bool // predeclared names that mean something else here
	pure   bool            // no calls of other functions: this code runs in a goroutine
	calls  []string        // functions that may be called
	depth  int
	nested int // number of loops around, also outside of function literals
}

func (v env) with(ints ...string) env {
	v.ints = append(v.ints[:len(v.ints):len(v.ints)], ints...)
	return v
}

func (v env) in(loop string) env {
	v.loops = append(v.loops[:len(v.loops):len(v.loops)], loop)
	return v
}

// closed is the environment of a function literal: it cannot leave the loops around it.
func (v env) closed() env {
	v.loops = nil
	return v
}

func (v env) hiding(name string) env {
	all := map[string]bool{name: true}
	for k := range v.shadow {
		all[k] = true
	}
	v.shadow = all
	return v
}

func pick(all []string, n uint8) string { return all[int(n)%len(all)] }

func (p *printer) fresh(prefix string) string {
	p.number++
	return fmt.Sprintf("%s%d", prefix, p.number)
}

// Print returns the program as a file of a package. Its function Run returns a digest of
// everything that the program computed.
func Print(name string, prog Prog, threads bool) string {
	p := &printer{name: name, b: &strings.Builder{}, threads: threads, odd: prog.Odd}
	fmt.Fprintf(p.b, prelude, name)
	base := env{ints: []string{"a", "b"}, bools: []string{"flag"}}
	fn := func(head string, body []Stmt, v env) {
		fmt.Fprintf(p.b, "\n%s {\n\tif fuel--; fuel < 0 {\n\t\treturn a\n\t}\n\tflag := a > b\n\t_ = flag\n", head)
		p.stmts(body, v)
		p.b.WriteString("\treturn a ^ b + bit(flag)\n}\n")
	}
	fn("func generic[T integer](x T, a, b int) int", prog.Generic, base)
	base.calls = []string{"generic[int8](int8(%[1]s), %[1]s, %[2]s)", "generic(%[1]s, %[2]s, 1)", "max3(%s, %s, 3)"}
	fn("func (self *rec) method(a, b int) int", prog.Method, base.with("self.n", "self.in.k"))
	base.calls = append(base.calls, "glob.method(%s, %s)", "(*rec).method(glob, %s, %s)", "iface(glob).method(%s, %s)",
		"glob.get(%s) + %s",
		"table[0].f(%s + %s)", "(&stack[int]{}).push(%s).push(%s).sum()")
	fn("func helper(a, b int) int", prog.Helper, base)
	base.calls = append(base.calls, "helper(%s, %s)", "func(x, y int) int { if x > y && fuel > 0 { return x }; "+
		"return y }(%s, %s)", "twice(helper, %s, %s)")
	fn("func run(a, b int) (res int)", prog.Main, base.with("res"))
	p.b.WriteString("\nfunc Run() uint64 {\n\tdigest, fuel = 7, 60\n\tfor i := range 3 {\n\t\tout(run(i, " +
		"3-i*2))\n\t}\n\treturn digest\n}")
	if prog.Odd%2 == 0 {
		p.b.WriteString(" // the end, without a newline")
	} else {
		p.b.WriteString("\n")
	}
	return p.b.String()
}

func (p *printer) stmts(list []Stmt, v env) {
	if v.depth++; v.depth > 8 {
		return
	}
	for i, s := range list {
		if i == 12 {
			return
		}
		v = p.stmt(s, v)
		if p.odd&2 != 0 && s.A%5 == 0 {
			p.b.WriteString(" ; /* odd */ ; ")
		} else {
			p.b.WriteString("\n")
		}
	}
}

// body returns statements in braces, some of them already as text.
func (p *printer) body(list []Stmt, v env, before ...string) string {
	outer := p.b
	p.b = &strings.Builder{}
	switch {
	case len(list) == 0 && p.odd&4 != 0:
	case p.odd&8 != 0:
		p.b.WriteString(" // a comment { after a brace\n")
	default:
		p.b.WriteString("\n")
	}
	for _, text := range before {
		p.b.WriteString(text)
	}
	p.stmts(list, v)
	text := p.b.String()
	p.b = outer
	return "{" + text + "}"
}

const prelude = `// Package %s is generated.
package %[1]s

import "sync"

var (
	digest uint64
	fuel   int
	mu     sync.Mutex
	glob   = &rec{n: 3, inner: inner{k: 4}}
	limit  = func() int { if one := 1; one > 0 && fuel == 0 { return 5 }; return 6 }()
	table  = []struct{ name string; f func(int) int }{
		{"inc", func(x int) int { if x > 2 || x < -2 { return x + 1 }; return x }},
		{f: func(x int) int { switch { case x > 1: return 2; default: return x } }},
	}
)

const (
	first = iota
	second
	_
	fourth = 1 << iota
	yes    = first < second && fourth > 2
)

type (
	inner   struct{ k int }
	rec     struct { n int; inner; in inner }
	iface   interface { method(a, b int) int; get(int) int }
	integer interface{ ~int | ~int8 }
	named   bool
	stack[T integer] struct{ all []T }
	pair[K comparable, V any] struct { key K; val V }
)

func (i inner) get(n int) int { if n > i.k { return n }; return i.k }

func (s *stack[T]) push(x T) *stack[T] { if len(s.all) < 9 && x != 3 { s.all = append(s.all, x) }; return s }

func (s *stack[T]) sum() (t int) { for _, x := range s.all { t += int(x) }; return }

func (s stack[T]) each(yield func(int, T) bool) {
	for i, x := range s.all {
		if !yield(i, x) {
			return
		}
	}
}

func max3[T integer](xs ...T) (m T) { for i, x := range xs { if i == 0 || x > m { m = x } }; return m }

func twice(f func(int, int) int, a, b int) int { return f(f(a, b), b) }

func out(x int) { digest = (digest ^ uint64(x)) * 1099511628211 }

func bit(c bool) int { if c { return 1 }; return 0 }

func leaf(x int) int { return x*3 + 1 }

func caught(r any) int {
	switch r := r.(type) {
	case int:
		return r
	case error:
		return len(r.Error())
	case string:
		return len(r)
	}
	return -1
}
`
