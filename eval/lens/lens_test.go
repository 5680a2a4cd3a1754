package lens

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/trace"
)

// path reads symbols from a text. Lower-case letters are plain, capitals are coarse,
// digits begin an iteration, and # is a digest.
func path(text string) []uint32 {
	var p []uint32
	for _, c := range text {
		s := uint32(c)
		switch {
		case c >= 'A' && c <= 'Z':
			s |= hook.Coarse
		case c >= '0' && c <= '9':
			s |= hook.Loop
		case c == '#':
			s = hook.Fold | 0x7fff_ff00 | s // with all other kind bits set
		case c == ' ':
			continue
		}
		p = append(p, s)
	}
	return p
}

// text is the reverse of path. A Repeat symbol becomes one * for each power of two.
func text(p []uint32) string {
	var b strings.Builder
	for _, s := range p {
		if s&(Repeat|hook.Fold) == Repeat {
			b.WriteString(strings.Repeat("*", int(s>>repeatShift&repeatMax)+1))
			continue
		}
		b.WriteRune(rune(s & 0xff))
	}
	return b.String()
}

func TestLens(t *testing.T) {
	for _, c := range []struct{ name, path, log2, once string }{
		{"no loop", "abab", "abab", "abab"},
		{"one iteration", "x 1a b", "x1ab", "x1ab"},
		{"two iterations", "1a 1a", "1a*", "1a"},
		{"three iterations are like two", "x 1a 1a 1a b", "x1a*b", "x1ab"},
		{"four iterations are not like two", "x 1a 1a 1a 1a b", "x1a**b", "x1ab"},
		{"seven iterations are like four", "1a 1a 1a 1a 1a 1a 1a", "1a**", "1a"},
		{"an empty body", "1 1 1 1 1 1 1 1", "1***", "1"},
		{"iterations that alternate stay", "1a 1b 1a 1b", "1a1b1a1b", "1a1b1a1b"},
		{"runs of equal ones fold", "1a 1a 1b 1b 1b 1b", "1a*1b**", "1a1b"},
		{"inner loops are folded first", "1 2a 2a x  1 2a 2a 2a x", "12a*x*", "12ax"},
		{"inner loops with different orders of magnitude", "1 2a x  1 2a 2a x", "12ax12a*x", "12ax"},
		{"three deep", "1 2 3a 3a 2 3a 3a 1 2 3a 3a 2 3a 3a", "123a***", "123a"},
		{"an inner loop that is not always entered", "1 2a 2a x  1 x  1 x", "12a*x1x*", "12ax1x"},
		{"a function called twice", "F 1a 1a g F 1a 1a", "F1a*gF1a*", "F1agF1a"},
		{"recursion is not a loop", "FaFaFaFa", "FaFaFaFa", "FaFaFaFa"},
		{"a symbol after the last iteration may belong to it", "1a 1ab", "1a*b", "1ab"},
		{"folded iterations are not split", "1a 1ab 1ab", "1a1ab*", "1ab"},
		{"a folded inner loop is not split", "1 2a 1 2a 2a b", "12a12a*b", "12ab"},
		{"a loop left in its middle", "1a2bc 1a2bc 1ax", "1a2bc1a*x", "1a2bc1ax"},
		{"digests are symbols like others", "1#1#1#", "1#*", "1#"},
		{"nothing", "", "", ""},
	} {
		for loops, want := range map[Loops]string{Log2: c.log2, Once: c.once, Exact: strings.ReplaceAll(c.path, " ", "")} {
			l := Lens{Loops: loops}
			if got := text(l.View(path(c.path))); got != want {
				t.Errorf("%s: %q under %d is %q, want %q", c.name, c.path, loops, got, want)
			}
		}
	}
}

func TestLensCoarse(t *testing.T) {
	for _, c := range []struct{ name, path, exact, log2, once string }{
		{"functions and clauses", "FaBcC", "FBC", "FBC", "FBC"},
		{"digests stay", "Fa#", "F#", "F#", "F#"},
		{"iterations that differ only below the level are equal", "1aB 1bB", "BB", "B*", "B"},
		{"loops without clauses leave nothing", "F1a1b1aG", "FG", "FG", "FG"},
		{"inner loops without clauses leave nothing", "1 2a2a B 1 2a B", "BB", "B*", "B"},
		{"inner and outer", "1 A 2B 2B  1 A 2B 2B", "ABBABB", "AB**", "AB"},
		{"nothing", "", "", "", ""},
	} {
		for loops, want := range map[Loops]string{Exact: c.exact, Log2: c.log2, Once: c.once} {
			l := Lens{Level: Coarse, Loops: loops}
			if got := text(l.View(path(c.path))); got != want {
				t.Errorf("%s: %q under %d is %q, want %q", c.name, c.path, loops, got, want)
			}
		}
	}
}

// A token is a symbol of the slow reference version. Folded iterations are enclosed
// in a pair of tokens: the Loop symbol that opens them, and an end with their exact
// number.
type token struct {
	symbol uint32
	open   bool
	n      int // if not 0, the token ends the iterations that symbol opened
}

// order replaces the number of iterations by its order of magnitude.
func (k token) order() token { k.n = bits.Len(uint(k.n)); return k }

func isLoop(s uint32) bool { return s&hook.Fold == 0 && s&hook.Loop != 0 }

// naive implements the definition in the package comment as a right fold over lists
// that are never changed in place.
func naive(path []uint32, level Level, loops Loops) []token {
	if len(path) == 0 {
		return nil
	}
	s, rest := path[0], naive(path[1:], level, loops)
	whole := append([]token{{symbol: s}}, rest...)
	if !isLoop(s) {
		return whole
	}
	next := slices.IndexFunc(rest, func(k token) bool { return k.symbol == s && k.n == 0 })
	if next < 0 || next+1 > iterationMax {
		return whole
	}
	body, successor := rest[:next], rest[next:]
	if len(successor) <= next || !slices.EqualFunc(body, successor[1:1+next], func(a, b token) bool { return a.order() == b.order() }) {
		return whole
	}
	switch {
	case loops == Once || !slices.ContainsFunc(whole[:1+next], func(k token) bool { return counts(k.symbol, level) }):
		return successor
	case !successor[0].open:
		folded := append([]token{{symbol: s, open: true}}, successor[1:1+next]...)
		return append(append(folded, token{symbol: s, n: 2}), successor[1+next:]...)
	case len(successor) > next+1 && successor[next+1].n > 0 && successor[next+1].symbol == s:
		more := slices.Clone(successor)
		more[next+1].n++
		return more
	}
	return whole
}

func counts(s uint32, level Level) bool { return level == All || s&(hook.Coarse|hook.Fold) != 0 }

// slow is the slow reference version of View.
func slow(path []uint32, level Level, loops Loops) []uint32 {
	var seen, out []uint32
	for _, s := range path {
		if counts(s, level) || isLoop(s) && loops != Exact {
			seen = append(seen, s)
		}
	}
	if loops == Exact {
		return seen
	}
	for _, k := range naive(seen, level, loops) {
		switch {
		case k.n > 0:
			out = append(out, repeat(k.symbol, uint32(k.n)))
		case counts(k.symbol, level):
			out = append(out, k.symbol)
		}
	}
	return out
}

func everyLens() []Lens {
	var all []Lens
	for _, level := range []Level{All, Coarse} {
		for _, loops := range []Loops{Exact, Log2, Once} {
			all = append(all, Lens{Level: level, Loops: loops})
		}
	}
	return all
}

// A program consists of sites, branches, loops and calls. Its runs are paths as a
// rewritten program records them.
type program struct {
	r      *rand.Rand
	random bool // branches and numbers of iterations are drawn each time
	sites  uint32
	funcs  [][]statement
	most   int // symbols of a path
}

type statement struct {
	symbol       uint32
	times        int           // a loop, if not 0
	body         []statement   // of the loop
	alternatives [][]statement // a branch
	call         int           // the index of a function plus one; 0 for none
}

func (p *program) site(kind uint32) uint32 { p.sites++; return p.sites | kind }

func (p *program) block(depth int) []statement {
	var b []statement
	for range p.r.IntN(4) {
		s := statement{symbol: p.site(uint32(p.r.IntN(2)) * hook.Coarse)}
		switch k := p.r.IntN(6); {
		case depth > 0 && k < 3:
			s = statement{symbol: p.site(hook.Loop), times: 1 + p.r.IntN(9), body: p.block(depth - 1)}
		case depth > 0 && k == 3 && p.random:
			s.alternatives = [][]statement{p.block(depth - 1), p.block(depth - 1)}
		case k == 4 && p.random && len(p.funcs) > 0:
			s.call = 1 + p.r.IntN(len(p.funcs))
		}
		b = append(b, s)
	}
	return b
}

func (p *program) run(to []uint32, block []statement) []uint32 {
	for _, s := range block {
		if len(to) > p.most {
			return to
		}
		times := s.times
		if p.random && times > 0 {
			times = p.r.IntN(1 + times)
		}
		for range times {
			to = p.run(append(to, s.symbol), s.body)
		}
		if s.times > 0 {
			continue
		}
		to = append(to, s.symbol)
		if s.alternatives != nil {
			to = p.run(to, s.alternatives[p.r.IntN(len(s.alternatives))])
		}
		if s.call > 0 {
			to = p.run(to, p.funcs[s.call-1])
		}
	}
	return to
}

// randomPath returns the path of a random program that has all kinds of statements.
func randomPath(seed uint64) []uint32 {
	p := &program{r: rand.New(rand.NewPCG(seed, 1)), random: true, most: 200}
	for range 3 {
		p.funcs = append(p.funcs, p.block(2)) // functions call earlier ones
	}
	var path []uint32
	for range 3 {
		path = p.run(path, p.block(4))
	}
	if p.r.IntN(4) == 0 {
		path = append(path, hook.Fold|p.r.Uint32())
	}
	return path
}

// The lenses are reused, so that state left by one path would show in the next.
func TestLensAgreesWithSlow(t *testing.T) {
	lenses := everyLens()
	shorter := 0
	for seed := range uint64(5000) {
		path := randomPath(seed)
		if seed%4 == 0 { // not the path of a program, but a few symbols in any order
			r := rand.New(rand.NewPCG(seed, 2))
			for i := range path {
				path[i] = 1 + uint32(r.IntN(4))
				path[i] |= [...]uint32{0, hook.Loop, hook.Loop | hook.Coarse, hook.Coarse}[path[i]-1]
			}
		}
		before := slices.Clone(path)
		for i := range lenses {
			l := &lenses[i]
			got, want := l.View(path), slow(path, l.Level, l.Loops)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, level %d, loops %d: %x\nis    %x\nwants %x", seed, l.Level, l.Loops, path, got, want)
			}
			if l.Level == All && len(got) < len(path) {
				shorter++
			}
		}
		if !slices.Equal(path, before) {
			t.Fatalf("seed %d: the path was changed", seed)
		}
	}
	t.Logf("%d views were folded", shorter)
}

// If every iteration of a loop does the same, the folded path follows directly from
// the program.
func TestLensReadsProgram(t *testing.T) {
	for seed := range uint64(5000) {
		p := &program{r: rand.New(rand.NewPCG(seed, 3)), most: 1 << 16}
		block := p.block(4)
		path := p.run(nil, block)
		if len(path) >= p.most {
			continue
		}
		for _, loops := range []Loops{Log2, Once} {
			l := Lens{Loops: loops}
			if got, want := l.View(path), expect(nil, block, loops); !slices.Equal(got, want) {
				t.Fatalf("seed %d, loops %d: %x\nis    %x\nwants %x", seed, loops, path, got, want)
			}
		}
	}
}

func expect(to []uint32, block []statement, loops Loops) []uint32 {
	for _, s := range block {
		to = expect(append(to, s.symbol), s.body, loops)
		if s.times > 1 && loops == Log2 {
			to = append(to, repeat(s.symbol, uint32(s.times)))
		}
	}
	return to
}

func TestIterationMax(t *testing.T) {
	for length, want := range map[int]int{iterationMax: iterationMax, iterationMax + 1: 2 * (iterationMax + 1)} {
		once := append(path("1"), slices.Repeat(path("a"), length-1)...)
		l := Lens{Loops: Once}
		if got := len(l.View(slices.Repeat(once, 2))); got != want {
			t.Errorf("two iterations of %d symbols became %d", length, got)
		}
	}
}

func BenchmarkView(b *testing.B) {
	for _, c := range []struct{ name, path string }{
		{"plain", "abcdefgh"}, {"loop", "1abc"}, {"nested", "1a 2b 2b 2b 2b c"}, {"changing", "1a 1b 1c 1aa 1bb"},
	} {
		p := slices.Repeat(path(c.path), 10_000/len(path(c.path)))
		for _, loops := range []Loops{Log2, Once} {
			b.Run(fmt.Sprintf("%s/%d", c.name, loops), func(b *testing.B) {
				l := Lens{Loops: loops}
				for b.Loop() {
					l.View(p)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(p)), "ns/block")
			})
		}
	}
}

// Clauses and Only agree with the obvious implementation.
func TestClausesOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	clauses, only := Lens{Level: Clauses}, Lens{Only: map[uint32]bool{1: true, 2: true, 5: true}}
	both := Lens{Level: Clauses, Only: only.Only}
	for range 2000 {
		path := make([]uint32, r.IntN(50))
		for i := range path {
			path[i] = uint32(r.IntN(8))
			if r.IntN(2) == 0 {
				path[i] |= hook.Coarse
			}
			if r.IntN(9) == 0 {
				path[i] |= hook.Loop
			}
		}
		var first, some, someFirst []uint32
		for i, s := range path {
			id, _ := trace.Site(s)
			same := func(o uint32) bool { other, _ := trace.Site(o); return o&hook.Coarse != 0 && other == id }
			isFirst := s&hook.Coarse != 0 && !slices.ContainsFunc(path[:i], same)
			if isFirst {
				first = append(first, s)
			}
			if only.Only[id] {
				some = append(some, s)
				if isFirst {
					someFirst = append(someFirst, s)
				}
			}
		}
		for _, c := range []struct {
			lens *Lens
			want []uint32
		}{{&clauses, first}, {&only, some}, {&both, someFirst}} {
			if got := c.lens.View(path); !slices.Equal(got, c.want) {
				t.Fatalf("%x: got %x, want %x", path, got, c.want)
			}
		}
	}
}

// A Repeat symbol has the site of its loop.
func TestRepeatSite(t *testing.T) {
	if site, ok := trace.Site(repeat(5|hook.Loop, 9)); site != 5 || !ok {
		t.Errorf("site %d, %v", site, ok)
	}
}

// Once buffers have grown, viewing a run allocates nothing.
func TestNoAllocation(t *testing.T) {
	path, lenses := randomPath(1), everyLens()
	if n := testing.AllocsPerRun(50, func() {
		for i := range lenses {
			lenses[i].View(path)
		}
	}); n > 0 {
		t.Errorf("%v allocations a run", n)
	}
}
