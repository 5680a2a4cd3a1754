package realbugs

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/allele-go/allele/eval/lab"
)

// Every row has the files that its arms need, and they are Go.
func TestRows(t *testing.T) {
	names, heldOut, quick := map[string]bool{}, 0, 0
	for _, r := range rows {
		if names[r.name] {
			t.Errorf("%s is there twice", r.name)
		}
		names[r.name] = true
		if r.bug == "" || r.module.Version == "" {
			t.Errorf("%s: %+v", r.name, r)
		}
		if r.heldOut {
			heldOut++
		}
		if r.quick && !r.heldOut {
			quick++
		}
		files := []string{r.name + "/target.go.txt"}
		if r.native {
			files = append(files, r.name+"/native.go.txt")
		}
		switch {
		case r.shared != "":
			files = append(files, r.shared+"/shared.go.txt", r.shared+"/rapid.go.txt")
		case !r.derived:
			files = append(files, r.name+"/rapid.go.txt")
		}
		for _, name := range files {
			text, err := sources.ReadFile("testdata/" + name)
			if err != nil {
				t.Error(err)
				continue
			}
			if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
				t.Error(err)
			}
			if name == r.name+"/target.go.txt" && !strings.Contains(string(text), "func Known(in Input, failure string) bool") {
				t.Errorf("%s has no rule for the known bug", name)
			}
		}
	}
	if len(rows)-heldOut != 15 || heldOut != 5 || quick != 1 {
		t.Errorf("%d rows, %d of them held out, %d quick", len(rows), heldOut, quick)
	}
}

// A search that finds nothing counts with all of its runs. A tool that has found nothing in its first searches of a row
// makes no more.
func TestReport(t *testing.T) {
	r := rows[0]
	s := &study{Config: lab.Config{}, rows: rows[:1], arms: []arm{guided, rapid}, budget: budget}
	s.plan()
	if len(s.trials) != 15 || s.trials[0].Arm != guided || s.trials[1].Arm != rapid || s.trials[0].Seed != firstSeed {
		t.Fatalf("%d trials: %v", len(s.trials), s.trials)
	}
	found := make([]*outcome, len(s.trials))
	for i, tr := range s.trials {
		if tr.Arm == rapid {
			if s.isHopeless(tr.group(), found) != (tr.Seed >= firstSeed+hopeless) {
				t.Errorf("%s: hopeless is wrong", tr)
			}
			found[i] = &outcome{Runs: 50, CPU: 130}
		}
	}
	s.outcomes = map[group][]outcome{
		{r.name, guided}: {{Runs: 100, CPU: 1, First: 90, FirstCPU: 0.9}, {Runs: 1000, CPU: 130}},
		{r.name, rapid}:  {{Runs: 50, CPU: 130}},
	}
	res := &lab.Result{Summary: map[string]any{}}
	s.report(res)
	if len(res.Rows) != 2 || len(res.Seeds) != 10 || len(res.Plot) == 0 {
		t.Fatalf("%v", res)
	}
	for column, want := range map[string]any{"found": 1, "of": 2, "runs p50": 545.0, "cpu s p95": 120 - 0.05*(120-0.9)} {
		if got := res.Rows[0].Get(column); got != want {
			t.Errorf("%s: %v, want %v", column, got, want)
		}
	}
	if got := res.Rows[1].Get("found"); got != 0 {
		t.Errorf("rapid found %v", got)
	}
}

// Every parser has its files, a property for each mode, and native fuzzing once.
func TestParsers(t *testing.T) {
	natives := 0
	for _, r := range parserRows() {
		if r.has(native) {
			natives++
		}
		for to, from := range r.parserFiles([]arm{guided, native}) {
			text, err := sources.ReadFile("testdata/" + from)
			if err != nil {
				t.Error(err)
				continue
			}
			if _, err := parser.ParseFile(token.NewFileSet(), to, text, 0); err != nil {
				t.Error(err)
			}
		}
	}
	if natives != len(parsers) {
		t.Errorf("%d rows with native fuzzing, of %d parsers", natives, len(parsers))
	}
}
