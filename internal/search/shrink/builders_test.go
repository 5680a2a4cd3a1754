//go:build go1.25

package shrink_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

type meter struct {
	n    int
	unit string
}

func newMeter(n int, unit string) *meter { return &meter{n, unit} }
func (m *meter) nop()                    {}
func (m *meter) label(s string)          { m.unit += s }

// A value is made by builders of pointers. Calls of methods that do not matter are removed, also
// the last one.
func TestShrinkBuilders(t *testing.T) {
	type input struct {
		V meter
		P *meter
	}
	for name, decls := range map[string][]schema.Decl{
		"declared": builders(t, schema.Local, newMeter, (*meter).nop, (*meter).label),
		"found":    builders(t, schema.Found, newMeter, (*meter).nop, (*meter).label),
	} {
		for _, c := range []struct {
			fails func(input) bool
			want  string
		}{
			{func(in input) bool { return in.V.n > 50 }, `input{V: *newMeter(51, ""), P: newMeter(0, "")}`},
			{func(in input) bool { return in.P.n > 50 }, `input{V: *newMeter(0, ""), P: newMeter(51, "")}`},
			{func(in input) bool { return in.V.unit != "" }, `input{V: *newMeter(0, "a"), P: newMeter(0, "")}`},
		} {
			shrinksTo(t, name, decls, c.fails, c.want)
		}
	}
}

type dial struct{ n, color int }

func newDial(n int) dial        { return dial{n, 0} }
func (d *dial) nop()            {}
func (d *dial) paint(color int) { d.color = color }

// The first value of the calls is not a pointer.
func TestShrinkValueBuilders(t *testing.T) {
	type input struct {
		V dial
		P *dial
	}
	for name, decls := range map[string][]schema.Decl{
		"declared": builders(t, schema.Local, newDial, (*dial).nop, (*dial).paint),
		"found":    builders(t, schema.Found, newDial, (*dial).nop, (*dial).paint),
	} {
		shrinksTo(t, name, decls, func(in input) bool { return in.V.n > 50 }, `input{V: newDial(51), P: &[]dial{newDial(0)}[0]}`)
		shrinksTo(t, name, decls, func(in input) bool { return in.P.n > 50 }, `input{V: newDial(0), P: &[]dial{newDial(51)}[0]}`)
	}
}

func builders(t *testing.T, tier schema.Tier, fs ...any) (ds []schema.Decl) {
	t.Helper()
	for _, f := range fs {
		m, err := schema.NewFunc(f)
		if tier == schema.Found {
			m, err = schema.NewFound("", f, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		ds = append(ds, schema.Decl{Type: m.Result, What: m, Tier: tier})
	}
	return ds
}

// shrinksTo shrinks generated values that fail, and compares the results with one text.
func shrinksTo[In any](t *testing.T, name string, decls []schema.Decl, fails func(In) bool, want string) {
	t.Helper()
	typ := reflect.TypeFor[In]()
	w := derive(t, typ, decls)
	b := schema.NewBuilder(w)
	failing := func(x term.Term) bool {
		v := reflect.New(typ)
		return b.Build(x, v.UnsafePointer()) && fails(v.Elem().Interface().(In))
	}
	g, tried := gen.New(w), 0
	for i := uint64(0); i < 5000 && tried < 20; i++ {
		x := g.Term(rng.At(1, i), 20)
		if !failing(x) {
			continue
		}
		tried++
		least, _ := shrink.Minimise(shrink.Config{World: w, Fails: failing}, x)
		got := codec.Print(w, least, codec.Style{Pkg: reflect.TypeFor[meter]().PkgPath(), Case: true}).Expr
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
			return
		}
	}
	if tried < 20 {
		t.Errorf("%s: only %d values failed, want %s", name, tried, want)
	}
}
