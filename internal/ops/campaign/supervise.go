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

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/proc"
)

// Supervisor runs jobs for properties, each in a process with limits.
type Supervisor struct {
	Runner    Runner
	Program   Program
	Processes *launch.Group // of the command; asked to stop by a signal
	Limits    job.Limits
	Verbose   bool

	slots atomic.Int64 // made so far
}

const (
	// idleMax is how long a process may take before its first run and after its last
	// one: TestMain may start a database.
	idleMax = 5 * time.Minute
	// confirmMax is how long a process may take that has no slot: shrinking takes a
	// minute at most, and hangs are waited for.
	confirmMax = 15 * time.Minute
)

// process runs a test binary for one property. Its binary is that with probes, unless
// the task names another.
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

// job is what the jobs of all processes of a property have in common.
func (s *Supervisor) job(mode job.Mode, p Property) *job.Job {
	return &job.Job{Mode: mode, Property: p.Name, Claims: s.claims(p), Limits: s.Limits,
		Program: job.Program{Sites: s.Program.Sites()}}
}

// claims is the file of the failures of a property that are known in this campaign.
func (s *Supervisor) claims(p Property) string {
	h := fnv.New64a()
	fmt.Fprint(h, p.Package, " ", p.Name)
	return filepath.Join(s.Limits.Temp, fmt.Sprintf("known-%016x", h.Sum64()))
}

// slot makes a slot for the next process.
func (s *Supervisor) slot(folder string) (*proc.Slot, error) {
	slot, err := proc.NewSlot(filepath.Join(folder, proc.SlotName(int(s.slots.Add(1)))))
	if err != nil {
		return nil, fmt.Errorf("make room for the input of a run: %w; "+
			"free some space, or set XDG_CACHE_HOME to a folder with more", err)
	}
	return slot, nil
}

// stopped reports whether all processes are to end, and killed whether at once.
func (s *Supervisor) stopped() bool { return s.Processes.Stopped() }
func (s *Supervisor) killed() bool  { return s.Processes.Killed() }

// onOneCPU is the environment of a process that has one processor.
func onOneCPU() []string { return []string{"GOMAXPROCS=1", noPreemption(), haltOnRace()} }

// noPreemption has goroutines of a run switch at the same places each time. It keeps
// what the user has set.
func noPreemption() string {
	const ours = "asyncpreemptoff=1"
	if user := os.Getenv("GODEBUG"); user != "" {
		return "GODEBUG=" + user + "," + ours
	}
	return "GODEBUG=" + ours
}

// haltOnRace has the race detector end the process.
func haltOnRace() string {
	return "GORACE=" + strings.TrimPrefix(os.Getenv("GORACE")+" halt_on_error=1", " ")
}
