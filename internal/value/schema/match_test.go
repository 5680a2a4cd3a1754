//go:build go1.25

package schema_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// matching derives the strings that match an expression.
func matching(t testing.TB, expr string) (*schema.World, error) {
	t.Helper()
	m, err := schema.NewMatch(expr)
	if err != nil {
		return nil, err
	}
	return schema.Derive(reflect.TypeFor[string](), []schema.Decl{{Type: reflect.TypeFor[string](), What: m, Tier: schema.Local}})
}

func mustMatching(t testing.TB, expr string) *schema.World {
	t.Helper()
	w, err := matching(t, expr)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// value returns the string of a term. ok is false if the builder refuses it.
func value(w *schema.World, x term.Term) (s string, ok bool) {
	v, ok := w.Value(x)
	return v.String(), ok
}

var expressions = []string{
	``, `a`, `abc`, `a|b`, `abc|abd|x`, `a*`, `a+b?`, `[a-c]{2,4}`, `(ab)*`, `(a|bc)*d`, `\d+\.\d+\.\d+(-[0-9a-z]+)?`,
	`^a+$`, `(?i)get|post`, `(?i)k`, `.`, `(?s).*`, `[^a-z]+`, `\pL+`, `\p{Greek}\P{Greek}?`, `\x{d800}|a`, `[\x{d700}-\x{e000}]`,
	`(a*)*`, `(a|a)*b`, `((a?){3}){2}`, `x{0}y`, `x{3}`, `x{2,}`, `(x{2}){3}`, `(a?)*`, `()*`, `(|a)+`, `a??b+?`,
	`\bfoo\b.*\bbar\b`, `(?m)^a$\n^b$`, `a\b.`, `a\Bb`, `(^a|b)c`, `(a$|b)c?`, `(\b|x)y`, `(^)*a`, `(?:^$)`, `a\z`, `\A\Aa`,
	`[[:word:]]+@[a-z]{1,3}(\.[a-z]{2,3}){1,2}`, `"([^"\\]|\\.)*"`, `\w(\b\W)+`, `(\w+)=(\w*)(;(\w+)=(\w*))*`, `[^\x00-\x{10ffff}]|q`, `(a{0,3}b{1,2}){1,50}`,
}

// Texts that are generated, or are changes of generated ones, match the expression
// according to package regexp, and a text that matches is parsed back: the derivation has
// this text.
func TestMatch(t *testing.T) {
	for _, expr := range expressions {
		t.Run(expr, func(t *testing.T) { checkMatch(t, expr, 60) })
	}
}

func checkMatch(t *testing.T, expr string, terms int) (texts map[string]bool) {
	t.Helper()
	w, twin := mustMatching(t, expr), regexp.MustCompile(`^(?:`+expr+`)$`)
	g, texts := gen.New(w), map[string]bool{}
	m := mutate.New(w, mutate.Config{Kinds: ^mutate.Mirror, Samples: 1, Size: 6, NeighboursMax: 1})
	check := func(x term.Term, fresh bool) {
		s, ok := value(w, x)
		if !ok {
			if fresh {
				t.Fatalf("a fresh term has no value: %v", x)
			}
			return
		}
		if !twin.MatchString(s) {
			t.Fatalf("%q does not match", s)
		}
		if !texts[s] {
			texts[s] = true
			reads(t, w, s)
		}
	}
	check(w.Root.Least, true)
	for run := range uint64(terms) {
		x := g.Term(rng.At(1, run), int(run)%20).Clone()
		if n := w.Cells(x); n > g.Bound(int(run)%20) {
			t.Fatalf("%d cells at size %d", n, run%20)
		}
		check(x, true)
		b := m.Batch(x, run)
		for range 100 {
			u, ok := m.Next(&b)
			if !ok {
				break
			}
			check(u.Term, false)
		}
	}
	return texts
}

// reads parses a text, and compares the text of the derivation.
func reads(t testing.TB, w *schema.World, s string) {
	t.Helper()
	x, err := w.Read(reflect.ValueOf(s))
	if err != nil {
		t.Fatal(err)
	}
	if back, ok := value(w, x); !ok || back != s {
		t.Fatalf("%q was read as the derivation of %q, which has a value: %v", s, back, ok)
	}
	if y, err := w.Read(reflect.ValueOf(s)); err != nil || !term.Equal(x, y) {
		t.Fatalf("%q was read in two ways", s)
	}
}

// A text over a small alphabet is read exactly if package regexp says that it matches.
func TestMatchReadsWhatMatches(t *testing.T) {
	texts := []string{""}
	for from := 0; len(texts) < 800; from++ {
		for _, c := range []string{"a", "b", "c", " ", "\n", "\xff"} {
			texts = append(texts, texts[from]+c)
		}
	}
	for _, expr := range []string{
		`a*b?c*`, `(a|b)*c`, `(a|ab)(c|bc)`, `(a*)*`, `[^a]+`, `.*`, `(?s).*`, `\ba\b.*`, `(?m)^a$\n?b*`, `(ab?){1,2}c{2}`, `a|^b|c$|(^| )a`, `(?i)AB*`, `(a{0,2}b){2,3}`, `\s\S`, `()`, `(a?){2}`,
	} {
		w, twin := mustMatching(t, expr), regexp.MustCompile(`^(?:`+expr+`)$`)
		for _, s := range texts {
			want := twin.MatchString(s) && !strings.Contains(s, "\xff") // allele makes no text that is not UTF-8
			_, err := w.Read(reflect.ValueOf(s))
			if (err == nil) != want {
				t.Errorf("%s: %q matches: %v; reading it: %v", expr, s, want, err)
			}
			if err == nil {
				reads(t, w, s)
			}
		}
	}
}

// A small language is generated completely.
func TestMatchGeneratesAll(t *testing.T) {
	for expr, want := range map[string]int{
		`a|b|cd`: 3, `[a-c]{0,2}`: 13, `(?i)ab`: 4, `x?y?`: 4, `(a|b)(c|d)?`: 6, `^(a|b\b|\Bc)$`: 2,
	} {
		if got := checkMatch(t, expr, 300); len(got) != want {
			t.Errorf("%s: %d texts, want %d: %v", expr, len(got), want, got)
		}
	}
}

// Errors name the expression and the position.
func TestMatchErrors(t *testing.T) {
	for _, c := range []struct{ expr, text, want string }{
		{`\d+\.\d+`, "12.x", "in: \"12.x\" does not match `\\d+\\.\\d+`: it does not fit from byte 3 on"},
		{`\d+\.\d+`, "12.", "in: \"12.\" does not match `\\d+\\.\\d+`: the text ends too early"},
		{`\d+`, "12é", "in: \"12é\" does not match `\\d+`: it does not fit from byte 2 on"},
		{`.+`, "a\xffb", "in: \"a\\xffb\" does not match `.+`: byte 1 is not UTF-8"},
		{`a.*\bc`, "abc", "in: \"abc\" does not match `a.*\\bc`: a condition such as ^, $ or \\b does not hold"},
		{"a`", strings.Repeat("a", 99), "in: \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" does not match \"a`\": it does not fit from byte 1 on"},
	} {
		_, err := mustMatching(t, c.expr).Read(reflect.ValueOf(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s, %q: got\n%v\nwant\n%s", c.expr, c.text, err, c.want)
		}
	}
}

// A change may violate a condition. Then Build names the expression.
func TestMatchRefuses(t *testing.T) {
	w := mustMatching(t, `a[ b]\bc?`)
	x, err := w.Root.Parse("a c")
	if err != nil {
		t.Fatal(err)
	}
	b, in := schema.NewBuilder(w), ""
	if !b.Build(x, unsafe.Pointer(&in)) || in != "a c" {
		t.Fatalf("built %q", in)
	}
	for at := range x.Nodes() {
		if w.Of(x[at]).Class != nil {
			x[at].X = 1 - x[at].X // "abc", where \b does not hold
		}
	}
	if b.Build(x, unsafe.Pointer(&in)) || b.Refused().Name != "Match(`a[ b]\\bc?`)" || !schema.Is[schema.Filter](b.Refused()) {
		t.Errorf("built %q, refused by %+v", in, b.Refused())
	}
}

// An expression that nothing matches is refused.
func TestMatchNothing(t *testing.T) {
	for _, expr := range []string{`[^\x00-\x{10ffff}]`, `a\bb`, `a^b`, `$a`, `a[^\x00-\x{10ffff}]+`, `(a\b){2}`, `\x{d800}`, `a(?m:$)b`} {
		if _, err := matching(t, expr); err == nil || !strings.Contains(err.Error(), "no text matches `"+expr+"`") {
			t.Errorf("%s: %v", expr, err)
		}
	}
}

// Expressions and texts that would take long end soon.
func TestMatchIsBounded(t *testing.T) {
	start := time.Now()
	long := strings.Repeat("a", 20_000)
	for expr, text := range map[string]string{
		`(a*)*b`: long, `(a|aa)+b`: long, `(a?){500}a{500}`: long[:500], `((a{0,10}){0,10}){0,10}`: long, `(x+x+)+y`: strings.Repeat("x", 20_000),
		`(([a-z]{0,30}){0,30})*`: long,
	} {
		w := mustMatching(t, expr)
		_, err := w.Read(reflect.ValueOf(text))
		want := regexp.MustCompile(`^(?:` + expr + `)$`).MatchString(text)
		if (err == nil) != want && !strings.Contains(fmt.Sprint(err), "too long to be compared") {
			t.Errorf("%s: %v", expr, err)
		}
		gen.New(w).Term(rng.At(1, 1), 20)
	}
	if _, err := schema.NewMatch(strings.Repeat("[ab]x", 4000)); err == nil {
		t.Error("an expression of 8,000 parts in 4,000 classes is accepted")
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("took %v", d)
	}
}

// Byte slices, named types, map keys and fields at a path have expressions too.
func TestMatchTypes(t *testing.T) {
	type word string
	type raw []byte
	type inner struct{ A, B string }
	type input struct {
		Word word
		Raw  raw
		In   inner
		More []inner
		Map  map[word]int
	}
	match := func(expr string) *schema.Match {
		m, err := schema.NewMatch(expr)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	w, err := schema.Derive(reflect.TypeFor[input](), []schema.Decl{
		{Type: reflect.TypeFor[word](), What: match(`(a|b)*`), Tier: schema.Local},
		{Type: reflect.TypeFor[raw](), What: match(`x+`), Tier: schema.Local},
		{What: schema.At{Path: "In.A", Sub: []schema.Decl{{Type: reflect.TypeFor[string](), What: match(`in`), Tier: schema.Local}}}, Tier: schema.Local},
		{What: schema.At{Owner: reflect.TypeFor[inner](), Path: "B", Sub: []schema.Decl{{Type: reflect.TypeFor[string](), What: match(`[bc]`), Tier: schema.Local}}}, Tier: schema.Local},
	})
	if err != nil {
		t.Fatal(err)
	}
	g := gen.New(w)
	for run := range uint64(300) {
		v, ok := w.Value(g.Term(rng.At(2, run), 20))
		in := v.Interface().(input)
		good := ok && strings.Trim(string(in.Word), "ab") == "" && len(in.Raw) > 0 && strings.Trim(string(in.Raw), "x") == "" && in.In.A == "in"
		for _, x := range append(in.More, in.In) {
			good = good && (x.B == "b" || x.B == "c")
		}
		if !good {
			t.Fatalf("%+v", in)
		}
		x, err := w.Read(v)
		if err != nil {
			t.Fatal(err)
		}
		if again, ok := w.Value(x); !ok || !reflect.DeepEqual(again.Interface(), v.Interface()) {
			t.Fatalf("%+v was read as %+v", v, again)
		}
	}
}
