package property

import (
	"time"

	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/stack"
	"github.com/allele-go/allele/internal/value/term"
)

// Runner runs a property on a term and says what came of it. One implementation runs
// it in this process, another in a process of its own, which the run may end.
type Runner interface {
	// One makes a run by itself. What the run says is kept if detail is wanted.
	One(x term.Term, detail bool) Outcome
}

// Local is the Runner of this process. It can also make many runs in a row, at the
// speed that a search needs.
type Local interface {
	Runner
	// Many makes runs until the source has no more or wants no more.
	Many(Source)
	// Watch has runs followed.
	Watch(*watch.Watcher)
	// Helpers are functions that called Helper in runs with detail, and Learn adds some
	// that another process knows.
	Helpers() []string
	Learn(functions []string)
}

// Source gives the terms of many runs. Its methods are called by one goroutine at a
// time.
type Source interface {
	// Next is the term of the next run.
	Next() (x term.Term, ok bool)
	// Done accounts for a run, and reports whether to go on. The Run is the runner's: it
	// is another one after the next call.
	Done(*Run) bool
	// Lost accounts for a run that goes on for ever, or may. There is no other after it.
	Lost(Outcome)
}

// Run is a run among many, as little as most of them need.
type Run struct {
	Verdict engine.Verdict
	Reject  Reject   // who discarded it
	Labels  []Label  // of one that passed
	Failure *Outcome // of one that failed
}

// Reject is who discarded an input: an Assume by its place, a Given by its number, or a
// builder, which leaves both zero.
type Reject struct {
	PC    uintptr
	Given int16 // from 1
}

// Trace is all that a program without probes shows of a run that was discarded: a path
// of one symbol.
func (r Reject) Trace(symbol *[1]uint32) trace.Run {
	symbol[0] = uint32(r.PC) ^ uint32(r.Given)<<16
	return trace.Run{Symbols: symbol[:]}
}

// Label is a value that a run was counted under.
type Label struct{ Name, Value string }

// Outcome is what came of a run: plain data, which can be printed, or sent to another
// process.
type Outcome struct {
	Verdict  engine.Verdict
	Hung     bool   // it was still running when the deadline of the test came near
	Reject   Reject `json:"-"`          // means something in this process only
	Rejected string `json:",omitempty"` // by whom, if it was discarded in another process

	Logs  []Line `json:",omitempty"`
	At    string `json:",omitempty"` // where it first failed, as file:line
	Panic *Panic `json:",omitempty"`
	Outer string `json:",omitempty"` // what the property did to the t around Check
	Cut   *Cut   `json:",omitempty"` // why it was not allowed to go on

	Death *Death `json:",omitempty"` // of the process it was run in
}

// Line is something that a run said.
type Line struct {
	At    string // file:line
	Text  string
	Fails bool // from Error, not Log
}

// Panic is what a run panicked with.
type Panic struct{ Text, Stack string }

// Cut is a run that was stopped.
type Cut struct {
	After    string // so many steps
	Overflow string // the top of its stack, if that was why
	Loop     string // the function that did not end, if it was not
}

// Death is how a run ended its process.
type Death struct {
	proc.Death
	Waited time.Duration // how long a run was waited for
	Last   []uint32      // the sites it hit last, the latest first
	Memory int64         // that the process could take
}

// Failed reports whether the run is a failure.
func (o Outcome) Failed() bool { return o.Verdict == engine.Failed }

// Kind is how a failing run ended, in a word.
func (o Outcome) Kind() proc.Kind {
	switch {
	case o.Hung:
		return proc.Hang
	case o.Death != nil:
		return o.Death.Kind
	case o.Exited():
		return proc.Exit
	case o.Panic != nil:
		return proc.Panic
	case o.Cut != nil:
		return proc.Cut
	}
	return proc.Failed
}

// Exited reports whether the property called os.Exit(0), which is a panic in a test.
func (o Outcome) Exited() bool { return o.Panic != nil && proc.IsExitPanic(o.Panic.Text) }

// Frames finds the goroutine that matters in what the runtime printed at a death: the
// first one with code of the user. When all wait or one hangs, it is that of the
// property, as others may wait for good reason.
func (d *Death) Frames() []stack.Frame {
	var first []stack.Frame
	for _, g := range stack.Goroutines(d.Stack) {
		fs, ours := stack.User(g)
		if d.Kind == proc.Panic {
			fs = stack.OriginOnce(g)
		}
		switch {
		case len(fs) == 0:
		case d.Kind != proc.Hang && d.Kind != proc.Deadlock || ours:
			return fs
		case first == nil:
			first = fs
		}
	}
	return first
}
