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
