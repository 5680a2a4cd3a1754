//go:build go1.25

package fault

import (
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
