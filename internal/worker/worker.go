//go:build go1.25

// Package worker does the work of a Check. In plain go test it searches for an input that
// fails. For the allele command it does one of several kinds of job. Each kind has a file
// of its own, named after its job.Mode.
//
//	worker.Do(p)     // package allele: the property is ready, do the job
//
// A job begins in Do. It ends by emitting an event that the command reads (ops/event), or
// by failing the test. To add a kind of job, add a mode to ops/job, a file here, and a
// case in doMine. If the job runs inputs, which may end the process, add the case in
// doSupervised instead.
package worker

import (
	"github.com/allele-go/allele/internal/finding"
	"github.com/allele-go/allele/internal/isolated"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/watch"
)

// Do does the job of this process for a property. If the job is for one property, Do does
// nothing for all others.
func Do(p *property.Property) {
	p.TB.Helper()
	switch mode := p.Job.Mode; {
	case mode == job.Plain:
		searchPlain(p)
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
		w = follow(p)
	}
	switch p.Job.Mode {
	case job.Operands:
		serveOperands(p)
	case job.Encode:
		serveEncoder(p)
	case job.Cases:
		serveCases(p, w)
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

// follow makes a watcher, which follows the runs of a program with probes.
func follow(p *property.Property) *watch.Watcher {
	w := watch.New(p.Job.Program.Sites)
	w.Limit(watch.Limit{Steps: p.Job.Limits.StepsMax()})
	p.Runner.Watch(w)
	p.Traced = true
	return w
}

// handler makes the handler for the findings of a job.
func handler(p *property.Property, w *watch.Watcher, s *supervisor) *finding.Handler {
	h := finding.NewHandler(p)
	h.Watch = w
	if s != nil && s.slot != nil {
		h.Slot, h.Runner, h.Isolate = s.slot, noted{p.Runner, s.slot}, p.Job.Search.Isolate
	}
	return h
}

// RunIsolated runs a seed (an example or a stored case) in a child process, because the seed
// may end the process.
func RunIsolated(p *property.Property, s property.Seed) property.Outcome {
	p.TB.Helper()
	r := isolated.New(s.Prop, s.Runs.Tries)
	r.GoOn()
	defer r.Close()
	o := r.One(s.Term, true)
	if r.Err != nil {
		p.TB.Errorf("allele: cannot run %s: %v", s.From, r.Err)
	}
	return o
}

// confine limits the stack and the memory of this process.
func confine(p *property.Property) { proc.Confine(p.Memory()) }
