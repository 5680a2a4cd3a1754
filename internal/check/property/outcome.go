//go:build go1.25

package property

import (
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/stack"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// Runner runs a property on a term and returns the outcome. One implementation runs the
// property in this process, another in a child process, which the run may end.
type Runner interface {
	// One makes a single run. The outcome contains the messages of the run if detail is
	// true.
	One(x term.Term, detail bool) Outcome
}

// Local is the Runner of this process. It can also make many runs in a row, at the
// speed that a search needs.
type Local interface {
	Runner
	// Many makes runs until Next or Done of the source returns false.
	Many(Source)
	// In returns a runner of the same property for terms of another world.
	In(*schema.World) Local
	// Equal builds the values of two terms and reports whether they are equal.
	Equal(x, y term.Term) bool
	// Watch makes the watcher follow all later runs.
	Watch(*watch.Watcher)
	// Helpers returns the functions that called Helper in runs with detail. Learn adds
	// functions that another process has found.
	Helpers() []string
	Learn(functions []string)
	// Observe sets whether later runs record what they show. Differs describes the first
	// difference between what two runs have shown, the original run first; it returns "" if
	// there is none. The error says that an equality of the user did not return.
	Observe(Observing)
	Differs(original, other Shown) (string, error)
}

// Source provides the terms of many runs. Its methods are called by one goroutine at a
// time.
type Source interface {
	// Next returns the term of the next run.
	Next() (x term.Term, ok bool)
	// Done accounts for a run, and reports whether to go on. The runner reuses the Run
	// after Done returns.
	Done(*Run) bool
	// Lost accounts for a run that was abandoned because it may never end. It is the last
	// call.
	Lost(Outcome)
}

// Examiner is a Source that decides about runs that take very long.
type Examiner interface {
	Source
	// Examine reports whether to abandon the current run, because it is slow: Lost is called
	// then. Otherwise the runner waits for the run. Examine may make runs while the current
	// one goes on.
	Examine(Examination) (slow bool)
}

// Examination is what an Examiner may use.
type Examination struct {
	Took time.Duration // how long the current run takes so far
	// Aside runs a term and waits for at most the limit. It reports how long the run took, and
	// whether it ended.
	Aside func(x term.Term, limit time.Duration) (took time.Duration, ended bool)
	// Over reports whether the current run has ended, or no time is left to examine it.
	Over func() bool
}

// Run is the result of one of many runs. It is small because a search makes so many.
type Run struct {
	Verdict engine.Verdict
	Reject  Reject   // what discarded the run
	Labels  []Label  // of a run that passed
	Shown   Shown    // of a run that passed, if runs record what they show
	Failure *Outcome // of a run that failed
}

// Reject identifies what discarded an input: an Assume by its place, a Given by its
// number, a builder, or a known bug.
type Reject struct {
	PC      uintptr
	Given   int16 // from 1
	Builder *schema.Func
	Known   Known
}

// Rejected says why a run was discarded, as data for other processes.
type Rejected struct {
	By    string `json:",omitempty"` // the assumption; empty in the process of the run
	Known Known  `json:",omitzero"`
}

// Known is the known bug that T.Known said a run is about.
type Known struct {
	Issue  string // empty if the run is about none
	Failed bool   // the run failed; otherwise the bug did not show
}

// Issue returns the name of a known bug as it is printed: in one line, and not too long.
func Issue(name string) string { return words.Line(name, issueMax) }

const issueMax = 200 // bytes

// Trace returns a trace with one symbol, which identifies the assumption that discarded the
// run. A program without probes records nothing else about a discarded run.
func (r Reject) Trace(symbol *[1]uint32) trace.Run {
	symbol[0] = uint32(r.PC) ^ uint32(r.Given)<<16
	return trace.Run{Symbols: symbol[:]}
}

// Label is a label that T.Label gave to a run.
type Label struct{ Name, Value string }

// Outcome is the result of a run. It is plain data, which can be printed or sent to
// another process.
type Outcome struct {
	Verdict  engine.Verdict
	Hung     bool     // the run had not ended shortly before the test's deadline, or after Waited
	Slow     bool     `json:"-"`         // the run took very long and was abandoned, which is no failure
	Reject   Reject   `json:"-"`         // valid in this process only
	Rejected Rejected `json:",omitzero"` // why the run was discarded, as other processes see it

	Logs  []Line `json:",omitempty"`
	At    string `json:",omitempty"` // where the run first failed, as file:line
	Sign  string `json:",omitempty"` // what distinguishes the failure from others at that line
	Panic *Panic `json:",omitempty"`
	Outer string `json:",omitempty"` // how the property misused the enclosing test; empty if it did not
	Cut   *Cut   `json:",omitempty"` // why the run was stopped
	// Waited is how long a run took that had not ended when half of the time before the test's
	// deadline was over.
	Waited time.Duration `json:",omitempty"`
	Steps  int64         `json:",omitempty"` // how many steps the run took, if these were more than the limit

	Death *Death `json:",omitempty"` // how the run ended its process; nil if it did not
	Shown Shown  `json:"-"`          // if runs record what they show; valid in this process only

	// Programs are terms for the calls that the input's lists of calls have made, if the run failed. Some of them may pass.
	Programs []term.Term `json:"-"`
}

// Hung is the outcome of a run that a runner does not wait for any longer.
var Hung = Outcome{Verdict: engine.Failed, Hung: true}

// Slow is the outcome of a run that was abandoned because an Examiner has called it slow.
var Slow = Outcome{Verdict: engine.Discarded, Slow: true}

// Line is a message of a run.
type Line struct {
	At    string // file:line
	Text  string
	Fails bool // the message is from a method such as Error, not from Log
	Left  int  `json:",omitempty"` // how many messages before it are left out
}

// Panic is the panic of a run.
type Panic struct{ Text, Stack string }

// Cut describes a run that was stopped.
type Cut struct {
	After    string // the number of steps, as text
	Overflow string // the top of its stack, if the stack was too large
	Loop     string // the function that did not return, if there were too many steps
	Hot      uint32 `json:",omitempty"` // the site that was hit most often

	// A run that has taken too many steps goes on before it counts as endless.
	Waited time.Duration `json:",omitempty"` // it went on for this time, and had not ended
	Memory int64         `json:",omitempty"` // it went on until it used so many bytes, and had not ended
}

// TooLong reports whether the run was stopped because it took too many steps.
func (o Outcome) TooLong() bool { return o.Kind() == proc.Cut && o.Cut.Overflow == "" }

// Death is how a run ended its process.
type Death struct {
	proc.Death
	Waited time.Duration // the timeout of the run
	Last   []uint32      // the sites that the run hit last, the latest first
	Memory int64         // the memory limit of the process, in bytes
}

// Failed reports whether the run is a failure.
func (o Outcome) Failed() bool { return o.Verdict == engine.Failed }

// Kind returns one word for how a failing run ended.
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

// Exited reports whether the property called os.Exit(0), which package testing turns into
// a panic.
func (o Outcome) Exited() bool { return o.Panic != nil && proc.IsExitPanic(o.Panic.Text) }

// Frames returns the stack of the goroutine to blame, which it finds in what the runtime
// printed when the process died. This is the first goroutine with user code. After a hang or
// a deadlock it is the goroutine of the property, if that is listed, because other goroutines
// may wait legitimately.
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
