package green

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele"
)

// check is a property that takes an input of any type and checks nothing of it.
func check[In any](t *testing.T, opts ...allele.Option) {
	t.Helper()
	allele.Check(t, func(t *allele.T, in In) {
		if s := fmt.Sprintf("%v", in); len(s) < 0 {
			t.Error("a text of negative length")
		}
	}, opts...)
}

// assume is a property that discards the inputs for which ok is false.
func assume[In any](t *testing.T, ok func(In) bool, opts ...allele.Option) {
	t.Helper()
	allele.Check(t, func(t *allele.T, in In) {
		t.Assume(ok(in))
		if s := fmt.Sprintf("%v", in); len(s) < 0 {
			t.Error("a text of negative length")
		}
	}, opts...)
}

func never[In any](In) bool { return false }

// Op has no variants that go test knows. The only one that the command could find has a
// method that is not exported by its package, so there is none.
type Op interface{ do(bytes.Buffer) }

// zeroes has only fields of other modules.
type zeroes struct {
	Out strings.Builder
	Err strings.Builder
}

func parse(s string) (int, error) { return 0, errors.New("no number: " + s) }

// Properties that check nothing or almost nothing. Each fails, in go test and in allele test.
var nothing = []struct {
	name string
	run  func(t *testing.T)
}{
	// Everything is discarded.
	{"assume false", func(t *testing.T) { assume(t, never[int]) }},
	{"assume false of a small type", func(t *testing.T) { assume(t, never[bool]) }},
	{"assume false of a list", func(t *testing.T) { assume(t, never[[]string]) }},
	{"given false", func(t *testing.T) { check[int](t, allele.Given(never[int])) }},
	{"given and assume contradict", func(t *testing.T) {
		assume(t, func(n int) bool { return n < 0 }, allele.Given(func(n int) bool { return n > 0 }))
	}},
	{"two givens contradict", func(t *testing.T) {
		check[string](t, allele.Given(func(s string) bool { return len(s) > 3 }), allele.Given(func(s string) bool { return len(s) < 2 }))
	}},
	{"skip", func(t *testing.T) { allele.Check(t, func(t *allele.T, in int) { t.Skip("later") }) }},
	{"skipf", func(t *testing.T) { allele.Check(t, func(t *allele.T, in int) { t.Skipf("later: %d", in) }) }},
	{"skip now", func(t *testing.T) { allele.Check(t, func(t *allele.T, in []int) { t.SkipNow() }) }},
	{"deferred skip", func(t *testing.T) { allele.Check(t, func(t *allele.T, in []int) { defer t.SkipNow() }) }},
	{"skip in a cleanup", func(t *testing.T) { allele.Check(t, func(t *allele.T, in []int) { t.Cleanup(t.SkipNow) }) }},
	{"every panic is recovered and skipped", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, in []int) {
			defer func() {
				if recover() != nil {
					t.Skip("it panics")
				}
			}()
			if in[len(in)] < 0 {
				t.Error("negative")
			}
		})
	}},
	{"every error is skipped", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, s string) {
			n, err := parse(s)
			if err != nil {
				t.Skip(err)
			}
			if n < 0 {
				t.Error("negative")
			}
		})
	}},
	{"a rare number", func(t *testing.T) { assume(t, func(n int) bool { return n*n == 152399025 }) }},
	{"a rare text", func(t *testing.T) {
		assume(t, func(s string) bool { h := sha256.Sum256([]byte(s)); return h[0]|h[1]|h[2]|h[3] == 0 })
	}},
	{"a large list", func(t *testing.T) { assume(t, func(l []int) bool { return len(l) > 1000 }) }},
	{"a builder refuses everything", func(t *testing.T) {
		check[*node](t, allele.Builder(func(k int) (*node, bool) { return nil, false }))
	}},
	{"a builder returns only errors", func(t *testing.T) {
		check[*node](t, allele.Builder(func(k int) (*node, error) { return nil, errors.New("no") }))
	}},
	{"a partial builder panics", func(t *testing.T) {
		check[*node](t, allele.Builder(func(k []int) *node { return &node{K: k[len(k)]} }, allele.Partial{}))
	}},

	// All inputs that pass are the same, or trivial.
	{"zero", func(t *testing.T) { assume(t, func(n int) bool { return n == 0 }) }},
	{"zero, given", func(t *testing.T) { check[int](t, allele.Given(func(n int) bool { return n == 0 })) }},
	{"zero with a sign", func(t *testing.T) { assume(t, func(f float64) bool { return f == 0 }) }},
	{"zero, complex", func(t *testing.T) { assume(t, func(c complex128) bool { return c == 0 }) }},
	{"zero in a struct", func(t *testing.T) {
		assume(t, func(in struct{ A, B int }) bool { return in.A == 0 && in.B == 0 })
	}},
	{"no number", func(t *testing.T) { assume(t, func(f float64) bool { return f != f }) }},
	{"no time", func(t *testing.T) { assume(t, func(d time.Duration) bool { return d == 0 }) }},
	{"few tests of zero", func(t *testing.T) { assume(t, func(n int) bool { return n == 0 }, allele.Tests(5)) }},
	{"empty text", func(t *testing.T) { assume(t, func(s string) bool { return s == "" }) }},
	{"empty bytes", func(t *testing.T) { assume(t, func(b []byte) bool { return len(b) == 0 }) }},
	{"empty list", func(t *testing.T) { assume(t, func(l []int) bool { return len(l) == 0 }) }},
	{"empty map", func(t *testing.T) { assume(t, func(m map[string]int) bool { return len(m) == 0 }) }},
	{"empty containers only", func(t *testing.T) {
		assume(t, func(in struct {
			A, B []byte
			C    string
		}) bool {
			return len(in.A)+len(in.B)+len(in.C) == 0
		})
	}},
	{"nil pointer", func(t *testing.T) { assume(t, func(n *node) bool { return n == nil }) }},
	{"trees of one node", func(t *testing.T) { assume(t, func(n *node) bool { return n.size() < 2 }) }},
	{"a builder that ignores its argument", func(t *testing.T) {
		check[*node](t, allele.Builder(func(k int) *node { return &node{K: 1} }))
	}},
	{"two builders of one value", func(t *testing.T) {
		check[node](t, allele.Builder(func(s string) node { return node{} }), allele.Builder(func(b bool) node { return node{} }))
	}},

	// Nothing can vary.
	{"zero type", func(t *testing.T) { allele.Check(t, func(t *allele.T, in *strings.Builder) {}) }},
	{"zero types", func(t *testing.T) { allele.Check(t, func(t *allele.T, in *zeroes) {}) }},
	{"array of a zero type", func(t *testing.T) { allele.Check(t, func(t *allele.T, in *[3]strings.Builder) {}) }},
	{"mutex", func(t *testing.T) { allele.Check(t, func(t *allele.T, in *sync.Mutex) {}) }},
	{"mutex and zero type", func(t *testing.T) {
		allele.Check(t, func(t *allele.T, in *struct {
			mu  sync.Mutex
			Out strings.Builder
		}) {
		})
	}},
	{"nil closer", func(t *testing.T) { check[struct{ C io.Closer }](t) }},
	{"nil stringer", func(t *testing.T) { check[struct{ V fmt.Stringer }](t) }},
	{"nil interface", func(t *testing.T) { check[struct{ Op Op }](t) }},
	{"list of nil interfaces", func(t *testing.T) { check[[]Op](t) }},
	{"map to nil interfaces", func(t *testing.T) { check[map[string]Op](t) }},

	// Nothing is run.
	{"no tests", func(t *testing.T) { check[int](t, allele.Tests(0)) }},
	{"no tests, and the example is discarded", func(t *testing.T) {
		assume(t, func(n int) bool { return n > 9 }, allele.Tests(0), allele.Example(1))
	}},
}

func TestNothing(t *testing.T) {
	for _, c := range nothing {
		t.Run(c.name, c.run)
	}
}

// Properties that check one input, or whose panics are lost. They pass, with a note.
var noted = []struct {
	name string
	run  func(t *testing.T)
}{
	{"one declared value", func(t *testing.T) { check[int](t, allele.Values(7)) }},
	{"one declared value, twice", func(t *testing.T) { check[string](t, allele.Values("a", "a")) }},
	{"one value in the range", func(t *testing.T) { check[int](t, allele.Range(3, 3)) }},
	{"one value of a small type passes", func(t *testing.T) { assume(t, func(n uint8) bool { return n == 7 }) }},
	{"a builder without arguments", func(t *testing.T) { check[*node](t, allele.Builder(func() *node { return &node{K: 1} })) }},
	{"no value", func(t *testing.T) { check[struct{}](t) }},
	{"examples only", func(t *testing.T) { check[int](t, allele.Tests(0), allele.Example(1)) }},
}

func TestNoted(t *testing.T) {
	for _, c := range noted {
		t.Run(c.name, c.run)
	}
}

// Checks whose time is up too soon.
func TestStopped(t *testing.T) {
	slow := func(t *allele.T, in string) { time.Sleep(300 * time.Millisecond) }
	t.Run("after few runs", func(t *testing.T) { allele.Check(t, slow, allele.For(50*time.Millisecond)) })
	t.Run("before the first run", func(t *testing.T) { allele.Check(t, slow, allele.For(1)) })
}
