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
	want := "TestClosure TestDirect TestExternal TestHanded TestHelper TestIface TestMethod TestTable TestVar"
	if got := strings.Join(Tests(prog, "scratch"), " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
