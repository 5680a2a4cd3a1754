//go:build go1.25

// Package plain does the work of a Check in plain go test: it runs the stored cases, and searches
// for an input that fails.
//
//	plain.Do(p)     // package allele: the property is ready
//
// Every test binary links this package, so what only the allele command requests is elsewhere: in
// package worker, which sets Job. A binary has it if the command has built it (the tag
// allele_jobs of the root package). The one job that is done here is to run inputs in a process of
// their own, because plain go test needs it too.
//
// Search is what all searches have: seeds, series of runs, findings and the verdict. What differs
// between a search in plain go test (unprobed) and one for the command is a Kind.
package plain

import (
	"github.com/allele-go/allele/internal/check/isolated"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/watch"
)

// Job does the jobs that only the allele command requests. It is nil if the command has not built
// this test binary.
var Job func(*property.Property)

// Do does the job of this process for a property. If the job is for one property, Do does
// nothing for all others.
func Do(p *property.Property) {
	p.TB.Helper()
	switch mode := p.Job.Mode; {
	case mode == job.Plain:
		search(p)
	case mode == job.Cases:
		if p.Job.Property == p.Name {
			serveCases(p)
		}
	case Job == nil:
		p.TB.Errorf("allele: this test binary cannot do the job %q: only binaries that the allele command builds can; "+
			"update the allele command, or unset %s", mode, job.Variable)
	default:
		Job(p)
	}
}

// Follow makes a watcher, which follows the runs of a program with probes.
func Follow(p *property.Property) *watch.Watcher {
	w := watch.New(p.Job.Program.Sites)
	w.Limit(watch.Limit{Steps: p.Job.Limits.StepsMax()})
	p.Runner.Watch(w)
	p.Traced = true
	return w
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

// Confine limits the stack and the memory of this process.
func Confine(p *property.Property) { proc.Confine(p.Memory()) }
