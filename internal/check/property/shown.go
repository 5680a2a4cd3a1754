//go:build go1.25

package property

import (
	"fmt"
	"reflect"
	"time"

	"github.com/allele-go/allele/internal/value/same"
)

// Observing configures runs that will be compared with others.
type Observing struct {
	On bool // runs record what they show
	// A value from GiveUp means that the runner does not wait any longer for a run that One
	// has started. The outcome is Hung then.
	GiveUp <-chan time.Time
}

// Shown is what a run has shown besides its verdict. Runs are compared by it.
type Shown struct {
	Labels   []Label
	Observed []Observed
}

// Observed is a value that a run passed to T.Observe, as it was at that moment.
type Observed struct {
	Digest uint64
	Value  any `json:"-"` // a copy, if the property has a Compare for the value
}

// Compare is an equality that the user declared for observed values.
type Compare struct {
	Type  reflect.Type
	Equal func(a, b any) bool
}

// observedMax bounds the observed values of one run, and the labels that are compared. A
// property may observe something in a loop that does not end because of a fault.
const observedMax = 1000

// Observe adds a value to what a run has shown. If there are too many values, it combines
// the digests of the last ones.
func (s *Shown) Observe(v any, compares []Compare) {
	o := Observed{Digest: same.Digest(v)}
	if n := len(s.Observed); n == observedMax {
		last := &s.Observed[n-1]
		last.Digest, last.Value = same.Combine(last.Digest, o.Digest), nil
		return
	}
	if comparing(compares, v) != nil {
		o.Value = same.Copy(v)
	}
	s.Observed = append(s.Observed, o)
}

// comparing returns the first Compare for a value, or nil if there is none.
func comparing(compares []Compare, v any) *Compare {
	t := reflect.TypeOf(v)
	for i, c := range compares {
		if t != nil && (t == c.Type || c.Type.Kind() == reflect.Interface && t.Implements(c.Type)) {
			return &compares[i]
		}
	}
	return nil
}

// Differs describes the first difference between what two runs have shown, the original run
// first. It returns "" if there is none. It calls functions of the user, which may panic.
func (s Shown) Differs(t Shown, compares []Compare) string {
	for i := range min(len(s.Observed), len(t.Observed)) {
		if !equalObserved(s.Observed[i], t.Observed[i], compares) {
			return fmt.Sprintf("observed value %d", i+1)
		}
	}
	if a, b := len(s.Observed), len(t.Observed); a != b {
		return fmt.Sprintf("%d observed values instead of %d", b, a)
	}
	for i := range min(len(s.Labels), len(t.Labels), observedMax) {
		if a := s.Labels[i]; a != t.Labels[i] {
			return "label " + a.Name
		}
	}
	if a, b := len(s.Labels), len(t.Labels); a != b {
		return fmt.Sprintf("%d labels instead of %d", b, a)
	}
	return ""
}

func equalObserved(a, b Observed, compares []Compare) bool {
	if a.Value != nil && b.Value != nil {
		if c := comparing(compares, a.Value); c != nil && c == comparing(compares, b.Value) {
			return c.Equal(a.Value, b.Value)
		}
	}
	return a.Digest == b.Digest
}
