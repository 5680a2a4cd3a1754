//go:build go1.25

// Package event describes what happens in a campaign: one JSON line for each event.
//
// Test binaries write events about their properties to a file for the command. The command
// passes findings on and turns the other events into events of its own. Everything that is
// shown, during a campaign or after it, comes from the events of the command, so a person
// and a program that reads -json get the same information.
//
//	event.Append(file, event.Event{Property: p, Body: event.Note{Text: "slow"}}) // test binary: this happened
//	for _, e := range tail.Next() { ... }                                        // command: the events since the last call
//	log.Write(e)                                                                 // command: log it, within bounds
//	for e, err := range event.Read(file) { ... }                                 // an experiment: read all of them again
//
// Each kind of event is a type of its own, in kinds.go. The type of its body is the kind of an event,
// so no event has a kind and the fields of another one.
//
// Processes that write events may die at any moment, and a file may have any content.
// Hence the one idea here: a line does not depend on other lines. It is written in one
// call, it starts with its format, and a reader finds the next good line after a damaged
// one. No line is longer than a reader accepts, because every field of an event is bounded.
package event

import (
	"errors"
	"time"
)

// Format is the version of the format that this package writes. A new kind or field does not
// need a new version: readers skip what they do not know. A field that gets another meaning
// does.
const Format = 2

// ErrNewer is wrapped by the error for an event of a newer format, and ErrOlder by that for
// an event of an older one.
var (
	ErrNewer = errors.New("update allele")
	ErrOlder = errors.New("an older allele wrote it; run the command that wrote it again, with this version")
)

// Event is something that happened.
type Event struct {
	Time     time.Time
	Package  string
	Property string // empty: the event is about the campaign
	Body     Body   // what happened
}

// Body is what happened. Its type is the kind of the event. The types are in kinds.go; they
// implement Body as values, so an event can be changed without changing copies of it.
type Body interface{ kind() Kind }

// Kind is the name of a kind of event.
type Kind string

// Kind returns the kind of the event, or "" if it has no body.
func (e Event) Kind() Kind {
	if e.Body == nil {
		return ""
	}
	return e.Body.kind()
}

// Verdict is the result of a property, or of one run.
type Verdict string

// The verdicts of properties. A saved input has Passed or Discarded.
const (
	Passed    Verdict = "passed"    // no input failed
	Failed    Verdict = "failed"    // an input fails
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

// The states. Exhausted is the state of a property that has finished.
const (
	Waiting   State = "waiting"   // it waits for its turn
	Replaying State = "replaying" // it runs the saved inputs of earlier campaigns again
	Running   State = "running"   // it runs now
	Shrinking State = "shrinking" // it shrinks an input that fails, which takes long
	Quiet     State = "quiet"     // nothing new was found for a long time
	Exhausted State = "exhausted" // nothing is left to try
	Broken    State = "failed"    // it has failed, and the search goes on
)
