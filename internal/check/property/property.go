//go:build go1.25

// Package property describes one property: its name, its package, the schemas of its
// inputs, its settings, and its stored cases.
//
//	p, err := property.New(t, reflect.TypeFor[In](), job, settings, configure)
//	p.Runner = ...                    // package allele: runs the function
//	seeds, ok := p.Seeds()            // examples and stored cases, to be run first
//	o := p.Runner.One(x, detail)      // an Outcome: plain data, whichever process ran it
//
// Other packages do the work: worker searches for inputs that fail, finding handles those
// inputs, verdict decides the result if no input fails. None of them uses allele.T, which
// properties are written with; they use a Runner.
package property

import (
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/outside"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/weight"
)

// Property is a Check with everything that is known before its first run.
type Property struct {
	TB       testing.TB    // the test that encloses the property
	Name     string        // name of the test, and of the Check if it has one: see identify
	World    *schema.World // the schemas of the input type
	Settings Settings
	Config   Config
	Place    Place
	Job      *job.Job
	Runner   Local
	Traced   bool                   // the program has probes, and a watcher reads them
	Reading  Reading                // which cases World is for
	Endings  *outside.Endings       // how the runs of programs ended, if the property runs programs
	as       [Literal + 1]*Property // what As has returned
	unseen   *[]string              // see print
	Pace     *Pace                  // how long the runs of the search take

	Deadline
}

// Settings is the combination of all options of a Check.
type Settings struct {
	Tests    *int
	Budget   *time.Duration
	Seed     *uint64
	Size     *int
	Name     string
	Vacuous  bool // AllowVacuous: a vacuous Check passes
	Decls    []schema.Decl
	Given    []Given
	Compare  []Compare // equalities of observed values
	Examples []reflect.Value
	Goal     *weight.Goal // nil if no distribution is requested
	Depth    *int         // nil if the size or the goal decides the depth
	Errs     []error
	Func     uintptr // address of the property's function
}

// Given is a precondition.
type Given struct {
	In   reflect.Type
	Pre  any    // a func(In) bool
	Site string // where Given was called, as file:line
}

// Config is how a Check is run: the result of options, environment variables and the job.
type Config struct {
	Tests   int
	Runs    int // 0 means until the budget is spent
	Budget  time.Duration
	Seed    uint64
	Size    int
	Calls   int // the maximal number of calls in a list of calls; 0 means the default
	Verbose bool
	Renames codec.Renames // with which stored cases are rewritten

	RunTimeout time.Duration // of one run in a process of its own, if no job sets it; 0 means the default
}

// RunsPerTest bounds the runs of a Check: it stops after this many runs for each test that
// was requested.
const RunsPerTest = 10

// New derives a property from the type of its inputs. configure gets the name of the
// property because the configuration depends on it.
func New(t testing.TB, in reflect.Type, j *job.Job, s Settings, configure func(Settings, string) (Config, error)) (*Property, error) {
	p := &Property{TB: t, Job: j, Settings: s, Endings: &outside.Endings{}, Deadline: newDeadline(), unseen: new([]string), Pace: &Pace{}}
	for _, err := range s.Errs {
		return nil, err
	}
	var err error
	if p.Name, err = identify(t, s.Name); err != nil {
		return nil, err
	}
	p.locate(s.Func)
	if p.Config, err = configure(s, p.Name); err != nil {
		return nil, err
	}
	if p.World, err = p.derive(in); err != nil {
		return nil, err
	}
	if j.Mode != job.List { // list mode runs no user code
		gen.TrialWithin(p.World, within(t, RunTimeout(p)))
	}
	return p, Tune(p.World, p.Settings, p.Config.Size)
}

// Plain returns the property as plain go test has it: without the declarations that the allele command has found in the
// source. It is p if there are none, or if go test cannot derive the inputs without them.
func Plain(p *Property) *Property {
	facts := len(known())
	if facts == 0 {
		return p
	}
	q := *p
	q.as = [Literal + 1]*Property{}
	q.Settings.Decls = p.Settings.Decls[facts:]
	w, err := q.derive(p.World.Root.Type)
	if err != nil || Tune(w, q.Settings, p.Config.Size) != nil {
		return p
	}
	gen.TrialWithin(w, within(p.TB, RunTimeout(p)))
	q.World, q.Runner = w, p.Runner.In(w)
	return &q
}

// named holds the names of the Checks of each test that is running.
var named struct {
	sync.Mutex
	tests map[testing.TB]map[string]bool
}

// identify returns the name of a property: the name of the test, followed by the Name of
// the Check, or by its number if it is not the first Check of the test.
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
	id := testName(t)
	switch {
	case name != "":
		id += "#" + name
	case len(taken) > 0:
		id += "#" + strconv.Itoa(len(taken)+1)
	}
	if taken[id] {
		return "", fmt.Errorf("two Checks of this test are named %s; give each its own allele.Name", id)
	}
	taken[id] = true
	return id, nil
}

// testName returns the name of a test without the seed of a fuzz target, so that a Check in
// f.Fuzz is one property, however many seeds there are.
func testName(t testing.TB) string {
	parts := strings.SplitN(t.Name(), "/", 3)
	if len(parts) > 1 && Fuzzed(t) {
		parts = slices.Delete(parts, 1, 2)
	}
	return strings.Join(parts, "/")
}

// Fuzzed reports whether a test is a fuzz target, or part of one.
func Fuzzed(t testing.TB) bool { return strings.HasPrefix(t.Name(), "Fuzz") }

// NameSeed derives the seed of a property from its name, so that the seed never changes.
// The seed has only 32 bits, which are enough, and short to print.
func NameSeed(name string) uint64 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return uint64(h.Sum32())
}

// Mark returns a short name for an input of this property: six hexadecimal digits.
func (p *Property) Mark(x term.Term) string {
	return fmt.Sprintf("%06x", (term.Hash(x)^NameSeed(p.Name)*0x9e3779b97f4a7c15)>>40)
}

// example converts a value that the user passed to Example into a term.
func example(p *Property, v reflect.Value) (term.Term, error) {
	in, source := p.World.Root.Type, p.World.Source()
	switch {
	case v.Type() == in:
		return p.World.Read(v)
	case v.Type() == source:
		return p.World.ReadSource(v)
	case source != in:
		return nil, fmt.Errorf("its type is %v, but the property takes %v, and the encoder %v", v.Type(), in, source)
	}
	return nil, fmt.Errorf("its type is %v, but the property takes %v", v.Type(), in)
}

// ErrInside is the error for a Check inside a property.
var ErrInside = errors.New("a Check inside a property would run a thousand times a thousand inputs " +
	"and mix up their cases; use one Check whose input contains both inputs")

// Memory returns how many bytes a process of this property may use; 0 means no limit.
func (p *Property) Memory() int64 {
	if p.Job.Mode == job.Plain {
		return MemoryDefault
	}
	return p.Job.Limits.Memory
}

// MemoryDefault is far more than a test needs, and little enough that the machine stays
// usable.
const MemoryDefault = 4 << 30
