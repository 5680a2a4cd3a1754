//go:build go1.25

package allele_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele"
)

// t is the t of the test that would contain the body of an example.
var t *testing.T

type Tree struct {
	L, R *Tree
	K    int
}

func (t *Tree) Ordered() bool        { return true }
func (t *Tree) Insert(key int) *Tree { return &Tree{K: key, L: t} }

// Percent is from 0 to 100.
type Percent struct{ n int }

// NewPercent panics unless n is from 0 to 100.
func NewPercent(n int) Percent {
	if n < 0 || n > 100 {
		panic("not a percentage")
	}
	return Percent{n}
}

// Ring is a buffer of fixed length.
type Ring struct{ items []string }

// NewRing allocates a ring of n items.
func NewRing(n uint) *Ring { return &Ring{make([]string, n)} }

type Shape interface{ Area() float64 }
type Circle struct{ R float64 }
type Square struct{ Side float64 }

func (c Circle) Area() float64  { return 3 * c.R * c.R }
func (s *Square) Area() float64 { return s.Side * s.Side }

// A property over a slice: sorting twice is sorting once.
func ExampleCheck() {
	allele.Check(t, func(t *allele.T, in []int) {
		once := slices.Sorted(slices.Values(in))
		twice := slices.Sorted(slices.Values(once))
		if !slices.Equal(once, twice) {
			t.Errorf("%v became %v", once, twice)
		}
	})
}

// Several inputs are fields of a struct, which needs no name.
func ExampleCheck_severalInputs() {
	allele.Check(t, func(t *allele.T, in struct {
		Keys []int
		Key  int
	}) {
		sort.Ints(in.Keys)
		i := sort.SearchInts(in.Keys, in.Key)
		if i < len(in.Keys) && in.Keys[i] < in.Key {
			t.Errorf("%d at %d is before %d", in.Keys[i], i, in.Key)
		}
	})
}

// A false assumption discards the input.
func ExampleT_Assume() {
	allele.Check(t, func(t *allele.T, in struct {
		Tree *Tree
		Key  int
	}) {
		t.Assume(in.Tree.Ordered())
		if !in.Tree.Insert(in.Key).Ordered() {
			t.Error("insert broke the order")
		}
	})
}

// A bug that is known already does not hide others. Runs about it are counted apart.
func ExampleT_Known() {
	allele.Check(t, func(t *allele.T, in struct {
		Tree *Tree
		Key  int
	}) {
		t.Assume(in.Tree.Ordered())
		if in.Key == math.MinInt {
			t.Known("issue 12")
		}
		if !in.Tree.Insert(in.Key).Ordered() {
			t.Error("insert broke the order")
		}
	})
}

// With -v the share of each value is printed: here, how many inputs were empty.
func ExampleT_Label() {
	allele.Check(t, func(t *allele.T, in []string) {
		t.Label("empty", len(in) == 0)
	})
}

// Given is a precondition that costs less than Assume.
func ExampleGiven() {
	allele.Check(t, func(t *allele.T, keys []int) {
		if _, ok := slices.BinarySearch(keys, keys[0]); !ok {
			t.Errorf("%d was not found", keys[0])
		}
	}, allele.Given(func(keys []int) bool { return len(keys) > 0 && slices.IsSorted(keys) }))
}

// An interface holds the listed types. A type that implements it by a pointer is listed as
// a pointer.
func ExampleVariants() {
	allele.Check(t, func(t *allele.T, shapes []Shape) {
		for _, s := range shapes {
			t.Assume(s.Area() >= 0)
		}
	}, allele.Variants[Shape](Circle{}, &Square{}))
}

// counter is a machine: a number beside a model of it. Its methods are the operations.
type counter struct{ got, want int }

func (c *counter) Add(n uint8)   { c.got, c.want = c.got+int(n), c.want+int(n) }
func (c *counter) CanTake() bool { return c.want > 0 }
func (c *counter) Take()         { c.got, c.want = c.got-1, c.want-1 }

func (c *counter) Check(t *allele.T) {
	if c.got != c.want {
		t.Fatalf("got %d, want %d", c.got, c.want)
	}
}

// A list of calls of the methods of a machine.
func ExampleSteps() {
	allele.Check(t, func(t *allele.T, steps allele.Steps[*counter]) { steps(t, &counter{}) })
}

// A type that has only some values.
func ExampleValues() {
	type Method string
	allele.Check(t, func(t *allele.T, m Method) {}, allele.Values[Method]("GET", "PUT", "DELETE"))
}

// Numbers from 1 to 65535.
func ExampleRange() {
	allele.Check(t, func(t *allele.T, port int) {}, allele.Range(1, 65535))
}

// Semantic versions. Each text that is generated is one, and so is the counterexample.
func ExampleMatch() {
	type Release struct{ Version, Notes string }
	allele.Check(t, func(t *allele.T, r Release) {
		if strings.Count(r.Version, ".") != 2 {
			t.Errorf("%s", r.Version)
		}
	}, allele.At("Version", allele.Match[string](`v\d+\.\d+\.\d+(-(alpha|beta|rc)\d*)?`)))
}

// Trees that are built by their own functions are always in order.
func ExampleBuilder() {
	allele.Check(t, func(t *allele.T, tree *Tree) {
		if !tree.Ordered() {
			t.Error("out of order")
		}
	}, allele.Builder(func() *Tree { return nil }), allele.Builder((*Tree).Insert))
}

// A decoder must accept what the encoder makes, and give the value back.
func ExampleThrough() {
	type Point struct{ X, Y int }
	allele.Check(t, func(t *allele.T, data []byte) {
		var p Point
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(p); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s became %s, %v", data, again, err)
		}
	}, allele.Through(func(p Point) ([]byte, error) { return json.Marshal(p) }))
}

// A builder may refuse its arguments.
func ExampleBuilder_refuse() {
	allele.Check(t, func(t *allele.T, p netip.Prefix) {
		if !p.Contains(p.Addr()) {
			t.Errorf("%v does not contain its own address", p)
		}
	}, allele.Builder(netip.Addr.Prefix), allele.Range(0, 128))
}

// The K of every node of in.Tree is small; other ints are not affected.
func ExampleAt() {
	allele.Check(t, func(t *allele.T, in struct {
		Tree *Tree
		Key  int
	}) {
	}, allele.At("Tree.K", allele.Range(0, 9)))
}

// A panic refuses the arguments of NewPercent instead of failing the property, and the
// argument of NewRing, which is its length, stays small.
func ExamplePartial() {
	allele.Check(t, func(t *allele.T, in struct {
		Share Percent
		Ring  *Ring
	}) {
	}, allele.Builder(NewPercent, allele.Partial{}), allele.Builder(NewRing, allele.Partial{Small: []int{0}}))
}

// Most methods are one of these, but not all.
func ExampleLikely() {
	type Method string
	allele.Check(t, func(t *allele.T, m Method) {}, allele.Likely[Method]("GET", "PUT", "DELETE"))
}

// Half of all sides of squares are 0 or 1.
func ExampleField() {
	allele.Check(t, func(t *allele.T, shapes []Shape) {}, allele.Variants[Shape](Circle{}, &Square{}),
		allele.Field[Square]("Side", allele.Likely(0.0, 1.0)))
}

// Program declares functions and calls them.
type Program struct {
	Decls []Decl
	Calls []Call
}

type Decl struct{ Name string }
type Call struct {
	Func string
	Args []int
}

// Calls name functions that the same program declares, with few exceptions.
func ExampleFrom() {
	allele.Check(t, func(t *allele.T, p Program) {}, allele.Field[Call]("Func", allele.From[Decl]("Name")))
}

// Trees that lean to the left are generated more often: trees with no right child, and
// with a left child whose K is 0. The other fields may have any value.
func ExamplePattern() {
	allele.Check(t, func(t *allele.T, tree *Tree) {}, allele.Pattern("lean", &Tree{L: &Tree{}}, "L.K", "R"))
}

// This property takes no squares.
func ExampleOnly() {
	allele.Check(t, func(t *allele.T, shapes []Shape) {}, allele.Variants[Shape](Circle{}, &Square{}), allele.Only[Shape]("Circle"))
}

// No input of this property contains a square.
func ExampleWithout() {
	allele.Check(t, func(t *allele.T, shapes []Shape) {}, allele.Variants[Shape](Circle{}, &Square{}), allele.Without[Shape]("Square"))
}

// This property does not use the functions and patterns that were found in the source.
func ExampleIgnore() {
	allele.Check(t, func(t *allele.T, tree *Tree) {}, allele.Ignore{Builders: true, Patterns: true})
}

// Three circles for each square.
func ExampleWeight() {
	allele.Check(t, func(t *allele.T, shapes []Shape) {}, allele.Variants[Shape](Circle{}, &Square{}), allele.Weight[Shape]("Circle", 3))
}

// As many circles as squares.
func ExampleDistribution() {
	allele.Check(t, func(t *allele.T, shape Shape) {}, allele.Variants[Shape](Circle{}, &Square{}), allele.Distribution{})
}

// Three circles for each square, and 30 nodes on average.
func ExampleDistribution_proportions() {
	allele.Check(t, func(t *allele.T, shapes []Shape) {}, allele.Variants[Shape](Circle{}, &Square{}),
		allele.Distribution{Proportions: map[string]float64{"Shape.Circle": 3, "Shape.Square": 1}, MeanSize: 30})
}

// As many squares as possible.
func ExampleDistribution_cost() {
	allele.Check(t, func(t *allele.T, shapes []Shape) {}, allele.Variants[Shape](Circle{}, &Square{}),
		allele.Distribution{Cost: func(expected map[string]float64) float64 { return -expected["Shape.Square"] }})
}

// Circles are chosen twice as often as squares, at most six levels deep.
func ExampleDistribution_untuned() {
	allele.Check(t, func(t *allele.T, shapes []Shape) {}, allele.Variants[Shape](Circle{}, &Square{}),
		allele.Weight[Shape]("Circle", 2), allele.Distribution{Depth: 6, Untuned: true})
}

// Inputs that are worth trying every time.
func ExampleExample() {
	allele.Check(t, func(t *allele.T, s string) {
		if _, err := time.ParseDuration(s); err != nil {
			t.Skip(err)
		}
	}, allele.Example("1h30m"), allele.Example("-0.5µs"), allele.AllowVacuous())
}

// Declarations for every property of the test binary.
func ExampleDeclare() {
	// In an init function of a test file:
	allele.Declare(allele.Variants[Shape](Circle{}, &Square{}))
}

// A second Check in one test has a name of its own.
func ExampleName() {
	allele.Check(t, func(t *allele.T, in int) {}, allele.Name("numbers"))
	allele.Check(t, func(t *allele.T, in string) {}, allele.Name("texts"))
}

// A Check that may discard nearly everything.
func ExampleAllowVacuous() {
	allele.Check(t, func(t *allele.T, s string) {
		t.Assume(s == "open sesame")
	}, allele.AllowVacuous())
}

// More and larger inputs than usual, from another seed.
func ExampleTests() {
	allele.Check(t, func(t *allele.T, in []int) {}, allele.Tests(100_000), allele.Size(200), allele.Seed(7))
}

// A search for half a minute instead of a number of tests.
func ExampleFor() {
	allele.Check(t, func(t *allele.T, in []int) {}, allele.For(30*time.Second))
}

// The same inputs in every run, from seed 7.
func ExampleSeed() {
	allele.Check(t, func(t *allele.T, in []int) {}, allele.Seed(7))
}

// Large inputs: trees of up to 500 nodes.
func ExampleSize() {
	allele.Check(t, func(t *allele.T, in *Tree) {}, allele.Size(500))
}

func TestTreeInOrder(t *testing.T) {}

// A regression test, as Check prints it.
func ExampleReplay() {
	in := &Tree{K: 3, R: &Tree{K: 1}}
	allele.Replay(t, TestTreeInOrder, in)
}

// A regression test for an input that is stored in a file.
func ExampleReplayFile() {
	allele.ReplayFile(t, TestTreeInOrder, "testdata/allele/TestTreeInOrder/fail-3f9c2a.case")
}

// A T is a testing.TB for one input.
func ExampleT() {
	isEven := func(t testing.TB, n int) {
		t.Helper()
		if n%2 != 0 {
			t.Fatalf("%d is odd", n)
		}
	}
	allele.Check(t, func(t *allele.T, n int) {
		isEven(t, n*2)
	})
	fmt.Println()
}
