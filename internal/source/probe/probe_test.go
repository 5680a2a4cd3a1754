//go:build go1.25

package probe

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/edit"
	"github.com/allele-go/allele/internal/testkit"
)

// Importing from source is slow, so all tests share one importer.
var (
	fset    = token.NewFileSet()
	imports = importer.ForCompiler(fset, "source", nil)
)

// rewrite instruments a source text and returns it with its sites.
func rewrite(t *testing.T, src []byte, opts Options) ([]byte, []site.Site) {
	t.Helper()
	f, err := parser.ParseFile(fset, "a.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Importer: imports}
	if _, err := conf.Check("a", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	var sites []site.Site
	opts.Site = func(s site.Site) uint32 {
		s.ID = uint32(len(sites))
		sites = append(sites, s)
		return s.ID
	}
	var b edit.Buffer
	New(fset, info, opts).File(f, &b)
	return b.Apply(src), sites
}

// short abbreviates probes to make golden files readable: <7> is a probe with the
// position in a local variable, ~ a probe that reads the position first, ! a
// probe that checks the limit, <7()> a probe that is a call. A number with c is a
// function or a clause, a number with l is a loop.
var short = []struct{ pattern, with string }{
	{`alleleP_:=allelePos_;`, "<local>"},
	{`alleleP_=allelePos_;if alleleP_>=alleleLim_\{alleleP_=alleleSlow_\(\)\};alleleBuf_\[alleleP_&131071\]=(\d+);.*?allelePos_=alleleP_;`, "<~!$1>"},
	{`if alleleP_>=alleleLim_\{alleleP_=alleleSlow_\(\)\};alleleBuf_\[alleleP_&131071\]=(\d+);.*?allelePos_=alleleP_;`, "<!$1>"},
	{`alleleP_=allelePos_;alleleBuf_\[alleleP_&131071\]=(\d+);.*?allelePos_=alleleP_;`, "<~$1>"},
	{`alleleBuf_\[alleleP_&131071\]=(\d+);.*?allelePos_=alleleP_;`, "<$1>"},
	{`alleleHit_\((\d+)\);`, "<$1()>"},
	{`alleleCheck_\((\d+)\);`, "<!$1()>"},
	{`\|\|!alleleOperand_\((\d+)\)\)`, "<|$1>)"},
	{`&&alleleOperand_\((\d+)\)\)`, "<&$1>)"},
}

func brief(src []byte) []byte {
	for _, s := range short {
		src = regexp.MustCompile(s.pattern).ReplaceAll(src, []byte(s.with))
	}
	return regexp.MustCompile(`\d{8}`).ReplaceAllFunc(src, func(n []byte) []byte {
		sym, _ := strconv.Atoi(string(n))
		kind := map[int]string{bitCoarse: "c", bitLoop: "l"}[sym&(bitCoarse|bitLoop)]
		return []byte(strconv.Itoa(sym&(bitCoarse-1)) + kind)
	})
}

func TestRewrite(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("..", "build", "testdata", "paths", "paths.go"))
	if err != nil {
		t.Fatal(err)
	}
	out, sites := rewrite(t, src, Options{})
	testkit.Golden(t, "testdata/paths.golden", brief(out))
	if bytes.Count(out, []byte("\n")) != bytes.Count(src, []byte("\n")) {
		t.Error("a line was added")
	}
	for _, s := range sites {
		if s.Line < 1 || s.EndLine < s.Line || s.Func == "" {
			t.Errorf("site %+v", s)
		}
	}
	_, calls := rewrite(t, src, Options{Calls: true})
	if len(calls) != len(sites) {
		t.Errorf("%d sites, as calls %d", len(sites), len(calls))
	}
}

// Statements after which a position is stale, and others.
func TestStale(t *testing.T) {
	const frame = `package a
import ("strings"; "math/bits"; "sort"; "fmt")
var f = func() {}
type s struct{}
func (s) m() { if bits.Len(1) > 2 { f() } }
type i interface{ m() }
func leaf(n int) int { return n + 1 }
func a(x, z int, y i, c chan int, t []string) { if x > 0 { x++ }; STATEMENT; if x > 1 { x-- } }
var _, _, _, _ = strings.Index, sort.Ints, fmt.Sprint, leaf
`
	for _, c := range []struct {
		statement string
		stale     bool
	}{
		{"x += leaf(x)", true}, // not known to be a leaf here
		{"x = len(t) + cap(t)", false},
		{"t = append(t, string(rune(x)))", false},
		{`x = strings.Index(t[0], "a")`, false},
		{`t = strings.FieldsFunc(t[0], func(rune) bool { return true })`, true},
		{"x = bits.Len(uint(x))", false},
		{"f()", true},
		{"y.m()", true},
		{"s{}.m()", true},
		{"fmt.Sprint(x)", true},
		{"c <- 1", true},
		{"x = <-c", true},
		{"go f()", true},
		{"defer f()", true},
		{"func() {}()", true},
		{"for range c { x++ }", true},
		{"for range 3 { x++ }", false},
		{"for x < 3 && x > z { x++ }", true},  // the operand is a probe
		{"for x < 3 && x > 0 { x++ }", false}, // one test of x
		{"for x < 3 || x > 5 { x++ }", false}, // read again in each iteration; not hit in the last
		{"switch { case x > 2: x++; default: f() }", true},
		{"switch { case x > 2: x++; default: f(); return }", false},
		{"_ = x > 1 && x < z", true},
		{"if x > 1 && x < z { return }", true},
		{"if x > 1 || x < z { return }", false},
		{"if !(x > 1 && x < z) { return }", false},
		{"if !(x > 1 && x < z) { x++ }", false}, // read again in the then branch
	} {
		out, _ := rewrite(t, []byte(strings.Replace(frame, "STATEMENT", c.statement, 1)), Options{})
		last := string(brief(out))
		last = last[strings.LastIndex(last, "if x > 1 {"):]
		if got := strings.HasPrefix(last, "if x > 1 {<~"); got != c.stale {
			t.Errorf("%s: stale is %v\n%s", c.statement, got, last)
		}
	}
}

// Operands get probes, except in conditions that only classify one value.
func TestOperands(t *testing.T) {
	for _, c := range []struct {
		src    string
		probes int
	}{
		{"func f(c byte) bool { return c == ' ' || c == '\\t' || c > 3 && c < 5 }", 0},
		{"func f(c, d byte) bool { return c == ' ' || d == ' ' }", 1},
		{"func f(c []byte) bool { return c[0] == ' ' || c[1] == ' ' }", 1},
		{"func f(c byte) bool { if c == ' ' || c == '\\t' { return true }; return false }", 0},
		{"func f(c []byte, i int) bool { return c[i] == ' ' || '0' <= c[i] && c[i] <= '9' }", 0},
		{"func f(c byte) bool { return !(c == ' ' || c == '\\t') && c != 7 }", 0},
		{"func g() int; func f() bool { return g() == 1 || g() == 2 }", 1},
		{"func f(a, b int) bool { return a > 0 && a < b }", 1},
		{"func f(a, b int) bool { return (a == 1 || a == 2) && b == 1 }", 1},
		{"type s struct { a, b int }; func (x *s) f() bool { return x != nil && x.a < x.b && x.b < 9 }", 2},
		{"type b bool; func f(x, y b) b { return x && y }", 0}, // not a plain bool
		{"const k = true && false; func f(x bool) bool { return x && k }", 0},
		{"func f(x, y bool) bool { return x && func() bool { return y || x }() }", 2},
	} {
		out, sites := rewrite(t, []byte("package a\n"+c.src+"\n"), Options{})
		n := 0
		for _, s := range sites {
			if s.Kind == site.Operand {
				n++
			}
		}
		if n != c.probes {
			t.Errorf("%d probes of operands, want %d\n%s", n, c.probes, brief(out))
		}
	}
}

// Loops that surely end do not check the limit, all others do.
func TestLoopChecks(t *testing.T) {
	for _, c := range []struct {
		loop  string
		check bool
	}{
		{"for range s", false},
		{"for range text", false},
		{"for range &a", false},
		{"for range m", true},
		{"for range n", true},
		{"for range ch", true},
		{"for", true},
		{"for n > 0", true},
		{"for i := 0; i < len(s); i++", false},
		{"for i := 0; i < n; i++", true},
		{"for i := 2; i <= 4; i += 2", false},
		{"for i := 2; i <= 4; i += 0", true},
		{"for i := 2; i < 1 << 40; i++", true},
		{"for i := 2; i > -4; i++", true},
		{"for i := 0; i < 4; i++ { i -= n }; for range s", true},
		{"for i := uint8(0); i <= 255; i++", true}, // wraps around
		{"i := 0; for i = 0; i < 4; i++", true},    // declared outside the loop
		{"for i := q(0); i < 9; i++ { i.back() }; for range s", true},
		{"p := &s; for i := 0; i < len(s); i++ { *p = append(*p, 1) }; for range s", true},
		{`for t := "a"; t < "aaaa"; t += "a"`, true},
		{"for i := 0; i < len(m); i++", true},
		{"for i := 0; i < len(global); i++", true},
		{"for i := 0; i < len(s); i--", true},
		{"for i := 0; i < len(s); n++", true},
		{"for i := 0; i < len(s); i++ { s = append(s, 1) }; for range s", true},
		{"for i := 0; i < len(s); i++ { i = 0 }; for range s", true},
		{"for i := 0; i < len(s); i++ { p := &i; _ = p }; for range s", true},
		{"for i := 0; i < len(s); i++ { grow() }; for range s", true},
	} {
		src := "package a\ntype q int\nfunc (x *q) back() { *x = 0 }\nvar global []int\nfunc f(s []int, a [3]int, m map[int]int, ch chan int, text string, n int) { grow := func() { s = nil }; _ = grow; " + c.loop + " { if n > 1 { n++ } } }\n"
		out, _ := rewrite(t, []byte(src), Options{})
		text := string(brief(out))
		text = text[strings.Index(text, "for"):]
		probe := text[strings.Index(text, "<"):]
		if got := strings.Contains(probe[:strings.Index(probe, ">")], "!"); got != c.check {
			t.Errorf("%s: check is %v\n%s", c.loop, got, text)
		}
	}
}

// If strings or a similar package is rewritten, calls of it make a position
// stale.
func TestImpure(t *testing.T) {
	src := []byte("package a\nimport \"strings\"\nfunc a(x string) int { n := 0; if x > \"a\" { n++ }; n += len(strings.TrimSpace(x)); if n > 2 { n++ }; return n }\n")
	for _, impure := range []bool{false, true} {
		out, _ := rewrite(t, src, Options{Impure: impure})
		if got := strings.Contains(string(brief(out)), "if n > 2 {<~"); got != impure {
			t.Errorf("impure %v: stale is %v\n%s", impure, got, brief(out))
		}
	}
}

func TestUntouched(t *testing.T) {
	src := "package a\n\n//go:nosplit\nfunc a(x int) {\n\tif x > 0 {\n\t}\n}\n"
	if out, _ := rewrite(t, []byte(src), Options{}); string(out) != src {
		t.Errorf("changed to\n%s", out)
	}
}
