//go:build go1.25

package scoring

import (
	"bytes"
	"encoding/json"
	"os"
)

// The events of lines.
const (
	Begin    = "begin"    // the process has read its request: Version
	Start    = "start"    // a run begins: Fault and Test
	Note     = "note"     // the current run has panicked or spent its budget: By and Detail
	Ran      = "ran"      // Detail lists the functions that ran with Fault, and do not without; Judged follows
	Judged   = "judged"   // the verdict about a fault
	Check    = "check"    // a run of the original program begins, to show whether it still passes; after a kill, Fault is the fault
	Good     = "good"     // all tests passed on the original program
	Polluted = "polluted" // Test fails on the original program; after a kill, Fault is the fault
	Busy     = "busy"     // a goroutine of an earlier run still takes steps
	Stuck    = "stuck"    // the current run does not end: Detail
	Tested   = "tested"   // what a test did on the original program; Detail is why it is left out
	Killer   = "killer"   // an input of a property, Test, kills Fault; only if all of them are asked for
	Done     = "done"     // all is done
)

// Asleep is the detail of Stuck if all goroutines wait. The process does not end itself then: the runtime ends it if
// they wait for each other.
const Asleep = "every goroutine waits"

// NoFault is the number of the fault in lines about runs of the original program.
const NoFault = -1

// Line is one thing that happened. A test is a test or an example, or of a property an input: a stored
// case, an example, or an ID in the corpus.
type Line struct {
	Event   string `json:"event"`
	Version int    `json:"version,omitempty"` // Begin only; set by Put
	Fault   int    `json:"fault"`
	Test    string `json:"test,omitempty"`
	Detail  string `json:"detail,omitempty"`

	// A verdict.
	Kind  string `json:"kind,omitempty"` // a word of package fate, as is By
	By    string `json:"by,omitempty"`
	Tests int    `json:"tests,omitempty"` // how many tests reach the place
	Runs  int    `json:"runs,omitempty"`  // how many tests ran with the fault
	Once  bool   `json:"once,omitempty"`  // some tests reach the place only the first time that they run
	Init  bool   `json:"init,omitempty"`  // the fault changes a value in an initialiser
	Open  bool   `json:"open,omitempty"`  // Test has not passed on the original program since
	Input string `json:"input,omitempty"` // the input of a property as Go, if it is short

	// What a test did on the original program. In other lines than Tested, Nanos is the CPU time of the process so far.
	Steps int64 `json:"steps,omitempty"`
	Nanos int64 `json:"nanos,omitempty"`
}

// Results is the file that a test binary appends lines to.
type Results struct{ file *os.File }

// Open opens the results of a request.
func (r *Request) Open() (*Results, error) {
	f, err := os.OpenFile(r.Results, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	return &Results{f}, err
}

// Put appends a line. It is one write, so nothing is lost if the process dies.
func (r *Results) Put(l Line) error {
	if l.Event == Begin {
		l.Version = Version
	}
	return appendJSON(r.file, l)
}

// Close closes the file.
func (r *Results) Close() error { return r.file.Close() }

func appendJSON(file *os.File, x any) error {
	data, err := json.Marshal(x)
	if err == nil {
		_, err = file.Write(append(data, '\n'))
	}
	return err
}

// Lines returns the lines in data, and the rest that is not a complete line yet. What is not a line of
// this protocol is left out: a test may have written it.
func Lines(data []byte) (lines []Line, rest []byte) {
	for {
		text, after, complete := bytes.Cut(data, []byte("\n"))
		if !complete {
			return lines, data
		}
		var l Line
		if json.Unmarshal(text, &l) == nil {
			lines = append(lines, l)
		}
		data = after
	}
}

// Refused returns an error that says what to do if l is the first line of a test binary with another
// version.
func (l Line) Refused() error {
	if l.Event != Begin {
		return nil
	}
	return compare(l.Version, Version)
}
