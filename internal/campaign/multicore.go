//go:build go1.25

package campaign

import (
	"strconv"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
)

const (
	// multicoreTries is how often an input is run on several cores: a bug between
	// goroutines does not show in most runs.
	multicoreTries = 100
	// Multicore runs add 1/multicoreShare to the time of a search, within these bounds.
	multicoreShare = 10
	multicoreMin   = 3 * time.Second
	multicoreMax   = time.Minute
)

// multicore runs again the saved inputs that start goroutines, this time on several cores
// and in a program without probes. A failure that the runtime finds there, or the race
// detector if it is enabled, is a finding like any other.
func (k *propertySearch) multicore(r *Result) error {
	p := k.property
	binary, err := k.Builds.Plain(p.Package)
	if err != nil {
		k.note(p, "inputs that start goroutines were not run again on several cores: %v", err)
		return nil
	}
	start := time.Now()
	budget := min(max(time.Duration(r.Seconds*float64(time.Second))/multicoreShare, multicoreMin), multicoreMax)
	slot, err := k.slot(k.folder)
	if err != nil {
		return err
	}
	slot.Multicore()
	j := k.multicoreJob(job.Multicore)
	j.Corpus = k.folder
	conf := proc.Config{Path: binary, Slot: slot, Job: j, Env: onManyCPUs(), Stop: start.Add(budget)}
	d, events, left, err := find(k, slot, launch.Task{Property: p, Config: conf})
	if err != nil {
		return err
	}
	repeated, ok := first(events).(event.Repeated)
	switch {
	case ok:
		slot.Remove()
		if r.Failed = d.Code != 0; r.Failed {
			r.Verdict, r.Text = repeated.Verdict, printed(d, d.Out+d.Err+d.Stack, repeated.Text)
			k.finds.shown(repeated.Sign)
		}
		k.report(p, repeated)
	case left:
		slot.Remove() // the failure is stored and will be reported
	case !d.Running:
		slot.Remove()
		k.note(p, "inputs that start goroutines were not run again on several cores: %s", d.Text)
	case k.killed():
		slot.Close() // the next campaign confirms the input in the slot
	default:
		k.report(p, deathEvent(1, slot.Look().Run, d))
		slot.Close()
		h := history{Result: *r}
		k.confirm(slot.Path(), &h, false)
		*r = h.Result
	}
	return nil
}

// multicoreJob returns a job for a program without probes on several cores.
func (k *propertySearch) multicoreJob(mode job.Mode) *job.Job {
	j := k.job(mode, k.property)
	j.Program, j.Repeat.Tries = job.Program{}, multicoreTries
	return j
}

// onManyCPUs returns the environment of a process that runs on several cores.
func onManyCPUs() []string {
	return []string{"GOMAXPROCS=" + strconv.Itoa(proc.MulticoreCPUs()), haltOnRace()}
}
