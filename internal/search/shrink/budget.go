//go:build go1.25

package shrink

const (
	// idleFirst is how many consecutive runs without success a pass may take before the
	// next pass starts. Without this limit, the first pass would spend all runs if every
	// part of a large term is needed. The limit doubles after a round in which it ended a
	// pass early; with a fixed limit of 500, the texts of large terms stayed long.
	idleFirst = 50
	// wastePerRun limits the work on candidates that are built but not run, because they
	// are known or not simpler. For each allowed run, such candidates may have this many
	// units of package term in total; the work on them takes about 0.1 ms. In a long list
	// of equal elements nearly all candidates are known.
	wastePerRun = 20_000
)

// budget limits the work.
type budget struct {
	runsMax int
	stop    func() bool // called before every run; true ends shrinking; nil means never
	stopped bool
	runs    int
	wasted  int // total size, in units, of candidates that were not run
	idle    int // runs since the last success in this pass
	idleMax int
}

func newBudget(c Config) budget {
	b := budget{runsMax: c.RunsMax, stop: c.Stop, idleMax: idleFirst}
	if b.runsMax <= 0 {
		b.runsMax = RunsMax
	}
	return b
}

// spent reports whether a limit is reached.
func (b *budget) spent() bool {
	return b.stopped || b.isIdle() || b.runs >= b.runsMax || b.wasted >= b.runsMax*wastePerRun
}

// isIdle reports whether the current pass had too many runs without success.
func (b *budget) isIdle() bool { return b.idle >= b.idleMax }

// begin counts a run. It returns false if shrinking has to end.
func (b *budget) begin() bool {
	if b.stop != nil && b.stop() {
		b.stopped = true
		return false
	}
	b.runs++
	b.idle++
	return true
}
