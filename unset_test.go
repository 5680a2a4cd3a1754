//go:build go1.25

package allele

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

type hooks struct {
	N      int
	Hook   func(tree) error
	Done   chan struct{}
	Steps  []func()
	Named  map[string]func()
	Two    [2]func()
	Ref    *func()
	By     map[chan int]bool
	Raw    unsafe.Pointer
	hidden func()
}

// A function or channel in a field stays nil, and the other fields are filled. One note says so,
// and never fails the Check.
func TestUnsetFields(t *testing.T) {
	for _, strict := range []string{"", "1"} {
		t.Setenv("ALLELE_STRICT", strict)
		filled := 0
		r := record(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in *hooks) {
				if in != nil && in.N > 0 {
					filled++
				}
				if in != nil && (in.Hook != nil || in.Done != nil || in.Steps != nil || in.Named != nil || in.Ref != nil || in.By != nil || in.Raw != nil || in.hidden != nil) {
					t.Error("not nil")
				}
			})
		})
		const want = "note: in.Hook and 8 more are always nil: functions and channels are not generated; " +
			"declare some with allele.Values[func(tree) error], or that nil is intended: allele.Values[func(tree) error](nil)"
		if r.failed || r.text() != want || filled < 300 {
			t.Errorf("strict %q: %d filled, %s", strict, filled, r.text())
		}
	}
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in *hooks) { t.Assume(in != nil && in.N > 5); t.Error("found") })
	}).has(t, "found", "note: in.Hook and 8 more are always nil", "in := &hooks{N: 6}")
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct {
			F func()
			N int
		}) {
		}, Values[func()](nil))
	})
	if r.failed || r.text() != "" {
		t.Error(r.text())
	}
	t.Setenv("ALLELE_STRICT", "")
	if r := record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in *http.Request) {}) }); r.failed {
		t.Error(r.text())
	}
}

// An input that consists of functions and channels alone is vacuous, and one that is a function or
// a list of them is an error.
func TestOnlyUnset(t *testing.T) {
	record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in struct{ F, G func() }) {}) }).has(t,
		"vacuous: the input never varies: in.F and in.G are always nil")
	record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in []func(*tree)) {}) }).has(t,
		"in[] (func(*allele.tree)): a func cannot be derived; list functions with allele.Values[func(*tree)]")
	record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in map[string]chan int) {}) }).has(t, "a chan cannot be derived")
}

// An atomic stays zero while the fields beside it are filled. A note says so, and never fails the
// Check; a mutex has none.
func TestAtomics(t *testing.T) {
	for _, strict := range []string{"", "1"} {
		t.Setenv("ALLELE_STRICT", strict)
		r := record(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in *struct {
				mu    sync.RWMutex
				m     map[string]int
				n     atomic.Int64
				state *atomic.Value
				ref   atomic.Pointer[tree]
			}) {
			})
		})
		const want = "note: in.n and 2 more are always zero: values of package sync/atomic are not generated; " +
			"if other fields depend on them, declare allele.Builder for the type that contains them"
		if r.failed || r.text() != want {
			t.Errorf("strict %q: %s", strict, r.text())
		}
	}
}

func double(n int) int { return 2 * n }

// Declared functions win, are printed by their names, and may be in an Example.
func TestDeclaredFunctions(t *testing.T) {
	type in struct {
		F func(int) int
		N int
	}
	once := 0
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in in) {
			if in.F != nil && in.N > 3 {
				t.Error("found")
			}
			once++
		}, Values(double, nil), Example(in{F: double}), Example(in{}))
	})
	r.has(t, "in{F: double, N: 4}")
	var n atomic.Int32
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in in) { n.Add(1) }, Example(in{F: double}))
	}).has(t, "Example 1", "in.F", "allele.Values")
}
