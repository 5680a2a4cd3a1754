// Package job is the contract between the allele command and a test binary: what
// the command asks for, as one value in one environment variable.
//
//	conf.Job = &job.Job{Mode: job.Search, Property: name, Search: job.Params{Tests: 500}}
//	p, err := proc.Start(conf)         // command: sets ALLELE_JOB for the process
//
//	j, err := job.Current()            // test binary: what is asked of me?
//	switch j.Mode { case job.Plain: ... }
//
// Command and library come from one module, so they agree as long as the binary is
// fresh. Where they do not, guessing would be worse than failing: a binary that
// takes an unknown mode for none turns a failing property green. So a job with
// another version, an unknown mode or an unknown field is an error, and a Check that
// meets the error fails its test.
package job

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// Variable is the environment variable that holds a job.
const Variable = "ALLELE_JOB"

// Version is the number of the contract. A field or mode that changes its meaning needs a
// new number. A new field or mode does not: a binary that does not know it refuses the job.
const Version = 1

// Mode is what a Check is to do.
type Mode string

// The modes, which modes below lists and check knows the needs of; package worker does
// them. All but List and Show are for one property, and other Checks of the binary return
// at once.
const (
	Plain     Mode = ""          // nobody asked: plain go test
	List      Mode = "list"      // every Check reports its name and returns
	Show      Mode = "show"      // the Check that a case file belongs to writes it as a test
	Search    Mode = "search"    // look for failing inputs
	Confirm   Mode = "confirm"   // run the input again that was running when a process ended
	Multicore Mode = "multicore" // run kept inputs that start goroutines on several processors
	Reduce    Mode = "reduce"    // report which kept inputs are not needed
	Save      Mode = "save"      // write a few kept inputs that pass to testdata
	Cases     Mode = "cases"     // run the inputs that the other end of a pipe sends
	Operands  Mode = "operands"  // the same, and answer with what they were compared with
	Dist      Mode = "dist"      // count constructors of generated inputs
)

var modes = []Mode{List, Show, Search, Confirm, Multicore, Reduce, Save, Cases, Operands, Dist}

// Job is what the command asks of a test binary. The zero value asks for nothing.
type Job struct {
	Version  int      `json:"version"`
	Mode     Mode     `json:"mode"`
	Property string   `json:"property,omitempty"` // the Check that works; others return
	Events   string   `json:"events,omitempty"`   // file that events are appended to
	Claims   string   `json:"claims,omitempty"`   // file of failures that processes of this property know
	Corpus   string   `json:"corpus,omitempty"`   // folder of the property's kept inputs
	Skip     []string `json:"skip,omitempty"`     // inputs that are not run, by ID or file
	Wires    Wires    `json:"wires,omitzero"`     // set by package proc
	Limits   Limits   `json:"limits,omitzero"`
	Program  Program  `json:"program,omitzero"`
	Search   Params   `json:"search,omitzero"`  // Search
	Confirm  Dead     `json:"confirm,omitzero"` // Confirm
	Repeat   Repeat   `json:"repeat,omitzero"`  // Confirm, Multicore, Cases
	Text     Text     `json:"text,omitzero"`    // Show, Dist
}

// Wires is how a process is connected to the one that started it.
type Wires struct {
	Slot  string    `json:"slot,omitempty"`  // file that each input is noted in before it is run
	Pipes []uintptr `json:"pipes,omitempty"` // handles of questions and answers, where these are no files 3 and 4
}

// Limits bounds a process.
type Limits struct {
	Run    time.Duration `json:"run,omitempty"`    // that one run may take; 0 means the default
	Memory int64         `json:"memory,omitempty"` // bytes; 0 means no limit
	Temp   string        `json:"temp,omitempty"`   // folder for files that are needed for a moment
}

// Program is what the command knows of the test binary.
type Program struct {
	Sites    int    `json:"sites,omitempty"`    // one more than the largest site; 0 if the program has no probes
	Hash     string `json:"hash,omitempty"`     // of the binary
	Operands string `json:"operands,omitempty"` // the binary that serves Operands
}

// Params is how to search.
type Params struct {
	Strategy  string        `json:"strategy,omitempty"` // empty means guided
	Tests     int           `json:"tests,omitempty"`    // passed runs wanted; 0 means what the Check says
	Budget    time.Duration `json:"budget,omitempty"`   // search until the slot says stop, instead of a number of tests
	Seed      *uint64       `json:"seed,omitempty"`
	Log       string        `json:"log,omitempty"`       // file that a line is appended to for every kept input
	Fresh     bool          `json:"fresh,omitempty"`     // do not go on with the corpus
	Before    int           `json:"before,omitempty"`    // runs of earlier processes that this one stands in for
	Worker    int           `json:"worker,omitempty"`    // which of several processes this is, from 0
	Inbox     string        `json:"inbox,omitempty"`     // file of what others of them keep, and
	Outbox    string        `json:"outbox,omitempty"`    // of what this one keeps
	Save      bool          `json:"save,omitempty"`      // inputs that pass will be saved after the search
	KeepGoing bool          `json:"keepGoing,omitempty"` // look for other failures when one is found
	Isolate   bool          `json:"isolate,omitempty"`   // an earlier process died: run findings in child processes
}

// Dead is the process whose last input is to be confirmed.
type Dead struct {
	Slot string `json:"slot,omitempty"`
}

// Repeat is how an input is run that may pass by chance.
type Repeat struct {
	Tries int    `json:"tries,omitempty"`
	Last  string `json:"last,omitempty"` // file that the last sites are kept in, for who is left
}

// Text is a file that a test binary writes, and what about.
type Text struct {
	To      string `json:"to,omitempty"`
	Case    string `json:"case,omitempty"`    // Show: the case file
	Inputs  int    `json:"inputs,omitempty"`  // Dist: how many are generated
	Uniform bool   `json:"uniform,omitempty"` // Dist: tune for that, whatever the Check wants
}

// Encode writes a job as the value of Variable.
func (j Job) Encode() string {
	j.Version = Version
	text, err := json.Marshal(j)
	if err != nil {
		panic("job: " + err.Error()) // numbers, strings and lists of them
	}
	return string(text)
}

// Decode reads what Encode wrote. Anything else is an error.
func Decode(text string) (*Job, error) {
	var head struct{ Version int }
	if err := json.Unmarshal([]byte(text), &head); err != nil {
		return nil, fmt.Errorf("%s is not a job: %w", Variable, err)
	}
	if head.Version != Version {
		return nil, fmt.Errorf("%s has version %d, and this test binary knows version %d", Variable, head.Version, Version)
	}
	j := &Job{}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(j); err != nil {
		return nil, fmt.Errorf("%s: %w", Variable, err)
	}
	return j, j.check()
}

// check refuses a job that nobody could do.
func (j *Job) check() error {
	wants := func(what string) error { return fmt.Errorf("%s: mode %s wants %s", Variable, j.Mode, what) }
	switch {
	case !slices.Contains(modes, j.Mode):
		return fmt.Errorf("%s: unknown mode %q; there are %s", Variable, j.Mode, names())
	case j.Property == "" && j.Mode != List && j.Mode != Show:
		return wants("a property")
	case j.Mode == Confirm && j.Confirm.Slot == "":
		return wants("a slot to confirm")
	case (j.Mode == Reduce || j.Mode == Save || j.Mode == Multicore) && j.Corpus == "":
		return wants("a corpus")
	case (j.Mode == Show || j.Mode == Dist) && j.Text.To == "":
		return wants("a file to write to")
	case j.Events == "" && !slices.Contains([]Mode{Search, Cases, Operands}, j.Mode):
		return wants("a file for events: without them nobody learns what came of it")
	}
	return nil
}

func names() string {
	all := make([]string, len(modes))
	for i, m := range modes {
		all[i] = string(m)
	}
	return strings.Join(all, ", ")
}

// begun is the environment of a process that has a job, as it was at its start: a
// property may change or clear it.
var begun = func() []string {
	if os.Getenv(Variable) == "" {
		return nil
	}
	return os.Environ()
}()

// Current is the job of this process. Plain go test has the zero job.
func Current() (*Job, error) {
	text := os.Getenv(Variable) // also asked for so that the test cache notices it
	for _, v := range begun {
		if value, ok := strings.CutPrefix(v, Variable+"="); ok {
			text = value
		}
	}
	if text == "" {
		return &Job{}, nil
	}
	return Decode(text)
}

// Environ is the environment for processes that this one starts.
func Environ() []string {
	if begun == nil {
		return os.Environ()
	}
	return slices.Clone(begun)
}
