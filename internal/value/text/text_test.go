//go:build go1.25

package text

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit"
	"github.com/allele-go/allele/internal/value/term"
)

// show returns parts separated by bars.
func show(text string, parts []Span) string {
	var all []string
	for _, p := range parts {
		all = append(all, text[p.From:p.To])
	}
	return strings.Join(all, "|")
}

func TestParts(t *testing.T) {
	for _, c := range []struct{ text, letters, tokens, groups, lines string }{
		{"", "", "", "", ""},
		{"a1b", "a|1|b", "a|1|b", "", "a1b"},
		{"é=10", "é|=|1|0", "é|=|10", "", "é=10"},
		{"f(x, [2])", "f|(|x|,| |[|2|]|)", "f|(|x|,| |[|2|]|)", "[2]|(x, [2])", "f(x, [2])"},
		{"(]\n", "(|]|\n", "(|]|\n", "", "(]\n"},
		{`"a(b"c)`, `"|a|(|b|"|c|)`, `"|a|(|b|"|c|)`, `"a(b"`, `"a(b"c)`},
		{"a\n\nb", "a|\n|\n|b", "a|\n|\n|b", "", "a\n|\n|b"},
		{"  \xff", " | |\xff", "  |\xff", "", "  \xff"},
	} {
		var p Parts
		p.Read([]byte(c.text), false)
		got := []string{show(c.text, p.Letters), show(c.text, p.Tokens), show(c.text, p.Groups), show(c.text, p.Lines)}
		if want := []string{c.letters, c.tokens, c.groups, c.lines}; !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", c.text, got, want)
		}
	}
}

// naive returns the results of all edits of a text. It is the slow twin of Edits: it knows parts
// as strings and joins them.
func naive(text string, raw bool, s Supply) map[string]bool {
	all := map[string]bool{}
	var p Parts
	p.Read([]byte(text), raw)
	split := func(spans []Span) (parts []string) {
		for _, s := range spans {
			parts = append(parts, text[s.From:s.To])
		}
		return parts
	}
	join := func(parts ...[]string) { all[strings.Join(slices.Concat(parts...), "")] = true }
	letters, tokens, lines := split(p.Letters), split(p.Tokens), split(p.Lines)
	for _, parts := range [][]string{letters, tokens, lines} {
		for i, x := range parts {
			join(parts[:i], parts[i+1:])
			join(parts[:i], []string{x, x}, parts[i+1:])
			if i+1 < len(parts) {
				join(parts[:i], []string{parts[i+1], x}, parts[i+2:])
			}
		}
	}
	for i := range letters {
		join(letters[:i])
		for _, c := range s.Letters {
			join(letters[:i], []string{c}, letters[i+1:])
		}
	}
	for i := range len(letters) + 1 {
		for _, c := range s.Letters {
			join(letters[:i], []string{c}, letters[i:])
		}
	}
	words := slices.Concat(s.Words, tokens)
	for i := range len(tokens) + 1 {
		for _, w := range words {
			join(tokens[:i], []string{w}, tokens[i:])
			if i < len(tokens) {
				join(tokens[:i], []string{w}, tokens[i+1:])
			}
		}
	}
	for i, x := range tokens {
		if n, ok := new(big.Int).SetString(x, 10); ok && x[0] >= '0' && x[0] <= '9' {
			for _, d := range []int64{1, -1} {
				join(tokens[:i], []string{new(big.Int).Add(n, big.NewInt(d)).String()}, tokens[i+1:])
			}
			join(tokens[:i], []string{new(big.Int).Mul(n, big.NewInt(2)).String()}, tokens[i+1:])
			join(tokens[:i], []string{x, "0"}, tokens[i+1:])
			join(tokens[:i], []string{"-", x}, tokens[i+1:])
			for _, l := range limits {
				join(tokens[:i], []string{l}, tokens[i+1:])
			}
		}
	}
	for _, g := range p.Groups {
		head, open, in, end, tail := text[:g.From], text[g.From:g.From+1], text[g.From+1:g.To-1], text[g.To-1:g.To], text[g.To:]
		for _, parts := range [][]string{{head, tail}, {head, open, in, end, open, in, end, tail}, {head, in, tail}, {head, open, end, tail}} {
			join(parts)
		}
	}
	delete(all, text)
	return all
}

var examples = []string{"", "a", "aa", "1.2.3-rc.1+b", "{\"k\": [1, 22, \"x\"]}", "a=1\nb=2\n\n[t]\n", "((()))", "99999999999999999999", "é\xffé", "aXbXa", "--1"}

func TestEditsAreThoseOfTheTwin(t *testing.T) {
	supplies := []Supply{{}, {Letters: []string{".", "é", "a"}, Words: []string{"true", "a", ":="}}}
	for _, text := range examples {
		for _, raw := range []bool{false, true} {
			for _, s := range supplies {
				var e Edits
				if !e.Use([]byte(text), raw, s) {
					t.Fatalf("%q: no list", text)
				}
				got := map[string]bool{}
				for i := range e.Len() {
					if edit, ok := e.At(i); ok {
						got[string(edit.Apply(nil, e.Text()))] = true
					}
				}
				want := naive(text, raw, s)
				for u := range want {
					if !got[u] {
						t.Errorf("%q raw %v: no edit has the result %q", text, raw, u)
					}
				}
				for u := range got {
					if !want[u] {
						t.Errorf("%q raw %v: the twin does not know the edit to %q", text, raw, u)
					}
				}
			}
		}
	}
}

// The hash of an edit is that of its result: equal for equal results, and only for those.
func TestSum(t *testing.T) {
	s := Supply{Letters: []string{".", "é", "a", "\x00"}, Words: []string{"true", "a", ":="}}
	for _, text := range examples {
		var e Edits
		e.Use([]byte(text), true, s)
		texts := map[uint64]string{}
		for i := range e.Len() {
			edit, _ := e.At(i)
			u := string(edit.Apply(nil, e.Text()))
			h := e.Sum(edit)
			if h != e.SumOf([]byte(u)) {
				t.Fatalf("%q: edit %d to %q has another hash than its result", text, i, u)
			}
			if other, ok := texts[h]; ok && other != u {
				t.Fatalf("%q and %q have the same hash", u, other)
			}
			texts[h] = u
		}
	}
}

// Every random edit stays inside the text, changes it, and keeps runes whole. A term with the
// edited text equals one that was made from it.
func TestDraw(t *testing.T) {
	texts := append(slices.Clone(examples), strings.Repeat("[a, \"é\", 10]\n", 500), "a\x80\x80\x80\x80\x80b")
	s := Supply{Letters: []string{":", "é"}, Words: []string{"null"}, Others: [][]byte{[]byte("x(1)y"), []byte("é\n")}}
	for _, text := range texts {
		for _, raw := range []bool{false, true} {
			var e Edits
			e.Aim([]byte(text), raw, s)
			r := rng.New(uint64(len(text)))
			results := map[string]bool{}
			for range 2000 {
				edit, ok := e.Draw(&r)
				if !ok {
					continue
				}
				u := edit.Apply(nil, e.Text())
				if string(u) == text {
					t.Fatalf("%q: edit %v changes nothing", text, edit)
				}
				if !raw && utf8.ValidString(text) && !utf8.Valid(u) {
					t.Fatalf("%q: edit %v to %q breaks a rune", text, edit, u)
				}
				if got, want := edit.Term(nil, 3, e.Text()), term.AppendRaw(nil, 3, u); !term.Equal(got, want) {
					t.Fatalf("%q: the term of edit %v differs", text, edit)
				}
				results[string(u)] = true
			}
			if len(results) < 50 {
				t.Errorf("%q raw %v: only %d different results", text, raw, len(results))
			}
		}
	}
}

// All edits of a short text that need no other text are drawn at some time.
func TestDrawFindsTheListed(t *testing.T) {
	s := Supply{Letters: []string{"."}, Words: []string{"rc"}}
	text := "1.2"
	var e Edits
	e.Use([]byte(text), false, s)
	drawn, r := map[string]bool{}, rng.New(1)
	for range 200_000 {
		if edit, ok := e.Draw(&r); ok {
			drawn[string(edit.Apply(nil, e.Text()))] = true
		}
	}
	for u := range naive(text, false, s) {
		if !drawn[u] {
			t.Errorf("%q was never drawn", u)
		}
	}
}

// A seed always draws the same edits: otherwise a search could not be repeated. The golden file
// shows what edits are like.
func TestDrawStable(t *testing.T) {
	var out bytes.Buffer
	s := Supply{Letters: []string{":", "é"}, Words: []string{"null"}, More: []string{"more"}, Others: [][]byte{[]byte("x(1)y"), []byte("é\n")}}
	for _, text := range []string{"", "f(a, [10 x])\nif \"é\"", "{{a}b} <c>"} {
		for _, raw := range []bool{false, true} {
			var e Edits
			e.Aim([]byte(text), raw, s)
			r := rng.New(1)
			fmt.Fprintf(&out, "%q raw %v\n", text, raw)
			for range 200 {
				if edit, ok := e.Draw(&r); ok {
					fmt.Fprintf(&out, "\t%q\n", edit.Apply(nil, e.Text()))
				}
			}
		}
	}
	testkit.Golden(t, "testdata/draw.golden", out.Bytes())
}

// A token is found from each of its bytes.
func TestTokenAt(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"abc", "abc|abc|abc"},
		{"ab12=é", "ab|ab|12|12|=|é"},
		{"  ((x", "  |  |(|(|x"},
	} {
		var e Edits
		e.Aim([]byte(c.text), false, Supply{})
		var got []string
		for i := range c.text {
			got = append(got, string(e.tokenAt(i).of(e.text)))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: got %s, want %s", c.text, s, c.want)
		}
	}
}

// Without letters of the program, a random letter is printable, or any byte if the text is raw.
func TestLetter(t *testing.T) {
	for _, raw := range []bool{false, true} {
		var e Edits
		e.Aim([]byte("abc"), raw, Supply{})
		seen, r := map[byte]bool{}, rng.New(1)
		for range 20_000 {
			b := e.letter(&r)
			if len(b) != 1 || !raw && (b[0] < ' ' || b[0] > '~') {
				t.Fatalf("raw %v: %q", raw, b)
			}
			seen[b[0]] = true
		}
		if want := map[bool]int{false: 95, true: 256}[raw]; len(seen) != want {
			t.Errorf("raw %v: %d letters, want %d", raw, len(seen), want)
		}
	}
}

// shares counts what random edits do, and compares that with the numbers that the weights lead
// to: the share of each kind, in all edits that draw makes.
func shares(t *testing.T, draw func(*rng.Rand) string, want map[string]float64) {
	t.Helper()
	const draws = 50_000
	got, r := map[string]int{}, rng.New(7)
	for range draws {
		got[draw(&r)]++
	}
	for kind, share := range want {
		if n := float64(got[kind]) / draws; n < 0.9*share || n > 1.1*share {
			t.Errorf("%s: %.4f of the edits, want %.4f", kind, n, share)
		}
	}
}

func TestDrawLetter(t *testing.T) {
	var e Edits
	e.Aim([]byte("abcd"), false, Supply{Letters: []string{"."}})
	const last = 1.0 / 4 // the letter is the last one, which has no neighbour
	shares(t, func(r *rng.Rand) string {
		edit := e.drawLetter(r)
		switch old, with := string(edit.of(e.text)), string(edit.With); {
		case len(old) == 0 && edit.From > 0 && with == string(e.text[edit.From-1]):
			return "double"
		case len(old) == 0:
			return "insert"
		case len(old) == 2 && len(with) == 2:
			return "swap"
		case len(with) == 1:
			return "replace"
		case edit.To == 4:
			return "cut"
		}
		return "drop"
	}, map[string]float64{"insert": 6.0 / 13, "replace": 2.0 / 13, "double": 1.0 / 13, "swap": (1 - last) / 13,
		"drop": (1 - last) * 2 / 13, "cut": (last*2 + last + 1) / 13})
}

// Groups, lines and other texts are changed as often as their weights say. The brackets, the
// line and the other text have letters that no other edit makes.
func TestDrawWeights(t *testing.T) {
	var e Edits
	e.Aim([]byte("((((((((a))))))))"), false, Supply{Letters: []string{"."}, Others: [][]byte{[]byte("日日日")}})
	shares(t, func(r *rng.Rand) string {
		edit, _ := e.Draw(r)
		switch with := string(edit.With); {
		case strings.Contains(with, "日"):
			return "other"
		case strings.HasPrefix(with, "\n"):
			return "line"
		}
		return "rest"
	}, map[string]float64{"other": 5.0 / weights, "line": 1.0 / 3 / weights})
}

func TestLongTextsHaveNoList(t *testing.T) {
	var e Edits
	if e.Use(bytes.Repeat([]byte("a"), listMax+1), false, Supply{}) {
		t.Error("a long text has a list")
	}
}

// A random edit looks only at the neighbourhood of its place.
func BenchmarkDraw(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var e Edits
			e.Aim(bytes.Repeat([]byte("key = [1, 2, 3] # note\n"), size/23), false, Supply{Letters: []string{"="}})
			r := rng.New(1)
			for b.Loop() {
				e.Draw(&r)
			}
		})
	}
}

func ExampleEdits() {
	var e Edits
	e.Use([]byte("a=1"), false, Supply{Letters: []string{"="}})
	for i := range 6 {
		if edit, ok := e.At(i); ok {
			fmt.Printf("%q\n", edit.Apply(nil, e.Text()))
		}
	}
	// Output:
	// "=1"
	// "a1"
	// "a="
	// ""
	// "aa=1"
	// "a==1"
}
