package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/queue"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// line is a Line at work.
type line struct {
	Line
	world *schema.World
	gen   *gen.Gen
	mut   *mutate.Mutator // for batches
	dice  *mutate.Mutator // for random changes: a mutator is slow to turn from one term to another
	lens  trace.Lens
	guide *guide

	logs   [2]memory // of passed and of discarded runs
	queues [4]queue.Queue[*kept]
	corpus []*kept // the latest, for havoc
	seeds  []given // from the user
	grace  grace
	shaper novelty.Shaper
	parts  parts
	words  words
	ran    novelty.Hashes
	places map[uint64]*tally

	arms    []arm // how fresh terms may be made
	arm     int   // how the present one was
	weights []int

	bored, boring int // runs in a row without a new trace, for the size and for the reset
	size, reset   int
	runs, restart int // since the last restart, and when the next one is
	freshPassed   int // since then
	shared        int // terms of other searches that were of use
	peak          peak

	power  power
	from   origin
	counts counters
}

// The queues, in the order they are asked. What is late was put off. What is in
// the queue of large ones is in that of passed ones too.
const (
	passedQueue = iota
	discardedQueue
	lateQueue
	largeQueue
)

const (
	logBytes   = 32 << 20 // of each log of a line
	ranBytes   = 16 << 20 // of the terms that were run
	queueMax   = 1 << 13  // kept terms in a queue
	corpusMax  = 1 << 10
	samplesMax = 256 // as in the paper's program
)

// memory is what runs of one verdict have shown.
type memory struct {
	paths    novelty.Log
	features novelty.Features
}

// origin is where the term of the present run comes from.
type origin struct {
	how    how
	parent *kept // nil if it is fresh, or was changed by grace
	kind   mutate.Kind
	key    uint64
}

type how uint8

const (
	fresh how = iota
	seeded
	byGrace
	havoc
	mutant
)

var hows = [...]string{"fresh", "seed", "grace", "havoc", "mutant"}

// tally is how a choice has done. It forgets slowly, since what pays changes.
type tally struct{ tries, good int }

func (t *tally) add(good bool) {
	t.tries++
	if good {
		t.good++
	}
	if t.tries >= agesAt {
		t.tries, t.good = t.tries/2, t.good/2
	}
}

func newLine(c Line, g *guide) *line {
	w := g.world
	l := &line{
		Line:    c,
		guide:   g,
		world:   w,
		gen:     gen.New(w),
		mut:     mutate.New(w, c.Mutants),
		size:    c.Size,
		reset:   c.Reset,
		restart: c.Restart,
	}
	l.lens = trace.Lens{Level: c.Level, Loops: c.Loops}
	if len(c.Sites) > 0 {
		l.lens.Only = map[uint32]bool{}
		for _, id := range c.Sites {
			l.lens.Only[id] = true
		}
	}
	l.dice = mutate.New(w, c.Mutants)
	for _, m := range []*mutate.Mutator{l.mut, l.dice} {
		m.Fragments = l.parts.of
		m.Dictionary = l.words.of
		if c.Defer {
			m.Dead = l.dead
		}
	}
	for i := range l.queues {
		l.queues[i].Max, l.queues[i].FIFO = queueMax, c.FIFO
	}
	l.ran.BytesMax = ranBytes
	l.arms = g.arms(c)
	l.words.literals = g.literals
	l.forget()
	return l
}

// forget empties the logs, so that everything is new again.
func (l *line) forget() {
	l.logs = [2]memory{}
	for i := range l.logs {
		l.logs[i].paths.BytesMax, l.logs[i].features.BytesMax = logBytes, logBytes
	}
	l.ran.Reset()
	l.places = map[uint64]*tally{}
	l.counts.gone(&l.queues[lateQueue])
	l.queues[lateQueue].Clear()
}

// next makes a term.
func (l *line) next(r *rng.Rand) term.Term {
	if l.runs++; l.restart > 0 && l.runs > l.restart {
		l.restarts()
	}
	d := r.Below(64)
	switch {
	case d < l.Fresh:
		return l.fresh(r)
	case d < l.Fresh+l.Grace:
		if t := l.graced(r); t != nil {
			return t
		}
		return l.fresh(r)
	case d < l.Fresh+l.Grace+l.Havoc && len(l.corpus) > 0:
		return l.havoc(r)
	}
	if l.Energy {
		if t := l.energetic(r); t != nil {
			return t
		}
	} else if t := l.queued(r); t != nil {
		return t
	}
	l.peak.emptied = true
	if l.Havoc > 0 && len(l.corpus) > 0 && r.OneIn(2) {
		return l.havoc(r)
	}
	return l.fresh(r)
}

// graced changes a fresh term that passed. The halves of a pair are changed alike,
// and then one of them once more.
func (l *line) graced(r *rng.Rand) term.Term {
	t := l.grace.pick(r)
	if t == nil {
		return nil
	}
	l.words.use(t, nil)
	change := l.dice.Random
	if l.guide.half != nil {
		change = l.dice.Apart
	}
	u, ok := change(t, r)
	if !ok {
		return nil
	}
	l.from = origin{how: byGrace, kind: u.Kind, key: u.Key}
	return u.Term
}

// stepsMax is how many changes havoc makes at once.
const stepsMax = 6

func (l *line) havoc(r *rng.Rand) term.Term {
	k := l.corpus[r.Below(len(l.corpus))]
	steps := 1
	for steps < stepsMax && r.OneIn(2) {
		steps++
	}
	l.from = origin{how: havoc, parent: k}
	l.words.use(k.batch.Parent(), k.compared)
	return l.dice.Havoc(k.batch.Parent(), steps, r)
}

var (
	smallFirst = [...]int{passedQueue, discardedQueue, lateQueue}
	largeFirst = [...]int{largeQueue, passedQueue, discardedQueue, lateQueue}
)

// queued gives the next mutant of the best term in the queues, or nothing if all
// are done.
func (l *line) queued(r *rng.Rand) term.Term {
	order := smallFirst[:]
	if l.Large > 0 && r.Below(64) < l.Large {
		order = largeFirst[:]
	}
	for _, i := range order {
		q := &l.queues[i]
		for q.Len() > 0 {
			k := q.Top()
			if t := l.mutantOf(k); t != nil {
				return t
			}
			q.Drop()
			if k.batch.Deferred() && i != largeQueue {
				k.batch.Revive()
				l.counts.full(l.queues[lateQueue].Push(k, k.prio))
			}
		}
	}
	return nil
}

// mutantOf gives the next mutant of a kept term that was not run before, or
// nothing if there is none.
func (l *line) mutantOf(k *kept) term.Term {
	if k.unasked {
		k.unasked, k.compared = false, l.guide.compare(k.batch.Parent())
	}
	l.words.use(k.batch.Parent(), k.compared)
	for {
		u, ok := l.mut.Next(&k.batch)
		if !ok {
			l.counts.spent(k)
			return nil
		}
		if !l.Once || l.ran.Add(term.Hash(u.Term)) {
			l.from = origin{mutant, k, u.Kind, u.Key}
			return u.Term
		}
	}
}

// done takes what the run of the term has shown.
func (l *line) done(t term.Term, v Verdict, run trace.Run) {
	f := l.from
	news := l.look(t, v, run)
	l.peak.look(&l.logs)
	l.counts.add(f, v, news.is)
	l.learn(f, v, news.is)
	if f.how == fresh {
		l.arms[l.arm].did.add(v == Passed)
		if v == Passed {
			l.freshPassed++
		}
		if v == Passed && l.Grace > 0 {
			l.grace.add(l.shaper.Of(run.Symbols), t)
		}
	}
	if !news.is {
		l.bore()
		return
	}
	l.bored, l.boring = 0, 0
	chain := l.Chain
	if f.parent != nil {
		chain = f.parent.chain - 1
	}
	if chain > 0 && l.worth(v, run, f) {
		k := &kept{passed: v == Passed, chain: chain, length: len(run.Symbols), prio: news.prio}
		if l.Energy {
			k.energy = l.power.of(run, k.passed)
		}
		l.keep(t, k)
		l.guide.tell(k, f, v, news)
	}
}

// anewMin is how many fresh terms must have passed before the search begins anew.
// Where they never do, all that passes comes from a few lucky ones, or from the
// user, and would not be found again.
const anewMin = 16

// restarts begins anew if that is worth trying.
func (l *line) restarts() {
	enough := l.freshPassed >= anewMin
	l.runs, l.restart, l.freshPassed = 0, 2*l.restart, 0
	if enough {
		l.startAgain()
	}
}

// startAgain gives up what was kept, but for what the user gave. How fresh terms are
// best made is not forgotten.
func (l *line) startAgain() {
	for _, i := range []int{passedQueue, discardedQueue} { // forget empties the late one
		l.counts.gone(&l.queues[i])
		l.queues[i].Clear()
	}
	l.queues[largeQueue].Clear() // all in it were in that of the passed ones
	l.forget()
	l.corpus, l.parts = l.corpus[:0], parts{}
	l.size, l.bored, l.boring = l.Size, 0, 0
	for _, s := range l.seeds {
		l.plant(s)
	}
}

// bore counts a run that showed nothing.
func (l *line) bore() {
	l.bored++
	l.boring++
	if l.bored >= l.SizeAfter && l.SizeAfter > 0 && l.size < l.SizeMax {
		l.size++
		l.bored = 0
	}
	if l.reset == 0 || l.boring < l.reset || l.queues[passedQueue].Len()+l.queues[discardedQueue].Len() > 0 {
		return
	}
	l.forget()
	l.boring = 0
	if l.Doubling {
		l.reset *= 2
		l.mut.Samples = min(2*l.mut.Samples, samplesMax)
	}
}
