package kept

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/eval/lab"
)

// Every subject has a property that is Go, and a number of seeds.
func TestSubjects(t *testing.T) {
	for _, x := range subjects {
		text, err := x.source()
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		imports := ""
		for _, i := range f.Imports {
			imports += i.Path.Value
		}
		if !strings.Contains(imports, `"`+x.Path+`"`) {
			t.Errorf("%s: the test imports %s", x.name, imports)
		}
		if seeds[x.name] == 0 {
			t.Errorf("%s has no seeds", x.name)
		}
		if (x.bug.name == "") != (x.bug.sign == "") {
			t.Errorf("%s: %+v", x.name, x.bug)
		}
	}
}

func TestRead(t *testing.T) {
	const (
		listed   = `{"v":2,"kind":"listed","property":"TestProperty","listed":{}}` + "\n"
		found    = `{"v":2,"kind":"found","property":"TestProperty","found":{"verdict":"failed","sign":"panic a.F a.go:1: bad","run":70}}` + "\n"
		finished = `{"v":2,"kind":"finished","property":"TestProperty","finished":{"counts":{"runs":100,"kept":5,"features":30},"search":{"kept":5,"whole":1,"bounded":1,"dropped":1}}}` + "\n"
		campaign = `{"v":2,"kind":"ended","ended":{"runs":100}}` + "\n"
	)
	known, other := bug{"a bug", "a.F"}, bug{"a bug", "a.G"}
	for _, c := range []struct {
		events string
		bug    bug
		want   outcome
		err    string
	}{
		{listed + finished + campaign, bug{}, outcome{Runs: 100, Kept: 5, Waiting: 2, Features: 30}, ""},
		{listed + found + finished + campaign, bug{}, outcome{Runs: 100, Kept: 5, Waiting: 2, Features: 30, Failures: 1}, ""},
		{listed + found + finished + campaign, known, outcome{Runs: 100, Kept: 5, Waiting: 2, Features: 30, Failures: 1, Found: 70}, ""},
		{listed + found + finished + campaign, other, outcome{}, "another failure"},
		{listed + campaign, bug{}, outcome{}, "no runs"},
		{"built", bug{}, outcome{}, "read an event"},
	} {
		got, err := read([]byte(c.events), c.bug)
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) || c.err == "" && (err != nil || got != c.want) {
			t.Errorf("%s%+v: %+v, %v", c.events, c.bug, got, err)
		}
	}
}

// Blocks of other modules and blocks that were not reached do not count.
func TestBlocks(t *testing.T) {
	const profile = "mode: set\nm/a.go:1.1,2.2 1 0\nm/a.go:3.1,4.2 2 1\nm/a.go:3.1,4.2 2 1\nother/b.go:1.1,2.2 1 1\n"
	if n := blocks(profile, "m"); n != 1 {
		t.Errorf("%d blocks", n)
	}
}

// The first seeds of all subjects come first, and a quick run has one search.
func TestPlan(t *testing.T) {
	s := &study{subjects: subjects}
	s.plan()
	n := 0
	for _, x := range subjects {
		n += 2 * seeds[x.name]
	}
	if len(s.trials) != n {
		t.Errorf("%d trials, want %d", len(s.trials), n)
	}
	for i, tr := range s.trials[:2*len(subjects)] {
		if tr.Seed != firstSeed || tr.name != subjects[i/2].name {
			t.Errorf("trial %d: %s", i, tr)
		}
	}
	q := &study{Config: lab.Config{Quick: true}, subjects: subjects[2:3]}
	q.plan()
	if len(q.trials) != 1 || q.trials[0].Arm != now || q.trials[0].Passes != quickRuns {
		t.Errorf("quick: %v", q.trials)
	}
	bad := &study{Config: lab.Config{Only: "nothing"}, subjects: subjects}
	if bad.choose() == nil {
		t.Error("-only matches nothing, and there is no error")
	}
}

// Outcomes are kept by subject, arm, seed, number of passes and version.
func TestParts(t *testing.T) {
	m := &module{dir: t.TempDir()}
	tr := trial{subject: subjects[0], Arm: now, Seed: 3, Passes: 10}
	want := outcome{Runs: 10, Kept: 2, CPU: 0.5}
	if err := lab.Keep(m.part(tr, "v"), want); err != nil {
		t.Fatal(err)
	}
	if got, ok := lab.Recall[outcome](m.part(tr, "v")); !ok || got != want {
		t.Errorf("%+v, %v", got, ok)
	}
	files := map[string]bool{filepath.Base(m.part(tr, "v")): true}
	for _, change := range []func(*trial){func(tr *trial) { tr.subject = subjects[1] }, func(tr *trial) { tr.Arm = before },
		func(tr *trial) { tr.Seed++ }, func(tr *trial) { tr.Passes++ }} {
		other := tr
		change(&other)
		files[filepath.Base(m.part(other, "v"))] = true
	}
	if files[filepath.Base(m.part(tr, "w"))] = true; len(files) != 6 {
		t.Errorf("%v", files)
	}
}

// A bug that is not found in bugRuns runs counts with these, whatever number of runs a search has
// made, and a share above the bound is an error.
func TestReport(t *testing.T) {
	s := &study{subjects: []subject{subjects[0], subjects[3]}, outcomes: map[group][]outcome{
		{"expr", before}: {{Runs: 1000, Kept: 400, Features: 10}},
		{"expr", now}:    {{Runs: 1000, Kept: 60, Features: 20}, {Runs: 1000, Kept: 80, Features: 40}},
		{"expr857", now}: {{Runs: 900_000, Kept: 300, Failures: 1, Found: 900_000}, {Runs: 1_200_000}, {Runs: 700, Failures: 1, Found: 700},
			{Runs: bugRuns + 1, Failures: 1, Found: bugRuns + 1}, {Runs: bugRuns}},
	}}
	res := &lab.Result{Summary: map[string]any{}}
	s.report(res)
	if len(res.Rows) != 3 || len(res.Seeds) != 5 || res.Summary["largest share kept now"] != 0.08 {
		t.Fatalf("%v\n%v\n%v", res.Rows, res.Seeds, res.Summary)
	}
	for column, want := range map[string]any{"kept share p50": 0.07, "kept share max": 0.08, "features p50": 30.0, "failures": 0} {
		if got := res.Rows[1].Get(column); got != want {
			t.Errorf("share, %s: %v, want %v", column, got, want)
		}
	}
	for column, want := range map[string]any{"found": 2, "searches": 5, "runs p50": float64(bugRuns), "runs max": float64(bugRuns)} {
		if got := res.Rows[2].Get(column); got != want {
			t.Errorf("bug, %s: %v, want %v", column, got, want)
		}
	}
	if err := s.check(); err != nil {
		t.Error(err)
	}
	s.outcomes[group{"expr857", now}][1].Runs = bugRuns - 1
	if err := s.check(); err == nil || !strings.Contains(err.Error(), "999999 runs") {
		t.Errorf("a search has made less runs than the others: %v", err)
	}
	s.outcomes[group{"expr857", now}][1].Runs = bugRuns
	s.outcomes[group{"expr", now}][0].Kept = 100
	if err := s.check(); err == nil || !strings.Contains(err.Error(), "100 of 1000 runs") {
		t.Errorf("a tenth of the runs is kept: %v", err)
	}
}
