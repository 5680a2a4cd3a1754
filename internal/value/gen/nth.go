//go:build go1.25

package gen

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Nth returns term number i of a finite domain, for i below the Count of the root. A
// property over two bools and an enum has few inputs: trying each input once is
// better than trying a thousand random ones.
func (g *Gen) Nth(i uint64) term.Term {
	g.out = g.out[:0]
	g.nth(g.world.Root, i)
	return g.out
}

func (g *Gen) nth(s *schema.Schema, i uint64) {
	switch s.Kind {
	case schema.Scalar:
		g.open(s, 0, s.Lo+i)
		return
	case schema.Block:
		at := len(g.out)
		g.out = append(g.out, s.Least...)
		for k := range s.Len {
			s.SetItem(g.out.Bytes(at), k, s.Elem.Lo+i%s.Elem.Count)
			i /= s.Elem.Count
		}
		return
	case schema.Array:
		at := g.open(s, 0, uint64(s.Len))
		for range s.Len {
			g.nth(s.Elem, i%s.Elem.Count)
			i /= s.Elem.Count
		}
		g.seal(at)
		return
	}
	for c := s.First(); c < len(s.Ctors); c++ {
		n := uint64(1)
		for _, f := range s.Ctors[c].Fields {
			n *= f.S.Count
		}
		if i >= n {
			i -= n
			continue
		}
		at := g.open(s, c, 0)
		for _, f := range s.Ctors[c].Fields {
			g.nth(f.S, i%f.S.Count)
			i /= f.S.Count
		}
		g.seal(at)
		return
	}
}
