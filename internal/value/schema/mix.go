//go:build go1.25

package schema

import (
	"fmt"
	"slices"
	"strings"
)

// Mix selects the constructors of a type that one property uses, and sets how often
// each is chosen. Other properties are not affected.
type Mix struct {
	Only, Without []string
	Weights       map[string]float64
}

// Ignore lists what a property does not use of the facts that were found in the
// source: functions that make values, patterns, constants that fields are compared
// with, and struct tags. It applies to all types of the input, but not to builders and
// constants that the user declares.
type Ignore struct{ Builders, Patterns, Constants, Tags bool }

func (m *Mix) word() string {
	switch {
	case m.Only != nil:
		return "Only"
	case m.Without != nil:
		return "Without"
	}
	return "Weight"
}

// names lists the constructors and patterns that a mix mentions.
func (m *Mix) names() []string {
	all := slices.Concat(m.Only, m.Without)
	for name := range m.Weights {
		all = append(all, name)
	}
	return all
}

// wanted reports whether no mix excludes the constructor.
func wanted(mixes []*Mix, name string) bool {
	is := func(n string) bool { return called(n, name) }
	return !slices.ContainsFunc(mixes, func(m *Mix) bool {
		return m.Only != nil && !slices.ContainsFunc(m.Only, is) || slices.ContainsFunc(m.Without, is)
	})
}

// wantedPattern reports whether no mix excludes the pattern. If Mix.Only names at
// least one pattern, it excludes all patterns that it does not name; otherwise it
// excludes none. A pattern that contains an excluded constructor is removed elsewhere,
// because it does not fit the type.
func wantedPattern(mixes []*Mix, name string, all []*ShapeDecl) bool {
	is := func(n string) bool { return called(n, name) }
	return !slices.ContainsFunc(mixes, func(m *Mix) bool {
		named := slices.ContainsFunc(m.Only, func(n string) bool {
			return slices.ContainsFunc(all, func(s *ShapeDecl) bool { return called(n, s.Name) })
		})
		return named && !slices.ContainsFunc(m.Only, is) || slices.ContainsFunc(m.Without, is)
	})
}

// weight returns the weight of a constructor in the last mix that names it. The
// parameter otherwise is the result if no mix names it.
func weight(mixes []*Mix, name string, otherwise float64) float64 {
	for _, m := range mixes {
		for n, x := range m.Weights { // a mix has at most one weight, so the order does not matter
			if called(n, name) {
				otherwise = x
			}
		}
	}
	return otherwise
}

// called reports whether a name that the user wrote means this constructor. The
// package of a function and the receiver of a method may be omitted, and a
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

// ownMixes returns the mixes of the property itself. An unknown name in them is an
// error, but not in a mix for all properties: that may name constructors that one
// property excludes, or functions that only the command allele test finds.
func (e *entry) ownMixes() (own []*Mix) {
	for _, u := range e.from {
		if m, ok := u.decl.What.(*Mix); ok && u.decl.Tier == Local {
			own = append(own, m)
		}
	}
	return own
}

// mix removes the constructors that a property excludes and sets the odds of the
// others.
func (d *deriver) mix(s *Schema, e entry) {
	if s.Kind != Interface && s.Kind != Made {
		for _, m := range e.ownMixes() {
			d.problems = append(d.problems, fmt.Sprintf(
				"%s[%v]: it is neither an interface nor made by functions, so there is no %s to choose",
				m.word(), s.Type, m.names()[0]))
		}
		return
	}
	all := d.ctorNames(s, e)
	if n := len(s.Ctors) - 1; s.Kind == Interface && s.Ctors[n].Call {
		inner := s.Ctors[n].Fields[0].S
		if inner.mix(e.mixes, 0) {
			s.Odds = even(len(s.Ctors))
			s.Odds[n] = inner.callOdds(n - 1)
		} else {
			s.Ctors = s.Ctors[:n]
		}
	}
	if s.Kind == Interface && !wanted(e.mixes, "nil") {
		s.first = 1 // constructor 0 is always nil
	}
	if !s.mix(e.mixes, s.First()) && len(all) > 0 {
		d.problems = append(d.problems, fmt.Sprintf("Only and Without exclude every constructor of %v; the type has %s",
			s.Type, strings.Join(all, ", ")))
	}
}

// callOdds returns the odds of calling one of the builder functions of an interface,
// which are the constructors of s, instead of using one of its variants. Each
// function has odds of 1 like a variant, but all functions without a weight together
// have at most the odds of all variants.
func (s *Schema) callOdds(variants int) (sum float64) {
	all := float64(max(1, min(len(s.Ctors), variants)))
	if s.Odds == nil {
		return all
	}
	for c := range s.Ctors {
		if !s.Ctors[c].Weighed {
			s.Odds[c] = all / float64(len(s.Ctors))
		}
		sum += s.Odds[c]
	}
	return sum
}

// ctorNames lists the names of all constructors. It reports a problem for each
// name in a mix that is neither a constructor nor a pattern.
func (d *deriver) ctorNames(s *Schema, e entry) (all []string) {
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
			if !slices.ContainsFunc(known, func(k string) bool { return called(n, k) }) {
				d.problems = append(d.problems, fmt.Sprintf("%s[%v]: no constructor is named %s; the type has %s",
					m.word(), s.Type, n, strings.Join(known, ", ")))
			}
		}
	}
	return all
}

// mix removes the constructors that mixes exclude. It does not touch those before
// index first. If none would remain, it removes nothing and returns false.
func (s *Schema) mix(mixes []*Mix, first int) bool {
	if len(mixes) == 0 {
		return true
	}
	ctors, odds := slices.Clone(s.Ctors[:first]), make([]float64, first)
	for c := first; c < len(s.Ctors); c++ {
		if s.Ctors[c].Call {
			ctors, odds = append(ctors, s.Ctors[c]), append(odds, s.Odds[c])
		} else if wanted(mixes, s.Ctors[c].Name) {
			w := weight(mixes, s.Ctors[c].Name, noWeight)
			ctor := s.Ctors[c]
			if ctor.Weighed = w != noWeight; !ctor.Weighed {
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

// rareIn is how many values there are for each one of a builder that is rare, if there is one other.
const rareIn = 8

// rare sets the odds of builders if some of them are rare.
func (s *Schema) rare() {
	for c := range s.Ctors {
		if s.Ctors[c].Func.rare() {
			if s.Odds == nil {
				s.Odds = even(len(s.Ctors))
			}
			s.Odds[c] = 1.0 / (rareIn - 1)
		}
	}
}

// noWeight stands for a missing weight; it is not a valid weight.
const noWeight = -1

func even(n int) []float64 { return slices.Repeat([]float64{1}, n) }
