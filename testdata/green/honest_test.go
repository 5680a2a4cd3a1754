package green

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele"
)

type node struct {
	L, R *node
	K    int
}

func (n *node) size() int {
	if n == nil {
		return 0
	}
	return 1 + n.L.size() + n.R.size()
}

func (n *node) ordered(lo, hi int) bool {
	return n == nil || lo < n.K && n.K < hi && n.L.ordered(lo, n.K) && n.R.ordered(n.K, hi)
}

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) add(k int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += k
}

type expr interface{ eval() int }

type num struct{ N int }

type sum struct{ L, R expr }

func (n num) eval() int { return n.N }
func (s sum) eval() int { return s.L.eval() + s.R.eval() }

type pair[A, B any] struct {
	A A
	B B
}

// percent returns an error for most numbers.
func percent(n int8) (pair[int8, bool], error) {
	if n < 0 || n > 100 {
		return pair[int8, bool]{}, errors.New("no percentage")
	}
	return pair[int8, bool]{n, true}, nil
}

func must(t *allele.T, ok bool) {
	t.Helper()
	if !ok {
		t.Error("wrong")
	}
}

// Properties that check something. None is called vacuous or stopped.
var honest = []struct {
	name string
	run  func(t *testing.T)
}{
	{"numbers", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, in struct{ A, B int }) { must(t, in.A+in.B == in.B+in.A) })
	}},
	{"texts", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, s string) { must(t, len(s+s) == 2*len(s)) })
	}},
	{"lists", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, l []int) { slices.Sort(l); must(t, slices.IsSorted(l)) })
	}},
	{"maps", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, m map[string]int) { clear(m); must(t, len(m) == 0) })
	}},
	{"bytes", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, b []byte) { must(t, bytes.Equal(b, bytes.Clone(b))) })
	}},
	{"floats", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, f float64) { must(t, f != f || f+0 == f) })
	}},
	{"complex numbers", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, c complex64) { must(t, c != c || c+0 == c) })
	}},
	{"trees", func(t *testing.T) { allele.Check(t, func(t *allele.T, n *node) { must(t, n.size() >= 0) }) }},
	{"interface with variants", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, e expr) { must(t, sum{e, num{0}}.eval() == e.eval()) }, allele.Variants[expr](num{}, sum{}))
	}},
	{"generic type", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, p pair[int, string]) { must(t, p == pair[int, string]{p.A, p.B}) })
	}},
	{"times", func(t *testing.T) { allele.Check(t, func(t *allele.T, at time.Time) { must(t, at.Equal(at.UTC())) }) }},
	{"durations", func(t *testing.T) { allele.Check(t, func(t *allele.T, d time.Duration) { must(t, d-d == 0) }) }},
	{"links", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, u *url.URL) { must(t, u == nil || u.String() == u.String()) })
	}},
	{"fractions", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, r *big.Rat) { must(t, r == nil || r.Cmp(r) == 0) })
	}},
	{"raw json", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, j json.RawMessage) { must(t, len(j) == 0 || json.Valid(j)) })
	}},

	// Finite domains.
	{"bool", func(t *testing.T) { allele.Check(t, func(t *allele.T, b bool) { must(t, b == !!b) }) }},
	{"two bools", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, b [2]bool) { must(t, (b[0] && b[1]) == (b[1] && b[0])) })
	}},
	{"all bytes", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, n uint8) { must(t, strconv.Itoa(int(n)) != "") })
	}},
	{"two of the four pairs", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, b [2]bool) { t.Assume(b[0]); must(t, b[0] || b[1]) })
	}},
	{"months", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, m int) { must(t, time.Month(m).String() != "") }, allele.Range(1, 12))
	}},
	{"methods", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, s string) { must(t, strings.ToUpper(s) == s) }, allele.Values("GET", "PUT", "DELETE"))
	}},
	{"two values", func(t *testing.T) { allele.Check(t, func(t *allele.T, n int) { must(t, n > 2) }, allele.Values(3, 5)) }},
	{"declared nil", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, in struct {
			Op Op
			N  int
		}) {
			must(t, in.Op == nil)
		}, allele.Values[Op](nil))
	}},
	{"pointer to a small type", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, b *bool) { must(t, b == nil || *b == !!*b) })
	}},

	// Preconditions.
	{"half is discarded", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, n int) { t.Assume(n%2 == 0); must(t, n/2*2 == n) })
	}},
	{"nine of ten are discarded", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, n int) { t.Assume(n%10 == 0); must(t, n/10*10 == n) })
	}},
	{"given half", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, n int) { must(t, n > 0) }, allele.Given(func(n int) bool { return n > 0 }))
	}},
	{"skip some", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, l []int) {
			if len(l) == 0 {
				t.Skip("empty")
			}
			must(t, slices.Max(l) >= slices.Min(l))
		})
	}},
	{"ordered trees", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, n *node) { t.Assume(n.ordered(-1<<31, 1<<31)); must(t, n.size() >= 0) })
	}},
	{"sorted lists", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, l []int) {
			t.Assume(slices.IsSorted(l))
			slices.Reverse(l)
			slices.Reverse(l)
			must(t, slices.IsSorted(l))
		})
	}},
	{"days of a week", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, d int) { t.Assume(d >= 0 && d < 7); must(t, time.Weekday(d).String() != "") })
	}},
	{"a builder refuses half", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, p pair[int8, bool]) { must(t, p.B) }, allele.Builder(percent))
	}},
	{"a partial builder", func(t *testing.T) {
		first := func(l []int) *node { return &node{K: l[0]} }
		allele.Check(t, func(t *allele.T, n *node) { must(t, n.size() == 1) }, allele.Builder(first, allele.Partial{}))
	}},
	{"a method as builder", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, c *counter) { c.add(1); must(t, c.n == c.n) },
			allele.Builder(func() *counter { return &counter{} }), allele.Builder((*counter).add))
	}},

	// Parts that never vary, beside others that do.
	{"mutex beside a field", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, c *counter) {
			t.Assume(c != nil)
			before := c.n
			c.add(1)
			must(t, c.n == before+1)
		})
	}},
	{"read-write mutex and once", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, in *struct {
			mu   sync.RWMutex
			once sync.Once
			N    int
		}) {
			t.Assume(in != nil)
			n := in.N
			in.once.Do(func() { in.N = n + 1 })
			must(t, in.N == n+1)
		})
	}},
	{"zero field beside a number", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, in *struct {
			Out strings.Builder
			N   int
		}) {
			t.Assume(in != nil)
			in.Out.WriteString(strconv.Itoa(in.N))
			must(t, in.Out.Len() > 0)
		})
	}},
	{"nil stringer beside a number", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, in struct {
			V fmt.Stringer
			N int
		}) {
			must(t, in.V == nil)
		})
	}},

	// Few tests, and inputs that are not generated.
	{"one test", func(t *testing.T) { allele.Check(t, func(t *allele.T, n int) { must(t, n == n) }, allele.Tests(1)) }},
	{"three tests", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, l []int) { must(t, len(l) >= 0) }, allele.Tests(3), allele.Size(50))
	}},
	{"small inputs", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, l []int) { must(t, len(append(l, 1)) == len(l)+1) }, allele.Size(1))
	}},
	{"examples and tests", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, s string) { must(t, strings.TrimSpace(s) == strings.TrimSpace(" "+s)) },
			allele.Example(" a "), allele.Tests(20))
	}},
	{"stored cases only", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, l []int) {
			t.Assume(len(l) == 3 && l[0] == 12345 && l[1] == 54321 && l[2] == 66666)
			must(t, l[2] == l[0]+l[1])
		})
	}},
	{"accepted", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, n int) { t.Assume(n == 0); must(t, n == 0) }, allele.AllowVacuous())
	}},

	// Panics, labels, goroutines.
	{"it must panic", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, l []int) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			_ = l[len(l)]
		})
	}},
	{"labels", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, l []int) { t.Label("length", len(l)); must(t, len(l) == cap(l[:len(l):len(l)])) })
	}},
	{"goroutines", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, n int) {
			c := make(chan int)
			go func() { c <- n }()
			must(t, <-c == n)
		}, allele.Tests(100))
	}},
	{"only some constructors", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, e expr) { must(t, e != nil) }, allele.Variants[expr](num{}, sum{}), allele.Only[expr]("num"))
	}},
}

func TestHonest(t *testing.T) {
	for _, c := range honest {
		t.Run(c.name, c.run)
	}
}
