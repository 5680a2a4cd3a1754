//go:build go1.25

package worker

import (
	"fmt"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/check/isolated"
	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/slow"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// Under the allele command, a run that takes longer than the per-run timeout ends its process. A
// process that confirms the input decides whether the run is slow. It makes the runs in
// child processes, which can be killed.

// slowBounds returns the bounds that earlier processes have found.
func slowBounds(p *property.Property) (all []slow.Bound) {
	for _, text := range p.Job.Limits.Slow {
		if b, err := slow.Parse(text); err == nil { // otherwise inputs that are slow may be run
			all = append(all, b)
		}
	}
	return all
}

// noteSlow returns a note, if the run of an input is slow.
func noteSlow(p *property.Property, x term.Term) (n event.Note, ok bool) {
	b, ok := slowCase(p, x)
	if !ok {
		return n, false
	}
	return event.Note{Slow: b.String(), Text: slowNote(p, x, b, property.RunTimeout(p).String())}, true
}

// slowNote returns the text about a slow run that had not ended after some time, or some steps.
func slowNote(p *property.Property, x term.Term, b slow.Bound, after string) string {
	input := words.Cut(strings.Join(strings.Fields(p.InputText(x)), " "), plain.SlowInputMax)
	return fmt.Sprintf("slow: a run had not ended after %s, because of %s: %s; "+
		"this is no failure, and inputs with more than %s there are left out from now on; to bound it, declare %s",
		after, property.Bounded(p, b), input, words.Group(int(min(b.Max, 1<<62))), property.Bounding(p, b))
}

const (
	// slowShare divides the per-run timeout, for runs that examine an input.
	slowShare = 10
	// slowLeast is the shortest timeout of these runs. With 300 ms, the control did not end on a machine with three times
	// as many busy processes as cores, and a slow input was reported as one that does not end.
	slowLeast = time.Second
	// controls is how many inputs are tried as the control.
	controls = 3
)

// slowControl returns one of the first inputs of a search, other than x, whose run ends; nil if there is none.
func slowControl(p *property.Property, x term.Term, run func(term.Term) (time.Duration, bool)) term.Term {
	first := engine.New(plain.EngineConfig(p))
	for i := 1; i <= controls; i++ {
		if y := first.Current.Again(i); !term.Equal(x, y) {
			if _, ended := run(y); ended {
				return y
			}
		}
	}
	return nil
}

// slowCase decides whether the run of an input is slow.
func slowCase(p *property.Property, x term.Term) (slow.Bound, bool) {
	r := isolated.New(p, 1)
	r.SetTimeout(max(slowLeast, r.Timeout()/slowShare))
	r.SetSteps(0)
	defer r.Close()
	run := func(x term.Term) (time.Duration, bool) {
		begin := time.Now()
		o := r.One(x, false)
		return time.Since(begin), r.Err == nil && !o.Hung && o.Kind() != proc.Hang
	}
	control := slowControl(p, x, run)
	if control == nil {
		return slow.Bound{}, false
	}
	started := true
	return slow.Find(slow.Config{World: p.World, Control: control, Over: func() bool { return r.Err != nil },
		Run: func(x term.Term) (took time.Duration, ended bool) {
			if !started {
				run(control) // starts a process, which takes a while too
			}
			took, started = run(x)
			return took, started
		}}, x)
}
