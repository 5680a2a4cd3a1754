//go:build go1.25

package trace

import (
	"runtime"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/outside"
)

// record records a run and returns a copy of what it showed.
func record(r *Recorder, property func()) Run {
	r.Begin(1 << 40)
	property()
	run := r.End()
	run.Symbols = slices.Clone(run.Symbols)
	return run
}

func hit(symbols ...uint32) {
	for _, s := range symbols {
		hook.Hit(s)
	}
}

func TestRecorder(t *testing.T) {
	r := &Recorder{Sites: 100}
	stop := make(chan bool)
	for _, c := range []struct {
		name     string
		property func()
		want     []uint32
		set      bool
		hits     int64
	}{
		{"a path has order and kinds", func() { hit(7, 3|hook.Coarse, 7) }, []uint32{7, 3 | hook.Coarse, 7}, false, 3},
		{"nothing is left of the run before", func() { hit(1) }, []uint32{1}, false, 1},
		{"no hits", func() {}, nil, false, 0},
		{"a go statement makes it a set", func() { hook.Go(); hit(7, 3|hook.Coarse, 7) }, []uint32{3, 7}, true, 3},
		{"the next run is a path again", func() { hit(2, 1) }, []uint32{2, 1}, false, 2},
		{"sites beyond Sites are ignored", func() { hook.Go(); hit(99, 100) }, []uint32{99}, true, 2},
		{"a live goroutine of other code makes it a set", func() { go func() { <-stop }(); hit(2, 1) }, []uint32{1, 2}, true, 2},
		{"that goroutine cannot hit probes, so the next run is a path", func() { hit(2, 1) }, []uint32{2, 1}, false, 2},
		{"a go statement whose goroutine stays alive", func() { hook.Go(); go func() { <-stop }(); hit(2, 1) }, []uint32{1, 2}, true, 2},
		{"that goroutine may hit probes, so the next run is a set", func() { hit(2, 1) }, []uint32{1, 2}, true, 2},
		{"and the run after that is a set too", func() { hit(2, 1) }, []uint32{1, 2}, true, 2},
		{"a goroutine exits during the run", func() { stop <- true; awaitGoroutines(r.quiet) }, nil, false, 0},
		{"then runs are paths again", func() { hit(2, 1) }, []uint32{2, 1}, false, 2},
	} {
		got := record(r, c.property)
		if got.Early {
			t.Errorf("%s: early", c.name)
		}
		if !slices.Equal(got.Symbols, c.want) || got.Set != c.set || got.Hits != c.hits {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	close(stop)
}

// awaitGoroutines waits until at most n goroutines are left. It yields and never sleeps.
func awaitGoroutines(n int) {
	for runtime.NumGoroutine() > n {
		runtime.Gosched()
	}
}

// A run is early if its last probe says so.
func TestEarly(t *testing.T) {
	r := &Recorder{Sites: 100}
	for _, c := range []struct {
		name string
		hits []uint32
		want bool
	}{
		{"the last probe", []uint32{1 | hook.Coarse, 2 | hook.Early}, true},
		{"an earlier one", []uint32{2 | hook.Early, 1}, false},
		{"no probe", nil, false},
	} {
		if got := record(r, func() { hit(c.hits...) }); got.Early != c.want {
			t.Errorf("%s: %v", c.name, got.Early)
		}
	}
}

func TestRecorderLongRun(t *testing.T) {
	var r Recorder
	long := func() {
		for i := range uint32(3 * hook.Cap) {
			hook.Hit(i % 1000)
		}
	}
	run := record(&r, long)
	if n := len(run.Symbols); n <= hook.Cap || run.Symbols[n-1]&hook.Fold == 0 || run.Hits != 3*hook.Cap {
		t.Errorf("%d symbols, the last %#x, %d hits", n, run.Symbols[n-1], run.Hits)
	}
	if again := record(&r, long); !slices.Equal(run.Symbols, again.Symbols) {
		t.Error("the same run has a different path the second time")
	}
}

// Before returns what was reached before the first run: a path, or a set if probes
// recorded one.
func TestRecorderBefore(t *testing.T) {
	r := Recorder{Sites: 100}
	hook.Reset(1 << 40)
	hook.Buf[0], hook.Pos = 9|hook.Coarse, 1
	if run := r.Before(); run.Set || !slices.Equal(run.Symbols, []uint32{9 | hook.Coarse}) {
		t.Errorf("%+v", run)
	}
	hit(7, 3, 7)
	if run := r.Before(); !run.Set || !slices.Equal(run.Symbols, []uint32{3, 7}) {
		t.Errorf("%+v", run)
	}
}

// Once buffers have grown, recording a run allocates nothing.
func TestNoAllocation(t *testing.T) {
	r := Recorder{Sites: 1000}
	run := func(spawn bool) func() {
		return func() {
			r.Begin(1 << 40)
			if hit(1, 2|hook.Coarse, 3|hook.Loop, 3|hook.Loop); spawn {
				hook.Go()
			}
			r.End()
		}
	}
	for _, spawn := range []bool{false, true} {
		if n := testing.AllocsPerRun(50, run(spawn)); n > 0 {
			t.Errorf("goroutines %v: %v allocations a run", spawn, n)
		}
	}
}

func TestUnstable(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		symbol rune
		at     int
		found  bool
	}{
		{"abc", "abc", 0, 3, false},
		{"abc", "abd", 'c', 2, true},
		{"abc", "ab", 'c', 2, true},
		{"ab", "abc", 'c', 2, true},
		{"", "x", 'x', 0, true},
		{"", "", 0, 0, false},
	} {
		symbol, at, found := Unstable(path(c.a), path(c.b))
		if symbol != uint32(c.symbol) || at != c.at || found != c.found {
			t.Errorf("%q and %q: %#x at %d, %v", c.a, c.b, symbol, at, found)
		}
	}
}

func path(text string) (symbols []uint32) {
	for _, c := range text {
		symbols = append(symbols, uint32(c))
	}
	return symbols
}

func TestSite(t *testing.T) {
	for symbol, want := range map[uint32]uint32{5: 5, 5 | hook.Coarse: 5, 5 | hook.Loop: 5} {
		if site, ok := Site(symbol); site != want || !ok {
			t.Errorf("%#x: site %d, %v", symbol, site, ok)
		}
	}
	if _, ok := Site(5 | hook.Fold); ok {
		t.Error("a digest has a site")
	}
}

// A goroutine that is about to exit does not turn the run into a set.
func TestEndsLate(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var r Recorder
	r.Sites = 1
	for i := range 1000 {
		r.Begin(1 << 20)
		go func() {}() // without hook.Go, like the goroutine of a run that is exiting
		if run := r.End(); run.Set {
			t.Fatalf("run %d is a set", i)
		}
	}
}

// What another program has reached is the trace of a run, in place of the path through this one.
func TestOutside(t *testing.T) {
	var r Recorder
	r.Begin(100)
	now, _ := outside.Current()
	outside.Add(now, 0, []uint32{outside.First + 3, outside.First + 5})
	if run := r.End(); !run.Set || !run.Outside || !slices.Equal(run.Symbols, []uint32{outside.First + 3, outside.First + 5}) {
		t.Errorf("%+v", run)
	}
	r.Begin(100)
	if run := r.End(); run.Outside {
		t.Errorf("the next run: %+v", run)
	}
}
