//go:build go1.25

package codec

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// resolver finds the term that an expression describes. Every method that takes a
// schema and an expression appends exactly one term of that schema, whatever the
// expression is. If the expression does not fit, it is replaced and recorded as a
// loss, so the rest of the case is not affected.
type resolver struct {
	world  *schema.World
	src    *source
	consts evaluator
	errors errorNames // nil if no source is known

	renames Renames
	liked   int // calls of like

	out    term.Term
	nodes  int // number of nodes so far
	path   []step
	losses []Loss
	cause  Cause // the cause of the losses that are recorded now
	err    error // set if a limit was exceeded, or if nothing fits the type

	templates map[*schema.Func]ast.Expr
	variants  map[*schema.Schema]map[string][]int // constructors of an interface, by the typeKey of their variant
	typeKeys  map[reflect.Type]string
}

// step is one part of a path: the name of a field, a map key in brackets, or, if
// name is empty, an index.
type step struct {
	name  string
	index int
}

func newResolver(w *schema.World, src *source, consts Consts) *resolver {
	r := &resolver{world: w, src: src, templates: map[*schema.Func]ast.Expr{},
		variants: map[*schema.Schema]map[string][]int{}, typeKeys: map[reflect.Type]string{}}
	r.consts.lookup = func(name string) (Const, bool) {
		if consts == nil {
			return Const{}, false
		}
		return consts.Const(name)
	}
	r.errors, _ = consts.(errorNames)
	return r
}

// root resolves the whole expression.
func (r *resolver) root(e ast.Expr) term.Term {
	r.value(r.world.Root, e)
	return r.out
}

// lose records a loss: the expression at the current path does not fit.
func (r *resolver) lose(e ast.Node, format string, args ...any) {
	if len(r.losses) < lossesMax && r.err == nil {
		r.losses = append(r.losses, r.loss(e, format, args...))
	}
}

func (r *resolver) loss(e ast.Node, format string, args ...any) Loss {
	l := Loss{Line: r.src.line(e.Pos()), Path: r.where(), Reason: shorten(fmt.Sprintf(format, args...)), Cause: r.cause}
	if x, ok := e.(ast.Expr); ok {
		l.Name = nameAt(x)
		if l.Call = isCall(x); l.Call && l.Cause == Misfit {
			l.Cause = NoBuilder
		}
		if method, _ := textRead(r, unparen(x)); method != "" && l.Cause == NoBuilder {
			l.Cause = NoText
		}
	}
	return l
}

// nameAt returns the name of the called function, or of the type of a literal, if the name has
// no qualifier.
func nameAt(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.CallExpr:
			e = x.Fun
		case *ast.CompositeLit:
			e = x.Type
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// isCall reports whether an expression is the result of a call, or what the result points to.
func isCall(e ast.Expr) bool {
	e = unparen(e)
	if star, ok := e.(*ast.StarExpr); ok {
		e = unparen(star.X)
	}
	_, ok := e.(*ast.CallExpr)
	return ok
}

// because calls f to record losses with a cause.
func (r *resolver) because(c Cause, f func()) {
	before := r.cause
	r.cause = c
	f()
	r.cause = before
}

// where returns the current path. If the path is very long, it shows both ends.
func (r *resolver) where() string {
	const ends = 12
	var b strings.Builder
	b.WriteString("in")
	for i, s := range r.path {
		switch {
		case len(r.path) > 2*ends && i == ends:
			fmt.Fprintf(&b, "...(%d more)...", len(r.path)-2*ends)
		case len(r.path) > 2*ends && i > ends && i < len(r.path)-ends:
		case s.name == "":
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case s.name[0] == '[':
			b.WriteString(s.name)
		default:
			b.WriteString("." + s.name)
		}
	}
	return b.String()
}

// under calls f to resolve a part of the current value. While f runs, the current
// path includes the step s.
func (r *resolver) under(s step, f func()) {
	r.path = append(r.path, s)
	f()
	r.path = r.path[:len(r.path)-1]
}

// open appends a node and returns its position. After the fields of the node are
// appended, seal sets the node's length.
func (r *resolver) open(s *schema.Schema, c int, x uint64) int {
	r.spend(1)
	r.out = append(r.out, term.Node{S: s.ID, C: uint16(c), N: 1, X: x})
	return len(r.out) - 1
}

// raw appends a string or byte slice.
func (r *resolver) raw(s *schema.Schema, b string) {
	r.spend(1 + term.RawUnits(len(b)))
	r.out = term.AppendRaw(r.out, s.ID, b)
}

// spend counts nodes and fails if there are too many. Nodes that are discarded later
// count too, because the limit is also for time.
func (r *resolver) spend(nodes int) {
	if r.nodes += nodes; r.nodes > nodesMax && r.err == nil {
		r.err = fmt.Errorf("1: the case has more than %d nodes", nodesMax)
	}
}

func (r *resolver) seal(at int) { r.out[at].N = uint32(len(r.out) - at) }

// value appends the term of schema s that e describes. It is one switch, kept whole.
func (r *resolver) value(s *schema.Schema, e ast.Expr) {
	if r.err != nil {
		return
	}
	e = unparen(e)
	switch s.Kind {
	case schema.Scalar:
		r.scalar(s, e)
	case schema.String:
		r.text(s, e)
	case schema.Bytes:
		r.bytes(s, e)
	case schema.Struct:
		at := r.open(s, 0, 0)
		if s.Opaque() {
			r.message(s, e)
		} else {
			r.structure(s, e, s.Type, s.Ctors[0].Fields)
		}
		r.seal(at)
	case schema.Complex:
		r.complex(s, e)
	case schema.Pointer:
		r.pointer(s, e)
	case schema.Interface:
		r.variant(s, e)
	case schema.Made:
		r.made(s, e)
	case schema.Choice:
		r.choice(s, e)
	case schema.Rule:
		r.match(s, e)
	case schema.Slice, schema.Array:
		r.list(s, e)
	case schema.Block:
		r.block(s, e)
	case schema.Map:
		r.entries(s, e)
	}
}

func unparen(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// unfit records that a whole expression does not fit, and appends the zero value of
// s instead.
func (r *resolver) unfit(s *schema.Schema, e ast.Node, format string, args ...any) {
	r.loseAll(e, format, args...)
	r.zero(s, nil)
}

// loseAll records that no part of an expression fits. If it is the whole case, this
// is an error, since nothing remains of the case.
func (r *resolver) loseAll(e ast.Node, format string, args ...any) {
	if len(r.path) == 0 && r.err == nil {
		r.err = &Unfit{r.loss(e, format, args...)}
	}
	r.lose(e, format, args...)
}

// zero appends the Go zero value of s, or the least term if the zero value is not
// allowed. omitted is the literal in which the value is omitted, if there is one. An
// omitted value means zero, so if zero is not allowed, this is recorded as a loss.
func (r *resolver) zero(s *schema.Schema, omitted ast.Node) {
	if r.err != nil {
		return
	}
	switch s.Kind {
	case schema.Scalar:
		if !s.Holds(0) {
			r.least(s, omitted, "0 is outside the declared range")
			return
		}
		r.open(s, 0, 0)
	case schema.String:
		r.open(s, term.Raw, 0)
	case schema.Struct, schema.Complex:
		at := r.open(s, 0, 0)
		r.zeroFields(s.Ctors[0].Fields, omitted)
		r.seal(at)
	case schema.Array:
		at := r.open(s, 0, uint64(s.Len))
		for range s.Len {
			r.zero(s.Elem, omitted)
		}
		r.seal(at)
	case schema.Block:
		r.parsed(s.Least)
	case schema.Made:
		r.zeroMade(s)
	case schema.Choice:
		r.zeroChoice(s, omitted)
	case schema.Rule:
		if t, err := s.Parse(""); err != nil {
			r.least(s, omitted, err.Error())
		} else {
			r.parsed(t)
		}
	default:
		r.open(s, s.Empty(), 0)
	}
}

func (r *resolver) zeroFields(fs []schema.Field, omitted ast.Node) {
	for _, f := range fs {
		r.under(step{name: f.Name}, func() { r.zero(f.S, omitted) })
	}
}

func (r *resolver) least(s *schema.Schema, omitted ast.Node, reason string) {
	if omitted != nil {
		r.because(Excluded, func() { r.lose(omitted, "omitted, but %s", reason) })
	}
	r.out = append(r.out, s.Least...)
}

func (r *resolver) zeroMade(s *schema.Schema) {
	for c := range s.Ctors {
		if isZeroLiteral(s.Ctors[c]) {
			r.open(s, c, 0)
			return
		}
	}
	if t, ok := r.world.ZeroOf(s); ok {
		r.out = append(r.out, t...)
		return
	}
	r.out = append(r.out, s.Least...)
}

func (r *resolver) zeroChoice(s *schema.Schema, omitted ast.Node) {
	for c := range s.Ctors {
		if v := s.Ctors[c].Value; s.Ctors[c].IsZero() || v != nil && Zeros(r.world, v)[0] {
			r.open(s, c, 0)
			return
		}
	}
	r.least(s, omitted, "the zero value is not declared")
}

// describe returns a short form of an expression, for messages.
func describe(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return shorten(e.Value)
	case *ast.Ident:
		return e.Name
	case *ast.CompositeLit:
		if e.Type == nil {
			return "{...}"
		}
		return typeKey(e.Type) + "{...}"
	case *ast.CallExpr:
		return typeKey(e.Fun) + "(...)"
	case *ast.UnaryExpr:
		if _, nested := e.X.(*ast.UnaryExpr); !nested {
			return e.Op.String() + describe(e.X)
		}
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return "the expression"
}

// cannotUse returns the message for an expression that does not fit a type.
func cannotUse(e ast.Expr, typ string) string {
	article := "a"
	if strings.IndexByte("aeioAEIO", typ[0]) >= 0 {
		article = "an"
	}
	if isCall(e) {
		return fmt.Sprintf("%s does not call a builder of %s", describe(e), typ)
	}
	return fmt.Sprintf("cannot use %s as %s %s", describe(e), article, typ)
}

// choice resolves the expression as a value and looks for this value among the
// declared ones. If parts of the expression do not fit, the only loss that is
// recorded is that the whole value is not declared.
func (r *resolver) choice(s *schema.Schema, e ast.Expr) {
	if c := r.named(s, e); c >= 0 {
		r.open(s, c, 0)
		return
	}
	if s.Base == nil {
		r.undeclared(s, e)
		return
	}
	at, lost := len(r.out), len(r.losses)
	r.value(s.Base, e)
	if r.err != nil {
		return
	}
	for c := range s.Ctors {
		if v := s.Ctors[c].Value; v != nil && len(r.losses) == lost && term.Equal(v, r.out[at:]) {
			r.out = r.out[:at]
			r.open(s, c, 0)
			return
		}
	}
	cause := Excluded
	if len(r.losses) > lost {
		cause = r.losses[lost].Cause
	}
	r.out, r.losses = r.out[:at], r.losses[:lost]
	r.because(cause, func() { r.undeclared(s, e) })
}

// match resolves a text and parses it, because a regular expression is declared for it.
func (r *resolver) match(s *schema.Schema, e ast.Expr) {
	at, lost := len(r.out), len(r.losses)
	r.value(s.Base, e)
	if r.err != nil {
		return
	}
	text := string(r.out[at:].Bytes(0))
	r.out = r.out[:at]
	if len(r.losses) > lost {
		r.zero(s, nil)
		return
	}
	t, err := s.Parse(text)
	if err != nil {
		r.because(Excluded, func() { r.unfit(s, e, "%v", err) })
		return
	}
	r.parsed(t)
}

// parsed appends a term: the derivation of a text, or an array of zeros.
func (r *resolver) parsed(t term.Term) {
	r.spend(len(t))
	r.out = append(r.out, t...)
}

// structure appends the fields of a struct of type t. It finds them in the literal e
// by name.
func (r *resolver) structure(s *schema.Schema, e ast.Expr, t reflect.Type, fs []schema.Field) {
	if id, ok := e.(*ast.UnaryExpr); ok && id.Op == token.AND {
		e = unparen(id.X) // when the case was written, the type was a pointer
	}
	lit, ok := e.(*ast.CompositeLit)
	if ok && t.Kind() == reflect.Array {
		return // its elements have only one value
	}
	if !ok || !structLike(lit.Type) {
		r.loseAll(e, "%s", cmp.Or(textRefusal(r, t, e), cannotUse(e, structName(t))))
		r.zeroFields(fs, nil)
		return
	}
	exprs := r.fieldExprs(lit, t, fs)
	for i, f := range fs {
		r.under(step{name: f.Name}, func() {
			if exprs[i] == nil {
				r.zero(f.S, lit)
			} else {
				r.value(f.S, exprs[i])
			}
		})
	}
}

func structName(t reflect.Type) string {
	if t.Name() == "" {
		return "struct"
	}
	return t.Name()
}

// structLike reports whether typ, the type of a literal, may be a struct type.
func structLike(typ ast.Expr) bool {
	switch typ.(type) {
	case *ast.ArrayType, *ast.MapType:
		return false
	}
	return true
}
