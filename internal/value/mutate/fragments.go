//go:build go1.25

package mutate

import "github.com/allele-go/allele/internal/value/term"

// fragments offers FragmentsMax consecutive terms of Mutator.Fragments, starting at a
// random one.
type fragments struct{ stores }

// fragmentTries is how many fragments are tried for each candidate that is needed.
const fragmentTries = 4

func (*fragments) open(f *frame, want term.Term) bool {
	if f.extent == own {
		return false
	}
	all := f.scene.caller.fragmentsOf(f.node.s)
	if len(all) == 0 {
		return false
	}
	r := f.random(0)
	from, tries, most := r.Below(len(all)), min(len(all), fragmentTries*f.scene.config.FragmentsMax), f.scene.config.FragmentsMax
	found := want == nil
	for i := 0; i < tries && !found; i++ {
		found = equal(all[(from+i)%len(all)], want)
	}
	if !found {
		return false
	}
	for i, before := 0, len(f.stored); i < tries && len(f.stored)-before < most; i++ {
		f.offerGiven(Fragments, all[(from+i)%len(all)])
	}
	return true
}
