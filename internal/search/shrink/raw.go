//go:build go1.25

package shrink

import (
	"bytes"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Texts and long arrays are raw: their bytes follow a single node. Raw nodes with equal content, such
// as a name and the references to it, are changed together first.

// alike is a set of raw nodes with the same content.
type alike struct {
	s       *shrinker
	is      func(*schema.Schema) bool // selects the raw nodes that are numbered
	set     []int                     // indices in the list of rawAt
	sc      *schema.Schema            // of the first node
	content []byte
}

// eachRaw calls simplify for the raw nodes of some schemas: first for equal ones together, then for
// each by itself.
func eachRaw(s *shrinker, is func(*schema.Schema) bool, simplify func(*alike)) {
	var equal [][]int
	index := map[string]int{}
	for k, pos := range rawAt(s, is) {
		content := string(s.best.Bytes(pos))
		g, ok := index[content]
		if !ok {
			g = len(equal)
			index[content], equal = g, append(equal, nil)
		}
		equal[g] = append(equal[g], k)
	}
	for _, set := range equal {
		if len(set) > 1 {
			together(s, is, set, simplify)
		}
	}
	for k := range rawAt(s, is) {
		together(s, is, []int{k}, simplify)
	}
}

func together(s *shrinker, is func(*schema.Schema) bool, set []int, simplify func(*alike)) {
	at := rawAt(s, is)
	if s.spent() || set[0] >= len(at) {
		return // nodes may be gone, because entries of a map became equal and were merged
	}
	pos := at[set[0]]
	simplify(&alike{s, is, set, s.at(pos), slices.Clone(s.best.Bytes(pos))})
}

// rawAt returns the positions of all raw nodes of some schemas. A node is identified by its index
// in this list, because positions change when a text gets shorter or a map is sorted.
func rawAt(s *shrinker, is func(*schema.Schema) bool) (at []int) {
	for i := 0; i < len(s.best); i = after(s.best, i) {
		if s.best[i].C == term.Raw && is(s.at(i)) {
			at = append(at, i)
		}
	}
	return at
}

// try tries another content of all nodes of the set.
func (a *alike) try(content []byte) bool {
	s := a.s
	at := rawAt(s, a.is)
	var edits []edit
	for _, k := range a.set {
		if k >= len(at) || !bytes.Equal(s.best.Bytes(at[k]), a.content) {
			return false // the nodes have moved, because a map was sorted again
		}
		edits = append(edits, edit{at[k], term.AppendRaw(nil, s.best[at[k]].S, content)})
	}
	if !s.rewrite(edits) {
		return false
	}
	s.moved = false // no need to stop, because positions are looked up each time
	a.content = content
	return true
}
