//go:build go1.25

package ledger

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc/scoring"
	"github.com/allele-go/allele/internal/score/judge"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/change"
)

const (
	source = "package a\n\nfunc A() int {\n\treturn 1 + 2\n}\n\nfunc B() int {\n\treturn 3 + 4\n}\n\nfunc C() int {\n\treturn 5\n}\n\n" +
		"type T int\n"
	tests = "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { A() }\n\nfunc TestB(t *testing.T) { B() }\n\n" +
		"func TestAB(t *testing.T) { A(); B() }\n"
)

// world is a program whose faults are at A and at B: 1 and 2. C runs only with the fault of A.
type world struct {
	source, tests string
	others        string           // everything else
	steps         map[string]int64 // of tests; those with fewer run first
	once          string           // a function that runs the first time only
	start         string           // a function that runs before the tests
	shaky         string           // a test
	first         bool             // a test reaches the fault of A the first time only
}

func first() world {
	return world{source: source, tests: tests, others: "others", steps: map[string]int64{"TestA": 1, "TestB": 2, "TestAB": 3}}
}

// runs lists the functions that each test runs.
var runs = map[string]string{"TestA": "A", "TestB": "B", "TestAB": "A B", "TestNew": "A"}

var funcs = []string{"m/a A", "m/a B", "m/a C"}

func setOf(names string) scoring.Set {
	s := scoring.NewSet(len(funcs))
	for i, f := range funcs {
		if slices.Contains(strings.Fields(names), strings.TrimPrefix(f, "m/a ")) {
			s.Add(i)
		}
	}
	return s
}

// base returns what the tests do without a fault. The faults have the numbers of their functions.
func (w world) base() *Base {
	b := &Base{Head: scoring.Head{Faults: []int{1, 2}, Funcs: funcs, InitRan: setOf(w.start)}}
	for _, name := range slices.Sorted(maps.Keys(w.steps)) {
		t := &scoring.Original{Test: name, Steps: w.steps[name], Ran: scoring.Entered{All: setOf(runs[name]), Once: setOf(w.once)}, Shaky: name == w.shaky}
		t.Each = scoring.Reach{Hit: setOf(runs[name]), Diff: setOf(runs[name])}
		if w.first && name == "TestA" {
			t.First, t.Each = t.Each, scoring.Reach{}
		}
		b.Cases = append(b.Cases, t)
	}
	return b
}

// open writes the source, and opens the ledger. The second result has the faults.
func (w world) open(t *testing.T, file string, fresh bool) (*Ledger, []site.Fault) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": w.source, "a_test.go": w.tests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	parts := []change.Part{{Path: "m/a", Dir: dir, Own: true, Files: []string{"a.go", "a_test.go"}}}
	l := Open(file, fresh, Program{w.others, func(noted []string) (*change.Influence, error) {
		tree, err := change.Load(parts, nil, nil)
		if err != nil {
			return nil, err
		}
		return tree.Influence(change.Property{Package: "m/a", Parts: parts}, noted), nil
	}})
	var faults []site.Fault
	for i, text := range []string{"1 + ", "3 + "} {
		line := 1 + strings.Count(w.source[:max(0, strings.Index(w.source, text))], "\n")
		faults = append(faults, site.Fault{ID: i + 1, File: filepath.Join(dir, "a.go"), Line: line, Col: 9, Operator: "arith", From: text, To: "-"})
	}
	return l, faults
}

// judgeAll gives verdicts to a ledger: A is killed by the first test that runs it, and B survives.
func judgeAll(l *Ledger, faults []site.Fault, w world) {
	base := w.base()
	l.Reuse(base, nil, faults)
	for _, f := range faults {
		_, run, _ := l.plan(f)
		v := fate.Verdict{Fault: f.ID, Kind: fate.Survived, Runs: len(run), Tests: len(run)}
		found := judge.Evidence{Fault: f, Watched: true}
		if f.ID == 1 && len(run) > 0 {
			v = fate.Verdict{Fault: 1, Kind: fate.Killed, By: fate.ByTest, Test: run[0], Runs: 1, Tests: len(run)}
			found.Beyond = []int{2}
		}
		found.Verdict = v
		l.Judged(found)
	}
}

// held describes which verdicts of the first world hold in another one.
func held(t *testing.T, before, after world) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x"+Ext)
	l, faults := before.open(t, file, false)
	judgeAll(l, faults, before)
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	l, faults = after.open(t, file, false)
	var all []string
	for _, v := range l.Reuse(after.base(), nil, faults) {
		all = append(all, fmt.Sprint(map[int]string{1: "A ", 2: "B "}[v.Fault], v))
	}
	return strings.Join(all, ", ")
}

// The verdict about A depends on the first test that runs it, and on what ran only with the fault. The verdict about B depends
// on all tests that run it.
func TestHolds(t *testing.T) {
	const a, b = "A killed by test: TestA", "B survived"
	const both = a + ", " + b
	for _, c := range []struct {
		about string
		edit  func(w *world)
		want  string
	}{
		{"nothing has changed", func(*world) {}, both},
		{"lines have moved", func(w *world) { w.source = "// A comment.\n" + w.source }, both},
		{"the function of a fault has changed", func(w *world) { w.source = strings.Replace(w.source, "3 + 4", "3 + 5", 1) }, a},
		{"and the test that kills a fault runs it", func(w *world) { w.source = strings.Replace(w.source, "1 + 2", "1 + 3", 1) }, ""},
		{"a function has changed that runs only with the fault", func(w *world) { w.source = strings.Replace(w.source, "5", "6", 1) }, b},
		{"a test has changed that kills a fault", func(w *world) { w.tests = strings.Replace(w.tests, "{ A() }", "{ A(); A() }", 1) }, b},
		{"a test has changed that a fault survives", func(w *world) { w.tests = strings.Replace(w.tests, "{ B() }", "{ B(); B() }", 1) }, a},
		{"a test after the killer has changed", func(w *world) { w.tests = strings.Replace(w.tests, "A(); B()", "B(); A()", 1) }, a},
		{"a test is new, and runs last", func(w *world) {
			w.tests += "\nfunc TestNew(t *testing.T) { A() }\n"
			w.steps["TestNew"] = 9
		}, both},
		{"a test is new, and runs before the killer", func(w *world) {
			w.tests += "\nfunc TestNew(t *testing.T) { A() }\n"
			w.steps["TestNew"] = 0
		}, b},
		{"a test is gone that a fault survives", func(w *world) { delete(w.steps, "TestB") }, a},
		{"a test takes other steps, though nothing that it runs has changed", func(w *world) { w.steps["TestB"] = 4 }, a},
		{"something else has changed", func(w *world) { w.others = "more" }, ""},
		{"something else is not known", func(w *world) { w.others = "" }, ""},
		{"a type has changed", func(w *world) { w.source = strings.Replace(w.source, "T int", "T int8", 1) }, ""},
		{"a test may fail on a busy machine", func(w *world) { w.shaky = "TestB" }, a},
		{"a fault is reached the first time only", func(w *world) { w.first = true }, b},
	} {
		after := first()
		c.edit(&after)
		if got := held(t, first(), after); got != c.want {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
	}
}

// What runs before the tests, or for the first of them only, may influence all of them.
func TestHoldsForAll(t *testing.T) {
	for _, c := range []struct {
		about string
		edit  func(w *world)
	}{
		{"a function that runs before the tests", func(w *world) { w.start = "C" }},
		{"a function that runs once", func(w *world) { w.once = "C" }},
	} {
		after := first()
		c.edit(&after)
		if got := held(t, first(), after); got == "" {
			t.Errorf("%s: it has not changed", c.about)
		}
		after.source = strings.Replace(after.source, "5", "6", 1)
		if got := held(t, first(), after); got != "" {
			t.Errorf("%s: it has changed, and %s hold", c.about, got)
		}
	}
}

// A damaged file is no file, and a verdict that does not fit its baseline is not kept.
func TestDamage(t *testing.T) {
	w, file := first(), filepath.Join(t.TempDir(), "x"+Ext)
	l, faults := w.open(t, file, false)
	judgeAll(l, faults, w)
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(data); i += 1 + len(data)/50 {
		broken := slices.Clone(data)
		broken[i] ^= 1
		if err := os.WriteFile(file, broken, 0o666); err != nil {
			t.Fatal(err)
		}
		l, faults := w.open(t, file, false)
		if got := l.Reuse(w.base(), nil, faults); len(got) > 0 {
			t.Fatalf("byte %d: %v", i, got)
		}
	}
	for _, v := range []fate.Verdict{
		{Fault: 1, Kind: fate.Killed, Test: "TestB", Runs: 1}, {Fault: 1, Kind: fate.Survived, Runs: 9}, {Fault: 1, Kind: fate.Survived, Runs: 1},
		{Fault: 1, Kind: fate.NoVerdict}, {Fault: 1, Kind: fate.Init}, {Fault: 1, Kind: fate.NotReached},
	} {
		l, faults := w.open(t, file, true)
		l.Reuse(w.base(), nil, faults)
		if l.Judged(judge.Evidence{Fault: faults[0], Verdict: v, Watched: true}); len(l.entries) > 0 {
			t.Errorf("%v is kept", v)
		}
	}
}
