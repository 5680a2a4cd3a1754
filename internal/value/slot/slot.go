//go:build go1.25

// Package slot finds numbers and texts in terms, and copies them from field to field.
//
// In many inputs values must fit each other: the name in a call is that of a function which is declared, and an index is
// smaller than a length. A slot is a number or text of a term, with the field that it is in. A Filler replaces values of
// some fields by those of fields that they fit: which these are is declared (schema.From), or learnt by a search.
//
//	f := slot.New(world)
//	for _, s := range f.Slots(t) { ... } // s.Pos, s.Field
//	u := f.Fill(t, 16, f.Declared, &r)   // nil if there is nothing to do
package slot

import (
	"reflect"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Field identifies a field of a struct type, wherever that type occurs. Elements of lists in a field are one field of
// their own, as are keys.
type Field uint64

// Slot is a number or text of a term.
type Slot struct {
	Pos   int
	Field Field
	Fixed bool // it is copied to others only: it is in the key of a map, or a value of Values or Match

	source, changed bool // see Fill
}

// Filler finds and copies the slots of the terms of one world. It reuses its memory.
type Filler struct {
	world    *schema.World
	fields   [][][]Field // by schema, by constructor, by field
	declared map[Field][]Field
	slots    []Slot

	out       [2]term.Term
	sub       term.Term
	from, own []*Slot // candidates
}

// New returns a Filler.
func New(w *schema.World) *Filler {
	f := &Filler{world: w, fields: make([][][]Field, len(w.Schemas)), declared: map[Field][]Field{}}
	owners := map[reflect.Type]map[string]Field{}
	n := Field(1) // 0 is the root
	next := func() Field { n++; return n << 8 }
	for i, s := range w.Schemas {
		for c := range s.Ctors {
			var all []Field
			named := owners[schema.Owner(s, c)]
			if t := schema.Owner(s, c); t != nil && named == nil {
				named = map[string]Field{}
				owners[t] = named
			}
			for _, x := range s.Ctors[c].Fields {
				id, ok := named[x.Name]
				if !ok {
					id = next()
					if named != nil {
						named[x.Name] = id
					}
				}
				all = append(all, id)
			}
			f.fields[i] = append(f.fields[i], all)
		}
	}
	f.declare(owners)
	return f
}

// declare finds the fields of schema.From.
func (f *Filler) declare(owners map[reflect.Type]map[string]Field) {
	for i, s := range f.world.Schemas {
		for c := range s.Ctors {
			for k, x := range s.Ctors[c].Fields {
				leaf := schema.Leaf(x.S)
				if leaf == nil || leaf.From == nil {
					continue
				}
				to := inner(f.fields[i][c][k], x.S)
				for _, x := range leaf.From {
					from := inner(owners[x.Owner][x.Field], schema.FieldOf(f.world, x))
					if !slices.Contains(f.declared[to], from) {
						f.declared[to] = append(f.declared[to], from)
					}
				}
			}
		}
	}
}

// inner returns the field of the numbers and texts inside of a field: each list adds a level.
func inner(f Field, s *schema.Schema) Field {
	if schema.Origin(s) == nil {
		return f
	}
	for {
		switch {
		case s.Kind == schema.Slice || s.Kind == schema.Array:
			f, s = elem(f), s.Elem
		case s.Kind == schema.Pointer && schema.Owner(s, len(s.Ctors)-1) == nil:
			s = s.Ctors[len(s.Ctors)-1].Fields[0].S
		default:
			return f
		}
	}
}

// The levels of lists in a field are counted in the last byte, keys in its highest bit.
func elem(f Field) Field { return f&^0x7f | (f+1)&0x7f }
func key(f Field) Field  { return elem(f) | 0x80 }

// Any reports whether fields were declared.
func (f *Filler) Any() bool { return len(f.declared) > 0 }

// Declared returns the fields that a field takes its values from, if they were declared.
func (f *Filler) Declared(to Field) []Field { return f.declared[to] }

// Slots returns the slots of a term. They are valid until the next call of a method.
func (f *Filler) Slots(t term.Term) []Slot {
	f.slots = f.slots[:0]
	f.visit(t, 0, Slot{})
	return f.slots
}

// visit adds the slots of the subterm at pos.
func (f *Filler) visit(t term.Term, pos int, at Slot) {
	s := f.world.Of(t[pos])
	if s.Kind == schema.Choice || s.Kind == schema.Rule { // their parts are no values of their own
		if f.Any() && schema.Origin(s) != nil {
			at.Pos, at.Fixed = pos, true
			f.slots = append(f.slots, at)
		}
		return
	}
	if !s.HasParts() {
		if s.Kind != schema.Scalar || s.Type.Kind() != reflect.Bool {
			at.Pos = pos
			f.slots = append(f.slots, at)
		}
		return
	}
	i := 0
	for kid := range t.Kids(pos) {
		to := at
		switch s.Kind {
		case schema.Slice, schema.Array:
			to.Field = elem(at.Field)
		case schema.Map:
			to.Field = elem(at.Field)
			if i%2 == 0 {
				to.Field, to.Fixed = key(at.Field), true
			}
		case schema.Block:
			return
		case schema.Pointer:
			if schema.Owner(s, int(t[pos].C)) != nil {
				to.Field = f.fields[s.ID][t[pos].C][i]
			}
		default:
			to.Field = f.fields[s.ID][t[pos].C][i]
		}
		f.visit(t, kid, to)
		i++
	}
}
