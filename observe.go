//go:build go1.25

package allele

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Observe adds a value that the property has computed to what a run is judged by, when the run
// is compared with another run on the same input. Commands that make the program faulty do
// that, such as allele score: a fault is noticed if the property fails, or if the run observes
// another value. So a property that checks little can still notice much:
//
//	t.Observe(Parse(in))
//
// The value is read at once, so it may be changed later. Values are compared in the order in
// which they are observed: pointers by what they point to, errors by their type, and anything
// by the function of [Compare] if its type has one. In go test and allele test Observe does
// nothing.
func (t *T) Observe(v any) {
	if t.runner().observer.On {
		t.observe(v)
	}
}

func (t *T) observe(v any) {
	r := t.runner()
	r.words.Lock()
	defer r.words.Unlock()
	if !t.over {
		t.extra().observed.Observe(v, r.observer.compares)
	}
}

// observer is what a runner knows about T.Observe.
type observer struct {
	property.Observing
	compares []property.Compare
	// A run that One makes during a series of runs is single. If it is abandoned, the series
	// may be told first, and passes it on.
	single    atomic.Pointer[T]
	abandoned chan watch.Run
}

// passOn passes an abandoned run on to One, and reports whether it is a run of One.
func (o *observer) passOn(cut watch.Run) bool {
	if t := (*T)(cut.(*watched)); o.single.Load() != t {
		return false
	}
	select {
	case o.abandoned <- cut:
	default:
	}
	return true
}

// Observe sets whether later runs record what they show.
func (r *runner) Observe(o property.Observing) { r.observer.Observing = o }

// Differs compares what two runs have shown, in a goroutine of its own because it calls
// functions of the user.
func (r *runner) Differs(original, other property.Shown) (what string, err error) {
	r.setDetail(false)
	o := r.alone(func(*T) { what = original.Differs(other, r.observer.compares) })
	switch {
	case o.Hung:
		return "", errors.New("allele.Compare: the function did not return")
	case o.Panic != nil:
		return "", fmt.Errorf("allele.Compare: the function panicked: %s", o.Panic.Text)
	case o.Verdict != engine.Passed:
		return "", errors.New("allele.Compare: the function took too many steps, or ended its goroutine")
	}
	return what, nil
}

// shown returns what the run has shown. t.more must not be nil.
func (t *T) shown() property.Shown {
	return property.Shown{Labels: slices.Clip(t.more.labels), Observed: slices.Clip(t.more.observed.Observed)}
}

// Equal builds the values of two terms, in a goroutine of its own because it calls builders,
// and reports whether they are equal.
func (r *runner) Equal(x, y term.Term) bool {
	r.setDetail(false)
	equal := false
	o := r.alone(func(*T) { equal = r.equal(x, y) })
	return !o.Hung && o.Verdict == engine.Passed && equal
}

// In returns a runner for terms of another world.
func (r *runner) In(w *schema.World) property.Local { return &renewing{r.in(w)} }

// in returns a runner that shares no memory with r which a run could change.
func (r *runner) in(w *schema.World) *runner {
	own := &runner{TB: r.TB, functions: r.functions, world: w, watch: r.watch, limits: r.limits, detail: r.detail, outer: r.outer}
	own.observer.Observing, own.observer.compares, own.observer.abandoned = r.observer.Observing, r.observer.compares, r.observer.abandoned
	if own.make != nil {
		own.call = own.make()
	}
	own.newBuilder()
	if r.words.TryLock() { // an abandoned run may hold the lock forever
		own.helpers = maps.Clone(r.helpers)
		r.words.Unlock()
	}
	return own
}
