// Package campaign decides which property is searched when: it runs the properties of
// a module in worker processes, within a budget of time and a number of processors.
//
// Three layers share the work. The suite hands out cpus: as many processes run at a
// time as there are cpus, and within a budget properties take turns, by what each has
// found lately (shares.go). A propertySearch is the workers that search for one
// property together. A worker runs one process after the other: a run may crash its
// process, and then another process confirms the input and the search goes on.
//
//	c := campaign.New(campaign.Config{Supervisor: s, Builds: b, Listener: l, Search: params})
//	failed, err := c.Run(properties)
//
// The package does not build, print or start processes itself. It has a Runner start test
// binaries, Builds name their files, and a Listener take events. A test replaces all three,
// so a campaign runs in it without a compiler or a child process.
//
// A Supervisor runs a job for a property in a process with limits. It works without a
// campaign too: Reduce runs the kept inputs of a property again.
package campaign

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/ops/words"
)

// Property is a Check in a test binary.
type Property = launch.Property

// Runner runs a test binary until it exits. It returns how the process ended and the
// events it reported.
type Runner interface {
	Run(launch.Task) (proc.Death, []event.Event, error)
}

// Program is the test binaries that workers run.
type Program interface {
	Binary(pkg string) string // the file of the test binary of a package
	Sites() int               // one more than the number of the last probe
}

// Builds is the other binaries of a program, and what is known of them.
type Builds interface {
	Plain(pkg string) (string, error) // the binary without probes, built when it is first asked for
	Hash(pkg string) (string, error)  // of the test binary
	Operands(pkg string) string       // the binary that reports operands; "" if there is none
}

// Listener receives what happens in a campaign.
type Listener interface {
	// Tell is called for every event, from any goroutine. An event about the whole
	// campaign has the zero Property.
	Tell(Property, event.Event)
	// Record is called once for each property that was run, when it is over. Within a
	// budget that is at the end of the campaign: it may take a while, and other
	// properties have their turns meanwhile.
	Record(Property, Result)
}

// Config is what a campaign needs.
type Config struct {
	*Supervisor
	Builds   Builds
	Listener Listener
	Corpus   string     // folder of the saved inputs of all properties
	Search   job.Params // what every worker is asked for; the rest differs between workers
	Workers  int        // processes that run at a time; 0 means the default
	Even     bool       // all properties get the same time, for an experiment
}

// Campaign is one run of all properties.
type Campaign struct {
	Config
	until time.Time // when the budget is spent; zero if there is none
}

// New makes a campaign.
func New(c Config) *Campaign { return &Campaign{Config: c} }

// WorkersMax bounds the processes of a property; more do not find more on one machine.
const WorkersMax = 256

// CPUs is how many processes run at a time. A seed promises the same runs and a log is
// of one process, so with either the default is one.
func (c *Config) CPUs() int {
	s := &c.Search
	if c.Workers == 0 && s.Budget > 0 && s.Seed == nil && s.Log == "" {
		return min(runtime.GOMAXPROCS(0), WorkersMax)
	}
	return max(1, c.Workers)
}

// Run runs all properties and reports whether one failed.
func (c *Campaign) Run(props []Property) (failed bool, err error) {
	start := time.Now()
	s := c.newSuite(props)
	if failed, err = s.run(); err != nil {
		return failed, err
	}
	end := event.Event{Kind: event.Finished, Seconds: time.Since(start).Seconds(), Workers: len(s.cpus)}
	tried := 0
	for _, m := range s.members {
		end.Runs += m.result.Runs
		end.Failures += m.search.found()
		if m.begun {
			tried++
		}
	}
	if c.stopped() {
		c.tell(Property{}, event.Event{Kind: event.Stopped, Text: c.notTried(len(props) - tried)})
	}
	c.tell(Property{}, end)
	return failed, nil
}

// notTried says what was not done, and how to.
func (c *Campaign) notTried(left int) string {
	text := fmt.Sprintf("stopped; %s not tried", words.Properties(left))
	if !c.Search.Fresh {
		text += "\nwhat was kept is kept: the same command goes on from here"
	}
	return text
}

// guided reports whether the search keeps a corpus.
func (c *Campaign) guided() bool { return Strategy(c.Search.Strategy).Keeps() }

// late reports whether the budget is spent.
func (c *Campaign) late() bool { return !c.until.IsZero() && !time.Now().Before(c.until) }

func (c *Campaign) tell(p Property, e event.Event) { c.Listener.Tell(p, e) }

// note reports something that the user should know.
func (c *Campaign) note(p Property, format string, args ...any) {
	c.tell(p, event.Event{Kind: event.Note, Text: fmt.Sprintf(format, args...)})
}

// Folder makes the folder of what is known of a property, below that of all corpora.
func Folder(root string, p Property) (string, error) {
	dir := corpus.Folder(root, p.Package, p.Name)
	return dir, os.MkdirAll(dir, 0o777)
}
