package campaign

import (
	"strconv"
	"time"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/proc"
)

const (
	// multicoreTries is how often an input is run on several processors: what goes
	// wrong between goroutines goes well most of the time.
	multicoreTries = 100
	// multicoreShare of the time of a search is added for it, within bounds.
	multicoreShare = 10
	multicoreMin   = 3 * time.Second
	multicoreMax   = time.Minute
)

// multicore runs the saved inputs of a property that start goroutines again: on
// several processors, in a program without probes. What the race detector, if asked
// for, or the runtime finds there is a finding like any other.
func (k *propertySearch) multicore(r *Result) error {
	p := k.property
	binary, err := k.Builds.Plain(p.Package)
	if err != nil {
		k.note(p, "inputs that start goroutines were not run again on several processors: %v", err)
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
	d, events, err := k.process(launch.Task{Property: p, Config: conf})
	if err != nil {
		return err
	}
	switch {
	case len(events) > 0:
		slot.Remove()
		if r.Failed = d.Code != 0; r.Failed {
			r.Verdict, r.Text = events[0].Verdict, d.Out+d.Err+d.Stack
		}
		k.tell(p, events[0])
	case !d.Running:
		slot.Remove()
		k.note(p, "inputs that start goroutines were not run again on several processors: %s", d.Text)
	default:
		k.tell(p, deathEvent(1, slot.Look().Run, d))
		slot.Close()
		h := history{Result: *r}
		k.confirm(slot.Path(), &h)
		*r = h.Result
	}
	return nil
}

// multicoreJob is a job on several processors, for a program without probes.
func (k *propertySearch) multicoreJob(mode job.Mode) *job.Job {
	j := k.job(mode, k.property)
	j.Program, j.Repeat.Tries = job.Program{}, multicoreTries
	return j
}

// onManyCPUs is the environment of such a process.
func onManyCPUs() []string {
	return []string{"GOMAXPROCS=" + strconv.Itoa(proc.Several()), haltOnRace()}
}
