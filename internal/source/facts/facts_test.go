//go:build go1.25

package facts

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

func TestTests(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
		"a.go": "package a\n",
		"a_test.go": `package a

import (
	"testing"

	"github.com/allele-go/allele"
)

func prop(t *allele.T, in int) {}

func helper(t testing.TB) { inner(t) }

func inner(t testing.TB) { allele.Check(t, prop) }

type suite struct{ t *testing.T }

func (s suite) run() { allele.Check(s.t, prop) }

func TestDirect(t *testing.T)  { allele.Check(t, prop) }
func TestHelper(t *testing.T)  { helper(t) }
func TestClosure(t *testing.T) { t.Run("x", func(t *testing.T) { helper(t) }) }
func TestHanded(t *testing.T)  { f := inner; f(t) }
func TestMethod(t *testing.T)  { suite{t}.run() }
func TestOther(t *testing.T)   { _ = prop }
func TestVar(t *testing.T)     { inVar(t) }
func TestTable(t *testing.T)   { for n, f := range table { t.Run(n, f) } }
func TestIface(t *testing.T)   { var r runner = suite{t}; r.run() }

var inVar = func(t *testing.T) { allele.Check(t, prop) }
var table = map[string]func(*testing.T){"x": inVar}
type runner interface{ run() }
func TestMain(m *testing.M)    { m.Run() }
func Benchmark(b *testing.B)   { allele.Check(b, prop) }
func FuzzSeeds(f *testing.F)   { f.Fuzz(func(t *testing.T, n int) { allele.Check(t, prop) }) }
func Testing(t *testing.T)     { allele.Check(t, prop) }
`,
		"x_test.go": `package a_test

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestExternal(t *testing.T) { allele.Check(t, func(t *allele.T, in int) {}) }
func TestNothing(t *testing.T)  {}
`})
	prog, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}})
	if err != nil {
		t.Fatal(err)
	}
	want := "FuzzSeeds TestClosure TestDirect TestExternal TestHanded TestHelper TestIface TestMethod TestTable TestVar"
	names, maybe := NewCalls(prog).Tests("scratch")
	if got := strings.Join(names, " "); got != want || maybe != nil {
		t.Errorf("got %s and maybe %s, want %s", got, maybe, want)
	}
}

// Where the source does not show which test calls a function with a Check, those that may do so
// are found. Other tests are not: running them may take long.
func TestMaybe(t *testing.T) {
	const imports = "package a\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\nfunc prop(t *allele.T, in int) {}\n" +
		"func TestShown(t *testing.T) { allele.Check(t, prop) }\nfunc TestAlone(t *testing.T) { println(1) }\n" +
		"type bare struct{}\nfunc TestBare(t *testing.T) { run(t, bare{}) }\nfunc run(t *testing.T, all any) {}\n"
	for _, c := range []struct{ what, source, want string }{
		{"nothing is missing", "", ""},
		{"a suite", `type suite struct{ t *testing.T }
func (s *suite) TestOne() { allele.Check(s.t, prop) }
func TestSuite(t *testing.T) { run(t, &suite{t}) }`, "TestSuite"},
		{"a suite made by a function", `type suite struct{ t *testing.T }
func (s *suite) TestOne() { one(s.t) }
func one(t *testing.T) { allele.Check(t, prop) }
func newSuite(t *testing.T) *suite { return &suite{t} }
func TestSuite(t *testing.T) { run(t, newSuite(t)) }`, "TestSuite"},
		{"an embedded suite", `type base struct{ t *testing.T }
func (s *base) TestOne() { allele.Check(s.t, prop) }
type suite struct { base; n int }
func TestSuite(t *testing.T) { run(t, new(suite)) }`, "TestSuite"},
		{"a suite in a table", `type suite struct{ t *testing.T }
func (s suite) CheckOne(t *testing.T) { allele.Check(s.t, prop) }
var all = []any{suite{}}
func TestSuite(t *testing.T) { for _, s := range all { run(t, s) } }`, "TestSuite"},
		{"a method that reflection cannot call", `type suite struct{ t *testing.T }
func (s *suite) one() { allele.Check(s.t, prop) }
func TestSuite(t *testing.T) { run(t, new(suite)) }`, ""},
		{"a function that init adds to a variable", `var all []func(*testing.T)
func init() { all = append(all, func(t *testing.T) { allele.Check(t, prop) }) }
func TestAll(t *testing.T) { for _, f := range all { f(t) } }`, "TestAll"},
		{"a function that is registered", `var all = map[string]func(*testing.T){}
func register(name string, f func(*testing.T)) { all[name] = f }
func init() { register("one", one) }
func one(t *testing.T) { allele.Check(t, prop) }
func every(t *testing.T) { for _, f := range all { f(t) } }
func TestAll(t *testing.T) { every(t) }`, "TestAll"},
		{"a variable that holds no function", `var n int
func init() { n = 1; println(one) }
func one(t *testing.T) { allele.Check(t, prop) }
func TestNumber(t *testing.T) { println(n) }`, ""},
		{"a helper that nobody uses", `func one(t *testing.T) { allele.Check(t, prop) }`, ""},
		{"fuzz targets", `type suite struct{ t *testing.T }
func (s *suite) TestOne() { allele.Check(s.t, prop) }
func FuzzSuite(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { run(t, &suite{t}) }) }`, "FuzzSuite"},
	} {
		dir := testkit.Module(t, map[string]string{"a.go": "package a\n", "a_test.go": imports + c.source + "\n"})
		prog, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}})
		if err != nil {
			t.Fatal(c.what, err)
		}
		if names, maybe := NewCalls(prog).Tests("scratch"); strings.Join(maybe, " ") != c.want || len(names) != 1 {
			t.Errorf("%s: %s and maybe %s, want %s", c.what, names, maybe, c.want)
		}
	}
}
