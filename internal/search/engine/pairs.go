//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// pairs generates fresh terms. If the input is a pair, it can generate pairs with equal halves.
type pairs struct {
	root *schema.Schema
	half *schema.Schema // schema of each half if the input is a pair, else nil
	mem  term.Term
}

func newPairs(root *schema.Schema) pairs { return pairs{root: root, half: half(root)} }

// half returns the schema of the two halves if the input is a pair, else nil. A pair
// consists of two parts of one type that is not scalar.
func half(s *schema.Schema) *schema.Schema {
	switch s.Kind {
	case schema.Struct:
		if f := s.Ctors[0].Fields; len(f) == 2 && f[0].S.ID == f[1].S.ID && f[0].S.HasParts() {
			return f[0].S
		}
	case schema.Array:
		if s.Len == 2 && s.Elem.HasParts() {
			return s.Elem
		}
	}
	return nil
}

// fresh generates a term of the given size. If twins is true and the input is a pair, it
// generates one half of that size and uses it twice.
func (p *pairs) fresh(from *gen.Gen, r rng.Rand, size int, twins bool) term.Term {
	if p.half == nil || !twins {
		return from.Term(r.Split(), size)
	}
	return p.double(from.Part(r.Split(), p.half, size))
}

// double returns the pair in which both halves are h.
func (p *pairs) double(h term.Term) term.Term {
	root := term.Node{S: p.root.ID, N: uint32(1 + 2*len(h))}
	if p.root.Kind == schema.Array {
		root.X = 2
	}
	p.mem = append(append(append(p.mem[:0], root), h...), h...)
	return p.mem
}
