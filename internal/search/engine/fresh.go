//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/term"
)

// freshTerms is the way fresh: random terms. Without them the search would only change the terms that
// it has, because in a program with many paths the queue never becomes empty.
type freshTerms struct {
	quiet
	with     *shared
	settings FreshSettings
	gen      *gen.Gen
	size     int // of the largest terms
	bored    int // consecutive runs without a new trace since size grew
	arm      int // setting of the current term
}

func newFresh(s *shared) way {
	f := &freshTerms{with: s, settings: s.settings.Fresh, gen: gen.New(s.config.World), size: s.settings.Fresh.Size}
	f.gen.Few = s.settings.Fresh.Few
	return f
}

// propose draws again if a term was run before. Each time the size grows by one, because there are
// few small terms.
func (f *freshTerms) propose(now *turn) (term.Term, origin) {
	r := &now.dice
	size := 1 + r.Below(f.size)
	f.arm = f.with.arms.choose(r)
	a := &f.with.arms.all[f.arm]
	f.gen.Reach = a.reach
	retexts := f.with.stock.text && f.with.pairs.half == nil // the halves of a pair stay equal
	for try := 0; ; try++ {
		t := f.with.pairs.fresh(f.gen, r.Split(), size+try, r.Below(64) < a.twins)
		if retexts {
			t = f.with.stock.alphabet.retext(f.with.config.World, t, r)
		}
		t, did := f.with.fits.repair(t, howFresh, r)
		if f.with.changes.unknown(t) || try == redraws {
			return t, origin{how: howFresh, repair: did}
		}
	}
}

// learn makes the terms larger after many runs that showed nothing new.
func (f *freshTerms) learn(o *outcome) {
	if o.fresh() {
		f.with.arms.all[f.arm].did.add(o.passed())
	}
	if o.news.is {
		f.bored = 0
		return
	}
	f.bored++
	if c := &f.settings; f.bored >= c.SizeAfter && c.SizeAfter > 0 && f.size < c.SizeMax {
		f.size++
		f.bored = 0
	}
}

func (f *freshTerms) keep(k *kept, _ trace.Run) {
	if !k.given {
		f.bored = 0
	}
}

func (f *freshTerms) restart() { f.size, f.bored = f.settings.Size, 0 }
