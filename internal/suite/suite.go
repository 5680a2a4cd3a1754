//go:build go1.25

// Package suite runs the tests and examples of a package many times in one process, each
// time with another fault switched on.
//
// The command adds two things to a test binary: initialisers that register its tests, and a
// test that does what a request asks for.
//
//	suite.Add(tests, examples)                      // from init, in generated test files
//	func TestAlleleSuite_(t *testing.T) { suite.Run(t) }
//
// A baseline finds out what each test does on the original program: whether it passes, how
// many steps it takes, and which faults would change a value in it. With that, only tests
// that a fault can influence are run for the fault.
//
// A fault can do anything to the process, including ending it. So what happens is written to
// a file line by line, before and after each run, and the command starts another process
// where the last one stopped.
//
// This package runs in test binaries of any module. It imports only the standard library and
// the hooks of rewritten code.
package suite

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/hook"
)

// Variable is the environment variable with the name of the file that holds a Request.
const Variable = "ALLELE_REQUEST"

// BootSpent is the panic of initialisers that take too many steps.
const BootSpent = hook.BootSpent

// The modes of a request.
const (
	ModeBaseline = "baseline" // run each test on the original program, and record
	ModeJudge    = "judge"    // run tests with faults
	ModeOff      = "off"      // run each test once on the original program
)

// Request is what the command asks a test binary for.
type Request struct {
	Mode     string  `json:"mode"`
	Results  string  `json:"results"`  // file that lines are appended to
	Baseline string  `json:"baseline"` // file with the baseline
	Faults   []Fault `json:"faults"`
	Wall     int64   `json:"wall"`   // nanoseconds that a run may take without a step
	Memory   int64   `json:"memory"` // bytes that the process may use; 0 means no limit

	Leave map[string]string `json:"leave,omitempty"` // tests to leave out, with the reason

	// Fresh says that nothing but this one fault is judged in the process. Then tests also
	// count as reaching a place that they reach only the first time that they run, as with
	// a sync.Once.
	Fresh bool `json:"fresh,omitempty"`
	// Boot says that this one fault has been switched on since the process started, so that
	// it affects initialisers. Then all tests run with it.
	Boot bool `json:"boot,omitempty"`

	// All asks for all inputs of a property that kill a fault. Package worker lists these;
	// tests are run until the first of them fails.
	All bool `json:"all,omitempty"`
}

// Fault is a fault of a request.
type Fault struct {
	ID      int    `json:"id"`
	Package string `json:"package"`
	Site    int    `json:"site"`
	Variant int    `json:"variant"`
}

// Exit codes of a process that ends before it has done what the request asks for.
const (
	CodeStuck    = 90 // a run did not end
	CodePolluted = 91 // a test fails on the original program that passed in the baseline
	CodeBusy     = 92 // a goroutine of an earlier run still takes steps
)

// stackMax is the size at which the runtime ends a process whose stack grows without end.
const stackMax = 64 << 20

// collectAt is how much memory the process may use before the garbage collector runs in the
// middle of a run. A collection empties each sync.Pool, and then a test reaches other places.
const collectAt = 512 << 20

// unit is a test or an example.
type unit struct {
	name    string // unique in the binary
	test    testing.InternalTest
	example *testing.InternalExample
}

var units []unit

// Add registers tests and examples. Initialisers of generated test files call it, one for
// the test package and one for the external test package.
func Add(tests []testing.InternalTest, examples []testing.InternalExample) {
	for _, x := range tests {
		units = append(units, unit{name: unique(x.Name), test: x})
	}
	for _, x := range examples {
		units = append(units, unit{name: unique(x.Name), example: &x})
	}
}

// unique returns a name that no other unit has. The test package and the external test
// package may both have a test of the same name.
func unique(name string) string {
	taken := func(n string) bool { return slices.ContainsFunc(units, func(u unit) bool { return u.name == n }) }
	result := name
	for i := 1; taken(result); i++ {
		result = fmt.Sprintf("%s#%02d", name, i)
	}
	return result
}

// Run does what the request asks for. Without a request it skips the test.
func Run(t *testing.T) {
	file := os.Getenv(Variable)
	if file == "" {
		t.Skip("only the allele command runs this test")
	}
	os.Unsetenv(Variable) // so that processes that tests start do not see it
	data, err := os.ReadFile(file)
	var request Request
	if err == nil {
		err = json.Unmarshal(data, &request)
	}
	if err != nil {
		t.Fatalf("read request: %v", err)
	}
	if err := do(&request); err != nil {
		t.Fatal(err)
	}
}

func do(request *Request) error {
	out, err := os.OpenFile(request.Results, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	defer out.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	debug.SetMaxStack(stackMax)
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(collectAt)
	confine(request.Memory)
	r := &runner{request: request, out: out, null: null, wall: time.Duration(request.Wall)}
	r.put(Line{Event: Begin})
	r.hook()
	go r.watch()
	r.home = remember()
	switch request.Mode {
	case ModeBaseline:
		err = r.baseline()
	case ModeJudge:
		err = r.judgeAll()
	case ModeOff:
		r.off()
	default:
		err = fmt.Errorf("unknown mode %q", request.Mode)
	}
	if err == nil {
		r.put(Line{Event: Done})
	}
	return err
}

// off runs each test once with all gates off.
func (r *runner) off() {
	for _, u := range units {
		if r.request.Leave[u.name] != "" {
			continue
		}
		r.put(Line{Event: Start, Fault: NoFault, Test: u.name})
		res := r.run(u, run{fault: NoFault, budget: unlimited})
		t := tested{Test: u.name, Steps: res.steps, Nanos: int64(res.took)}
		switch {
		case res.skipped:
			t.Left = itSkips
		case !res.passed:
			t.Left = itFails
		}
		r.put(t.line())
	}
}

// gatesOf returns the gates of each rewritten package.
func gatesOf() map[string]*hook.Faults {
	gates := map[string]*hook.Faults{}
	for _, g := range hook.Gates {
		gates[g.Path] = g
	}
	return gates
}
