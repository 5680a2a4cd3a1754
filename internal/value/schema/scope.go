//go:build go1.25

package schema

import (
	"reflect"
	"slices"
)

// entry is everything that is declared about one type in one scope, that is, in one
// part of the input.
type entry struct {
	variants []reflect.Type
	values   []Listed
	likely   likely
	limit    *Range
	match    *Match
	traits   Trait
	makers   []*Func
	tier     Tier    // the tier that declared the makers
	found    []*Func // makers that were found in the source
	shapes   []*ShapeDecl
	mixes    []*Mix
	sources  []Source
	from     []*use
}

// likely are the values of Likely.
type likely struct {
	all         []Listed
	loose, only bool // see Likely
}

// use records whether a declaration applies to anything in the input.
type use struct {
	decl   Decl
	met    bool
	region *scope
	twice  bool // an earlier declaration declares the same thing for the same part of the input
}

// rule is what remains of a declared path after some of its fields were followed.
// The first field of the rest belongs to a type: that of the first struct (or
// interface variant) that has such a field. The rule applies to every value of this
// type in its scope: At("Tree.K") means the K of every node of Tree.
type rule struct {
	owner reflect.Type
	// everywhere marks a rule that starts from its owner, not from the input.
	everywhere bool

	path []string
	sub  []Decl // what is declared at the end of the path
	use  *use
}

// scope is a part of the input in which the same declarations apply.
type scope struct {
	types   map[reflect.Type]*entry
	rules   []*rule
	ignore  Ignore
	schemas map[reflect.Type]*Schema
	uses    *[]*use // all declarations of the derivation
	places  []place // the places in the scope, in the order in which they were derived

	message  bool   // it is the scope of a protobuf message
	messages *scope // of the messages in this scope
	filled   map[reflect.Type]*Schema
	pointees map[reflect.Type]*Schema
	kin      kin

	ready    bool                  // types of other packages get builders, see entry
	equipped map[reflect.Type]bool // the types that entry has seen
}

func newScope(uses *[]*use, decls []Decl) *scope {
	sc := &scope{types: map[reflect.Type]*entry{}, schemas: map[reflect.Type]*Schema{}, uses: uses, equipped: map[reflect.Type]bool{}}
	sc.add(decls)
	return sc
}

func (sc *scope) add(decls []Decl) {
	for _, d := range decls {
		d.What.declare(sc, d)
	}
}

// use records a declaration of the scope.
func (sc *scope) use(d Decl) *use {
	u := &use{decl: d, region: sc}
	*sc.uses = append(*sc.uses, u)
	return u
}

// about returns what is declared about the type of d, to which d is to be added.
func (sc *scope) about(d Decl) *entry {
	u := sc.use(d)
	e := sc.types[d.Type]
	if e == nil {
		e = &entry{}
		sc.types[d.Type] = e
	}
	for _, old := range e.from {
		if old.decl.Tier == d.Tier && d.Tier == Local && !repeatable(d.What) &&
			old.decl.String() == d.String() && old.region == sc {
			u.twice = true
		}
	}
	e.from = append(slices.Clip(e.from), u)
	return e
}

// build adds a builder. Those of the highest tier replace the others, and those that were found in the source
// are kept apart.
func (e *entry) build(m *Func, tier Tier) {
	if tier == Found {
		same := func(o *Func) bool { return o.Name == m.Name && o.Pkg == m.Pkg }
		if i := slices.IndexFunc(e.found, same); i < 0 {
			e.found = append(slices.Clip(e.found), m)
		} else if m.origin.source == askedSource {
			e.found = slices.Clone(e.found)
			e.found[i] = m
		}
		return
	}
	if tier > e.tier {
		e.makers = nil
	}
	e.tier = tier
	e.makers = append(slices.Clip(e.makers), m)
}

// shapesBeside returns the patterns that remain when another one is declared. If a
// pattern is declared under the name of one that was found in the source, it
// replaces that one.
func (e *entry) shapesBeside(other *ShapeDecl) (stay []*ShapeDecl) {
	for _, s := range e.shapes {
		if other.tier == Found || s.tier != Found || s.Name != other.Name {
			stay = append(stay, s)
		}
	}
	return stay
}

// lookup returns what is declared about t, and marks these declarations as used.
func (sc *scope) lookup(t reflect.Type) entry {
	e := sc.types[t]
	if e == nil {
		return entry{}
	}
	for _, u := range e.from {
		u.met = true
	}
	return *e
}

// into returns the scope of a field or variant of owner. It is sc itself, unless a
// declared path leads into this field or variant.
func (sc *scope) into(owner reflect.Type, name string) *scope {
	sub := sc
	for _, r := range sc.rules {
		if r.path[0] != name || r.owner != nil && r.owner != owner || r.use.decl.Tier == Found && sc.ignore.Constants {
			continue
		}
		if r.everywhere && slices.Contains(sc.kin.done, r) { // the field is inside of itself
			r.use.met = true
			continue
		}
		r.owner = owner
		if sub == sc {
			sub = sc.copy()
			for _, always := range sc.rules {
				if always.everywhere {
					sub.rules = append(sub.rules, always)
				}
			}
		}
		sub.follow(r)
		sub.kin.done = append(slices.Clip(sub.kin.done), r)
	}
	return sub
}

// follow goes one field along a rule whose first field leads to this scope. At the
// end of the path, it adds the declarations of the rule to the scope; otherwise, a
// rule for the rest of the path.
func (sc *scope) follow(r *rule) {
	r.use.met = true
	if len(r.path) == 1 {
		sc.add(r.sub)
		return
	}
	u := &use{decl: r.use.decl}
	*sc.uses = append(*sc.uses, u)
	sc.rules = append(sc.rules, &rule{path: r.path[1:], sub: r.sub, use: u})
}

// entry returns what is declared about t, or nil. In a scope of the input, it first adds the
// builders that types of other packages have, unless builders or fields of t are declared, or
// its values are made by functions that were found in the source.
func (sc *scope) entry(t reflect.Type) *entry {
	e := sc.types[t]
	if !sc.ready || sc.equipped[t] || e != nil && e.makers != nil || sc.leads(t) {
		return e
	}
	sc.equipped[t] = true
	ms := linkedTo(t)
	if ms == nil && !sc.declares(t) && !(sc.finds(t) && sc.onlyMade(t)) {
		ms = textFuncs(t)
	}
	var found []*Func
	if ms == nil && t.Kind() == reflect.Pointer && !sc.finds(t.Elem()) {
		found = linkers(t.Elem())
	}
	if ms == nil && found == nil {
		return e
	}
	if e == nil {
		e = &entry{}
		sc.types[t] = e
	}
	if e.found = append(slices.Clip(e.found), found...); ms != nil {
		e.makers, e.tier = ms, Ready
	}
	return e
}

// declares reports whether the user has declared builders of t or *t. Partial ones count if the property itself
// declares them.
func (sc *scope) declares(t reflect.Type) bool {
	for _, t := range []reflect.Type{t, reflect.PointerTo(t)} {
		if e := sc.types[t]; e != nil && (e.makers != nil || len(asked(e.found)) > 0) {
			return true
		}
	}
	return false
}

// finds reports whether the source has functions that make values of t or *t, other than
// methods that read a text.
func (sc *scope) finds(t reflect.Type) bool {
	builds := func(m *Func) bool { return !m.decodes() }
	for _, t := range []reflect.Type{t, reflect.PointerTo(t)} {
		if e := sc.types[t]; e != nil && (e.makers != nil || !sc.ignore.Builders && slices.ContainsFunc(e.found, builds)) {
			return true
		}
	}
	return false
}

// leads reports whether a declared path may lead into a field of t. Constants that code compares
// a field with do not count: they were found in the source, and limit nothing.
func (sc *scope) leads(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && slices.ContainsFunc(sc.rules, func(r *rule) bool {
		_, ok := t.FieldByName(r.path[0])
		limits := func(d Decl) bool {
			found, ok := d.What.(Likely)
			return !ok || !found.Loose
		}
		return ok && (r.owner == nil || r.owner == t) && slices.ContainsFunc(r.sub, limits)
	})
}
