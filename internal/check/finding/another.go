//go:build go1.25

package finding

import (
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/term"
)

const (
	nearMax   = 256  // similar inputs that are run to find the way in which an input fails
	apartRuns = 5000 // runs that shrinking an input may take that may fail in another way
)

// remember makes later failures with the sign of a reported one be looked at.
func remember(h *Handler, f *Finding) {
	l := h.Ledger
	if l.going && !isAnotherWay(f.Sign) && h.Watch != nil && !h.Isolate && !h.abandoned && !f.Flaky && f.Outcome.Kind() == proc.Failed {
		l.ways[f.Sign] = &place{first: f.Term.Clone()}
	}
}

// placeOf returns the place of a sign, with the way of the input that was reported, or nil if there is none.
func placeOf(h *Handler, sign string, over func() bool) *place {
	p := h.Ledger.ways[sign]
	if p != nil && p.known == nil {
		p.add(wayOf(h, p.first, over))
	}
	return p
}

// another deals with a run that failed with a known sign, and is looked at. It reports whether the search goes on.
func another(h *Handler, f *Finding) (goOn bool) {
	h.Prop.TB.Helper()
	l, sign := h.Ledger, Sign(f.Outcome)
	o := h.Runner.One(f.Term, true)
	if !o.Failed() || o.Hung || Sign(o) != sign {
		return !o.Hung
	}
	f.Outcome = o
	reached := sitesOf(h.Watch.Aside())
	over := bound(h, f, 0)
	p := placeOf(h, sign, over)
	r := &apart{Runner: h.Runner, of: h.Watch, runs: apartRuns}
	if p.strange(reached) {
		r.from = p
	}
	s := h.minimise(f, r, func() bool { return r.runs <= 0 || over() })
	way := wayOf(h, s.term, over)
	if over() {
		p.looks = looksMax // its runs are too slow, or the search ends: what they have reached is not all
		return true
	}
	if !p.add(way) {
		return true
	}
	f.Sign = sign + wayBetween + way.String()
	if !l.Claim(f.Sign) {
		return true
	}
	l.over-- // the run was counted as one that is not reported
	h.save(f)
	h.replace(f, s)
	h.unstable(f, againRuns)
	return finish(h, f)
}

// storedApart reports whether a stored case with a known sign fails in another way than those before it. If it does, it
// gets a sign of its own.
func storedApart(h *Handler, f *Finding) bool {
	over := bound(h, f, 0)
	p := placeOf(h, f.Sign, over)
	if p == nil {
		return false
	}
	way := wayOf(h, f.Term, over)
	if over() || !p.add(way) {
		return false
	}
	f.Sign += wayBetween + way.String()
	return h.Ledger.Claim(f.Sign)
}

// apart is a runner that shrinks an input that may fail in another way. If the input does not fail in a known way, no
// input that does counts as a failure: otherwise the more frequent bug would take the place of the other one.
type apart struct {
	property.Runner
	of   *watch.Watcher
	from *place // nil if the input may fail in a known way
	runs int    // that are left
}

func (a *apart) One(x term.Term, detail bool) property.Outcome {
	a.runs--
	o := a.Runner.One(x, detail)
	if a.from != nil && o.Failed() && !o.Hung && !a.from.strange(sitesOf(a.of.Aside())) {
		return property.Outcome{Verdict: engine.Discarded}
	}
	return o
}

// wayOf returns the way in which an input fails: the functions and clauses that its run reaches, and that are missing
// in the run of at least one similar input that passes. If over ends it, it may be less.
func wayOf(h *Handler, x term.Term, over func() bool) way {
	h.Runner.One(x, false)
	reached := sitesOf(h.Watch.Aside())
	needed := way{}
	m := mutate.New(h.Prop.World, mutate.Config{Kinds: mutate.Pure | mutate.Lists | mutate.Sampled, Samples: 1,
		Size: h.Prop.World.Cells(x), NeighboursMax: 2})
	b := m.Batch(x, 1)
	for range nearMax {
		u, ok := m.Next(&b)
		if !ok || over() {
			break
		}
		if o := h.Runner.One(u.Term, false); o.Verdict != engine.Passed {
			continue
		}
		near := sitesOf(h.Watch.Aside())
		for id := range reached {
			if !near[id] {
				needed[id] = true
			}
		}
	}
	return needed
}
