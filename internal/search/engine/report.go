//go:build go1.25

package engine

import (
	"fmt"
	"math/bits"

	"github.com/allele-go/allele/internal/search/queue"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/term"
)

// Report summarises a guided search.
type Report struct {
	Kept    int `json:"kept"`    // terms that showed something new
	Whole   int `json:"whole"`   // kept terms of which every one-step change was run
	Bounded int `json:"bounded"` // the same, but changes beyond a limit on size or number were left out
	Dropped int `json:"dropped"` // kept terms that were dropped: a queue was full or was emptied
	// Share is about the remaining kept terms: it is the average share of their places
	// where all changes were tried. It is negative if places are not tried one by one.
	Share float64     `json:"share"`
	Kinds []KindCount `json:"kinds"`
}

// KindCount counts the runs of terms of one kind, such as fresh terms.
type KindCount struct {
	Kind   string `json:"kind"`
	Tried  int    `json:"tried"`
	Passed int    `json:"passed"`
	New    int    `json:"new"`
	Failed int    `json:"failed"`
}

// counters counts the runs and the kept terms of a line.
type counters struct {
	kinds                         []KindCount
	kept, whole, bounded, dropped int
	combinations                  int // how many of the kept terms showed nothing new but a combination
	overflown                     int // how many of the dropped terms were dropped because a queue was full
}

// add counts a run.
func (c *counters) add(f origin, v Verdict, news bool) {
	if c.kinds == nil {
		for _, name := range append(hows[:mutant:mutant], mutate.Names()...) {
			c.kinds = append(c.kinds, KindCount{Kind: name})
		}
	}
	k := &c.kinds[f.how]
	if f.how == mutant {
		k = &c.kinds[int(mutant)+kindIndex(f.kind)]
	}
	k.Tried++
	if v == Passed {
		k.Passed++
	}
	if v == Failed {
		k.Failed++
	}
	if news {
		k.New++
	}
}

// kindIndex returns the index of a kind in mutate.Names.
func kindIndex(k mutate.Kind) int { return bits.Len16(uint16(k)) - 1 }

// spent counts a kept term that has no mutants left.
func (c *counters) spent(k *kept) {
	if k.counted || !k.batch.Exhausted() {
		return
	}
	k.counted = true
	if k.batch.TooLarge+k.batch.WaysCut == 0 {
		c.whole++
	} else {
		c.bounded++
	}
}

// full is called with the result of queue.Push. If gaveUp is true, it counts the kept term
// that the full queue dropped in favour of another.
func (c *counters) full(gaveUp bool) {
	if gaveUp {
		c.dropped++
		c.overflown++
	}
}

// gone counts the kept terms of a queue that is about to be emptied.
func (c *counters) gone(q *queue.Queue[*kept]) { c.dropped += q.Len() }

// Report returns a summary of the search. It is empty if the search was not guided.
func (e *Engine) Report() Report {
	if e.guide == nil || e.guide.line == nil {
		return Report{}
	}
	l := e.guide.line
	c := &l.counts
	r := Report{Kept: c.kept, Whole: c.whole, Bounded: c.bounded, Dropped: c.dropped}
	n := 0
	for i := range l.queues[:largeQueue] {
		for k := range l.queues[i].All() {
			if !k.counted {
				r.Share += k.batch.Share()
				n++
			}
		}
	}
	r.Share /= float64(max(1, n))
	if l.Energy {
		r.Share = -1
	}
	for _, k := range c.kinds {
		if k.Tried > 0 {
			r.Kinds = append(r.Kinds, k)
		}
	}
	return r
}

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
func (e Entry) Given() bool { return e.How == hows[seeded] }

// logKept logs a kept term.
func (g *guide) logKept(k *kept, f origin, v Verdict, n news) {
	if g.log == nil {
		return
	}
	e := g.entry(f, v)
	e.ID, e.Why, e.Term = k.id, n.why(g.line.Notion), k.batch.Parent()
	e.Rare, e.Kills = n.Features > 0, n.kills
	g.log(e)
}

// logForged logs a term that an encoder with a fault has made.
func (g *guide) logForged(t term.Term, from *Source) {
	if g.log != nil {
		g.log(Entry{Run: g.runs + 1, How: hows[forged], Kind: fmt.Sprint(from.Fault), Term: t})
	}
}

// logFailed logs a term that failed, so that the log shows how the failure was reached.
func (g *guide) logFailed(t term.Term) {
	if g.log == nil {
		return
	}
	f := origin{how: fresh}
	if g.own {
		f = g.line.from
	}
	e := g.entry(f, Failed)
	e.Why, e.Term = "the property failed", t
	g.log(e)
}

// entry returns a log entry with the origin of the current term.
func (g *guide) entry(f origin, v Verdict) Entry {
	e := Entry{Run: g.runs, How: hows[f.how], Verdict: v}
	if f.parent != nil {
		e.Parent = f.parent.id
	}
	if f.kind != 0 {
		e.Kind = mutate.Names()[kindIndex(f.kind)]
	}
	return e
}

// why describes what was new.
func (n news) why(notion Notion) string {
	switch {
	case n.kills == 1:
		return "1 fault killed"
	case n.kills > 1:
		return fmt.Sprintf("%d faults killed", n.kills)
	case !n.is:
		return "given by the user"
	case n.Edges > 0:
		return edges(n.Edges, "new ") // hit counts are not mentioned, because a new edge always has a new hit count
	case n.Features > 0:
		return edges(n.Features, "") + " hit more often than ever before"
	case notion == Paths:
		return "a new path"
	}
	return "a new combination of edges"
}

func edges(n int, what string) string {
	if n == 1 {
		return "1 " + what + "edge"
	}
	return fmt.Sprintf("%d %sedges", n, what)
}

// Origin describes in a few words where the term of the current run comes from.
func (e *Engine) Origin() string {
	switch {
	case e.visitors.now:
		return "a case from another host"
	case e.guide == nil || !e.guide.own:
		return hows[fresh]
	}
	f := e.guide.line.from
	switch {
	case f.how == mutant:
		return fmt.Sprintf("%s change of case %d", mutate.Names()[kindIndex(f.kind)], f.parent.id)
	case f.parent != nil:
		if f.parent.id == 0 {
			return hows[f.how] + " of a case from another worker"
		}
		return fmt.Sprintf("%s of case %d", hows[f.how], f.parent.id)
	}
	return hows[f.how]
}
