//go:build go1.25

package weight_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
)

// Types for random worlds: interfaces and made types that need a name.
type (
	i0 any
	i1 any
	i2 any
	i3 any
	i4 any
	i5 any
	i6 any
	i7 any
	b0 struct{ hidden int }
	b1 struct{ hidden int }
	b2 struct{ hidden int }
)

var (
	sums = []reflect.Type{reflect.TypeFor[i0](), reflect.TypeFor[i1](), reflect.TypeFor[i2](), reflect.TypeFor[i3](),
		reflect.TypeFor[i4](), reflect.TypeFor[i5](), reflect.TypeFor[i6](), reflect.TypeFor[i7]()}
	mades = []reflect.Type{reflect.TypeFor[b0](), reflect.TypeFor[b1](), reflect.TypeFor[b2]()}
)

// worlds makes random type graphs: interfaces with variants that need each other,
// pointers, structs, lists, arrays, maps, builders, functions that make interfaces,
// and patterns, all with random odds.
type worlds struct {
	r     rng.Rand
	sums  []reflect.Type
	mades []reflect.Type
	maps  bool
	tag   int
}

func randomWorld(t testing.TB, seed uint64) *schema.World {
	t.Helper()
	for try := range uint64(20) {
		g := &worlds{r: rng.At(seed, try)}
		g.sums, g.mades = sums[:1+g.r.Below(len(sums))], mades[:g.r.Below(len(mades)+1)]
		g.maps = g.r.OneIn(4)
		var decls []schema.Decl
		for _, s := range g.sums {
			decls = append(decls, schema.Decl{Type: s, What: schema.Variants(g.variants()), Tier: schema.Global})
		}
		for _, m := range g.mades {
			for range 1 + g.r.Below(3) {
				decls = append(decls, schema.Decl{Type: m, What: g.builder(m), Tier: schema.Global})
			}
		}
		w, err := schema.Derive(g.sums[0], decls)
		if err != nil {
			continue // a type without finite values
		}
		g.calls(w)
		g.patterns(w)
		g.odds(w)
		return w
	}
	t.Fatalf("seed %d: no world", seed)
	return nil
}

func (g *worlds) variants() []reflect.Type {
	var vs []reflect.Type
	for range 1 + g.r.Below(5) {
		g.tag++
		v := g.record(g.r.Below(4), 2)
		if g.r.OneIn(4) {
			v = reflect.PointerTo(v)
		}
		vs = append(vs, v)
	}
	return vs
}

// record is a struct of a type of its own.
func (g *worlds) record(fields, depth int) reflect.Type {
	var fs []reflect.StructField
	for i := range fields {
		fs = append(fs, reflect.StructField{Name: fmt.Sprintf("V%dF%d", g.tag, i), Type: g.field(depth)})
	}
	if len(fs) == 0 {
		fs = append(fs, reflect.StructField{Name: fmt.Sprintf("V%d", g.tag), Type: reflect.TypeFor[bool]()})
	}
	return reflect.StructOf(fs)
}

func (g *worlds) field(depth int) reflect.Type {
	k := g.r.Below(16)
	if depth == 0 && k >= 10 {
		k = g.r.Below(10)
	}
	switch {
	case k < 6:
		return g.sums[g.r.Below(len(g.sums))]
	case k < 8 && len(g.mades) > 0:
		return g.mades[g.r.Below(len(g.mades))]
	case k < 10:
		return []reflect.Type{reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[[]byte]()}[g.r.Below(4)]
	case k < 12:
		return reflect.PointerTo(g.field(depth - 1))
	case k < 14:
		return reflect.SliceOf(g.field(depth - 1))
	case k == 14 && g.maps:
		return reflect.MapOf(reflect.TypeFor[uint8](), g.field(depth-1))
	case k == 14:
		return reflect.ArrayOf(g.r.Below(3), g.field(depth-1))
	}
	g.tag++
	return g.record(1+g.r.Below(3), depth-1)
}

func (g *worlds) builder(made reflect.Type) *schema.Func {
	var args []reflect.Type
	for range g.r.Below(3) {
		args = append(args, g.field(1))
	}
	f := reflect.MakeFunc(reflect.FuncOf(args, []reflect.Type{made}, false), func([]reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.Zero(made)}
	})
	m, err := schema.NewFunc(f.Interface())
	if err != nil {
		panic(err)
	}
	return m
}

// calls makes functions the constructors of some of the interfaces.
func (g *worlds) calls(w *schema.World) {
	for _, s := range w.Schemas {
		if s.Kind != schema.Interface || len(s.Ctors) < 2 || !g.r.OneIn(3) {
			continue
		}
		made := &schema.Schema{ID: uint16(len(w.Schemas)), Kind: schema.Made, Type: s.Type}
		for i := range 1 + g.r.Below(2) {
			c := schema.Ctor{Name: fmt.Sprint("call", i)}
			for range g.r.Below(3) {
				c.Fields = append(c.Fields, schema.Field{S: w.Schemas[g.r.Below(int(made.ID))]})
			}
			made.Ctors = append(made.Ctors, c)
		}
		made.Ctors = append(made.Ctors, schema.Ctor{Name: "none"})
		made.MinCells, made.MaxCells = 1, schema.Unbounded
		w.Schemas = append(w.Schemas, made)
		s.Ctors = append(s.Ctors, schema.Ctor{Name: "call", Call: true, Fields: []schema.Field{{S: made}}})
	}
}

func (g *worlds) patterns(w *schema.World) {
	for _, s := range w.Schemas {
		if s.Kind == schema.Map || !g.r.OneIn(3) {
			continue
		}
		for i := range 1 + g.r.Below(3) {
			s.Patterns = append(s.Patterns, schema.Pattern{Name: fmt.Sprintf("f#%d", i), Shape: g.shape(s, 3)})
		}
	}
}

func (g *worlds) shape(s *schema.Schema, depth int) *schema.Shape {
	if depth == 0 || depth < 3 && g.r.OneIn(2) {
		return nil
	}
	sh := &schema.Shape{S: s}
	kids := func(n int, of func(int) *schema.Schema) {
		for i := range n {
			sh.Fields = append(sh.Fields, g.shape(of(i), depth-1))
		}
	}
	switch s.Kind {
	case schema.Scalar:
		sh.X = s.Simplest()
	case schema.String, schema.Bytes:
		sh.Text = "x"
	case schema.Slice:
		sh.C = 1
		kids(g.r.Below(3), func(int) *schema.Schema { return s.Elem })
	case schema.Array:
		kids(s.Len, func(int) *schema.Schema { return s.Elem })
	case schema.Map:
		return nil
	default:
		sh.C = s.First() + g.r.Below(len(s.Ctors)-s.First())
		fs := s.Ctors[sh.C].Fields
		kids(len(fs), func(i int) *schema.Schema { return fs[i].S })
	}
	return sh
}

// odds sets random odds: some schemas have none, and some odds are zero.
func (g *worlds) odds(w *schema.World) {
	for _, s := range w.Schemas {
		if g.r.OneIn(4) {
			s.Odds = nil
			continue
		}
		s.Odds = make([]float64, s.Ways())
		for k := range s.Odds {
			s.Odds[k] = math.Exp(4*float64(g.r.Uint64()>>11)/(1<<53) - 2)
			if g.r.OneIn(12) {
				s.Odds[k] = 0
			}
		}
	}
}
