//go:build go1.25

package slot_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/slot"
	"github.com/allele-go/allele/internal/value/term"
)

// A program declares functions and calls them.
type (
	program struct {
		Decls []decl
		Calls []call
		By    map[string]string
		First *decl
		Any   any
		Notes [][]string
	}
	decl struct {
		Name   ident
		Params int8
	}
	call struct {
		Name string
		Args uint16
		Deep bool
	}
	ident string
)

func derive(t *testing.T, decls ...schema.Decl) *schema.World {
	t.Helper()
	decls = append(decls, schema.Decl{Type: reflect.TypeFor[any](), What: schema.VariantsOf[any](decl{}, &call{}, "")})
	w, err := schema.Derive(reflect.TypeFor[program](), decls)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func read(t *testing.T, w *schema.World, p program) term.Term {
	t.Helper()
	u, err := w.Read(reflect.ValueOf(p))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func write(t *testing.T, w *schema.World, u term.Term) program {
	t.Helper()
	v, ok := w.Value(u)
	if !ok {
		t.Fatal("the term has no value")
	}
	return v.Interface().(program)
}

var two = program{
	Decls: []decl{{"f", 1}, {"g", -2}},
	Calls: []call{{"x", 300, true}},
	By:    map[string]string{"k": "v"},
	First: &decl{"h", 3},
	Any:   &call{"y", 4, false},
	Notes: [][]string{{"a", "b"}, {"c"}},
}

// A field is the same wherever its type occurs, and the elements of a list in it are one field. Other numbers and texts
// are in other fields. A truth value is no slot.
func TestSlots(t *testing.T) {
	w := derive(t)
	all := slot.New(w).Slots(read(t, w, two))
	name, params, called, args, key, val, note := all[0].Field, all[1].Field, all[4].Field, all[5].Field, all[6].Field, all[7].Field, all[12].Field
	want := []slot.Field{name, params, name, params, called, args, key, val, name, params, called, args, note, note, note}
	var got, different []slot.Field
	for _, s := range all {
		got = append(got, s.Field)
		if s.Fixed != (s.Field == key) {
			t.Errorf("%+v: is it a key?", s)
		}
		if !slices.Contains(different, s.Field) {
			different = append(different, s.Field)
		}
	}
	if !slices.Equal(got, want) || len(different) != 7 {
		t.Errorf("%d fields: %v, want %v", len(different), got, want)
	}
}

// A value is copied if its copy differs and is a value of the other type.
func TestCopied(t *testing.T) {
	w := derive(t)
	f := slot.New(w)
	u := read(t, w, two)
	all := slices.Clone(f.Slots(u))
	const name, one, other, minus, called, args = 0, 1, 2, 3, 4, 5
	for _, c := range []struct {
		to, from int
		want     func(*program)
	}{
		{other, name, func(p *program) { p.Decls[1].Name = "f" }},
		{called, name, func(p *program) { p.Calls[0].Name = "f" }},
		{name, called, func(p *program) { p.Decls[0].Name = "x" }},
		{one, minus, func(p *program) { p.Decls[0].Params = -2 }},
		{args, one, func(p *program) { p.Calls[0].Args = 1 }},
		{args, minus, nil}, // a negative number, and 300, are no values of the other type
		{one, args, nil},
		{name, one, nil}, // a number is no text
		{one, name, nil},
		{name, name, nil},
	} {
		sub := f.Copied(nil, u, all[c.to].Pos, all[c.from].Pos)
		if c.want == nil {
			if len(sub) > 0 {
				t.Errorf("%d from %d: copied", c.to, c.from)
			}
			continue
		}
		want := two
		want.Decls, want.Calls = slices.Clone(two.Decls), slices.Clone(two.Calls)
		c.want(&want)
		if got := write(t, w, term.Replace(nil, u, all[c.to].Pos, sub)); !reflect.DeepEqual(got, want) {
			t.Errorf("%d from %d: got %v, want %v", c.to, c.from, got, want)
		}
	}
}

// from declares that names of calls are those of declarations.
func from(owner reflect.Type, field string) schema.Decl {
	sub := []schema.Decl{{Type: reflect.TypeFor[string](), What: schema.From{Owner: owner, Field: field}}}
	return schema.Decl{What: schema.At{Owner: reflect.TypeFor[call](), Path: "Name", Sub: sub}, Tier: schema.Local}
}

// Fill replaces what does not fit, and nothing else.
func TestFill(t *testing.T) {
	w := derive(t, from(reflect.TypeFor[decl](), "Name"))
	f := slot.New(w)
	if !f.Any() {
		t.Fatal("nothing is declared")
	}
	p := two
	p.Calls = []call{{"x", 1, true}, {"h", 2, false}, {"longer", 3, false}}
	r := rng.New(1)
	seen := map[string]bool{}
	for range 100 {
		got := write(t, w, f.Fill(read(t, w, p), 100, f.Declared, &r))
		for _, name := range []string{got.Calls[0].Name, got.Calls[2].Name, got.Any.(*call).Name} {
			if !slices.Contains([]string{"f", "g", "h"}, name) {
				t.Fatalf("a call of %s", name)
			}
			seen[name] = true
		}
		if got.Calls[1].Name != "h" {
			t.Fatalf("a name that fits became %s", got.Calls[1].Name)
		}
		got.Calls, got.Any = p.Calls, p.Any
		if !reflect.DeepEqual(got, p) {
			t.Fatalf("got %v, want %v", got, p)
		}
	}
	if len(seen) != 3 {
		t.Errorf("only %v were taken", seen)
	}
	if u := f.Fill(read(t, w, program{Calls: p.Calls}), 100, f.Declared, &r); u != nil {
		t.Errorf("filled without a declaration: %v", write(t, w, u))
	}
	if got := write(t, w, f.Fill(read(t, w, p), 1, f.Declared, &r)); got.Calls[0].Name != "x" || got.Any.(*call).Name == "y" {
		t.Errorf("more than one value was replaced: %v", got)
	}
}

// Fields that fit each other do not exchange their values.
func TestFillBothWays(t *testing.T) {
	w := derive(t)
	f := slot.New(w)
	u := read(t, w, program{Decls: []decl{{"f", 1}}, Calls: []call{{"x", 1, true}}})
	all := f.Slots(u)
	name, called := all[0].Field, all[2].Field
	both := func(to slot.Field) []slot.Field {
		switch to {
		case name:
			return []slot.Field{called}
		case called:
			return []slot.Field{name, called}
		}
		return nil
	}
	r := rng.New(1)
	for range 20 {
		got := write(t, w, f.Fill(u, 100, both, &r))
		if got.Calls[0].Name != string(got.Decls[0].Name) {
			t.Fatalf("got %v", got)
		}
	}
}

// Nearly all generated inputs have values that fit, of any size and with any depth.
func TestGenerated(t *testing.T) {
	for _, depth := range []int{0, 6} {
		w := derive(t, from(reflect.TypeFor[decl](), "Name"))
		w.Depth = depth
		if depth > 0 {
			for _, s := range w.Schemas {
				if len(s.Ctors) > 0 {
					s.Odds = slices.Repeat([]float64{1}, len(s.Ctors))
				}
			}
		}
		g := gen.New(w)
		fit, not := 0, 0
		for i := range uint64(5000) {
			p := write(t, w, g.Term(rng.At(1, i), 40))
			all := slices.Clone(p.Calls)
			decls := slices.Clone(p.Decls)
			if p.First != nil {
				decls = append(decls, *p.First)
			}
			switch a := p.Any.(type) {
			case decl:
				decls = append(decls, a)
			case *call:
				all = append(all, *a)
			}
			if len(decls) == 0 || len(all) == 0 {
				continue
			}
			if slices.ContainsFunc(all, func(c call) bool {
				return !slices.ContainsFunc(decls, func(d decl) bool { return string(d.Name) == c.Name })
			}) {
				not++
			} else {
				fit++
			}
		}
		if fit < 500 || not == 0 || not*16 > fit {
			t.Errorf("depth %d: in %d inputs all names fit, in %d not", depth, fit, not)
		}
	}
}

// A declaration without a field to take values from is an error.
func TestSources(t *testing.T) {
	type flag struct{ On, Off bool }
	values := schema.Decl{Type: reflect.TypeFor[string](), What: schema.Values{All: []reflect.Value{reflect.ValueOf("a")}}}
	listed := from(reflect.TypeFor[decl](), "Name")
	at := listed.What.(schema.At)
	at.Sub = append(at.Sub, values)
	listed.What = at
	const name = `Field[slot_test.call]("Name"): `
	for _, c := range []struct {
		decl schema.Decl
		want string
	}{
		{from(reflect.TypeFor[flag](), "On"), name + `From[slot_test.flag]("On"): the input has no slot_test.flag that is made by its fields; name a struct that it has`},
		{from(reflect.TypeFor[decl](), "Params"), name + `From[slot_test.decl]("Params"): its values are of type int8, which are no values of string`},
		{from(reflect.TypeFor[call](), "Deep"), name + `From[slot_test.call]("Deep"): want a field with a number or text, or a list of these, that no builder makes`},
		{from(reflect.TypeFor[program](), "Calls"), name + `From[slot_test.program]("Calls"): want a field with a number or text, or a list of these, that no builder makes`},
		{listed, name + `From[slot_test.decl]("Name"): values of Values, Match and Builder are not taken from other fields; leave these out for the field`},
		{schema.Decl{What: schema.From{Owner: reflect.TypeFor[decl](), Field: "Name"}, Tier: schema.Local},
			`From[slot_test.decl]("Name"): use it as an option of allele.Field, for the field that takes the values`},
	} {
		_, err := schema.Derive(reflect.TypeFor[program](), []schema.Decl{c.decl})
		if want := "cannot derive slot_test.program:\n\t" + c.want; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// A field of a map's key cannot take values: the entries are sorted by their keys.
func TestOnlyInKeys(t *testing.T) {
	type input struct {
		Of    map[call]int
		Names []decl
	}
	_, err := schema.Derive(reflect.TypeFor[input](), []schema.Decl{from(reflect.TypeFor[decl](), "Name")})
	want := "cannot derive slot_test.input:\n\tFrom[slot_test.decl](\"Name\"): the field that takes the values is only in the keys of maps, and these stay as they are"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// Values of Values and Match can be taken by other fields, also where a type has constants.
func TestDeclaredSources(t *testing.T) {
	match := func(t reflect.Type) schema.Decl {
		d, err := schema.NewMatch(`[a-z]{3}-[0-9]{2}`)
		if err != nil {
			panic(err)
		}
		return schema.Decl{Type: t, What: d}
	}
	name := reflect.TypeFor[ident]()
	for about, d := range map[string]schema.Decl{
		"Match":  match(name),
		"Values": {Type: name, What: schema.Values{All: []reflect.Value{reflect.ValueOf(ident("one")), reflect.ValueOf(ident("two"))}}},
		"Likely": {Type: reflect.TypeFor[string](), What: schema.Likely{All: []reflect.Value{reflect.ValueOf("main"), reflect.ValueOf("init")}}},
	} {
		w := derive(t, from(reflect.TypeFor[decl](), "Name"), d)
		g := gen.New(w)
		fit, not := 0, 0
		for i := range uint64(2000) {
			p := write(t, w, g.Term(rng.At(1, i), 40))
			for _, c := range p.Calls {
				if slices.ContainsFunc(p.Decls, func(d decl) bool { return string(d.Name) == c.Name }) {
					fit++
				} else if len(p.Decls) > 0 {
					not++
				}
			}
		}
		if fit < 1000 || not*4 > fit {
			t.Errorf("%s: %d calls fit, and %d do not", about, fit, not)
		}
	}
}

// A type may be a list of itself.
func TestListsOfThemselves(t *testing.T) {
	type (
		tree    []tree
		pointer *pointer
		arrays  [2]*arrays
		mixed   []*[]mixed
		table   map[string]table
		input   struct {
			program
			Tree    tree
			Pointer pointer
			Arrays  arrays
			Mixed   mixed
			Table   table
		}
	)
	w, err := schema.Derive(reflect.TypeFor[input](), []schema.Decl{from(reflect.TypeFor[decl](), "Name")})
	if err != nil {
		t.Fatal(err)
	}
	f, g := slot.New(w), gen.New(w)
	for i := range uint64(100) {
		f.Slots(g.Term(rng.At(1, i), 60))
	}
	self := schema.Decl{What: schema.At{Path: "X"}, Tier: schema.Local}
	if _, err := schema.Derive(reflect.TypeFor[tree](), []schema.Decl{self}); err == nil || !strings.Contains(err.Error(), "the input has none") {
		t.Error(err)
	}
}

// In a large input, few of the sources are looked at for each value, and they still fit.
func TestFillLarge(t *testing.T) {
	w := derive(t, from(reflect.TypeFor[decl](), "Name"))
	f := slot.New(w)
	var p program
	names := map[string]int{}
	for i := range 2000 {
		name := fmt.Sprint("f", i)
		names[name] = 0
		p.Decls, p.Calls = append(p.Decls, decl{ident(name), 1}), append(p.Calls, call{fmt.Sprint("c", i), 1, false})
	}
	u := read(t, w, p)
	r := rng.New(1)
	start := time.Now()
	got := write(t, w, f.Fill(u, len(u), f.Declared, &r))
	t.Logf("%d slots in %v", len(f.Slots(u)), time.Since(start))
	for _, c := range got.Calls {
		if _, ok := names[c.Name]; !ok {
			t.Fatalf("a call of %s", c.Name)
		}
		names[c.Name]++
	}
	unused := 0
	for _, n := range names {
		if n == 0 {
			unused++
		}
	}
	if unused > len(names)*2/3 {
		t.Errorf("%d of %d names are never taken", unused, len(names))
	}
}

// A copy of any value that fits makes a term of the type, for every type of the zoo. Values are not copied into keys.
func TestEveryCopyIsATerm(t *testing.T) {
	copies := 0
	for _, a := range zoo.All() {
		w, err := schema.Derive(a.Type, a.Decls)
		if err != nil {
			t.Fatal(err)
		}
		f, g := slot.New(w), gen.New(w)
		var sub, out term.Term
		for i := range uint64(300) {
			u := g.Term(rng.At(7, i), 15).Clone()
			r := rng.At(8, i)
			all := slices.Clone(f.Slots(u))
			if len(all) < 2 {
				continue
			}
			for range 10 {
				to, from := all[r.Below(len(all))], all[r.Below(len(all))]
				if to.Fixed {
					continue
				}
				if sub = f.Copied(sub[:0], u, to.Pos, from.Pos); len(sub) == 0 {
					continue
				}
				copies++
				out = term.Replace(out, u, to.Pos, sub)
				v, ok := w.Value(out)
				if !ok { // a builder refuses the value
					continue
				}
				if again := slices.Collect(out.Kids(0)); len(again) != len(slices.Collect(u.Kids(0))) {
					t.Fatalf("%s: %v has other parts than %v", a.Name, v, u)
				}
				if len(f.Slots(out)) != len(all) {
					t.Fatalf("%s: %d slots, %d before", a.Name, len(f.Slots(out)), len(all))
				}
			}
		}
	}
	if copies < 10_000 {
		t.Errorf("only %d copies", copies)
	}
}
