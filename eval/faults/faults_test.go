package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/site"
)

const scoreText = `{"version": 1, "set": "all", "declined": {"constant expression": 3}, "packages": [
 {"path": "m", "suite": [], "faults": [
  {"id": 0, "package": "m", "file": "m.go", "line": 3, "col": 2, "operator": "negate", "from": "a < b", "to": "a >= b",
   "verdict": "killed", "by": "test", "member": "m", "test": "TestA"},
  {"id": 1, "package": "m", "file": "m.go", "line": 4, "col": 2, "operator": "increment", "verdict": "killed", "by": "budget"},
  {"id": 2, "package": "m", "file": "m.go", "line": 5, "col": 2, "operator": "math", "verdict": "survived"},
  {"id": 3, "package": "m", "file": "m.go", "line": 6, "col": 2, "operator": "math", "verdict": "no verdict",
   "detail": "stopped\nafter 10s"}]},
 {"path": "m/x", "error": "does not compile", "faults": [
  {"id": 4, "package": "m/x", "file": "x/x.go", "line": 6, "col": 2, "operator": "math", "verdict": "not reached"}]}]}`

// The figures of a report of the command.
func TestReadScore(t *testing.T) {
	s, err := readScore([]byte(scoreText))
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(len(s.Faults), s.judged(), s.count(killed), s.by("budget"), s.share(true), s.share(false),
		s.Declined, s.Errors, reasons(s))
	const want = "5 3 2 1 0.5 0.25 map[constant expression:3] [m/x: does not compile] map[stopped:1]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, bad := range []string{"", "{}", `{"version": 2}`, `{"version": 1, "packages": []}`,
		`{"version": 1, "interrupted": true, "packages": []}`,
		`{"version": 1, "packages": [{"faults": [{"verdict": "lived"}]}]}`} {
		if _, err := readScore([]byte(bad)); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// Two scores differ if a verdict differs, or what has decided it; messages do not matter.
func TestDifferences(t *testing.T) {
	a, _ := readScore([]byte(scoreText))
	b, _ := readScore([]byte(strings.Replace(scoreText, "after 10s", "after 11s", 1)))
	if d, tests := differences(a, b); len(d) != 0 || len(tests) != 0 {
		t.Errorf("messages count: %q, %q", d, tests)
	}
	b, _ = readScore([]byte(strings.Replace(scoreText, "TestA", "TestB", 1)))
	if d, tests := differences(a, b); len(d) != 0 || len(tests) != 1 {
		t.Errorf("%q, %q", d, tests)
	}
	b, _ = readScore([]byte(strings.Replace(scoreText, `"survived"`, `"not infected"`, 1)))
	if d, _ := differences(a, b); len(d) != 1 || !strings.Contains(d[0], "survived, and not infected") {
		t.Errorf("%q", d)
	}
	if d, _ := differences(a, score{}); len(d) != 1 {
		t.Errorf("%q", d)
	}
	row, lines, _ := sameRow(rivals[0], [2][]score{{a}, {a, b}})
	if len(lines) != 1 || row.Get("different") != 1 || row.Get(survived) != 1 {
		t.Errorf("%v\n%q", row, lines)
	}
}

const gremlinsText = `{"go_module":"m","files":[{"file_name":"m.go","mutations":[
 {"type":"CONDITIONALS_BOUNDARY","status":"LIVED","line":4,"column":7},
 {"type":"CONDITIONALS_NEGATION","status":"KILLED","line":4,"column":7},
 {"type":"ARITHMETIC_BASE","status":"KILLED","line":5,"column":12},
 {"type":"INCREMENT_DECREMENT","status":"TIMED OUT","line":7,"column":15},
 {"type":"INVERT_NEGATIVES","status":"NOT COVERED","line":8,"column":11},
 {"type":"ARITHMETIC_BASE","status":"NOT COVERED","line":8,"column":11},
 {"type":"INVERT_LOOPCTRL","status":"LIVED","line":8,"column":3}]}]}`

const changedFile = `package m

func f(a, b int) int {
	if a < b {
		return a + b
	}
	for ; a > 0; a++ {
		return -a
	}
	return a
}
`

func ourFaults() (all []fault) {
	add := func(line, col, endCol int, operator, from, to, verdict, by string) {
		all = append(all, fault{Fault: site.Fault{ID: len(all), File: "m.go", Line: line, Col: col, EndLine: line, EndCol: endCol,
			Operator: operator, From: from, To: to}, Verdict: verdict, By: by})
	}
	add(4, 5, 10, "boundary", "a < b", "a <= b", survived, "")
	add(4, 5, 10, "negate", "a < b", "a >= b", survived, "")
	add(5, 10, 15, "math", "a + b", "a - b", killed, "test")
	add(5, 10, 15, "math", "a + b", "a", killed, "test")
	add(7, 15, 18, "increment", "a++", "", killed, "budget")
	add(7, 15, 18, "increment", "a++", "a--", killed, "budget")
	add(8, 10, 12, "invert", "-a", "a", notReached, "")
	return all
}

// Changes of gremlins are matched by the operator and its position, and verdicts are compared.
func TestPairs(t *testing.T) {
	all, err := readGremlins([]byte(gremlinsText))
	if err != nil {
		t.Fatal(err)
	}
	ops := operations{}
	if err := ops.add("m.go", []byte(changedFile)); err != nil {
		t.Fatal(err)
	}
	// gremlins has the position of the operator.
	for i := range all {
		if all[i].Line == 7 {
			all[i].Col = 16
		} else if all[i].Type != "INVERT_LOOPCTRL" && all[i].Line == 8 {
			all[i].Col = 10
		}
	}
	h := hunt{Changed: all, CPU: 40}
	s := score{Faults: ourFaults(), CPU: 2, Warm: 0.5}
	matched, unmatched := pairs(ops, h, s)
	var got []string
	for _, p := range matched {
		got = append(got, fmt.Sprintf("%s: %s is %d, %v", p, p.Status, p.ours.ID, p.agree()))
	}
	want := []string{
		"m.go:4:7 CONDITIONALS_BOUNDARY: LIVED is 0, true",
		"m.go:4:7 CONDITIONALS_NEGATION: KILLED is 1, false",
		"m.go:5:12 ARITHMETIC_BASE: KILLED is 2, true",
		"m.go:7:16 INCREMENT_DECREMENT: TIMED OUT is 5, true",
		"m.go:8:10 INVERT_NEGATIVES: NOT COVERED is 6, true",
		"m.go:8:10 ARITHMETIC_BASE: NOT COVERED is 6, true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	if texts(unmatched) != "1 INVERT_LOOPCTRL" {
		t.Errorf("unmatched: %v", unmatched)
	}
	c := contest{subject: rivals[0], hunt: h, scores: []score{s, s, s}, plain: []float64{1, 1, 1}, pairs: matched, unmatched: unmatched}
	c.disagreements = []disagreement{{Module: "m", Place: "m.go:4:7", Gremlins: gKilled, Ours: survived}}
	res := &lab.Result{Summary: map[string]any{}}
	if err := report(res, []contest{c}, false); err == nil || !strings.Contains(err.Error(), "no cause is known") {
		t.Errorf("a disagreement without a cause: %v", err)
	}
	wanted := map[string]any{"judged": 6, "judged/cpu s": 12.0, "gremlins judged": 5, "per fault": 96.0, "end to end": 24.0}
	for column, want := range wanted {
		if got := res.Rows[0].Get(column); got != want {
			t.Errorf("%s: %v, want %v", column, got, want)
		}
	}
	if res.Summary["matched"] != 6 || res.Summary["agree"] != 5 {
		t.Errorf("summary: %v", res.Summary)
	}
}

// A position may be that of the operator too.
func TestMatchOperatorPosition(t *testing.T) {
	ops := operations{}
	if err := ops.add("m.go", []byte(changedFile)); err != nil {
		t.Fatal(err)
	}
	f := fault{Fault: site.Fault{File: "m.go", Line: 5, Col: 12, EndLine: 5, EndCol: 13, Operator: "math", From: "+", To: "-"}}
	if ops.match(gremlin{File: "m.go", Line: 5, Col: 12, Type: "ARITHMETIC_BASE"}, groups([]fault{f})) == nil {
		t.Error("no match")
	}
	f.To = "*"
	if ops.match(gremlin{File: "m.go", Line: 5, Col: 12, Type: "ARITHMETIC_BASE"}, groups([]fault{f})) != nil {
		t.Error("another operator matches")
	}
}

func TestReadGremlins(t *testing.T) {
	for _, bad := range []string{"", "{}", `{"files": 1}`} {
		if _, err := readGremlins([]byte(bad)); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// The third opinion runs the changed program.
func TestJudge(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	src := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\n\ngo 1.21\n",
		"m.go":      "package m\n\nfunc Add(a, b int) int { return a + b }\n\nfunc Join(a, b string) string { return a + b }\n\nvar Big = 2 * 1\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal()\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ops, err := scan(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, col int
		want      string
	}{{3, 35, testsFail}, {5, 42, doesNotCompile}, {7, 13, testsPass}} {
		got, err := judge(src, foreign.UserCache, ops, gremlin{File: "m.go", Line: c.line, Col: c.col, Type: "ARITHMETIC_BASE"})
		if err != nil || got != c.want {
			t.Errorf("line %d: %s, %v, want %s", c.line, got, err, c.want)
		}
	}
	d := disagreement{Gremlins: gKilled, Ours: survived, Program: doesNotCompile}
	if d.cause() == "" {
		t.Error("no cause")
	}
}

// The CPU time includes that of processes whose parent has exited.
func TestTree(t *testing.T) {
	spent, err := tree(exec.Command("sh", "-c", "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done' & exit 0"))
	if err != nil || spent < 10*time.Millisecond {
		t.Errorf("%v, %v", spent, err)
	}
}

// The copy has another module path and no nested modules.
func TestCopySelf(t *testing.T) {
	to := filepath.Join(t.TempDir(), "self")
	if err := copySelf("../..", to); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(to, "go.mod"))
	if err != nil || !strings.HasPrefix(string(text), "module "+selfPath+"\n") {
		t.Errorf("go.mod: %q, %v", text, err)
	}
	text, err = os.ReadFile(filepath.Join(to, "internal/value/term/term.go"))
	if err != nil || strings.Contains(string(text), foreign.Library) {
		t.Errorf("an import is not renamed: %v", err)
	}
	if _, err := os.Stat(filepath.Join(to, "eval")); err == nil {
		t.Error("eval was copied")
	}
	for _, pkg := range append(slices.Clone(whole), others...) {
		if _, err := os.Stat(filepath.Join(to, pkg)); err != nil {
			t.Error(err)
		}
	}
}

// A survivor needs a reason, and the sample is always the same.
func TestSurvivors(t *testing.T) {
	s, _ := readScore([]byte(scoreText))
	row, alive := selfRow("./m", s)
	if len(alive) != 2 || row.Get("equivalent") != 0 {
		t.Errorf("%v, %v", row, alive)
	}
	res := &lab.Result{}
	if errs := survivors(res, "m", alive); len(errs) != 2 || len(res.Samples) != 2 {
		t.Errorf("%v, %v", errs, res.Samples)
	}
	many := make([]fault, 200)
	for i := range many {
		many[i].ID = i
	}
	a, b := sample(many, sampleSize), sample(many, sampleSize)
	if len(a) != sampleSize || !slices.EqualFunc(a, b, func(x, y fault) bool { return x.ID == y.ID }) {
		t.Error("the sample varies")
	}
	if len(sample(many[:3], sampleSize)) != 3 {
		t.Error("a small sample")
	}
}
