//go:build go1.25

package finding

import (
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/term"
)

// Handler handles the findings of a property in one process.
type Handler struct {
	Prop    *property.Property
	Runner  property.Runner // runs inputs in this process
	Watch   *watch.Watcher  // nil without probes
	Slot    *proc.Slot      // holds the current input; nil without a supervisor
	Isolate bool            // an earlier worker died, so findings run in child processes
	Ledger  *Ledger
	Keep    func(Finding) bool // keeps an input that cannot be stored where the next search finds it; may be nil
	Ends    func() bool        // reports whether shrinking is to end, because the user waits; may be nil
	Misused string             // what the property did wrong, so that no more runs are made; empty if it did not

	hot       uint32        // see Hot
	reported  string        // all reports so far, for an event
	blocks    []string      // reports that are shown at the end, if the search goes on
	took      time.Duration // of the last input that was run again
	abandoned bool          // a run of this process was abandoned while its input was shrunk: no more runs
}

// NewHandler makes a handler that runs inputs in this process.
func NewHandler(p *property.Property) *Handler {
	return &Handler{Prop: p, Runner: p.Runner, Ledger: newLedger(p.Job)}
}

// interrupted reports whether the user waits for this process to exit.
func interrupted(h *Handler) bool { return h.Ends != nil && h.Ends() }

// New returns a finding for the outcome of a run.
func (h *Handler) New(x term.Term, o property.Outcome, from History) Finding {
	f := Finding{Term: x, Outcome: o, History: from, Cells: h.Prop.World.Cells(x), Steps: o.Steps}
	if o.Cut != nil {
		f.Waited, f.Memory = o.Cut.Waited, o.Cut.Memory
	}
	return f
}
