//go:build go1.25

// Package worker does the jobs that the allele command requests. Each kind of job has a file of its
// own, named after its job.Mode. The command starts workers: processes that do one job each, for one
// property.
//
//	worker.Do(p)     // package plain: the property is ready, do the job
//
// A job begins in Do. It ends by emitting an event that the command reads (proc/event), or
// by failing the test. To add a kind of job, add a mode to proc/job, a file here, and a
// case in doMine. If the job runs inputs, which may end the process, add the case in
// doSupervised instead.
//
// Only test binaries that the command builds link this package: see the tag allele_jobs of the root
// package, and package plain.
package worker

import (
	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/watch"
)

func init() { plain.Job = Do }

// Do does the job of this process for a property. If the job is for one property, Do does
// nothing for all others.
func Do(p *property.Property) {
	p.TB.Helper()
	switch mode := p.Job.Mode; {
	case mode == job.List:
		list(p)
	case mode == job.Show:
		show(p)
	case p.Job.Property == p.Name:
		doMine(p)
	}
}

// doMine does a job that is for this property alone.
func doMine(p *property.Property) {
	p.TB.Helper()
	var w *watch.Watcher
	if m := p.Job.Mode; m != job.Operands && m != job.Encode && (m == job.Search || p.Job.Program.Sites > 0) {
		w = plain.Follow(p)
	}
	switch p.Job.Mode {
	case job.Operands:
		serveOperands(p)
	case job.Encode:
		serveEncoder(p)
	case job.Confirm:
		confirm(p, w)
	case job.Dist:
		countDist(p)
	default:
		if s, ok := supervised(p); ok {
			doSupervised(p, w, s)
		}
	}
}

// doSupervised does a job in which inputs may end the process.
func doSupervised(p *property.Property, w *watch.Watcher, s *supervisor) {
	p.TB.Helper()
	switch p.Job.Mode {
	case job.Search:
		search(p, w, s)
	case job.Multicore:
		multicore(p, s)
	case job.Reduce:
		rerunAll(p, w, s, reportReduced)
	case job.Save:
		rerunAll(p, w, s, saveFew)
	case job.Score:
		score(p, w)
	default:
		p.TB.Errorf("allele: job mode %s is not implemented", p.Job.Mode)
	}
}

// handler makes the handler for the findings of a job.
func handler(p *property.Property, w *watch.Watcher, s *supervisor) *finding.Handler {
	h := finding.NewHandler(p)
	h.Watch = w
	if s != nil && s.slot != nil {
		h.Slot, h.Runner, h.Isolate = s.slot, noted{p.Runner, s.slot}, p.Job.Search.Isolate
		h.Ends = func() bool { return proc.Interrupted(s.slot) }
	}
	return h
}
