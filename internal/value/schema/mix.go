package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Mix says which constructors of a type one property wants, and how often. The
// types and what is known about them stay the same.
type Mix struct {
	Only, Without []string
	Weights       map[string]float64
}

// The words that stand for all functions, patterns and constants of fields that
// were found.
const (
	builders = "builders"
	patterns = "patterns"
	fields   = "fields"
)

// isClass reports whether a name is such a word.
func isClass(n string) bool { return n == builders || n == patterns || n == fields }

func (m *Mix) word() string {
	switch {
	case m.Only != nil:
		return "Only"
	case m.Without != nil:
		return "Without"
	}
	return "Weight"
}

// Everywhere reports whether a mix for t is about what was found for all types.
func (m *Mix) Everywhere(t reflect.Type) bool {
	return t == reflect.TypeFor[any]() && !slices.ContainsFunc(m.names(), func(n string) bool { return !isClass(n) })
}

// names lists what a mix speaks of.
func (m *Mix) names() []string {
	all := slices.Concat(m.Only, m.Without)
	for name := range m.Weights {
		all = append(all, name)
	}
	return all
}

// without reports whether a property does without all that a word stands for,
// for a type or, if it says so about any, for all types.
func (sc *scope) without(t reflect.Type, word string) bool {
	for _, of := range []reflect.Type{t, reflect.TypeFor[any]()} {
		e := sc.types[of]
		if e == nil {
			continue
		}
		for _, u := range e.from {
			if m := u.decl.Mix; m != nil && slices.Contains(m.Without, word) {
				u.met = true
				return true
			}
		}
	}
	return false
}

// wanted reports whether mixes leave a constructor, which may be of a class that
// has a word.
func wanted(mixes []*Mix, name, class string) bool {
	is := func(n string) bool { return n == class && class != "" || called(n, name) }
	return !slices.ContainsFunc(mixes, func(m *Mix) bool {
		return m.Only != nil && !slices.ContainsFunc(m.Only, is) || slices.ContainsFunc(m.Without, is)
	})
}

// weight is how often a constructor is wanted: what the last mix says that speaks of
// it, or what it is otherwise.
func weight(mixes []*Mix, name string, otherwise float64) float64 {
	for _, m := range mixes {
		for n, x := range m.Weights { // of one name
			if called(n, name) {
				otherwise = x
			}
		}
	}
	return otherwise
}

// called reports whether a user's word for a constructor means this one. The
// package of a function and the receiver of a method may be left out, and a
// function stands for all of its patterns.
func called(word, name string) bool {
	if word = strings.TrimPrefix(word, "*"); word == name { // a variant may be a pointer
		return true
	}
	if base, _, ok := strings.Cut(name, "#"); ok && called(word, base) {
		return true
	}
	_, inPkg, _ := strings.Cut(name, ".")
	return word == inPkg || word == name[strings.LastIndexByte(name, '.')+1:]
}

// ownMixes are those of the property itself. What is declared for all properties may
// speak of what one of them does without, or of functions that only allele test finds.
func (e *entry) ownMixes() (own []*Mix) {
	for _, u := range e.from {
		if u.decl.Mix != nil && u.decl.Tier == Local {
			own = append(own, u.decl.Mix)
		}
	}
	return own
}

// class is the word for the constructors that c is one of.
func (c *Ctor) class() string {
	if c.Func != nil && c.Func.found {
		return builders
	}
	return ""
}

// mix leaves out the constructors that a property does not want and notes how
// often it wants the others.
func (d *deriver) mix(s *Schema, e entry) {
	if s.Kind != Interface && s.Kind != Made {
		for _, m := range e.ownMixes() {
			if n := slices.IndexFunc(m.names(), func(n string) bool { return !isClass(n) }); n >= 0 {
				d.problems = append(d.problems, fmt.Sprintf(
					"%s[%v]: it is neither an interface nor made by functions, so there is no %s to choose",
					m.word(), s.Type, m.names()[n]))
			}
		}
		return
	}
	all := d.spoken(s, e)
	if n := len(s.Ctors) - 1; s.Kind == Interface && s.Ctors[n].Call {
		inner := s.Ctors[n].Fields[0].S
		if inner.mix(e.mixes, 0) {
			// Functions are constructors like others, but not more than half of all.
			s.Odds = even(len(s.Ctors))
			s.Odds[n] = weight(e.mixes, builders, float64(max(1, min(len(inner.Ctors), n-1))))
		} else {
			s.Ctors = s.Ctors[:n]
		}
	}
	if !s.mix(e.mixes, s.First()) && len(all) > 0 {
		d.problems = append(d.problems, fmt.Sprintf("nothing is left of %v after Only and Without; it has %s",
			s.Type, strings.Join(all, ", ")))
	}
}

// spoken lists the names of all constructors and patterns, and notes those that
// a mix speaks of but are not there.
func (d *deriver) spoken(s *Schema, e entry) (all []string) {
	for c := s.First(); c < len(s.Ctors); c++ {
		if !s.Ctors[c].Call {
			all = append(all, s.Ctors[c].Name)
			continue
		}
		for _, f := range s.Ctors[c].Fields[0].S.Ctors {
			all = append(all, f.Name)
		}
	}
	known := slices.Clone(all)
	for _, p := range e.shapes {
		known = append(known, p.Name)
	}
	for _, m := range e.ownMixes() {
		for _, n := range m.names() {
			if !isClass(n) && !slices.ContainsFunc(known, func(k string) bool { return called(n, k) }) {
				d.problems = append(d.problems, fmt.Sprintf("%s[%v]: there is no %s; it has %s",
					m.word(), s.Type, n, strings.Join(known, ", ")))
			}
		}
	}
	return all
}

// mix leaves what mixes want, from the first constructor on, and reports whether
// that is anything; if not it leaves all.
func (s *Schema) mix(mixes []*Mix, first int) bool {
	if len(mixes) == 0 {
		return true
	}
	ctors, odds := slices.Clone(s.Ctors[:first]), make([]float64, first)
	for c := first; c < len(s.Ctors); c++ {
		if s.Ctors[c].Call {
			ctors, odds = append(ctors, s.Ctors[c]), append(odds, s.Odds[c])
		} else if wanted(mixes, s.Ctors[c].Name, s.Ctors[c].class()) {
			w := weight(mixes, s.Ctors[c].Name, unsaid)
			ctor := s.Ctors[c]
			if ctor.Weighed = w != unsaid; !ctor.Weighed {
				w = 1
			}
			ctors, odds = append(ctors, ctor), append(odds, w)
		}
	}
	if len(ctors) == first {
		return false
	}
	s.Ctors, s.Odds = ctors, odds
	return true
}

// unsaid is no weight that anybody can give.
const unsaid = -1

func even(n int) []float64 { return slices.Repeat([]float64{1}, n) }
