//go:build go1.25

// Package job is the contract between the allele command and a test binary: a request of
// the command, as one value in one environment variable.
//
//	conf.Job = &job.Job{Mode: job.Search, Property: name, Search: job.Params{Tests: 500}}
//	p, err := proc.Start(conf)         // command: sets ALLELE_JOB for the process
//
//	j, err := job.Current()            // test binary: what is my job?
//	switch j.Mode { case job.Plain: ... }
//
// Command and library come from one module, so they agree as long as the binary is up to
// date. If they do not agree, guessing would be worse than failing: a failing property
// would pass in a binary that ignores an unknown mode. So a job with another version, an
// unknown mode or an unknown field is an error, and every Check in the binary fails.
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

// Variable is the environment variable that contains a job.
const Variable = "ALLELE_JOB"

// Tag is the build tag of test binaries that the command builds. With it the library links what does
// the jobs: see jobs.go in the root package.
const Tag = "allele_jobs"

// Version is the version of the contract. A field or mode that changes its meaning needs
// a new version, and so does a new format of events. A new field or mode does not: an
// older binary rejects the job.
const Version = 2

// Mode is what a Check has to do.
type Mode string

// The modes. To add a mode, also add it to the list modes, verify the fields that it
// needs in check, and implement it in package check/worker. All modes except List and Show are
// for one property; the other Checks of the binary return at once.
const (
	Plain     Mode = ""          // no job: plain go test
	List      Mode = "list"      // every Check reports its name and returns
	Show      Mode = "show"      // the Check that a case file belongs to writes the case as a test
	Search    Mode = "search"    // look for failing inputs
	Confirm   Mode = "confirm"   // run again the input that a process died with
	Multicore Mode = "multicore" // on several cores, run the saved inputs that start goroutines
	Reduce    Mode = "reduce"    // report which saved inputs are not needed
	Save      Mode = "save"      // write a few passing inputs of the corpus to testdata
	Cases     Mode = "cases"     // run inputs that arrive on a pipe
	Operands  Mode = "operands"  // run inputs that arrive on a pipe, and answer with the operands of comparisons
	Encode    Mode = "encode"    // encode values that arrive on a pipe, with faults in the encoder
	Dist      Mode = "dist"      // count constructors of generated inputs
	Score     Mode = "score"     // run the saved inputs with faults switched on
)

var modes = []Mode{List, Show, Search, Confirm, Multicore, Reduce, Save, Cases, Operands, Encode, Dist, Score}

// Job is a request of the command to a test binary. The zero value requests nothing.
type Job struct {
	Version  int      `json:"version"`
	Mode     Mode     `json:"mode"`
	Property string   `json:"property,omitempty"` // the Check that does the job; the others return at once
	Events   string   `json:"events,omitempty"`   // file that events are appended to
	Claims   string   `json:"claims,omitempty"`   // file of failures that the processes of this property have claimed
	Corpus   string   `json:"corpus,omitempty"`   // folder of the property's saved inputs
	Skip     []string `json:"skip,omitempty"`     // inputs that are not run, by ID or file
	Wires    Wires    `json:"wires,omitzero"`     // set by package proc
	Limits   Limits   `json:"limits,omitzero"`
	Commands Commands `json:"commands,omitzero"` // for reports
	Program  Program  `json:"program,omitzero"`
	Search   Params   `json:"search,omitzero"`  // for mode Search
	Confirm  Dead     `json:"confirm,omitzero"` // for mode Confirm
	Repeat   Repeat   `json:"repeat,omitzero"`  // for modes Confirm, Multicore and Cases
	Text     Text     `json:"text,omitzero"`    // for modes Show, Dist and Score
}

// Wires is how a process is connected to the process that started it.
type Wires struct {
	Slot  string    `json:"slot,omitempty"`  // file that each input is written to before it is run
	Pipes []uintptr `json:"pipes,omitempty"` // handles of the pipes for questions and answers; if empty, the pipes are files 3 and 4
}

// Limits bounds a process.
type Limits struct {
	Run    time.Duration `json:"run,omitempty"`    // timeout of one run; 0 means the default
	Steps  int64         `json:"steps,omitempty"`  // steps of one run; 0 means StepsDefault, and a negative number no limit
	Memory int64         `json:"memory,omitempty"` // bytes; 0 means no limit
	Temp   string        `json:"temp,omitempty"`   // folder for temporary files
	Slow   []string      `json:"slow,omitempty"`   // bounds of inputs, as events have them: runs of larger inputs are slow
}

// Commands is the beginnings of the command lines that reports suggest: with the name by
// which the user called the command, and with the flags that the user gave it. Each ends
// with a space.
type Commands struct {
	GoTest string `json:"goTest,omitempty"`
	Test   string `json:"test,omitempty"` // allele test
	Show   string `json:"show,omitempty"` // allele show
	Name   string `json:"name,omitempty"` // allele
}

// Move returns the command that moves the cases of a test which was renamed.
func (c Commands) Move(from, to, pkg string) string {
	return fmt.Sprintf("%scorpus mv %s %s %s", c.Name, quoted(from), quoted(to), pkg)
}

// quoted quotes the name of a property for a shell, if that is necessary.
func quoted(name string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/#=+,.-"
	if strings.Trim(name, plain) == "" {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// CommandsFor returns the commands for a name and for flags of the go command.
func CommandsFor(name, flags string) Commands {
	return Commands{GoTest: "go test " + flags, Test: name + " test " + flags, Show: name + " show " + flags, Name: name + " "}
}

// StepsDefault is how many steps a run may take. So many steps take a fraction of a second.
const StepsDefault = 5_000_000

// StepsMax returns how many steps a run may take; 0 means no limit.
func (l Limits) StepsMax() int64 {
	if l.Steps == 0 {
		return StepsDefault
	}
	return max(0, l.Steps)
}

// Refused is the end of the name of a file beside Program.Operands: the binary will not be built.
const Refused = ".refused"

// Program describes the test binary.
type Program struct {
	Sites int    `json:"sites,omitempty"` // one more than the highest site number; 0 if the program has no probes
	Hash  string `json:"hash,omitempty"`  // hash of the binary
	// Operands is the file of the binary for mode Operands. If it is not there, a process that needs it reports
	// event.Wanted and waits for this file or one with Refused at the end of its name.
	Operands string `json:"operands,omitempty"`
	Encoder  string `json:"encoder,omitempty"` // file of the binary for mode Encode
	Faults   string `json:"faults,omitempty"`  // file with the list of the faults in the encoder
}

// Params is the parameters of a search.
type Params struct {
	Strategy string        `json:"strategy,omitempty"` // Guided or Random; empty means Guided
	Tests    int           `json:"tests,omitempty"`    // passed runs to reach; 0 means the Check's own number
	Budget   time.Duration `json:"budget,omitempty"`   // time of the campaign; if not 0, search until the slot is stopped
	// Default is set if the user gave neither a time nor a number of tests. Then a number of tests
	// in code counts more than the Budget, and the search ends when it is saturated.
	Default   bool    `json:"default,omitempty"`
	Seed      *uint64 `json:"seed,omitempty"`
	Log       string  `json:"log,omitempty"`   // file that gets a line for every input that showed something new
	Dict      string  `json:"dict,omitempty"`  // file of words for texts; the command has checked it
	Fresh     bool    `json:"fresh,omitempty"` // start from scratch, without the corpus
	Past      Past    `json:"past,omitzero"`
	Others    Others  `json:"others,omitzero"`
	Save      bool    `json:"save,omitempty"`      // passing inputs will be written to testdata after the search
	KeepGoing bool    `json:"keepGoing,omitempty"` // look for other failures when one is found
	Isolate   bool    `json:"isolate,omitempty"`   // an earlier process died: run findings in child processes
	Guide     Guide   `json:"guide,omitzero"`      // guidance by faults

	Experiment *Experiment `json:"experiment,omitempty"`
}

// The strategies that users choose from.
const (
	Guided = "guided" // by the paths of runs
	Random = "random"
)

// Keeps reports whether the search uses a corpus: it starts from the saved inputs, and saves and shares new
// ones.
func (p Params) Keeps() bool {
	return p.Strategy != Random && (p.Experiment == nil || !p.Experiment.Scratch)
}

// Breaks reports whether the search makes faults in encoders.
func (p Params) Breaks() bool { return p.Keeps() || p.Experiment != nil && p.Experiment.Encoder != nil }

// Past counts the runs that were made before a process starts. Its own runs are numbered from there, so that fresh
// inputs are new.
type Past struct {
	Searches int `json:"searches,omitempty"` // runs of earlier searches; their inputs are in the corpus
	Worker   int `json:"worker,omitempty"`   // runs of this search: those of the worker's earlier processes
}

// First returns how many runs were made before the first run of the process.
func (p Past) First() int { return max(0, p.Searches) + max(0, p.Worker) }

// Others connects a worker with the other workers of its property.
type Others struct {
	Worker int    `json:"worker,omitempty"` // number of this worker, from 0
	Inbox  string `json:"inbox,omitempty"`  // file of inputs that other workers saved
	Outbox string `json:"outbox,omitempty"` // file of inputs that this worker saves
	Host   uint64 `json:"host,omitempty"`   // number of this host, if several hosts search
}

// Guide configures a search that is guided by faults, beside paths.
type Guide struct {
	Faults string `json:"faults,omitempty"` // file with the list of faults; empty means no guidance by faults
	State  string `json:"state,omitempty"`  // file of the faults that this worker has killed; an earlier process may have written it
	Died   []int  `json:"died,omitempty"`   // faults that ended processes of this worker
}

// Dead is the process whose last input is to be confirmed.
type Dead struct {
	Slot string `json:"slot,omitempty"`
	Hung bool   `json:"hung,omitempty"` // it was killed because the run did not end
}

// Repeat says how often to run an input that may pass by chance.
type Repeat struct {
	Tries int    `json:"tries,omitempty"`
	Last  string `json:"last,omitempty"` // file with the last sites of a run; it outlives the process
	Long  bool   `json:"long,omitempty"` // a run that has taken its steps goes on, for the timeout of one run
	// Reading is which schemas the inputs have (a property.Reading), for mode Cases.
	Reading uint8 `json:"reading,omitempty"`
}

// Text names the file that a test binary writes, and what to write.
type Text struct {
	To      string `json:"to,omitempty"`
	Case    string `json:"case,omitempty"`    // Show: the case file
	Request string `json:"request,omitempty"` // Score: the file of the request, which names the file to write
	Inputs  int    `json:"inputs,omitempty"`  // Dist: how many inputs to generate
	Uniform bool   `json:"uniform,omitempty"` // Dist: tune for a uniform distribution, whatever the Check wants
}

// Encode returns a job as a value for Variable.
func (j Job) Encode() string {
	j.Version = Version
	text, err := json.Marshal(j)
	if err != nil {
		panic("job: " + err.Error()) // impossible: the fields are numbers, strings and lists
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
		return nil, fmt.Errorf("%s has version %d, but this test binary supports version %d: "+
			"use the same version of allele for the command and the tests", Variable, head.Version, Version)
	}
	j := &Job{}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(j); err != nil {
		return nil, fmt.Errorf("%s: %w", Variable, err)
	}
	return j, j.check()
}

// check returns an error for an unknown mode, or if a field that the mode needs is not
// set.
func (j *Job) check() error {
	needs := func(what string) error { return fmt.Errorf("%s: mode %s needs %s", Variable, j.Mode, what) }
	switch {
	case !slices.Contains(modes, j.Mode):
		return fmt.Errorf("%s: unknown mode %q; the modes are %s", Variable, j.Mode, names())
	case j.Property == "" && j.Mode != List && j.Mode != Show:
		return needs("a property")
	case j.Mode == Confirm && j.Confirm.Slot == "":
		return needs("a slot to confirm")
	case (j.Mode == Reduce || j.Mode == Save || j.Mode == Multicore) && j.Corpus == "":
		return needs("a corpus")
	case (j.Mode == Show || j.Mode == Dist) && j.Text.To == "":
		return needs("a file to write to")
	case j.Mode == Score && j.Text.Request == "":
		return needs("a file with a request")
	case j.Events == "" && !slices.Contains([]Mode{Search, Cases, Operands, Encode, Score}, j.Mode):
		return needs("a file for events, which contain the result")
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

// begun is the environment at the start of a process with a job. A property may change or
// clear the environment later.
var begun = func() []string {
	if os.Getenv(Variable) == "" {
		return nil
	}
	return os.Environ()
}()

// Current returns the job of this process. In plain go test it is the zero job.
func Current() (*Job, error) {
	text := os.Getenv(Variable) // this call also makes the test cache depend on the variable
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

// Environ returns the environment for processes that this process starts.
func Environ() []string {
	if begun == nil {
		return os.Environ()
	}
	return slices.Clone(begun)
}
