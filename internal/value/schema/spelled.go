//go:build go1.25

package schema

import (
	"iter"
	"reflect"
	"strings"
	"unsafe"

	"github.com/allele-go/allele/internal/value/term"
)

// spelling describes values of type R that are made from a text. P is the structure
// of the text.
//
// Some types of the standard library are best written as one string:
// regexp.MustCompile("a|b"). A random string is hardly ever valid, and changing a
// letter of a valid one breaks it. So the term contains the structure P, which is
// generated, mutated and shrunk like any other. The text is made from P when a value
// is built or printed. To read a stored case, the text is parsed.
//
// Different values of P must have different texts. Otherwise a stored case could be
// read back as another term. That is why lists are linked lists here: a nil slice
// and an empty slice would have the same text.
type spelling[P, R any] struct {
	write func(*P) string
	// parse finds the P of a text. It need not be strict, because its result is used
	// only if write returns the same text for it.
	parse func(string) (P, bool)
	from  func(text string) (R, bool)
	text  func(*R) (string, bool) // returns the text from which the value is made, if there is one
	decls []Decl                  // declarations about P
}

// textHole stands for the text in a template.
const textHole = "_text"

// untyped is a spelling without its types, so that the compiler makes copies of these
// functions alone for each type, and not of all that follows.
type untyped struct {
	result, args reflect.Type // R, and a struct with a P
	write        func(args unsafe.Pointer) string
	parse        func(text string) (p reflect.Value, written string, ok bool)
	from         func(dst unsafe.Pointer, text string) bool
	text         func(r unsafe.Pointer) (string, bool)
	decls        []Decl
}

func (sp spelling[P, R]) untyped() *untyped {
	u := &untyped{result: reflect.TypeFor[R](), args: reflect.TypeFor[args1[P]](), decls: sp.decls}
	u.write = func(args unsafe.Pointer) string { return sp.write(&(*args1[P])(args).A0) }
	u.parse = func(text string) (reflect.Value, string, bool) {
		p, ok := sp.parse(text)
		if !ok {
			return reflect.Value{}, "", false
		}
		return reflect.ValueOf(&p).Elem(), sp.write(&p), true
	}
	u.from = func(dst unsafe.Pointer, text string) (ok bool) {
		*(*R)(dst), ok = sp.from(text)
		return ok
	}
	if sp.text != nil {
		u.text = func(r unsafe.Pointer) (string, bool) { return sp.text((*R)(r)) }
	}
	return u
}

// spelled returns the builder of a spelling. The template is the call, with textHole
// as its argument.
func spelled[P, R any](template string, sp spelling[P, R]) *Func {
	return sp.untyped().spelled(template)
}

func (sp *untyped) spelled(template string) *Func {
	f := wrapped(template, sp.result, sp.args, func(dst, args unsafe.Pointer) bool { return sp.from(dst, sp.write(args)) })
	f.rejects = rejectsSilently
	f.Args[0].Decls = sp.decls
	unspell := func(text string) ([]reflect.Value, bool) {
		p, written, ok := sp.parse(text)
		if !ok || written != text {
			return nil, false
		}
		return []reflect.Value{p}, true
	}
	if sp.text != nil {
		f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
			text, ok := sp.text(v.Addr().UnsafePointer())
			if !ok {
				return nil, false
			}
			return unspell(text)
		}
	}
	f.Form = Spelled{sp.write, unspell}
	return f
}

// verbatim returns a second, hidden builder of a spelling, whose argument is the
// text itself. It is for examples and stored cases with a text that P cannot
// represent. It is never generated. It rejects invalid texts, which mutations may
// produce, and texts of values for which spelling.text returns false.
func verbatim[P, R any](template string, sp spelling[P, R]) *Func {
	return sp.untyped().verbatim(template)
}

func (sp *untyped) verbatim(template string) *Func {
	f := wrapped(strings.Replace(template, textHole, "_0", 1), sp.result, reflect.TypeFor[args1[string]](),
		func(dst, args unsafe.Pointer) bool {
			if !sp.from(dst, *(*string)(args)) {
				return false
			}
			_, ok := sp.text(dst)
			return ok
		})
	f.rejects, f.hidden = rejectsSilently, true
	f.Args[0].Decls = []Decl{} // the user's declarations about strings do not apply to this argument
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		text, ok := sp.text(v.Addr().UnsafePointer())
		return values(text), ok
	}
	return f
}

// Spell returns the text of the builder call at a position of a term. The builder
// must be Spelled.
func (w *World) Spell(t term.Term, at int) string {
	b, c := NewBuilder(w), &w.Of(t[at]).Ctors[t[at].C]
	args := b.alloc(c.box)
	b.exec(&cursor{t, at + 1}, c.ops, args)
	return c.Func.Form.(Spelled).spell(args)
}

// Unspell finds the arguments with which constructor c of s has the given text. It
// returns them as consecutive terms.
func (w *World) Unspell(s *Schema, c int, text string) (args term.Term, ok bool) {
	values, ok := s.Ctors[c].Func.Form.(Spelled).unspell(text)
	if !ok {
		return nil, false
	}
	r := reader{world: w}
	if err := r.arguments(s.Ctors[c].Fields, values); err != nil {
		return nil, false
	}
	return r.out, true
}

// InOrder iterates over the constructors in the order in which they are tried for a
// given value or text: first those that are generated, then the hidden ones.
func (s *Schema) InOrder() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range s.Ctors {
			if !yield((i + s.first) % len(s.Ctors)) {
				return
			}
		}
	}
}
