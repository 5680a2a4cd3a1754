//go:build go1.25

// Package sick has faults that do bad things to their process. It is written by hand as the
// command rewrites packages: each place has one fault, and functions count steps.
package sick

import (
	"os"

	"github.com/allele-go/allele/internal/hook"
)

// The places of the faults, in the order of their numbers.
const (
	Wrong = iota
	Unnoticed
	Same
	Unreached
	Loop
	Recursion
	HugeMake
	GuardedPanic
	LoosePanic
	Deadlock
	Pollute
	PanicLocked
	ExitCode
	ExitZero
	Init
	Once
	SubtestPanic
	Parallel
	InExample
	Overflow
	Memory
	Recovers
	Leaks
	Uncounted
	Moves
	Panics
	Both
	Deep
	Cached
	Fills
	Reuses
	Maybe
	Surely
	Waits
	Late
	Places
)

var (
	site  = boot(all(1))
	funcs [1]uint8
	hit   [Places]uint8
	diff  [Places]uint8
	mask  = masks()
	of    [Places]int32
)

func all(x uint8) (a [Places]uint8) {
	for i := range a {
		a[i] = x
	}
	return a
}

// masks returns the masks of the places. Whether two of them make a difference is known only after a run with the
// fault.
func masks() [Places]uint8 {
	a := all(1)
	a[Maybe] |= hook.GateSure
	a[Surely] |= hook.GateSure
	return a
}

// boot switches on the fault that affects initialisers.
func boot(site [Places]uint8) [Places]uint8 {
	if n, v, ok := hook.Boot(os.Getenv("ALLELE_FAULT"), "sick"); ok && n < Places {
		site[n] = hook.GateFirst + uint8(v)
	}
	return site
}

func init() {
	for i := range of {
		of[i] = -1
	}
	hook.RegisterFaults(&hook.Faults{Path: "sick", Site: site[:], Func: funcs[:], Hit: hit[:], Diff: diff[:], All: mask[:], Of: of[:]})
}

// on reports whether the fault of a place is switched on. It differs from the original unless
// the value is the same.
func on(place int, differs bool) bool {
	switch site[place] {
	case hook.GateOff:
		return false
	case hook.GateRecord:
		hit[place] = 1
		if differs {
			diff[place] |= 1
		}
		return false
	}
	return true
}

func tick() {
	p := hook.Pos
	if p >= hook.Lim {
		p = hook.Slow()
	}
	hook.Buf[p&hook.Mask] = 1
	hook.Pos = p + 1
}
