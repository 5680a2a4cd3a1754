//go:build go1.25

package allele

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/job"
)

// account has an unexported field, so it is made by builders where there are any.
type account struct{ total int }

func newAccount(n int) account {
	if n < 0 {
		panic("in debt")
	}
	return account{n}
}

func newRichAccount(n int) (account, bool) { return account{n}, n == 12345 }

func findAccount(name string) *account { return nil }

type pile struct{ n uint64 }

func newPile(n uint64) *pile {
	p := &pile{}
	for range n {
		p.n++
	}
	return p
}

type crate[K comparable] struct{ m map[K]int }

func newCrate[K comparable]() *crate[K] { return &crate[K]{map[K]int{}} }
func (c *crate[K]) put(k K)             { c.m[k]++ }

// A partial builder may refuse its arguments by a panic or nil, and its small arguments stay small.
func TestPartial(t *testing.T) {
	most := uint64(0)
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct {
			A account
			P *pile
		}) {
			if in.A.total < 0 || in.P == nil {
				t.Errorf("%+v", in)
			}
			most = max(most, in.P.n)
		}, Builder(newAccount, Partial{}), Builder(findAccount, Partial{}), Builder(newPile, Partial{Small: []int{0}}))
	})
	if r.Failed() || most < 32 || most > 64 {
		t.Errorf("the largest has %d\n%s", most, r.text())
	}
	if strings.Contains(r.text(), "all possible inputs") {
		t.Errorf("not all numbers were tried:\n%s", r.text())
	}
}

// Instances of generic functions have the name that code writes.
func TestPartialGeneric(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, c *crate[string]) {
			if len(c.m) > 1 {
				t.Error("two")
			}
		}, Builder(newCrate[string], Partial{}), Builder((*crate[string]).put, Partial{}))
	})
	r.has(t, "v := newCrate[string]()", `v.put("`)
}

// Declarations about unexported fields, and examples that contain them, come before partial builders.
func TestPartialYields(t *testing.T) {
	type in struct {
		A account
		P *account
	}
	for what, opts := range map[string][]Option{
		"an example":     {Example(in{A: account{3}})},
		"values":         {Values(account{1}, account{2})},
		"a path":         {At("A.total", Range(0, 9))},
		"a field":        {Field[account]("total", Range(0, 9))},
		"a zero example": {Example(in{})},
	} {
		t.Run(what, func(t *testing.T) {
			r := record(t, "TestX", func(t testing.TB) {
				Check(t, func(t *T, in in) {}, append(opts, Builder(newAccount, Partial{}))...)
			})
			if r.Failed() {
				t.Error(r.text())
			}
		})
	}
	// A mistake is reported with and without partial builders.
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in in) {}, Builder(newAccount, Partial{}), At("A.sum", Range(0, 9)))
	}).has(t, `At("A.sum"): there is no such field`)
}

// The range of an only field bounds the whole input, so all values of a small range are
// tried. Declaring the range twice is a mistake.
func TestFieldRange(t *testing.T) {
	seen := map[int]int{}
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in account) { seen[in.total]++ }, Field[account]("total", Range(0, 9)))
	})
	if r.Failed() || len(seen) != 10 || seen[7] != 1 {
		t.Errorf("%v\n%s", seen, r.text())
	}
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in account) {}, Field[account]("total", Range(0, 9)), Field[account]("total", Range(5, 20)))
	}).has(t, "is declared twice; remove one")
}

// Constants of a field that are declared in two places are combined.
func TestFieldTwice(t *testing.T) {
	seen := map[string]int{}
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in dot) { seen[in.Name]++ }, Field[dot]("Name", Likely("origin")), Field[dot]("Name", Likely("center")))
	})
	if r.Failed() || seen["origin"] < 100 || seen["center"] < 100 {
		t.Errorf("%d and %d\n%s", seen["origin"], seen["center"], r.text())
	}
}

// A Check that only reports its name, for a list of properties, calls no builder.
func TestPartialAndLists(t *testing.T) {
	calls := 0
	maker := Builder(func(n int8) account { calls++; return account{int(n)} }, Partial{})
	check := func(t testing.TB) { Check(t, func(t *T, a account) {}, maker, Tests(10)) }
	t.Setenv(job.Variable, job.Job{Mode: job.List, Events: t.TempDir() + "/out"}.Encode())
	if record(t, "TestX", check); calls > 0 {
		t.Errorf("%d calls in list mode", calls)
	}
	t.Setenv(job.Variable, "")
	if record(t, "TestY", check); calls == 0 {
		t.Error("no calls in a test")
	}
}

type point struct{ X, Y int }

func newPoint(x int) point {
	if x < 0 {
		panic("left of the origin")
	}
	return point{x, x}
}

// A property that declares a partial builder for a struct without unexported fields uses
// it. Declared for all properties, as `allele facts -write` does, it leaves the fields.
func TestPartialOfFields(t *testing.T) {
	apart := func(opts ...Option) (n int) {
		r := record(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, p point) {
				if p.X != p.Y || p.X < 0 {
					n++
				}
			}, opts...)
		})
		if r.Failed() {
			t.Error(r.text())
		}
		return n
	}
	if n := apart(Builder(newPoint, Partial{})); n > 0 {
		t.Errorf("%d points were not made by the builder", n)
	}
	before := declared.opts
	t.Cleanup(func() { declared.opts = before })
	Declare(Builder(newPoint, Partial{}))
	if n := apart(); n == 0 {
		t.Error("a declared partial builder replaced the fields")
	}
}

type duo[A comparable, B any] struct {
	a A
	b B
}

func newDuo[A comparable, B any](a A, b B) *duo[A, B] { return &duo[A, B]{a, b} }

// A stored call of a function with two type arguments is read back as this call.
func TestPartialOfTwoTypes(t *testing.T) {
	t.Setenv("ALLELE_STRICT", "1")
	inEmptyPackage(t)
	for _, want := range []string{"saved ", "from     testdata/allele/TestX/"} {
		r := recordHere(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, d *duo[int, string]) {
				if d.a > 3 {
					t.Error("more than three")
				}
			}, Builder(newDuo[int, string], Partial{}))
		})
		r.has(t, `newDuo[int, string](4, "")`, want)
	}
}

// bundle has a constructor that returns a value, and its zero value is not ready.
type bundle struct{ m map[int]bool }

func newBundle() bundle     { return bundle{map[int]bool{}} }
func (b *bundle) add(x int) { b.m[x] = true }

// A constructor that returns a value and methods with a pointer receiver are declared together, for
// inputs that are values or pointers. The counterexample begins with a call of the constructor, and
// is read again when the case runs.
func TestBuildersOfValueAndPointer(t *testing.T) {
	for what, method := range map[string]Option{"plain": Builder((*bundle).add), "partial": Builder((*bundle).add, Partial{})} {
		t.Run(what, func(t *testing.T) {
			inEmptyPackage(t)
			for range 2 { // the second time, the stored case fails
				recordHere(t, "TestX", func(t testing.TB) {
					Check(t, func(t *T, b bundle) {
						if b.m == nil || len(b.m) > 1 {
							t.Error("two")
						}
					}, Builder(newBundle), method)
				}).has(t, "func() bundle { v := newBundle(); v.add(0); v.add(1); return v }()")
				recordHere(t, "TestY", func(t testing.TB) {
					Check(t, func(t *T, b *bundle) {
						if b == nil || b.m == nil || len(b.m) > 1 {
							t.Error("two")
						}
					}, Builder(newBundle), method)
				}).has(t, "func() *bundle { v := newBundle(); v.add(0); v.add(1); return &v }()")
			}
		})
	}
}
