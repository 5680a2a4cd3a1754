//go:build go1.25

package allele

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/codec"
)

// write writes case files to the folder of the property TestX.
func write(t *testing.T, files map[string]string) {
	t.Helper()
	inEmptyPackage(t)
	dir := filepath.Join("testdata", "allele", "TestX")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// People may write case files by hand. They are run in the order of their names, before
// any other input.
func TestHandWrittenCases(t *testing.T) {
	write(t, map[string]string{
		"a.case":    "&tree{K: 1 << 10} // no header",
		"b.case":    "// allele case 1\n// test     TestX\n\n&tree{K: 0x10, L: &tree{K: 'a'}}",
		"c.case":    "// test     TestOther\n&tree{K: 3}",
		"notes.txt": "not a case",
	})
	var first []int
	r := recordHere(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in *tree) {
			if in != nil && len(first) < 2 {
				first = append(first, in.K)
			}
		})
	})
	if r.failed || len(first) != 2 || first[0] != 1024 || first[1] != 16 {
		t.Errorf("first inputs %v\n%s", first, r.text())
	}
}

// A case file that cannot be read fails the test: a regression test must not silently stop
// testing.
func TestBrokenCases(t *testing.T) {
	for text, want := range map[string]string{
		"&tree{K: ":                     "a.case:1:",
		"// allele case 99\n&tree{}":    "a.case:1:",
		"\n\n&tree{K: 1}}":              "a.case:3:",
		strings.Repeat("x", 17<<20):     "a.case:1:",
		strings.Repeat("(", 60_000):     "a.case:1:",
		"&tree{K: 1, Q: 2, L: 3}":       "a.case:1: in.L: cannot use 3 as a tree",
		"// allele case 1\n// what? \n": "a.case:",
	} {
		write(t, map[string]string{"a.case": text})
		r := recordHere(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in *tree) {}) })
		r.has(t, "cannot read a stored case: ", want, "fix or delete this file")
	}
}

// A correct case that this program cannot run is not an error, unless ALLELE_STRICT is set.
func TestCasesNotRun(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
		opts       []Option
	}{
		"a number outside the range":    {"&tree{K: 200}", "a.case:1: in.K: 200 is outside the declared range", []Option{Range(0, 99)}},
		"an omitted number outside":     {"&tree{L: &tree{K: 3}}", "a.case:1: in.K: omitted, but 0 is outside the declared range", []Option{Range(1, 99)}},
		"a value that is not declared":  {"&tree{K: 3}", "a.case:1: in.K: 3 is not among the declared values", []Option{Values(1, 2)}},
		"fields instead of the builder": {"&tree{K: 3}", "a.case:1: in: &tree{...} does not call a builder of *allele.tree", []Option{Builder(leaf)}},
		"an unknown function":           {"plant(3)", "a.case:1: in: plant(...) does not call a builder of tree", nil},
	} {
		for _, strict := range []string{"", "1"} {
			t.Setenv("ALLELE_STRICT", strict)
			write(t, map[string]string{"a.case": c.text})
			r := recordHere(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in *tree) {}, c.opts...) })
			if r.failed != (strict != "") || r.failed && !strings.Contains(r.text(), c.want) {
				t.Errorf("%s, strict %q: failed is %v\n%s", name, strict, r.failed, r.text())
			}
		}
	}
}

func leaf(k int) *tree { return &tree{K: k} }

func TestExamples(t *testing.T) {
	big := &tree{K: 5, L: &tree{K: 3, L: &tree{K: 7}}, R: &tree{}}
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in *tree) {
			if in != nil && in.L != nil && in.L.L != nil && in.L.L.K == 7 {
				t.Error("seven")
			}
		}, Example(&tree{}), Example(big), Tests(0))
	})
	r.has(t, "property failed: seven", "shrunk from 4 nodes to 3", "L: &tree{L: &tree{K: 7}}", "from     Example 2", "saved")
}

// Declarations apply to the path or type that they name and to nothing else.
func TestDeclarations(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct {
			Tree  *tree
			Other *tree
			Level level
		}) {
			in.Tree.each(func(k int) {
				if k < 3 || k > 5 {
					t.Errorf("Tree.K is %d", k)
				}
			})
			in.Other.each(func(k int) { t.Label("small", k >= 3 && k <= 5) })
			if in.Level != "low" && in.Level != "high" {
				t.Errorf("level %q", in.Level)
			}
		}, At("Tree.K", Range(3, 5)), Values[level]("low", "high"))
	})
	if r.failed {
		t.Error(r.text())
	}
}

type level string

func (t *tree) each(f func(int)) {
	if t != nil {
		f(t.K)
		t.L.each(f)
		t.R.each(f)
	}
}

// A call of an unknown function is not a conversion of its argument, whatever the argument
// is: it would be another input.
func TestUnknownCallsAreNotConversions(t *testing.T) {
	for _, text := range []string{"plant(nil)", "plant(nil...)", "plant(&tree{K: 3})", "(plant)(nil)", "garden.Plant(nil)"} {
		t.Setenv("ALLELE_STRICT", "1")
		write(t, map[string]string{"a.case": text})
		r := recordHere(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in *tree) {}) })
		r.has(t, "a.case:1: in: ", "does not call a builder of tree")
	}
	for _, text := range []string{"nil", "(*tree)(nil)", "(*allele.tree)(nil)", "&tree{L: (*tree)(nil)}"} {
		write(t, map[string]string{"a.case": text})
		if r := recordHere(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in *tree) {}) }); r.failed {
			t.Errorf("%s:\n%s", text, r.text())
		}
	}
}

// A case that is made by fields counts like any other case that passes: for a Check that
// generates nothing, and for one that is vacuous without its saved cases.
func TestCasesByFieldsCount(t *testing.T) {
	file := func(verdict string) string {
		head := codec.Header{Test: "TestX", Verdict: verdict}
		return string(codec.WithFields(codec.Encode(head, "plant(3)"), "&tree{K: 12345, L: &tree{}, R: &tree{R: &tree{}}}"))
	}
	write(t, map[string]string{"a.case": file("failed")})
	if r := recordHere(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in *tree) {}, Tests(0)) }); r.failed {
		t.Errorf("nothing generated:\n%s", r.text())
	} else {
		r.has(t, "1 stored case, none generated")
	}
	write(t, map[string]string{"keep-1.case": file("passed")})
	r := recordHere(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in *tree) { t.Assume(in != nil && in.K == 12345 && in.L != nil) })
	})
	if r.failed {
		t.Errorf("saved:\n%s", r.text())
	}
}

// A case that allele stored, and could not shrink before its process ended, is replaced by
// the shrunk case. A case with another name stays.
func TestUnshrunkCases(t *testing.T) {
	big := &tree{K: 9, L: &tree{K: 1}, R: &tree{K: 2}}
	var own string
	record(t, "TestX", func(t testing.TB) {
		p, _, err := prepare(t, reflect.TypeFor[*tree](), reflect.ValueOf(leaf).Pointer(), nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := p.World.Read(reflect.ValueOf(big))
		if err != nil {
			t.Fatal(err)
		}
		own = filepath.Base(p.FailFile(x))
	})
	for name, want := range map[string]int{own: 1, "mine.case": 2} {
		write(t, map[string]string{name: "&tree{K: 9, L: &tree{K: 1}, R: &tree{K: 2}}"})
		recordHere(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in *tree) {
				if in != nil && in.K > 8 {
					t.Error("more than eight")
				}
			})
		})
		left, _ := filepath.Glob(filepath.Join("testdata", "allele", "TestX", "*.case"))
		if len(left) != want {
			t.Errorf("%s: left are %v, want %d files", name, left, want)
		}
	}
}
