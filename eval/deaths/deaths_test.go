package deaths

import (
	"strings"
	"testing"
)

const searched = `built 1 package · 11 sites · 2 properties                               400ms
property                                      runs      /s  passed   paths
scratch.TestExit3                              674     21k    20 %      30  FAILED
--- FAIL: TestExit3 (0.08s)
    faults_test.go:12: property called os.Exit(3)
        run 1,674, seed 1: 7 passed, 37 discarded
FAIL
    the last places before the end, the latest first:
        then in Exit3, faults.go:59
scratch.TestPanic                              389     21k    20 %      30  FAILED
--- FAIL: TestPanic (0.01s)
    faults_test.go:12: property panicked: out of order (faults.go:13)
        run 211, seed 1: 42 passed, 168 discarded

        stack of the panic:
            scratch.Panic
                faults.go:13
FAIL
`

const replayed = `--- FAIL: TestExit3 (0.01s)
    faults_test.go:12: property called os.Exit(3)
        from     testdata/allele/TestExit3/fail-1.case
--- FAIL: TestPanic (0.01s)
    faults_test.go:12: property panicked: out of order (faults.go:13)
        from     testdata/allele/TestPanic/fail-1.case
the last test was run
FAIL
`

// A trial is whole if nothing is missing. Each row lacks one thing.
func TestTrials(t *testing.T) {
	const stored = "// message  property called os.Exit(3)\n\n&Tree{L: &Tree{}}\n"
	exit3 := kind{"exit", "Exit3", "property called os.Exit(3)"}
	whole := trial{searched: exit3.report(searched), stored: stored, again: exit3.replay(replayed), ended: true}
	for _, c := range []struct {
		name   string
		change func(*trial)
		want   string // found, kept, replayed, shown
	}{
		{"nothing", func(*trial) {}, "1 of 1 1 of 1 1 of 1 last places"},
		{"another headline", func(o *trial) { o.searched = strings.Replace(o.searched, "Exit(3)", "Exit(2)", 1) }, "0 of 1 1 of 1 1 of 1 last places"},
		{"the case", func(o *trial) { o.stored = "" }, "1 of 1 0 of 1 1 of 1 last places"},
		{"the failure under go test", func(o *trial) { o.again = "" }, "1 of 1 1 of 1 0 of 1 last places"},
		{"the end of go test", func(o *trial) { o.ended = false }, "1 of 1 1 of 1 0 of 1 last places"},
		{"the place", func(o *trial) { o.searched = strings.Replace(o.searched, "faults.go:59", "faults_test.go:14", 1) }, "1 of 1 1 of 1 1 of 1 "},
	} {
		one := whole
		c.change(&one)
		var all trials
		all.add(exit3, one)
		row := all.row(exit3)
		got := strings.Join([]string{row.Get("found").(string), row.Get("input kept").(string), row.Get("`go test` fails and goes on").(string), row.Get("shown").(string)}, " ")
		if got != c.want || all.whole != map[bool]int{true: 1}[c.name == "nothing"] {
			t.Errorf("without %s: %s, whole %d", c.name, got, all.whole)
		}
		if row.Get("runs p50") != 1674.0 {
			t.Errorf("without %s: %v runs", c.name, row.Get("runs p50"))
		}
	}
}

// The report on one property does not include the report on the next.
func TestReport(t *testing.T) {
	for _, c := range []struct{ function, place, run string }{{"Exit3", "last places", "run 1,674, seed"}, {"Panic", "stack", "run 211, seed"}} {
		text := kind{function: c.function}.report(searched)
		if place(text) != c.place || !strings.Contains(text, c.run) || strings.Count(text, "--- FAIL") != 1 {
			t.Errorf("%s: %s\n%s", c.function, place(text), text)
		}
	}
}
