//go:build go1.25

package allele

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/store/corpus"
)

// sizes is a property that reaches a site for each of the first three elements, discards
// inputs that contain a zero, and fails on inputs that contain a nine.
func sizes(t testing.TB) {
	Check(t, func(t *T, in []int) {
		for i := range min(3, len(in)) {
			hook.Hit(uint32(10 + i))
		}
		if slices.Contains(in, 0) {
			hook.Hit(20)
		}
		t.Assume(!slices.Contains(in, 0))
		if slices.Contains(in, 9) {
			t.Error("nine")
		}
	})
}

// A case is dropped if the others show all that it shows. Passed cases are preferred, and
// a case that fails stays for the next search.
func TestReduce(t *testing.T) {
	inEmptyPackage(t)
	name := map[string]string{}
	inputs := []string{"[]int{1}", "[]int{1, 2, 3}", "[]int{4, 5}", "[]int{1, 2, 3, 4}", "[]int{0, 1, 2, 3}", "[]int{0}", "[]int{9}", `"text"`}
	for _, input := range inputs {
		name[corpus.Entry{Input: input}.ID()] = input
	}
	r, events := runJob(t, job.Job{Mode: job.Reduce}, inputs, sizes)
	var b strings.Builder
	for _, e := range events {
		switch body := e.Body.(type) {
		case event.Found:
			fmt.Fprintln(&b, "found", name[body.Case])
		case event.Dropped:
			fmt.Fprintln(&b, "dropped", name[body.Case], body.Misfit)
		case event.Finished:
			fmt.Fprintln(&b, "finished")
		}
	}
	want := `found []int{9}
dropped "text" true
dropped []int{1} false
dropped []int{4, 5} false
dropped []int{1, 2, 3, 4} false
finished
`
	if b.String() != want || r.failed {
		t.Errorf("%s\nwant\n%s\n%s", b.String(), want, r.text())
	}
}

// A case that ended a process is skipped by the next process, which gets its name.
func TestReduceSkips(t *testing.T) {
	inEmptyPackage(t)
	inputs := []string{"[]int{1}", "[]int{9}"}
	_, events := runJob(t, job.Job{Mode: job.Reduce, Skip: []string{"other", corpus.Entry{Input: inputs[1]}.ID()}}, inputs, func(t testing.TB) {
		Check(t, func(t *T, in []int) {
			if in[0] == 9 {
				os.Exit(1)
			}
		})
	})
	if n := len(events); n != 2 || events[1].Kind() != "finished" {
		t.Errorf("%v", events)
	}
}

func keepFiles(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "allele", "TestX", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		prefix, _, _ := strings.Cut(filepath.Base(f), "-")
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		texts = append(texts, prefix+" "+lines[len(lines)-1])
	}
	slices.Sort(texts)
	return strings.Join(texts, "; ")
}

// A minimal set of the cases that pass is saved. Findings and files that people wrote
// stay. Files of an earlier save count like the corpus, and are removed if they are no
// longer needed.
func TestSaveMinimal(t *testing.T) {
	write(t, map[string]string{
		"fail-1.case":     "// test TestX\n// verdict failed\n\n[]int{9, 9}",
		"mine.case":       "[]int{7}",
		"keep-old.case":   "// test TestX\n// verdict passed\n\n[]int{1}",
		"keep-other.case": "// test TestOther\n// verdict passed\n\n[]int{1}",
	})
	_, events := runJob(t, job.Job{Mode: job.Save}, []string{"[]int{4, 5}", "[]int{0, 1, 2, 3}", "[]int{9}", "[]int{1, 2, 3, 4}", "[]int{1, 2, 3}"}, sizes)
	last := lastOf[event.Saved](t, events)
	if last.Inputs != 1 || last.Removed != 1 || last.Error != "" {
		t.Errorf("%+v", last)
	}
	if got, want := keepFiles(t), "fail []int{9, 9}; keep []int{1, 2, 3}; keep []int{1}; mine.case []int{7}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// The corpus is gone, and nothing better was found.
	_, events = runJob(t, job.Job{Mode: job.Save}, []string{"[]int{4, 5}"}, sizes)
	if last := lastOf[event.Saved](t, events); last.Inputs != 1 || last.Removed != 0 {
		t.Errorf("%+v", last)
	}
	if got, want := keepFiles(t), "fail []int{9, 9}; keep []int{1, 2, 3}; keep []int{1}; mine.case []int{7}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// If no case passes, nothing is written and nothing is removed.
func TestSaveNothing(t *testing.T) {
	write(t, map[string]string{"keep-old.case": "[]int{0}"})
	_, events := runJob(t, job.Job{Mode: job.Save}, []string{"[]int{0, 1}"}, sizes)
	if last := lastOf[event.Saved](t, events); last.Inputs != 0 || last.Removed != 0 {
		t.Errorf("%+v", last)
	}
	if got := keepFiles(t); got != "keep []int{0}" {
		t.Error(got)
	}
}

type shape interface{ area() int }

type square struct{ Side int }

func (s square) area() int { return s.Side * s.Side }

// A case with a variant that is found in the source but not declared is not saved: go test
// could not read it, and would fail.
func TestSaveLeavesOutWhatPlainTestsCannotRead(t *testing.T) {
	inEmptyPackage(t)
	before := hook.Facts
	hook.Sum(new(shape), square{})
	t.Cleanup(func() { hook.Facts = before })
	_, events := runJob(t, job.Job{Mode: job.Save}, []string{"[]shape{square{Side: 2}}", "[]shape{nil}"}, func(t testing.TB) {
		Check(t, func(t *T, in []shape) { hook.Hit(uint32(10 + len(in))) })
	})
	if last := lastOf[event.Saved](t, events); last.Inputs != 1 || last.Unreadable != 1 {
		t.Errorf("%+v", last)
	}
	if got := keepFiles(t); got != "keep []shape{nil}" {
		t.Error(got)
	}
}

func rare(t testing.TB) {
	Check(t, func(t *T, in []int) {
		t.Assume(len(in) == 3 && in[0] == 12345 && in[1] == 54321 && in[2] == in[0]+in[1])
	})
}

// A Check with saved cases that pass is not vacuous, however few other inputs pass. Saved
// cases that are discarded do not count, nor do findings that pass now, nor files that
// people wrote.
func TestSavedCasesAreNotVacuous(t *testing.T) {
	const good, bad = "[]int{12345, 54321, 66666}", "[]int{1, 2, 3}"
	passed := "// test TestX\n// verdict passed\n\n"
	for _, c := range []struct {
		name    string
		files   map[string]string
		vacuous bool
	}{
		{"nothing is saved", nil, true},
		{"one that passes", map[string]string{"keep-1.case": passed + good}, false},
		{"most no longer pass", map[string]string{"keep-1.case": passed + good, "keep-2.case": passed + bad, "keep-3.case": passed + "[]int{}"}, true},
		{"a finding that passes", map[string]string{"fail-1.case": "// verdict failed\n\n" + good}, true},
		{"a file written by hand", map[string]string{"a.case": good}, true},
	} {
		write(t, c.files)
		r := recordHere(t, "TestX", rare)
		if r.failed != c.vacuous || c.vacuous && !strings.Contains(r.text(), "-run '^TestX$' -for 1m -save github.com/allele-go/allele\n") {
			t.Errorf("%s: %s", c.name, r.text())
		}
	}
	// Trivial inputs do not count even if they are saved.
	write(t, map[string]string{"keep-1.case": passed + "[]int{}"})
	if r := recordHere(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in []int) { t.Assume(len(in) == 0) }) }); !r.failed {
		t.Error(r.text())
	}
}

// If the job lists the faults that cases kill, the cases that stay are a few with the same
// kills. What examples and other files kill needs no case of the corpus.
func TestReduceByFaults(t *testing.T) {
	inputs := []string{"[]int{1}", "[]int{1, 2, 3}", "[]int{4, 5}", "[]int{0}", "[]int{7}"}
	id := func(i int) string { return corpus.Entry{Input: inputs[i]}.ID() }
	for _, c := range []struct {
		name  string
		kills map[string][]int
		want  string // the cases that are dropped
	}{
		{"one kills all", map[string][]int{id(0): {1, 2}, id(1): {1, 2, 3}, id(2): {3}}, "0 2 3 4"},
		{"two are needed", map[string][]int{id(0): {1, 2}, id(1): {2, 3}, id(2): {3}}, "1 3 4"},
		{"an example kills", map[string][]int{id(0): {1, 2}, id(1): {2, 3}, "Example 1": {1}}, "0 2 3 4"},
		{"nothing is killed", nil, "1 2 3 4"},
		{"a discarded case", map[string][]int{id(3): {9}, id(0): {1}}, "1 2 3 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inEmptyPackage(t)
			file := killsFile(t, c.kills)
			r, events := runJob(t, job.Job{Mode: job.Reduce, Text: job.Text{Request: file}}, inputs, sizes)
			var dropped []string
			for _, e := range allOf[event.Dropped](events) {
				for i := range inputs {
					if e.Case == id(i) {
						dropped = append(dropped, fmt.Sprint(i))
					}
				}
			}
			if last := lastOf[event.Finished](t, events); r.failed || last.Counts.Runs != len(inputs) {
				t.Errorf("%+v\n%s", last, r.text())
			}
			if got := strings.Join(dropped, " "); got != c.want {
				t.Errorf("dropped %s, want %s", got, c.want)
			}
		})
	}
}

func killsFile(t *testing.T, kills map[string][]int) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{"kills": kills})
	file := filepath.Join(t.TempDir(), "kills")
	if err == nil {
		err = os.WriteFile(file, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// The cases that are needed for their kills are written to files, and kill the same faults
// there.
func TestSaveByFaults(t *testing.T) {
	write(t, map[string]string{"keep-old.case": "// test TestX\n// verdict passed\n\n[]int{1}", "mine.case": "[]int{7}"})
	old, mine := filepath.Join("testdata", "allele", "TestX", "keep-old.case"), filepath.Join("testdata", "allele", "TestX", "mine.case")
	id := func(input string) string { return corpus.Entry{Input: input}.ID() }
	file := killsFile(t, map[string][]int{old: {1}, mine: {2}, id("[]int{4, 5}"): {1, 2, 3}, id("[]int{3}"): {2}})
	r, events := runJob(t, job.Job{Mode: job.Save, Text: job.Text{Request: file}}, []string{"[]int{4, 5}", "[]int{3}"}, sizes)
	if last := lastOf[event.Saved](t, events); r.failed || last.Inputs != 1 || last.Removed != 1 {
		t.Errorf("%+v\n%s", last, r.text())
	}
	if got, want := keepFiles(t), "keep []int{4, 5}; mine.case []int{7}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A damaged list of kills is an error, and nothing is dropped.
func TestReduceDamagedKills(t *testing.T) {
	inEmptyPackage(t)
	file := filepath.Join(t.TempDir(), "kills")
	for _, text := range []string{"", "null", "{", `{"kills": 7}`} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		r, events := runJob(t, job.Job{Mode: job.Reduce, Text: job.Text{Request: file}}, []string{"[]int{1}"}, sizes)
		if !r.failed || len(events) > 0 {
			t.Errorf("%q: %v", text, events)
		}
	}
}
