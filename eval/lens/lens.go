// Package lens shows the paths of runs more coarsely than they were recorded. The search of
// allele looks at whole paths; the papers' loops look at some of their symbols.
//
//	l := lens.Lens{Level: lens.Clauses}
//	path := l.View(run.Symbols) // if !run.Set
//
// # Loops
//
// One more iteration of a loop results in another path, but rarely in different
// behaviour. Under Once and Log2 a Lens therefore folds iterations. It folds nothing
// else: it looks only at Loop symbols, which begin an iteration, so recursion and
// accidental repetitions stay. It goes from the last symbol to the first. At a Loop
// symbol s everything to the right is folded already, including inner loops. The
// iteration extends from s to just before the next s. If the same symbols follow once
// more, the iteration is folded into its successor:
//
//	Once   s a s a s a b  ->  s a b
//	Log2   s a s a s a b  ->  s a R b      R: s was repeated 2 or 3 times
//
// R is a Repeat symbol with the site of s and the logarithm of the number of iterations,
// rounded down. Iterations are compared after inner loops are folded. So an outer
// iteration with 5 inner iterations equals one with 7 under Log2, and one with any number
// under Once. Iterations that end in a Repeat symbol are not split again:
//
//	Log2   s a s a b s a b  ->  s a s a b R
//
// At the level Coarse, folding looks at Coarse, Fold and Loop symbols, and the Loop
// symbols are removed afterwards. A loop whose body contains no Coarse or Fold symbol is
// folded as under Once, because its number of iterations is not shown at this level
// either.
//
// Two things are lost. A path does not show where a loop ends, so symbols after the last
// iteration may be taken for a part of it: s a s a b is folded as two times s a, then b.
// And Fold symbols, the digests of a run beyond hook.Cap, differ with every number of
// iterations, so only the first part of such a run is folded.
package lens

import (
	"math/bits"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/trace"
)

// Level selects which symbols of a path count.
type Level int

const (
	All     Level = iota // every symbol
	Coarse               // functions entered and clauses taken
	Clauses              // like Coarse, but each symbol only the first time
)

// Loops selects how equal consecutive iterations of a loop are shown.
type Loops int

const (
	Exact Loops = iota // keep all iterations
	Log2               // keep one iteration, and the logarithm of the number of iterations
	Once               // keep one iteration
)

// A Repeat symbol follows the iterations of a loop that were folded into one. The
// low bits are the site of the loop. The bits from repeatShift up are the logarithm of
// the number of iterations, minus one.
const (
	Repeat      = 1 << 30
	repeatShift = 26
	repeatMax   = 15 // four bits are enough: a path shows no more than about 2^16 iterations, see hook.Cap

	// starts marks the Loop symbol of a folded iteration while a path is being folded.
	starts = 1 << 29

	// iterationMax is the maximum length of an iteration that is folded, after its inner
	// loops were folded. It bounds the comparisons for one Loop symbol.
	iterationMax = 1 << 10
)

// Lens shows paths at a level and with loops folded. The zero value shows everything.
// Each Lens has its own buffers, so views through two lenses can be used at the same
// time.
type Lens struct {
	Level Level
	Loops Loops
	Only  map[uint32]bool // the sites that count, if it is not nil

	buf    []uint32
	top    int      // where in buf the folded part begins
	counts []uint32 // number of iterations of each folded loop in that part; the leftmost loop is last
	last   []uint32 // for each site of a loop, the index in buf of its leftmost symbol
	seen   []uint32 // for each site, the number of the last View that contained it
	turn   uint32   // number of the current View
}

// Limit makes the lens show the given sites only. Without sites it shows all.
func (l *Lens) Limit(sites []uint32) {
	if len(sites) == 0 {
		return
	}
	l.Only = map[uint32]bool{}
	for _, id := range sites {
		l.Only[id] = true
	}
}

// View returns a path as seen through the lens. The result is valid until the next
// View, and may be the path itself.
func (l *Lens) View(path []uint32) []uint32 {
	if l.Level == All && l.Loops == Exact && l.Only == nil {
		return path
	}
	if cap(l.buf) < len(path) {
		l.buf = make([]uint32, len(path), len(path)+len(path)/2)
	}
	l.buf = l.buf[:len(path)]
	if l.Only != nil {
		path = l.only(path)
	}
	switch {
	case l.Level == All && l.Loops == Exact:
		return path
	case l.Level == Clauses:
		return l.firsts(path)
	case l.Loops == Exact:
		return l.coarse(path)
	case l.Level == Coarse:
		return l.strip(l.fold(path, hook.Coarse|hook.Fold|hook.Loop))
	}
	folded := l.fold(path, anyKind)
	if len(l.counts) > 0 {
		return l.strip(folded)
	}
	return folded
}

// anyKind makes fold take all symbols, including those without a kind.
const anyKind = 0

// coarse returns the Coarse and Fold symbols of a path.
func (l *Lens) coarse(path []uint32) []uint32 {
	n := 0
	for _, s := range path {
		l.buf[n] = s
		if s&(hook.Coarse|hook.Fold) != 0 {
			n++
		}
	}
	return l.buf[:n]
}

// only returns the symbols of a path whose sites are in Only, and its Fold symbols.
func (l *Lens) only(path []uint32) []uint32 {
	n := 0
	for _, s := range path {
		if id, ok := trace.Site(s); !ok || l.Only[id] {
			l.buf[n] = s
			n++
		}
	}
	return l.buf[:n]
}

// firsts returns the Coarse symbols of a path, each only where it first occurs, and all
// Fold symbols.
func (l *Lens) firsts(path []uint32) []uint32 {
	l.turn++
	if len(l.seen) == 0 || l.turn == 0 {
		l.seen, l.turn = make([]uint32, hook.Sites), 1
	}
	n := 0
	for _, s := range path {
		if s&(hook.Coarse|hook.Fold) == 0 {
			continue
		}
		if s&hook.Fold == 0 {
			if at := &l.seen[s%hook.Sites]; *at != l.turn {
				*at = l.turn
			} else {
				continue
			}
		}
		l.buf[n] = s
		n++
	}
	return l.buf[:n]
}

// fold goes through a path from right to left and builds the folded path at the end
// of buf, in order. So the part to the right of the current symbol is always complete,
// and a fold shortens it at its start.
func (l *Lens) fold(path []uint32, kinds uint32) []uint32 {
	l.counts = l.counts[:0]
	buf, top := l.buf, len(l.buf)
	for i := len(path) - 1; i >= 0; i-- {
		s := path[i]
		if kinds != anyKind && s&kinds == 0 {
			continue
		}
		top--
		buf[top] = s
		if s&(hook.Loop|hook.Fold) == hook.Loop {
			l.top = top
			l.iteration(s)
			top = l.top
		}
	}
	return buf[top:]
}

// iteration folds the iteration that begins at top into the next iteration, if the two
// are equal.
func (l *Lens) iteration(s uint32) {
	next := l.leftmost(s)
	l.last[s%hook.Sites] = uint32(l.top)
	length := next - l.top
	if next == 0 || length > iterationMax {
		return
	}
	rest := l.buf[next:]
	if len(rest) < length {
		return
	}
	equal, kinds := same(l.buf[l.top+1:next], rest[1:length])
	if !equal {
		return
	}
	counts := l.Loops == Log2 && l.shows(rest[:length])
	grows := counts && rest[0]&starts != 0 // the next iteration stands for several already
	if grows && (len(rest) == length || !ends(rest[length], s)) {
		return // the next iteration, which was folded, is longer than this one
	}
	l.top = next
	if counts {
		if kinds&starts != 0 {
			l.forget(rest[1:length])
		}
		l.count(s, length, grows)
	}
	l.last[s%hook.Sites] = uint32(l.top)
	if kinds&hook.Loop != 0 {
		l.index(l.top+1, length-1)
	}
}

// leftmost returns the index of the first s in the folded part, or 0 if there is none.
// 0 is never a valid result, because the current symbol is before the folded part. An
// entry of l.last may come from an earlier path; then buf has no s at that index.
func (l *Lens) leftmost(s uint32) int {
	site := int(s % hook.Sites)
	if site >= len(l.last) {
		l.last = append(l.last, make([]uint32, site+1-len(l.last))...)
	}
	at := int(l.last[site])
	if at <= l.top || at >= len(l.buf) || l.buf[at]&^starts != s {
		return 0
	}
	return at
}

// same compares the bodies of two iterations, without their Loop symbols. It also returns
// the kind bits of all symbols together. In most iterations they show that there is no
// inner loop, and then no more work is needed.
func same(a, b []uint32) (equal bool, kinds uint32) {
	b = b[:len(a)]
	for i, x := range a {
		if x != b[i] {
			return false, 0
		}
		kinds |= x
	}
	return true, kinds
}

// forget drops the counts of folded loops in an iteration that was removed.
func (l *Lens) forget(body []uint32) {
	for _, x := range body {
		if x&(starts|hook.Fold) == starts {
			l.counts = l.counts[:len(l.counts)-1]
		}
	}
}

// count adds one iteration to the loop at top.
func (l *Lens) count(s uint32, length int, grows bool) {
	if grows {
		n := &l.counts[len(l.counts)-1]
		*n++
		l.buf[l.top+length] = repeat(s, *n)
		return
	}
	l.top-- // to make room for the Repeat symbol after the iteration
	copy(l.buf[l.top:], l.buf[l.top+1:l.top+1+length])
	l.buf[l.top] |= starts
	l.buf[l.top+length] = repeat(s, 2)
	l.counts = append(l.counts, 2)
}

// index sets l.last for the Loop symbols in buf[from:from+length]. It is called after the
// symbols that l.last pointed to were removed.
func (l *Lens) index(from, length int) {
	for i := from + length - 1; i >= from; i-- {
		if s := l.buf[i]; s&(hook.Loop|hook.Fold) == hook.Loop {
			l.last[s%hook.Sites] = uint32(i)
		}
	}
}

// repeat returns the symbol for n iterations of the loop that begins with s.
func repeat(s uint32, n uint32) uint32 {
	return Repeat | min(uint32(bits.Len32(n)-2), repeatMax)<<repeatShift | s%hook.Sites
}

// ends reports whether x is the Repeat symbol of iterations that begin with s.
func ends(x, s uint32) bool {
	return x&(Repeat|hook.Fold) == Repeat && x%hook.Sites == s%hook.Sites
}

// shows reports whether an iteration contains a symbol that is shown at l.Level. If it
// contains none, the number of iterations is not shown at this level either.
func (l *Lens) shows(unit []uint32) bool {
	if l.Level == All {
		return true
	}
	for _, s := range unit {
		if s&(hook.Coarse|hook.Fold) != 0 {
			return true
		}
	}
	return false
}

// strip removes everything that was only needed for folding: the starts bits and, at the
// level Coarse, the Loop symbols.
func (l *Lens) strip(path []uint32) []uint32 {
	n := 0
	for _, s := range path {
		if s&hook.Fold == 0 {
			s &^= starts
			if l.Level == Coarse && s&(hook.Coarse|Repeat) == 0 {
				continue
			}
		}
		path[n] = s
		n++
	}
	return path[:n]
}
