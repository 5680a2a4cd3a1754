//go:build go1.25

package mutate

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

var everything = Config{Kinds: ^Kind(0), Samples: 2, Size: 5, NeighboursMax: 2, FragmentsMax: 2, DictionaryMax: 3}

// drain returns the mutants of a batch as text.
func drain(m *Mutator, b *Batch) (all []string) {
	for u, ok := m.Next(b); ok; u, ok = m.Next(b) {
		all = append(all, fmt.Sprint(u))
	}
	return all
}

// Many batches may be in progress at once, in any order: each makes the same
// mutants as it would alone, in the same order.
func TestBatchesTakeTurns(t *testing.T) {
	for _, a := range animals() {
		w := derive(t, a.Type, a.Decls)
		g := gen.New(w)
		m, alone := New(w, everything), New(w, everything)
		var bs []Batch
		var want, got [][]string
		for run := range uint64(4) {
			parent := g.Term(rng.At(2, run), 3).Clone()
			if len(parent) > 60 {
				continue
			}
			bs = append(bs, m.Batch(parent, run))
			b := alone.Batch(parent, run)
			want = append(want, drain(alone, &b))
		}
		got = make([][]string, len(bs))
		r := rng.New(5)
		for left := len(bs); left > 0; {
			i := r.Below(len(bs))
			if bs[i].Exhausted() {
				continue
			}
			if u, ok := m.Next(&bs[i]); ok {
				got[i] = append(got[i], fmt.Sprint(u))
			} else {
				left--
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: other mutants than alone", a.Name)
		}
	}
}

// Deferred mutants are taken back, come after all others, and are made in the
// end: all of them, once, however often they are deferred.
func TestDefer(t *testing.T) {
	for _, a := range animals() {
		w := derive(t, a.Type, a.Decls)
		parent := gen.New(w).Term(rng.At(2, 9), 4).Clone()
		if len(parent) > 100 {
			continue
		}
		m := New(w, everything)
		whole := m.Batch(parent, 1)
		left := map[string]bool{}
		for _, u := range drain(m, &whole) {
			left[u] = true
		}
		b := m.Batch(parent, 1)
		r := rng.New(3)
		for odds := 2; !b.Exhausted(); odds++ { // ever fewer, so that it ends
			for u, ok := m.Next(&b); ok; u, ok = m.Next(&b) {
				if r.OneIn(odds) {
					b.Defer()
					continue
				}
				if key := fmt.Sprint(u); !left[key] {
					t.Fatalf("%s: made twice, or unknown: %s", a.Name, key)
				} else {
					delete(left, key)
				}
			}
			b.Revive()
		}
		if len(left) > 0 {
			t.Errorf("%s: %d mutants were lost", a.Name, len(left))
		}
	}
}

// Next defers places whose key is dead, and Random avoids them.
func TestDead(t *testing.T) {
	w, u := read(t, &shrub{leaf(1), 2, leaf(3)})
	m := New(w, Config{Kinds: Pure | Sampled, Samples: 1, Size: 5})
	number := uint64(0) // the key of the numbers, which are all alike
	keys := map[uint64]int{}
	all := m.Batch(u, 1)
	for x, ok := m.Next(&all); ok; x, ok = m.Next(&all) {
		if keys[x.Key]++; x.Kind == Sampled {
			number = x.Key
		}
	}
	m.Dead = func(key uint64) bool { return key == number }
	b := m.Batch(u, 1)
	for x, ok := m.Next(&b); ok; x, ok = m.Next(&b) {
		if x.Key == number {
			t.Fatal("a dead place was not deferred")
		}
	}
	if !b.Deferred() || b.Exhausted() {
		t.Fatal("the dead places were lost")
	}
	b.Revive()
	late := drain(m, &b)
	if len(late) != keys[number] || !b.Exhausted() {
		t.Errorf("%d mutants after Revive, want %d", len(late), keys[number])
	}
	r := rng.New(1)
	dead := 0
	for range 1000 {
		if x, ok := m.Random(u, &r); ok && x.Key == number {
			dead++
		}
	}
	if dead == 0 || dead > 100 {
		t.Errorf("%d of 1000 random mutants are at dead places", dead)
	}
}

// Keys distinguish exactly the positions that the search should distinguish.
func TestKeys(t *testing.T) {
	key := func(v any, pos int, plain bool) uint64 {
		w, u := read(t, v)
		m := New(w, Config{Kinds: Pure | Mirror})
		m.look(u, draw{})
		m.maker.scene.parent.reach(pos)
		m.maker.mirrored = !plain
		return m.maker.key(pos)
	}
	tree := &shrub{&shrub{leaf(1), 2, nil}, 3, leaf(4)}
	deck := []*card{{3, true, nil}, {3, true, nil}, {5, true, nil}}
	pair := pairOf[[]int8]{[]int8{1}, []int8{1}}
	num := zoo.Num{}
	exprs := []zoo.Expr{zoo.Add{L: num, R: num}, zoo.Mul{L: num, R: num}}
	for _, c := range []struct {
		name string
		same bool
		a, b uint64
	}{
		{"numbers of all nodes", true, key(tree, 4, true), key(tree, 6, true)},
		{"a node and a number", false, key(tree, 1, true), key(tree, 6, true)},
		{"fields of different constructors", false, key(exprs, 2, true), key(exprs, 7, true)},
		{"elements of a list", true, key(deck, 1, true), key(deck, 5, true)},
		{"fields beside the same enum value", true, key(deck, 3, true), key(deck, 7, true)},
		{"fields beside different enum values", false, key(deck, 3, true), key(deck, 11, true)},
		{"the enum itself, with no other enum beside it", true, key(deck, 2, true), key(deck, 10, true)},
		{"fields", false, key(pair, 1, true), key(pair, 3, true)},
		{"mirrored and not", false, key(pair, 1, true), key(pair, 1, false)},
	} {
		if (c.a == c.b) != c.same {
			t.Errorf("%s: same is %v", c.name, c.a == c.b)
		}
	}
}

// Random makes only mutants of the batch, and in the long run all of them.
func TestRandomReachesAll(t *testing.T) {
	for _, v := range []any{&shrub{leaf(1), 2, nil}, []int8{1, 2, 3}, map[int8]bool{1: true, 2: false}, pairOf[[]bool]{[]bool{true}, []bool{true}}} {
		w, u := read(t, v)
		m := New(w, Config{Kinds: Pure | Lists | Mirror})
		left := map[string]bool{}
		b := m.Batch(u, 1)
		for x, ok := m.Next(&b); ok; x, ok = m.Next(&b) {
			left[show(w, x.Term, 0)] = false
		}
		r := rng.New(1)
		for range 5000 {
			x, ok := m.Random(u, &r)
			if !ok {
				continue // numbers have no mutants of these kinds, and it drew only positions of numbers
			}
			if _, known := left[show(w, x.Term, 0)]; !known {
				t.Fatalf("%s: no mutant", show(w, x.Term, 0))
			}
			left[show(w, x.Term, 0)] = true
		}
		for text, met := range left {
			if !met {
				t.Errorf("%v: never met %s", show(w, u, 0), text)
			}
		}
	}
}

// The results of Havoc are valid terms of the type, do not touch
// the parent, and are the same from the same streams.
func TestRandomLaws(t *testing.T) {
	for _, a := range animals() {
		w := derive(t, a.Type, a.Decls)
		g := gen.New(w)
		m, n := New(w, everything), New(w, everything)
		for run := range uint64(200) {
			parent := g.Term(rng.At(4, run), int(run)%12).Clone()
			kept := parent.Clone()
			r, s := rng.New(run), rng.New(run)
			x, y := m.Havoc(parent, 4, &r), n.Havoc(parent, 4, &s)
			if err := valid(w, x); err != nil {
				t.Fatalf("%s: %v", a.Name, err)
			}
			if !term.Equal(x, y) {
				t.Fatalf("%s: two terms from one stream", a.Name)
			}
			if !term.Equal(parent, kept) {
				t.Fatalf("%s: the parent was written to", a.Name)
			}
		}
	}
}

// Candidates from the caller may be out of range, or known already.
func TestGiftsAreChecked(t *testing.T) {
	w, u := read(t, zoo.Percent(50))
	m := New(w, Config{Kinds: Dictionary, DictionaryMax: 2})
	m.Dictionary = func(s *schema.Schema, now term.Term) (all []term.Term) {
		for _, x := range []uint64{101, 50, 7, 7, 8, 9} {
			all = append(all, term.Term{{S: s.ID, N: 1, X: x}})
		}
		return all
	}
	b := m.Batch(u, 1)
	got := ""
	for x, ok := m.Next(&b); ok; x, ok = m.Next(&b) {
		got += show(w, x.Term, 0) + " "
	}
	if got != "7 8 " {
		t.Errorf("got %s", got)
	}
}
