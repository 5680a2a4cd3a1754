//go:build go1.25

// Package oracle decides whether a run notices a fault, by comparing it with the run of the
// original program on the same input.
//
//	r := oracle.Compare(original, faulty, runner.Differs)
//	if r.Kind == fate.Killed { ... } // r.By says what noticed the fault
//
// A fault is noticed only if the original run passed. These are all cases, with the verdict
// on the fault as far as this input goes:
//
//	original   with the fault                             verdict
//	passed     the property fails                         killed by property
//	passed     panics, also in another goroutine          killed by panic
//	passed     ends its process, or overflows its stack   killed by panic
//	passed     spends its budget of steps or of memory    killed by budget
//	passed     passes, with other values or labels        killed by difference
//	passed     is discarded                               killed by difference
//	passed     passes, with the same values and labels    survived
//	passed     has not ended after a long time            no verdict
//	passed     cannot be compared: Compare panics         no verdict
//	discarded  anything                                   survived
//	failed     anything                                   no verdict
//
// Values are those of T.Observe, labels those of T.Label, both in order. Messages are not
// compared.
//
// From passed to discarded is a kill: an assumption is computed by the program, and whether it
// holds is a result like any other. The alternative would make the score of a property worse
// when its author writes a precondition as an Assume instead of an if with an error.
//
// From discarded to passed is not a kill. The original run stopped at the assumption, so
// nothing is known about what the original program computes for this input: there is nothing
// to compare with. The same holds for a run that fails or panics where the original run was
// discarded: the author has said that such inputs do not matter. Accepted is the exception: if plain
// go test makes the input, a run that fails with the fault fails go test, so the fault is killed.
//
// An original run that fails is a bug of the program and no basis for a comparison.
//
// If two original runs on one input differ, for example because of the order of a map, then a
// difference says nothing about a fault. Case finds that out and leaves differences out.
package oracle

import (
	"strings"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/search/engine"
)

// Run is the outcome of a run, with what only runs with faults have.
type Run struct {
	property.Outcome
	Caught string // the panic of another goroutine; empty if there was none
	Large  string // the size of a slice that was too large; empty if there was none
}

// Result is the verdict on a fault by one input.
type Result struct {
	Kind   string // one of the kinds of package fate
	By     string
	Detail string
}

// Differs describes the first difference between what two runs have shown, the original run
// first. It returns "" if there is none.
type Differs func(original, faulty property.Shown) (string, error)

// Compare returns the verdict of one input. If differs is nil, what runs have shown is not
// compared.
func Compare(original, faulty Run, differs Differs) Result {
	switch {
	case original.Verdict == engine.Failed:
		return Result{Kind: fate.NoVerdict, Detail: "the original run failed"}
	case original.Verdict == engine.Discarded:
		return Result{Kind: fate.Survived}
	case faulty.Large != "":
		return Result{Kind: fate.Killed, By: fate.ByBudget, Detail: "a slice of size " + faulty.Large}
	case faulty.Caught != "":
		return panics(faulty.Caught)
	case faulty.Death != nil:
		return panics(faulty.Death.Text)
	case faulty.Hung:
		return Result{Kind: fate.NoVerdict, Detail: "the run had not ended after a long time"}
	case faulty.Verdict == engine.Failed:
		return failed(faulty)
	case faulty.Verdict == engine.Discarded && differs != nil:
		return Result{Kind: fate.Killed, By: fate.ByDifference, Detail: "the run was discarded"}
	case faulty.Verdict == engine.Passed && differs != nil:
		return compared(differs(original.Shown, faulty.Shown))
	}
	return Result{Kind: fate.Survived}
}

// Accepted returns the verdict of an input that plain go test makes and that the original run discards:
// go test notices the fault if the run fails.
func Accepted(faulty Run) Result { return Compare(Run{}, faulty, nil) }

// failed returns the verdict if a run failed where the original run passed.
func failed(faulty Run) Result {
	switch {
	case faulty.Panic != nil:
		return panics(faulty.Panic.Text)
	case faulty.Cut != nil && faulty.Cut.Overflow != "":
		return panics("stack overflow")
	case faulty.Cut != nil:
		return Result{Kind: fate.Killed, By: fate.ByBudget, Detail: faulty.Cut.After}
	}
	detail := faulty.At
	for _, l := range faulty.Logs {
		if l.Fails {
			detail = strings.TrimPrefix(detail+": ", ": ") + l.Text
			break
		}
	}
	return Result{Kind: fate.Killed, By: fate.ByProperty, Detail: short(detail)}
}

func panics(text string) Result {
	return Result{Kind: fate.Killed, By: fate.ByPanic, Detail: short(text)}
}

func compared(what string, err error) Result {
	switch {
	case err != nil:
		return Result{Kind: fate.NoVerdict, Detail: short(err.Error())}
	case what != "":
		return Result{Kind: fate.Killed, By: fate.ByDifference, Detail: what}
	}
	return Result{Kind: fate.Survived}
}

// detailMax bounds the details of a verdict, which are one line of a report.
const detailMax = 120

func short(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > detailMax {
		return string(r[:detailMax-3]) + "..."
	}
	return s
}

// Case is an input whose original run is known.
type Case struct {
	Original Run
	Unstable string // what differs between two original runs; empty if nothing does
	differs  Differs
}

// NewCase returns a case after its first original run.
func NewCase(original Run, differs Differs) *Case { return &Case{Original: original, differs: differs} }

// Again adds another original run. If it differs from the first one, differences no longer
// say anything about faults. If it ends in another way, the case says nothing at all.
func (c *Case) Again(r Run) {
	switch {
	case r.Verdict != c.Original.Verdict || r.Hung || r.Caught != "":
		c.Unstable, c.Original.Verdict = "the verdict", engine.Failed
	case c.Unstable == "" && r.Verdict == engine.Passed:
		what, err := c.differs(c.Original.Shown, r.Shown)
		if c.Unstable = what; err != nil {
			c.Unstable = short(err.Error())
		}
	}
}

// CanKill reports whether a fault can be killed by this case.
func (c *Case) CanKill() bool { return c.Original.Verdict == engine.Passed }

// Judge returns the verdict of this case on a fault. again makes an original run: before a
// fault counts as killed by a difference, the original is compared with itself once more.
func (c *Case) Judge(faulty Run, again func() Run) Result {
	differs := c.differs
	if c.Unstable != "" {
		differs = nil
	}
	r := Compare(c.Original, faulty, differs)
	if r.By == fate.ByDifference && again != nil {
		if c.Again(again()); c.Unstable != "" {
			return Result{Kind: fate.Survived}
		}
	}
	return r
}
