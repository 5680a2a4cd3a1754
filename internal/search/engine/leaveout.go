//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/text"
)

// LeaveOut records that the last term is not run. It counts as a run, so a search that leaves
// out nearly all terms ends.
func (e *Engine) LeaveOut() {
	e.leftOut++
	if e.guide != nil {
		e.Done(Discarded, trace.Run{Long: true})
		return
	}
	e.Runs++
}

// Abandon records that the run of the last term was abandoned. The goroutine of that run may
// still read the term, so all later terms are in other memory.
func (e *Engine) Abandon() {
	e.LeaveOut()
	e.gen = gen.New(e.config.World)
	e.gen.Reach = e.config.Size
	e.grower.gen, e.grower.out, e.grower.part, e.grower.edits = e.gen, nil, nil, text.Edits{}
	e.grown.Store(nil)
}

// LeftOut returns how many terms were generated and not run, or not run to their end.
func (e *Engine) LeftOut() int { return e.leftOut }
