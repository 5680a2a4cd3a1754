//go:build go1.25

package plain

import (
	"os"
	"time"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/isolated"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/child"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/term"
)

// Lingers is how long a test may take to end after its parent has stopped asking.
const Lingers = 10 * time.Second

// serveCases runs the property on each term that the parent process sends, and answers
// with the outcome. A run may end the process; the parent then derives the outcome from
// how the process ended.
//
// serveCases reads nothing during a run, because the Go runtime detects a deadlock only if
// no goroutine is blocked reading a file.
func serveCases(p *property.Property) {
	p.TB.Helper()
	var w *watch.Watcher
	if p.Job.Program.Sites > 0 {
		w = Follow(p)
	}
	Confine(p)
	p, err := p.As(property.Reading(p.Job.Repeat.Reading))
	if err != nil {
		return // the parent reports that this process sent no greeting
	}
	if p.Job.Repeat.Long {
		h := finding.NewHandler(p)
		h.Watch = w
		h.GoOn()
	}
	mirrored := isolated.Mirror(p.Job.Repeat.Last)
	s, err := child.Greet(p.Job.Wires, operand.Shape(p.World), nil)
	if err != nil {
		p.TB.Errorf("allele: cannot connect to the process that sends cases: %v", err)
		return
	}
	for {
		question, err := s.Next()
		if err != nil {
			time.AfterFunc(Lingers, func() { os.Exit(1) })
			return
		}
		x, err := operand.ParseTerm(p.World, question)
		if err != nil {
			return
		}
		if mirrored {
			clear(hook.Buf[:])
		}
		answer, err := isolated.Encode(p, repeat(p, x, p.Job.Repeat.Tries))
		if err != nil || s.Answer(answer) != nil {
			return
		}
	}
}

// repeat runs a term up to tries times and returns the first outcome that is not a pass,
// or the last outcome.
func repeat(p *property.Property, x term.Term, tries int) property.Outcome {
	for {
		o := p.Runner.One(x, true)
		if tries--; tries <= 0 || o.Verdict != engine.Passed {
			return o
		}
	}
}
