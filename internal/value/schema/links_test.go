//go:build go1.25

package schema_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
)

type (
	// Family has children that point back to it.
	Family struct {
		Parent   *Family
		Name     string
		Children []*Family
	}
	ring struct {
		head *ringElem
		n    int
	}
	ringElem struct {
		next, prev *ringElem
		list       *ring
	}
	// Org has a method with a common name.
	Org struct {
		Parent *Org
		Name   string
		Units  []*Org
	}
	// Queue has elements with links in both directions.
	Queue struct {
		head, tail *queued
		n          int
	}
	queued struct {
		prev, next *queued
		value      string
	}
	// Needy has a method that panics without a constructor.
	Needy struct {
		tail *queued
		at   map[string]*queued
	}
	// scopes only point up, and twigs only down: no value points back.
	scopes struct {
		Parent *scopes
		Name   string
	}
	twigs struct{ Left, Right *twigs }
)

func (f *Family) valid() bool {
	for _, c := range f.Children {
		if c == nil || c.Parent != f || !c.valid() {
			return false
		}
	}
	return true
}

// Adopt adds a child.
func (f *Family) Adopt(c *Family) {
	for p := f; p != nil; p = p.Parent {
		if p == c {
			return
		}
	}
	if c != nil && c.Parent == nil {
		c.Parent = f
		f.Children = append(f.Children, c)
	}
}

// Values that are made from their fields never point back. A note says so, with what to declare.
func TestLinksAreNoted(t *testing.T) {
	for _, c := range []struct {
		in    any
		decls []schema.Decl
		want  string
	}{
		{&Family{}, nil, "in: schema_test.Family is made from its fields, so Parent never points back from a value in Children; " +
			"declare a function that links them: allele.Builder(func(all []*schema_test.Family) *schema_test.Family " +
			"{ v := &schema_test.Family{Children: all}; for _, x := range all { x.Parent = v }; return v })"},
		{[]Family{}, nil, "in[]: schema_test.Family is made from its fields"},
		{&ring{}, nil, "is made from its fields, so the values in it never point back to it; declare the functions that link them with allele.Builder"},
		{&scopes{}, nil, ""},
		{&twigs{}, nil, ""},
		{&Family{}, found(t, (*Family).Adopt), ""},
		{&Family{}, []schema.Decl{builderOf(t, linkFamily)}, ""},
	} {
		w, err := schema.Derive(reflect.TypeOf(c.in), c.decls)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(w.Links, "\n")
		if !strings.Contains(got, c.want) || c.want == "" && got != "" || strings.Contains(got, "ringElem") && strings.Contains(got, "Builder(func") {
			t.Errorf("%T: %s", c.in, got)
		}
	}
}

// linkFamily is what the note advises.
func linkFamily(all []*Family) *Family {
	v := &Family{Children: all}
	for _, x := range all {
		x.Parent = v
	}
	return v
}

// What the note advises makes valid values with children, and so does a method that was found.
func TestLinksAreMade(t *testing.T) {
	for name, ds := range map[string][]schema.Decl{"declared": {builderOf(t, linkFamily)}, "found": found(t, (*Family).Adopt)} {
		parents := 0
		values(t, ds, 500, func(f **Family, ok bool) {
			if !ok || !(*f).valid() {
				t.Fatalf("%s: %+v", name, *f)
			}
			if len((*f).Children) > 0 {
				parents++
			}
		})
		if parents < 100 {
			t.Errorf("%s: %d with children", name, parents)
		}
	}
}

// Add adds a unit.
func (o *Org) Add(name string) { o.Units = append(o.Units, &Org{Parent: o, Name: name}) }

// PushBack adds a text. Its result does not matter.
func (q *Queue) PushBack(s string) *queued {
	e := &queued{prev: q.tail, value: s}
	if q.tail == nil {
		q.head = e
	} else {
		q.tail.next = e
	}
	q.tail = e
	q.n++
	return e
}

// Push adds a text.
func (n *Needy) Push(s string) {
	n.tail = &queued{prev: n.tail, value: s}
	n.at[s] = n.tail
}

// Printer has a method that does more than to compute.
type Printer struct {
	tail *queued
	n    int
}

// Push prints a text.
func (p *Printer) Push(s string) {
	p.tail = &queued{prev: p.tail, value: s}
	fmt.Println(s)
}

// Without facts, methods with common names link values. A method that panics if it is called on a
// zero value does not, nor does one with other effects: the type is made from its fields, with the note.
func TestLinkers(t *testing.T) {
	long, named := 0, 0
	values(t, nil, 300, func(o **Org, ok bool) {
		if !ok || *o == nil {
			return
		}
		for _, u := range (*o).Units {
			if u.Parent != *o {
				t.Fatalf("%+v is not linked", u)
			}
		}
		if len((*o).Units) > 1 {
			long++
		}
		if (*o).Name != "" { // Add does not set it
			named++
		}
	})
	values(t, nil, 300, func(q *Queue, ok bool) {
		n := 0
		for e, last := q.head, (*queued)(nil); e != nil; last, e = e, e.next {
			if n++; e.prev != last {
				t.Fatal("an element does not point back")
			}
		}
		if n != q.n {
			t.Fatalf("%d elements, not %d", n, q.n)
		}
		if n > 1 {
			long++
		}
	})
	if long < 300 || named < 150 {
		t.Errorf("%d of 600 values have more than one element; %d of 300 have a name", long, named)
	}
	const fields = "in.tail: schema_test.queued is made from its fields"
	for in, want := range map[reflect.Type]string{reflect.TypeFor[*Org](): "", reflect.TypeFor[Queue](): "", reflect.TypeFor[*Needy](): fields, reflect.TypeFor[*Printer](): fields} {
		w, err := schema.Derive(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(w.Links, "\n"); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%v: %s", in, got)
		}
	}
}
