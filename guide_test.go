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
)

// guided searches with a guide, in an experiment if paper is given, and returns the lines of its log.
func guided(t *testing.T, g *gated, guide job.Guide, faults []place, tests int, check func(testing.TB), paper ...job.Mu2) (lines []logged, note string) {
	t.Helper()
	inEmptyPackage(t)
	dir := t.TempDir()
	if faults != nil {
		var list []map[string]any
		for i, f := range faults {
			list = append(list, map[string]any{"id": i, "package": "example.com/x", "site": f.site, "variant": f.variant})
		}
		guide.Faults = filepath.Join(dir, "faults")
		data, err := json.Marshal(list)
		if err == nil {
			err = os.WriteFile(guide.Faults, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	file, seed := filepath.Join(dir, "log"), uint64(1)
	j := job.Job{Mode: job.Search, Search: job.Params{Tests: tests, Log: file, Guide: guide, Seed: &seed}}
	for _, p := range paper {
		j.Search.Experiment = &job.Experiment{Guide: p}
	}
	r, events := runJob(t, j, nil, check)
	if r.failed {
		t.Errorf("%s", r.text())
	}
	for _, n := range allOf[event.Note](events) {
		note = n.Text
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var l logged
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines, note
}

// logged is a line of the log.
type logged struct {
	Run   int
	Input string
	Why   string
	Kills int
	Kill  *struct {
		Fault      int
		By, Detail string
	}
}

// kills returns what was killed by what.
func kills(lines []logged) string {
	var all []string
	for _, l := range lines {
		if l.Kill != nil {
			all = append(all, fmt.Sprint(l.Kill.Fault, " ", l.Kill.By))
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

var allPlaces = []place{{atSum, 0}, {atSum, 1}, {atPanic, 0}, {atLoop, 0}, {atCheck, 0}, {atNever, 0}, {atUnused, 0}, {atAssume, 0},
	{atGo, 0}, {atSize, 0}, {atLabel, 0}}

const allKills = "0 difference, 10 difference, 2 panic, 3 budget, 4 property, 7 difference, 8 panic, 9 budget"

// Each mode kills the same faults: pruning and sampling only change when.
func TestGuideKills(t *testing.T) {
	for _, paper := range []job.Mu2{{}, {Pure: true}, {Pure: true, Prune: "execution"}, {Pure: true, Prune: "none"}} {
		g := newGated(t)
		tests := 2000
		if !paper.Pure {
			tests = 20_000 // a loop without an end costs as much as thousands of runs
		}
		lines, note := guided(t, g, job.Guide{}, allPlaces, tests, func(t testing.TB) { Check(t, g.property) }, paper)
		if got := kills(lines); got != allKills {
			t.Errorf("%+v: got %s, want %s", paper, got, allKills)
		}
		if want := "-guide=faults: 8 of 11 faults killed"; note != want {
			t.Errorf("%+v: %s, want %s", paper, note, want)
		}
		saved := 0
		for _, l := range lines {
			saved += l.Kills
		}
		if paper.Pure && saved == 0 {
			t.Errorf("%+v: no input was saved because it killed a fault", paper)
		}
	}
}

// A search with a seed is reproducible, and a guide without faults changes nothing.
func TestGuideIsReproducible(t *testing.T) {
	text := func(guide job.Guide, faults []place) string {
		g := newGated(t)
		lines, _ := guided(t, g, guide, faults, 2000, func(t testing.TB) { Check(t, g.property) })
		data, err := json.Marshal(lines)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if a, b := text(job.Guide{}, allPlaces), text(job.Guide{}, allPlaces); a != b {
		t.Errorf("two searches differ:\n%s\n%s", a, b)
	}
	if a, b := text(job.Guide{}, nil), text(job.Guide{}, []place{}); a != b {
		t.Errorf("a guide without faults changes the search:\n%s\n%s", a, b)
	}
	if a, b := text(job.Guide{}, nil), text(job.Guide{}, []place{{atUnused, 0}, {atSum, 1}}); a != b {
		t.Errorf("faults that no input kills change the search:\n%s\n%s", a, b)
	}
}

// The runs with faults take at most as many steps as the other runs, apart from the last one.
func TestGuideCost(t *testing.T) {
	g := newGated(t)
	var other, faulty int64
	var last int64
	lines, _ := guided(t, g, job.Guide{}, []place{{atUnused, 0}, {atSum, 0}, {atLabel, 0}, {atPanic, 0}}, 5000, func(t testing.TB) {
		Check(t, func(t *T, in []int) {
			if hook.FaultOn || g.Site[0] != hook.GateOff {
				faulty += int64(len(in)) + 50
			} else {
				other += int64(len(in)) + 50
			}
			last = max(last, int64(len(in))+50)
			g.property(t, in)
		})
	})
	if len(lines) == 0 || faulty == 0 || faulty > other+100*last {
		t.Errorf("%d steps with faults, %d without", faulty, other)
	}
}

// Faults are also tried on inputs that the search does not save. Here all runs take the same
// path, and one input in some hundred kills a fault.
func TestGuideTriesOthers(t *testing.T) {
	g := newGated(t)
	number := func(b bool) int { return map[bool]int{true: 1}[b] }
	lines, _ := guided(t, g, job.Guide{}, []place{{atSum, 0}, {atCheck, 0}, {atUnused, 0}}, 3000, func(t testing.TB) {
		Check(t, func(t *T, in struct{ A, B int8 }) {
			hook.Hit(1)
			t.Observe(g.int(atSum, number(in.A < 10), number(in.A <= 10)))
			t.Observe(g.int(atCheck, number(in.B > -20), number(in.B >= -20)))
			g.int(atUnused, 1, 2)
		})
	})
	saved := 0
	for _, l := range lines {
		saved += l.Kills
	}
	if got, want := kills(lines), "0 difference, 1 difference"; got != want || saved == 0 {
		t.Errorf("got %s, want %s; %d faults were killed by inputs that were saved for it", got, want, saved)
	}
}

// A process that died with a fault switched on is followed by one that leaves the fault out,
// and that knows what the first one has killed.
func TestGuideGoesOn(t *testing.T) {
	g := newGated(t)
	state := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(state, []byte(`{"fault":0,"by":"difference"}`+"\n"+`{"fault":`), 0o666); err != nil {
		t.Fatal(err)
	}
	guide := job.Guide{State: state, Died: []int{1}}
	lines, note := guided(t, g, guide, []place{{atSum, 0}, {atDeep, 0}, {atLabel, 0}}, 1000, func(t testing.TB) { Check(t, g.property) })
	if got, want := kills(lines), "1 panic, 2 difference"; got != want || note != "-guide=faults: 3 of 3 faults killed" {
		t.Errorf("got %s, want %s; %s", got, want, note)
	}
}

// A run with goroutines that is stopped during a series of runs ends, and the series goes on.
func TestGuideAbandons(t *testing.T) {
	g := newGated(t)
	lines, _ := guided(t, g, job.Guide{}, []place{{atLoop, 0}, {atLabel, 0}}, 20_000, func(t testing.TB) {
		Check(t, func(t *T, in []int) {
			done := make(chan bool)
			hook.Go()
			go func() {
				defer close(done)
				for i := 0; i < 3; i += g.int(atLoop, 1, 0) {
					hook.Hit(3)
				}
			}()
			<-done
			t.Label("long", g.int(atLabel, len(in)/2, 0))
		})
	})
	if got, want := kills(lines), "0 budget, 1 difference"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A fault that blocks its run is not tried again, not by a later process either, and it is
// not killed.
func TestGuideHangs(t *testing.T) {
	withoutRace(t)
	state := filepath.Join(t.TempDir(), "state")
	for _, want := range []string{"1 difference", ""} {
		g := newGated(t)
		lines, note := guided(t, g, job.Guide{State: state}, []place{{atBlock, 0}, {atLabel, 0}}, 500, func(t testing.TB) { Check(t, g.property) })
		if got := kills(lines); got != want || note != "-guide=faults: 1 of 2 faults killed" {
			t.Errorf("got %s, want %s; %s", got, want, note)
		}
		if data, err := os.ReadFile(state); err != nil || strings.Count(string(data), `"hung":true`) != 1 {
			t.Errorf("%v, %s", err, data)
		}
	}
}
