//go:build go1.25

package shrink

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
)

// A long array of scalars (schema.Block) has no nodes for its elements, and its length is
// fixed. So it gets simpler by elements that are zero, and by simpler elements. Arrays that
// are equal, such as an ID and the references to it, are changed together first.

// clearBlocks makes ranges of elements zero: all, then halves, quarters and so on down to
// single elements.
func clearBlocks(s *shrinker) { eachBlock(s, block.clear) }

// lowerBlocks makes every element simpler that is not zero: first together with the elements
// that are equal to it, then by itself.
func lowerBlocks(s *shrinker) { eachBlock(s, block.lower) }

// block is one search for a simpler array.
type block struct{ *alike }

// eachBlock calls simplify for the arrays: first for equal ones together, then for each by
// itself.
func eachBlock(s *shrinker, simplify func(block)) {
	eachRaw(s, func(sc *schema.Schema) bool { return sc.Kind == schema.Block }, func(a *alike) { simplify(block{a}) })
}

func (b block) clear() {
	width := b.sc.Elem.Bits / 8
	for size := b.sc.Len; size > 0 && !b.s.spent(); size /= 2 {
		for from := 0; from < b.sc.Len && !b.s.spent(); {
			if from = b.sc.ItemFrom(b.content, from); from == b.sc.Len {
				break
			}
			from -= from % size
			to := min(from+size, b.sc.Len)
			memory := slices.Clone(b.content)
			clear(memory[from*width : to*width])
			b.try(memory)
			from = to
		}
	}
}

func (b block) lower() {
	for i := b.sc.ItemFrom(b.content, 0); i < b.sc.Len && !b.s.spent(); {
		b.lowerAt(i, true)
		b.lowerAt(i, false)
		if i++; i < b.sc.Len {
			i = b.sc.ItemFrom(b.content, i)
		}
	}
}

// lowerAt makes element i simpler or, if all is true, all elements that are equal to it.
func (b block) lowerAt(i int, all bool) {
	from := b.sc.Item(b.content, i)
	set := []int{i}
	for k := i + 1; all && k < b.sc.Len; k++ {
		if b.sc.Item(b.content, k) == from {
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
		memory := slices.Clone(b.content)
		for _, k := range set {
			b.sc.SetItem(memory, k, x)
		}
		return b.try(memory)
	}}
	l.run()
}
