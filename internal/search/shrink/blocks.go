//go:build go1.25

package shrink

import (
	"bytes"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// A long array of scalars (schema.Block) has no nodes for its elements, and its length is
// fixed. So it gets simpler by elements that are zero, and by simpler elements. Arrays that
// are equal, such as an ID and the references to it, are changed together first.

// compareBlocks orders arrays by the first element that differs.
func compareBlocks(sc *schema.Schema, a, b []byte) int {
	for i := 0; i < sc.Len; i++ {
		if x, y := sc.Item(a, i), sc.Item(b, i); x != y {
			return rankOf(sc.Elem, x).compare(rankOf(sc.Elem, y))
		}
	}
	return 0
}

// clearBlocks makes ranges of elements zero: all, then halves, quarters and so on down to
// single elements.
func (s *shrinker) clearBlocks() { s.eachBlock((*block).clear) }

// lowerBlocks makes every element simpler that is not zero: first together with the elements
// that are equal to it, then by itself.
func (s *shrinker) lowerBlocks() { s.eachBlock((*block).lower) }

// block is one search for a simpler array.
type block struct {
	s      *shrinker
	sc     *schema.Schema
	set    []int // indices in the list of blocksAt
	memory []byte
}

// eachBlock calls simplify for the arrays: first for equal ones together, then for each by
// itself.
func (s *shrinker) eachBlock(simplify func(*block)) {
	var each, equal [][]int
	index := map[string]int{}
	for k, pos := range s.blocksAt() {
		each = append(each, []int{k})
		content := string(s.best.Bytes(pos))
		g, ok := index[content]
		if !ok {
			g = len(equal)
			index[content], equal = g, append(equal, nil)
		}
		equal[g] = append(equal[g], k)
	}
	equal = slices.DeleteFunc(equal, func(set []int) bool { return len(set) < 2 })
	for _, set := range append(equal, each...) {
		at := s.blocksAt()
		if s.spent() || set[0] >= len(at) {
			return // entries of a map may have become equal and were merged
		}
		simplify(&block{s, s.at(at[set[0]]), set, slices.Clone(s.best.Bytes(at[set[0]]))})
	}
}

// blocksAt returns the positions of all long arrays. An array is identified by its index in
// this list, because positions change when a map is sorted.
func (s *shrinker) blocksAt() (at []int) {
	for i := 0; i < len(s.best); i = after(s.best, i) {
		if s.at(i).Kind == schema.Block {
			at = append(at, i)
		}
	}
	return at
}

// try tries another content of all arrays of the set.
func (b *block) try(memory []byte) bool {
	s := b.s
	at := s.blocksAt()
	var edits []edit
	for _, k := range b.set {
		if k >= len(at) || !bytes.Equal(s.best.Bytes(at[k]), b.memory) {
			return false // the arrays have moved, because a map was sorted again
		}
		edits = append(edits, edit{at[k], term.AppendRaw(nil, s.best[at[k]].S, memory)})
	}
	if !s.rewrite(edits) {
		return false
	}
	s.moved = false // no need to stop, because positions are looked up each time
	b.memory = memory
	return true
}

func (b *block) clear() {
	width := b.sc.Elem.Bits / 8
	for size := b.sc.Len; size > 0 && !b.s.spent(); size /= 2 {
		for from := 0; from < b.sc.Len && !b.s.spent(); {
			if from = b.sc.ItemFrom(b.memory, from); from == b.sc.Len {
				break
			}
			from -= from % size
			to := min(from+size, b.sc.Len)
			memory := slices.Clone(b.memory)
			clear(memory[from*width : to*width])
			b.try(memory)
			from = to
		}
	}
}

func (b *block) lower() {
	for i := b.sc.ItemFrom(b.memory, 0); i < b.sc.Len && !b.s.spent(); {
		b.lowerAt(i, true)
		b.lowerAt(i, false)
		if i++; i < b.sc.Len {
			i = b.sc.ItemFrom(b.memory, i)
		}
	}
}

// lowerAt makes element i simpler or, if all is true, all elements that are equal to it.
func (b *block) lowerAt(i int, all bool) {
	from := b.sc.Item(b.memory, i)
	set := []int{i}
	for k := i + 1; all && k < b.sc.Len; k++ {
		if b.sc.Item(b.memory, k) == from {
			set = append(set, k)
		}
	}
	if from == 0 || all && len(set) == 1 {
		return
	}
	l := lowering{s: b.s, sc: b.sc.Elem, x: from, now: rankOf(b.sc.Elem, from), turn: func(x uint64) bool {
		if b.s.spent() || !b.sc.Elem.In(x) {
			return false
		}
		memory := slices.Clone(b.memory)
		for _, k := range set {
			b.sc.SetItem(memory, k, x)
		}
		return b.try(memory)
	}}
	l.run()
}
