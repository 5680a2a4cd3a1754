//go:build go1.25

package scoring

import (
	"cmp"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/fate"
)

// Original is what one ordinary test does on the original program.
type Original struct {
	Test   string
	Left   string `json:",omitempty"` // why the test is left out
	Steps  int64  `json:",omitempty"`
	Nanos  int64  `json:",omitempty"` // of the slowest run
	CPU    int64  `json:",omitempty"` // nanoseconds of CPU time of the fastest run
	Again  int    `json:",omitempty"` // how often it had been tried before
	Shaky  bool   `json:",omitempty"` // it failed before, in another process, as a test with deadlines does on a busy machine
	Varies bool   `json:",omitempty"` // two runs took different numbers of steps

	Each, First Reach // of each run, and of the first one in a process

	Ran Entered
}

// Entered are the functions that a test runs, by their position in Head.Funcs.
type Entered struct {
	All  Set `json:",omitempty"`
	Once Set `json:",omitempty"` // those that ran in the first run, and not in the last
}

// Due reports whether a test that failed is to be tried again.
func (t *Original) Due(again int) bool { return t.Again < again && slices.Contains(Failing, t.Left) }

// Class says how expensive a test is: 0 is below classFirst of CPU time, and each next class is classShare times as long.
// Steps are the same in every run, and time is not, so within a class the steps decide. But a test may compute for long
// outside of the code that counts steps.
func (t *Original) Class() (n int) {
	for limit := classFirst; time.Duration(t.CPU) >= limit; limit *= classShare {
		n++
	}
	return n
}

const (
	classFirst = 125 * time.Millisecond
	classShare = 8
)

// Cheaper compares the costs of two tests. Most faults are noticed by a cheap one, so these run first.
func Cheaper(a, b *Original) int {
	return cmp.Or(cmp.Compare(a.Class(), b.Class()), cmp.Compare(a.Steps, b.Steps))
}

// FindTest returns what is known of a test. The last case of a test counts.
func FindTest(cases []*Original, test string) *Original {
	for _, t := range slices.Backward(cases) {
		if t.Test == test {
			return t
		}
	}
	return nil
}

// Plan is what a baseline says about a fault: which tests run with it.
type Plan struct {
	Kind    string // the verdict, if no test notices the fault
	Reached int    // how many tests reach its place
	Once    bool   // some tests reach the place only the first time that they run
	Init    bool   // it changes a value in an initialiser
	Run     []int  // positions of tests
}

// How is how a fault is judged: see Request.
type How struct{ Fresh, Boot bool }

// Plan decides which of some tests run with a fault, by its position in the sets.
func (h *Head) Plan(bit int, tests []*Original, how How) (p Plan) {
	var others []int
	reached := h.InitHit.Has(bit)
	p.Init = h.InitDiff.Has(bit) && !how.Boot
	for i, t := range tests {
		first, diff := t.First.Diff.Has(bit), t.Each.Diff.Has(bit)
		if t.Each.Hit.Has(bit) || t.First.Hit.Has(bit) {
			p.Reached++
			reached = true
		}
		switch {
		case diff || first && how.Fresh || how.Boot:
			p.Run = append(p.Run, i)
		case first:
			p.Once = true
		case how.Fresh:
			others = append(others, i) // it may use what an infected test has computed once
		}
	}
	switch {
	case len(p.Run) > 0:
		p.Kind = fate.Survived
		p.Run = append(p.Run, others...)
	case how.Boot: // there are no tests
		p.Kind = fate.Survived
	case h.InitDiff.Has(bit):
		p.Kind = fate.Init
	case reached:
		p.Kind = fate.NotInfected
	default:
		p.Kind = fate.NotReached
	}
	return p
}
