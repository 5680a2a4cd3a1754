//go:build go1.25

package campaign

import (
	"slices"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/proc/event"
)

// finds is what the processes of a property have found. A process stores a failing input, and then runs and
// shrinks it, which may take minutes. If the process ends before it reports the failure, because the user
// interrupts again or a simpler input crashes it, the failure is on disk and nobody has named it. So a failure
// that was stored stays in this list until its report is shown. The search ends with a report of what is left.
type finds struct {
	mu     sync.Mutex
	n      int      // distinct failures that were reported
	slow   []string // bounds of inputs whose runs are slow
	stored []stored
}

// stored is a failure whose report was not shown yet.
type stored struct {
	event.Found
	shrinks time.Time // since when its process shrinks it; zero if it does not any more
}

// shrinkShown is how long a failure is shrunk before progress shows it. Most are done sooner.
const shrinkShown = 2 * time.Second

// store adds a failure, or what is known about it now.
func (f *finds) store(e event.Found, shrinks bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.stored, func(s stored) bool { return s.Sign == e.Sign })
	if i < 0 {
		i = len(f.stored)
		f.stored = append(f.stored, stored{})
	}
	s := &f.stored[i]
	s.Found = e
	switch {
	case !shrinks:
		s.shrinks = time.Time{}
	case s.shrinks.IsZero():
		s.shrinks = time.Now()
	}
}

// shown removes the failures that a process has found, because their reports are shown.
func (f *finds) shown(signs ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stored = slices.DeleteFunc(f.stored, func(s stored) bool { return slices.Contains(signs, s.Sign) })
}

// ended notes that a process with these events has exited. It reports whether the process has stored a failure that it
// has not reported.
func (f *finds) ended(events []event.Event) (left bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	reported := signs(events)
	for _, e := range events {
		b, ok := e.Body.(event.Stored)
		if !ok {
			continue
		}
		left = left || !slices.Contains(reported, b.Found.Sign)
		for i := range f.stored {
			if s := &f.stored[i]; s.Sign == b.Found.Sign {
				s.shrinks = time.Time{}
			}
		}
	}
	return left
}

// signs returns the signs of the failures that a process has reported.
func signs(events []event.Event) (all []string) {
	for _, e := range events {
		switch b := e.Body.(type) {
		case event.Found:
			all = append(all, b.Sign)
		case event.Repeated:
			all = append(all, b.Sign)
		}
	}
	return all
}

// shrinking reports whether a process has shrunk a failure for a while.
func (f *finds) shrinking() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.stored, func(s stored) bool { return !s.shrinks.IsZero() && time.Since(s.shrinks) >= shrinkShown })
}

// take returns the failures whose reports were not shown, and empties the list.
func (f *finds) take() (left []stored) {
	f.mu.Lock()
	defer f.mu.Unlock()
	left, f.stored = f.stored, nil
	return left
}

// leaveOut makes later processes leave out inputs above a bound. It reports whether the bound is new.
func (f *finds) leaveOut(bound string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if slices.Contains(f.slow, bound) {
		return false
	}
	f.slow = append(f.slow, bound)
	return true
}

// bounds returns the bounds of inputs that are left out.
func (f *finds) bounds() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.slow)
}

// count counts a failure, unless it is known. It returns how many there are. Several workers may find a failure
// at the same time; if the first one ends the search, only one counts.
func (f *finds) count(known, keepGoing bool) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !known {
		f.n++
	}
	if !keepGoing {
		f.n = min(1, f.n)
	}
	return f.n
}
