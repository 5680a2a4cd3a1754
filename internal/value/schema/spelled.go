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

// spelled returns the builder of a spelling. The template is the call, with textHole
// as its argument.
func spelled[P, R any](template string, sp spelling[P, R]) *Func {
	f := trying(template, func(dst *R, a *args1[P]) (ok bool) {
		*dst, ok = sp.from(sp.write(&a.A0))
		return ok
	})
	f.refuses = true
	f.Args[0].Decls = sp.decls
	f.spell = func(args unsafe.Pointer) string { return sp.write(&(*args1[P])(args).A0) }
	f.unspell = func(text string) ([]reflect.Value, bool) {
		p, ok := sp.parse(text)
		if !ok || sp.write(&p) != text {
			return nil, false
		}
		return []reflect.Value{reflect.ValueOf(&p).Elem()}, true
	}
	if sp.text != nil {
		f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
			text, ok := sp.text(v.Addr().Interface().(*R))
			if !ok {
				return nil, false
			}
			return f.unspell(text)
		}
	}
	return f
}

// verbatim returns a second, hidden builder of a spelling, whose argument is the
// text itself. It is for examples and stored cases with a text that P cannot
// represent. It is never generated. It rejects invalid texts, which mutations may
// produce, and texts of values for which spelling.text returns false.
func verbatim[P, R any](template string, sp spelling[P, R]) *Func {
	f := trying(strings.Replace(template, textHole, "_0", 1), func(dst *R, a *args1[string]) (ok bool) {
		if *dst, ok = sp.from(a.A0); ok {
			_, ok = sp.text(dst)
		}
		return ok
	})
	f.refuses, f.hidden = true, true
	f.Args[0].Decls = []Decl{} // the user's declarations about strings do not apply to this argument
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		text, ok := sp.text(v.Addr().Interface().(*R))
		return values(text), ok
	}
	return f
}

// hiddenZero returns a hidden builder of the zero value of R, which examples may
// contain.
func hiddenZero[R comparable](template string) *Func {
	var zero R
	f := func0(template, func() R { return zero })
	f.hidden = true
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, v.Interface() == any(zero) }
	return f
}

// Spelled reports whether the call is printed with a text, in place of textHole
// in its template, instead of its arguments.
func (f *Func) Spelled() bool { return f.spell != nil }

// Spell returns the text of the builder call at a position of a term. The builder
// must be Spelled.
func (w *World) Spell(t term.Term, at int) string {
	b, c := NewBuilder(w), &w.Of(t[at]).Ctors[t[at].C]
	args := b.alloc(c.box)
	b.exec(&cursor{t, at + 1}, c.ops, args)
	return c.Func.spell(args)
}

// Unspell finds the arguments with which constructor c of s has the given text. It
// returns them as consecutive terms.
func (w *World) Unspell(s *Schema, c int, text string) (args term.Term, ok bool) {
	values, ok := s.Ctors[c].Func.unspell(text)
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
