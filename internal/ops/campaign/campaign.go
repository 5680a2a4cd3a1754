//go:build go1.25

// Package campaign decides when to search which property: it runs the properties of a
// module in worker processes, within a budget of time and a number of processors.
//
// Three layers share the work. The suite hands out cpus: at most one process runs for
// each cpu, and within a budget properties take turns, by how much each has found
// lately (shares.go). A propertySearch is the group of workers that search one property
// together. A worker runs one process after the other: if a run crashes its process,
// another process confirms the input and the search goes on.
//
//	c := campaign.New(campaign.Config{Supervisor: s, Builds: b, Listener: l, Search: params})
//	failed, err := c.Run(properties)
//
// The package does not build, print or start processes itself. A Runner starts test
// binaries, Builds names their files, and a Listener receives events. Tests replace all
// three, so they run campaigns without a compiler or a child process.
//
// A Supervisor runs a job for a property in a process with limits. It works without a
// campaign too: Reduce runs the saved inputs of a property again.
package campaign

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/exchange"
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

// Program names the test binaries that workers run.
type Program interface {
	Binary(pkg string) string // the file of the test binary of a package
	Sites() int               // one more than the highest probe number
}

// Builds names the other binaries of a program and returns the hash of the test binary.
type Builds interface {
	Plain(pkg string) (string, error) // the binary without probes, built by the first call
	Hash(pkg string) (string, error)  // the hash of the test binary
	Operands(pkg string) string       // the binary that reports operands; "" if there is none
	BuildOperands(pkg string)         // builds that binary, if it is not there yet
	// Encoder returns the binary with faults in its encoders, and the file with their list.
	Encoder(pkg string) (binary, faults string)
}

// Listener receives the events and results of a campaign.
type Listener interface {
	// Report is called for every event, from any goroutine. An event about the whole
	// campaign has the zero Property.
	Report(Property, event.Event)
	// Record is called once for each property that was run, after its search. Within a
	// budget it is called at the end of the campaign, because it may take a while and
	// other properties need their turns.
	Record(Property, Result)
}

// Config configures a campaign.
type Config struct {
	*Supervisor
	Builds   Builds
	Listener Listener
	Hub      *exchange.Hub // other hosts that search the same properties; nil means none
	Corpus   string        // folder of the saved inputs of all properties
	Search   job.Params    // parameters that all workers share
	Workers  int           // processes that run at a time; 0 means the default
	Even     bool          // all properties get the same time, for an experiment
}

// Campaign is one run of all properties.
type Campaign struct {
	Config
	until time.Time // when the budget is spent; zero if there is none
}

// New makes a campaign.
func New(c Config) *Campaign { return &Campaign{Config: c} }

// WorkersMax bounds the processes of a property; more processes do not find more on one
// machine.
const WorkersMax = 256

// CPUs returns how many processes run at a time. With a budget, the default is one
// process for each processor. Without a budget the default is one process. With a
// seed or a log the default is always one process: a seed promises the same runs, and a
// log has only one writer.
func (c *Config) CPUs() int {
	s := &c.Search
	if c.Workers == 0 && s.Budget > 0 && s.Seed == nil && s.Log == "" {
		return min(runtime.GOMAXPROCS(0), WorkersMax)
	}
	return max(1, c.Workers)
}

// Run runs all properties and reports whether any of them failed.
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
		c.report(Property{}, event.Event{Kind: event.Stopped, Text: c.notTried(len(props) - tried)})
	}
	c.report(Property{}, end)
	return failed, nil
}

// notTried returns a message for a stopped campaign: how many properties were not tried,
// and how to continue.
func (c *Campaign) notTried(left int) string {
	text := fmt.Sprintf("stopped; %s not tried", words.Properties(left))
	if !c.Search.Fresh && c.guided() {
		text += "\nthe corpus is saved: run the same command again to continue"
	}
	return text
}

// exchange returns the exchange of the workers of a property, whose test binary has this hash.
func (c *Campaign) exchange(p Property, hash string) exchange.Exchange {
	if c.Hub == nil {
		return exchange.NewMemory()
	}
	return c.Hub.Exchange(p.Package, p.Name, hash)
}

// guided reports whether the search uses a corpus.
func (c *Campaign) guided() bool { return Strategy(c.Search.Strategy).Keeps() }

// late reports whether the budget is spent.
func (c *Campaign) late() bool { return !c.until.IsZero() && !time.Now().Before(c.until) }

func (c *Campaign) report(p Property, e event.Event) { c.Listener.Report(p, e) }

// note reports a message for the user.
func (c *Campaign) note(p Property, format string, args ...any) {
	c.report(p, event.Event{Kind: event.Note, Text: fmt.Sprintf(format, args...)})
}

// Folder creates the folder of the corpus of a property, below the folder of all
// corpora, and returns its path.
func Folder(root string, p Property) (string, error) {
	dir := corpus.Folder(root, p.Package, p.Name)
	return dir, os.MkdirAll(dir, 0o777)
}
