package mu2

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/eval/lab"
)

// j returns what inputs kill, of eight faults, all of them by difference.
func j(killed ...int) judged {
	return judged{Faults: 8, Executed: killed, Killed: map[string][]int{"difference": killed}}
}

func studied() *study {
	s := &study{targets: targets[:1], outcomes: map[key]outcome{}, budget: time.Minute}
	put := func(a arm, seed uint64, o outcome) { s.outcomes[key{"fastjson", a, seed}] = o }
	less := judged{Faults: 8, Killed: map[string][]int{"panic": {1}, "difference": {2}}}
	put(faults, 5001, outcome{Runs: 100, CPU: 10, Blocks: 90, All: j(1, 2, 3), Plain: &less, Pace: []point{{10, 1}, {20, 2}}})
	put(faults, 5002, outcome{Runs: 120, CPU: 10, Blocks: 90, All: j(1, 2, 4)})
	cut1, cut2 := j(1), j()
	put(coverage, 5001, outcome{Runs: 1000, CPU: 10, Blocks: 100, All: j(1, 5), Cut: &cut1, CutAt: 100})
	put(coverage, 5002, outcome{Runs: 1200, CPU: 10, Blocks: 100, All: j(1, 6), Cut: &cut2, CutAt: 120})
	put(split, 5001, outcome{Runs: 200, CPU: 10, All: j(1, 2, 3)})
	put(split, 5002, outcome{Runs: 200, CPU: 10, All: j(1, 2)})
	put(unpruned, 5001, outcome{Runs: 10, CPU: 10, All: j(1)})
	put(infection, 5001, outcome{Runs: 80, CPU: 10, All: j(1, 2)})
	put(execution, 5001, outcome{Runs: 50, CPU: 10, All: j(1, 2)})
	return s
}

// The tables of the paper, from a few trials.
func TestReport(t *testing.T) {
	s := studied()
	res := &lab.Result{Summary: map[string]any{}}
	s.report(res)
	want := map[string]string{
		"time":     "executed 6, killed by any 6, only faults any 3, only faults all 1, only coverage any 2, only coverage all 0, a12 1",
		"trials":   "executed 4, killed by any 4, only faults any 3, only faults all 1, only coverage any 0, only coverage all 0, a12 1",
		"coverage": "blocks coverage 100, blocks faults 0.900 ± 0.000, places coverage 2, places faults 1.500 ± 0.000",
		"oracle":   "by difference 1.000 ± 0.000, killed p50 3, killed without p50 1, more 2",
		"split":    "other half split p50 1.5, other half coverage p50 1.5, guiding half split p50 1, guiding half coverage p50 0.5",
	}
	for table, text := range want {
		i := slices.IndexFunc(res.Rows, func(r lab.Row) bool { return r.Get("table") == table })
		if i < 0 {
			t.Errorf("no table %s", table)
			continue
		}
		if got := only(res.Rows[i], text); got != text {
			t.Errorf("%s\ngot  %s\nwant %s", table, got, text)
		}
	}
	var speeds []string
	for _, r := range res.Rows {
		if r.Get("table") == "speed" {
			speeds = append(speeds, fmt.Sprintf("%v %v %v", r.Get("arm"), r.Get("runs/cpu s"), r.Get("cost of a run")))
		}
	}
	if got := strings.Join(speeds, ", "); got != "coverage 100 1, faults 10 10, infection 8 12.5, execution 5 20, unpruned 1 100" {
		t.Errorf("speed: %s", got)
	}
	if len(res.Seeds) != 2 || len(res.Samples) != 2 || res.Summary["killed by any"] != 6 {
		t.Errorf("%v, %v, %v", res.Seeds, res.Samples, res.Summary)
	}
}

// only shows the columns of a row that a text mentions, in its order.
func only(r lab.Row, text string) string {
	var all []string
	for part := range strings.SplitSeq(text, ", ") {
		for _, c := range r {
			if strings.HasPrefix(part, c.Column+" ") {
				all = append(all, fmt.Sprintf("%s %v", c.Column, c.Value))
				break
			}
		}
	}
	return strings.Join(all, ", ")
}

func TestReadLog(t *testing.T) {
	const log = `{"package":"real","property":"TestProperty","run":3,"id":1,"verdict":"passed","why":"1 new edge","input":"1"}
{"package":"real","property":"TestProperty","run":3,"kill":{"fault":17,"by":"difference"}}
{"package":"real","property":"TestProperty","run":9,"how":"fresh","verdict":"failed","why":"","input":"2"}
{"package":"real","property":"TestProperty","run":11,"id":2,"verdict":"discarded","why":"1 new edge","input":"3"}
{"package":"real","property":"TestProperty","run":12,"id":3,"verdict":"passed","why":"a new combination of edges","input":"4"}
`
	var o outcome
	inputs, err := readLog([]byte(log), &o)
	if err != nil || len(inputs) != 2 || o.Saved != 2 || o.Combined != 1 || len(o.Kills) != 1 {
		t.Fatalf("%v, %v, %+v", err, inputs, o)
	}
	if got := cut(inputs, 10); len(got) != 1 || got[0].Input != "1" || len(inputs) != 2 {
		t.Errorf("cut: %v", got)
	}
	if o.Kills[0] != (kill{17, "difference", 3}) {
		t.Errorf("kills: %v", o.Kills)
	}
	if _, err := readLog([]byte("x\n"), &o); err == nil {
		t.Error("no error for a bad line")
	}
	if inputs, err := readLog(nil, &o); err != nil || len(inputs) != 0 {
		t.Errorf("an empty log: %v", err)
	}
}

func TestReadScore(t *testing.T) {
	const text = `{"version":1,"packages":[
 {"path":"a","faults":[{"id":0,"verdict":"killed","by":"difference"},{"id":1,"verdict":"not reached"}]},
 {"path":"b","faults":[{"id":2,"verdict":"survived"},{"id":3,"verdict":"no verdict"},{"id":4,"verdict":"killed","by":"panic"}]}]}`
	got, err := readScore([]byte(text))
	if err != nil || fmt.Sprint(got) != "{5 1 [0 2 4] map[difference:[0] panic:[4]]}" {
		t.Errorf("%v, %v", got, err)
	}
	if got.count(false) != 2 || got.count(true) != 0 || got.difference() != 0.5 {
		t.Errorf("%v", got)
	}
	for _, bad := range []string{"", "{}", `{"version":1}`, `{"version":1,"packages":[{"path":"a","error":"broken"}]}`,
		`{"version":1,"packages":[{"faults":[{"verdict":"lived"}]}]}`} {
		if _, err := readScore([]byte(bad)); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// A search ends when it has used its CPU time, counted from its first run.
func TestSupervise(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	const script = `trap 'echo "{\"v\":2,\"kind\":\"finished\",\"property\":\"P\",\"finished\":{\"counts\":{\"runs\":7}}}"; exit 1' INT
echo '{"v":2,"kind":"started","started":{}}'
echo '{"v":2,"kind":"progress","property":"P","progress":{"counts":{"runs":5}}}'
while :; do :; done`
	var o outcome
	if err := supervise(exec.Command("sh", "-c", script), 200*time.Millisecond, time.Minute, &o); err != nil {
		t.Fatal(err)
	}
	if o.Runs != 7 || o.CPU < 0.2 || len(o.Pace) == 0 || o.Pace[0].Run != 5 {
		t.Errorf("%+v", o)
	}
	o = outcome{}
	err := supervise(exec.Command("sh", "-c", `echo '{"v":2,"kind":"found","property":"P","found":{"verdict":"failed","sign":"panic"}}'; exit 1`), time.Second, time.Minute, &o)
	if err == nil || !strings.Contains(err.Error(), "the property fails: panic") {
		t.Errorf("a property that fails: %v", err)
	}
}

// Each target has a property, and its packages are those of the module.
func TestTargets(t *testing.T) {
	files, err := os.ReadDir("testdata")
	if err != nil || len(files) != len(targets)+1 || len(targets) < 5 { // one of them is for all targets
		t.Errorf("%d targets, %d files, %v", len(targets), len(files), err)
	}
	for _, x := range targets {
		text, err := x.source()
		if err != nil || !strings.Contains(text, x.Path) || !strings.Contains(text, "observe(t, ") || strings.Contains(text, "MODULE") {
			t.Errorf("%s: %v", x.name, err)
		}
		if !strings.HasPrefix(x.packages(), x.Path) {
			t.Errorf("%s: %s", x.name, x.packages())
		}
	}
	tr := trial{target: targets[0], Arm: faults, Seed: 5001}
	if line := strings.Join(tr.args(time.Minute, "dir"), " "); !strings.Contains(line, "-guide=faults") || !strings.HasSuffix(line, " .") {
		t.Error(line)
	}
}

// The plan has the arm faults first, and the arms of the figures only for a few seeds.
func TestPlan(t *testing.T) {
	s := &study{targets: targets}
	s.plan()
	count := map[arm]int{}
	for _, tr := range s.trials {
		count[tr.Arm]++
	}
	if got := fmt.Sprint(count); got != "map[coverage:100 execution:15 faults:100 infection:15 split:100 unpruned:15]" || s.trials[0].Arm != faults {
		t.Error(got)
	}
}
