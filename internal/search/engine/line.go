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

	logs    [2]memory // of passed and of discarded runs
	queues  [3]queue.Queue[*kept]
	corpus  []*kept // the latest, for havoc
	graced  []term.Term
	nGraced int
	parts   parts
	ran     novelty.Hashes
	places  map[uint64]*tally

	reached []tally // how fresh terms did, for each Reach
	arm     int     // that of the present fresh term
	weights []int

	bored, boring int // runs in a row without a new trace, for the size and for the reset
	size, reset   int

	parent term.Term   // that the present mutant is made of
	words  []term.Term // scalars in it
	power  power
	from   origin
	Kinds  [kinds]KindCount

	work, news int // since the shares of the lines were last looked at
}

// The queues, in the order they are asked. What is late was put off.
const (
	passedQueue = iota
	discardedQueue
	lateQueue
)

const (
	logBytes   = 32 << 20 // of each log of a line
	ranBytes   = 16 << 20 // of the terms that were run
	queueMax   = 1 << 13  // kept terms in a queue
	corpusMax  = 1 << 10
	gracedMax  = 16
	samplesMax = 256 // as in the paper's program
)

// kept is a term that showed something new.
type kept struct {
	batch  mutate.Batch
	passed bool
	chain  int // steps it may be away from yet
	length int // of its trace
	prio   int
	energy int
}

// memory is what runs of one verdict have shown.
type memory struct {
	paths    novelty.Log
	features novelty.Features
}

// origin is where the term of the present run comes from.
type origin struct {
	how    how
	parent *kept
	kind   mutate.Kind
	key    uint64
}

type how uint8

const (
	fresh how = iota
	graced
	havoc
	mutant
)

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

func newLine(c Line, g *guide, w *schema.World) *line {
	l := &line{Line: c, guide: g, world: w, gen: gen.New(w), mut: mutate.New(w, c.Mutants), size: c.Size, reset: c.Reset}
	l.lens = trace.Lens{Level: c.Level, Loops: c.Loops}
	l.dice = mutate.New(w, c.Mutants)
	for _, m := range []*mutate.Mutator{l.mut, l.dice} {
		m.Fragments = l.parts.of
		m.Dictionary = l.present
		if c.Defer {
			m.Dead = l.dead
		}
	}
	for i := range l.queues {
		l.queues[i].Max, l.queues[i].FIFO = queueMax, c.FIFO
	}
	l.ran.BytesMax = ranBytes
	l.reached = make([]tally, len(c.Reach))
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
	l.queues[lateQueue].Clear()
}

// next makes a term.
func (l *line) next(r *rng.Rand) term.Term {
	d := r.Below(64)
	switch {
	case d < l.Fresh:
		return l.fresh(r)
	case d < l.Fresh+l.Grace && len(l.graced) > 0:
		l.parent = l.graced[r.Below(len(l.graced))]
		if u, ok := l.dice.Random(l.parent, r); ok {
			l.from = origin{how: graced, kind: u.Kind, key: u.Key}
			return u.Term
		}
	case d < l.Fresh+l.Grace+l.Havoc && len(l.corpus) > 0:
		return l.havoc(r)
	}
	if l.Energy {
		if t := l.energetic(r); t != nil {
			return t
		}
	} else if t := l.queued(); t != nil {
		return t
	}
	if l.Havoc > 0 && len(l.corpus) > 0 && r.OneIn(2) {
		return l.havoc(r)
	}
	return l.fresh(r)
}

// redraws is how often a fresh term that was run before is drawn again, each
// time one larger: of the smallest there are few.
const redraws = 8

func (l *line) fresh(r *rng.Rand) term.Term {
	l.from = origin{how: fresh}
	size := 1 + r.Below(l.size)
	l.gen.Reach = l.reach(r)
	for try := 0; ; try++ {
		t := l.guide.fresh(l.gen, r.Split(), size+try)
		if !l.Once || l.ran.Add(term.Hash(t)) || try == redraws {
			return t
		}
	}
}

// reach picks how far from zero numbers may be: those with which more fresh terms
// passed more often.
func (l *line) reach(r *rng.Rand) int {
	if len(l.Reach) == 1 {
		return l.Reach[0]
	}
	l.weights = l.weights[:0]
	sum := 0
	for _, t := range l.reached {
		w := 1 + 64*(t.good+1)/(t.tries+2)
		l.weights = append(l.weights, w*w)
		sum += w * w
	}
	at := r.Below(sum)
	for l.arm = 0; at >= l.weights[l.arm]; l.arm++ {
		at -= l.weights[l.arm]
	}
	return l.Reach[l.arm]
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
	l.parent = k.batch.Parent()
	return l.dice.Havoc(k.batch.Parent(), steps, r)
}

// queued gives the next mutant of the best term in the queues, or nothing if all
// are done.
func (l *line) queued() term.Term {
	for q := range l.queues {
		for l.queues[q].Len() > 0 {
			k := l.queues[q].Top()
			l.parent = k.batch.Parent()
			for {
				u, ok := l.mut.Next(&k.batch)
				if !ok {
					break
				}
				if !l.Once || l.ran.Add(term.Hash(u.Term)) {
					l.from = origin{mutant, k, u.Kind, u.Key}
					return u.Term
				}
			}
			l.queues[q].Drop()
			if k.batch.Deferred() {
				k.batch.Revive()
				l.queues[lateQueue].Push(k, k.prio)
			}
		}
	}
	return nil
}

// done takes what the run of the term has shown, and reports whether it is new.
func (l *line) done(t term.Term, v Verdict, run trace.Run) (news bool) {
	f := l.from
	news, prio := l.look(t, v, run)
	l.work += len(run.Symbols) + len(t) + 20
	l.count(f, v, news)
	if f.how == fresh {
		l.reached[l.arm].add(v == Passed)
	}
	if f.how == fresh && v == Passed && l.Grace > 0 {
		l.takeGrace(t)
	}
	if !news {
		l.bore()
		return false
	}
	l.bored, l.boring = 0, 0
	chain := l.Chain
	if f.parent != nil {
		chain = f.parent.chain - 1
	}
	if chain > 0 && l.worth(v, run, f) {
		k := &kept{passed: v == Passed, chain: chain, length: len(run.Symbols), prio: prio}
		if l.Energy {
			k.energy = l.power.of(run, k.passed)
		}
		l.keep(t, k)
	}
	return true
}

// look asks the log whether a trace is new, and how urgent what made it is.
func (l *line) look(t term.Term, v Verdict, run trace.Run) (news bool, prio int) {
	log := &l.logs[0]
	if v != Passed {
		log = &l.logs[1]
	}
	if run.Set {
		n := log.features.AddSet(run.Symbols)
		return n.Set, len(run.Symbols) - n.Edges
	}
	path := l.lens.View(run.Symbols)
	if l.Notion == Paths {
		added, depth := log.paths.Add(path)
		return added > 0, depth
	}
	n := log.features.Add(path)
	switch l.Notion {
	case Edges:
		return n.Features > 0, len(path) - n.Features
	case Bitmap:
		return n.Edges > 0, len(path) - n.Edges
	}
	if n.Edges > 0 {
		return n.Set, -n.Edges
	}
	if l.Large {
		return n.Set, l.mut.UnitsMax - len(t)
	}
	return n.Set, len(t)
}

// worth reports whether a term with a new trace is worth changing.
func (l *line) worth(v Verdict, run trace.Run, f origin) bool {
	switch {
	case v == Passed || l.Energy && v == Discarded:
		return true
	case v == Failed || f.parent == nil:
		return false
	}
	return f.parent.passed || l.Progress && len(run.Symbols) > f.parent.length
}

func (l *line) keep(t term.Term, k *kept) {
	own := t.Clone()
	r := rng.New(term.Hash(own))
	l.mut.Size, l.dice.Size = l.reach(&r), l.reach(&r)
	k.batch = l.mut.Batch(own, term.Hash(own))
	q := &l.queues[passedQueue]
	if !k.passed {
		q = &l.queues[discardedQueue]
	}
	q.Push(k, k.prio)
	if len(l.corpus) < corpusMax {
		l.corpus = append(l.corpus, k)
	} else {
		l.corpus[l.Kinds[0].New%corpusMax] = k
	}
	if l.mut.Kinds&mutate.Fragments != 0 {
		l.parts.add(l.world, own)
	}
}

func (l *line) takeGrace(t term.Term) {
	if len(l.graced) < gracedMax {
		l.graced = append(l.graced, t.Clone())
		return
	}
	l.nGraced++
	at := &l.graced[l.nGraced%gracedMax]
	*at = append((*at)[:0], t...)
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
