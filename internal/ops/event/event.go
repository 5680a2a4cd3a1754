// Package event is what is known about a campaign: one JSON line for each thing
// that happened.
//
// Test binaries write about their properties to the command, which passes findings on and
// makes events of its own of the rest. Whatever is shown, while a campaign runs or after
// it, is made of the events of the command alone, so that a person and a program that reads
// -json are told the same.
//
//	event.Append(file, e)                 // test binary: this happened
//	for _, e := range tail.Next() { ... } // command: what is new since I last looked?
//	log.Write(e)                          // command: keep it, within bounds
//	for e, err := range event.Read(file)  // report: all of it once more
//
// Processes that write events may die at any moment, and a file may hold
// anything. Hence the one idea here: a line stands for itself. It goes out in one
// write, it says its format first, and whoever reads finds the next good line
// behind whatever is left of a bad one. No line is longer than a reader will take,
// because everything in an event has a bound.
package event

import (
	"errors"
	"time"

	"github.com/allele-go/allele/internal/ops/proc"
)

// Format is the number of the format that this package writes. Fields may be
// added to a format; one that gets another meaning needs a new number.
const Format = 1

// ErrNewer is in the error for an event of a newer format.
var ErrNewer = errors.New("update allele")

// Kind says what happened.
type Kind string

// Kinds that are not listed here may come from a later version with the same
// format; who does not know one leaves it out.
const (
	Listed      Kind = "listed"      // a test binary has this property
	Started     Kind = "started"     // a campaign began, or a property in it
	Progress    Kind = "progress"    // numbers of a property so far, and its state; or the kept case that is run next
	Reached     Kind = "reached"     // sites, where one line is too short for all of them
	Died        Kind = "died"        // a process that searched ended before its work was done
	Unconfirmed Kind = "unconfirmed" // that case passes elsewhere
	Found       Kind = "found"       // a case fails; if a search found it, it is as small as it gets
	Flaky       Kind = "flaky"       // one case, run twice, ended or went differently
	Repeated    Kind = "repeated"    // kept cases were run again on several processors
	Dropped     Kind = "dropped"     // a kept case is not needed any more
	Saved       Kind = "saved"       // cases that pass were written to files
	Chosen      Kind = "chosen"      // a property is run where others are not, and why
	Skipped     Kind = "skipped"     // a property is not run, and why
	Finished    Kind = "finished"    // a property, or the campaign, has come to its end
	Stopped     Kind = "stopped"     // somebody ended it before
	Note        Kind = "note"        // a person should know this; or the answer to a job that writes a file
)

// Verdict is what a property, or one run of it, came to.
type Verdict string

// The verdicts of properties. A kept case has Passed or Discarded.
const (
	Passed    Verdict = "passed"
	Failed    Verdict = "failed"
	Vacuous   Verdict = "vacuous"   // hardly an input got past its assumptions
	Unstable  Verdict = "flaky"     // it failed, and passed on the same input
	Crashed   Verdict = "crashed"   // it could not be tried, or its test failed around it
	Aborted   Verdict = "stopped"   // somebody, or the end of the time, ended it before
	Discarded Verdict = "discarded" // an assumption was false
)

// ranks orders the verdicts of processes that worked on one property.
var ranks = map[Verdict]int{Aborted: 1, Vacuous: 2, Passed: 3, Crashed: 4, Unstable: 5, Failed: 6}

// Rank orders verdicts: that of a property is the highest of its processes'. What
// failed says the most, then what passed, and one that was stopped says nothing.
func (v Verdict) Rank() int { return ranks[v] }

// State is where a property is.
type State string

// The states. A property that is over has none of them but Exhausted.
const (
	Waiting   State = "waiting"   // for its turn
	Running   State = "running"   // now
	Quiet     State = "quiet"     // nothing new was found for long
	Exhausted State = "exhausted" // nothing is left to try
	Broken    State = "failed"    // it has failed, and the search goes on
)

// Event is one thing that happened. What a kind has no use for stays zero.
type Event struct {
	Format int       `json:"v"` // first, so that a line can be found; set by who writes
	Time   time.Time `json:"time,omitzero"`
	Kind   Kind      `json:"kind"`

	Package  string `json:"package,omitempty"`
	Property string `json:"property,omitempty"` // none: it is about the campaign
	Test     string `json:"test,omitempty"`     // that the property is in
	Type     string `json:"type,omitempty"`     // of its inputs
	Worker   int    `json:"worker,omitempty"`   // Died: which process of its worker it was, counted from 1

	State    State   `json:"state,omitempty"`
	Failures int     `json:"failures,omitempty"` // different ones, so far
	Quiet    float64 `json:"quiet,omitempty"`    // seconds of its own time since something new
	Budget   float64 `json:"budget,omitempty"`   // seconds of the campaign, if they are bounded
	Workers  int     `json:"workers,omitempty"`

	Verdict   Verdict   `json:"verdict,omitempty"`
	Runs      int       `json:"runs,omitempty"`
	Seconds   float64   `json:"seconds,omitempty"` // it took
	Passed    int       `json:"passed,omitempty"`
	Discarded int       `json:"discarded,omitempty"`
	Paths     int       `json:"paths,omitempty"`    // different ways through the program
	Spawned   int       `json:"spawned,omitempty"`  // runs that started goroutines
	Kept      int       `json:"kept,omitempty"`     // cases
	Features  int       `json:"features,omitempty"` // of runs, that were new
	Search    *Search   `json:"search,omitempty"`
	Operands  *Operands `json:"operands,omitempty"`
	Unlogged  string    `json:"unlogged,omitempty"` // why a log is not whole
	Unkept    string    `json:"unkept,omitempty"`   // why what was kept is not whole
	Resumed   int       `json:"resumed,omitempty"`  // cases that were kept before
	Shared    int       `json:"shared,omitempty"`   // cases told to other workers, and
	Heard     int       `json:"heard,omitempty"`    // heard of from them

	Removed    int  `json:"removed,omitempty"`    // Saved: older cases that are not needed any more
	Unreadable int  `json:"unreadable,omitempty"` // Saved: cases left out because plain go test could not read them
	Misfit     bool `json:"misfit,omitempty"`     // Dropped: the case does not fit the type any more
	Silent     bool `json:"silent,omitempty"`     // Text is all there is: its process cannot print any more

	Sites   []uint32 `json:"sites,omitempty"`   // reached
	Before  []uint32 `json:"before,omitempty"`  // reached before the first run, by the test around the property
	Partial bool     `json:"partial,omitempty"` // others were reached too: by runs too long to tell, or whose process is gone

	Hot    uint32   `json:"hot,omitempty"`    // the site a run that was cut hit most
	Parted []uint32 `json:"parted,omitempty"` // where two runs of one case part: the last site of both, and where each went
	Last   []uint32 `json:"last,omitempty"`   // the last sites before a process died

	Sign   string `json:"sign,omitempty"`   // of a failure: others with the same are the same
	Traced bool   `json:"traced,omitempty"` // it was found under trace, which plain go test may not replay
	Run    int    `json:"run,omitempty"`    // in which it happened
	Case   string `json:"case,omitempty"`   // its file, or its ID in the corpus
	Why    string `json:"why,omitempty"`    // it is exhausted, chosen or skipped
	Input  string `json:"input,omitempty"`  // as Go, cut if it is long
	Text   string `json:"text,omitempty"`   // for people: a message, the top of a stack

	Death proc.Kind `json:"death,omitempty"` // how the run ended, or the process it was in
	Crash string    `json:"crash,omitempty"` // Crashed: what happened, for people
}

// Search is what a guided search has done.
type Search struct {
	Kept    int     `json:"kept"`    // cases that showed something new
	Whole   int     `json:"whole"`   // of these, every change of one step was run
	Bounded int     `json:"bounded"` // of these, every one but those that a bound left out
	Dropped int     `json:"dropped"` // of these, given up or forgotten
	Share   float64 `json:"share"`   // of the places of the others gone through; below 0 if that is not how it works
	Kinds   []Count `json:"kinds"`
}

// Count is how the inputs of one kind did.
type Count struct {
	Kind   string `json:"kind"`
	Tried  int    `json:"tried"`
	Passed int    `json:"passed"`
	New    int    `json:"new"`
	Failed int    `json:"failed"`
}

// Operands is what the process that tells operands did.
type Operands struct {
	Asked int    `json:"asked,omitempty"`
	Died  int    `json:"died,omitempty"`
	Off   string `json:"off,omitempty"` // why it is not asked any more
}
