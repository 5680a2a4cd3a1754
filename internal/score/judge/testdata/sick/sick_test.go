//go:build go1.25

package sick

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/allele-go/allele/internal/hook"
)

var ready bool

func TestMain(m *testing.M) {
	ready = true
	os.Exit(m.Run())
}

func same(t *testing.T, got, want int) {
	t.Helper()
	defer hook.Catch(t)
	if got != want || !ready {
		t.Fatalf("got %d, want %d", got, want)
	}
}

func TestAdd(t *testing.T)      { defer hook.Catch(t); same(t, Add(2, 3), 5) }
func TestSum(t *testing.T)      { defer hook.Catch(t); same(t, Sum(10), 45) }
func TestDepth(t *testing.T)    { defer hook.Catch(t); same(t, Depth(5), 5) }
func TestDeeper(t *testing.T)   { defer hook.Catch(t); same(t, Deeper(5), 5) }
func TestOverrun(t *testing.T)  { defer hook.Catch(t); same(t, Overrun(5), 5) }
func TestMake(t *testing.T)     { defer hook.Catch(t); same(t, len(Make(5)), 5) }
func TestLock(t *testing.T)     { defer hook.Catch(t); same(t, Lock(), 1) }
func TestSet(t *testing.T)      { defer hook.Catch(t); same(t, Set(), 1) }
func TestLimit(t *testing.T)    { defer hook.Catch(t); same(t, Limit, 10) }
func TestCount(t *testing.T)    { defer hook.Catch(t); same(t, Count(), 1) }
func TestQuit(t *testing.T)     { defer hook.Catch(t); same(t, Quit(), 1) }
func TestStart(t *testing.T)    { defer hook.Catch(t); same(t, start, 7) }
func TestTable(t *testing.T)    { defer hook.Catch(t); same(t, Table(), 2) }
func TestWarm(t *testing.T)     { defer hook.Catch(t); Cache() }
func TestCache(t *testing.T)    { defer hook.Catch(t); same(t, Cache(), 2) }
func TestGrow(t *testing.T)     { defer hook.Catch(t); same(t, Grow(), 1) }
func TestStubborn(t *testing.T) { defer hook.Catch(t); same(t, Stubborn(), 1) }
func TestLeave(t *testing.T)    { defer hook.Catch(t); same(t, Leave(), 1); runtime.Gosched() }
func TestSpin(t *testing.T)     { defer hook.Catch(t); same(t, Spin(), 1) }
func TestPooled(t *testing.T) {
	if n := Pooled(); n != 1 {
		t.Error(n)
	}
}

func TestMove(t *testing.T)      { defer hook.Catch(t); same(t, Move(), 1) }
func TestIndex(t *testing.T)     { defer hook.Catch(t); same(t, Index(0), 1) }
func TestTwoFirst(t *testing.T)  { defer hook.Catch(t); Two() }
func TestTwoSecond(t *testing.T) { defer hook.Catch(t); Sum(3); same(t, Two(), 2) }

func TestWork(t *testing.T) {
	defer hook.Catch(t)
	if !Work() || !Loose() {
		t.Fail()
	}
}

func TestParallel(t *testing.T) {
	for i := range 3 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			defer hook.Catch(t)
			t.Parallel()
			same(t, Sub(i), i)
		})
	}
}

// TestPlace fails if an earlier test has changed the process.
func TestPlace(t *testing.T) {
	if _, err := os.Stat("sick.go"); err != nil || os.Getenv("SICK") != "" || len(os.Args) == 0 {
		t.Fatal("not at home", err)
	}
}

// TestSearch uses the hooks itself, as a property does.
func TestSearch(t *testing.T) { hook.Reset(1000); hook.Spent = func() { panic("not ours") } }

func TestLazy(t *testing.T)  { same(t, Lazy(), 1) }
func TestTimer(t *testing.T) { same(t, Timer(), 1) }

func TestFails(t *testing.T)  { fmt.Println("it prints"); t.Fatal("always") }
func TestSkips(t *testing.T)  { t.Skip() }
func TestPanics(t *testing.T) { var m map[string]int; m["x"] = Sum(2) }
func TestDies(t *testing.T)   { os.Exit(4) }
func TestBlocks(t *testing.T) { <-make(chan int) }

var runs int

func TestFlaky(t *testing.T) {
	if runs++; runs == 2 {
		t.Fatal("this time")
	}
}

// TestBusy fails as often as a file has bytes, as if the machine were busy.
func TestBusy(t *testing.T) {
	same(t, Busy(), 1)
	file := os.Getenv("SICK_BUSY")
	if left, err := os.ReadFile(file); err == nil && len(left) > 0 {
		os.WriteFile(file, left[1:], 0o666)
		t.Fatal("busy")
	}
}

// TestHelper relies on a panic that passes through a function that has the test as argument.
func TestHelper(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	helper(t)
}

func helper(t *testing.T) {
	defer hook.Catch(t)
	panic("expected")
}

func ExampleGreet() {
	fmt.Println(Greet())
	// Output: hello
}
