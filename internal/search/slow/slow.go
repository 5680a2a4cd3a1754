//go:build go1.25

// Package slow decides whether a run that takes very long is slow, and which part of its
// input is too large.
//
//	b, ok := slow.Find(slow.Config{World: w, Run: run, Control: passed}, x)
//	if ok { ... }          // the run of x is slow, because a part at b.Place is larger than b.Max
//	b.Exceeds(w, y)        // so y would be slow too
//
// A run that computes ten to the power of 231,076,665 ends some day, and a run in an endless
// loop does not. Nothing that can be seen of the two runs tells them apart. But the time of
// the first one grows with its input: with the exponent 1,000,000 it takes a tenth of a second.
// The loop is left at once, or never. So Find makes the large parts of the input small, and
// then larger step by step. If it meets a run that takes a while and ends, the run is slow.
package slow

import (
	"time"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Config is what Find needs.
type Config struct {
	World *schema.World
	// Run runs the property on a term and reports how long that took. If the run takes as
	// long as the run in question, Run does not wait for its end.
	Run func(x term.Term) (took time.Duration, ended bool)
	// Control is a term whose run has ended.
	Control term.Term
	// Over reports whether there is no need to know any more.
	Over func() bool
}

const (
	// A run takes a while if it takes whileMin, and whileTimes as long as a run of the
	// control. On a machine that is busy, all runs take longer.
	whileMin   = 20 * time.Millisecond
	whileTimes = 10
	// whileRuns is how often both runs are made. The shortest times count, because a machine
	// that is busy delays some runs, and not all of them.
	whileRuns = 5
	// A run is quick if it takes no longer than this, or no longer than two runs of the control.
	// Inputs whose runs are quick are still generated.
	quick      = 10 * time.Millisecond
	quickTimes = 2
	// lostMax is how many runs may fail to end: each of them leaves a goroutine behind.
	lostMax = 4
	// kindsMax is how many kinds of parts are reduced, one after the other.
	kindsMax = 8
)

// Find returns the kind of part of x that makes its run slow. It reports false if the run may be
// endless, or if something else keeps all runs from ending.
func Find(c Config, x term.Term) (b Bound, ok bool) {
	s := &search{Config: c}
	control, ended := s.run(c.Control)
	if !ended {
		return b, false // the run in question holds a lock, for example
	}
	s.soon = max(quick, quickTimes*control)
	kinds := kindsOf(c.World, x)
	kinds = kinds[:min(len(kinds), kindsMax)]
	all := x
	for _, k := range kinds {
		all = clamp(c.World, all, k.Place, 0)
	}
	if !s.quick(all) {
		return b, false
	}
	for _, k := range kinds {
		less := clamp(c.World, x, k.Place, 0)
		if s.lost < lostMax && s.quick(less) {
			b.Part = k
			most, ok := s.grow(x, k)
			b.Max = round(most)
			return b, ok
		}
		x = less
	}
	return b, false
}

// search is a call of Find.
type search struct {
	Config
	lost int           // runs that did not end
	soon time.Duration // how long a run may take whose input is still to be generated
}

func (s *search) run(x term.Term) (took time.Duration, ended bool) {
	if s.Over() {
		return 0, false
	}
	if took, ended = s.Run(x); !ended {
		s.lost++
	}
	return took, ended
}

// quick reports whether a run ends soon.
func (s *search) quick(x term.Term) bool {
	took, ended := s.run(x)
	return ended && !s.while(x, took)
}

// while reports whether a run that took some time takes a while.
func (s *search) while(x term.Term, took time.Duration) bool {
	control := took
	for range whileRuns {
		if took < whileMin {
			return false
		}
		again, ended := s.run(s.Control)
		if !ended {
			return false
		}
		control = min(control, again)
		if again, ended = s.run(x); !ended {
			return true
		}
		took = min(took, again)
	}
	return took >= max(whileMin, whileTimes*control)
}

// grow makes a kind of part larger, until a run takes a while. It returns the largest size with
// which a run is quick. It reports false if it meets no run that takes a while and ends.
func (s *search) grow(x term.Term, k Part) (most uint64, ok bool) {
	low, high := uint64(0), k.Size // a run with low ends soon, and one with high does not
	try := func(size uint64) (while bool) {
		y := clamp(s.World, x, k.Place, size)
		took, ended := s.run(y)
		switch {
		case !ended:
			high = size
		case s.while(y, took):
			return true
		default:
			if low = size; took <= s.soon {
				most = size
			}
		}
		return false
	}
	for size := uint64(1); size < k.Size && high == k.Size && !s.Over(); size *= 2 {
		if try(size) {
			return most, true
		}
		if size > k.Size/2 {
			break
		}
	}
	for s.lost < lostMax && high-low > 1 && !s.Over() {
		if try(low + (high-low)/2) {
			return most, true
		}
	}
	return 0, false
}

// round returns the number with only its first digit, and zeros.
func round(n uint64) uint64 {
	power := uint64(1)
	for n/power >= 10 {
		power *= 10
	}
	return n / power * power
}
