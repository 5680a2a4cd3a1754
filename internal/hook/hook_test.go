//go:build go1.25

package hook

import (
	"go/build"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// run makes n hits as a loop in rewritten code would: the limit is checked
// before each.
func run(n int, id func(int) uint32) {
	for i := range n {
		p := Pos
		if p >= Lim {
			p = Slow()
		}
		Buf[p&Mask] = id(i)
		Set[id(i)%Sites] = Epoch
		Pos = p + 1
	}
}

func TestPath(t *testing.T) {
	count := func(i int) uint32 { return uint32(i % 1000) }
	for _, n := range []int{0, 1, 100, Cap - 1, Cap, Cap + 1, 3*Cap + 7} {
		Reset(1 << 40)
		run(n, count)
		path := Path(nil)
		if Hits() != int64(n) {
			t.Errorf("%d hits counted as %d", n, Hits())
		}
		for i := range min(n, Cap) {
			if path[i] != count(i) {
				t.Fatalf("%d hits: hit %d is %d", n, i, path[i])
			}
		}
		if want := min(n, Cap) + max(0, (n-1)/Cap); len(path) != want {
			t.Errorf("%d hits: %d symbols, want %d", n, len(path), want)
		}
	}
}

// Runs that differ only far beyond Cap still have different paths.
func TestFoldsTellApart(t *testing.T) {
	paths := map[string]bool{}
	for at := 3 * Cap; at < 3*Cap+50; at++ {
		Reset(1 << 40)
		run(4*Cap, func(i int) uint32 {
			if i == at {
				return 7
			}
			return 1
		})
		var b strings.Builder
		for _, x := range Path(nil) {
			b.WriteRune(rune(x & 0xffff))
		}
		paths[b.String()] = true
	}
	if len(paths) != 50 {
		t.Errorf("50 runs gave %d paths", len(paths))
	}
}

func TestSet(t *testing.T) {
	Reset(1 << 40)
	run(10, func(i int) uint32 { return uint32(i) })
	if Set[9] != Epoch || Set[10] == Epoch {
		t.Error("wrong sites")
	}
	Reset(1 << 40)
	if Set[9] == Epoch {
		t.Error("a site of an earlier run")
	}
}

// The same number of hits is allowed every time, and code that recovers is stopped again.
// Forget drops the path of a run, and keeps its budget and whether it started goroutines.
func TestForget(t *testing.T) {
	defer Reset(1 << 40)
	Reset(100)
	Spawned = 1
	for range 60 {
		Buf[Pos&Mask] = 7
		Pos++
	}
	epoch := Epoch
	Forget()
	if path := Path(nil); len(path) != 0 || Spawned != 1 || Epoch == epoch || Lim != 40 {
		t.Errorf("path %v, spawned %d, limit %d", path, Spawned, Lim)
	}
	Spawned = 0
}

func TestSpent(t *testing.T) {
	defer func() { Spent = nil }()
	type spent struct{}
	for _, budget := range []int64{1, 10, Cap, Cap + 1, 5*Cap + 3} {
		Spent = func() { panic(spent{}) }
		for range 3 {
			Reset(budget)
			func() {
				defer func() { recover() }()
				run(1<<30, func(int) uint32 { return 1 })
			}()
			if Hits() != budget {
				t.Errorf("budget %d: stopped after %d", budget, Hits())
			}
			again := false
			func() {
				defer func() { again = recover() != nil }()
				run(10, func(int) uint32 { return 1 })
			}()
			if !again {
				t.Errorf("budget %d: code that recovered went on", budget)
			}
		}
	}
}

func TestImportsNothing(t *testing.T) {
	p, err := build.ImportDir(".", 0)
	if err != nil || len(p.Imports) > 0 {
		t.Errorf("imports %v, %v", p.Imports, err)
	}
}

// Nothing may be initialised at run time: probes run before initialisers of this package.
func TestStaticallyInitialised(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-S", "-o", "/dev/null", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The compiler may emit an initialiser that only returns.
	for _, init := range regexp.MustCompile(`hook\.init\S* STEXT.* size=(\d+)`).FindAllSubmatch(out, -1) {
		if string(init[1]) != "1" {
			t.Errorf("the package has an initialiser of %s bytes", init[1])
		}
	}
}

func BenchmarkHit(b *testing.B) {
	Reset(1 << 60)
	for b.Loop() {
		Hit(42)
	}
}
