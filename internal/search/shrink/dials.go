//go:build go1.25

package shrink

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// isInteger reports whether nodes of a schema have an integer in X.
func isInteger(sc *schema.Schema) bool { return sc.Kind == schema.Scalar && !sc.IsFloat() }

// isDial reports whether nodes of a schema are dials: they have a whole number that can
// be lowered. The number is the value of an integer or bool, or the index of a declared value.
func isDial(sc *schema.Schema) bool { return isInteger(sc) || sc.Kind == schema.Choice }

func dialOf(sc *schema.Schema, n term.Node) uint64 {
	if sc.Kind == schema.Choice {
		return uint64(n.C)
	}
	return n.X
}

func setDial(sc *schema.Schema, n *term.Node, x uint64) {
	if sc.Kind == schema.Choice {
		n.C = uint16(x)
		return
	}
	n.X = x
}

// inDial reports whether x is a valid number for a dial of this schema.
func inDial(sc *schema.Schema, x uint64) bool {
	if sc.Kind == schema.Choice {
		return x < uint64(len(sc.Ctors))
	}
	return sc.In(x)
}

func dialRank(sc *schema.Schema, x uint64) rank {
	if sc.Kind == schema.Choice {
		return rank{size: x}
	}
	return rankOf(sc, x)
}

// dialAt returns the number with rank r, at the distance r.size from the simplest one.
func dialAt(sc *schema.Schema, r rank) uint64 {
	zero := uint64(0)
	if sc.Kind != schema.Choice {
		zero = sc.Simplest()
	}
	if r.neg {
		return zero - r.size
	}
	return zero + r.size
}
