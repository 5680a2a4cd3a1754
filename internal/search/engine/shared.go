//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// shared is what the ways of a search have in common.
type shared struct {
	config   *Config
	strategy *Strategy
	settings *Settings // nil if all terms are made by the ways of the opening
	numbered *numbered
	pairs    pairs
	progress progress
	counts   statistics

	// These are made when the first way of the schedule is asked: a bug that the opening finds needs none
	// of them.
	log      *log
	stock    *stock
	changes  *changes
	corpus   corpus
	favoured favourites
	arms     *arms
	fits     *fits // nil without the way copies
}

func newShared(c *Config, n *numbered) *shared {
	s := &shared{config: c, strategy: c.Strategy, settings: c.Strategy.Search, numbered: n, pairs: newPairs(c.World.Root)}
	if s.pairs.half != nil && s.strategy.Pair != nil {
		s.settings = s.strategy.Pair
	}
	if s.settings != nil && s.settings.Climb.From > 0 {
		s.progress.most = climbEnough
	}
	return s
}

// start makes what is made late.
func (s *shared) start() {
	c := s.settings
	s.log = newLog(c.Log, s.config.Experiment.Novelty, &s.progress)
	s.stock = newStock(s.config, c.Mutants.Kinds, &s.progress)
	s.changes = newChanges(c, s.stock, &s.counts)
	s.favoured.queue.Max = queueMax
	twins := []int{s.strategy.Twins}
	if s.strategy.LearnTwins && s.pairs.half != nil {
		twins = []int{0, 64}
	}
	s.arms = newArms(c.Fresh.Reach, twins)
}

// made completes a kept term: its changes, what it is compared with, and its number.
func (s *shared) made(t term.Term, k *kept) *kept {
	own := t.Clone()
	r := rng.New(term.Hash(own))
	s.changes.mut.Size, s.changes.dice.Size = s.arms.reach(&r), s.arms.reach(&r)
	k.batch = s.changes.batch(own)
	if !k.unasked {
		k.compared = s.stock.compare(own)
	}
	s.counts.kept++
	k.id = s.counts.kept
	return k
}

// remember adds the nth kept term of its kind to the corpus.
func (s *shared) remember(k *kept, n int) {
	s.corpus.add(k, n)
	s.stock.collect(k.term())
}

// share adds a term of another search if its trace is new to this search.
func (s *shared) share(t term.Term, v Verdict, run trace.Run) {
	if n := s.log.look(t, v, run); v == Failed || !n.is || !s.log.affords(n, run) {
		return
	}
	s.corpus.others++
	k := &kept{batch: s.changes.batch(t.Clone()), passed: v == Passed, chain: s.settings.Keep.Chain,
		length: len(run.Symbols), steps: stepsOf(run)}
	s.remember(k, s.corpus.others)
}

// isRaw reports whether a term is given bytes, in a world with an encoder.
func (s *shared) isRaw(t term.Term) bool { return isRaw(s.config.Forger, t) }

// journal returns the log of the caller, for the current run.
func (s *shared) journal() journal { return journal{s.config.Log, s.progress.runs} }
