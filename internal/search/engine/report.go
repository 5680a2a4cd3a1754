package engine

import (
	"fmt"
	"math/bits"

	"github.com/allele-go/allele/internal/search/queue"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/term"
)

// Report is what a guided search has done.
type Report struct {
	Kept    int `json:"kept"`    // terms that showed something new
	Whole   int `json:"whole"`   // of these, every change of one step was run
	Bounded int `json:"bounded"` // of these, every one but those that a bound on size or ways left out
	Dropped int `json:"dropped"` // of these, given up for want of room, or forgotten
	// Share is how much of the others' places was gone through, on average. It is
	// less than 0 if places are not gone through one by one.
	Share float64     `json:"share"`
	Kinds []KindCount `json:"kinds"`
}

// KindCount is how the terms of one kind did.
type KindCount struct {
	Kind   string `json:"kind"`
	Tried  int    `json:"tried"`
	Passed int    `json:"passed"`
	New    int    `json:"new"`
	Failed int    `json:"failed"`
}

// counters count what a line does.
type counters struct {
	kinds                         []KindCount
	kept, whole, bounded, dropped int
	overflown                     int // of these dropped, for want of room in a queue
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

// kindIndex is where the name of a kind is.
func kindIndex(k mutate.Kind) int { return bits.Len8(uint8(k)) - 1 }

// spent counts a kept term of which no mutant is left.
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

// full counts one that a queue gave up for another.
func (c *counters) full(gaveUp bool) {
	if gaveUp {
		c.dropped++
		c.overflown++
	}
}

// gone counts those in a queue that is going to be emptied.
func (c *counters) gone(q *queue.Queue[*kept]) { c.dropped += q.Len() }

// Report says what was done. It is empty if the search was not guided.
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

// Entry is a line of the log of a search: a term that was kept, and why, or the
// one that failed.
type Entry struct {
	Run     int       `json:"run"`
	ID      int       `json:"id,omitempty"`     // 0 if it failed: it is not changed any more
	Parent  int       `json:"parent,omitempty"` // the entry it was made of
	How     string    `json:"how"`
	Kind    string    `json:"kind,omitempty"` // of the change, if it was one
	Verdict Verdict   `json:"verdict"`
	Why     string    `json:"why"`
	Rare    bool      `json:"-"` // it shows an edge, or how often one comes, that none before did
	Term    term.Term `json:"-"`
}

// tell logs a kept term.
func (g *guide) tell(k *kept, f origin, v Verdict, n news) {
	if g.log == nil {
		return
	}
	e := g.entry(f, v)
	e.ID, e.Why, e.Term = k.id, n.why(g.line.Notion), k.batch.Parent()
	e.Rare = n.Features > 0
	g.log(e)
}

// tellFailed logs a term that failed: who reads the log wants to see where it led.
func (g *guide) tellFailed(t term.Term) {
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

// entry says where the term of the present run comes from.
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

// why says what was new.
func (n news) why(notion Notion) string {
	switch {
	case !n.is:
		return "given by the user"
	case n.Edges > 0:
		return edges(n.Edges, "new ") // their number may be new too, but that is no wonder
	case n.Features > 0:
		return edges(n.Features, "") + " as often as never before"
	case notion == Paths:
		return "a new path"
	}
	return "edges that never came together before"
}

func edges(n int, what string) string {
	if n == 1 {
		return "1 " + what + "edge"
	}
	return fmt.Sprintf("%d %sedges", n, what)
}

// Origin says in a few words where the term of the present run comes from.
func (e *Engine) Origin() string {
	if e.guide == nil || !e.guide.own {
		return hows[fresh]
	}
	f := e.guide.line.from
	switch {
	case f.how == mutant:
		return fmt.Sprintf("%s change of case %d", mutate.Names()[kindIndex(f.kind)], f.parent.id)
	case f.parent != nil:
		if f.parent.id == 0 {
			return hows[f.how] + " of a case of another worker"
		}
		return fmt.Sprintf("%s of case %d", hows[f.how], f.parent.id)
	}
	return hows[f.how]
}
