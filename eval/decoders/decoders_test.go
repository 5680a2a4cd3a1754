package decoders

import (
	"testing"
	"time"

	"github.com/allele-go/allele/eval/lab"
)

// The blocks of the program itself do not count.
func TestWeights(t *testing.T) {
	const dump = `Cover mode: atomic

Package path: image/png
Package name: png

Func: Decode
Srcfile: image/png/reader.go
Literal: false
0: L74:C52 -- L76:C2 NS=1 = 1
1: L77:C52 -- L79:C2 NS=3 = 0

Func: check
0: L1:C1 -- L2:C2 NS=2 = 6

Package path: decoders/png/replay
Func: main
0: L1:C1 -- L2:C2 NS=7 = 6
`
	got := weights(dump)
	want := map[block]int{{0, 0, 0}: 1, {0, 0, 1}: 3, {0, 1, 0}: 2}
	if len(got) != len(want) {
		t.Errorf("got %v", got)
	}
	for b, n := range want {
		if got[b] != n {
			t.Errorf("%v has %d statements, want %d", b, got[b], n)
		}
	}
}

// A curve has the value of the last step that is not later.
func TestSteps(t *testing.T) {
	o := outcome{Runs: 90, Statements: []step{{1, 10}, {50, 20}, {90, 30}}, Marks: []step{{40, 100}, {60, 200}}}
	for _, c := range []struct {
		cpu              time.Duration
		runs, statements int
	}{{0, 0, 0}, {100 * time.Millisecond, 40, 10}, {199 * time.Millisecond, 40, 10}, {200 * time.Millisecond, 90, 30}, {time.Hour, 90, 30}} {
		runs := o.runsAt(c.cpu)
		if got := at(o.Statements, runs); runs != c.runs || got != c.statements {
			t.Errorf("after %v: %d runs reach %d, want %d and %d", c.cpu, runs, got, c.runs, c.statements)
		}
	}
}

// The best set of one operator is the one that reaches most, and the best of two need not contain it.
func TestSubsets(t *testing.T) {
	l := &list{weights: map[block]int{{1}: 3, {2}: 3, {3}: 2, {4}: 2}}
	l.reached[1] = []block{{1}, {3}}
	l.reached[2] = []block{{1}, {2}}
	l.reached[3] = []block{{2}, {4}}
	r := subsets([]*list{l})
	if r.best[1] != 1<<1 || r.best[2] != 1<<0|1<<2 || r.of[r.best[1]] != 0.6 || r.of[r.best[2]] != 1 {
		t.Errorf("best of one %b %v, of two %b %v", r.best[1], r.of[r.best[1]], r.best[2], r.of[r.best[2]])
	}
}

// Searches that find nothing do not differ, although each of them is stopped a little later than
// at its budget. A find counts, even if the search is still shrinking when its time is over.
func TestReportBugs(t *testing.T) {
	none := func(cpu float64) find { return find{CPU: cpu} }
	hit := func(cpu float64) find { return find{Found: true, CPU: cpu} }
	for _, c := range []struct {
		name         string
		ours, theirs []find
		want         float64
	}{
		{"neither", []find{none(30.03), none(30.01)}, []find{none(30.02), none(30)}, 0.5},
		{"only we", []find{hit(6), hit(30.04)}, []find{none(30.02), none(30.01)}, 1},
		{"one of ours", []find{hit(18), none(30)}, []find{none(30.02), none(30.01)}, 0.75},
		{"only they", []find{none(30), none(30)}, []find{hit(0.1), hit(30.01)}, 0},
		{"both", []find{hit(2), hit(4)}, []find{hit(1), hit(3)}, 0.25},
	} {
		res := &lab.Result{Summary: map[string]any{"cpu s of a search": 30.0}}
		reportBugs(res, []*hunt{{bug: bug{name: "x"}, arm: levels, finds: c.ours}, {bug: bug{name: "x"}, arm: native, finds: c.theirs}}, 30)
		if got := res.Rows[0].Get("a12 cpu"); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		for _, row := range res.Rows {
			if cpu := row.Get("cpu s p50").(float64); cpu > 30 {
				t.Errorf("%s, %v: median of %v s, but the budget is 30 s", c.name, row.Get("arm"), cpu)
			}
		}
	}
}

// Every target has its files.
func TestFiles(t *testing.T) {
	for _, x := range targets {
		files, err := x.files(programs)
		if want := 1 + len(programs); err != nil || len(x.other) == 0 && len(files) != want || len(x.other) > 0 && len(files) != want+2 {
			t.Errorf("%s: %d files, %v", x.name, len(files), err)
		}
	}
	for _, b := range bugs {
		if files, err := (target{name: b.name, folder: "bugs/"}).files([]string{"bug_test"}); err != nil || len(files) != 2 {
			t.Errorf("%s: %d files, %v", b.name, len(files), err)
		}
	}
}
