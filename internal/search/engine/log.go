//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// log is what a guided search knows about the runs so far. It says what is new in a run, and whether
// that is enough to keep the term.
type log struct {
	settings     LogSettings
	novelty      *Novelty // nil if the settings say what is new
	progress     *progress
	memories     [2]memory // what passed runs have shown, and what other runs have shown
	pace         pace
	peak         peak
	combinations int // how many of the kept terms showed nothing new but a combination
}

// memory is what runs have shown.
type memory struct {
	features novelty.Features
	look     Look // nil if the settings say what is new
}

// logBytes is the maximum memory of each memory of a log.
const logBytes = 32 << 20

func newLog(c LogSettings, n *Novelty, p *progress) *log {
	l := &log{settings: c, novelty: n, progress: p}
	l.forget()
	return l
}

// forget empties the log, so that every trace counts as new again.
func (l *log) forget() {
	for i := range l.memories {
		l.memories[i] = memory{features: novelty.Features{BytesMax: logBytes}}
		if l.novelty != nil {
			l.memories[i].look = l.novelty.New()
		}
	}
}

// add adds the run of a term of this search. Its news say what was new.
func (l *log) add(o *outcome) {
	o.news = l.look(o.term, o.verdict, o.run)
	l.peak.look(&l.memories)
	if o.fresh() {
		l.pace.add(o.run)
	}
}

// look adds a trace to the memory for its verdict. It returns whether the trace is new, and
// the priority of its term.
func (l *log) look(t term.Term, v Verdict, run trace.Run) news {
	memory := &l.memories[0]
	if v != Passed {
		memory = &l.memories[1]
	}
	if run.Outside {
		// Hit counts make almost every set of features a new one.
		n := memory.features.AddOutside(run.Symbols)
		prio := len(t)
		if n.Edges > 0 {
			prio = -n.Edges
		}
		return news{is: n.Features > 0, prio: prio, News: n}
	}
	if run.Set {
		n := memory.features.AddSet(run.Symbols)
		return news{is: n.Set, prio: len(run.Symbols) - n.Edges, News: n}
	}
	path := run.Symbols
	if memory.look != nil {
		is, prio, n := memory.look(path, &memory.features)
		return news{is: is, prio: prio, News: n}
	}
	n := memory.features.Add(path)
	switch {
	case l.settings.Notion == Edges:
		return news{is: n.Features > 0, prio: len(path) - n.Features, News: n}
	case n.Edges > 0:
		return news{is: n.Set, prio: -n.Edges, News: n}
	}
	return news{is: n.Set, prio: len(t), News: n}
}

// why returns the reason to keep a term with the given news.
func (l *log) why(n news) string {
	if l.novelty != nil {
		return n.why(l.novelty.Why)
	}
	return n.why("a new combination of edges")
}

// affords reports whether one more term may be kept for this news. If nothing is new but a
// combination of features that were seen before, only a small share of runs is kept: in a
// large program every second run shows a new combination, and a search that keeps all of
// them selects nothing. Terms of other searches count too, or the share would grow with the
// number of workers. A slow run is kept only for a new edge: if it were kept because it took
// known edges more often than any run before, its changes would be slower still.
func (l *log) affords(n news, run trace.Run) bool {
	c := &l.settings
	if c.Combinations == 0 {
		return true
	}
	if n.Edges == 0 && c.Notion == Sets && l.pace.slow(run) {
		return false
	}
	if n.Features > 0 {
		return true
	}
	if l.combinations*1000 >= c.Combinations*l.progress.runs {
		return false
	}
	l.combinations++
	return true
}

// peak holds the maximum number of features (see novelty.Features), and of sets of
// features, that a search has known at any time. The search forgets from time to time, and what it learns again does
// not count as new here.
type peak struct {
	features, sets int
	barren         int  // runs since features or sets rose
	rose           bool // features rose with the latest run
	emptied        bool // since then the queues of changes were empty at least once
}

func (p *peak) look(memories *[2]memory) {
	features, sets := 0, 0
	for i := range memories {
		features += memories[i].features.Len()
		sets += memories[i].features.Sets()
	}
	if p.barren++; features > p.features || sets > p.sets {
		p.barren, p.emptied = 0, false
	}
	p.rose = features > p.features
	p.features, p.sets = max(p.features, features), max(p.sets, sets)
}
