//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// subterms offers the nearest subterms of the same schema, also those inside lists
// and structs. In a tree these are the children, whether they are two fields or a
// list.
type subterms struct{ stores }

func (s *subterms) open(f *frame, _ term.Term) bool {
	if !f.scene.parent.cyclic[f.node.s.ID] || !f.enabled(Pure) {
		return false
	}
	s.below(f, f.node.pos)
	return true
}

func (s *subterms) below(f *frame, pos int) {
	p := &f.scene.parent
	t := p.t
	for k, end := pos+1, pos+int(t[pos].N); k < end; k += int(t[k].N) {
		if t[k].S == f.node.s.ID {
			f.offer(Pure, t.Sub(k))
			continue
		}
		switch sc := p.world.Of(t[k]); sc.Kind {
		case schema.Slice, schema.Array, schema.Map, schema.Struct:
			if p.cyclic[sc.ID] {
				s.below(f, k)
			}
		}
	}
}
