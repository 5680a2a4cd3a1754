// Package property is one property: what it is called, where its package lies, what
// its inputs are made of, how it is to be run, and its stored cases.
//
//	p, err := property.New(t, reflect.TypeFor[In](), pc, settings)
//	p.Runner = ...                    // package allele: runs the function
//	seeds, ok := p.Seeds()            // examples and stored cases, to be run first
//	o := p.Runner.One(x, detail)      // an Outcome: plain data, whoever ran it
//
// Everything that happens to a property afterwards is in other packages: worker looks
// for inputs that fail, finding deals with those, verdict says what it all came to.
// None of them knows the type that users write properties with; they see a Runner.
package property

import (
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/weight"
)

// Property is a Check with all that is known before its first run.
type Property struct {
	TB       testing.TB // the test around the property
	Name     string     // identity: test name and Name or ordinal
	World    *schema.World
	Settings Settings
	Config   Config
	Place    Place
	Job      *job.Job
	Runner   Local
	Traced   bool // the program has probes, which are watched

	Deadline
}

// Settings is what all options of a Check come to.
type Settings struct {
	Tests    *int
	Budget   *time.Duration
	Seed     *uint64
	Size     *int
	Name     string
	Vacuous  bool // is accepted
	Decls    []schema.Decl
	Given    []Given
	Examples []reflect.Value
	Goal     *weight.Goal // nil if nothing is wanted
	Depth    *int         // nil if sizes decide, or the goal
	Errs     []error
}

// Given is a precondition.
type Given struct {
	In   reflect.Type
	Pre  any    // func(In) bool
	Site string // file:line
}

// Config is how a Check is run, after options, variables and the command had their say.
type Config struct {
	Tests   int
	Runs    int // 0 means until the budget is spent
	Budget  time.Duration
	Seed    uint64
	Size    int
	Verbose bool
}

// RunsPerTest is after how many runs for each passed one that is wanted a Check gives
// up.
const RunsPerTest = 10

// New derives a property from the type of its inputs. The configuration depends on its
// name.
func New(t testing.TB, in reflect.Type, j *job.Job, s Settings, configure func(Settings, string) (Config, error)) (*Property, error) {
	p := &Property{TB: t, Job: j, Settings: s, Deadline: Deadline{stop: make(chan struct{})}}
	for _, err := range s.Errs {
		return nil, err
	}
	var err error
	if p.Name, err = identify(t, s.Name); err != nil {
		return nil, err
	}
	if p.Config, err = configure(s, p.Name); err != nil {
		return nil, err
	}
	if p.World, err = p.derive(in); err != nil {
		return nil, err
	}
	if j.Mode != job.List { // list mode runs no user code
		gen.Trial(p.World)
	}
	return p, Tune(p.World, p.Settings, p.Config.Size)
}

// named holds the names of the Checks of each test that is running.
var named struct {
	sync.Mutex
	tests map[testing.TB]map[string]bool
}

// identify names a property: the test, and the Name or the number of the Check
// in it if it is not the first.
func identify(t testing.TB, name string) (string, error) {
	named.Lock()
	defer named.Unlock()
	if named.tests == nil {
		named.tests = map[testing.TB]map[string]bool{}
	}
	taken := named.tests[t]
	if taken == nil {
		taken = map[string]bool{}
		named.tests[t] = taken
		t.Cleanup(func() {
			named.Lock()
			defer named.Unlock()
			delete(named.tests, t)
		})
	}
	id := t.Name()
	switch {
	case name != "":
		id += "#" + name
	case len(taken) > 0:
		id += "#" + strconv.Itoa(len(taken)+1)
	}
	if taken[id] {
		return "", fmt.Errorf("two Checks of this test are called %s; give each a Name of its own", id)
	}
	taken[id] = true
	return id, nil
}

// NameSeed gives each property a seed of its own that never changes. Thirty-two
// bits are enough and short to print.
func NameSeed(name string) uint64 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return uint64(h.Sum32())
}

// Mark is a short name for an input of this property.
func (p *Property) Mark(x term.Term) string {
	return fmt.Sprintf("%06x", (term.Hash(x)^NameSeed(p.Name)*0x9e3779b97f4a7c15)>>40)
}

// example reads a value that the user gave.
func (p *Property) example(v reflect.Value) (term.Term, error) {
	if v.Type() != p.World.Root.Type {
		return nil, fmt.Errorf("it is a %v, but the property takes %v", v.Type(), p.World.Root.Type)
	}
	return p.World.Read(v)
}

// ErrInside is what a Check inside a property fails with.
var ErrInside = errors.New("a Check inside a property; it would run a thousand times a thousand inputs " +
	"and mix up their cases: make one input of both")

// Memory is how many bytes a process of this property may take; 0 means as many as
// there are.
func (p *Property) Memory() int64 {
	if p.Job.Mode == job.Plain {
		return MemoryDefault
	}
	return p.Job.Limits.Memory
}

// MemoryDefault is far more than a test takes, and less than would bring the machine
// down.
const MemoryDefault = 4 << 30
