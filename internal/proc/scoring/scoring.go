//go:build go1.25

// Package scoring is the protocol of allele score: what the command requests from a test binary that
// has faults, and the lines with which the binary answers.
//
//	request.Write(file)                        // command: for a process that it starts
//
//	request, err := scoring.ReadRequest(file)  // test binary
//	out, err := request.Open()
//	out.Put(scoring.Line{Event: scoring.Judged, Fault: 7, Kind: "killed"})
//
//	lines, rest := scoring.Lines(data)         // command: while the process runs
//
// A fault can do anything to its process, including ending it. So a process writes a line before and
// after everything that it does, and the command starts another process where the last one stopped.
//
// A request is done by the ordinary tests of a package (score/suite) or by a property (check/worker),
// whose inputs are treated like tests. Only test binaries know the content of the baseline file.
//
// The command and the tests may be from different versions of allele. Each side refuses another Version.
// Version and Results of a request, and Event and Version of the first line, have the same meaning in
// all versions.
//
// This package is also compiled into modules that do not use allele, together with suite. So it imports
// only packages of the standard library that suite uses too.
package scoring

import (
	"encoding/json"
	"fmt"
	"os"
)

// Version is the version of the protocol. A field or an event that changes its meaning, or that the
// other side must know, needs another version.
const Version = 1

// Names in test binaries that are built for allele score.
const (
	// SuiteTest is the test that does a request by running the other tests. The environment variable Variable names
	// the file that holds the request.
	SuiteTest = "TestAlleleSuite_"
	Variable  = "ALLELE_REQUEST"
	// BootVariable is the environment variable with a fault that is switched on when the program starts: an import
	// path, the number of the gate and that of the variant.
	BootVariable = "ALLELE_FAULT"
)

// The modes of a request.
const (
	Baseline = "baseline" // run each test on the original program, and write the baseline
	Judge    = "judge"    // run tests with faults
)

// Request is what the command asks a test binary for.
type Request struct {
	Version  int     `json:"version"` // set by Write
	Mode     string  `json:"mode"`
	Results  string  `json:"results"`  // file that lines are appended to
	Baseline string  `json:"baseline"` // file with the baseline
	Faults   []Fault `json:"faults"`
	Wall     int64   `json:"wall"`   // nanoseconds that a run may take without a step
	Memory   int64   `json:"memory"` // bytes that the process may use; 0 means no limit. A property has the limit of its job.

	Leave map[string]string `json:"leave,omitempty"` // tests to leave out, with the reason
	Again int               `json:"again,omitempty"` // of a baseline: tests that failed before are tried for this time

	// Fresh says that nothing but this one fault is judged in the process. Then tests also
	// count as reaching a place that they reach only the first time that they run, as with
	// a sync.Once.
	Fresh bool `json:"fresh,omitempty"`
	// Boot says that this one fault has been switched on since the process started, so that
	// it affects initialisers. Then all tests run with it.
	Boot bool `json:"boot,omitempty"`

	// All asks for all saved inputs of a property that kill a fault. Tests are run until the first of them fails.
	All bool `json:"all,omitempty"`
}

// Fault is a fault of a request.
type Fault struct {
	ID      int    `json:"id"`
	Package string `json:"package"`
	Site    int    `json:"site"`
	Variant int    `json:"variant"`
}

// Write writes a request to a file.
func (r Request) Write(file string) error {
	r.Version = Version
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}

// ReadRequest reads what Write wrote. If the command has another version, it also answers with a first
// line, by which the command finds that out.
func ReadRequest(file string) (*Request, error) {
	r := &Request{}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	var head struct {
		Version int
		Results string
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	if err := compare(Version, head.Version); err != nil {
		r.Results = head.Results
		if out, err := r.Open(); err == nil {
			out.Put(Line{Event: Begin})
			out.Close()
		}
		return nil, err
	}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	return r, nil
}

// compare returns an error that says what to do if two versions differ.
func compare(binary, command int) error {
	if binary == command {
		return nil
	}
	older := "tests are"
	if command < binary {
		older = "command is"
	}
	return fmt.Errorf("the command has version %d of the protocol of allele score, and the tests have version %d, so the %s older: "+
		"run go get -tool github.com/allele-go/allele/cmd/allele@latest, then go tool allele score; both come from the same module then",
		command, binary, older)
}

// Failing are the reasons why a test is left out that failed on the original program. On a busy machine a test with
// deadlines of its own may fail, so these tests are tried again.
var Failing = []string{"it fails", "it fails when it is run again", "it fails when it is run a third time"}
