package agent

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/fleet/order"
	"github.com/allele-go/allele/fleet/report"
	"github.com/allele-go/allele/internal/campaign"
	"github.com/allele-go/allele/internal/campaign/bundle"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
)

// round is the search with one bundle.
type round struct {
	agent    *Agent
	order    order.Order
	programs programs
	launcher launch.Launcher
	ended    chan struct{}
	err      error     // set before ended is closed
	end      time.Time // too
}

// budget is how long a search lasts if nobody stops it: longer than any agent.
const budget = 10 * 365 * 24 * time.Hour

// start starts to search the properties of a bundle.
func (a *Agent) start(o order.Order, dir string, m *bundle.Manifest) *round {
	r := &round{agent: a, order: o, programs: programs{dir, m}, ended: make(chan struct{})}
	go func() {
		defer close(r.ended)
		r.err = r.search()
		if r.end = time.Now(); r.err != nil {
			a.config.Log.Error("the search has ended", "error", r.err)
		}
	}()
	return r
}

func (r *round) search() error {
	temp, err := os.MkdirTemp(r.agent.config.Dir, "work-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	r.launcher.Temp = temp
	limits := r.agent.config.Limits
	limits.Temp = temp
	_, err = campaign.New(campaign.Config{
		Supervisor: &campaign.Supervisor{Runner: &r.launcher, Program: &r.programs, Processes: &r.launcher.All, Limits: limits,
			Commands: job.CommandsFor("go tool allele", "")},
		Builds: &r.programs, Listener: r, Hub: r.agent.hub, Corpus: filepath.Join(r.agent.config.Dir, "corpus"),
		Search: job.Params{Budget: budget, KeepGoing: true}, Workers: r.agent.config.Workers,
	}).Run(r.programs.manifest.In(r.programs.dir))
	return err
}

// stop stops the workers after their current runs, and waits for them.
func (r *round) stop() {
	r.launcher.All.Ask()
	select {
	case <-r.ended:
	case <-time.After(stopMax):
		r.launcher.All.Ask() // at once
		<-r.ended
	}
	r.agent.endRound()
}

// stopMax is how long workers may take to finish their current runs.
const stopMax = 15 * time.Second

// over reports whether the search has ended by itself.
func (r *round) over() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// Report receives the events of the search.
func (r *round) Report(p campaign.Property, b event.Body) {
	switch b := b.(type) {
	case event.Progress:
		r.agent.ran(p.String(), b.Counts.Runs)
	case event.Finished:
		r.agent.ran(p.String(), b.Counts.Runs)
	case event.Found:
		if !b.Known {
			r.found(p, b)
		}
	case event.Note:
		r.agent.config.Log.Info("search", "property", p.String(), "note", b.Text)
	}
}

// Record is called at the end of a search for each property.
func (r *round) Record(p campaign.Property, result campaign.Result) {
	if result.Verdict == event.Crashed || result.Verdict == event.Vacuous {
		r.agent.config.Log.Warn("a property could not be searched", "property", p.String(), "verdict", result.Verdict, "text", result.Text)
	}
}

// found stores a failure on disk. From there it is sent.
func (r *round) found(p campaign.Property, e event.Found) {
	a := r.agent
	host, _ := os.Hostname() // only for people
	f := &report.Failure{Package: p.Package, Property: p.Name, Sign: e.Sign, Verdict: string(e.Verdict), Bundle: r.order.Bundle,
		Host: host, Time: time.Now().UTC(), Input: e.Input, Text: e.Text}
	if f.Sign == "" {
		f.Sign = string(e.Verdict) + " " + e.Input
	}
	if e.Case != "" {
		text, err := os.ReadFile(filepath.Join(p.Dir, filepath.FromSlash(e.Case)))
		if err == nil {
			f.File, f.Case = filepath.ToSlash(e.Case), text
		} else {
			f.Text += fmt.Sprintf("\nthe case could not be read: %v", err)
		}
	}
	a.mu.Lock()
	known := a.found[f.Key()]
	a.found[f.Key()] = true
	a.mu.Unlock()
	if !known {
		a.config.Log.Info("found", "property", p.String(), "failure", f.Sign, "input", e.Input)
	}
	t, err := f.Encode(a.worker)
	if err == nil {
		err = a.spool.Add(t)
	}
	if err != nil {
		a.config.Log.Error("a failure could not be stored; it is in the folder of its bundle, and the next start finds it again",
			"file", filepath.Join(p.Dir, e.Case), "error", err)
	}
}

// Runs returns how many runs the workers have made since the start.
func (a *Agent) Runs() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.base
	for _, runs := range a.runs {
		n += runs
	}
	return n
}

func (a *Agent) ran(property string, runs int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.runs[property] = max(a.runs[property], runs)
}

// endRound adds the runs of a search to those before.
func (a *Agent) endRound() {
	n := a.Runs()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.base, a.runs = n, map[string]int{}
}

// workers returns how many processes run while the agent searches.
func (a *Agent) workers() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.now.State != report.Searching {
		return 0
	}
	c := campaign.Config{Workers: a.config.Workers, Search: job.Params{Budget: budget}}
	return c.CPUs()
}

// programs is the test binaries of an unpacked bundle. It implements campaign.Program and
// campaign.Builds.
type programs struct {
	dir      string
	manifest *bundle.Manifest
}

func (p *programs) path(name string) string {
	if name == "" {
		return ""
	}
	return filepath.Join(p.dir, filepath.FromSlash(name))
}

// Binary returns the test binary of a package.
func (p *programs) Binary(pkg string) string { return p.path(p.manifest.Package(pkg).Binary) }

// Sites returns one more than the highest probe number.
func (p *programs) Sites() int { return p.manifest.Sites }

// Plain returns the test binary: a bundle has none without probes.
func (p *programs) Plain(pkg string) (string, error) { return p.Binary(pkg), nil }

// Hash returns the hash of the test binary of a package.
func (p *programs) Hash(pkg string) (string, error) {
	if h := p.manifest.Package(pkg).Hash; h != "" {
		return h, nil
	}
	return "", errors.New("the bundle has no hash of the test binary of " + pkg)
}

// Operands returns the binary that reports operands, or "".
func (p *programs) Operands(pkg string) string { return p.path(p.manifest.Package(pkg).Operands) }

// BuildOperands does nothing: all binaries are in the bundle.
func (p *programs) BuildOperands(string) {}

// Encoder returns nothing: a bundle has no faults.
func (p *programs) Encoder(string) (binary, faults string) { return "", "" }
