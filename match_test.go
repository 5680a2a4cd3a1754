//go:build go1.25

package allele

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
)

type version string

// Texts match as a whole, they vary, and At, Field and Declare work with Match.
func TestMatch(t *testing.T) {
	type release struct {
		Version version
		Name    string
		Raw     []byte
	}
	semver, name, raw := regexp.MustCompile(`^\d+\.\d+\.\d+(-[a-z]+)?$`), regexp.MustCompile(`^[A-Z][a-z]*$`), regexp.MustCompile(`^(\x00|ab){2,3}$`)
	seen, pre := map[version]bool{}, 0
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in release) {
			if !semver.MatchString(string(in.Version)) || !name.MatchString(in.Name) || !raw.Match(in.Raw) {
				t.Fatalf("%q", in)
			}
			if seen[in.Version] = true; strings.Contains(string(in.Version), "-") {
				pre++
			}
		}, Match[version](`\d+\.\d+\.\d+(-[a-z]+)?`), At("Name", Match[string](`[A-Z][a-z]*`)), Field[release]("Raw", Match[[]byte](`(\x00|ab){2,3}`)),
			Example(release{"1.2.3", "Bob", []byte("ab\x00")}))
	})
	if r.Failed() || len(seen) < 500 || pre < 100 || pre > 700 || !seen["1.2.3"] {
		t.Errorf("%d versions, %d with a suffix\n%s", len(seen), pre, r.text())
	}
}

// A failing text is shrunk inside the language. Its case has the plain text, which is read back.
func TestMatchShrinks(t *testing.T) {
	inEmptyPackage(t)
	check := func(expr string) *recorder {
		return recordHere(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in version) {
				if strings.Count(string(in), ".") > 1 && strings.Contains(string(in), "-") {
					t.Error("found")
				}
			}, Match[version](expr))
		})
	}
	check(`v\d+(\.\d+)*(-[a-z]+)?`).has(t, "found", `var in version = "v0.0.0-a"`)
	check(`v\d+(\.\d+)*(-[a-z]+)?`).has(t, `var in version = "v0.0.0-a"`, "from     testdata/allele/TestX/fail-")
	check(`v\d+(\.[1-9])*(-[a-z]+)?`).has(t, "\"v0.0.0-a\" does not match `v\\d+(\\.[1-9])*(-[a-z]+)?`: it does not fit from byte 3 on")
}

func TestMatchMistakes(t *testing.T) {
	for _, c := range []struct {
		what string
		opts []Option
		want string
	}{
		{"no expression", []Option{Match[string](`a(`)}, "Match[string](\"a(\"): error parsing regexp: missing closing ): `a(`"},
		{"nothing matches", []Option{Match[string](`a\bb`)}, "in.S (string): no text matches `a\\bb`"},
		{"no such type", []Option{Match[version](`a`)}, "Match[allele.version]: no field has type allele.version; the fields are in.S (string)"},
		{"declared twice", []Option{Match[string](`a`), Match[string](`b`)}, "Match[string] is declared twice; remove one"},
		{"an example that does not match", []Option{Match[string](`\d+`), Example(struct{ S string }{"1x"})},
			"in.S: \"1x\" does not match `\\d+`: it does not fit from byte 1 on"},
	} {
		t.Run(c.what, func(t *testing.T) {
			record(t, "TestX", func(t testing.TB) {
				Check(t, func(t *T, in struct{ S string }) {}, c.opts...)
			}).has(t, c.want)
		})
	}
}

// rx is a small regular expression.
type (
	rx     interface{ rx() string }
	rxChar struct{ C byte }
	rxOne  struct {
		Not bool
		Of  [2]byte
	}
	rxSeq  struct{ A, B rx }
	rxOr   struct{ A, B rx }
	rxMany struct {
		A        rx
		Min, Max uint8
	}
	rxSign string
)

func (x rxChar) rx() string { return string(rune(x.C)) }
func (x rxOne) rx() string {
	if x.Not {
		return "[^" + string(x.Of[:]) + "]"
	}
	return "[" + string(x.Of[:]) + "]"
}
func (x rxSeq) rx() string  { return x.A.rx() + x.B.rx() }
func (x rxOr) rx() string   { return "(" + x.A.rx() + "|" + x.B.rx() + ")" }
func (x rxSign) rx() string { return string(x) }
func (x rxMany) rx() string {
	ops := []string{"*", "+", "?", "{2}", "{0,2}", "{2,3}", "{1,}"}
	return "(?:" + x.A.rx() + ")" + ops[int(x.Min+x.Max)%len(ops)]
}

// For a random expression, the texts of all fresh terms and of all their small changes match it,
// and each is read back.
func TestMatchOfRandomExpressions(t *testing.T) {
	texts, none := 0, 0
	Check(t, func(t *T, x rx) {
		expr := x.rx()
		twin, err := regexp.Compile("^(?:" + expr + ")$")
		t.Assume(err == nil) // not (x{2}){1000} and the like
		m, err := schema.NewMatch(expr)
		if err != nil {
			t.Fatal(err)
		}
		w, err := schema.Derive(reflect.TypeFor[string](), []schema.Decl{{Type: reflect.TypeFor[string](), What: m, Tier: schema.Local}})
		if err != nil {
			none++
			for _, s := range []string{"", "a", "b", "c", "k", " ", "ab", "a b", "\n", "a\n", "\na"} {
				if twin.MatchString(s) {
					t.Fatalf("%s matches %q, but %v", expr, s, err)
				}
			}
			return
		}
		g, mutants := gen.New(w), mutate.New(w, mutate.Config{Kinds: ^mutate.Mirror, Samples: 1, Size: 4})
		for run := range uint64(5) {
			parent := g.Term(rng.At(1, run), int(run)*3).Clone()
			batch := mutants.Batch(parent, run)
			u, fresh := mutate.Mutant{Term: parent}, true
			for n, ok := 0, true; ok && n < 50; n++ {
				switch v, built := w.Value(u.Term); {
				case !built && fresh:
					t.Fatalf("%s: a fresh term has no value", expr)
				case built && !twin.MatchString(v.String()):
					t.Fatalf("%s does not match %q", expr, v)
				case built:
					texts++
					back, err := w.Read(v)
					if err != nil {
						t.Fatal(err)
					}
					if again, ok := w.Value(back); !ok || again.String() != v.String() {
						t.Fatalf("%s: %q is read as %q", expr, v, again)
					}
				}
				u, ok = mutants.Next(&batch)
				fresh = false
			}
		}
	}, Tests(300), Size(12), Variants[rx](rxChar{}, rxOne{}, rxSeq{}, rxOr{}, rxMany{}, rxSign("")), Range[byte]('a', 'c'),
		Values[rxSign](`\b`, `^`, `$`, `\B`, `.`, `\w`, `(?i:k)`, `\PL`, `(?m:^)`, ` `))
	t.Logf("%d texts; nothing matches %d expressions", texts, none)
	if texts < 5000 || none == 0 {
		t.Errorf("%d texts; nothing matches %d expressions", texts, none)
	}
}
