//go:build go1.25

package allele

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/check/property"
)

// Each test in this file is for a bug that was fixed.

type port int

func newPort(n uint16) port { return port(n) }

// Replay runs the property on a value that only a builder can build, unchanged.
func TestReplayBuilt(t *testing.T) {
	var got []port
	test := func(t *testing.T) {
		Check(t, func(t *T, in struct{ P port }) { got = append(got, in.P) }, Builder(newPort))
	}
	Replay(t, test, struct{ P port }{newPort(1025)})
	if fmt.Sprint(got) != "[1025]" {
		t.Errorf("inputs %v", got)
	}
}

// Replay works for parallel subtests, which start when the test function has returned.
func TestReplayParallel(t *testing.T) {
	runs := 0
	t.Run("replay", func(t *testing.T) {
		Replay(t, func(t *testing.T) {
			t.Run("sub", func(t *testing.T) {
				t.Parallel()
				Check(t, func(t *T, in int) { runs++ })
			})
		}, 5)
	})
	if runs != 1 {
		t.Errorf("%d runs", runs)
	}
}

// A Check ignores the case file of another Check, which has another input type.
func TestReplayFileOfAnotherType(t *testing.T) {
	inEmptyPackage(t)
	os.WriteFile("a.case", []byte("// test     TestX/two\n[]string{\"a\"}"), 0o666)
	runs := 0
	t.Run("replay", func(t *testing.T) {
		ReplayFile(t, func(t *testing.T) {
			t.Run("one", func(t *testing.T) { Check(t, func(t *T, in int) { runs += 100 }) })
			t.Run("two", func(t *testing.T) { Check(t, func(t *T, in []string) { runs++ }) })
		}, "a.case")
	})
	if runs != 1 {
		t.Errorf("%d runs", runs)
	}
}

// Declarations apply inside maps whose type has a fast path.
func TestDeclaredInMaps(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct {
			M map[string]string
			N map[int]int
			S string
		}) {
			for k, v := range in.M {
				if k != "a" && k != "b" || v != "a" && v != "b" {
					t.Fatalf("%q: %q", k, v)
				}
			}
			for k, v := range in.N {
				if k%2 != 0 || v%2 != 0 {
					t.Fatalf("%d: %d", k, v)
				}
			}
		}, Values("a", "b"), Builder(func(a int8) int { return 2 * int(a) }))
	})
	if r.failed {
		t.Error(r.text())
	}
}

// Keys of maps are not always the smallest values of their type.
func TestMapKeysGrow(t *testing.T) {
	pointers, composite := 0, 0
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct {
			P map[*int]bool
			E map[any]bool
		}) {
			for k := range in.P {
				if k != nil {
					pointers++
				}
			}
			for k := range in.E {
				if _, ok := k.(*tree); ok {
					composite++
				}
			}
		}, Variants[any](0, &tree{}))
	})
	if r.failed || pointers < 100 || composite < 100 {
		t.Errorf("%d pointers, %d trees as keys\n%s", pointers, composite, r.text())
	}
}

func TestUnhashableInsideKey(t *testing.T) {
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in map[struct{ A any }]int) {}, Variants[any]([]int{}))
	}).has(t, "none of the types of Variants[interface {}] can be a map key")
}

type listErr []string

func (l listErr) Error() string { return l[0] }

// Declared values, variants and results of builders that cannot be hashed are not in map keys, and
// are everywhere else.
func TestUnhashableDeclared(t *testing.T) {
	type key struct{ V any }
	type in struct {
		M map[any]any
		S map[key]int
		A map[[2]any]string
		E any
	}
	odd := func(n uint8) any {
		if n%2 == 0 {
			return []uint8{n}
		}
		return n
	}
	for what, opt := range map[string]Option{
		"values":   Values[any](1, "a", []int{1}, key{2}, key{[]int{2}}),
		"variants": Variants[any](1, "a", []int{}, key{}),
		"builder":  Builder(odd),
		"structs": optionFunc(func(s *property.Settings) {
			apply(s, []Option{Values(key{1}, key{[]int{1}}), Values[any](1, []int{1})})
		}),
	} {
		keys, lists := 0, 0
		r := record(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in in) {
				keys += len(in.M) + len(in.S) + len(in.A)
				if in.E != nil && !reflect.ValueOf(in.E).Comparable() {
					lists++
				}
			}, opt, Tests(300))
		})
		if r.failed || keys < 100 || lists < 20 {
			t.Errorf("%s: %d keys, %d values that cannot be hashed\n%s", what, keys, lists, r.text())
		}
	}
	if r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in map[error]int) {}, Likely[error](listErr{"a"}))
	}); r.failed {
		t.Error(r.text())
	}
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in map[key]int) {}, Values(key{[]int{1}}))
	}).has(t, "none of the values of Values[allele.key] can be a map key")
}

// A Check that starts with no time left reports that and nothing else.
func TestNoTime(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		Check(deadlined{t.(*recorder), time.Now().Add(50 * time.Millisecond)}, func(t *T, in []int) {})
	})
	r.has(t, "there is no time left before the test's deadline")
	if files, _ := filepath.Glob("testdata/allele/*/*"); files != nil {
		t.Errorf("saved %v", files)
	}
}

// A failure that cannot be run again in time is reported as it was.
func TestFailureNearDeadline(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		Check(deadlined{t.(*recorder), time.Now().Add(3 * time.Second)}, func(t *T, in []int) {
			if len(in) > 2 {
				time.Sleep(1800 * time.Millisecond) // once, but not twice
				t.Fatal("real failure")
			}
		})
	})
	r.has(t, "property failed: real failure")
}

// A stored case distinguishes builders that have the same name.
func TestBuildersOfOneName(t *testing.T) {
	inEmptyPackage(t)
	plus := func(n int) func() port { return func() port { return port(n) } }
	check := func(t testing.TB) {
		Check(t, func(t *T, in struct{ P port }) {
			if in.P == 2 {
				t.Error("two")
			}
		}, Builder(plus(1)), Builder(plus(2)), Builder(plus(3)))
	}
	recordHere(t, "TestX", check).has(t, "property failed: two", "saved")
	recordHere(t, "TestX", check).has(t, "property failed: two", "from     testdata/allele/TestX/")
}

func TestCheckInsideCheck(t *testing.T) {
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in int) { Check(t, func(t *T, in string) {}) })
	}).has(t, "a Check inside a property")
}

func TestNamesTaken(t *testing.T) {
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in int) {}, Name("a"))
		Check(t, func(t *T, in int) {}, Name("a"))
	}).has(t, "two Checks of this test are named TestX#a")
}

func TestHugeMessage(t *testing.T) {
	inEmptyPackage(t)
	check := func(t testing.TB) {
		Check(t, func(t *T, in bool) { t.Fatal(strings.Repeat("m", 17<<20)) })
	}
	recordHere(t, "TestX", check)
	recordHere(t, "TestX", check).has(t, "property failed: mmm", "from     testdata")
}

// Cases are stored in the folder of the package, whatever the current working directory.
func TestChangedDirectory(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		dir := t.TempDir()
		Check(t, func(t *T, in []int) {
			os.Chdir(dir)
			if len(in) > 1 {
				t.Error("long")
			}
		})
	})
	r.has(t, "saved    testdata/allele/TestX/")
	if files, _ := filepath.Glob(filepath.Join(property.Home, "testdata/allele/TestX/*.case")); len(files) != 1 {
		t.Errorf("%v", files)
	}
}

// A Check with few tests, or with small inputs, is not vacuous.
func TestNotVacuous(t *testing.T) {
	for _, opts := range [][]Option{{Tests(1)}, {Size(1)}, {Size(2)}, {Tests(3), Size(50)}} {
		if r := record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in []int) {}, opts...) }); r.failed {
			t.Errorf("%v: %s", opts, r.text())
		}
	}
}

// Even a few tests reach the largest size.
func TestSizeIsReached(t *testing.T) {
	longest := 0
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in []int) { longest = max(longest, len(in)) }, Tests(50), Size(10_000))
	})
	if longest < 5000 {
		t.Errorf("the longest of 50 slices has %d elements", longest)
	}
}

type rude struct{ exit bool }

func (r rude) Error() string {
	if r.exit {
		runtime.Goexit()
	}
	panic("in Error")
}

// The Error method of a panic value is user code, which may panic or end the goroutine.
func TestRudePanic(t *testing.T) {
	for _, exit := range []bool{false, true} {
		r := record(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in []int) {
				if len(in) > 1 {
					panic(rude{exit})
				}
			})
		})
		r.has(t, "property panicked: ", "saved")
	}
}

// A Check is vacuous if an interface of the user has no variants and so is always nil. The
// report names the types in sight that implement it, as an option.
func TestHollow(t *testing.T) {
	type holder struct{ Ops []own }
	vacuous := func(t testing.TB) { Check(t, func(t *T, in holder) {}) }
	r := recordHere(t, "TestX", vacuous)
	r.has(t, "vacuous: in.Ops[]: allele.own has no variants, so it is always nil\n",
		"Declare the types that implement the interface:\n    allele.Variants[own](ownDone(0), &ownMore{})\n", "allele.Values[own](nil)")
	type inner interface{ do() }
	r = recordHere(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in []inner) {}) })
	r.has(t, "    allele.Variants[inner](ownDone(0), &ownMore{})\n", "allele.Values[inner](nil)")
	for _, declared := range []Option{Variants[own](ownDone(0), &ownMore{}), Values[own](nil)} {
		if r = record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in holder) {}, declared) }); r.failed {
			t.Error(r.text())
		}
	}
	// Without the source no types are in sight. A command that changes nothing is not suggested.
	r = record(t, "TestX", vacuous)
	r.has(t, "Declare types that implement the interface:\n    go doc github.com/allele-go/allele.Variants\n", "allele.Values[own](nil)")
	if strings.Contains(r.text(), "go tool") {
		t.Error(r.text())
	}
	if err := os.WriteFile("own.go", []byte("package allele\n\ntype own interface{ do() }\ntype only struct{}\n\nfunc (only) do() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r = recordHere(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in holder) { t.Error("always") }) })
	r.has(t, "note: in.Ops[]: allele.own has no variants, so it is always nil; declare its variants: allele.Variants[own](only{})\n")
}

type own interface{ do() }

type (
	ownDone int
	ownMore struct{ N int }
)

func (ownDone) do()  {}
func (*ownMore) do() {}

func TestDeclaredTwice(t *testing.T) {
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in string) {}, Values("a", "b"), Values("c"))
	}).has(t, "Values[string] is declared twice")
}

func TestAtTakesDeclarations(t *testing.T) {
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in tree) {}, At("K", Range(0, 3), Tests(3)))
	}).has(t, `At("K"): want the path`)
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in tree) {}, At("Tree.K", Range(0, 3)))
	}).has(t, "the input has L, R, K")
}

// Generated strings are often equal, because code that looks up keys needs equal strings.
func TestStringsMeet(t *testing.T) {
	equal := 0
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in [2]string) {
			if in[0] == in[1] && in[0] != "" {
				equal++
			}
		})
	})
	if equal < 100 {
		t.Errorf("%d of 1000 pairs are equal", equal)
	}
}
