//go:build go1.25

package fault

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// TestTraps runs modules that contain what is hard to rewrite. They must print the same
// without gates, with gates that are off, and while all gates record.
func TestTraps(t *testing.T) {
	for _, name := range []string{"trap", "old"} {
		dir := "testdata/" + name
		want := ""
		for _, with := range []struct{ probes, near bool }{{false, false}, {true, false}, {true, true}} {
			m := rewrittenWith(t, dir, Options{Near: with.near}, with.probes, ".")
			if want == "" {
				want = run(t, dir, m.build(t, "."), "", "-test.run=TestRun$")
			}
			binary := m.build(t, ".", "-overlay", m.overlay)
			modes := []string{"off", "record"}
			if with.near { // its gates read a variable before a call beside it, which Go leaves open
				modes = modes[:1]
			}
			for _, mode := range modes {
				if got := run(t, dir, binary, mode, "-test.run=TestRun$"); got != want {
					t.Errorf("%s, gates %s, %+v:\n%s", name, mode, with, testkit.Diff(want, got))
				}
			}
			t.Log(len(m.faults), m.declined)
		}
		if !strings.Contains(want, "PASS") {
			t.Error(want)
		}
	}
}

// TestInline checks that the compiler inlines the gates: calls would make bodies with gates
// several times slower.
func TestInline(t *testing.T) {
	const dir = "testdata/trap"
	m := rewritten(t, dir, false, ".")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-m=2", "-o", os.DevNull, "-overlay", m.overlay, ".")
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, text)
	}
	not := regexp.MustCompile(`cannot inline (allele\w+)_: function too complex.*`)
	for _, found := range not.FindAllSubmatch(text, -1) {
		if !strings.HasSuffix(string(found[1]), "Slow") && !strings.HasPrefix(string(found[1]), "alleleSel") {
			t.Errorf("%s", found[0])
		}
	}
	if !strings.Contains(string(text), "can inline alleleLssInt_") {
		t.Error("the compiler reports nothing about gates")
	}
}
