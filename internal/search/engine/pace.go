//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/search/trace"

// pace is how many steps the runs of fresh terms take.
type pace struct{ runs, steps int64 }

const (
	slowTimes = 16      // a slow run takes more than so many times the steps of a fresh term, on average,
	slowMin   = 1 << 14 // and more than so many: fewer take about as long as a search needs for a run
)

func (p *pace) add(run trace.Run) {
	p.runs++
	p.steps += run.Hits
}

// slow reports whether a run took far more steps than those of fresh terms.
func (p *pace) slow(run trace.Run) bool {
	return p.runs > 0 && run.Hits > max(slowMin, slowTimes*p.steps/p.runs)
}
