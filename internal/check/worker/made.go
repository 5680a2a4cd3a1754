//go:build go1.25

package worker

import (
	"time"

	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// A fault that plain go test notices is killed, whatever a search has saved. So a property is judged
// by the inputs that its own test makes, too: the same engine makes them from the same seed, and
// gets the same verdicts. The process of the baseline does that once, and writes them down for the
// processes that judge faults.

const (
	// madeMax is how many inputs that pass are made at most: as many as go test makes without
	// options.
	madeMax = 1000
	// madeSteps bounds the steps of the runs with these inputs. They are repeated for each fault
	// that survives.
	madeSteps = 50_000_000
	// madeTime bounds the time that is spent on making inputs, for properties that wait. Others reach
	// madeSteps earlier, also on a busy machine.
	madeTime = 20 * time.Second
)

// madeRun is a run of an input that go test makes, on the original program.
type madeRun struct {
	steps  int64
	reject *property.Reject // what discarded the run; nil if it passed
	failed bool             // go test ends here
}

// makeInputs runs the inputs that plain go test makes. The number of a run starts at 1.
func makeInputs(p *property.Property, run func(number int, x term.Term) (madeRun, error)) error {
	conf := plain.EngineConfig(p)
	conf.Tests = min(conf.Tests, madeMax)
	conf.Runs = conf.Tests * property.RunsPerTest
	e, symbol := engine.New(conf), [1]uint32{}
	began := time.Now()
	for steps := int64(0); steps < madeSteps && time.Since(began) < madeTime; {
		x, ok := e.Next()
		if !ok {
			return nil
		}
		r, err := run(e.Started(), x.Clone())
		if err != nil || r.failed {
			return err
		}
		if steps += r.steps; r.reject != nil {
			e.Done(engine.Discarded, r.reject.Trace(&symbol))
		} else {
			e.Done(engine.Passed, trace.Run{})
		}
	}
	return nil
}
