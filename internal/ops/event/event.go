//go:build go1.25

// Package event describes what happens in a campaign: one JSON line for each event.
//
// Test binaries write events about their properties to a file for the command. The command
// passes findings on and turns the other events into events of its own. Everything that is
// shown, during a campaign or after it, comes from the events of the command, so a person
// and a program that reads -json get the same information.
//
//	event.Append(file, e)                 // test binary: this happened
//	for _, e := range tail.Next() { ... } // command: the events since the last call
//	log.Write(e)                          // command: log it, within bounds
//	for e, err := range event.Read(file)  // report: read all of them again
//
// Processes that write events may die at any moment, and a file may have any content.
// Hence the one idea here: a line does not depend on other lines. It is written in one
// call, it starts with its format, and a reader finds the next good line after a damaged
// one. No line is longer than a reader accepts, because every field of an event is bounded.
package event

import (
	"errors"
	"time"

	"github.com/allele-go/allele/internal/ops/proc"
)

// Format is the version of the format that this package writes. A new field does not need
// a new version; a field that gets another meaning does.
const Format = 1

// ErrNewer is wrapped by the error for an event of a newer format.
var ErrNewer = errors.New("update allele")

// Kind is the kind of an event.
type Kind string

// The kinds. A later version may write other kinds in the same format; a reader skips a
// kind that it does not know.
const (
	Omitted     Kind = "omitted"     // a package does not compile and is left out; Text has its errors
	Listed      Kind = "listed"      // a test binary contains this property
	Started     Kind = "started"     // a campaign began, or a property in it
	Progress    Kind = "progress"    // counts and state of a property; or the saved input that is run next
	Reached     Kind = "reached"     // sites that do not fit into the line of another event
	Died        Kind = "died"        // a process that searched died
	Unconfirmed Kind = "unconfirmed" // the input of a process that died passes when it is run again
	Found       Kind = "found"       // an input fails; if a search found it, it is shrunk already
	Flaky       Kind = "flaky"       // two runs of one input ended differently or took different paths
	Repeated    Kind = "repeated"    // saved inputs were run again on several cores
	Dropped     Kind = "dropped"     // a saved input is not needed any more
	Saved       Kind = "saved"       // passing inputs were written to files
	Chosen      Kind = "chosen"      // -since has chosen to run a property, and why
	Skipped     Kind = "skipped"     // -since has skipped a property, and why
	Finished    Kind = "finished"    // a property, or the campaign, has finished
	Wanted      Kind = "wanted"      // a process waits for the binary that reports operands; the command handles it
	Stopped     Kind = "stopped"     // the campaign was stopped early
	Note        Kind = "note"        // a message for the user; or the answer to a job that writes a file
)

// Verdict is the result of a property, or of one run.
type Verdict string

// The verdicts of properties. A saved input has Passed or Discarded.
const (
	Passed    Verdict = "passed"
	Failed    Verdict = "failed"
	Vacuous   Verdict = "vacuous"   // hardly any input satisfied its assumptions
	Unstable  Verdict = "flaky"     // on the same input it sometimes failed and sometimes passed
	Crashed   Verdict = "crashed"   // it could not be tried, or its test failed outside of the property
	Aborted   Verdict = "stopped"   // it was stopped, or time was up, before enough inputs passed
	Discarded Verdict = "discarded" // an assumption was false
)

const (
	// DistinctMin is how many distinct inputs must pass before time is up.
	DistinctMin = 10
	// JudgedRuns is how many runs are enough to call a property vacuous when time is up.
	JudgedRuns = 1000
)

// ranks orders the verdicts of processes that worked on one property.
var ranks = map[Verdict]int{Aborted: 1, Vacuous: 2, Passed: 3, Crashed: 4, Unstable: 5, Failed: 6}

// Rank orders verdicts: a property gets the highest verdict of its processes. Failures
// are highest, and a process that was stopped early is lowest.
func (v Verdict) Rank() int { return ranks[v] }

// State is the state of a property in a campaign.
type State string

// The states. A property that has finished has no state, or Exhausted.
const (
	Waiting   State = "waiting"   // it waits for its turn
	Replaying State = "replaying" // it runs the saved inputs of earlier campaigns again
	Running   State = "running"   // it runs now
	Quiet     State = "quiet"     // nothing new was found for a long time
	Exhausted State = "exhausted" // nothing is left to try
	Broken    State = "failed"    // it has failed, and the search goes on
)

// Event is something that happened. Fields that a kind does not use are zero.
type Event struct {
	Format int       `json:"v"` // the first field, so that a reader finds the beginning of a line; set by the writer
	Time   time.Time `json:"time,omitzero"`
	Kind   Kind      `json:"kind"`

	Package  string `json:"package,omitempty"`
	Property string `json:"property,omitempty"` // empty: the event is about the campaign
	Test     string `json:"test,omitempty"`     // the Go test that contains the property
	Type     string `json:"type,omitempty"`     // type of the property's inputs
	Encoder  bool   `json:"encoder,omitempty"`  // an encoder makes the inputs
	Worker   int    `json:"worker,omitempty"`   // Died: 1 for the first of a worker's processes that died, 2 for the second, and so on

	State    State   `json:"state,omitempty"`
	Failures int     `json:"failures,omitempty"` // distinct failures so far
	Quiet    float64 `json:"quiet,omitempty"`    // seconds of the property's own time, however many workers, since something new
	Budget   float64 `json:"budget,omitempty"`   // seconds of the campaign, if it has a budget
	Workers  int     `json:"workers,omitempty"`

	Verdict   Verdict   `json:"verdict,omitempty"`
	Runs      int       `json:"runs,omitempty"`
	Seconds   float64   `json:"seconds,omitempty"` // duration
	Passed    int       `json:"passed,omitempty"`
	Distinct  int       `json:"distinct,omitempty"` // distinct inputs that passed
	AtLeast   bool      `json:"atLeast,omitempty"`  // there may be more distinct inputs; counting stops at 1,024
	Discarded int       `json:"discarded,omitempty"`
	Paths     int       `json:"paths,omitempty"`    // distinct paths through the program
	Spawned   int       `json:"spawned,omitempty"`  // runs that started goroutines
	Long      int       `json:"long,omitempty"`     // runs that took more steps than Limit, and ended
	Limit     int       `json:"limit,omitempty"`    // the step limit
	Kept      int       `json:"kept,omitempty"`     // inputs that the search kept because they showed something new
	Features  int       `json:"features,omitempty"` // number of new features of runs
	Search    *Search   `json:"search,omitempty"`
	Operands  *Operands `json:"operands,omitempty"`
	Encoded   *Encoded  `json:"encoded,omitempty"`
	Unlogged  string    `json:"unlogged,omitempty"` // why the log is incomplete
	Unkept    string    `json:"unkept,omitempty"`   // why the corpus is incomplete
	Resumed   int       `json:"resumed,omitempty"`  // inputs saved by earlier campaigns that were run again
	Replay    float64   `json:"replay,omitempty"`   // seconds that Resumed took
	Shared    int       `json:"shared,omitempty"`   // inputs sent to other workers
	Heard     int       `json:"heard,omitempty"`    // inputs received from other workers

	Certain bool     `json:"certain,omitempty"` // Vacuous: more runs would not change it
	Enough  bool     `json:"enough,omitempty"`  // few distinct inputs are enough: all were tried, saved ones pass, or AllowVacuous is set
	Notes   []string `json:"notes,omitempty"`   // about a property that passed: for instance, a field that is always zero

	Removed    int    `json:"removed,omitempty"`    // Saved: older files that are not needed any more
	Unreadable int    `json:"unreadable,omitempty"` // Saved: inputs left out because plain go test could not read them
	Misfit     bool   `json:"misfit,omitempty"`     // Dropped: the input does not fit the type any more
	Slow       string `json:"slow,omitempty"`       // Note: the run of an input is slow; the bound that the input exceeds
	Silent     bool   `json:"silent,omitempty"`     // Text is the only output: the process has closed standard output

	Sites   []uint32 `json:"sites,omitempty"`   // sites that runs reached
	Before  []uint32 `json:"before,omitempty"`  // sites that the test reached before the first run of the property
	Partial bool     `json:"partial,omitempty"` // Sites is incomplete: some runs were too long, or their process died

	Hot    uint32   `json:"hot,omitempty"`    // the site that was hit most in a run that was stopped after too many steps
	Parted []uint32 `json:"parted,omitempty"` // where two runs of one input diverge: the last common site, and the next site of each run
	Last   []uint32 `json:"last,omitempty"`   // the last sites before a process died

	Sign   string `json:"sign,omitempty"`   // identifies a failure: findings with the same sign are the same failure
	Traced bool   `json:"traced,omitempty"` // the failure was found with tracing, so plain go test may not reproduce it
	Run    int    `json:"run,omitempty"`    // number of the run in which the event happened
	Case   string `json:"case,omitempty"`   // file of the stored case, or ID of the saved input
	Why    string `json:"why,omitempty"`    // reason why a property is exhausted, vacuous, stopped, chosen or skipped
	Input  string `json:"input,omitempty"`  // as Go, shortened if it is long
	Text   string `json:"text,omitempty"`   // for people: a message, the top of a stack

	Death proc.Kind `json:"death,omitempty"` // how the run or its process ended
	Crash string    `json:"crash,omitempty"` // Crashed: what happened, for people
}

// Search is the statistics of a guided search.
type Search struct {
	Kept    int     `json:"kept"`    // inputs that the search kept because they showed something new
	Whole   int     `json:"whole"`   // kept inputs of which every one-step change was run
	Bounded int     `json:"bounded"` // kept inputs of which every one-step change was run, except changes that exceed a bound
	Dropped int     `json:"dropped"` // kept inputs that were dropped or forgotten
	Share   float64 `json:"share"`   // in the other kept inputs, the average share of the places that were changed; negative if not defined
	Kinds   []Count `json:"kinds"`
}

// Count counts the results of the inputs that were made in one way, such as fresh or
// havoc.
type Count struct {
	Kind   string `json:"kind"`
	Tried  int    `json:"tried"`
	Passed int    `json:"passed"`
	New    int    `json:"new"`
	Failed int    `json:"failed"`
}

// Encoded is the statistics of the process that encodes values with faults in the encoder.
type Encoded struct {
	Reached int    `json:"reached,omitempty"` // faults at places that the encoder reached, summed over all encoded values
	Faults  int    `json:"faults,omitempty"`  // of these, how many changed a value
	Sliced  int    `json:"sliced,omitempty"`  // of these, how many are in the slice
	Runs    int    `json:"runs,omitempty"`    // runs of the encoder with a fault
	Made    int    `json:"made,omitempty"`    // of these, how many made bytes that none had made before
	Same    int    `json:"same,omitempty"`    // made known bytes
	Refused int    `json:"refused,omitempty"` // returned an error
	Panics  int    `json:"panics,omitempty"`
	Spent   int    `json:"spent,omitempty"` // took too many steps, or too much memory
	Died    int    `json:"died,omitempty"`  // how often the process ended
	Off     string `json:"off,omitempty"`   // why it is not used any more
	By      []int  `json:"by,omitempty"`    // runs with faults that are always on, by the number in the MutaGen paper; 0 is ours
}

// Operands is the statistics of the process that reports operands.
type Operands struct {
	Asked int    `json:"asked,omitempty"`
	Died  int    `json:"died,omitempty"`
	Off   string `json:"off,omitempty"` // why it is not used any more
}
