//go:build go1.25

package engine

import (
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/queue"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/text"
)

// line is a guided search in progress, configured by a Line.
type line struct {
	Line
	world *schema.World
	gen   *gen.Gen
	mutators
	lens  trace.Lens
	guide *guide

	logs   [2]memory // what passed runs have shown, and what other runs have shown
	queues [5]queue.Queue[*kept]
	parents
	seeds  []given // terms from the user
	pool   passedPool
	shaper novelty.Shaper
	stock
	climber climber
	measures
	ran    novelty.Hashes
	places map[uint64]*tally

	arms    []arm // the settings for fresh terms
	arm     int   // index of the setting of the current fresh term
	weights []int

	bored, boring int // consecutive runs without a new trace; bored counts since the size grew, boring since the reset
	size, reset   int
	runs, restart int // runs since the last restart, and the number of runs after which the next restart is due
	freshPassed   int // fresh terms that passed since the last restart
	shared        int // terms of other searches that showed something new
	peak          peak

	power  power
	from   origin
	counts counters
}

// mutators are three, because it is slow to switch a mutator from one term to another.
type mutators struct {
	mut  *mutate.Mutator // for batches
	big  *mutate.Mutator // for batches of large terms, in turns with mut
	dice *mutate.Mutator // for random changes
	text bool            // the input has texts, and they are edited
}

// stock is what mutants take from elsewhere.
type stock struct {
	parts      parts
	dictionary dictionary
	alphabet   *alphabet
}

// measures is what a line counts to limit edits of texts and slow inputs, and to choose a level.
type measures struct {
	balance balance
	pace    pace
	levels  *levels // nil without an encoder
}

// The queues of kept terms. lateQueue has terms with deferred changes (see places.go and
// edits.go).
// Terms in largeQueue and in favouredQueue are in passedQueue too.
const (
	passedQueue = iota
	discardedQueue
	lateQueue
	largeQueue
	favouredQueue
)

const (
	logBytes   = 32 << 20 // maximum memory of each log of a line
	ranBytes   = 16 << 20 // maximum memory of the hashes of terms that were run
	queueMax   = 1 << 13  // maximum number of kept terms in a queue
	corpusMax  = 1 << 10
	samplesMax = 256 // as in the implementation of the MUTAGEN paper
)

// memory is a log of what runs have shown. There is one for passed runs and one for all
// other runs.
type memory struct {
	paths    novelty.Log
	features novelty.Features
}

// origin describes where the term of the current run comes from.
type origin struct {
	how    how
	parent *kept // nil for fresh, seeded, passedChange, climbed and forged
	kind   mutate.Kind
	key    uint64
}

type how uint8

const (
	fresh how = iota
	seeded
	passedChange // a random change of a fresh term that passed
	havoc
	climbed // a change of a discarded term, while hardly any term passes
	forged  // bytes that an encoder with a fault has made
	mutant
)

// hows lists the names that are written to logs, reports and corpus files, so the names
// must not change.
var hows = [...]string{"fresh", "seed", "grace", "havoc", "climb", "fault", "mutant"}

// tally counts how often a choice was tried, and how often its result was good. Old
// counts are halved from time to time, because a choice that is good early in a search may
// be bad later.
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
	l.alphabet = newAlphabet(g.words)
	l.mutators = mutators{mut: mutate.New(w, c.Mutants), big: mutate.New(w, c.Mutants), dice: mutate.New(w, c.Mutants)}
	if l.text = c.Mutants.Kinds&mutate.Text != 0 && hasText(w); l.text {
		l.Climb = c.ClimbText
	}
	for _, m := range []*mutate.Mutator{l.mut, l.big, l.dice} {
		m.Fragments = l.parts.of
		m.Dictionary = l.dictionary.of
		m.Supply = func(*schema.Schema) text.Supply { return l.alphabet.supply }
		if c.Defer {
			m.Dead = l.dead
		}
	}
	for i := range l.queues {
		l.queues[i].Max, l.queues[i].FIFO = queueMax, c.FIFO
	}
	l.ran.BytesMax = ranBytes
	l.arms = g.arms(c)
	l.dictionary.literals = g.literals
	l.levels = newLevels(g.forger)
	l.forget()
	return l
}

// hasText reports whether inputs have texts.
func hasText(w *schema.World) bool {
	return slices.ContainsFunc(w.Schemas, (*schema.Schema).IsText)
}

// forget empties the logs, so that every trace counts as new again.
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

// next returns the next term to run.
func (l *line) next(r *rng.Rand) term.Term {
	if l.runs++; l.restart > 0 && l.runs > l.restart {
		l.restarts()
	}
	if t := l.changedBelow(r); t != nil {
		return t
	}
	if l.climbsNext(r) {
		if t := l.climb(r); t != nil {
			return t
		}
	}
	d := r.Below(64)
	switch {
	case d < l.Fresh:
		return l.fresh(r)
	case d < l.Fresh+l.Grace:
		if t := l.changePassed(r); t != nil {
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

// changePassed returns a change of a fresh term that passed, or nil if there is none. If
// the input is a pair, both halves are changed in the same way, and then one half is
// changed once more.
func (l *line) changePassed(r *rng.Rand) term.Term {
	t := l.pool.pick(r)
	if t == nil {
		return nil
	}
	l.dictionary.use(t, nil)
	change := l.dice.Random
	if l.guide.half != nil {
		change = l.dice.Apart
	}
	u, ok := change(t, r)
	if !ok {
		return nil
	}
	l.from = origin{how: passedChange, kind: u.Kind, key: u.Key}
	return u.Term
}

// stepsMax is the maximum number of changes that havoc makes at once.
const stepsMax = 6

func (l *line) havoc(r *rng.Rand) term.Term {
	k := l.corpus[r.Below(len(l.corpus))]
	if len(l.favoured) > 0 && r.OneIn(2) {
		k = l.favoured[r.Below(len(l.favoured))]
	}
	n := steps(r)
	l.from = origin{how: havoc, parent: k}
	l.dictionary.use(k.batch.Parent(), k.compared)
	return l.dice.Havoc(k.batch.Parent(), n, r)
}

// steps draws how many changes are made at once.
func steps(r *rng.Rand) int {
	n := 1
	for n < stepsMax && r.OneIn(2) {
		n++
	}
	return n
}

var (
	smallFirst = [...]int{passedQueue, discardedQueue, lateQueue}
	largeFirst = [...]int{largeQueue, passedQueue, discardedQueue, lateQueue}
	// A text has thousands of changes, so the queue of passed terms would never become empty.
	discardedFirst = [...]int{discardedQueue, passedQueue, lateQueue}
	favouredFirst  = [...]int{favouredQueue, passedQueue, discardedQueue, lateQueue}
)

// queued returns the next mutant of the best term in the queues, or nil if the queues
// are exhausted.
func (l *line) queued(r *rng.Rand) term.Term {
	order, mut := smallFirst[:], l.mut
	if l.Large > 0 && r.Below(64) < l.Large {
		order, mut = largeFirst[:], l.big
	}
	if l.text && l.queues[discardedQueue].Len() > 0 && r.OneIn(4) {
		order, mut = discardedFirst[:], l.mut
	}
	if l.queues[favouredQueue].Len() > 0 && r.OneIn(2) {
		order, mut = favouredFirst[:], l.mut
	}
	for _, i := range order {
		q := &l.queues[i]
		for q.Len() > 0 {
			k := q.Top()
			if t := l.mutantOf(k, mut); t != nil {
				return t
			}
			q.Drop()
			if k.batch.Deferred() && i != largeQueue && i != favouredQueue {
				k.batch.Revive()
				k.late = true
				l.counts.full(l.queues[lateQueue].Push(k, k.prio))
			}
		}
	}
	return nil
}

// mutantOf returns the next mutant of a kept term, or nil if none is left. With Once, it
// skips mutants that were run before.
func (l *line) mutantOf(k *kept, m *mutate.Mutator) term.Term {
	if k.unasked {
		k.unasked, k.compared = false, l.guide.compare(k.batch.Parent())
	}
	l.dictionary.use(k.batch.Parent(), k.compared)
	for {
		u, ok := m.Next(&k.batch)
		if !ok {
			l.counts.spent(k)
			return nil
		}
		if l.defers(k, u.Kind) {
			k.batch.Defer()
			continue
		}
		if l.first(u.Term) {
			l.balance.count(u.Kind)
			l.from = origin{mutant, k, u.Kind, u.Key}
			return u.Term
		}
	}
}

// first reports whether a term is to be run. With Once, terms that were run before are not.
// Large terms are: reading all of them would cost more than a few equal runs.
func (l *line) first(t term.Term) bool {
	return !l.Once || len(t) > onceMax || l.ran.Add(term.Hash(t))
}

// onceMax is the size of the largest terms that are run only once, in units of package term.
const onceMax = 1 << 12

// done processes the verdict and the trace of the run of a term.
func (l *line) done(t term.Term, v Verdict, run trace.Run) {
	f := l.from
	l.latest = nil
	news := l.look(t, v, run)
	l.peak.look(&l.logs)
	l.counts.add(f, v, news.is)
	l.account(run, news)
	l.note(t, v, run, news)
	l.learn(f, v, news.is)
	if f.how == fresh {
		l.pace.add(run)
		l.arms[l.arm].did.add(v == Passed)
		if v == Passed {
			l.freshPassed++
		}
		if v == Passed && l.Grace > 0 && !run.Long {
			l.pool.add(l.shaper.Of(run.Symbols), t)
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
	if chain > 0 && l.worth(v, run, f) && l.affords(news, run) {
		k := &kept{passed: v == Passed, chain: chain, length: len(run.Symbols), prio: news.prio, edges: news.Edges > 0}
		k.source, _ = l.sourceOf(t)
		if l.Energy {
			k.energy = l.power.of(run, k.passed)
		}
		l.keep(t, k)
		l.guide.logKept(k, f, v, news)
		l.latest = k
	}
}

// restartMin is how many fresh terms must have passed before the search starts over. If
// fresh terms hardly ever pass, all terms that pass derive from a few lucky fresh terms
// or from terms of the user. A search that starts over would not find them again.
const restartMin = 16

// restarts starts the search over if enough fresh terms have passed.
func (l *line) restarts() {
	enough := l.freshPassed >= restartMin
	l.runs, l.restart, l.freshPassed = 0, 2*l.restart, 0
	if enough {
		l.startAgain()
	}
}

// startAgain drops all kept terms except those that the user gave. It keeps the
// statistics about the settings for fresh terms.
func (l *line) startAgain() {
	for _, i := range []int{passedQueue, discardedQueue} { // lateQueue is emptied by forget
		l.counts.gone(&l.queues[i])
		l.queues[i].Clear()
	}
	for _, i := range []int{largeQueue, favouredQueue} { // not counted as gone: their terms were in passedQueue too
		l.queues[i].Clear()
	}
	l.forget()
	l.parents, l.parts = parents{corpus: l.corpus[:0]}, parts{}
	l.size, l.bored, l.boring = l.Size, 0, 0
	for _, s := range l.seeds {
		l.plant(s)
	}
}

// bore counts a run that showed nothing new. After many such runs, fresh terms get
// larger, or the logs are emptied.
func (l *line) bore() {
	l.bored++
	l.boring++
	if l.bored >= l.SizeAfter && l.SizeAfter > 0 && l.size < l.SizeMax {
		l.size++
		l.bored = 0
	}
	if l.reset == 0 || l.boring < l.reset || l.climbs() || l.queues[passedQueue].Len()+l.queues[discardedQueue].Len() > 0 {
		return
	}
	l.forget()
	l.boring = 0
	if l.Doubling {
		l.reset *= 2
		l.mut.Samples = min(2*l.mut.Samples, samplesMax)
	}
}
