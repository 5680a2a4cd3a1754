//go:build go1.25

package shrink

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// repairDraws is how many values are tried for a part that breaks its struct tag.
const repairDraws = 4

// repair replaces parts that break struct tags by values that satisfy them, if the term still
// fails then. A failure of an input that satisfies its tags is worth more than a smaller one:
// nobody can say that such inputs do not occur. After that, no candidate breaks more tags than
// the best term.
func repair(s *shrinker) {
	if s.broken == 0 {
		return
	}
	g, r := gen.New(s.world), rng.New(term.Hash(s.best))
	for range repairDraws {
		all := s.best.Clone()
		for s.world.Broken(all) > 0 && fix(s.world, g, &r, &all, 0) {
		}
		if s.tryFixed(all) {
			return
		}
	}
	for skip := 0; skip < s.broken; {
		one, before := s.best.Clone(), s.broken
		if fix(s.world, g, &r, &one, skip); !s.tryFixed(one) || s.broken >= before {
			skip++
		}
	}
}

// fix replaces one part that breaks its tag, after skipping some. It reports whether it did.
func fix(w *schema.World, g *gen.Gen, r *rng.Rand, t *term.Term, skip int) bool {
	for pos := range t.Nodes() {
		sub := t.Sub(pos)
		sc := w.Of(sub[0])
		if sc.Tag == nil || sc.Tag.Holds(sub) {
			continue
		}
		if skip--; skip >= 0 {
			continue
		}
		const draws = 64 // one term in eight ignores tags
		for range draws {
			if part := g.Part(r.Split(), sc, 1+w.Cells(sub)); w.Inside(part) {
				*t = term.Replace(nil, *t, pos, part)
				return true
			}
		}
		return false
	}
	return false
}
