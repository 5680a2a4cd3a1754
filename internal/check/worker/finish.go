//go:build go1.25

package worker

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/words"
)

// finish reports to the command how a search in a program with probes ended.
func (s *searcher) finish() {
	if v, any := s.Handler.Ledger.Verdict(); any {
		s.Verdict = v
	}
	seen := s.Watch.Summary()
	e := event.Finished{Verdict: s.Verdict, Failures: s.Handler.Ledger.Distinct(), Counts: counts(s, seen), Search: statistics(s),
		Text: s.Handler.Reported(), Silent: property.Silent(), Enough: s.Check().Enough(), Notes: s.Check().Notes()}
	e.Reach = event.Reach{Sites: append(seen.Reached, blocks()...), Before: seen.Before, Partial: seen.Partial}
	e.Places = event.Places{Hot: cmp.Or(s.Handler.Hot(), seen.Hot), Parted: seen.Parted.At, Same: seen.Parted.Same()}
	switch {
	case s.Handler.Misused != "":
		e.Verdict, e.Why = event.Crashed, misused
	case s.Verdict == event.Passed && s.Engine.Exhausted():
		e.Exhausted, e.Why = true, s.nothingLeft(e.Counts.Kept)
	case s.Verdict == event.Vacuous:
		first, _, _ := strings.Cut(s.Check().Vacuous(), "\n")
		e.Why, e.Certain = strings.TrimPrefix(first, "vacuous: "), s.Alike() || s.Check().Fixed()
	}
	if k := s.keeper; k != nil {
		k.close()
		e.Counts.Resumed = event.Resumed{Inputs: k.resumed, Seconds: k.took.Seconds()}
		e.Search.Unkept = k.trouble
		e.Search.Shared, e.Search.Heard = k.client.Counts()
		e.Notes = append(e.Notes, k.unfitNote()...)
	}
	if s.operands != nil {
		s.operands.close()
		e.Search.Operands = s.operands.summary()
	}
	if s.forge != nil {
		s.forge.close()
		e.Search.Encoded = s.forge.summary()
	}
	s.faults.finish()
	s.Prop.Emit(e)
}

// counts returns the counts of the search, without resumed inputs.
func counts(s *searcher, seen watch.Summary) event.Counts {
	n := s.Engine.Counts
	c := event.Counts{Runs: n.Runs, Passed: n.Passed, Discarded: n.Discarded, Distinct: n.Distinct, AtLeast: s.Engine.Inputs.AtLeast(),
		Paths: s.Watch.Paths(), Spawned: seen.Spawned, Long: event.Long{Runs: seen.Long, Limit: int(s.Prop.Job.Limits.StepsMax())}}
	c.Features, c.Kept = s.Engine.Learnt()
	return c
}

// statistics returns what the engine reports about the search.
func statistics(s *searcher) event.Search {
	e := event.Search{Unlogged: s.log.trouble}
	r := s.Engine.Report()
	if len(r.Kinds) == 0 {
		return e
	}
	e.Kept, e.Whole, e.Bounded, e.Dropped, e.Share = r.Kept, r.Whole, r.Bounded, r.Dropped, r.Share
	for _, k := range r.Kinds {
		e.Kinds = append(e.Kinds, event.Count(k))
	}
	return e
}

// misused is what a report says about a property that misuses package testing. What the process
// has printed follows.
const misused = "the property misuses package testing"

// blocks returns the blocks of a coverage profile that this process has reached.
func blocks() (ids []uint32) {
	for i, hit := range hook.Covered[:] {
		if hit != 0 {
			ids = append(ids, hook.FirstBlock+uint32(i))
		}
	}
	return ids
}

// nothingLeft returns why a search is exhausted.
func (s *searcher) nothingLeft(kept int) string {
	switch {
	case s.Engine.All() && len(s.Prop.World.Zero)+len(s.Prop.World.Unset) > 0:
		return fmt.Sprintf("all %s that can be generated were run", words.Count(s.Engine.Runs, "input"))
	case s.Engine.All() && s.Engine.Runs == 1:
		return "the only possible input was run"
	case s.Engine.All():
		return fmt.Sprintf("all %s inputs were run", words.Group(s.Engine.Runs))
	}
	return fmt.Sprintf("every one-step change of %s was run", words.Count(kept, "kept input"))
}
