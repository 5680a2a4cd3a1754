//go:build go1.25

package build

import (
	"fmt"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// A function is a leaf if it only calls leaves, however long the chain is and in
// whatever order the functions are declared.
func TestLeaves(t *testing.T) {
	var b strings.Builder
	b.WriteString("package a\n")
	for i := range 50 {
		fmt.Fprintf(&b, "func f%d(x int) int { return f%d(x) + f%d(1) }\n", i, i+1, i+1)
	}
	b.WriteString(`func f50(x int) int { return x }
func round(x int) int { return around(x) }
func around(x int) int { return round(x) }
func calls(x int) int { return f0(x) + branch(x) }
func branch(x int) int { if x > 0 { x++ }; return f0(x) }
func value(f func() int) int { return f() }
`)
	dir := testkit.Module(t, map[string]string{"a.go": b.String()})
	prog, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}})
	if err != nil {
		t.Fatal(err)
	}
	leaf := leaves(prog, false)
	for f := range prog.Funcs() {
		if got, want := leaf(f.Obj), strings.HasPrefix(f.Obj.Name(), "f"); got != want {
			t.Errorf("%s: leaf is %v", f.Obj.Name(), got)
		}
	}
}
