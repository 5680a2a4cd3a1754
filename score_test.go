//go:build go1.25

package allele

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/scoring"
	"github.com/allele-go/allele/internal/testkit"
)

// gated is a program with faults, as rewritten code would be: each place has a gate.
type gated struct {
	*hook.Faults
	once  sync.Once
	table int
	dirty bool // a fault has left something behind
}

// The places of the program.
const (
	atSum = iota // the sum that is observed: + 1, or the same
	atPanic
	atLoop
	atCheck
	atNever
	atUnused
	atAssume
	atOnce
	atGo
	atSize
	atBlock
	atLabel
	atDirty
	atDeep
	places
)

func newGated(t *testing.T) *gated {
	bytes := func() []uint8 { return make([]uint8, places) }
	g := &gated{Faults: &hook.Faults{Path: "example.com/x", Site: bytes(), Func: bytes(), Hit: bytes(), Diff: bytes(),
		All: bytes(), Of: make([]int32, places)}}
	for i := range g.Of {
		g.Of[i] = int32(i)
	}
	old := hook.Gates
	hook.RegisterFaults(g.Faults)
	t.Cleanup(func() { hook.Gates, hook.Caught, hook.TooBig = old, nil, nil })
	return g
}

// int is the gate of a number: x, or one of the others if their fault is switched on.
func (g *gated) int(site, x int, others ...int) int {
	switch mode := g.Site[site]; mode {
	case hook.GateOff:
		return x
	case hook.GateRecord:
		g.Hit[site] = 1
		for v, y := range others {
			if y != x {
				g.Diff[site] |= 1 << v
			}
		}
		return x
	default:
		return others[mode-hook.GateFirst]
	}
}

func (g *gated) deep(n int) int {
	hook.Hit(9)
	if n == 0 {
		return 0
	}
	return 1 + g.deep(n-1)
}

// property is a property of the program. It discards lists that begin with a zero.
func (g *gated) property(t *T, in []int) {
	t.Assume(g.int(atAssume, first(in), 0, 1) != 0)
	sum := 0
	for i := 0; i < len(in); i += g.int(atLoop, 1, 0) {
		hook.Hit(1)
		sum += in[i]
	}
	g.once.Do(func() { g.table = g.int(atOnce, 5, 6) })
	if g.int(atPanic, 0, len(in)) > 1 {
		panic("index out of range")
	}
	if n := g.int(atGo, 0, 1); n > 0 {
		done := make(chan bool)
		go func() {
			defer close(done)
			defer hook.Guard()
			panic("in a goroutine")
		}()
		<-done
	}
	if n := g.int(atSize, 1, 1<<40); n > hook.SizeMax {
		hook.Big(n)
	}
	if g.int(atBlock, 0, 1) > 0 {
		select {}
	}
	g.deep(g.int(atDeep, 1, 1<<40))
	if g.int(atDirty, 0, 1) > 0 {
		g.dirty = true
	}
	if g.int(atCheck, 0, len(in)/3) > 0 || g.dirty {
		t.Error("checked")
	}
	_ = g.int(atUnused, 1, 2)
	if len(in) > 100 {
		g.int(atNever, 1, 2)
	}
	t.Label("long", g.int(atLabel, len(in)/2, 0))
	t.Observe(g.int(atSum, sum, sum+1, sum) + g.table)
}

func first(in []int) int {
	if len(in) == 0 {
		return 1
	}
	return in[0]
}

type place struct{ site, variant int }

// scoreJob judges faults with a corpus, and returns the lines without their times.
// Go test makes one more input.
func scoreJob(t *testing.T, g *gated, request map[string]any, faults []place, inputs ...string) string {
	t.Helper()
	return scoreJobOf(t, g.property, []Option{Example([]int{7}), Tests(1)}, request, faults, inputs...)
}

// scoreJobOf judges faults of a property.
func scoreJobOf(t *testing.T, property func(*T, []int), options []Option, request map[string]any, faults []place, inputs ...string) string {
	t.Helper()
	return scoreJobAs(t, func(t testing.TB) { Check(t, property, options...) }, request, faults, inputs...)
}

// scoreJobAs judges faults of the property of a check.
func scoreJobAs(t *testing.T, check func(testing.TB), request map[string]any, faults []place, inputs ...string) string {
	t.Helper()
	dir := t.TempDir()
	var list []map[string]any
	for i, f := range faults {
		list = append(list, map[string]any{"id": i, "package": "example.com/x", "site": f.site, "variant": f.variant})
	}
	names := map[string]string{}
	lines := ""
	for _, mode := range []string{"baseline", "judge"} {
		r := map[string]any{"mode": mode, "results": filepath.Join(dir, mode), "baseline": filepath.Join(dir, "base"), "faults": list,
			"wall": int64(60e9), "version": scoring.Version}
		for k, v := range request {
			r[k] = v
		}
		data, err := json.Marshal(r)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "request"), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		j := job.Job{Mode: job.Score, Text: job.Text{Request: filepath.Join(dir, "request")}}
		rec, _ := runJob(t, j, inputs, check)
		if rec.failed {
			t.Errorf("%s", rec.text())
		}
		data, _ = os.ReadFile(filepath.Join(dir, mode))
		lines += readable(t, string(data), names)
	}
	return lines
}

// readable returns lines as text, with inputs numbered.
func readable(t *testing.T, data string, names map[string]string) string {
	var b strings.Builder
	for line := range strings.Lines(data) {
		var l struct {
			Event, Test, Kind, By, Detail, Input string
			Fault, Tests, Runs                   int
			Once                                 bool
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Event == "start" {
			continue
		}
		name := func(id string) string {
			if id != "" && !strings.HasPrefix(id, "Example") && names[id] == "" {
				names[id] = fmt.Sprint("input ", len(names)+1)
			}
			if n := names[id]; n != "" {
				return n
			}
			return id
		}
		fmt.Fprintf(&b, "%s %d", l.Event, l.Fault)
		if strings.HasSuffix(l.Detail, ": checked") {
			l.Detail = "checked" // without the number of a line of this file
		}
		for _, s := range []string{name(l.Test), l.Kind, l.By, l.Detail, l.Input} {
			if s != "" {
				fmt.Fprintf(&b, " | %s", s)
			}
		}
		if l.Event == "judged" {
			fmt.Fprintf(&b, " | %d reach, %d runs", l.Tests, l.Runs)
		}
		if l.Once {
			fmt.Fprint(&b, " | once")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func goldenFile(t *testing.T, name string) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("testdata", "faults", name+".golden"))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// What becomes of each kind of fault.
func TestScore(t *testing.T) {
	golden := goldenFile(t, "score")
	inEmptyPackage(t)
	got := scoreJob(t, newGated(t), nil, []place{
		{atSum, 0}, {atSum, 1}, {atPanic, 0}, {atLoop, 0}, {atCheck, 0}, {atNever, 0}, {atUnused, 0}, {atAssume, 0}, {atAssume, 1},
		{atOnce, 0}, {atGo, 0}, {atSize, 0}, {atLabel, 0}, {atDeep, 0}, {99, 0},
	}, "[]int{1, 2}", "[]int{0, 1}", "[]int{3, 1, 1}", "[]int{0}")
	testkit.Golden(t, golden, []byte(got))
}

// sameInput is the input of the example.
const sameInput = "[]int{7}"

// A fault that plain go test notices is killed, with and without saved inputs, also if go test notices it because
// it runs an input that the original program discards. Saved inputs are tried first.
func TestScoreMakesInputs(t *testing.T) {
	inEmptyPackage(t)
	g := newGated(t)
	property := func(t *T, in []int) { // as g.property, but nothing is observed
		t.Assume(g.int(atAssume, first(in), 1) != 0)
		if first(in) == 0 {
			t.Error("a zero")
		}
		if g.int(atPanic, 0, len(in)) > 4 {
			panic("more than four")
		}
		if len(in) > 0 && in[0] == 1<<40 {
			g.int(atNever, 1, 2)
		}
		g.int(atUnused, 1, 2)
	}
	faults := []place{{atAssume, 0}, {atPanic, 0}, {atNever, 0}, {atUnused, 0}}
	for _, f := range faults {
		g.SwitchFault(f.site, f.variant, true)
		t.Setenv(job.Variable, "")
		rec := record(t, "TestX", func(t testing.TB) { Check(t, property) })
		g.SwitchFault(f.site, f.variant, false)
		for _, saved := range [][]string{nil, {"[]int{2}"}, {"[]int{2}", "[]int{1, 2, 3, 4, 5}"}} {
			got := scoreJobOf(t, property, nil, nil, []place{f}, saved...)
			_, judged, _ := strings.Cut(got, "judged 0 | ")
			if killed := strings.Contains(judged, "killed"); killed != rec.failed {
				t.Errorf("fault %v with %d saved: %s, go test fails: %v", f, len(saved), judged, rec.failed)
			}
			if f.site == atPanic && len(saved) == 2 && !strings.HasPrefix(judged, "input 1 ") {
				t.Errorf("a saved input was not tried first: %s", judged)
			}
		}
	}
}

type factual int

// The inputs of go test are those that it makes itself: without what the allele command has found in the source. A property
// without saved inputs is judged by inputs with these facts, too.
func TestScoreWithoutFacts(t *testing.T) {
	inEmptyPackage(t)
	g := newGated(t)
	inputs := map[factual]bool{}
	property := func(t *T, in []factual) {
		for _, f := range in {
			inputs[f] = true
		}
		g.int(atUnused, 1, 2)
	}
	record(t, "TestX", func(t testing.TB) { Check(t, property) })
	want := inputs
	old := hook.Facts
	t.Cleanup(func() { hook.Facts = old })
	hook.Facts = []hook.Fact{{Of: factual(0), Enum: true, Values: []any{factual(77_777), factual(88_888)}}}
	for _, saved := range [][]string{{"[]factual{1}"}, nil} {
		inputs = map[factual]bool{}
		scoreJobAs(t, func(t testing.TB) { Check(t, property) }, nil, []place{{atUnused, 0}}, saved...)
		for f := range want {
			if !inputs[f] {
				t.Fatalf("%d saved: the input %d of go test is missing", len(saved), f)
			}
		}
		if facts := inputs[77_777] && inputs[88_888]; facts != (saved == nil) {
			t.Errorf("%d saved: inputs with facts: %v", len(saved), facts)
		}
	}
}

// Go test stops at a run that fails, so no further input is made. A process that takes over goes on where the last one
// ended.
func TestScoreStopsMaking(t *testing.T) {
	inEmptyPackage(t)
	g := newGated(t)
	fails := 0
	property := func(t *T, in []int) {
		if g.int(atPanic, 0, 1); len(in) > 2 {
			fails++
			t.Error("long")
		}
	}
	dir := t.TempDir()
	request := map[string]any{"baseline": filepath.Join(dir, "base")}
	first := scoreJobOf(t, property, nil, request, []place{{atPanic, 0}})
	runs := fails
	if strings.Count(first, "the property fails") != 1 || runs != 2 {
		t.Errorf("%d runs failed: %s", runs, first)
	}
	second := scoreJobOf(t, property, nil, request, []place{{atPanic, 0}})
	if strings.Count(second, "the property fails") != 1 || fails != runs {
		t.Errorf("%d runs failed in the second process: %s", fails-runs, second)
	}
}

// withoutRace skips a test in which a blocked run is left behind: the race detector takes that
// for a race.
func withoutRace(t *testing.T) {
	t.Helper()
	info, ok := debug.ReadBuildInfo()
	if ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("a run is left behind")
	}
}

// What a fault leaves behind must not decide about the next one: the process ends.
func TestScoreEndsEarly(t *testing.T) {
	withoutRace(t)
	inEmptyPackage(t)
	for _, c := range []struct {
		site int
		want string
	}{
		{atBlock, "stuck 0 | the run had not ended after a long time\n"},
		{atDirty, "judged 0 | Example 1 | killed | property | checked | 2 reach, 1 runs\n" +
			"check 0 | Example 1\npolluted 0 | Example 1\n"},
	} {
		got := scoreJob(t, newGated(t), map[string]any{"wall": int64(5e8)}, []place{{c.site, 0}, {atSum, 0}}, sameInput)
		if _, judged, _ := strings.Cut(got, "done 0\nbegin 0\n"); judged != c.want {
			t.Errorf("got %s, want %s", judged, c.want)
		}
	}
}

// With the request for all killers, all cases run. Cases can be left out.
func TestScoreRequests(t *testing.T) {
	inEmptyPackage(t)
	for _, c := range []struct {
		request map[string]any
		site    int
		want    string
	}{
		{map[string]any{"all": true}, atPanic, "killer 0 | input 1\nkiller 0 | input 2\n" +
			"judged 0 | input 1 | killed | panic | index out of range | 3 reach, 3 runs"},
		{map[string]any{"all": true}, atSum, "killer 0 | Example 1\nkiller 0 | input 1\nkiller 0 | input 2\n" +
			"judged 0 | Example 1 | killed | difference | observed value 1 | 3 reach, 3 runs"},
		{map[string]any{"leave": map[string]string{"Example 1": "why not"}}, atSum,
			"judged 0 | input 1 | killed | difference | observed value 1 | 3 reach, 1 runs"},
	} {
		got := scoreJob(t, newGated(t), c.request, []place{{c.site, 0}}, "[]int{1, 2}", "[]int{3, 1, 1}")
		if _, got, _ = strings.Cut(got, "begin 0\n"); !strings.Contains(got, "begin 0\n"+c.want+"\n") {
			t.Errorf("%v: got %s, want %s", c.request, got, c.want)
		}
	}
}

// A fault that matters once in a process is judged in a process that has done nothing else.
func TestScoreFresh(t *testing.T) {
	inEmptyPackage(t)
	g := newGated(t)
	dir := t.TempDir()
	request := map[string]any{"baseline": filepath.Join(dir, "base")}
	first := scoreJob(t, g, request, []place{{atOnce, 0}}, sameInput)
	if !strings.Contains(first, "once") {
		t.Errorf("got %s", first)
	}
	g.once, request["fresh"] = sync.Once{}, true // as in a new process; the baseline is known
	second := scoreJob(t, g, request, []place{{atOnce, 0}}, sameInput)
	if want := "judged 0 | Example 1 | killed | difference | observed value 1 | 1 reach, 1 runs\n"; !strings.Contains(second, want) {
		t.Errorf("got %s, want %s", second, want)
	}
}

// A damaged request or baseline is an error of the job.
func TestScoreDamaged(t *testing.T) {
	inEmptyPackage(t)
	file := filepath.Join(t.TempDir(), "request")
	for _, text := range []string{"", "{",
		`{"mode": "judge", "results": "out"}`, `{"version": 1, "mode": "other", "results": "out"}`,
		`{"version": 1, "mode": "judge", "results": "out", "baseline": "request"}`} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		j := job.Job{Mode: job.Score, Text: job.Text{Request: file}}
		if r, _ := runJob(t, j, nil, func(t testing.TB) { Check(t, func(t *T, in bool) {}) }); !r.failed {
			t.Errorf("%s: no error", text)
		}
	}
}
