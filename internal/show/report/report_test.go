//go:build go1.25

package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/testkit"
	"github.com/allele-go/allele/internal/words"
)

var begin = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// story is a campaign as a sequence of events. at advances the clock.
type story struct {
	*Report
	now time.Time
}

func newStory(c Config) *story { return &story{New(c), begin} }

func (s *story) at(seconds float64) *story {
	s.now = begin.Add(time.Duration(seconds * float64(time.Second)))
	s.Tick(s.now)
	return s
}

// event shows an event of a property pkg.TestName, or of the campaign if name is empty.
func (s *story) event(name string, b event.Body) *story {
	e := event.Event{Time: s.now, Body: b}
	if pkg, property, ok := strings.Cut(name, "."); ok {
		e.Package, e.Property = "example.com/"+pkg, property
	}
	s.Show(e)
	return s
}

func (s *story) list(names ...string) *story {
	for _, name := range names {
		s.event(name, event.Listed{})
	}
	return s
}

func (s *story) start(budget float64) *story {
	return s.event("", event.Started{Seconds: 2.1, Budget: budget, Workers: 2, Text: "built 14 packages · 3,812 sites · 5 properties"})
}

// progress is "state runs seconds passed discarded paths quiet".
func (s *story) progress(name, numbers string) *story {
	var e event.Progress
	n := &e.Counts
	fmt.Sscan(numbers, &e.State, &n.Runs, &e.Seconds, &n.Passed, &n.Discarded, &n.Paths, &e.Quiet)
	return s.event(name, e)
}

func (s *story) finish(name, numbers string, e event.Finished) *story {
	n := &e.Counts
	fmt.Sscan(numbers, &e.Verdict, &n.Runs, &e.Seconds, &n.Passed, &n.Discarded, &n.Paths)
	return s.event(name, e)
}

const block = `--- FAIL: TestOptimiseKeepsMeaning (0.04s)
    lang_test.go:14: property failed: the meaning changed (lang_test.go:20)

        counterexample, shrunk from 11 nodes to 4 in 63 runs:

            in := Let{Name: "x", Value: Var("y"), In: Let{Name: "y", Value: Lit(0), In: Var("x")}}

        saved    testdata/allele/TestOptimiseKeepsMeaning/fail-3f9c2a.case
        replay   go test -run '^TestOptimiseKeepsMeaning$'
`

var five = []string{"tree.TestInsertKeepsOrder", "tree.TestDeleteKeepsOrder", "lang.TestOptimiseKeepsMeaning", "cfg.TestRoundTrip", "sched.TestFair"}

// middle is a campaign after 34 of 60 seconds.
func (s *story) middle() *story {
	s.list(five...).start(60)
	s.at(1).progress(five[0], "running 20000 0.5 6600 13400 120 0")
	s.at(20).event(five[2], event.Found{Verdict: event.Failed, Text: block, Sign: "s", Case: "testdata/allele/TestOptimiseKeepsMeaning/fail-3f9c2a.case", Failures: 1})
	s.event(five[2], event.Found{Verdict: event.Failed, Known: true, Sign: "s", Failures: 1})
	s.at(21).event(five[0], event.Died{Run: 1234, Text: "exit code 3"})
	s.at(34).progress(five[0], "running 1212000 6.6 400000 800000 812 4.2")
	s.progress(five[1], "waiting 912345 5.3 283000 629345 790 19")
	s.event(five[2], event.Progress{State: "failed", Counts: event.Counts{Runs: 88123, Passed: 46, Discarded: 54, Paths: 2310}, Seconds: 1.9, Failures: 1})
	s.progress(five[3], "quiet 310000 3.04 309000 1000 144 41.9")
	return s.at(34.5)
}

// rest is the campaign after middle.
func (s *story) rest() *story {
	s.at(50).progress(five[4], "running 10 0.1 10 0 3 0")
	s.at(60).finish(five[0], "passed 3300000 18 1000000 2300000 830", event.Finished{Search: event.Search{Kept: 655, Whole: 640}})
	s.finish(five[1], "passed 2912345 15.3 903000 2009345 790", event.Finished{Search: event.Search{Kept: 655, Whole: 3}})
	s.finish(five[2], "failed 188123 3.9 86000 102123 2410", event.Finished{Failures: 1, Text: "=== RUN\n" + block + "FAIL\n"})
	s.progress(five[3], "quiet 310000 3.04 309000 1000 144 52").finish(five[3], "passed 610000 9.04 609000 1000 144", event.Finished{})
	s.finish(five[4], "passed 65536 4 65536 0 90", event.Finished{Exhausted: true, Why: "all 65,536 inputs were run"})
	return s.event("", event.Ended{Runs: 9_812_345, Seconds: 60, Workers: 2, Failures: 1})
}

// thirty is a campaign with more properties than a small terminal has rows.
func (s *story) thirty() *story {
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("pkg%d.TestPropertyNumber%dHasQuiteALongNameEven", i/4, i))
	}
	s.list(names...).start(600)
	for i, name := range names {
		switch {
		case i < 12:
			s.progress(name, fmt.Sprintf("waiting %d %d %d 10 %d %d", 1000*i*i*i+100, i+1, 90*i, 17*i+3, 100-i))
		case i < 14:
			s.progress(name, "running 48000 4 40000 8000 1200 2")
		case i < 17:
			s.progress(name, "exhausted 256 1 256 0 9 30")
		case i == 28:
			s.event(name, event.Progress{State: "failed", Failures: 12, Counts: event.Counts{Runs: 99, Passed: 99, Paths: 7}, Seconds: 1})
		}
	}
	return s.at(35)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	testkit.Golden(t, filepath.Join("testdata", name+".txt"), []byte(got))
}

func live(m *emulator) Config {
	return Config{Out: m, Err: m, Mode: Live, Size: m.size, Resumes: true, Where: func(pkg string) string { return "." + strings.TrimPrefix(pkg, "example.com") }}
}

// The screen in the middle of campaigns.
func TestFrames(t *testing.T) {
	for _, c := range []struct {
		name          string
		columns, rows int
		run           func(*story) *story
	}{
		{"five-80", 80, 24, (*story).middle},
		{"five-120", 120, 40, (*story).middle},
		{"five-40", 40, 24, (*story).middle},
		{"thirty-80", 80, 40, (*story).thirty},
		{"thirty-120", 120, 40, (*story).thirty},
		{"thirty-80x24", 80, 24, (*story).thirty},
		{"thirty-80x5", 80, 5, (*story).thirty},
	} {
		m := newEmulator(t, c.columns, c.rows)
		c.run(newStory(live(m)))
		golden(t, c.name, m.screen())
		if !m.hidden {
			t.Errorf("%s: the cursor is not hidden", c.name)
		}
	}
}

// The terminal after a whole campaign.
func TestLeavesTheTerminalAsItWas(t *testing.T) {
	m := newEmulator(t, 80, 24)
	newStory(live(m)).middle().rest().Close()
	golden(t, "over-80", m.text())
	if m.hidden || m.x != 0 {
		t.Errorf("hidden %v, column %d", m.hidden, m.x)
	}

	m = newEmulator(t, 80, 24) // the table fills the screen
	newStory(live(m)).thirty().Close()
	if strings.Count(m.text(), "property ") != 1 {
		t.Errorf("an old table is left\n%s", m.text())
	}

	m = newEmulator(t, 80, 24) // an error ended the campaign
	newStory(live(m)).middle().Close()
	if m.hidden || strings.Contains(m.text(), "ctrl-c") || strings.Count(m.text(), "tree.TestInsertKeepsOrder ") != 1 {
		t.Errorf("hidden %v\n%s", m.hidden, m.text())
	}

	m = newEmulator(t, 80, 24) // nothing was ever shown
	newStory(live(m)).Close()
	if m.writes != 0 {
		t.Errorf("%q", m.text())
	}
}

// Colours add no information to the words.
func TestColours(t *testing.T) {
	var out bytes.Buffer
	c := Config{Out: &out, Err: &out, Mode: Live, Colour: true}
	s := newStory(c).middle()
	marked := strings.Join(s.frame(79, 24), "\n") + "\n"
	s.rest()
	_, end, _ := strings.Cut(out.String(), "\n5 properties · 2 workers")
	golden(t, "colours", regexp.MustCompile("\x1b\\[([0-9;]*)m").ReplaceAllString(marked+"\n5 properties"+end, "<$1>"))
	plain := newStory(Config{Out: &bytes.Buffer{}, Err: &out, Mode: Live}).middle()
	if got := strings.Join(plain.frame(79, 24), "\n") + "\n"; got != unpainted(marked) || strings.Contains(got, "\x1b") {
		t.Errorf("the text differs without colours:\n%s", got)
	}
}

func TestPlain(t *testing.T) {
	var out, errors bytes.Buffer
	newStory(Config{Out: &out, Err: &errors, Resumes: true}).middle().rest().Close()
	golden(t, "plain", out.String())
	if want := "allele test: tree.TestInsertKeepsOrder: its process exited in run 1,234 (exit code 3); confirming the input\n"; errors.String() != want {
		t.Errorf("%q, wanted %q", errors.String(), want)
	}
}

// Only the command replays a finding under trace: plain go test does not know the
// variants of an interface.
func TestReplays(t *testing.T) {
	for traced, want := range map[bool]string{true: "\nreplay     go tool allele test -run '^TestA$' ", false: "\nreplay     go test -run '^TestA$' "} {
		var out bytes.Buffer
		s := newStory(Config{Out: &out, Err: &out})
		s.list("p.TestA", "p.TestB").start(10)
		s.event("p.TestA", event.Found{Verdict: event.Failed, Case: "fail-1.case", Traced: traced})
		s.finish("p.TestA", "failed 10 1 9 0 2", event.Finished{})
		s.event("", event.Ended{})
		if !strings.Contains(out.String(), want) {
			t.Errorf("traced %v: no %q in\n%s", traced, want, out.String())
		}
	}
}

// Each stored case has a line with the command that prints it as a test.
func TestAsTests(t *testing.T) {
	var out bytes.Buffer
	s := newStory(Config{Out: &out, Err: &out})
	s.list("p.TestA", "p.TestB").start(10)
	for i := range testsMax + 1 {
		s.event([]string{"p.TestA", "p.TestB"}[i%2], event.Found{Verdict: event.Failed, Case: fmt.Sprintf("fail-%d.case", i)})
	}
	s.finish("p.TestA", "failed 10 1 9 0 2", event.Finished{}).finish("p.TestB", "failed 10 1 9 0 2", event.Finished{})
	out.Reset()
	s.event("", event.Ended{})
	if n := strings.Count(out.String(), "go tool allele show -test fail-"); n != testsMax || !strings.Contains(out.String(), "and the same for 1 more") {
		t.Errorf("%d lines\n%s", n, out.String())
	}
}

// A search of a vacuous property is not suggested again if it found no input that passes, nor
// if no search can help.
func TestVacuousAgain(t *testing.T) {
	for _, c := range []struct {
		name, counts string
		budget       float64
		fixed, want  bool
	}{
		{"without a time limit", "vacuous 10000 1 0 10000 2", 0, false, true},
		{"with a time limit", "vacuous 10000 1 0 10000 2", 60, false, false},
		{"with a time limit, some passed", "vacuous 10000 1 3 9997 2", 60, false, true},
		{"the input cannot vary", "vacuous 10000 1 3 9997 2", 0, true, false},
	} {
		var out bytes.Buffer
		s := newStory(Config{Out: &out, Err: &out})
		s.list("p.TestA", "p.TestB").start(c.budget)
		s.finish("p.TestA", c.counts, event.Finished{Certain: c.fixed}).finish("p.TestB", "passed 10 1 10 0 2", event.Finished{})
		s.event("", event.Ended{})
		if got := strings.Contains(out.String(), "\nvacuous    go tool"); got != c.want {
			t.Errorf("%s:\n%s", c.name, out.String())
		}
		if !strings.Contains(out.String(), "\nVACUOUS    p.TestA  hardly anything was checked; its report is above\n") {
			t.Errorf("%s: the summary of TestA is wrong:\n%s", c.name, out.String())
		}
	}
}

// Two packages with the same last element are told apart, and a version is not a name.
func TestNamesAreUnique(t *testing.T) {
	var out bytes.Buffer
	s := newStory(Config{Out: &out, Err: &out})
	s.list("a/tree.TestX", "b/tree.TestX", "semver/v3.TestX", "lang.TestX").start(0)
	for _, name := range []string{"a/tree", "b/tree", "semver/v3", "lang"} {
		s.finish(name+".TestX", "passed 10 1 9 0 2", event.Finished{})
		if !strings.Contains(out.String(), "\n"+name+".TestX ") {
			t.Errorf("no %s.TestX in\n%s", name, out.String())
		}
	}
}

// A failure that is shrunk for a while is shown: in the status of the table, and as one line for each in plain output.
func TestShrinking(t *testing.T) {
	for _, c := range []struct {
		conf   Config
		budget float64
	}{{Config{}, 0}, {Config{}, 10}, {Config{Default: true}, 10}, {Config{Mode: Live}, 10}} {
		var out bytes.Buffer
		c.conf.Out, c.conf.Err = &out, &out
		s := newStory(c.conf)
		s.list("p.TestA").start(c.budget)
		s.progress("p.TestA", "running 10 0.1 10 0 3 0")
		for range 2 {
			s.progress("p.TestA", "shrinking 10 0.1 10 0 3 0").progress("p.TestA", "shrinking 10 0.2 10 0 3 0")
			if c.conf.Mode == Live {
				lines := s.frame(79, 24)
				if got := lines[len(lines)-1]; !strings.Contains(got, " · shrinks a failure of p.TestA") {
					t.Errorf("status %q", got)
				}
			}
			s.progress("p.TestA", "running 10 0.1 10 0 3 0")
		}
		if n := strings.Count(out.String(), "  p.TestA  shrinks a failure · 10 runs · 3 paths\n"); c.conf.Mode == Plain && n != 2 {
			t.Errorf("%+v: %d lines in\n%s", c, n, out.String())
		}
	}
}

// A failure that does not end the test has the form of one that does.
func TestFramed(t *testing.T) {
	for _, budget := range []float64{0, 10} {
		var out bytes.Buffer
		s := newStory(Config{Out: &out, Err: &out})
		s.list("p.TestA").start(budget)
		s.event("p.TestA", event.Found{Verdict: event.Failed, Text: "property failed: one\n\ncounterexample:\n    1"})
		s.event("p.TestA", event.Found{Verdict: event.Failed, Text: "property failed: two"})
		s.finish("p.TestA", "failed 10 1 9 0 2", event.Finished{Failures: 2})
		for _, want := range []string{"\n--- FAIL: TestA\n    property failed: one\n\n    counterexample:\n        1\n", "\n--- FAIL: TestA\n    property failed: two\n"} {
			if strings.Count(out.String(), want) != 1 {
				t.Errorf("budget %v: want once %q in\n%s", budget, want, out.String())
			}
		}
	}
}

// Without a budget each property has a line when it is done.
func TestPlainWithoutTime(t *testing.T) {
	var out bytes.Buffer
	s := newStory(Config{Out: &out, Err: &out, Verbose: true, Commands: Commands{"go test -tags=x ", "allele test -tags=x -scope=y ", "allele show -tags=x -scope=y ", "NAME "}, Place: func(id uint32) string {
		return map[uint32]string{1: "loop in F, f.go:1", 2: "then in F, f.go:2"}[id]
	}})
	s.list("a.TestOk", "a.TestRoutines", "b.TestAll", "b.TestFails/with a name", "b.TestVacuousOneWithAVeryLongNameIndeed", "c.TestCrashes", "c.TestFlaky", "c.TestValues", "c.TestUncompared", "c.TestStopped", "c.TestLate", "c.TestZero", "d.TestSkipped", "d.TestSkippedToo", "d.TestLater")
	s.start(0)
	s.event("d.TestSkipped", event.Skipped{Why: "nothing it reaches has changed"})
	s.event("d.TestSkippedToo", event.Skipped{Why: "nothing it reaches has changed"})
	s.progress("a.TestOk", "running 10 0.1 10 0 3 0")
	s.finish("a.TestOk", "passed 1000 0.005 1000 0 321", event.Finished{Counts: event.Counts{Resumed: event.Resumed{Inputs: 3}},
		Search: event.Search{Shared: 2, Heard: 1, Operands: &event.Operands{Asked: 3, Died: 1}, Kept: 9, Whole: 2, Bounded: 1, Dropped: 1, Share: 0.5, Kinds: []event.Count{{Kind: "fresh", Tried: 100, Passed: 90, New: 9}}}})
	s.event("a.TestOk", event.Saved{Text: "saved 3 passing inputs in a/testdata, for go test to start with"})
	s.finish("a.TestRoutines", "passed 1234567 10 700000 534567 30", event.Finished{Counts: event.Counts{Spawned: 1200, Long: event.Long{Runs: 1200, Limit: 5_000_000}}})
	s.event("a.TestRoutines", event.Repeated{Inputs: 3, Runs: 300})
	s.finish("b.TestAll", "passed 256 1 256 0 5", event.Finished{Exhausted: true, Why: "all 256 inputs were run"})
	s.event("b.TestFails/with a name", event.Found{Verdict: event.Failed, Text: "    f_test.go:1: property failed\n"})
	s.finish("b.TestFails/with a name", "failed 12345678 60 12345000 678 2", event.Finished{Text: "--- FAIL\n    f_test.go:1: property failed\n", Places: event.Places{Hot: 1, Last: []uint32{2, 9, 1}}})
	s.finish("b.TestVacuousOneWithAVeryLongNameIndeed", "vacuous 10000 1 3 9997 2", event.Finished{Text: "    vacuous: 9,997 of 10,000\n"})
	s.finish("c.TestCrashes", "crashed", event.Finished{Why: "all inputs passed, but then the test failed", Text: "\nwhat it printed\n"})
	s.finish("c.TestFlaky", "flaky 10 1 10 0 2", event.Finished{Text: "    flaky: it\n", Places: event.Places{Parted: []uint32{1, 2, 0}}})
	s.finish("c.TestValues", "flaky 10 1 10 0 2", event.Finished{Text: "    flaky: values\n", Places: event.Places{Same: true}})
	s.finish("c.TestUncompared", "flaky 10 1 10 0 2", event.Finished{Text: "    flaky: processes crash\n"})
	s.finish("c.TestStopped", "stopped 10 1 10 0 2", event.Finished{})
	s.finish("c.TestLate", "stopped 10 1 10 0 2", event.Finished{Counts: event.Counts{Distinct: 4}, Why: "time was up when 4 distinct inputs had passed; at least 10 must"})
	s.finish("c.TestZero", "passed 1000 1 1000 0 2", event.Finished{Counts: event.Counts{Distinct: 1024, AtLeast: true, Resumed: event.Resumed{Inputs: 2244, Seconds: 1.25}}})
	s.event("", event.Stopped{Text: "stopped; 1 property not tried"})
	s.at(3.25).event("", event.Ended{Workers: 1})
	golden(t, "plain-no-time", out.String())
	for line := range strings.Lines(out.String()) {
		if words.Width(line) > plainWidth+1 && !strings.Contains(line, "allele test") && !strings.Contains(line, "    ran 3") {
			t.Errorf("wider than %d: %s", plainWidth, line)
		}
	}
}

// If all properties pass, the summary has one line for each and no more.
func TestSummaryOfMany(t *testing.T) {
	var out bytes.Buffer
	s := newStory(Config{Out: &out, Err: &out, Resumes: true}).start(60)
	for i := range 30 {
		s.finish(fmt.Sprintf("pkg.Test%d", i), "passed 50000 2 50000 0 321", event.Finished{Search: event.Search{Kept: 10, Whole: 10}})
	}
	out.Reset()
	s.at(60).event("", event.Ended{Workers: 1})
	if lines := strings.Count(out.String(), "\n"); lines != 1+1+30+1 {
		t.Errorf("%d lines\n%s", lines, out.String())
	}
}

// The summary suggests one command to go on. The text of a campaign that was stopped has one already, and a
// time excludes a number of tests.
func TestContinue(t *testing.T) {
	for _, c := range []struct {
		name, stopped, want string
		budget              float64
	}{
		{"time is up", "", "continue   run the same command with -for 10m to search longer", 60},
		{"a number of tests", "", "continue   run the same command with -for 1m, without -tests, to search for a minute", 0},
		{"stopped", "stopped\nthe corpus is saved: run the same command again to continue", "", 60},
	} {
		var out bytes.Buffer
		s := newStory(Config{Out: &out, Err: &out, Resumes: true}).start(c.budget)
		for _, name := range []string{"a.TestA", "a.TestB"} {
			s.finish(name, "passed 1000 1 1000 0 3", event.Finished{})
		}
		if c.stopped != "" {
			s.event("", event.Stopped{Text: c.stopped})
		}
		s.event("", event.Ended{Workers: 1})
		if got := out.String(); !strings.Contains(got, c.want) || strings.Count(got, "run the same command") != 1 {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
}

// A note that the report of a property has is not printed again.
func TestNotesOnce(t *testing.T) {
	var out bytes.Buffer
	newStory(Config{Out: &out, Err: &out}).start(0).finish("a.TestA", "vacuous 1000 1 1000 0 1",
		event.Finished{Text: "vacuous: the input never varies: in is zero\n", Notes: []string{"in is zero", "other"}}).event("", event.Ended{})
	if got := out.String(); strings.Count(got, "in is zero") != 1 || !strings.Contains(got, "note: other") {
		t.Error(got)
	}
}

// There is no summary for a single property.
func TestNoSummaryOfOne(t *testing.T) {
	var out bytes.Buffer
	newStory(Config{Out: &out, Err: &out}).start(0).finish("a.TestA", "passed 1000 1 1000 0 3", event.Finished{}).event("", event.Ended{})
	if lines := strings.Count(out.String(), "\n"); lines != 3 {
		t.Errorf("%d lines\n%s", lines, out.String())
	}
}

// Programs get each event, and nothing else.
func TestJSON(t *testing.T) {
	var out, errors bytes.Buffer
	newStory(Config{Out: &out, Err: &errors, Mode: JSON}).middle().rest().Close()
	golden(t, "json", out.String())
	for line := range strings.Lines(out.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
	if errors.Len() > 0 {
		t.Error(errors.String())
	}
}

// No text of a user can send escape sequences to the terminal.
func TestNothingGetsOut(t *testing.T) {
	const odd = "\x1b]0;title\a\x1b[2J\r\u009b2J"
	for _, mode := range []Mode{Live, Plain} {
		var out bytes.Buffer
		s := newStory(Config{Out: &out, Err: &out, Mode: mode, Verbose: true}).start(10)
		name := "a.Test" + odd
		finished := event.Finished{Text: odd, Why: odd, Counts: event.Counts{Runs: 1}, Notes: []string{odd}, Search: event.Search{Unkept: odd, Unlogged: odd,
			Operands: &event.Operands{Off: odd}, Encoded: &event.Encoded{Off: odd}, Kept: 1, Kinds: []event.Count{{Kind: odd}}}}
		crashed, failed := finished, finished
		crashed.Verdict, failed.Verdict = event.Crashed, event.Failed
		for i, b := range []event.Body{event.Listed{Test: odd}, event.Chosen{Why: odd}, event.Skipped{Why: odd},
			event.Progress{State: "running", Counts: event.Counts{Runs: 1}}, event.Found{Text: odd, Case: odd, Verdict: event.Failed},
			event.Found{Text: odd + odd, Case: odd, Verdict: event.Unstable}, event.Died{Text: odd}, event.Died{Text: odd, Run: 1}, event.Note{Text: odd},
			event.Omitted{Text: odd}, event.Saved{Text: odd}, event.Stopped{Text: odd}, failed, crashed} {
			s.at(float64(i)).event(name, b)
		}
		fmt.Fprint(s.Stderr(), map[Mode]string{Live: odd, Plain: ""}[mode])
		s.event("", event.Ended{})
		rest := regexp.MustCompile("\x1b\\[(\\?25[lh]|[0-9]*A|J|K)|\r").ReplaceAllString(out.String(), "")
		if strings.ContainsAny(rest, "\x1b\a\r\u009b") || mode == Plain && rest != out.String() {
			t.Errorf("mode %d: %q", mode, out.String())
		}
	}
}

// A text that is not an event does not damage the table, and goes to standard error.
func TestStderr(t *testing.T) {
	m := newEmulator(t, 80, 24)
	s := newStory(live(m)).middle()
	fmt.Fprintln(s.Stderr(), "allele test: stopping after the current run")
	s.at(35)
	if !strings.Contains(m.text(), "confirming the input\nallele test: stopping after the current run\nproperty ") || strings.Count(m.text(), "\nproperty ") != 1 {
		t.Error(m.text())
	}
	var apart bytes.Buffer
	c := live(m)
	c.Err, c.Apart = &apart, true
	fmt.Fprint(newStory(c).middle().Stderr(), "text")
	if want := "allele test: tree.TestInsertKeepsOrder: its process exited in run 1,234 (exit code 3); confirming the input\ntext"; apart.String() != want {
		t.Errorf("%q, wanted %q", apart.String(), want)
	}
}

// The table is redrawn in one write, ten times a second at most, and only if something
// has changed.
func TestWritesLittle(t *testing.T) {
	m := newEmulator(t, 80, 24)
	s := newStory(live(m)).list(five...).start(60)
	m.writes = 0
	for i := range 1000 { // a second
		s.at(1+float64(i)/1000).progress(five[0], fmt.Sprintf("running %d 1 %d 0 7 0", i, i))
		s.event(five[0], event.Note{Text: fmt.Sprint(i)})
	}
	if m.writes < 9 || m.writes > 11 {
		t.Errorf("%d writes in a second", m.writes)
	}
	s.at(2.5)
	if !strings.Contains(m.text(), ": 999\n") {
		t.Error("the last note is missing")
	}
	m.writes = 0
	for i := range 10 {
		s.at(2.5 + float64(i)/25)
	}
	if m.writes != 0 {
		t.Errorf("%d writes without a change", m.writes)
	}
}

// Frames fit into the terminal, whatever its size and whatever the names.
func TestFits(t *testing.T) {
	s := newStory(Config{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Mode: Live}).thirty()
	s.list("漢字.Test漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", "x.T")
	s.progress("x.T", "quiet 999999999999 1 999999999 1 99999999 99999999")
	for width := columnsMin - 1; width < 200; width++ {
		for height := 1; height < 50; height += 3 {
			frame := s.frame(width, height)
			if len(frame) > height-1 {
				t.Fatalf("%d lines in %d", len(frame), height)
			}
			for _, line := range frame {
				if words.Width(line) > width || strings.HasSuffix(line, " ") {
					t.Fatalf("at %d: %q", width, line)
				}
			}
		}
	}
}

// After many frames, with texts in between and windows resized, the screen is the same as
// if only the last frame had been drawn. This is the slow twin of screen.draw.
func TestScreenAsFromScratch(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		m := newEmulator(t, 60, 30)
		var s screen
		var written strings.Builder
		var lines []string
		for range 1 + random.IntN(8) {
			above := ""
			if random.IntN(3) == 0 {
				above = strings.Repeat(fmt.Sprint("text ", random.IntN(100), " "), 1+random.IntN(20)) + "\n"
			}
			if random.IntN(3) == 0 {
				m.resize(30+random.IntN(60), 30)
			}
			lines = nil
			for range random.IntN(8) {
				lines = append(lines, strings.Repeat(string(rune('a'+random.IntN(4))), 1+random.IntN(m.columns-2)))
			}
			written.WriteString(above)
			m.Write(s.draw(above, lines, m.columns-1, m.rows))
		}
		twin := newEmulator(t, m.columns, m.rows)
		fmt.Fprint(twin, written.String(), strings.Join(append(lines, ""), "\n"))
		if got, want := unfolded(m), unfolded(twin); got != want {
			t.Fatalf("step by step:\n%s\nfrom scratch:\n%s", got, want)
		}
	}
}

// unfolded returns the text of a terminal without wrapped lines: where a line is wrapped
// depends on the width when it was written.
func unfolded(m *emulator) string {
	m.resize(10_000, 10_000)
	return m.text()
}

// A window that is resized during the campaign.
func TestResize(t *testing.T) {
	for _, folds := range []bool{true, false} {
		m := newEmulator(t, 120, 40)
		m.folds = folds
		s := newStory(live(m)).middle()
		for _, columns := range []int{100, 80, 60, 50, 80, 120} {
			m.resize(columns, 24)
			s.at(40 + float64(columns)/100)
			if got := strings.Count(m.screen(), "ctrl-c"); got > 1 || strings.Count(m.text(), "sched.TestFair ") != 1 {
				t.Errorf("folds %v, %d columns:\n%s", folds, columns, m.text())
			}
		}
		if folds && !strings.Contains(m.text(), "confirming the input") {
			t.Errorf("a line above the table is lost:\n%s", m.text())
		}
		golden(t, fmt.Sprintf("resized-%v", map[bool]string{true: "folds", false: "cuts"}[folds]), m.text())
	}
}

// Problems of the operands process are reported, and its statistics with -v.
func TestOperands(t *testing.T) {
	for _, c := range []struct {
		verbose    bool
		off        string
		out, error string
	}{
		{false, "", "", ""},
		{true, "", "    operand process: asked 3 times, died 1 time\n", ""},
		{false, "it died", "", "allele test: list.TestX: the search went on without operands: it died; -operands=off disables them\n"},
	} {
		var out, errors strings.Builder
		r := New(Config{Out: &out, Err: &errors, Verbose: c.verbose})
		r.headed = true
		r.Show(event.Event{Package: "example.com/list", Property: "TestX",
			Body: event.Finished{Verdict: "passed", Search: event.Search{Operands: &event.Operands{Asked: 3, Died: 1, Off: c.off}}}})
		_, got, _ := strings.Cut(out.String(), "\n")
		if got != c.out || errors.String() != c.error {
			t.Errorf("%+v: %q, %q", c, got, errors.String())
		}
	}
}

// Files, pipes, dumb terminals and the null device get plain lines.
func TestAt(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var c Config
	for _, term := range []string{"", "dumb", "xterm"} {
		c.At(null, null, func(string) string { return term })
		if c.Mode != Plain || c.Colour {
			t.Errorf("TERM=%s: %+v", term, c)
		}
	}
	c.At(&bytes.Buffer{}, null, func(string) string { return "xterm" })
	if c.Mode != Plain {
		t.Error("a buffer is not a terminal")
	}
}
