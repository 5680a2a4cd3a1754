//go:build go1.25

package schema

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/value/term"
)

// Limits of a derivation. For comparison: a Kubernetes Pod has about 500 types, and
// the term of an array of 64k structs has at least a megabyte.
const (
	schemasMax = 1 << 15
	arrayMax   = 1 << 16
	refusedMax = 5 // number of problems that one error lists
	// valueBytes is the maximal size of a Go value. A type may be larger than memory: a
	// program that maps files has fields such as *[1 << 47]byte.
	valueBytes = 64 << 20
	// leastMax is the maximal number of nodes of a least term, which then has 32 MiB.
	leastMax = 1 << 21
)

// Derive makes the schemas of t and of every type reachable from it. The error names
// each field whose type cannot be derived, and what to declare.
func Derive(t reflect.Type, decls []Decl) (*World, error) { return DeriveFor(nil, t, decls) }

// DeriveFor is like Derive. name returns a type as code of the property's package writes it, or ""
// if it cannot; messages use such names.
func DeriveFor(name func(reflect.Type) string, t reflect.Type, decls []Decl) (*World, error) {
	d := &deriver{name: name, world: &World{CallsMax: callsDefault}, cells: map[reflect.Type]*cell{}, args: map[*Arg]*scope{},
		noted: map[string]bool{}}
	d.root = newScope(&d.uses, append(ready(), decls...))
	d.root.ready = true
	d.world.Root = d.input(t, decls)
	d.useTags()
	if s := d.world.Root; s.Kind == Interface && len(s.Ctors) == 1 {
		d.refuse("in", t, "an interface without variants is always nil; "+d.advise(t, "declare them with allele.Variants[%s]"))
	}
	d.closed()
	d.unsetNote()
	d.world.Notes = append(d.world.Notes, d.world.Links...)
	d.unused()
	d.problems = append(d.problems, unsourced(d.world)...)
	if len(d.problems) > 0 {
		return nil, refusal(t, d.problems)
	}
	if err := d.world.measure(); err != nil {
		return nil, err
	}
	if err := d.choices(); err != nil {
		return nil, err
	}
	if d.patterns(); len(d.problems) > 0 {
		return nil, refusal(t, d.problems)
	}
	d.world.plan()
	return d.world, nil
}

func refusal(t reflect.Type, problems []string) error {
	more := ""
	if n := len(problems) - refusedMax; n > 0 {
		problems, more = problems[:refusedMax], fmt.Sprintf("\n\tand %d more", n)
	}
	return errors.New("cannot derive " + t.String() + ":\n\t" + strings.Join(problems, "\n\t") + more)
}

type deriver struct {
	name     func(reflect.Type) string // see DeriveFor
	world    *World
	root     *scope
	uses     []*use
	cells    map[reflect.Type]*cell
	args     map[*Arg]*scope // scopes of arguments with declarations of their own
	noted    map[string]bool
	problems []string
	pending  []pendingChoice
	shut     []shut
	unset    []place // fields that are nil because they are functions or channels
	shapes   []pendingShapes
	tags     []pendingTags
	grammars map[string]*Schema // schemas of parts of regular expressions
	first    firstMessage
}

// pendingChoice stores declared values until all schemas are derived and the values
// can be turned into terms.
type pendingChoice struct {
	s      *Schema
	values []Listed
	path   string
}

func (d *deriver) refuse(path string, t reflect.Type, why string) {
	d.problems = append(d.problems, fmt.Sprintf("%s (%v): %s", path, t, why))
}

// unused finds declarations that apply to nothing. The cause is nearly always a
// typo, or a type that is slightly different from the type in the input.
func (d *deriver) unused() {
	for _, u := range d.uses {
		_, path := u.decl.What.(At)
		_, from := u.decl.What.(From)
		switch {
		case (u.met || u.decl.Tier < Local) && !u.twice:
		case u.twice:
			d.problems = append(d.problems, fmt.Sprintf("%v is declared twice; remove one", u.decl))
		case from && u.decl.Type == nil:
			d.problems = append(d.problems, fmt.Sprintf(
				"%v: use it as an option of allele.Field, for the field that takes the values", u.decl))
		case from:
			d.problems = append(d.problems, fmt.Sprintf("%v: want a number or text that takes the values, or a list of these, and not %v",
				u.decl, u.decl.Type))
		case path:
			d.problems = append(d.problems, fmt.Sprintf(
				"%v: there is no such field; a path names struct fields from the input down, and [key] for the keys of a map; "+
					"the input has %s", u.decl, fieldNames(d.world.Source())))
		default:
			d.problems = append(d.problems, fmt.Sprintf(
				"%v: no field has type %v; the fields are %s", u.decl, u.decl.Type, u.region.fieldList()))
		}
	}
}

// fieldNames lists the fields of the struct that t is, points to, or has as its
// elements.
func fieldNames(t reflect.Type) string {
	for range leafDepth {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
		case reflect.Struct:
			var names []string
			for i := range t.NumField() {
				names = append(names, t.Field(i).Name)
			}
			return strings.Join(names, ", ")
		case reflect.Func:
			if isSteps(t) {
				return methodNames(t)
			}
			return "none"
		default:
			return "none"
		}
	}
	return "none"
}

// place is a part of the input: its path and its type.
type place struct {
	path string
	typ  reflect.Type
}

// placesMax is the largest number of places that an error message lists.
const placesMax = 8

// fieldList lists the places of a scope. It leaves out structs, because their fields
// are listed.
func (sc *scope) fieldList() string {
	var all []string
	for _, p := range sc.allPlaces() {
		if p.typ.Kind() != reflect.Struct {
			all = append(all, fmt.Sprintf("%s (%v)", p.path, p.typ))
		}
	}
	if len(all) == 0 {
		return "none"
	}
	if n := len(all) - placesMax; n > 0 {
		all = append(all[:placesMax], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(all, ", ")
}

// schema returns the schema of t in a scope, and derives it if it is new.
func (d *deriver) schema(t reflect.Type, sc *scope, path string) *Schema {
	sc.places = append(sc.places, place{path, t})
	if s := sc.schemas[t]; s != nil {
		return s
	}
	s := d.add(t)
	sc.schemas[t] = s
	e := d.hashable(t, sc.lookup(t), sc, path)
	s.From = e.sources
	switch {
	case t.Size() > valueBytes:
		d.refuse(path, t, fmt.Sprintf("a value has more than %d MiB, which is too large to generate; %s", valueBytes>>20, aroundLarge))
		return s
	case e.values != nil:
		d.choice(s, e, sc, path)
	case e.match != nil:
		d.match(s, e.match, path)
	default:
		if ms := sc.makers(t); ms != nil {
			d.made(s, ms, sc, path)
		} else {
			d.shape(s, e, sc, path)
		}
	}
	if s.machine == nil {
		d.mix(s, e)
	}
	d.declare(s, e, path)
	if !sc.ignore.Patterns {
		d.shapes = append(d.shapes, pendingShapes{s, e})
	}
	return s
}

func (d *deriver) add(t reflect.Type) *Schema {
	s := &Schema{ID: uint16(len(d.world.Schemas)), Type: t}
	if len(d.world.Schemas) >= schemasMax {
		panic("schema: more than 32,768 types in one input") // no Go program has so many
	}
	d.world.Schemas = append(d.world.Schemas, s)
	return s
}

// shape sets the parts of s that follow from the Go type, without declarations.
func (d *deriver) shape(s *Schema, e entry, sc *scope, path string) {
	t := s.Type
	switch t.Kind() {
	case reflect.String:
		s.Kind, s.Loose, s.UTF8 = String, e.likely.loose, e.traits&UTF8 != 0 || sc.message
		for _, v := range e.likely.all {
			s.Words = append(s.Words, v.value.String())
		}
	case reflect.Struct:
		s.Kind = Struct
		s.Ctors = []Ctor{{Name: t.Name(), Fields: d.fields(t, sc, path, false)}}
		d.opaque(s)
	case reflect.Pointer:
		s.Kind = Pointer
		s.Ctors = []Ctor{{Name: "nil"}, d.cellOf(t.Elem(), sc, path)}
	case reflect.Slice:
		s.NonNil = e.traits&NonNil != 0
		d.slice(s, sc, path)
	case reflect.Array:
		d.array(s, sc, path)
	case reflect.Map:
		s.Kind, s.NonNil = Map, e.traits&NonNil != 0
		s.Key = d.schema(t.Key(), sc.keys(t), path+keysName)
		s.Elem = d.elem(t.Elem(), sc.inside(t, elemsName), path+elemsName)
		s.elemOf = d.cell(t.Elem())
	case reflect.Interface:
		d.variants(s, e, sc, path)
	case reflect.Complex64, reflect.Complex128:
		d.complex(s, sc, path)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if isSteps(t) {
			deriveSteps(d, s, e, sc, path)
			return
		}
		d.refuse(path, t, d.wayOut(t))
	default:
		s.number()
		s.Loose, s.Finite = e.likely.loose, e.traits&Finite != 0 && e.limit == nil
		if t == reflect.TypeFor[time.Duration]() {
			s.Units = timeUnits
		}
		for _, v := range e.likely.all {
			s.Consts = append(s.Consts, ScalarBits(v.value))
		}
		if s.enum(e); e.limit != nil {
			d.limit(s, e.limit, path)
		} else if s.Consts == nil && !Own(t) {
			s.Consts = enumerated(s)
			d.endlessNote(t, path)
		}
	}
}

const aroundLarge = "declare allele.Builder for a pointer to it, or for the type around it"

func (d *deriver) slice(s *Schema, sc *scope, path string) {
	elem := s.Type.Elem()
	if sc = sc.inside(s.Type, elemsName); elem.Kind() == reflect.Uint8 && sc.types[elem] == nil {
		s.Kind = Bytes
		return
	}
	s.Kind = Slice
	s.Elem = d.elem(elem, sc, path+elemsName)
	s.elemOf = d.cell(elem)
}

func (d *deriver) complex(s *Schema, sc *scope, path string) {
	s.Kind = Complex
	part := reflect.TypeFor[float64]()
	if s.Type.Kind() == reflect.Complex64 {
		part = reflect.TypeFor[float32]()
	}
	f := d.schema(part, sc, path)
	s.Ctors = []Ctor{{Name: "complex", Fields: []Field{{"real", f, 0}, {"imag", f, part.Size()}}}}
}

func (d *deriver) limit(s *Schema, limit *Range, path string) {
	lo, hi := ScalarBits(limit.Lo), ScalarBits(limit.Hi)
	if s.Less(hi, lo) || s.IsFloat() && (isNaN(lo) || isNaN(hi)) {
		d.refuse(path, s.Type, fmt.Sprintf("Range(%v, %v) is empty", limit.Lo, limit.Hi))
		return
	}
	s.Lo, s.Hi, s.Limited, s.capped = lo, hi, true, limit.Narrow
}

// fields derives the fields of a struct. Unexported fields of types outside of the
// module under test are skipped: allele may not set them, so they stay zero. So are fields of
// sync.Pool and the like, if nothing is declared about them. pointed is set if the struct is in a pointer or
// an interface.
func (d *deriver) fields(t reflect.Type, sc *scope, path string, pointed bool) []Field {
	d.endlessNote(t, path)
	if m := messageOf(t); m != nil || sc.message && isWrapper(t) {
		return d.messageFields(t, m, sc, path, pointed)
	}
	d.links(t, path)
	var fs []Field
	hidden := 0
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Name == "_":
		case !f.IsExported() && !Own(t), startsZero(t) && sc.types[f.Type] == nil:
			hidden++
		default:
			s := d.field(f.Type, sc.into(t, f.Name), path+"."+f.Name)
			fs = append(fs, Field{f.Name, s, f.Offset})
		}
	}
	if hidden > 0 {
		d.shut = append(d.shut, shut{t, path, fs})
	}
	d.tagged(t, fs, sc, path)
	return fs
}

// content returns the fields of a constructor that contains a t, in a pointer or an
// interface. A struct needs no node of its own there: the result is its fields. Any
// other type is a single field without a name.
func (d *deriver) content(t reflect.Type, sc *scope, path string) []Field {
	e := sc.types[t]
	if t.Kind() == reflect.Struct && t.Size() <= valueBytes && (e == nil || e.values == nil) && sc.makers(t) == nil && !isOpaque(t) {
		return d.fields(t, sc, path, true)
	}
	return []Field{{"", d.pointee(t, sc, path), 0}}
}

func (d *deriver) cellOf(t reflect.Type, sc *scope, path string) Ctor {
	return Ctor{Name: "&", Fields: d.content(t, sc, path), box: d.cell(t)}
}

func (d *deriver) variants(s *Schema, e entry, sc *scope, path string) {
	s.Kind = Interface
	s.Ctors = []Ctor{{Name: "nil"}}
	for _, v := range e.variants {
		s.Ctors = append(s.Ctors, d.variant(s.Type, v, sc, path))
	}
	if d.calls(s, e, sc, path); d.defaults(s, e, sc, path) {
		return
	}
	if len(s.Ctors) > 1 {
		s.first = 1
		return
	}
	hollow := Hollow{path, s.Type}
	if s.Type.NumMethod() > 0 && s.Type.PkgPath() != "" && Own(s.Type) {
		d.world.Hollow = append(d.world.Hollow, hollow)
		return
	}
	d.world.left = true
	d.zero(path+s.Type.String(), hollow.String()+"; "+
		d.advise(s.Type, "declare them with allele.Variants[%s], or that nil is intended: allele.Values[%[1]s](nil)"))
}

func (d *deriver) variant(iface, v reflect.Type, sc *scope, path string) Ctor {
	sc = sc.into(iface, nameOf(v))
	c := Ctor{Name: nameOf(v), variant: v}
	path = path + ".(" + v.String() + ")"
	if e := sc.types[v]; v.Kind() == reflect.Pointer && (e == nil || e.values == nil) && sc.makers(v) == nil {
		c.Fields, c.box = d.content(v.Elem(), sc, path), d.cell(v.Elem())
	} else if c.Fields = d.content(v, sc, path); !pointerShaped(v) {
		c.box = d.cell(v)
	}
	c.tab, c.direct = typeWord(iface, v), c.box == nil
	return c
}

// nameOf returns the name of a type. For an unnamed pointer it is the name of the
// type that it points to.
func nameOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	return t.Name()
}

func (d *deriver) made(s *Schema, makers []*Func, sc *scope, path string) {
	s.Kind = Made
	for _, m := range apart(hiddenFirst(makers)) {
		if Is[Given](m) {
			d.asGiven(s, m, sc, path)
			continue
		}
		if sc.kin.comparable && holdsInterface(s.Type) {
			m = m.hashable()
		}
		d.world.fallible = d.world.fallible || m.rejects != neverRejects
		if m.hidden {
			s.first++
		}
		c := Ctor{Name: m.Name, Func: m, box: d.cell(m.args)}
		start, started := m.Form.(Start)
		for i, a := range m.Args {
			in, at := sc, fmt.Sprintf("%s.%s#%d", path, m.Name, i)
			switch {
			case a.Decls != nil:
				in = d.argument(m, i)
			case started:
				in, at = sc.into(m.Pointee(), start.Fields[i]), path+"."+start.Fields[i]
			}
			c.Fields = append(c.Fields, Field{"", d.schema(a.Type, in, at), m.args.Field(i).Offset})
		}
		s.Ctors = append(s.Ctors, c)
	}
	s.rare()
}

// choice derives a type that has only the declared values. The values are stored as
// terms if possible, so that every run gets a new copy.
func (d *deriver) choice(s *Schema, e entry, sc *scope, path string) {
	s.Kind = Choice
	s.Ctors = make([]Ctor, len(e.values))
	if sc.bare(s.Type) {
		s.keep(e.values)
		return
	}
	s.Base = d.add(s.Type)
	rest := e
	rest.values = nil
	hollow, zero, notes, closed, unset := len(d.world.Hollow), len(d.world.Zero), len(d.world.Notes), len(d.shut), len(d.unset)
	links := len(d.world.Links)
	if ms := sc.makers(s.Type); ms != nil {
		d.made(s.Base, ms, sc, path)
	} else {
		d.shape(s.Base, rest, sc, path)
	}
	// No messages: the user has declared the values.
	d.world.Hollow, d.world.Zero, d.shut = d.world.Hollow[:hollow], d.world.Zero[:zero], d.shut[:closed]
	d.world.Notes, d.unset = d.world.Notes[:notes], d.unset[:unset]
	d.world.Links = d.world.Links[:links]
	d.pending = append(d.pending, pendingChoice{s, e.values, path})
}

// choices reads the declared values, now that all schemas are derived.
func (d *deriver) choices() error {
	for _, p := range d.pending {
		for i, v := range p.values {
			t, err := d.world.read(p.s.Base, v.value)
			if p.s.isOpaque(v.value, err) {
				p.s.Ctors[i] = p.s.opaqueCtor(v, i)
				continue
			}
			if err != nil {
				return fmt.Errorf("Values[%v]: value %d: %w", p.s.Type, i, err)
			}
			p.s.Ctors[i] = Ctor{Name: fmt.Sprint("value", i), Value: term.Term(t)}
		}
	}
	return nil
}
