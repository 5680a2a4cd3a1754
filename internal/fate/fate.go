//go:build go1.25

// Package fate has the words for what became of a fault when the tests and properties of a
// package were run on the faulty program.
//
//	v := fate.Verdict{Fault: 7, Kind: fate.Killed, By: fate.ByTest, Test: "TestParse"}
//	v.String()   // killed by test: TestParse
//
// The words are the same in the code, in JSON and in the documentation. The package is also compiled
// into modules that do not use allele, together with score/suite, so it imports nothing.
package fate

// The kinds of verdicts. Only Survived, NotInfected and NotReached say that the tests are
// too weak. NoVerdict counts neither for nor against them.
const (
	Killed      = "killed"       // something noticed the fault
	Survived    = "survived"     // a value was different, yet nothing noticed it
	NotInfected = "not infected" // the place was evaluated, and the value was always the same
	NotReached  = "not reached"  // the place was never evaluated
	NoVerdict   = "no verdict"   // nothing is known, for the reason in Detail

	// Init means that only initialisers of packages reach the place with another value.
	// These run before any test can switch the fault on.
	Init = "init"
)

// Generated is how the names of inputs begin that plain go test makes. The number of the run follows.
const Generated = "go test run "

// What killed a fault.
const (
	ByProperty   = "property"   // a property failed
	ByDifference = "difference" // a property passed, but the run differed from the original run
	ByPanic      = "panic"      // the program panicked, or its process died
	ByBudget     = "budget"     // a run took far more steps than the original run, or much memory
	ByTest       = "test"       // an ordinary test failed
	ByDeadlock   = "deadlock"   // every goroutine waits, and nothing can wake one
)

// Verdict is what became of one fault.
type Verdict struct {
	Fault  int    `json:"fault"` // its ID
	Kind   string `json:"kind"`
	By     string `json:"by,omitempty"`     // what killed it
	Detail string `json:"detail,omitempty"` // message of a panic, or the reason for no verdict
	Test   string `json:"test,omitempty"`   // the test that killed it, gave no verdict, or ran and passed; of a property the input
	Input  string `json:"input,omitempty"`  // the input as Go, if it is short
	Tests  int    `json:"tests,omitempty"`  // how many tests reach the place
	Runs   int    `json:"runs,omitempty"`   // how many tests ran with the fault switched on
}

// String says the verdict in one line.
func (v Verdict) String() string {
	s := v.Kind
	if v.By != "" {
		s += " by " + v.By
	}
	if v.Test != "" {
		s += ": " + v.Test
	}
	if v.Detail != "" {
		s += " (" + v.Detail + ")"
	}
	return s
}
