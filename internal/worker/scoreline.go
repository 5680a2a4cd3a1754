//go:build go1.25

package worker

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/allele-go/allele/internal/property"
)

// A score is requested with a file, and answered with lines that are appended to another
// file, so that nothing is lost if a fault ends the process. Requests and lines have the
// fields and words of package suite, which runs ordinary tests with faults: the command
// treats a case of a property like a test.

// The modes of a request.
const (
	scoreBaseline = "baseline" // run each case on the original program, and write the file Baseline
	scoreJudge    = "judge"    // run cases with faults
)

// scoreRequest is what the command asks for.
type scoreRequest struct {
	Mode     string            `json:"mode"`
	Results  string            `json:"results"`  // file that lines are appended to
	Baseline string            `json:"baseline"` // file with the baseline
	Faults   []fault           `json:"faults"`
	Wall     int64             `json:"wall"`            // nanoseconds that a run may take
	Memory   int64             `json:"memory"`          // not used: the job has the limit
	Leave    map[string]string `json:"leave,omitempty"` // cases to leave out, with the reason
	Fresh    bool              `json:"fresh,omitempty"` // judge a fault by what cases reach only in the first run of a process

	Boot bool `json:"boot,omitempty"` // the fault is on since the process started: all cases run with it

	Implicit bool `json:"implicit,omitempty"` // do not compare runs: only failures, panics and budgets kill
	All      bool `json:"all,omitempty"`      // run all cases with each fault, and list those that kill it
}

// The events of lines.
const (
	lineBegin    = "begin"
	lineStart    = "start"
	lineJudged   = "judged"
	lineCheck    = "check"
	lineGood     = "good"
	linePolluted = "polluted"
	lineStuck    = "stuck"
	lineTested   = "tested"
	lineKiller   = "killer" // Test kills Fault; only if the request asks for all cases that do
	lineFreed    = "freed"  // Freed cases were discarded on the original program, and pass with the fault
	lineDone     = "done"
)

// noFault is the number of the fault in lines about the original program.
const noFault = -1

// scoreLine is one thing that happened.
type scoreLine struct {
	Event  string `json:"event"`
	Fault  int    `json:"fault"`
	Test   string `json:"test,omitempty"` // name of a case: a file, an example, or an ID in the corpus
	Kind   string `json:"kind,omitempty"`
	By     string `json:"by,omitempty"`
	Detail string `json:"detail,omitempty"`
	Tests  int    `json:"tests,omitempty"` // cases that reach the place and can kill
	Runs   int    `json:"runs,omitempty"`  // cases that ran with the fault
	Once   bool   `json:"once,omitempty"`
	Init   bool   `json:"init,omitempty"` // the fault changes a value in an initialiser

	Passed bool  `json:"passed,omitempty"`
	Steps  int64 `json:"steps,omitempty"`
	Nanos  int64 `json:"nanos,omitempty"`

	shownLine
}

// shownLine is the part of a line that only properties have.
type shownLine struct {
	Input string `json:"input,omitempty"` // the input of Test as Go, if it is short
	Freed int    `json:"freed,omitempty"` // cases that were discarded on the original program, and pass with the fault
}

// scoreCase is a line of the baseline: a case on the original program.
type scoreCase struct {
	Name     string
	Left     string `json:",omitempty"` // why the case is left out
	Discards bool   `json:",omitempty"` // the original run is discarded
	Unstable string `json:",omitempty"` // what differs between two original runs
	Steps    int64  `json:",omitempty"`
	Shown    property.Shown

	// The faults that the case reaches, and those that change a value, each time that it is
	// run; and the same for the first run.
	Hit, Diff, FirstHit, FirstDiff faultSet `json:",omitempty"`
}

// faultSet is a set of faults, by their position in the request.
type faultSet []byte

func newFaultSet(n int) faultSet  { return make(faultSet, (n+7)/8) }
func (b faultSet) has(i int) bool { return i/8 < len(b) && b[i/8]>>(i%8)&1 != 0 }
func (b faultSet) set(i int)      { b[i/8] |= 1 << (i % 8) }

// scoreHead is the first line of a baseline.
type scoreHead struct {
	Format int
	Faults []int // the fault of each bit
}

const scoreFormat = 1

func readRequest(file string) (*scoreRequest, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &scoreRequest{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return r, nil
}

// readScoreBaseline reads a baseline. A last line that was not written completely is ignored:
// the process died at that moment.
func readScoreBaseline(file string) (cases []*scoreCase, bit map[int]int, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && bit != nil {
			return cases, bit, nil
		}
		if err == nil && bit == nil {
			var h scoreHead
			if err = json.Unmarshal(line, &h); err == nil && h.Format != scoreFormat {
				err = fmt.Errorf("format %d, want %d", h.Format, scoreFormat)
			}
			bit = map[int]int{}
			for i, id := range h.Faults {
				bit[id] = i
			}
		} else if err == nil {
			c := &scoreCase{}
			err = json.Unmarshal(line, c)
			cases = append(cases, c)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", file, err)
		}
	}
}
