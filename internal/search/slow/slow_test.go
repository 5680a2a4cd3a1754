//go:build go1.25

package slow_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/allele-go/allele/internal/search/slow"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// limit is how long Find waits for a run.
const limit = time.Second

const forever = time.Duration(math.MaxInt64)

// found renders what Find decides about a run of in, if a run takes as long as cost says.
func found[In any](t *testing.T, in In, cost func(In) time.Duration) string {
	t.Helper()
	var none In
	return foundFrom(t, none, in, cost)
}

// foundFrom is found with a control.
func foundFrom[In any](t *testing.T, control, in In, cost func(In) time.Duration, decls ...schema.Decl) string {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[In](), decls)
	if err != nil {
		t.Fatal(err)
	}
	read := func(v In) term.Term {
		x, err := w.Read(reflect.ValueOf(&v).Elem())
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	b, lost := schema.NewBuilder(w), 0
	bound, ok := slow.Find(slow.Config{World: w, Control: read(control), Over: func() bool { return false },
		Run: func(x term.Term) (time.Duration, bool) {
			var v In
			if !b.Build(x, unsafe.Pointer(&v)) {
				return 0, true
			}
			if took := cost(v); took <= limit {
				return took, true
			}
			lost++
			return limit, false
		}}, read(in))
	if lost > 4 {
		t.Errorf("%d runs did not end", lost)
	}
	if !ok {
		return "may be endless"
	}
	bound = parsed(t, bound)
	if bound.Exceeds(w, read(control)) || !bound.Exceeds(w, read(in)) {
		t.Error("Exceeds is wrong")
	}
	return fmt.Sprintf("slow: %s > %d", strings.Join(bound.Path, "."), bound.Max)
}

// parsed returns a bound after it was sent to another process, with what is not sent.
func parsed(t *testing.T, b slow.Bound) slow.Bound {
	t.Helper()
	p, err := slow.Parse(b.String())
	if err != nil || p.Place != b.Place || p.Max != b.Max {
		t.Errorf("%v is parsed as %v: %v", b, p, err)
	}
	p.Path = b.Path
	return p
}

type job struct {
	Name  string
	Steps int64
	Parts []int8
}

// each returns the time of n steps, or forever if they take longer.
func each(n float64, step time.Duration) time.Duration {
	if t := n * float64(step); t < float64(limit) {
		return time.Duration(t)
	}
	return forever
}

func TestFind(t *testing.T) {
	big := job{Name: strings.Repeat("n", 40), Steps: -231076665, Parts: make([]int8, 30)}
	steps := func(j job) float64 { return math.Abs(float64(j.Steps)) }
	for _, c := range []struct {
		what, want, got string
	}{
		{"every step takes a microsecond", "slow: Steps > 8000",
			found(t, big, func(j job) time.Duration { return each(steps(j), time.Microsecond) })},
		{"the time grows with the square", "slow: Steps > 2000",
			found(t, big, func(j job) time.Duration { return each(steps(j)*steps(j), time.Nanosecond) })},
		{"it is exponential in the length of a list", "slow: Parts > 8",
			found(t, big, func(j job) time.Duration { return each(math.Pow(3, float64(len(j.Parts))), 100*time.Nanosecond) })},
		{"a text is parsed slowly", "slow: Name > 8",
			found(t, big, func(j job) time.Duration { return each(math.Pow(2, float64(len(j.Name))), 20*time.Microsecond) })},
		{"two numbers of one kind", "slow: Steps > 4000",
			found(t, []job{big, {Steps: 1 << 60}, big}, func(js []job) time.Duration {
				all := 0.0
				for _, j := range js {
					all += steps(j)
				}
				return each(all/2, time.Microsecond)
			})},
		{"a loop that some inputs never leave", "may be endless",
			found(t, big, func(j job) time.Duration {
				if j.Steps < -5 {
					return forever
				}
				return time.Microsecond
			})},
		{"a loop that large inputs never leave", "may be endless",
			found(t, big, func(j job) time.Duration {
				if steps(j) > 1e6 {
					return forever
				}
				return time.Microsecond
			})},
		{"a loop that no change of the input avoids", "may be endless",
			found(t, big, func(j job) time.Duration {
				if j.Parts != nil {
					return forever
				}
				return time.Microsecond
			})},
		{"a lock that is never released", "may be endless", found(t, big, func(j job) time.Duration { return forever })},
		{"nothing is large", "may be endless", found(t, job{Steps: 1}, func(j job) time.Duration { return each(steps(j), time.Hour) })},
		{"all runs are slow, and the number matters little", "may be endless",
			found(t, big, func(j job) time.Duration {
				if steps(j) > 1e6 {
					return forever
				}
				return 50*time.Millisecond + each(steps(j), time.Nanosecond)
			})},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, c.got, c.want)
		}
	}
}

// The key of a map is not changed, because the entries are in the order of the keys. Values are.
func TestFindInMap(t *testing.T) {
	type in map[int64]uint64
	sum := func(m in) (all float64) {
		for _, v := range m {
			all += float64(v)
		}
		return all
	}
	got := found(t, in{1 << 40: 1 << 50, -7: 1 << 60}, func(m in) time.Duration { return each(sum(m), time.Microsecond) })
	if want := "slow:  > 4000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A number stays in its declared range.
func TestFindInRange(t *testing.T) {
	type in struct{ N int64 }
	decl := schema.Decl{Type: reflect.TypeFor[int64](), What: schema.Range{Lo: reflect.ValueOf(int64(1000)), Hi: reflect.ValueOf(int64(1 << 40))}, Tier: schema.Local}
	least := int64(math.MaxInt64)
	got := foundFrom(t, in{1000}, in{1 << 39}, func(v in) time.Duration {
		least = min(least, v.N)
		return each(float64(v.N), time.Microsecond)
	}, decl)
	if want := "slow: N > 8000"; got != want || least != 1000 {
		t.Errorf("got %q, and the least number that was run is %d; want %q and 1000", got, least, want)
	}
}

// A time is as large as its distance from 1970, however it is made.
func TestFindInTimes(t *testing.T) {
	type in struct{ From, To time.Time }
	start := time.Unix(0, 0).UTC()
	cost := func(v in) time.Duration { return each(v.To.Sub(v.From).Seconds(), time.Microsecond) }
	for _, c := range []struct {
		what, want string
		in         in
	}{
		{"the zero time", "slow: From > 8000", in{time.Time{}, start}},
		{"a date", "slow: To > 8000", in{start, time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)}},
		{"another zone", "slow: To > 8000", in{start, time.Unix(1e9, 0).In(time.FixedZone("", 3600))}},
		{"both", "slow: To > 8000", in{time.Time{}, time.Unix(1e9, 5).UTC()}},
	} {
		if got := foundFrom(t, in{start, start}, c.in, cost); got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, got, c.want)
		}
	}
	endless := func(v in) time.Duration {
		if v.From.IsZero() {
			return forever
		}
		return time.Microsecond
	}
	if got := foundFrom(t, in{start, start}, in{time.Time{}, start}, endless); got != "may be endless" {
		t.Errorf("a loop that is not left with the zero time: got %q", got)
	}
}
