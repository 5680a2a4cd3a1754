//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/value/term"

// visitors is the way visit: the terms of searches on other hosts that wait for their run here. Such
// a term has no trace: the other host may run another version of the program, and its word is not
// taken. After its run it is treated as a term that another worker shares.
type visitors struct {
	quiet
	with    *shared
	waiting []term.Term
}

// visitorsMax bounds the terms that wait.
const visitorsMax = 1 << 16

func newVisitors(s *shared) way { return &visitors{with: s} }

// add adds a term. It is one of the next terms to be run.
func (v *visitors) add(t term.Term) {
	if len(v.waiting) < visitorsMax {
		v.waiting = append(v.waiting, t.Clone())
	}
}

func (v *visitors) propose(*turn) (t term.Term, _ origin) {
	if len(v.waiting) > 0 {
		t, v.waiting = v.waiting[0], v.waiting[1:]
	}
	return t, origin{}
}

func (v *visitors) learn(o *outcome) { v.with.share(o.term, o.verdict, o.run) }
