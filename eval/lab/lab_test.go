package lab

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

func TestDefaults(t *testing.T) {
	seeds, budget := Default[int]{Full: 3, Quick: 1}, Default[time.Duration]{Full: time.Hour, Quick: time.Second}
	for _, c := range []struct {
		name   string
		config Config
		seeds  []uint64
		budget time.Duration
	}{
		{"default", Config{}, []uint64{1, 2, 3}, time.Hour},
		{"quick", Config{Quick: true}, []uint64{1}, time.Second},
		{"values of the command line", Config{Quick: true, Seeds: 2, Budget: time.Minute}, []uint64{1, 2}, time.Minute},
	} {
		if got := c.config.SeedsOr(seeds); !reflect.DeepEqual(got, c.seeds) {
			t.Errorf("%s: seeds %v", c.name, got)
		}
		if got := c.config.BudgetOr(budget); got != c.budget {
			t.Errorf("%s: budget %v", c.name, got)
		}
	}
}

func TestLogf(t *testing.T) {
	Config{}.Logf("without Progress nothing is logged")
	var out bytes.Buffer
	Config{Progress: &out}.Logf("%d of %d", 1, 2)
	if out.String() != "1 of 2\n" {
		t.Errorf("logged %q", out.String())
	}
}

func TestRowKeepsItsOrder(t *testing.T) {
	const object = `{"zebra":"z","n":12,"apple":0.5,"none":null}`
	row := Row{Col("zebra", "z"), Col("n", 12), Col("apple", 0.5), Col("none", nil)}
	data, err := json.Marshal(row)
	if err != nil || string(data) != object {
		t.Fatalf("written as %s, %v", data, err)
	}
	var back Row
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if again, _ := json.Marshal(back); string(again) != object {
		t.Errorf("read back as %s", again)
	}
	if back.Get("n") != json.Number("12") || back.Get("no such") != nil {
		t.Errorf("Get: %v, %v", back.Get("n"), back.Get("no such"))
	}
}

func TestBadRows(t *testing.T) {
	for name, row := range map[string]Row{
		"a column twice": {Col("a", 1), Col("a", 2)},
		"not a number":   {Col("a", math.NaN())},
	} {
		if data, err := json.Marshal(row); err == nil {
			t.Errorf("%s was written: %s", name, data)
		}
	}
	for _, text := range []string{`[1]`, `3`} {
		if err := json.Unmarshal([]byte(text), &Row{}); err == nil {
			t.Errorf("%s was read as a row", text)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a duration without a unit was accepted")
		}
	}()
	Col("time", time.Second)
}

var sample = []Row{
	{Col("tool", "allele"), Col("runs", 1200), Col("a|b", 0.25)},
	{Col("tool", "é"), Col("runs", 7), Col("note", "slow")},
}

func TestText(t *testing.T) {
	const want = `tool    runs   a|b  note
allele  1200  0.25
é          7        slow
`
	if got := Text(sample); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestMarkdown(t *testing.T) {
	const want = `| tool | runs | a\|b | note |
|---|---:|---:|---|
| allele | 1200 | 0.25 |  |
| é | 7 |  | slow |
`
	if got := Markdown(sample); got != want {
		t.Errorf("got:\n%s", got)
	}
	if Markdown(nil) != "" || Text(nil) != "" {
		t.Error("a table without rows is not empty")
	}
}

// A value has the same text before it is written to a file and after it is read.
func TestNumbersAreShort(t *testing.T) {
	for _, c := range []struct {
		value any
		text  string
	}{
		{3, "3"}, {3.0, "3"}, {1234567, "1234567"}, {1234.56, "1235"}, {12.345, "12.3"},
		{0.012345, "0.0123"}, {0.00001234, "1.2e-05"}, {-1234.5, "-1234"}, {0.0, "0"},
		{uint64(1 << 63), "9223372036854775808"}, {1e6, "1000000"}, {true, "true"}, {"1.2345", "1.2345"}, {nil, ""},
	} {
		data, _ := json.Marshal(Row{Col("x", c.value)})
		var back Row
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		before, after := show(c.value), show(back.Get("x"))
		if before.text != c.text || after != before {
			t.Errorf("%v: shown as %v, after reading as %v, want %s", c.value, before, after, c.text)
		}
	}
}

func TestQuantile(t *testing.T) {
	xs := []float64{40, 10, 30, 20}
	for q, want := range map[float64]float64{0: 10, 0.25: 17.5, 0.5: 25, 0.75: 32.5, 1: 40} {
		if got := Quantile(xs, q); got != want {
			t.Errorf("quantile %v is %v, wanted %v", q, got, want)
		}
	}
	if xs[0] != 40 {
		t.Error("the caller's slice was sorted")
	}
	if got := Median([]float64{3, 1, 2}); got != 2 {
		t.Errorf("median %v", got)
	}
	if got := Quantile([]float64{5}, 0.9); got != 5 {
		t.Errorf("quantile of one is %v", got)
	}
}

func TestA12(t *testing.T) {
	for _, c := range []struct {
		name   string
		xs, ys []float64
		want   float64
	}{
		{"always larger", []float64{3, 4}, []float64{1, 2}, 1},
		{"always smaller", []float64{1, 2}, []float64{3, 4, 5}, 0},
		{"the same", []float64{1, 2, 3}, []float64{3, 2, 1}, 0.5},
		{"ties count half", []float64{1}, []float64{1, 0}, 0.75},
		{"one long trial moves it little", []float64{1, 1, 1000}, []float64{2, 2, 2}, 1. / 3},
	} {
		if got := A12(c.xs, c.ys); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, wanted %v", c.name, got, c.want)
		}
		if a, b := A12(c.xs, c.ys), A12(c.ys, c.xs); math.Abs(a+b-1) > 1e-12 {
			t.Errorf("%s: %v and %v must add to one", c.name, a, b)
		}
	}
}

// Two trials that found nothing are equal, however long they took, and worse than every
// trial that found something. A find beyond the cap does not count.
func TestNeeded(t *testing.T) {
	const cap = 30
	nothing, late, at, soon := Needed(false, 29, cap), Needed(true, 30.1, cap), Needed(true, 30, cap), Needed(true, 2, cap)
	if at != 30 || soon != 2 || A12([]float64{nothing}, []float64{late}) != 0.5 || A12([]float64{nothing}, []float64{at}) != 1 {
		t.Errorf("nothing %v, late %v, at the cap %v, soon %v", nothing, late, at, soon)
	}
}

func TestCPUAdvances(t *testing.T) {
	start := CPU()
	for sum := 0; CPU() == start; sum++ {
		// The loop itself is the work; it ends because CPU time is counted.
	}
}

// workshop is a clock that advances only while a subject works, so timing is exact.
type workshop struct {
	now   time.Duration
	speed float64 // cost factor of the machine, changed between rounds
	log   []string
}

func (w *workshop) subject(name string, cost time.Duration) Subject {
	return Subject{name, func(n int) {
		w.log = append(w.log, name)
		w.now += time.Duration(float64(n) * float64(cost) * w.speed)
	}}
}

func TestInterleave(t *testing.T) {
	w := &workshop{speed: 1}
	timings := interleave(func() time.Duration { return w.now }, 3,
		[]Subject{w.subject("a", 10*time.Microsecond), w.subject("b", 25*time.Microsecond)})
	a, b := timings[0], timings[1]
	if a.NsPerOp != 10_000 || b.NsPerOp != 25_000 || b.Over(a) != 2.5 {
		t.Errorf("a %v, b %v, ratio %v", a.NsPerOp, b.NsPerOp, b.Over(a))
	}
	if a.N != 8192 || b.N != 2048 {
		t.Errorf("slices of %d and %d operations, wanted the least power of two that fills 50 ms", a.N, b.N)
	}
	if got := strings.Join(w.log[len(w.log)-6:], ""); got != "abbaab" {
		t.Errorf("rounds ran in the order %s; each must start with a different subject", got)
	}
	if got := b.Row(); got.Get("n") != 2048 || got.Get("cpu ns/op") != 25_000.0 {
		t.Errorf("row %v", got)
	}
}

// A machine that slows down changes the costs but not the ratio.
func TestInterleaveSurvivesDrift(t *testing.T) {
	w := &workshop{speed: 1}
	slower := w.subject("b", 30*time.Microsecond)
	drifting := Subject{"b", func(n int) { slower.Run(n); w.speed *= 1.0001 }}
	timings := interleave(func() time.Duration { return w.now }, 50,
		[]Subject{w.subject("a", 10*time.Microsecond), drifting})
	if ratio := timings[1].Over(timings[0]); math.Abs(ratio-3) > 0.001 {
		t.Errorf("ratio %v, wanted 3", ratio)
	}
}

// With the real clock the test checks only the form of the result, never a duration.
func TestInterleaveForReal(t *testing.T) {
	sink := 0
	spin := Subject{"spin", func(n int) {
		for i := range n {
			sink += i * i
		}
	}}
	got := Interleave(2, spin)[0]
	if got.Name != "spin" || got.N < 1 || len(got.Rounds) != 2 || got.NsPerOp <= 0 {
		t.Errorf("timing %+v", got)
	}
}

func TestMachine(t *testing.T) {
	if got := cpuModel("processor\t: 0\nmodel name\t: Fast 9\nmodel name\t: Fast 9\n"); got != "Fast 9" {
		t.Errorf("model %q", got)
	}
	if got := memory("MemTotal:       8388608 kB\nMemFree: 1 kB\n"); got != "8.0 GiB" {
		t.Errorf("memory %q", got)
	}
	if got := cpuModel("") + ", " + memory(""); got != "unknown CPU, unknown memory" {
		t.Errorf("without the files: %q", got)
	}
	if line := Machine(); !strings.Contains(line, " cores, ") || !strings.Contains(line, "go1.") {
		t.Errorf("machine line %q", line)
	}
}

func TestVersions(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.99",
		Main:      debug.Module{Path: "m/eval", Version: "(devel)"},
		Deps: []*debug.Module{
			{Path: "m", Version: "v0.0.0", Replace: &debug.Module{Path: "../"}},
			{Path: "peer", Version: "v1.2.3"},
			{Path: "old", Version: "v1.0.0", Replace: &debug.Module{Path: "new", Version: "v1.1.0"}},
		},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "GOARCH", Value: "x"}},
	}
	want := map[string]string{"go": "go1.99", "m/eval": "(devel)", "m": "local", "peer": "v1.2.3",
		"old": "new v1.1.0", "vcs.revision": "abc"}
	if got := versions(info); !reflect.DeepEqual(got, want) {
		t.Errorf("versions %v", got)
	}
	if Versions()["go"] == "" {
		t.Error("this binary has no Go version")
	}
}

func TestMean95(t *testing.T) {
	for _, c := range []struct {
		name         string
		xs           []float64
		mean, within float64
	}{
		{"one value", []float64{7}, 7, 0},
		{"all the same", []float64{3, 3, 3}, 3, 0},
		{"two values: t is 12.7062, s/√n is 1", []float64{1, 3}, 2, 12.7062},
		{"1 to 5: t is 2.7764, s/√n is √(2.5/5)", []float64{1, 2, 3, 4, 5}, 3, 2.7764 * math.Sqrt(0.5)},
	} {
		mean, within := Mean95(c.xs)
		if math.Abs(mean-c.mean) > 1e-9 || math.Abs(within-c.within) > 1e-9 {
			t.Errorf("%s: %v ± %v, want %v ± %v", c.name, mean, within, c.mean, c.within)
		}
	}
}

// The values of printed tables.
func TestStudent(t *testing.T) {
	for degrees, want := range map[int]float64{1: 12.706, 9: 2.262, 10: 2.228, 15: 2.131, 29: 2.045, 60: 2.000, 120: 1.980, 100000: 1.960} {
		if got := student(degrees); math.Abs(got-want) > 6e-4 {
			t.Errorf("%d degrees of freedom: %v, want %v", degrees, got, want)
		}
	}
}

// -only selects names by a pattern, and all of them if it is empty.
func TestMatch(t *testing.T) {
	only, err := Config{Only: "^png l"}.Match()
	if err != nil || !only("png levels") || only("png bytes") {
		t.Errorf("%v", err)
	}
	if all, err := (Config{}).Match(); err != nil || !all("anything") {
		t.Errorf("%v", err)
	}
	if _, err := (Config{Only: "("}).Match(); err == nil {
		t.Error("a pattern that is wrong is accepted")
	}
}
