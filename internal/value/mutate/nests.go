//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// nests offers the subterm with itself in place of one of the nearest subterms of its own schema: f(x) becomes
// f(f(x)). That is the reverse of what subterms offers. A program that handles a part in a special way is often
// wrong about such a part in another one.
type nests struct {
	stores
	holes []int
}

// nestsMax is how many of the nearest subterms are replaced. A list of many elements would get as many mutants that
// differ little.
const nestsMax = 4

func (n *nests) open(f *frame, want term.Term) bool {
	if want != nil && len(want) < len(f.node.sub) || n.slots(f) == 0 {
		return false
	}
	for _, pos := range n.holes {
		if want == nil || len(want) == 2*len(f.node.sub)-int(f.scene.parent.t[pos].N) {
			f.offer(Nested, f.mem.keep(appendNested(f.mem.units, f, pos)))
		}
	}
	return true
}

func (n *nests) slots(f *frame) int {
	n.holes = n.holes[:0]
	if f.scene.parent.cyclic[f.node.s.ID] && f.enabled(Nested) {
		n.find(f, f.node.pos)
	}
	return len(n.holes)
}

// pick makes a candidate that no other source makes: it contains the whole subterm.
func (n *nests) pick(f *frame, slot int) bool {
	f.candidate.take(whole{Nested, f.mem.keep(appendNested(f.mem.units, f, n.holes[slot]))})
	return true
}

// appendNested appends the subterm of a frame with itself in place of its subterm at pos, a position in the parent.
func appendNested(out term.Term, f *frame, pos int) term.Term {
	p, sub, from := &f.scene.parent, f.node.sub, len(out)-f.node.pos
	size := int(p.t[pos].N)
	out = append(append(out, p.t[f.node.pos:pos]...), sub...)
	out = append(out, p.t[pos+size:f.node.pos+len(sub)]...)
	for at := p.up[pos]; ; at = p.up[at] {
		out[from+int(at)].N += uint32(len(sub) - size)
		if int(at) == f.node.pos {
			return out
		}
	}
}

// find adds the nearest subterms below pos to the holes.
func (n *nests) find(f *frame, pos int) {
	p := &f.scene.parent
	for k, end := pos+1, pos+int(p.t[pos].N); k < end && len(n.holes) < nestsMax; k += int(p.t[k].N) {
		if p.t[k].S == f.node.s.ID {
			n.holes = append(n.holes, k)
			p.up[k] = int32(pos)
			continue
		}
		switch sc := p.world.Of(p.t[k]); sc.Kind {
		case schema.Slice, schema.Array, schema.Struct:
			if p.cyclic[sc.ID] {
				p.up[k] = int32(pos)
				n.find(f, k)
			}
		}
	}
}
