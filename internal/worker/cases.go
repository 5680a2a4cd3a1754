package worker

import (
	"os"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/isolated"
	"github.com/allele-go/allele/internal/ops/child"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/term"
)

// serveCases runs the property on one term after the other and answers how that
// ended, if it comes to answer: what ends the process is the answer as well.
//
// Nothing is read while a run is under way. The runtime could not tell that all
// goroutines wait for each other if one of them waited for a file.
func serveCases(p *property.Property) {
	p.TB.Helper()
	confine(p)
	mirrored := isolated.Mirror(p.Job.Repeat.Last)
	s, err := child.Greet(p.Job.Wires, operand.Shape(p.World), nil)
	if err != nil {
		p.TB.Errorf("allele: nobody asks for a case: %v", err)
		return
	}
	for {
		question, err := s.Next()
		if err != nil {
			time.AfterFunc(lingers, func() { os.Exit(1) })
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

// repeat runs a term until it fails, or so many times.
func repeat(p *property.Property, x term.Term, tries int) property.Outcome {
	for {
		o := p.Runner.One(x, true)
		if tries--; tries <= 0 || o.Verdict != engine.Passed {
			return o
		}
	}
}
