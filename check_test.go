//go:build go1.25

package allele

import (
	"container/list"
	"errors"
	"expvar"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/job"
)

type tree struct {
	L, R *tree
	K    int
}

func (t *tree) size() int {
	if t == nil {
		return 0
	}
	return 1 + t.L.size() + t.R.size()
}

func TestCheckPasses(t *testing.T) {
	var runs int
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in *tree) { runs++ })
	})
	if r.failed || runs != 1000 {
		t.Errorf("%d runs, failed %v\n%s", runs, r.failed, r.text())
	}
}

func TestCheckFindsAndShrinks(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in *tree) {
			if in.size() >= 3 {
				t.Errorf("too large: %d", in.size())
			}
		})
	})
	r.has(t, "property failed: too large: 3 (check_test.go:", "counterexample, shrunk ", "in := &tree{R: &tree{R: &tree{}}}", "seed", "saved    testdata/allele/TestX/fail-", "replay   go test ", "-run '^TestX$' github.com/allele-go/allele")
}

// Every way a run can end has its own headline, and a recover in the code under test
// cannot swallow it.
func TestVerdicts(t *testing.T) {
	swallow := func(f func()) {
		defer func() { recover() }()
		f()
	}
	for _, c := range []struct {
		what string
		prop func(t *T, in uint8)
		want string // in the report; "" if the Check passes
	}{
		{"pass", func(t *T, in uint8) {}, ""},
		{"fail", func(t *T, in uint8) { t.Fail() }, "property failed\n"},
		{"errorf", func(t *T, in uint8) { t.Errorf("bad %d", 1) }, "property failed: bad 1 (check_test.go"},
		{"fatal ends the run", func(t *T, in uint8) { t.Fatal("bad"); panic("not here") }, "property failed: bad (check_test.go"},
		{"fatal in a recover", func(t *T, in uint8) { swallow(func() { t.Fatal("bad") }); panic("not here") }, "property failed: bad"},
		{"fatal in a goroutine", func(t *T, in uint8) {
			done := make(chan bool)
			go func() { defer close(done); t.FailNow() }()
			<-done
		}, "property failed\n"},
		{"panic", func(t *T, in uint8) { panic("boom") }, "property panicked: boom (check_test.go:"},
		{"runtime panic", func(t *T, in uint8) { _ = []int{}[in] }, "property panicked: runtime error: index out of range [0] with length 0 (check_test.go:"},
		{"panic with an error", func(t *T, in uint8) { panic(errors.New("oh")) }, "property panicked: oh"},
		{"nil panic", func(t *T, in uint8) { panic(nil) }, "property panicked: panic called with nil argument"},
		{"panic in a cleanup", func(t *T, in uint8) { t.Cleanup(func() { panic("late") }) }, "property panicked: late"},
		{"failure in a cleanup", func(t *T, in uint8) { t.Cleanup(func() { t.Fatal("late") }) }, "property failed: late"},
		{"goexit", func(t *T, in uint8) { runtime.Goexit() }, "the property called runtime.Goexit"},
		{"fail before discard", func(t *T, in uint8) { t.Error("first"); t.Assume(false) }, "property failed: first"},
		{"error after discard", func(t *T, in uint8) { defer t.Error("second"); t.Assume(in < 200) }, "property failed: second"},
		{"error after discard does not count", func(t *T, in uint8) {
			defer func() {
				if in >= 200 {
					t.Error("second")
				}
			}()
			t.Assume(in < 200)
		}, ""},
		{"discard in a recover", func(t *T, in uint8) { swallow(func() { t.Assume(in < 200) }) }, ""},
		{"skip discards", func(t *T, in uint8) {
			if in >= 200 {
				t.Skip("large")
			}
		}, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := record(t, "TestX", func(t testing.TB) { Check(t, c.prop) })
			if c.want == "" {
				if r.failed {
					t.Errorf("failed:\n%s", r.text())
				}
				return
			}
			r.has(t, c.want)
		})
	}
}

// A property that fails the enclosing test is detected, and the input is shown.
func TestOuterT(t *testing.T) {
	r := record(t, "TestX", func(outer testing.TB) {
		Check(outer, func(t *T, in *tree) {
			if in.size() > 4 {
				outer.Fatal("wrong t")
			}
		})
	})
	r.has(t, "wrong t", "the property failed the enclosing test; use the t passed to the property", "counterexample:")
	r = record(t, "TestX", func(outer testing.TB) {
		Check(outer, func(t *T, in *tree) {
			if in.size() > 4 {
				outer.Errorf("wrong t")
			}
		})
	})
	r.has(t, "wrong t", "the property failed the enclosing test; use the t passed to the property, so that the input is shown")
}

func TestFlaky(t *testing.T) {
	first := true
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in *tree) {
			if first && in.size() > 2 {
				first = false
				t.Error("once")
			}
		})
	})
	r.has(t, "flaky: property failed: once", "The same input passed when it was run again", "counterexample:")
	if strings.Contains(r.text(), "saved") {
		t.Error("a flaky case was saved; later tests would pass or fail at random")
	}
}

// deadlined is a test with a deadline.
type deadlined struct {
	*recorder
	end time.Time
}

func (d deadlined) Deadline() (time.Time, bool) { return d.end, true }

// A run that never ends does not keep Check from returning before the deadline.
func TestDeadline(t *testing.T) {
	release := make(chan bool)
	defer close(release)
	r := record(t, "TestX", func(t testing.TB) {
		Check(deadlined{t.(*recorder), time.Now().Add(time.Second)}, func(t *T, in *tree) {
			if in.size() > 5 {
				<-release
			}
		})
	})
	r.has(t, "property did not end", "counterexample:", "saved")
	slow := record(t, "TestX", func(t testing.TB) {
		Check(deadlined{t.(*recorder), time.Now().Add(4 * time.Second)}, func(t *T, in int) { time.Sleep(5 * time.Millisecond) })
	})
	if slow.failed {
		t.Errorf("a slow property failed: %s", slow.text())
	}
}

func TestVacuous(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in *tree) {
			t.Assume(in.size() > 15 && in.K == 12345)
		})
	})
	r.has(t, "vacuous: ", " of 10,000 inputs were discarded; none passed", "check_test.go:", "t.Assume(in.size() > 15 && in.K == 12345)", "discarded", "go doc github.com/allele-go/allele.Builder", "AllowVacuous()")
	for _, c := range []struct {
		what string
		run  func(t testing.TB)
		want string // "" if it is not vacuous
	}{
		{"half is discarded", func(t testing.TB) { Check(t, func(t *T, in int) { t.Assume(in%2 == 0) }) }, ""},
		{"only trivial inputs pass", func(t testing.TB) { Check(t, func(t *T, in *tree) { t.Assume(in.size() < 3) }) }, "inputs passed, but none of them had 3 nodes or more"},
		{"an int is always trivial", func(t testing.TB) { Check(t, func(t *T, in int) {}) }, ""},
		{"all inputs of a small type were tried", func(t testing.TB) { Check(t, func(t *T, in [2]bool) { t.Assume(in[0] && in[1]) }) }, ""},
		{"nothing passed", func(t testing.TB) { Check(t, func(t *T, in bool) { t.Assume(false) }) }, "none passed"},
		{"discarded by Given", func(t testing.TB) { Check(t, func(t *T, in int) {}, Given(func(in int) bool { return in == 12345 })) }, "Given(func(in int) bool"},
		{"discarded by a builder", func(t testing.TB) {
			Check(t, func(t *T, in tree) {}, Builder(func(k int) (tree, bool) { return tree{}, k == 12345 }))
		}, "a builder of allele.tree refused its arguments   discarded"},
		{"discarded by a builder with a name", func(t testing.TB) {
			Check(t, func(t *T, in account) {}, Builder(newRichAccount))
		}, "newRichAccount refused its arguments   discarded"},
		{"allowed", func(t testing.TB) { Check(t, func(t *T, in int) { t.Assume(in == 12345) }, AllowVacuous()) }, ""},
		{"no tests were requested", func(t testing.TB) { Check(t, func(t *T, in int) {}, Tests(0)) },
			"no input was run: Tests is 0, so no input is generated, and there is no example or stored case"},
		{"no tests, and the examples are discarded", func(t testing.TB) {
			Check(t, func(t *T, in int) { t.Assume(in > 9) }, Tests(0), Example(1), Example(2))
		}, "all 2 examples and stored cases were discarded"},
		{"no tests, but examples", func(t testing.TB) { Check(t, func(t *T, in int) {}, Tests(0), Example(1), Example(2)) }, ""},
		{"one value passes", func(t testing.TB) { Check(t, func(t *T, in int) { t.Assume(in == 0) }) }, "runs that passed had the same input: 0"},
		{"one value of few tests", func(t testing.TB) { Check(t, func(t *T, in int) { t.Assume(in == 7) }, Tests(5)) },
			"only one run passed, with the input 7"},
		{"nil and empty check the same", func(t testing.TB) { Check(t, func(t *T, in []byte) { t.Assume(len(in) == 0) }) }, "had the same input"},
		{"zero and minus zero check the same", func(t testing.TB) { Check(t, func(t *T, in float64) { t.Assume(in == 0) }) }, "passed"},
		{"the builder makes only one value", func(t testing.TB) {
			Check(t, func(t *T, in *tree) {}, Builder(func(k int) *tree { return &tree{K: 1} }))
		}, "had the same input"},
		{"the builder makes two values", func(t testing.TB) {
			Check(t, func(t *T, in *tree) {}, Builder(func(k int) *tree { return &tree{K: k & 1} }))
		}, ""},
		{"all inputs are zero", func(t testing.TB) { Check(t, func(t *T, in strings.Builder) {}) },
			"the input never varies: in: strings.Builder is always zero"},
		{"all inputs are nil or zero", func(t testing.TB) { Check(t, func(t *T, in struct{ B *strings.Builder }) {}) }, "never varies"},
		{"a mutex alone", func(t testing.TB) { Check(t, func(t *T, in *sync.Mutex) {}) }, "never varies: in: *sync.Mutex is always zero"},
		{"a Stringer alone", func(t testing.TB) { Check(t, func(t *T, in struct{ S fmt.Stringer }) {}) }, "never varies: in.S: fmt.Stringer has"},
		{"a mutex beside a field", func(t testing.TB) {
			Check(t, func(t *T, in *struct {
				sync.Mutex
				N int
			}) {
			})
		}, ""},
		{"the only value of its type", func(t testing.TB) { Check(t, func(t *T, in struct{}) {}) }, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := record(t, "TestX", c.run)
			if c.want != "" {
				r.has(t, "vacuous: ", c.want)
				for line := range strings.Lines(r.text()) {
					if _, note, ok := strings.Cut(line, "note: "); ok && strings.Count(r.text(), note) > 1 {
						t.Errorf("said twice:\n%s", r.text())
					}
				}
			} else if r.failed {
				t.Errorf("failed:\n%s", r.text())
			}
		})
	}
}

// What a Check that passed logs even without -v.
func TestNotesOfPassed(t *testing.T) {
	for _, c := range []struct {
		what string
		run  func(t testing.TB)
		want string
	}{
		{"nothing", func(t testing.TB) { Check(t, func(t *T, in int) {}) }, ""},
		{"a zero field", func(t testing.TB) {
			Check(t, func(t *T, in struct {
				B strings.Builder
				N int
			}) {
			})
		}, "note: in.B: strings.Builder is always zero: its fields belong to another module; declare allele.Builder for other values, " +
			"or that zero is intended: allele.Values(strings.Builder{})"},
		{"several zero fields are one line", func(t testing.TB) {
			Check(t, func(t *T, in struct {
				Err fmt.Stringer
				B   *strings.Replacer
				S   strings.Builder
				N   uint8
			}) {
			})
		}, "note: in.Err: fmt.Stringer has no variants, so it is always nil; declare them with allele.Variants[fmt.Stringer], " +
			"or that nil is intended: allele.Values[fmt.Stringer](nil) (and 2 more parts: see go test -v)"},
		{"zero is intended", func(t testing.TB) {
			Check(t, func(t *T, in struct {
				Err fmt.Stringer
				B   *strings.Builder
				N   uint8
			}) {
			}, Values(strings.Builder{}), Values[fmt.Stringer](nil))
		}, ""},
		{"the visible fields of a type never vary either", func(t testing.TB) {
			Check(t, func(t *T, in struct {
				Args *expvar.Map // a mutex, a slice and a sync.Map, all of them hidden
				Pool *sync.Pool  // hidden fields, and a func that is declared
				N    uint8
			}) {
			}, Values(func() any { return nil }))
		}, "note: in.Args: expvar.Map is always zero: its fields belong to another module; declare allele.Builder for other values, " +
			"or that zero is intended: allele.Values(expvar.Map{})"},
		{"hidden fields beside one that varies", func(t testing.TB) {
			Check(t, func(t *T, in struct{ R []list.Element }) {})
		}, "note: in.R[]: the unexported fields of list.Element are always zero: they belong to another module; declare allele.Builder for other values, " +
			"or that zero is intended: allele.Builder(func(x0 any) list.Element { return list.Element{Value: x0} })"},
		{"hidden fields that only functions set", func(t testing.TB) {
			Check(t, func(t *T, in struct{ R []list.Element }) {}, Builder(func(n int) list.Element { return *list.New().PushBack(n) }))
		}, ""},
		{"a mutex", func(t testing.TB) {
			Check(t, func(t *T, in *struct {
				sync.Mutex
				N int
			}) {
			})
		}, ""},
		{"one value", func(t testing.TB) { Check(t, func(t *T, in int) {}, Values(7)) }, "note: there is only one possible input"},
		{"one float", func(t testing.TB) { Check(t, func(t *T, in float64) {}, Range(1.0, 1.0)) }, "note: there is only one possible input"},
		{"one value passes", func(t testing.TB) { Check(t, func(t *T, in uint8) { t.Assume(in == 7) }) },
			"note: only one of the 256 possible inputs passed"},
		{"examples only", func(t testing.TB) { Check(t, func(t *T, in int) {}, Tests(0), Example(1), Example(2)) },
			"note: 2 examples, none generated"},
	} {
		if r := record(t, "TestX", c.run); r.failed || r.text() != c.want {
			t.Errorf("%s: %s", c.what, r.text())
		}
		*flagVerbose = true
		r := record(t, "TestX", c.run)
		if *flagVerbose = false; strings.Contains(c.want, "always") && strings.Contains(r.text(), "possible input") {
			t.Errorf("%s: not all inputs are possible inputs: %s", c.what, r.text())
		}
		t.Setenv("ALLELE_STRICT", "1")
		if r := record(t, "TestX", c.run); r.failed != strings.Contains(c.want, "always") {
			t.Errorf("%s, strict: %s", c.what, r.text())
		}
		t.Setenv("ALLELE_STRICT", "")
	}
}

// A Check that time ends too soon fails, unless all inputs were tried.
func TestStoppedTooSoon(t *testing.T) {
	slow := func(t *T, in uint8) { time.Sleep(30 * time.Millisecond) }
	record(t, "TestX", func(t testing.TB) { Check(t, slow, For(50*time.Millisecond)) }).has(t,
		"stopped: time was up after ", "only ", " passed", "This test has checked almost nothing")
	record(t, "TestX", func(t testing.TB) {
		Check(deadlined{t.(*recorder), time.Now().Add(time.Second)}, func(t *T, in int) { time.Sleep(200 * time.Millisecond) })
	}).has(t, "stopped: time was up after ")
	for _, opts := range [][]Option{{AllowVacuous()}, {Range[uint8](1, 1)}} {
		r := record(t, "TestX", func(t testing.TB) { Check(t, slow, append(opts, For(50*time.Millisecond))...) })
		if r.failed {
			t.Errorf("%s", r.text())
		}
	}
}

// Stored cases count as passed tests: with enough of them the Check is not vacuous, even
// if the search adds little.
func TestStoredCasesCount(t *testing.T) {
	inEmptyPackage(t)
	dir := filepath.Join("testdata", "allele", "TestX")
	os.MkdirAll(dir, 0o777)
	for i := range 120 {
		os.WriteFile(filepath.Join(dir, fmt.Sprintf("seed%d.case", i)), fmt.Appendf(nil, "&tree{K: 777, L: &tree{K: %d}, R: &tree{L: &tree{}}}", i), 0o666)
	}
	r := recordHere(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in *tree) { t.Assume(in != nil && in.K == 777) })
	})
	if r.failed {
		t.Error(r.text())
	}
}

// A stored case that fails is run first in later tests, without a search, until it passes.
func TestReplayStored(t *testing.T) {
	inEmptyPackage(t)
	var runs, limit int
	check := func(t testing.TB) {
		runs = 0
		Check(t, func(t *T, in *tree) {
			runs++
			if in.size() >= limit {
				t.Error("too large")
			}
		})
	}
	limit = 3
	recordHere(t, "TestX", check).has(t, "too large", "saved")
	recordHere(t, "TestX", check).has(t, "too large", "counterexample:", "from     testdata/allele/TestX/fail-")
	if runs != 1 {
		t.Errorf("a stored case was found again in %d runs", runs)
	}
	limit = 100
	if r := recordHere(t, "TestX", check); r.failed || runs < 1000 {
		t.Errorf("after the fix: %d runs\n%s", runs, r.text())
	}
}

// The finding is on disk before shrinking starts, so that nothing that happens
// then can lose it.
func TestSavedBeforeShrinking(t *testing.T) {
	inEmptyPackage(t)
	var failures int
	var onDisk []string
	recordHere(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in *tree) {
			if in.size() >= 4 {
				if failures++; failures == 2 {
					onDisk, _ = filepath.Glob("testdata/allele/TestX/fail-*.case")
				}
				t.Fail()
			}
		})
	})
	left, _ := filepath.Glob("testdata/allele/TestX/*")
	if len(onDisk) != 1 || len(left) != 1 {
		t.Errorf("while shrinking %v, afterwards %v", onDisk, left)
	}
}

func TestUnwritable(t *testing.T) {
	inEmptyPackage(t)
	os.WriteFile("testdata", nil, 0o666) // a file where the folder should be
	r := recordHere(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in int) { t.Fail() }) })
	r.has(t, "not saved: ", "-allele.seed=", "ALLELE_SEED=")
}

func TestSeveralChecks(t *testing.T) {
	inEmptyPackage(t)
	r := recordHere(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in int) { t.Error("one") })
		Check(t, func(t *T, in string) { t.Error("two") })
		Check(t, func(t *T, in bool) { t.Error("three") }, Name("third"))
	})
	r.has(t, "one", "allele/TestX/fail-", "two", "allele/TestX#2/fail-", "three", "allele/TestX#third/fail-")
}

func TestParallelChecks(t *testing.T) {
	var runs atomic.Int64
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			Check(t, func(t *T, in *tree) {
				t.Assume(in.size() != 7)
				runs.Add(1)
			})
		})
	}
	t.Cleanup(func() {
		if n := runs.Load(); n != 4000 {
			t.Errorf("%d runs", n)
		}
	})
}

// A property gets the same inputs every time, and different properties get different
// inputs.
func TestSeeds(t *testing.T) {
	inputs := func(name string, opts ...Option) (all string) {
		record(t, name, func(t testing.TB) {
			Check(t, func(t *T, in uint64) { all += fmt.Sprint(in, " ") }, append(opts, Tests(50))...)
		})
		return all
	}
	if inputs("TestX") != inputs("TestX") {
		t.Error("the inputs changed")
	}
	if inputs("TestX") == inputs("TestY") {
		t.Error("two properties have the same inputs")
	}
	if inputs("TestX", Seed(7)) != inputs("TestY", Seed(7)) {
		t.Error("the same seed gave different inputs")
	}
	t.Setenv("ALLELE_SEED", "7")
	if inputs("TestX") != inputs("TestY", Seed(8)) {
		t.Error("ALLELE_SEED was ignored")
	}
	t.Setenv("ALLELE_SEED", "random")
	if inputs("TestX") == inputs("TestX") {
		t.Error("ALLELE_SEED=random gave the same inputs twice")
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []struct{ variable, value, want string }{
		{"ALLELE_TESTS", "10", "10 runs"},
		{"ALLELE_TESTS", "ten", "ALLELE_TESTS=ten: want a number of tests"},
		{"ALLELE_FOR", "soon", "ALLELE_FOR=soon: want a time above 0, such as 30s"},
		{"ALLELE_SIZE", "0", "ALLELE_SIZE=0: want a size of at least 1"},
		{"ALLELE_SEED", "x", "ALLELE_SEED=x: want a number, or random"},
	} {
		t.Run(c.variable+"="+c.value, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			runs := 0
			r := record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in int) { runs++ }) })
			if got := r.text() + fmt.Sprintf(" %d runs", runs); !strings.Contains(got, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	t.Run("For", func(t *testing.T) {
		runs := 0
		record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in int) { runs++ }, For(500*time.Millisecond)) })
		if runs < 2000 { // without For it would be 1000
			t.Errorf("%d runs", runs)
		}
	})
}

func TestLabels(t *testing.T) {
	*flagVerbose = true
	defer func() { *flagVerbose = false }()
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in *tree) {
			t.Label("leaf", in != nil && in.L == nil && in.R == nil)
			t.Label("size", min(3, in.size()))
		})
	})
	r.has(t, "TestX: 1,000 passed (948 distinct), 0 discarded, seed ", "leaf", " %  false", " %  true", "size", " %  3")
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		what string
		run  func(t testing.TB)
		want string
	}{
		{"a func", func(t testing.TB) { Check(t, func(t *T, in func()) {}) }, "in (func()): a func cannot be derived"},
		{"a bare interface", func(t testing.TB) { Check(t, func(t *T, in fmt.Stringer) {}) }, "allele.Variants[fmt.Stringer]"},
		{"Given for another type", func(t testing.TB) { Check(t, func(t *T, in int) {}, Given(func(string) bool { return true })) }, "Given takes string, but the property takes int"},
		{"Example of another type", func(t testing.TB) { Check(t, func(t *T, in int) {}, Example("x")) }, "Example 1: its type is string, but the property takes int"},
		{"Variants of a struct", func(t testing.TB) { Check(t, func(t *T, in tree) {}, Variants(tree{})) }, "want an interface"},
		{"a nil variant", func(t testing.TB) { Check(t, func(t *T, in error) {}, Variants[error](nil)) }, "argument 1 is nil"},
		{"Builder of no function", func(t testing.TB) { Check(t, func(t *T, in tree) {}, Builder(3)) }, "Builder: want a function, got int"},
		{"a path to nowhere", func(t testing.TB) { Check(t, func(t *T, in tree) {}, At("Q", Range(0, 1))) }, `At("Q"): there is no such field`},
		{"At with nothing", func(t testing.TB) { Check(t, func(t *T, in tree) {}, At("K")) }, `At("K"): want the path of a field, and options`},
	} {
		t.Run(c.what, func(t *testing.T) { record(t, "TestX", c.run).has(t, "allele: ", c.want) })
	}
}

// Without -for the command does not watch the clock: a Check with For makes a number of tests.
func TestForUnderTheCommand(t *testing.T) {
	second, few := time.Second, 20
	for _, c := range []struct {
		params job.Params
		code   property.Settings
		want   time.Duration
		tests  int
	}{
		{job.Params{}, property.Settings{Budget: &second}, 0, testsDefault},
		{job.Params{Budget: time.Minute}, property.Settings{Budget: &second}, time.Minute, testsMax},
		{job.Params{Budget: time.Minute}, property.Settings{Tests: &few}, time.Minute, testsMax},
		// Tests in code are respected unless the user gives a time.
		{job.Params{Budget: time.Minute, Default: true}, property.Settings{Tests: &few}, time.Minute, few},
		{job.Params{Budget: time.Minute, Default: true}, property.Settings{}, time.Minute, testsMax},
	} {
		j := &job.Job{Mode: job.Search, Search: c.params}
		if got, err := configure(c.code, "TestX", j); err != nil || got.Budget != c.want || got.Tests != c.tests {
			t.Errorf("%+v: %+v, %v", c.params, got, err)
		}
	}
}
