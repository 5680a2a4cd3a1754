//go:build go1.25

package facts

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// Nested statements forget a limited number of assignments, and a place that was assigned
// to a thousand times is remembered once.
func TestForgetsNested(t *testing.T) {
	const depth = 600
	src := "package a\n\ntype S struct{ A, B int }\n\nfunc f(s *S, n int) {\n" +
		strings.Repeat("if n > 0 { s.B++\n", depth) + strings.Repeat("}\n", depth) + "}\n"
	dir := testkit.Module(t, map[string]string{"a.go": src})
	prog, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}})
	if err != nil {
		t.Fatal(err)
	}
	for f := range prog.Funcs() {
		w := &walker{x: NewIndex(prog), pkg: f.Pkg, fun: f, seen: map[string]bool{}}
		w.function(f.Decl.Recv, f.Decl.Type, f.Decl.Body)
		if w.forgets < depth || w.forgets > forgetsMax+depth || len(w.writes) != depth {
			t.Errorf("%d of %d assignments forgotten, the limit is %d", w.forgets, len(w.writes), forgetsMax)
		}
		st := newState()
		obj := f.Pkg.Info.Defs[f.Decl.Type.Params.List[0].Names[0]]
		st.vars[obj] = place{root: obj, typ: obj.Type()}
		w.forgets = 0
		if w.forgetIn(st, f.Decl.Body); len(st.dirty) != 1 {
			t.Errorf("%d places, want 1: %q", len(st.dirty), st.dirty)
		}
	}
}

// A chain of conditions keeps a limited number of them.
func TestBothBounded(t *testing.T) {
	all := anything
	for range 1000 {
		all = both(all, [][]cond{{{kind: notNil}}})
	}
	if len(all) != 1 || len(all[0]) != condsMax {
		t.Errorf("%d alternatives, %d conditions", len(all), len(all[0]))
	}
}
