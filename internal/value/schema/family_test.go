//go:build go1.25

package schema_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
)

// bag has a constructor that returns a value. Its zero value is not ready: add panics.
type bag struct {
	m map[int]bool
	n int
}

func newBag() bag               { return bag{m: map[int]bool{}} }
func someBag(n int) bag         { return bag{m: map[int]bool{n: true}, n: 1} }
func loadBag() *bag             { return &bag{m: map[int]bool{-1: true}, n: 1} }
func (b *bag) add(x int)        { b.m[x] = true; b.n = len(b.m) }
func (b bag) ok(least int) bool { return b.m != nil && b.n == len(b.m) && b.n >= least }

// numbers is not a struct.
type numbers []int

func newNumbers() numbers      { return numbers{1} }
func (ns *numbers) push(x int) { *ns = append(*ns, x) }

func local(t *testing.T, fs ...any) []schema.Decl { return declaredIn(t, schema.Local, fs...) }

func global(t *testing.T, fs ...any) []schema.Decl { return declaredIn(t, schema.Global, fs...) }

func declaredIn(t *testing.T, tier schema.Tier, fs ...any) (ds []schema.Decl) {
	t.Helper()
	for _, f := range fs {
		m, err := schema.NewFunc(f)
		if err != nil {
			t.Fatal(err)
		}
		ds = append(ds, schema.Decl{Type: m.Result, What: m, Tier: tier})
	}
	return ds
}

// partial declares Partial builders, as a property does.
func partial(t *testing.T, fs ...any) []schema.Decl {
	ds := found(t, fs...)
	for i := range ds {
		ds[i].What = ds[i].What.(*schema.Func).Asked()
	}
	return ds
}

// Builders of T and of *T make values of both types.
func TestFamily(t *testing.T) {
	type both struct {
		V bag
		P *bag
	}
	join := func(a, b []schema.Decl) []schema.Decl { return append(a, b...) }
	for name, ds := range map[string][]schema.Decl{
		"declared":            local(t, newBag, (*bag).add),
		"found":               found(t, newBag, (*bag).add),
		"partial":             join(local(t, newBag), partial(t, (*bag).add)),
		"both partial":        partial(t, newBag, (*bag).add),
		"constructor for all": join(global(t, newBag), local(t, (*bag).add)),
	} {
		most := [4]int{}
		values(t, ds, 500, func(in *both, ok bool) {
			if !ok || in.P == nil || !in.V.ok(0) || !in.P.ok(0) {
				t.Fatalf("%s: %v, %+v", name, ok, in)
			}
			most[0], most[1] = max(most[0], in.V.n), max(most[1], in.P.n)
		})
		values(t, ds, 500, func(v *bag, ok bool) { most[2] = max(most[2], v.n) })
		values(t, ds, 500, func(v **bag, ok bool) { most[3] = max(most[3], (*v).n) })
		for _, n := range most {
			if n < 3 {
				t.Errorf("%s: at most %v numbers in V, P, a value alone and a pointer alone", name, most)
				break
			}
		}
	}
}

// ctors returns the functions that make a type.
func ctors(t *testing.T, typ reflect.Type, ds []schema.Decl) (names []string) {
	t.Helper()
	w, err := schema.Derive(typ, ds)
	if err != nil {
		t.Fatal(err)
	}
	if w.Root.Kind != schema.Made {
		return nil
	}
	for _, c := range w.Root.Ctors {
		name := c.Name[len("schema_test."):]
		switch {
		case schema.Is[schema.Start](c.Func):
			name = "zero"
		case c.Func.Via == schema.Ref:
			name = "&" + name
		case c.Func.Via == schema.Deref:
			name = "*" + name
		}
		names = append(names, name)
	}
	return names
}

// Which builders make a value, and which make a pointer.
func TestFamilyTiers(t *testing.T) {
	join := func(a, b []schema.Decl) []schema.Decl { return append(a, b...) }
	for _, c := range []struct {
		name           string
		ds             []schema.Decl
		value, pointer []string
	}{
		{"both found", found(t, newBag, loadBag, (*bag).add), []string{"newBag", "*loadBag", "*(*bag).add"}, []string{"loadBag", "(*bag).add", "&newBag"}},
		{"only values", found(t, newBag, someBag), []string{"newBag", "someBag"}, nil},
		{"only methods", found(t, (*bag).add), []string{"zero", "*(*bag).add"}, []string{"zero", "(*bag).add"}},
		{"a declared value replaces found ones", join(found(t, someBag, (*bag).add), global(t, newBag)),
			[]string{"newBag"}, []string{"(*bag).add", "&newBag"}},
		{"a declared pointer replaces found ones", join(found(t, someBag, (*bag).add), global(t, loadBag)), []string{"*loadBag"}, []string{"loadBag"}},
		{"the property replaces the values of all", join(global(t, newBag), local(t, loadBag)),
			[]string{"newBag", "*loadBag"}, []string{"loadBag"}},
		{"the property replaces the pointers of all", join(global(t, loadBag), local(t, newBag)),
			[]string{"newBag"}, []string{"loadBag", "&newBag"}},
	} {
		if got := ctors(t, reflect.TypeFor[bag](), c.ds); !reflect.DeepEqual(got, c.value) {
			t.Errorf("%s: values %q, want %q", c.name, got, c.value)
		}
		if got := ctors(t, reflect.TypeFor[*bag](), c.ds); !reflect.DeepEqual(got, c.pointer) {
			t.Errorf("%s: pointers %q, want %q", c.name, got, c.pointer)
		}
	}
}

// A type that is not a struct has methods too.
func TestFamilyOfSlice(t *testing.T) {
	longest := 0
	values(t, local(t, newNumbers, (*numbers).push), 500, func(ns *numbers, ok bool) {
		longest = max(longest, len(*ns))
		if (*ns)[0] != 1 {
			t.Fatalf("%v", *ns)
		}
	})
	if longest < 4 {
		t.Errorf("the longest has %d", longest)
	}
}

type shelf struct{ bags []*bag }

func newShelf(b *bag) *shelf { return &shelf{[]*bag{b}} }

// A function whose argument is made by methods alone is used: the zero value ends the recursion.
func TestFoundFromMethods(t *testing.T) {
	got := ctors(t, reflect.TypeFor[*shelf](), found(t, newShelf, (*bag).add))
	if !reflect.DeepEqual(got, []string{"newShelf"}) {
		t.Errorf("got %q", got)
	}
}
