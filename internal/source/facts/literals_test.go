//go:build go1.25

package facts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// literalsOf returns the constants that the packages of a scratch module compare
// with, one per line.
func literalsOf(t *testing.T, files map[string]string) (dir string, all map[string][]string) {
	t.Helper()
	dir = testkit.Module(t, files)
	prog, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}})
	if err != nil {
		t.Fatal(err)
	}
	all = map[string][]string{}
	for _, pkg := range prog.Scope {
		found, inTests := Literals(pkg)
		all[pkg.Key()], all["tests of "+pkg.Key()] = found, inTests
	}
	return dir, all
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"comparison", "func f(n int) bool { return n == 7 || 9 > n || n != -3 }", "int(7) int(9) int(-3)"},
		{"no comparison", "func f(n int) int { return n + 7 }", ""},
		{"comparison of two constants", "const k = 4\nvar b = k == 4", ""},
		{"each constant once", "func f(a, b int8) bool { return a == 5 && b == 5 }", "int8(5)"},
		{"the same constant of several types", "func f(a int8, b uint16, c rune, d byte) bool { return a == 5 && b == 5 && c == 'x' && d == 'x' }", "int8(5) uint16(5) int32(120) uint8(120)"},
		{"large", "func f(n uint64, m int64) bool { return n == 1<<64-1 || m == -1<<63 }", "uint64(18446744073709551615) int64(-9223372036854775808)"},
		{"floats", "func f(x float64, y float32) bool { return x < 0.1 || x > 1e100 || y == 3 }", "float64(0.1) float64(1e+100) float32(3)"},
		{"1e3 may be an int", "func f(n int) bool { return n == 1e3 }", "int(1000)"},
		{"named type", "type Color uint8\nfunc f(c Color) bool { return c == 200 }", "Color(200)"},
		{"alias", "type Color = uint8\nfunc f(c Color) bool { return c == 200 }", "uint8(200)"},
		{"local type", "func f(n int) bool { type local int; return local(n) == 3 }", ""},
		{"type of another package", "import \"time\"\n\nfunc f(d time.Duration) bool { return d > time.Second }", ""},
		{"type parameter", "func f[N ~int | ~int8](n N) bool { return n == 3 }", ""},
		{"in an interface", "func f(x any) bool { return x == 3 || x == \"a\" }", "int(3) string(\"a\")"},
		{"bool and nil", "func f(b bool, p *int) bool { return b == true && p == nil }", ""},
		{"switch", "type S string\nfunc f(s S) int { switch s { case \"on\", \"off\": return 1; default: return 0 } }", `S("on") S("off")`},
		{"switch without a tag", "func f(n int) int { switch { case n < 2: return 1 }; return 0 }", "int(2)"},
		{"map", "var m = map[string]int{\"a\": 1, \"b\\xff\": 2}", `string("a") string("b\xff")`},
		{"index of an array", "var a = [...]int{3: 1}", ""},
		{"search", "import \"strings\"\n\nfunc f(s string) bool { return strings.HasPrefix(s, \"pre:\") || strings.Repeat(s, 2) == \"\" }", `string("pre:") string("")`},
		{"search for letters", "import \"strings\"\n\nfunc f(s string) bool { return strings.IndexByte(s, ':') < strings.IndexAny(s, \"?#\") && strings.ContainsRune(s, 'é') }", `uint8(58) string("?#") int32(233)`},
		{"search of bytes", "import \"bytes\"\n\nfunc f(b []byte) bool { return bytes.HasSuffix(b, []byte(\"end\")) }", `[]byte("end")`},
		{"method of the same name", "type T struct{}\nfunc (T) HasPrefix(s string) bool { return true }\nvar b = T{}.HasPrefix(\"no\")", ""},
		{"a type called int", "type int string\nfunc f(n int) bool { return n == \"x\" }\nfunc g(s string) bool { return len(s) == 3 }", `int("x")`},
	} {
		_, all := literalsOf(t, map[string]string{"a.go": "package a\n\n" + c.code + "\n"})
		if got := strings.Join(all["scratch"], " "); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Comparisons in tests count as well. They are listed separately, because the package may
// be built without its tests, and then it cannot name the types that tests declare.
func TestLiteralsOfTests(t *testing.T) {
	_, all := literalsOf(t, map[string]string{
		"a.go":        "package a\n\ntype N int\n\nfunc g(n N) bool { return n == 3 }\n",
		"a_test.go":   "package a\n\ntype own int\n\nfunc f(n N, o own) bool { return n == 5 && o == 6 && n == 3 }\n",
		"a_x_test.go": "package a_test\n\ntype own int\n\nfunc f(o own, s string) bool { return o == 7 && s == \"x\" }\n",
	})
	got := fmt.Sprint(all["scratch"], all["tests of scratch"], all["scratch!external"], all["tests of scratch!external"])
	if want := `[N(3)] [N(5) own(6)] [own(7) string("x")] []`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLiteralsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "\tcase %d:\n\t\treturn %d\n", i, i)
	}
	_, all := literalsOf(t, map[string]string{"a.go": "package a\n\nfunc f(n int, s string) int {\n\tif s == \"x\" || s == \"" + strings.Repeat("long", 1000) + "\" {\n\t\treturn 1\n\t}\n\tswitch n {\n" + b.String() + "\t}\n\treturn -1\n}\n"})
	if got := all["scratch"]; len(got) != 257 || got[0] != `string("x")` || got[256] != "int(255)" {
		t.Errorf("%d: %s", len(got), got)
	}
}
