//go:build go1.25

package mutate

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/text"
)

func derive(t testing.TB, typ reflect.Type, decls []schema.Decl) *schema.World {
	t.Helper()
	w, err := schema.Derive(typ, decls)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// randomType makes a random type.
func randomType(r *rng.Rand, depth int) reflect.Type {
	leaves := []reflect.Type{reflect.TypeFor[int8](), reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[float32](),
		reflect.TypeFor[*zoo.Tree](), reflect.TypeFor[zoo.Expr](), reflect.TypeFor[zoo.Level](), reflect.TypeFor[zoo.Percent](),
		reflect.TypeFor[zoo.Stack](), reflect.TypeFor[rose](), reflect.TypeFor[[]byte](), reflect.TypeFor[*bush]()}
	keys := []reflect.Type{reflect.TypeFor[int8](), reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[zoo.Point]()}
	if depth == 0 {
		return leaves[r.Below(len(leaves))]
	}
	switch r.Below(8) {
	case 0:
		return reflect.SliceOf(randomType(r, depth-1))
	case 1:
		return reflect.PointerTo(randomType(r, depth-1))
	case 2:
		return reflect.ArrayOf(1+r.Below(6), randomType(r, depth-1))
	case 3:
		return reflect.MapOf(keys[r.Below(len(keys))], randomType(r, depth-1))
	case 4, 5:
		half := randomType(r, depth-1)
		return reflect.StructOf([]reflect.StructField{{Name: "A", Type: half}, {Name: "B", Type: half}})
	}
	var fields []reflect.StructField
	for i := range 1 + r.Below(4) {
		fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i), Type: randomType(r, depth-1)})
	}
	return reflect.StructOf(fields)
}

type rose []rose

type bush struct {
	Name string
	Kids []*bush
	Side struct{ Left, Right *bush }
}

// animals returns the types of the zoo and as many random ones.
func animals() []zoo.Animal {
	all := zoo.All()
	r := rng.New(7)
	for i := range 40 {
		all = append(all, zoo.Animal{Name: fmt.Sprint("random", i), Type: randomType(&r, 1+i%3), Decls: append(zoo.Decls(), enumDecl)})
	}
	for _, expr := range []string{`(a|ab)(c|bcd)`, `((a?b){1,3}|c*)+`, `x{5}[yz]{2,}`, `(\d+)\.(\d+)(-(\d+|[a-b]+))?`, `\ba.*\b`} {
		m, err := schema.NewMatch(expr)
		if err != nil {
			panic(err)
		}
		decl := schema.Decl{Type: reflect.TypeFor[string](), What: m}
		for _, typ := range []reflect.Type{decl.Type, reflect.TypeFor[[2]string](), reflect.TypeFor[map[string]string]()} {
			all = append(all, zoo.Animal{Name: expr + typ.String(), Type: typ, Decls: []schema.Decl{decl}})
		}
	}
	return all
}

var enumDecl = schema.Decl{Type: reflect.TypeFor[zoo.Color](), What: schema.Likely{All: []reflect.Value{reflect.ValueOf(zoo.Red), reflect.ValueOf(zoo.Black)}}, Tier: schema.Global}

// For every type, term and set of kinds: no mutant is made twice, none is the
// parent, each is a valid term of the type, and together they are exactly those
// that the slow twin finds. Interrupting the batch changes nothing.
func TestEveryMutantOnce(t *testing.T) {
	const all = Pure | Lists
	kinds := []Kind{Pure, all | Mirror, all | Sampled, Pure | Filled, all | Filled | Mirror, all | Fragments, ^Kind(0), ^Mirror, Pure | Nested, all | Nested | Mirror}
	terms := uint64(14)
	if testing.Short() {
		terms = 3
	}
	for _, a := range animals() {
		w := derive(t, a.Type, a.Decls)
		g := gen.New(w)
		for seed := range terms {
			parent := g.Term(rng.At(seed, 1), int(seed)%7).Clone()
			if len(parent) > 120 {
				continue
			}
			k := kinds[seed%uint64(len(kinds))]
			t.Run(fmt.Sprint(a.Name, "/", seed), func(t *testing.T) { law(t, w, parent, k, seed) })
		}
	}
}

// waysAll is more ways than the twin could build.
const waysAll = 1 << 20

func law(t *testing.T, w *schema.World, parent term.Term, k Kind, seed uint64) {
	c := Config{Kinds: k, Samples: 2, Size: 5, NeighboursMax: 2, FragmentsMax: 1 << 20, DictionaryMax: 3, WaysMax: waysAll}
	if seed%4 == 3 {
		c.UnitsMax = len(parent) + 1
	}
	m := New(w, c)
	m.Fragments = fragmentsOf(w, parent, seed)
	m.Dictionary = func(s *schema.Schema, now term.Term) []term.Term { return []term.Term{s.Least, now} }
	m.Supply = func(*schema.Schema) text.Supply { return text.Supply{Letters: []string{"."}, Words: []string{"ab"}} }
	if k&Mirror != 0 {
		parent = twinned(m, parent, int(seed/2%3))
	}
	agree(t, m, parent, seed)
}

// agree compares a batch with the twin.
func agree(t *testing.T, m *Mutator, parent term.Term, seed uint64) {
	t.Helper()
	w := m.maker.scene.parent.world
	b := m.Batch(parent, seed)
	m.look(parent, draw{int(b.samples), int(b.size), rng.From(b.seed)})
	if waysOf(m) > 3000 {
		t.Skip("too many ways for the twin")
	}
	want := naively(m)
	got := map[string]Mutant{}
	r := rng.New(seed)
	other := New(w, m.Config)
	other.Fragments, other.Dictionary, other.Supply = m.Fragments, m.Dictionary, m.Supply
	for {
		if r.OneIn(4) {
			m.Random(parent, &r) // use the mutator for something else in between
		}
		next := m
		if r.OneIn(2) {
			next = other // a mutator of the same configuration can go on with the batch
		}
		u, ok := next.Next(&b)
		if !ok {
			break
		}
		key := fmt.Sprint(u.Term)
		if err := valid(w, u.Term); err != nil {
			t.Fatalf("%+v is not a valid term: %v", u, err)
		}
		if old, twice := got[key]; twice {
			t.Fatalf("twice: %s\nfirst at %d of kind %d, now at %d of kind %d\nparent %v", key, old.Pos, old.Kind, u.Pos, u.Kind, parent)
		}
		if want[key] == nil {
			t.Fatalf("the twin has no %s\nat %d of kind %d\nparent %v", key, u.Pos, u.Kind, parent)
		}
		u.Term = nil
		got[key] = u
	}
	for key := range want {
		if _, ok := got[key]; !ok {
			t.Fatalf("missing, %d of %d: %s\nparent %v", len(want)-len(got), len(want), key, parent)
		}
	}
	if !b.Exhausted() || b.WaysCut > 0 || (b.TooLarge > 0 && m.UnitsMax == 0) {
		t.Fatalf("exhausted %v, %d ways cut, %d too large", b.Exhausted(), b.WaysCut, b.TooLarge)
	}
}

// A term that is a fill in one half may be supplied by the caller for both: if
// the halves differ elsewhere, only the caller's candidate changes both.
func TestGiftInHalvesThatDiffer(t *testing.T) {
	half := func(k int8) *shrub { return &shrub{leaf(1), k, leaf(2)} }
	w, parent := read(t, pairOf[*shrub]{half(5), half(6)})
	_, gift := read(t, pairOf[*shrub]{leaf(2), nil})
	m := New(w, Config{Kinds: Pure | Fragments | Mirror, FragmentsMax: 1})
	m.Fragments = func(s *schema.Schema) []term.Term {
		if s.ID == gift[1].S {
			return []term.Term{gift.Sub(1)}
		}
		return nil
	}
	agree(t, m, parent, 1)
}

// waysOf returns a bound on the ways to fill constructors at any position.
func waysOf(m *Mutator) (most int) {
	f := newFrame(&m.maker.scene)
	for pos := range m.maker.scene.parent.t.Nodes() {
		for f.start(pos, own); f.next(); {
			if w, ok := f.source.(*ways); ok {
				most = max(most, w.tried)
			}
			if most > 3000 {
				return most
			}
		}
	}
	return most
}

// twinned makes both halves of the parent equal, if it has halves, except for a
// few changes.
func twinned(m *Mutator, parent term.Term, changes int) term.Term {
	m.look(parent, draw{})
	pair := &m.maker.scene.parent.pair
	if pair.at < 0 {
		return parent
	}
	r := rng.New(uint64(changes))
	parent = term.Replace(nil, parent, pair.halves[1], parent.Sub(pair.halves[0]))
	return m.Havoc(parent, changes, &r).Clone()
}

// fragmentsOf returns the subterms of another term.
func fragmentsOf(w *schema.World, parent term.Term, seed uint64) func(*schema.Schema) []term.Term {
	bySchema := map[uint16][]term.Term{}
	for _, u := range []term.Term{gen.New(w).Term(rng.At(seed, 2), 4).Clone(), parent} {
		for i := range u.Nodes() {
			if len(bySchema[u[i].S]) < 4 {
				bySchema[u[i].S] = append(bySchema[u[i].S], u.Sub(i))
			}
		}
	}
	return func(s *schema.Schema) []term.Term { return bySchema[s.ID] }
}

// valid is the slow check that t is a term that the generator could make.
func valid(w *schema.World, t term.Term) error {
	end, err := validAt(w, w.Root, t, 0)
	if err == nil && end != len(t) {
		err = fmt.Errorf("%d units behind the term", len(t)-end)
	}
	return err
}

func validAt(w *schema.World, s *schema.Schema, t term.Term, at int) (end int, err error) {
	if at >= len(t) || t[at].S != s.ID {
		return 0, fmt.Errorf("unit %d is not a %v", at, s.Type)
	}
	n := t[at]
	fields, ok := validNode(s, n)
	if !ok {
		return 0, fmt.Errorf("unit %d (%v): C is %d and X %d", at, s.Type, n.C, n.X)
	}
	end = at + 1
	if n.C == term.Raw {
		end += term.RawUnits(int(n.X))
		if want := term.AppendRaw(nil, n.S, t.Bytes(at)); !term.Equal(want, t[at:end]) {
			return 0, fmt.Errorf("unit %d: nonzero padding after the bytes", at)
		}
		if s.Kind == schema.Block && !s.ItemsFit(t.Bytes(at)) {
			return 0, fmt.Errorf("unit %d: %v is not an array of %v", at, t.Bytes(at), s.Elem.Type)
		}
	}
	var last term.Term
	for i, f := range fields {
		start := end
		if end, err = validAt(w, f, t, end); err != nil {
			return 0, err
		}
		if s.Kind == schema.Map && i%2 == 0 {
			if last != nil && w.Compare(last, t[start:end]) >= 0 {
				return 0, fmt.Errorf("unit %d: keys do not ascend", start)
			}
			last = t[start:end]
			odd := false
			w.EachFloat(last, func(x uint64) uint64 {
				f := math.Float64frombits(x)
				odd = odd || f != f || f == 0 && math.Signbit(f)
				return x
			})
			if odd {
				return 0, fmt.Errorf("unit %d: NaN or -0 in a key", start)
			}
		}
	}
	if int(n.N) != end-at {
		return 0, fmt.Errorf("unit %d: N is %d, want %d", at, n.N, end-at)
	}
	return end, nil
}

// validNode checks one node and returns the schemas of what must follow it.
func validNode(s *schema.Schema, n term.Node) (fields []*schema.Schema, ok bool) {
	switch s.Kind {
	case schema.Scalar:
		return nil, n.C == 0 && s.In(n.X)
	case schema.String:
		return nil, n.C == term.Raw
	case schema.Bytes:
		return nil, n.C == term.Raw || n.C == 0 && n.X == 0
	case schema.Block:
		return nil, n.C == term.Raw && n.X == uint64(s.Type.Size())
	case schema.Slice, schema.Map, schema.Array:
		for range n.X {
			if s.Kind == schema.Map {
				fields = append(fields, s.Key)
			}
			fields = append(fields, s.Elem)
		}
		if s.Kind == schema.Array {
			return fields, n.C == 0 && int(n.X) == s.Len
		}
		return fields, (n.C == 1 || n.C == 0 && n.X == 0 && s.LenMax == 0) && s.FitsLen(int(n.X))
	}
	if int(n.C) < s.First() || int(n.C) >= len(s.Ctors) || n.X != 0 {
		return nil, false
	}
	for _, f := range s.Ctors[n.C].Fields {
		fields = append(fields, f.S)
	}
	return fields, true
}
