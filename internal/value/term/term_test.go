//go:build go1.25

package term

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// parse reads a term from text: a letter is a node, its fields follow in
// brackets, and text in single quotes is a raw node.
func parse(s string) Term {
	t, _ := parseAt(nil, s)
	return t
}

func parseAt(t Term, s string) (Term, string) {
	if s[0] == '\'' {
		end := strings.IndexByte(s[1:], '\'') + 1
		return AppendRaw(t, 9, s[1:end]), s[end+1:]
	}
	at := len(t)
	t = append(t, Node{S: 1, X: uint64(s[0])})
	s = s[1:]
	if strings.HasPrefix(s, "(") {
		for s = s[1:]; s[0] != ')'; s = strings.TrimPrefix(s, " ") {
			t, s = parseAt(t, s)
		}
		s = s[1:]
	}
	t[at].N = uint32(len(t) - at)
	return t, s
}

func show(t Term) string {
	if t[0].C == Raw {
		return "'" + string(t.Bytes(0)) + "'"
	}
	var kids []string
	for k := range t.Kids(0) {
		kids = append(kids, show(t.Sub(k)))
	}
	name := string(rune(t[0].X))
	if kids == nil {
		return name
	}
	return name + "(" + strings.Join(kids, " ") + ")"
}

// find is the position of the node called name.
func find(t Term, name byte) int {
	for p := range t.Nodes() {
		if t[p].C != Raw && t[p].X == uint64(name) {
			return p
		}
	}
	panic("no " + string(name))
}

func TestReplace(t *testing.T) {
	for _, c := range []struct{ term, at, with, want string }{
		{"a", "a", "b(c d)", "b(c d)"},
		{"a(b c d)", "c", "x", "a(b x d)"},
		{"a(b c d)", "c", "x(y z)", "a(b x(y z) d)"},
		{"a(b(c(d) e) f)", "c", "x", "a(b(x e) f)"},
		{"a(b(c(d) e) f)", "f", "'sixteen bytes and more'", "a(b(c(d) e) 'sixteen bytes and more')"},
		{"a('text' b('' c) d)", "c", "x(y)", "a('text' b('' x(y)) d)"},
	} {
		old := parse(c.term)
		got := Replace(nil, old, find(old, c.at[0]), parse(c.with))
		if show(got) != c.want {
			t.Errorf("%s with %s at %s: %s", c.term, c.with, c.at, show(got))
		}
		if show(old) != c.term {
			t.Errorf("%s was damaged: %s", c.term, show(old))
		}
		if !Equal(got, parse(c.want)) {
			t.Errorf("%s: sizes are wrong: %v", c.want, got)
		}
	}
}

func TestSplice(t *testing.T) {
	old := parse("a(b(c d) e)")
	b := find(old, 'b')
	end := b + int(old[b].N)
	for _, c := range []struct {
		span Span
		with string
		want string
	}{
		{Span{b, b + 1, b + 1}, "x", "a(b(x c d) e)"},
		{Span{b, end, end}, "x(y)", "a(b(c d x(y)) e)"},
		{Span{b, b + 1, end}, "x", "a(b(x) e)"},
	} {
		if got := Splice(nil, old, c.span, parse(c.with)); !Equal(got, parse(c.want)) {
			t.Errorf("%v: %s, want %s", c.span, show(got), c.want)
		}
	}
	if got := Splice(nil, old, Span{b, b + 1, end}, nil); show(got) != "a(b e)" {
		t.Errorf("dropping all fields of b: %s", show(got))
	}
}

func TestOrders(t *testing.T) {
	x := parse("a(b(c 'text') d(e(f)))")
	names := func(seq func(func(int) bool)) string {
		var out []string
		for p := range seq {
			out = append(out, show(x.Sub(p))[:1])
		}
		return strings.Join(out, "")
	}
	if got := names(x.Nodes()); got != "abc'def" {
		t.Errorf("preorder %s", got)
	}
	if got := names(x.Levels()); got != "abdc'ef" {
		t.Errorf("level order %s", got)
	}
}

// A text takes as many units as its bytes need, and none if it is empty.
func TestRawUnits(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 15: 1, 16: 1, 17: 2, 32: 2, 33: 3} {
		if got := RawUnits(n); got != want {
			t.Errorf("%d bytes in %d units, want %d", n, got, want)
		}
	}
}

// Texts of all lengths come back. An empty text has no memory: with it, appending to the
// bytes would overwrite the next node.
func TestBytes(t *testing.T) {
	long := strings.Repeat("0123456789", 5)
	for n := range len(long) {
		x := append(AppendRaw(nil, 9, long[:n]), Node{S: 1, N: 1})
		if got := string(x.Bytes(0)); got != long[:n] || x[0].X != uint64(n) || int(x[0].N) != len(x)-1 {
			t.Errorf("%q becomes %q", long[:n], got)
		}
		if !Equal(x[:len(x)-1], AppendRaw(nil, 9, []byte(long[:n]))) {
			t.Errorf("%q as bytes is another term", long[:n])
		}
	}
	if b := parse("a('' b)").Bytes(1); b != nil {
		t.Errorf("the bytes of an empty text are %#v", b)
	}
}

// AppendJoined agrees with AppendRaw, whatever the buffer contained before: bytes after the
// end of the text must be 0, since terms are compared by their memory.
func TestAppendJoined(t *testing.T) {
	text := []byte(strings.Repeat("0123456789", 5))
	dirty := slices.Repeat([]Node{{S: 0xffff, C: 0xffff, N: 0xffffffff, X: 1<<64 - 1}}, 8)
	for n := range len(text) {
		for cut := range n + 1 {
			start := append(Term(slices.Clone(dirty))[:0], Node{S: 3, N: 1})
			got := AppendJoined(start, 9, text[:cut], nil, text[cut:n])
			want := AppendRaw(Term{{S: 3, N: 1}}, 9, text[:n])
			if !Equal(got, want) {
				t.Fatalf("%q and %q: %v, want %v", text[:cut], text[cut:n], got, want)
			}
		}
	}
	if got := AppendJoined(nil, 9); !Equal(got, AppendRaw(nil, 9, "")) {
		t.Errorf("no parts: %v", got)
	}
}

// A term that was sent to another process is the same, and a copy.
func TestMemory(t *testing.T) {
	for _, text := range []string{"a", "a(b 'text' c(d))", "'sixteen bytes and more'"} {
		x := parse(text)
		got, ok := FromMemory(x.Memory())
		if !ok || !Equal(got, x) {
			t.Errorf("%s becomes %v", text, got)
		}
		if got[0].S++; Equal(got, x) {
			t.Errorf("%s shares its memory", text)
		}
	}
	if got, ok := FromMemory(Term(nil).Memory()); !ok || len(got) != 0 {
		t.Errorf("nothing becomes %v", got)
	}
	for _, n := range []int{1, 15, 17} {
		if got, ok := FromMemory(make([]byte, n)); ok || got != nil {
			t.Errorf("%d bytes are %v", n, got)
		}
	}
}

func TestClone(t *testing.T) {
	x := parse("a(b 'text')")
	c := x.Clone()
	if !Equal(c, x) {
		t.Errorf("the copy is %s", show(c))
	}
	if x[0].X++; Equal(c, x) {
		t.Error("the copy shares its memory")
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b Term
		want bool
	}{
		{nil, Term{}, true},
		{nil, parse("a"), false},
		{parse("a(b)"), parse("a(b)"), true},
		{parse("a(b)"), parse("a(c)"), false},
		{parse("a(b)"), parse("a(b)")[:1], false},
	} {
		if Equal(c.a, c.b) != c.want || Equal(c.b, c.a) != c.want {
			t.Errorf("%v and %v: want %v", c.a, c.b, c.want)
		}
	}
}

// The hash seeds the mutations of a term, so a search with the same seed needs the same hash in
// every process and every version. (In units with text, it depends on the byte order of the machine.)
func TestHashIsStable(t *testing.T) {
	for _, c := range []struct {
		term string
		want uint64
	}{
		{"a", 0xf340fd694a96ae1b},
		{"a(b)", 0xe86931475422e9},
		{"a(b c)", 0xfc8109860a6fa4f8},
		{"a(b(c g) d(e(f)))", 0x45c94cab840250f2},
	} {
		if got := Hash(parse(c.term)); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.term, got, c.want)
		}
	}
}

// Hash is equal for equal terms, and here different for different ones.
func TestHash(t *testing.T) {
	seen := map[uint64]string{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		s := randomTerm(r, 4)
		h := Hash(parse(s))
		if other, ok := seen[h]; ok && other != s {
			t.Fatalf("%s and %s have one hash", s, other)
		}
		seen[h] = s
		if Hash(parse(s)) != h {
			t.Fatalf("%s has two hashes", s)
		}
	}
}

// Hash depends on all bytes of a text, also if it begins with zeros.
func TestHashOfZeros(t *testing.T) {
	seen := map[uint64]int{}
	for i := range 64 {
		b := make([]byte, 64)
		b[i] = 1
		h := Hash(AppendRaw(nil, 1, b))
		if other, ok := seen[h]; ok {
			t.Errorf("a 1 at %d and at %d have one hash", i, other)
		}
		seen[h] = i
	}
}

func randomTerm(r *rand.Rand, depth int) string {
	if r.IntN(4) == 0 {
		return fmt.Sprintf("'%0*d'", r.IntN(40), r.IntN(10))
	}
	name := string(rune('a' + r.IntN(26)))
	var kids []string
	for range min(depth, r.IntN(4)) {
		kids = append(kids, randomTerm(r, depth-1))
	}
	if kids == nil {
		return name
	}
	return name + "(" + strings.Join(kids, " ") + ")"
}

// Replace agrees with a slow twin that works on text.
func TestReplaceAgreesWithText(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5_000 {
		x, sub := parse(randomTerm(r, 5)), parse(randomTerm(r, 3))
		positions := slices.Collect(x.Nodes())
		pos := positions[r.IntN(len(positions))]
		got := Replace(nil, x, pos, sub)
		if want := parse(slowReplace(x, pos, show(sub))); !Equal(got, want) {
			t.Fatalf("%s at %d with %s: %s, want %s", show(x), pos, show(sub), show(got), show(want))
		}
	}
}

// slowReplace shows t with text in place of the node at pos.
func slowReplace(t Term, pos int, text string) string {
	if pos == 0 {
		return text
	}
	var kids []string
	for k := range t.Kids(0) {
		if k <= pos && pos < k+int(t[k].N) {
			kids = append(kids, slowReplace(t.Sub(k), pos-k, text))
		} else {
			kids = append(kids, show(t.Sub(k)))
		}
	}
	return string(rune(t[0].X)) + "(" + strings.Join(kids, " ") + ")"
}
