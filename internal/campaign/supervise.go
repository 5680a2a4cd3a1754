//go:build go1.25

package campaign

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
)

// Supervisor runs jobs for properties, each in a process with limits.
type Supervisor struct {
	Runner    Runner
	Program   Program
	Processes *launch.Group // all processes of the command; a signal stops them
	Limits    job.Limits
	Commands  job.Commands
	Verbose   bool

	slots atomic.Int64 // number of slots created so far
}

const (
	// idleMax is how long a process may take before its first run and after its last
	// run: TestMain may start a database.
	idleMax = 5 * time.Minute
	// confirmMax is how long a process without a slot may take: shrinking takes a
	// minute at most, and an input that hangs takes the whole per-run timeout each time.
	confirmMax = 15 * time.Minute
)

// process runs a test binary for one property: the binary with probes, unless the task
// names another.
func (s *Supervisor) process(t launch.Task) (proc.Death, []event.Event, error) {
	if t.Path == "" {
		t.Path = s.Program.Binary(t.Property.Package)
	}
	t.Hang = s.Limits.Run
	if t.Idle = idleMax; t.Slot == nil {
		t.Idle = confirmMax
	}
	t.Args = []string{t.Property.TestFlag(), "-test.v=" + strconv.FormatBool(s.Verbose), "-test.paniconexit0"}
	return s.Runner.Run(t)
}

// job returns a job with the fields that all processes of a property share.
func (s *Supervisor) job(mode job.Mode, p Property) *job.Job {
	return &job.Job{Mode: mode, Property: p.Name, Claims: s.claims(p), Limits: s.Limits, Commands: s.Commands,
		Program: job.Program{Sites: s.Program.Sites()}}
}

// claims returns the path of the file that lists the known failures of a property in
// this campaign.
func (s *Supervisor) claims(p Property) string {
	h := fnv.New64a()
	fmt.Fprint(h, p.Package, " ", p.Name)
	return filepath.Join(s.Limits.Temp, fmt.Sprintf("known-%016x", h.Sum64()))
}

// slot creates a slot for the next process.
func (s *Supervisor) slot(folder string) (*proc.Slot, error) {
	slot, err := proc.NewSlot(filepath.Join(folder, proc.SlotName(int(s.slots.Add(1)))))
	if err != nil {
		return nil, fmt.Errorf("create a file for the input of a run: %w; "+
			"free some disk space, or set XDG_CACHE_HOME to a folder on another disk", err)
	}
	return slot, nil
}

// stopped reports whether all processes were asked to stop, and killed whether they were
// asked to exit at once.
func (s *Supervisor) stopped() bool { return s.Processes.Stopped() }
func (s *Supervisor) killed() bool  { return s.Processes.Killed() }

// onOneCPU returns the environment of a process that runs on one processor.
func onOneCPU() []string { return []string{"GOMAXPROCS=1", noPreemption(), haltOnRace()} }

// noPreemption returns a GODEBUG setting that makes the goroutines of a run switch at
// the same places each time. It keeps the user's settings.
func noPreemption() string {
	const ours = "asyncpreemptoff=1"
	if user := os.Getenv("GODEBUG"); user != "" {
		return "GODEBUG=" + user + "," + ours
	}
	return "GODEBUG=" + ours
}

// haltOnRace returns a GORACE setting that makes the race detector exit the process.
func haltOnRace() string {
	return "GORACE=" + strings.TrimPrefix(os.Getenv("GORACE")+" halt_on_error=1", " ")
}
