//go:build go1.25

package suite

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// The events of lines, in the order in which a process writes them.
const (
	Begin    = "begin"    // the process has read its request
	Start    = "start"    // a run begins: Fault and Test
	Note     = "note"     // the current run has panicked or spent its budget: By and Detail
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

// NoFault is the number of the fault in lines about runs of the original program.
const NoFault = -1

// Words of the verdicts. They are those of the command.
const (
	killed      = "killed"
	survived    = "survived"
	notInfected = "not infected"
	notReached  = "not reached"
	noVerdict   = "no verdict"
	onlyInit    = "init"

	byPanic  = "panic"
	byBudget = "budget"
	byTest   = "test"
)

// Line is one thing that happened.
type Line struct {
	Event  string `json:"event"`
	Fault  int    `json:"fault"`
	Test   string `json:"test,omitempty"`
	Kind   string `json:"kind,omitempty"`
	By     string `json:"by,omitempty"`
	Detail string `json:"detail,omitempty"`
	Tests  int    `json:"tests,omitempty"` // how many tests reach the place
	Runs   int    `json:"runs,omitempty"`  // how many tests ran with the fault
	Once   bool   `json:"once,omitempty"`  // some tests reach the place only the first time that they run

	Init bool `json:"init,omitempty"` // the fault changes a value in an initialiser
	Open bool `json:"open,omitempty"` // Test has not passed on the original program since

	Passed bool  `json:"passed,omitempty"`
	Steps  int64 `json:"steps,omitempty"`
	Nanos  int64 `json:"nanos,omitempty"`

	Input string `json:"input,omitempty"` // the input of a property; not set for tests
}

// put appends a line to the results. It is one write, so nothing is lost if the process dies.
func (r *runner) put(l Line) {
	data, err := json.Marshal(l)
	if err == nil {
		_, err = r.out.Write(append(data, '\n'))
	}
	if err != nil { // without results there is no point in going on
		fmt.Fprintf(r.home.stderr, "write results: %v\n", err)
		os.Exit(CodeStuck)
	}
}

// baseline is the content of a baseline file: a line with a head, then a line for each test.
type baseline struct {
	head  head
	tests []*tested
	bit   map[int]int // ID of a fault -> its bit in sets
	end   int64       // where the last complete line ends
}

type head struct {
	Faults            []int // the fault of each bit
	InitHit, InitDiff bits  // what initialisers reached, and where faults would have changed a value
	Format            int
}

// baselineFormat is the version of baseline files.
const baselineFormat = 1

// tested is what one test does on the original program.
type tested struct {
	Test  string
	Left  string `json:",omitempty"` // why the test is left out
	Steps int64  `json:",omitempty"`
	Nanos int64  `json:",omitempty"`

	// The faults that a test reaches, and those that change a value, each time that it
	// runs; and the same for the first time that it runs in a process.
	Hit, Diff, FirstHit, FirstDiff bits `json:",omitempty"`
}

// bits is a set of faults.
type bits []byte

func newBits(n int) bits      { return make(bits, (n+7)/8) }
func (b bits) has(i int) bool { return i/8 < len(b) && b[i/8]>>(i%8)&1 != 0 }
func (b bits) set(i int)      { b[i/8] |= 1 << (i % 8) }

// readBaseline reads a baseline file. A line that was not written completely is ignored: the
// process died at that moment.
func readBaseline(file string) (*baseline, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := &baseline{bit: map[int]int{}}
	in := bufio.NewReaderSize(f, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		first := b.end == 0
		if b.end += int64(len(line)); first {
			if err := json.Unmarshal(line, &b.head); err != nil {
				return nil, fmt.Errorf("read %s: %w", file, err)
			}
			continue
		}
		t := new(tested)
		if err := json.Unmarshal(line, t); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		b.tests = append(b.tests, t)
	}
	if b.head.Format != baselineFormat {
		return nil, fmt.Errorf("read %s: not a baseline of this version", file)
	}
	for i, id := range b.head.Faults {
		b.bit[id] = i
	}
	return b, nil
}
