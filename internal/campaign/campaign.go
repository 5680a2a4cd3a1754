//go:build go1.25

package campaign

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/allele-go/allele/internal/campaign/exchange"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/words"
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

// Builds makes the other binaries of a program when they are needed, and returns the hash of the test binary.
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
	Report(Property, event.Body)
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
	end := event.Ended{Seconds: time.Since(start).Seconds(), Workers: len(s.cpus)}
	tried := 0
	for _, m := range s.members {
		end.Runs += m.result.Counts.Runs
		end.Failures += m.search.found()
		if m.begun {
			tried++
		}
	}
	if c.stopped() {
		c.report(Property{}, event.Stopped{Text: c.notTried(len(props) - tried)})
	}
	c.report(Property{}, end)
	return failed, nil
}

// notTried returns a message for a stopped campaign: how many properties were not tried,
// and how to continue.
func (c *Campaign) notTried(left int) string {
	text := "stopped"
	if left > 0 {
		text = fmt.Sprintf("stopped; %s not tried", words.Properties(left))
	}
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
func (c *Campaign) guided() bool { return c.Search.Keeps() }

// late reports whether the budget is spent.
func (c *Campaign) late() bool { return !c.until.IsZero() && !time.Now().Before(c.until) }

func (c *Campaign) report(p Property, b event.Body) { c.Listener.Report(p, b) }

// note reports a message for the user.
func (c *Campaign) note(p Property, format string, args ...any) {
	c.report(p, event.Note{Text: fmt.Sprintf(format, args...)})
}

// Folder creates the folder of the corpus of a property, below the folder of all
// corpora, and returns its path.
func Folder(root string, p Property) (string, error) {
	dir := corpus.Folder(root, p.Package, p.Name)
	return dir, os.MkdirAll(dir, 0o777)
}
