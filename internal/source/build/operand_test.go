//go:build go1.25

package build

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// formula is a condition over four variables: its text, and a function that
// evaluates it and records the variables it reads.
type formula struct {
	text string
	eval func(in [4]bool, seen *strings.Builder) bool
}

func randomFormula(r *rand.Rand, depth int) formula {
	if depth == 0 || r.IntN(4) == 0 {
		i := r.IntN(4)
		return formula{string("abcd"[i]), func(in [4]bool, seen *strings.Builder) bool {
			fmt.Fprint(seen, string("abcd"[i]), in[i], " ")
			return in[i]
		}}
	}
	x := randomFormula(r, depth-1)
	if r.IntN(5) == 0 {
		return formula{"!(" + x.text + ")", func(in [4]bool, seen *strings.Builder) bool { return !x.eval(in, seen) }}
	}
	y := randomFormula(r, depth-1)
	if r.IntN(2) == 0 {
		return formula{"(" + x.text + ") && (" + y.text + ")", func(in [4]bool, seen *strings.Builder) bool { return x.eval(in, seen) && y.eval(in, seen) }}
	}
	return formula{x.text + " || " + y.text, func(in [4]bool, seen *strings.Builder) bool { return x.eval(in, seen) || y.eval(in, seen) }}
}

// Probes do not change the value of conditions, and two runs have the same path
// exactly if they evaluated the same operands with the same values.
func TestOperandPaths(t *testing.T) {
	const formulas = 80
	r := rand.New(rand.NewPCG(1, 2))
	var all []formula
	var src, table strings.Builder
	for i := range formulas {
		f := randomFormula(r, 4)
		all = append(all, f)
		fmt.Fprintf(&src, "func f%d(a, b, c, d bool) bool {\n\tif %s {\n\t\treturn true\n\t}\n\treturn false\n}\n\n", i, f.text)
		fmt.Fprintf(&table, "\tf%d,\n", i)
	}
	files := map[string]string{
		"f.go": "package f\n\n" + src.String() + "var table = []func(a, b, c, d bool) bool{\n" + table.String() + "}\n",
		"f_test.go": `package f

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele/internal/hook"
)

func TestAll(t *testing.T) {
	for i, f := range table {
		for in := range 16 {
			hook.Reset(1 << 40)
			v := f(in&1 != 0, in&2 != 0, in&4 != 0, in&8 != 0)
			fmt.Println("PATH", i, in, v, hook.Path(nil))
		}
	}
}
`}
	out := output(t, Config{Debug: true}, files)
	checked := 0
	paths, seens := map[string]string{}, map[string]string{}
	for line := range strings.Lines(out) {
		var i, in int
		var v bool
		if n, _ := fmt.Sscanf(line, "PATH %d %d %t", &i, &in, &v); n != 3 {
			continue
		}
		checked++
		var seen strings.Builder
		if want := all[i].eval([4]bool{in&1 != 0, in&2 != 0, in&4 != 0, in&8 != 0}, &seen); v != want {
			t.Fatalf("%s is %v for %04b", all[i].text, v, in)
		}
		path := fmt.Sprint(i, line[strings.IndexByte(line, '['):])
		run := fmt.Sprint(i, seen.String())
		if old, ok := paths[run]; ok && old != path {
			t.Errorf("%s: one evaluation, two paths", all[i].text)
		}
		if old, ok := seens[path]; ok && old != run {
			t.Errorf("%s: one path for %q and %q", all[i].text, old, run)
		}
		paths[run], seens[path] = path, run
	}
	if checked != 16*formulas {
		t.Errorf("%d runs", checked)
	}
}
