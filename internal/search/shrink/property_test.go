//go:build go1.25

package shrink

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

type predicate struct {
	name  string
	fails func(term.Term) bool
}

// predicates returns conditions for failure that do not depend on the type and that
// start satisfies. Each restricts the shrinker in a different way: by a size, by a
// subterm that must stay, or by a class of values without any order.
func predicates(w *schema.World, start term.Term, r rng.Rand) []predicate {
	cells, nodes := w.Cells(start), weigh(w, start).nodes
	keep := 1 + r.Below(cells+1)
	pos := 0
	for i := range start.Nodes() {
		if r.OneIn(3) {
			pos = i
		}
	}
	kept := start.Sub(pos).Clone()
	odd := oddScalars(w, start)
	return []predicate{
		{"anything", func(term.Term) bool { return true }},
		{"only itself", func(t term.Term) bool { return term.Equal(t, start) }},
		{"cells", func(t term.Term) bool { return w.Cells(t) >= min(keep, cells) }},
		{"nodes", func(t term.Term) bool { return weigh(w, t).nodes >= nodes/2 }},
		{"odd scalars", func(t term.Term) bool { return oddScalars(w, t) >= (odd+1)/2 }},
		{"a subterm", func(t term.Term) bool { return holds(t, kept) }},
		{"a hash", func(t term.Term) bool { return term.Equal(t, start) || term.Hash(t)%3 == 0 }},
	}
}

func holds(t, sub term.Term) bool {
	for i := range t.Nodes() {
		if term.Equal(t.Sub(i), sub) {
			return true
		}
	}
	return false
}

func oddScalars(w *schema.World, t term.Term) (n int) {
	for i := range t.Nodes() {
		if w.Of(t[i]).Kind == schema.Scalar && t[i].X&1 == 1 {
			n++
		}
	}
	return n
}

// For every type and every predicate, the result of Minimise fails, is not above the
// start, is the same the second time, and cannot be shrunk further. Every candidate
// is a valid term of the type.
func TestEveryType(t *testing.T) {
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for _, a := range zoo.All() {
		w, err := schema.Derive(a.Type, a.Decls)
		if err != nil {
			t.Fatal(err)
		}
		g := gen.New(w)
		for seed := range seeds {
			start := g.Term(rng.At(seed, 1), 2+5*int(seed)).Clone()
			for _, p := range predicates(w, start, rng.At(seed, 2)) {
				t.Run(fmt.Sprint(a.Name, "/", p.name, "/", seed), func(t *testing.T) { law(t, w, start, p.fails) })
			}
		}
	}
}

func law(t *testing.T, w *schema.World, start term.Term, fails func(term.Term) bool) {
	var problem error
	c := Config{World: w, RunsMax: 2000, Fails: func(c term.Term) bool {
		if err := valid(w, c); problem == nil {
			problem = err
		}
		return fails(c)
	}}
	untouched := start.Clone()
	least, runs := Minimise(c, start)
	switch {
	case problem != nil:
		t.Fatalf("a candidate is not a valid term: %v", problem)
	case !term.Equal(start, untouched):
		t.Fatal("Minimise changed the start")
	case !fails(least):
		t.Fatal("the result does not fail")
	case compare(w, least, start) > 0:
		t.Fatal("the result is above the start")
	case runs > c.RunsMax:
		t.Fatalf("%d runs", runs)
	}
	if again, n := Minimise(c, start); !term.Equal(again, least) || n != runs {
		t.Fatalf("a different result the second time, after %d runs and %d", runs, n)
	}
	if further, _ := Minimise(c, least); runs < c.RunsMax && !term.Equal(further, least) {
		t.Fatalf("the result after %d runs can be shrunk further", runs)
	}
}

// valid is the slow check that t is a term of the root of w.
func valid(w *schema.World, t term.Term) error {
	end, err := validAt(w, w.Root, t, 0)
	if err == nil && end != len(t) {
		err = fmt.Errorf("%d units after the term", len(t)-end)
	}
	return err
}

func validAt(w *schema.World, sc *schema.Schema, t term.Term, at int) (end int, err error) {
	if at >= len(t) {
		return 0, fmt.Errorf("unit %d is missing", at)
	}
	n := t[at]
	if n.S != sc.ID {
		return 0, fmt.Errorf("unit %d: schema %d, want %d (%v)", at, n.S, sc.ID, sc.Type)
	}
	fields, err := validNode(sc, t, at)
	if err != nil {
		return 0, fmt.Errorf("unit %d (%v): %w", at, sc.Type, err)
	}
	end = at + 1
	if n.C == term.Raw {
		end += term.RawUnits(int(n.X))
	}
	var last term.Term
	for i, f := range fields {
		start := end
		if end, err = validAt(w, f, t, end); err != nil {
			return 0, err
		}
		if sc.Kind == schema.Map && i%2 == 0 {
			if last != nil && w.Compare(last, t[start:end]) >= 0 {
				return 0, fmt.Errorf("unit %d: keys do not ascend", start)
			}
			last = t[start:end]
			if err := validKey(w, last); err != nil {
				return 0, err
			}
		}
	}
	if int(n.N) != end-at {
		return 0, fmt.Errorf("unit %d: N is %d, want %d", at, n.N, end-at)
	}
	return end, nil
}

// validNode checks one node and returns the schemas of the terms that must follow it.
func validNode(sc *schema.Schema, t term.Term, at int) (fields []*schema.Schema, err error) {
	n := t[at]
	bad := func() ([]*schema.Schema, error) { return nil, fmt.Errorf("C is %d and X %d", n.C, n.X) }
	switch sc.Kind {
	case schema.Scalar:
		if n.C != 0 || !sc.In(n.X) {
			return bad()
		}
	case schema.String:
		if n.C != term.Raw {
			return bad()
		}
	case schema.Bytes:
		if n.C != term.Raw && (n.C != 0 || n.X != 0) {
			return bad()
		}
	case schema.Block:
		if n.C != term.Raw || !sc.ItemsFit(t.Bytes(at)) {
			return bad()
		}
	case schema.Slice, schema.Map, schema.Array:
		if n.C > 1 || n.C == 0 && sc.Kind != schema.Array && n.X > 0 || sc.Kind == schema.Array && (n.C > 0 || int(n.X) != sc.Len) {
			return bad()
		}
		for range n.X {
			if sc.Kind == schema.Map {
				fields = append(fields, sc.Key)
			}
			fields = append(fields, sc.Elem)
		}
	default:
		if int(n.C) < sc.First() || int(n.C) >= len(sc.Ctors) || n.X != 0 {
			return bad()
		}
		for _, f := range sc.Ctors[n.C].Fields {
			fields = append(fields, f.S)
		}
	}
	if n.C == term.Raw {
		padding := t[at+1 : at+int(n.N)]
		if want := term.AppendRaw(nil, n.S, t.Bytes(at)); !term.Equal(want[1:], padding) {
			return nil, fmt.Errorf("the padding after the bytes is not zero")
		}
	}
	return fields, nil
}

func validKey(w *schema.World, key term.Term) error {
	for i := range key.Nodes() {
		if f := math.Float64frombits(key[i].X); w.Of(key[i]).IsFloat() && (f != f || f == 0 && math.Signbit(f)) {
			return fmt.Errorf("%v in a key", f)
		}
	}
	return nil
}

// Shrinking a string of valid UTF-8 gives only candidates of valid UTF-8.
func TestTextsStayValid(t *testing.T) {
	w, err := schema.Derive(zoo.All()[11].Type, zoo.Decls())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"naïve 世界 🙂", "\uFFFD\U0010FFFF"} {
		start := w.Root.Least.Clone()
		start = rewrite(nil, start, []edit{{1, term.AppendRaw(nil, start[1].S, text)}})
		Minimise(Config{World: w, Fails: func(c term.Term) bool {
			for i := range c.Nodes() {
				if c[i].C == term.Raw && !utf8.Valid(c.Bytes(i)) {
					t.Errorf("%q from %q", c.Bytes(i), text)
				}
			}
			return len(c.Bytes(1)) > 3 && bytes.ContainsFunc(c.Bytes(1), func(r rune) bool { return r > 0x3000 })
		}}, start)
	}
}

// The order is total and strict: among any three terms there are no cycles.
func TestOrder(t *testing.T) {
	for _, a := range zoo.All() {
		w, err := schema.Derive(a.Type, a.Decls)
		if err != nil {
			t.Fatal(err)
		}
		g := gen.New(w)
		for run := range uint64(300) {
			var ts [3]term.Term
			for i := range ts {
				ts[i] = g.Term(rng.At(run, uint64(i)), 1+int(run)%3).Clone()
			}
			ab, bc, ac := compare(w, ts[0], ts[1]), compare(w, ts[1], ts[2]), compare(w, ts[0], ts[2])
			equal, symmetric := term.Equal(ts[0], ts[1]), ab == -compare(w, ts[1], ts[0])
			cycle := ab <= 0 && bc <= 0 && ac > 0 || ab >= 0 && bc >= 0 && ac < 0
			if equal != (ab == 0) || !symmetric || cycle {
				t.Fatalf("%s, run %d: %d %d %d", a.Name, run, ab, bc, ac)
			}
		}
	}
}

// The runs are counted and bounded, and nothing runs after Stop.
func TestBounds(t *testing.T) {
	w, err := schema.Derive(zoo.All()[5].Type, nil)
	if err != nil {
		t.Fatal(err)
	}
	start := gen.New(w).Term(rng.At(1, 1), 50).Clone()
	for _, c := range []struct{ runsMax, stopAt, want int }{{7, 100, 7}, {1, 100, 1}, {100, 12, 12}, {100, 0, 0}} {
		calls := 0
		_, runs := Minimise(Config{
			World: w, RunsMax: c.runsMax,
			Stop:  func() bool { return calls >= c.stopAt },
			Fails: func(term.Term) bool { calls++; return false },
		}, start)
		if runs != c.want || calls != c.want {
			t.Errorf("%+v: %d runs, %d calls", c, runs, calls)
		}
	}
}

// No term is run twice.
func TestNothingTwice(t *testing.T) {
	w, err := schema.Derive(zoo.All()[4].Type, zoo.Decls())
	if err != nil {
		t.Fatal(err)
	}
	start := gen.New(w).Term(rng.At(1, 1), 30).Clone()
	ran := map[string]bool{}
	Minimise(Config{World: w, Fails: func(c term.Term) bool {
		key := fmt.Sprint(c)
		if ran[key] {
			t.Fatalf("run twice: %s", key)
		}
		ran[key] = true
		return weigh(w, c).nodes > 15
	}}, start)
}

// Lists of lists are joined, including nil lists.
func TestListsOfLists(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[[][]int](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range [][][]int{{{1}, nil, {2, 3}, {}}, {{4, 5}, nil}, {nil, nil, {6}}, {{}, {}}} {
		start, err := w.Read(reflect.ValueOf(in))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range predicates(w, start, rng.At(1, uint64(len(in)))) {
			t.Run(fmt.Sprint(in, p.name), func(t *testing.T) { law(t, w, start, p.fails) })
		}
	}
}

// A nil in an interface that has variants may stay, but shrinking never puts one where
// there was none: the property would fail for another reason.
func TestNilStays(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[zoo.Expr](), zoo.Decls())
	if err != nil {
		t.Fatal(err)
	}
	var in zoo.Expr = zoo.Add{L: zoo.Mul{L: zoo.Num{V: 1}}, R: zoo.Num{V: 2}}
	start, err := w.Read(reflect.ValueOf(&in).Elem())
	if err != nil {
		t.Fatal(err)
	}
	Minimise(Config{World: w, Fails: func(c term.Term) bool {
		nils := 0
		for i := range c.Nodes() {
			if w.Of(c[i]) == w.Root && c[i].C == 0 {
				nils++
			}
		}
		if c[0].C == 0 || nils > 1 {
			t.Errorf("a candidate with %d nils: %v", nils, c)
		}
		return weigh(w, c).nodes > 2
	}}, start)
}
