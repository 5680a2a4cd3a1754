//go:build go1.25

package engine

// renewal decides when a search forgets, and when it starts over.
type renewal struct {
	settings      RenewSettings
	boring, reset int // consecutive runs without a new trace, and the number of them after which the search forgets
	runs, restart int // runs since the last restart, and the number of runs after which the next restart is due
	freshPassed   int // fresh terms that passed since the last restart
}

func newRenewal(c RenewSettings) renewal {
	return renewal{settings: c, reset: c.Reset, restart: c.Restart}
}

// restartMin is how many fresh terms must have passed before the search starts over. If
// fresh terms hardly ever pass, all terms that pass derive from a few lucky fresh terms
// or from terms of the user. A search that starts over would not find them again.
const restartMin = 16

// startsOver counts a run, and reports whether the search starts over: it is time, and enough fresh terms
// have passed.
func (n *renewal) startsOver() bool {
	if n.runs++; n.restart == 0 || n.runs <= n.restart {
		return false
	}
	enough := n.freshPassed >= restartMin
	n.runs, n.restart, n.freshPassed = 0, 2*n.restart, 0
	return enough
}

// learn counts a run. It reports whether it is time to forget.
func (n *renewal) learn(o *outcome) bool {
	if o.fresh() && o.passed() {
		n.freshPassed++
	}
	if o.news.is {
		n.boring = 0
		return false
	}
	n.boring++
	return n.reset > 0 && n.boring >= n.reset
}

// forgot is called when the search has forgotten. It reports whether more samples are to be made.
func (n *renewal) forgot() bool {
	n.boring = 0
	if n.settings.Doubling {
		n.reset *= 2
	}
	return n.settings.Doubling
}
