package rewriter

import (
	"fmt"
	"slices"
	"strings"
)

const kinds = 52

// writer has what the forms of statements need: texts of the parts of one statement.
type writer struct {
	*printer
	s Stmt
	v env
}

func (w writer) f(format string, args ...any) { fmt.Fprintf(w.b, format, args...) }

func (w writer) x() string { return w.int(w.s.X, w.v) }
func (w writer) y() string { return w.int(w.s.Y, w.v) }
func (w writer) c() string { return w.bool(w.s.X, w.v) }
func (w writer) d() string { return w.bool(w.s.Y, w.v) }
func (w writer) some() string {
	return w.varied(w.s.X, w.v)
}
func (w writer) then(v env, before ...string) string { return w.body(w.s.Body, v, before...) }
func (w writer) other(v env) string {
	return w.body(w.s.Else, v)
}

// target is a variable that may be assigned to.
func (w writer) target() string { return pick(w.v.ints, w.s.A) }

// predeclared lists the statements that use predeclared names, which may be shadowed.
var predeclared = []Kind{32, 33, 35, 37, 38, 41, 42, 45, 48, 50}

// nestedMax is how many loops of a function may be nested: with three rounds each and
// limited calls, all programs end soon.
const nestedMax = 3

// stmt writes a statement and returns what is in scope after it.
func (p *printer) stmt(s Stmt, v env) env {
	w := writer{p, s, v}
	k := s.Kind % kinds
	switch {
	case len(v.shadow) > 0 && slices.Contains(predeclared, k):
		k %= 12
	case v.nested == nestedMax && k >= 12 && k < 27 && k != 24:
		k = 27
	}
	switch {
	case k < 12:
		return w.simple(k)
	case k < 27:
		w.loop(k)
	case k < 37:
		w.branch(k)
	case k < 43:
		w.functions(k)
	default:
		w.data(k)
	}
	return v
}

func (w writer) simple(k Kind) env {
	v, s := w.v, w.s
	t := w.target()
	switch k {
	case 0:
		w.f("%s = %s", t, w.x())
	case 1:
		op := pick([]string{"+=", "-=", "*=", "&=", "|=", "^=", "&^="}, s.B)
		w.f("%s %s %s", t, op, w.x())
	case 2:
		w.f("%s%s", t, pick([]string{"++", "--"}, s.B))
	case 3:
		u := pick(v.ints, s.B)
		w.f("%s, %s = %s, %s", t, u, u, w.varied(s.X, v))
		if t == u {
			w.f("; out(%s)", t)
		}
	case 4:
		n := w.fresh("v")
		w.f("%s := %s; out(%s)", n, w.x(), n)
		return v.with(n)
	case 5:
		w.f("out(%s)", w.x())
	case 6:
		n := w.fresh("c")
		w.f("%s := %s; out(bit(%s))", n, w.c(), n)
		v.bools = append(v.bools[:len(v.bools):len(v.bools)], n)
		return v
	case 7:
		w.f("%s <<= %s & 7; %s /= %s | 1; %s %%= %s | 1; %s >>= 1", t, w.some(), t, w.some(), t, w.some(), t)
	case 8:
		w.f("if %s { return %s }", w.c(), w.y())
	case 9:
		w.f("_, _ = %s, %s; var _ = %s", w.x(), w.d(), w.y())
	case 10:
		n, m := w.fresh("v"), w.fresh("v")
		w.f("var %s, %s int = %s, %s; %s, _ = %s, %s", n, m, w.x(), w.y(), n, m, n)
		return v.with(n, m)
	case 11:
		n := pick(v.bools, s.A)
		w.f("%s = %s || %s", n, w.c(), w.d())
	}
	return v
}

func (w writer) loop(k Kind) {
	v, s := w.v, w.s
	v.nested++
	i, l, x := w.fresh("i"), w.fresh("L"), w.fresh("x")
	in := v.in("").with(i)
	switch k {
	case 12:
		// The body may decrease the counter, so x bounds the number of rounds.
		w.f("for %s, %s := 0, 9; %s < %d && %s > 0; %s++ %s", i, x, i, s.A%4, x, i, w.then(in, x+"--; out("+i+"); "))
	case 13:
		w.f("for %s := %d; %s > 0 && %s; %s-- %s", i, s.A%4, i, w.c(), i, w.then(v.in("")))
	case 14:
		w.f("%s := 0; for %s < %d %s", i, i, s.A%4, w.then(v.in(""), i+"++; "))
	case 15:
		w.f("%s := 0; for %s", i, w.then(v.in(""), fmt.Sprintf("if %s++; %s > %d || %s { break }; ", i, i, s.A%4, w.c())))
	case 16:
		w.f("for %s := range %d %s", i, s.A%4, w.then(in, "out("+i+"); "))
	case 17:
		w.f("for %s, %s := range []int{%s, %s, 3} %s", i, x, w.x(), w.y(), w.then(in.with(x), "out("+x+" + "+i+"); "))
	case 18:
		w.f("for %s, r := range %s %s", i, "`aé\nc`", w.then(in, fmt.Sprintf("if r > 'b' && %s { out(int(r) + %s) }; ",
			w.c(), i)))
	case 19: // the order of a map must show neither in the result nor in the path
		w.f("%s := 0; for k, x := range map[int]int{1: %s, 2: %s} { %s += k * x }; out(%s)", i, w.x(), w.y(), i, i)
	case 20:
		w.f("for %s, %s := range (&stack[int]{all: []int{1, %s, 5}}).each %s", i, x, w.x(), w.then(in.with(x),
			"out("+x+" + "+i+"); "))
	case 21:
		w.f("%s := make(chan int, 3); %s <- %s; %s <- 2; close(%s); for %s := range %s %s", i, i, w.x(), i, i, x, i,
			w.then(v.in("").with(x), "out("+x+"); "))
	case 22:
		w.f("%s := [3]int{1, %s}; for %s, y := range &%s %s", i, w.x(), x, i, w.then(v.in("").with(x), i+"[2] = 9; "+
			"out(y+"+x+"); "))
	case 23:
		w.f("%s: for %s := range 3 { for range 2 { if %s { continue %s }; if %s { break %s }; %s } }",
			l, i, w.c(), l, w.d(), l, w.then(v.in(l).in("").with(i), "out("+i+"); "))
	case 24:
		word := "break"
		if s.B%2 == 0 {
			word = "continue"
		}
		if len(v.loops) == 0 && v.nested > nestedMax {
			w.f("out(1)")
			return
		}
		if len(v.loops) == 0 {
			w.f("for range %d { if %s { %s }; %s }", s.A%3, w.c(), word, w.then(v.in("")))
			return
		}
		if outer := v.loops[int(s.A)%len(v.loops)]; outer != "" && s.B%3 == 0 {
			word += " " + outer
		}
		w.f("if %s { %s }", w.c(), word)
	case 25:
		w.f("{ if %s { goto %s }; %s; %s: out(2) }", w.c(), l, w.then(v), l)
	case 26:
		w.f("{ %s := 0; %s: %s++; %s; if %s < %d || %s < 3 && %s { goto %s } }", i, l, i, w.then(v), i, s.A%3, i, w.c(), l)
	}
}

func (w writer) branch(k Kind) {
	v, s := w.v, w.s
	n := w.fresh("v")
	switch k {
	case 27:
		w.f("if %s %s", w.c(), w.then(v))
	case 28:
		w.f("if %s %s else %s", w.c(), w.then(v), w.other(v))
	case 29:
		w.f("if %s := %s; %s > 1 %s else if %s > 0 || %s %s else %s", n, w.x(), n, w.then(v.with(n)), n, w.d(),
			w.other(v.with(n)), w.then(v.with(n)))
	case 30:
		fall := ""
		if s.B%2 == 0 {
			fall = "; fallthrough"
		}
		w.f("switch %s & 3 { case 0, 3: %s%s; case 1: out(1)\ndefault: %s; case 2: }", w.x(), w.then(v), fall, w.other(v))
	case 31:
		w.f("switch %s := %s; { case %s > 2 && %s: %s; fallthrough\ncase %s: out(3)\ndefault: %s }", n, w.x(), n, w.c(),
			w.then(v.with(n)), w.d(), w.other(v))
	case 32:
		w.f("switch %s := any(%s).(type) { case nil: out(0); case int: if %s > 2 { out(%s) }; case string, error: "+
			"_ = %s; default: out(1) }", n, w.x(), n, n, n)
	case 33:
		w.f("switch any([]any{%s, \"s\", 1.5, nil}[%s&3]).(type) { case int: %s; case string: out(4); case nil: "+
			"default: %s }", w.x(), w.some(), w.then(v), w.other(v))
	case 34:
		w.f("{ c := make(chan int, 1); if %s { c <- %s }; select { case x, ok := <-c: out(x + bit(ok)); %s; "+
			"default: %s } }", w.c(), w.y(), w.then(v), w.other(v))
	case 35:
		w.f("switch { case %s: out(1); out(2); case %s: {}; case false && %s: }", w.c(), w.d(), w.c())
	case 36:
		w.f("if %s {} else /* why */ if %s { out(5) } else { // last\n%s }", w.c(), w.d(), w.other(v))
	}
}

// functions writes a statement with a function literal, a defer or a goroutine.
func (w writer) functions(k Kind) {
	v, s := w.v, w.s
	t, n := w.target(), w.fresh("f")
	fn := v.closed()
	switch k {
	case 37:
		w.f("func() { defer func() { if r := recover(); r != nil && caught(r) != 77 { out(caught(r)) } }(); if %s "+
			"{ panic(%s) }; out([]int{1, 2}[%s&3]) }()", w.bool(s.X, fn), w.y(), w.some())
	case 38:
		w.f("%s = func() (r int) { defer func() { r += %s; if e := recover(); e != nil || %s { r ^= 3 } }(); if %s "+
			"{ return %s }; if %s { panic(`p`) }; r = 4; return }()",
			t, w.x(), w.bool(s.Y, fn), w.bool(s.X, fn), w.y(), w.bool(s.Y, fn))
	case 39:
		q := w.fresh("q")
		w.f("%s := func(%s int) int { if %s > %s { return %s }; %s; return %s + 1 }; %s = %s(%s)",
			n, q, q, w.int(s.X, fn), q, w.then(fn.with(q)), q, t, n, w.y())
	case 40:
		w.f("var %s func(int) int; %s = func(p int) int { if fuel--; p <= 0 || fuel < 0 || %s { return %s }; "+
			"return %s(p-1) + 1 }; out(%s(%d))",
			n, n, w.bool(s.X, fn), w.int(s.Y, fn), n, n, s.A%5)
	case 41:
		if !w.threads {
			w.f("defer func(p int) { if p > 1 && fuel > 0 { out(p) } }(%s)", w.x())
			break
		}
		inner := env{ints: []string{"x"}, bools: []string{"ok"}, pure: true}
		w.f("{ var wg sync.WaitGroup; sum := 0; for x := range 3 { wg.Add(1); go func() { defer wg.Done(); ok := x "+
			"> 1; if %s { x += 2 } else if ok { x-- }; mu.Lock(); sum += x; mu.Unlock() }() }; wg.Wait(); out(sum) }",
			w.bool(s.X, inner))
	case 42:
		if !w.threads {
			w.f("{ m := glob.method; g := rec.get; h := iface.get; out(m(%s, 1) + g(*glob, %s) + h(glob, 2)) }", w.x(), w.y())
			break
		}
		inner := env{ints: []string{"x"}, bools: []string{"ok"}, pure: true}
		w.f("{ c, done := make(chan int), make(chan bool); go func() { for x := range 3 { ok := x > 0 && x != 2; _ "+
			"= ok; if %s { c <- x }; c <- 1 }; close(c); done <- true }(); for x := range c { out(x) }; <-done }",
			w.bool(s.Y, inner))
	}
}

// data writes a statement about values.
func (w writer) data(k Kind) {
	v, s, t := w.v, w.s, w.target()
	switch k {
	case 43:
		name := pick([]string{"true", "false", "len", "append", "bool", "uint32", "nil"}, s.A)
		in := v.hiding(name)
		if name == "true" || name == "false" {
			w.f("{ %s := %s; if %s || %s { out(8) }; %s }", name, w.c(), name, w.bool(s.Y, in), w.then(in))
			break
		}
		w.f("{ %s := %s; if %s > 1 || %s { out(%s) }; %s }", name, w.x(), name, w.bool(s.Y, in), name, w.then(in))
	case 44:
		w.f("{ const (k0 = iota + %d; k1; k2 = `raw\n// no comment {`); if k0 > 1 && %s { out(k1 + %d) }; "+
			"out(int(k2[0])) }", s.B%5, w.c(), s.A)
	case 45:
		w.f("{ s := append([]int(nil), %s, %s); s = append(s[:1], s...); if q := s[1:]; len(q) > 1 && %s { q[0], "+
			"q[1] = q[1], q[0] }; out(s[len(s)-1] + min(s[0], 3) + copy(s, s[1:])) }", w.x(), w.y(), w.c())
	case 46:
		w.f("{ p := &%s; *p += %s; if q := p; *q > 2 || %s { *q-- } }", t, w.x(), w.d())
	case 47:
		w.f("{ %s := %s + 1; %s; out(%s) }", last(v.ints), last(v.ints), w.then(v), last(v.ints))
	case 48:
		w.f("{ s := `x`; for range %d { if %s { s += string(rune('a' + %s&7)) } else { s = s[len(s)/2:] } }; for "+
			"_, r := range s { out(int(r)) } }", s.A%3, w.c(), w.some())
	case 49:
		w.f("{ x := rec{n: %s, inner: inner{%s}}; px := &x; px.k++; x.in = x.inner; if px.in.k == x.k && %s { px.n "+
			"= px.get(3) }; out(x.n) }", w.x(), w.y(), w.c())
	case 50:
		w.f("{ m := map[pair[int, bool]]func(int) int{{1, %s}: func(x int) int { if x > 1 { return 2 }; return x "+
			"}}; f, ok := m[pair[int, bool]{1, %s}]; if ok && f(%s) > 1 { out(6) } }", w.c(), w.d(), w.y())
	case 51:
		w.f("if %s { out(1) }; for range 2 {}; switch {}; if %s {} else {}; { }", w.c(), w.d())
	}
}

// last returns the last variable in scope that is a plain name.
func last(all []string) string {
	for _, name := range slices.Backward(all) {
		if !strings.Contains(name, ".") {
			return name
		}
	}
	return all[0]
}
