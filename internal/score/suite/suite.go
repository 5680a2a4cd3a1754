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
// where the last one stopped. Package scoring has the request and the lines.
//
// This package runs in test binaries of any module. It imports only the standard library and
// packages that are compiled into these binaries together with it.
package suite

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/scoring"
)

// Exit codes of a process that ends before it has done what the request asks for.
const (
	CodeStuck    = 90 // a run did not end
	CodePolluted = 91 // a test fails on the original program that passed in the baseline
	CodeBusy     = 92 // a goroutine of an earlier run still takes steps
)

// stackMax is the size at which the runtime ends a process whose stack grows without end.
const stackMax = 64 << 20

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
	file := os.Getenv(scoring.Variable)
	if file == "" {
		t.Skip("only the allele command runs this test")
	}
	os.Unsetenv(scoring.Variable) // so that processes that tests start do not see it
	request, err := scoring.ReadRequest(file)
	if err == nil {
		err = do(request)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func do(request *scoring.Request) error {
	out, err := request.Open()
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
	confine(request.Memory)
	r := &runner{request: request, out: out, null: null, wall: time.Duration(request.Wall)}
	r.heap.start(request.Memory)
	r.put(scoring.Line{Event: scoring.Begin, Tests: len(units)})
	r.hook()
	go r.watch()
	r.home = remember()
	switch request.Mode {
	case scoring.Baseline:
		err = r.baseline()
	case scoring.Judge:
		err = r.judgeAll()
	default:
		err = fmt.Errorf("unknown mode %q", request.Mode)
	}
	if err == nil {
		r.put(scoring.Line{Event: scoring.Done})
	}
	return err
}

// gatesOf returns the gates of each rewritten package.
func gatesOf() map[string]*hook.Faults {
	gates := map[string]*hook.Faults{}
	for _, g := range hook.Gates {
		gates[g.Path] = g
	}
	return gates
}
