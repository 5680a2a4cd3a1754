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
		for _, probes := range []bool{false, true} {
			m := rewritten(t, dir, probes, ".")
			if want == "" {
				want = run(t, dir, m.build(t, "."), "", "-test.run=TestRun$")
			}
			binary := m.build(t, ".", "-overlay", m.overlay)
			for _, mode := range []string{"off", "record"} {
				if got := run(t, dir, binary, mode, "-test.run=TestRun$"); got != want {
					t.Errorf("%s, gates %s, probes %v:\n%s", name, mode, probes, testkit.Diff(want, got))
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
