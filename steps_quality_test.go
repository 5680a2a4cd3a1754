//go:build go1.25

package allele

import (
	"strings"
	"testing"
)

// ringOf is the queue of the guide, which loses its order when it grows.
type ringOf struct {
	ring, want []int
	first, n   int
}

func (m *ringOf) Push(x int) {
	if m.n == len(m.ring) {
		bigger := make([]int, 2*m.n+1)
		copy(bigger, m.ring)
		m.ring = bigger
	}
	m.ring[(m.first+m.n)%len(m.ring)] = x
	m.n++
	m.want = append(m.want, x)
}

func (m *ringOf) CanPop() bool { return len(m.want) > 0 }

func (m *ringOf) Pop(t *T) {
	x := m.ring[m.first]
	m.first = (m.first + 1) % len(m.ring)
	m.n--
	if x != m.want[0] {
		t.Fatalf("got %d, want %d", x, m.want[0])
	}
	m.want = m.want[1:]
}

// stack16 fails when it has 16 elements, which Clear makes rare.
type stack16 struct{ n int }

func (m *stack16) Push(t *T) {
	if m.n++; m.n == 16 {
		t.Fatal("it is full")
	}
}
func (m *stack16) CanPop() bool { return m.n > 0 }
func (m *stack16) Pop()         { m.n-- }
func (m *stack16) Peek()        {}
func (m *stack16) Clear()       { m.n = 0 }

// Both are found and shrunk to the fewest calls, from every seed.
func TestStepsMinimal(t *testing.T) {
	for seed := range uint64(10) {
		for _, test := range []struct {
			check func(t testing.TB)
			calls int
		}{
			{func(t testing.TB) {
				Check(t, func(t *T, steps Steps[*ringOf]) { steps(t, &ringOf{}) }, Seed(seed), Range(0, 3))
			}, 9},
			{func(t testing.TB) { Check(t, func(t *T, steps Steps[*stack16]) { steps(t, &stack16{}) }, Seed(seed)) }, 16},
		} {
			r := record(t, "TestX", test.check)
			if n := strings.Count(r.text(), "\tm."); !r.failed || n != test.calls {
				t.Errorf("seed %d: %d calls, want %d:\n%s", seed, n, test.calls, r.text())
			}
		}
	}
}

// Lists have up to 50 calls, about half of that on average. About half of them use only some operations.
func TestStepsLists(t *testing.T) {
	lists, calls, longest, some := 0, 0, 0, 0
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, steps Steps[*tape]) {
			m := &tape{}
			steps(t, m)
			lists++
			calls += len(m.lines)
			longest = max(longest, len(m.lines))
			if text := strings.Join(m.lines, " "); len(m.lines) > 20 && !(strings.Contains(text, "None") && strings.Contains(text, "Word") &&
				strings.Contains(text, "Many") && strings.Contains(text, "Put")) {
				some++
			}
		}, Only[Steps[*tape]]("None", "Word", "Many", "Put"))
	})
	if mean := float64(calls) / float64(lists); mean < 22 || mean > 29 || longest != 50 {
		t.Errorf("%.1f calls on average, %d at most", mean, longest)
	}
	if some < 200 || some > 350 { // of about 600 long lists
		t.Errorf("%d of %d lists use only some operations", some, lists)
	}
}
