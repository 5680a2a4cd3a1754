//go:build go1.25

package queue

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// slow is a list that is searched for its first item at every pop.
type slow struct {
	items [][2]int // priority, number
}

func (s *slow) pop() int {
	best := 0
	for i, x := range s.items {
		b := s.items[best]
		if x[0] < b[0] || x[0] == b[0] && x[1] > b[1] {
			best = i
		}
	}
	n := s.items[best][1]
	s.items = slices.Delete(s.items, best, best+1)
	return n
}

func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var q Queue[int]
	var s slow
	for i := range 5000 {
		if len(s.items) > 0 && r.IntN(5) < 2 {
			got := q.Top()
			q.Drop()
			if want := s.pop(); got != want {
				t.Fatalf("step %d: %d before %d", i, got, want)
			}
			continue
		}
		p := r.IntN(8)
		q.Push(i, p)
		s.items = append(s.items, [2]int{p, i})
		if q.Len() != len(s.items) {
			t.Fatalf("%d items, want %d", q.Len(), len(s.items))
		}
	}
}

// A full queue drops none of its best items.
func TestMax(t *testing.T) {
	q := Queue[int]{Max: 100}
	dropped := 0
	for i := range 1000 {
		if q.Push(i, i*7919%1000) {
			dropped++
		}
	}
	if q.Len() != 100 || dropped != 900 {
		t.Fatalf("%d items, %d dropped", q.Len(), dropped)
	}
	for want := range 50 {
		if got := q.Top() * 7919 % 1000; got != want {
			t.Fatalf("priority %d, want %d: a good one was dropped", got, want)
		}
		q.Drop()
	}
	q.Clear()
	if q.Len() != 0 {
		t.Error("not empty")
	}
}
