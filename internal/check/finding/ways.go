//go:build go1.25

package finding

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// A property that compares two results fails at one line, whatever is wrong. So the first failure there would hide
// all others. A search that goes on looks at some of the later runs that fail there. It shrinks the input, and compares the
// run of the shrunk input with the runs of similar inputs that pass. The functions and clauses that the failing run
// reaches, and that are missing in one of the others, are the way in which it fails: without them there is no failure.
// Inputs whose ways share nothing show different failures.
//
// It looks at the 2nd, the 4th and so on up to the 128th run, and at runs that do not fail in any known way, because each
// way has a function or clause that the run has not reached.

const (
	lastLook = 128     // the number of the last failing run that is looked at, whatever it reaches
	looksMax = 32      // failing runs that are looked at
	askedMax = 1 << 14 // failing runs that are compared with the known ways; each takes about as long as a run
)

// ways holds, for the signs of failures that this process has reported, the ways in which inputs fail.
type ways map[string]*place

// place is a place where runs fail.
type place struct {
	runs  int       // that failed there
	looks int       // runs that were looked at
	first term.Term // the input that was reported
	known []way
}

// way is a set of sites.
type way map[uint32]bool

// looksAt counts a run that failed with a sign. It reports whether to look at the run.
func (w ways) looksAt(sign string, run trace.Run) bool {
	p := w[sign]
	if p == nil || p.looks >= looksMax || p.runs >= askedMax {
		return false
	}
	p.runs++
	n := p.runs + 1
	if (n > lastLook || n&(n-1) != 0) && !p.strange(sitesOf(run)) {
		return false
	}
	p.looks++
	return true
}

// strange reports whether a run has not failed in any of the known ways, by what it has reached.
func (p *place) strange(reached way) bool {
	return len(p.known) > 0 && !slices.ContainsFunc(p.known, func(w way) bool { return w.in(reached) })
}

// add adds a way, and reports whether it is another failure: if it shares no site with a known one. If it shares some, it
// is mostly the same bug with another operator or statement around it. Then it is known, but it is not another failure.
func (p *place) add(x way) (another bool) {
	if len(x) == 0 && len(p.known) > 0 {
		return false // it says nothing
	}
	another = true
	for _, w := range p.known {
		if w.in(x) {
			return false
		}
		another = another && !w.meets(x)
	}
	p.known = append(p.known, x)
	return another
}

func (w way) meets(x way) bool {
	for id := range w {
		if x[id] {
			return true
		}
	}
	return false
}

func (w way) in(x way) bool {
	for id := range w {
		if !x[id] {
			return false
		}
	}
	return true
}

// String returns a short text that identifies the way among those of a program.
func (w way) String() string {
	sum := fnv.New32a()
	for _, id := range slices.Sorted(maps.Keys(w)) {
		fmt.Fprint(sum, id, " ")
	}
	return fmt.Sprintf("%d places %08x", len(w), sum.Sum32())
}

// wayBetween is between the sign of a place and a way to fail there.
const wayBetween = " in another way, "

// isAnotherWay reports whether a failure was told apart from others at its place.
func isAnotherWay(sign string) bool { return strings.Contains(sign, wayBetween) }

func sitesOf(run trace.Run) way {
	w := way{}
	for id := range run.Coarse() {
		w[id] = true
	}
	return w
}
