//go:build go1.25

package worker

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
	"github.com/allele-go/allele/internal/property"
)

// finish reports to the command how a search in a program with probes ended.
func (s *searcher) finish() {
	if s.watch == nil {
		return
	}
	if v, any := s.handler.Ledger.Verdict(); any {
		s.verdict = v
	}
	n, seen := s.engine.Counts, s.watch.Summary()
	e := event.Event{Kind: event.Finished, Property: s.prop.Name, Verdict: s.verdict, Failures: s.handler.Ledger.Distinct(),
		Runs: n.Runs, Passed: n.Passed, Distinct: n.Distinct, Discarded: n.Discarded,
		Paths: s.watch.Paths(), Spawned: seen.Spawned,
		Long: seen.Long, Limit: int(s.prop.Job.Limits.StepsMax()), Hot: cmp.Or(s.handler.Hot(), seen.Hot), Parted: seen.Parted,
		Sites: append(seen.Reached, blocks()...), Before: seen.Before, Partial: seen.Partial}
	if r := s.engine.Report(); len(r.Kinds) > 0 {
		e.Search = &event.Search{Kept: r.Kept, Whole: r.Whole, Bounded: r.Bounded, Dropped: r.Dropped, Share: r.Share}
		for _, k := range r.Kinds {
			e.Search.Kinds = append(e.Search.Kinds, event.Count(k))
		}
	}
	e.Features, e.Kept = s.engine.Learnt()
	switch {
	case s.verdict == event.Passed && s.engine.Exhausted():
		e.State, e.Why = event.Exhausted, s.nothingLeft(e.Kept)
	case s.verdict == event.Vacuous:
		first, _, _ := strings.Cut(s.check().Vacuous(), "\n")
		e.Why, e.Certain = strings.TrimPrefix(first, "vacuous: "), s.alike() || s.check().Fixed()
	}
	if s.handler.Misused != "" {
		e.Verdict, e.Crash = event.Crashed, misused
	}
	e.AtLeast = s.engine.AtLeast()
	e.Enough, e.Notes = s.check().Enough(), s.check().Notes()
	e.Unlogged, e.Text, e.Silent = s.log.trouble, s.handler.Reported(), property.Silent()
	if k := s.keeper; k != nil {
		k.close()
		e.Resumed, e.Replay, e.Unkept = k.resumed, k.took.Seconds(), k.trouble
		e.Shared, e.Heard = k.client.Counts()
		e.Notes = append(e.Notes, k.unfitNote()...)
	}
	if s.operands != nil {
		s.operands.close()
		e.Operands = s.operands.summary()
	}
	if s.forge != nil {
		s.forge.close()
		e.Encoded = s.forge.summary()
	}
	s.faults.finish()
	s.prop.Emit(e)
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
	case s.engine.All() && len(s.prop.World.Zero)+len(s.prop.World.Unset) > 0:
		return fmt.Sprintf("all %s that can be generated were run", words.Count(s.engine.Runs, "input"))
	case s.engine.All() && s.engine.Runs == 1:
		return "the only possible input was run"
	case s.engine.All():
		return fmt.Sprintf("all %s inputs were run", words.Group(s.engine.Runs))
	}
	return fmt.Sprintf("every one-step change of %s was run", words.Count(kept, "kept input"))
}
