//go:build go1.25

package engine

import (
	"fmt"

	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/term"
)

// Entry is a line in the log of a search: a term that was kept, and why, or a term
// that failed.
type Entry struct {
	Run     int       `json:"run"`
	ID      int       `json:"id,omitempty"`     // 0 if the term failed, because then it is not kept
	Parent  int       `json:"parent,omitempty"` // ID of the entry from which the term was made
	How     string    `json:"how"`
	Kind    string    `json:"kind,omitempty"` // kind of change by which the term was made, if any
	Verdict Verdict   `json:"verdict"`
	Why     string    `json:"why"`
	Rare    bool      `json:"-"`               // the run shows a new edge, or a new hit count of an edge
	Kills   int       `json:"kills,omitempty"` // faults that no earlier run has killed
	Term    term.Term `json:"-"`
}

// Given reports whether the term is from the user or from an earlier search.
func (e Entry) Given() bool { return e.How == hows[howSeed] }

// journal writes entries to Config.Log.
type journal struct {
	log func(Entry) // nil if nothing is logged
	run int         // number of the run
}

// kept logs a kept term.
func (j journal) kept(k *kept, from origin, v Verdict, why string, n news) {
	if j.log == nil {
		return
	}
	e := j.entry(from, v)
	e.ID, e.Why, e.Term = k.id, why, k.term()
	e.Rare, e.Kills = n.Features > 0, n.kills
	j.log(e)
}

// forged logs a term that an encoder with a fault has made.
func (j journal) forged(t term.Term, from *Source) {
	if j.log != nil {
		j.log(Entry{Run: j.run + 1, How: hows[howFault], Kind: fmt.Sprint(from.Fault), Term: t})
	}
}

// failed logs a term that failed, so that the log shows how the failure was reached.
func (j journal) failed(t term.Term, from origin) {
	if j.log == nil {
		return
	}
	e := j.entry(from, Failed)
	e.Why, e.Term = "the property failed", t
	j.log(e)
}

// entry returns a log entry with the origin of a term.
func (j journal) entry(from origin, v Verdict) Entry {
	e := Entry{Run: j.run, How: hows[from.how], Verdict: v}
	if from.parent != nil {
		e.Parent = from.parent.id
	}
	if from.kind != 0 {
		e.Kind = mutate.Names()[kindIndex(from.kind)]
	}
	return e
}

// why describes what was new. If there was no new edge or hit count, it returns other.
func (n news) why(other string) string {
	switch {
	case n.kills == 1:
		return "1 fault killed"
	case n.kills > 1:
		return fmt.Sprintf("%d faults killed", n.kills)
	case !n.is:
		return "given by the user"
	case n.Edges > 0:
		return countedEdges(n.Edges, "new ") // hit counts are not mentioned, because a new edge always has a new hit count
	case n.Features > 0:
		return countedEdges(n.Features, "") + " hit more often than ever before"
	}
	return other
}

func countedEdges(n int, what string) string {
	if n == 1 {
		return "1 " + what + "edge"
	}
	return fmt.Sprintf("%d %sedges", n, what)
}
