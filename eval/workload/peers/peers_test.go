package peers

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/allele-go/allele/eval/workload/task"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

func right(keys ...int) (t *Tree) {
	for _, k := range slices.Backward(keys) {
		t = &Tree{R: t, K: k}
	}
	return t
}

func black(l *RB, k int, r *RB) *RB { return &RB{L: l, K: k, R: r} }
func red(l *RB, k int, r *RB) *RB   { return &RB{Red: true, L: l, K: k, R: r} }
func leaf(k int) *RB                { return red(nil, k, nil) }

// TestSmallest runs, for each bug, a smallest input that reveals it, and slightly
// smaller inputs that do not.
func TestSmallest(t *testing.T) {
	tasks := map[string]task.Task{}
	for _, t := range Tasks() {
		tasks[t.Name] = t
	}
	capture := func(inner Name) Expr {
		return Let{1, Num{5}, Let{2, Var{1}, Let{inner, Num{7}, Var{2}}}}
	}
	for _, c := range []struct {
		name string
		in   any
		want string
	}{
		{"bst4", TreeKey{right(1, 2, 3, 9), 5}, "failed"},
		{"bst4", TreeKey{right(1, 2, 9), 5}, "passed"},
		{"bst4", TreeKey{right(1, 2, 3, 2), 5}, "discarded"},
		{"bst8", TreeKey{right(1, 2, 3, 4, 5, 6, 7, 9), 0}, "failed"},
		{"bst8", TreeKey{right(1, 2, 3, 4, 5, 6, 7), 0}, "passed"},
		{"sorted", ListKey{[]int{0, 0, 0, 0, 0, 2}, 1}, "failed"},
		{"sorted", ListKey{[]int{0, 0, 0, 0, 2}, 1}, "passed"},
		{"sorted", ListKey{[]int{1, 0}, 1}, "discarded"},
		{"rbeasy", RBKey{black(leaf(1), 3, nil), 2}, "failed"},
		{"rbeasy", RBKey{black(leaf(2), 3, nil), 1}, "passed"},
		{"rbeasy", RBKey{red(nil, 3, nil), 1}, "discarded"},
		{"rbhard", RBKey{black(leaf(1), 3, nil), 2}, "passed"},
		{"rbhard", RBKey{black(red(black(nil, 1, nil), 2, black(leaf(3), 5, nil)), 8, black(nil, 9, nil)), 4}, "failed"},
		{"expreasy", Let{1, Num{5}, Mul{Var{1}, Num{1}}}, "failed"},
		{"expreasy", Let{1, Num{1}, Mul{Var{1}, Num{5}}}, "passed"},
		{"expreasy", Add{Num{1}, Bool{true}}, "discarded"},
		{"expreasy", Var{0}, "discarded"},
		{"exprhard", capture(1), "failed"},
		{"exprhard", capture(3), "passed"},
		{"exprhard", Let{1, Num{5}, Let{2, Var{1}, Let{2, Num{7}, Var{2}}}}, "passed"},
	} {
		if got := tasks[c.name].Run(c.in).String(); got != c.want {
			t.Errorf("%s: %+v %s, want %s", c.name, c.in, got, c.want)
		}
	}
}

// derived runs the property on n fresh terms as allele generates them, of all sizes in
// turn.
func derived(t *testing.T, task task.Task, n int) (count [3]int) {
	const size = 20
	w, err := schema.Derive(task.In, task.Decls())
	if err != nil {
		t.Fatal(err)
	}
	g, b := gen.New(w), schema.NewBuilder(w)
	g.Reach = size
	for run := range uint64(n) {
		count[task.Call(b, g.Term(rng.At(1, run), 1+int(run%size)))]++
	}
	return count
}

// Without their bugs the programs never fail.
func TestCorrectPrograms(t *testing.T) {
	keys := Tasks()[0].Declare
	for _, c := range append(Correct(),
		task.Of("list", func(in ListKey) task.Verdict {
			if !sorted(in.List) {
				return task.Discarded
			}
			return task.Holds(sorted(insert(in.List, in.Key, never)))
		}, keys...),
		task.Of("red-black", func(in RBKey) task.Verdict { return insertKeepsColors(in, nothing) }, keys...),
	) {
		if count := derived(t, c, 100_000); count[task.Failed] > 0 || count[task.Passed] < 1000 {
			t.Errorf("%s: %d passed, %d failed, %d discarded", c.Name, count[task.Passed], count[task.Failed], count[task.Discarded])
		}
	}
}

// These are the generators of the search's prototype: they choose every constructor
// with equal odds, make terms at most size deep, numbers from -size to size, and lists
// of at most size elements.
const size = 10

func key(r *rand.Rand) int { return r.IntN(2*size+1) - size }

func name(r *rand.Rand) Name { return Name(r.IntN(size + 1)) }

func tree(r *rand.Rand, depthLeft int) *Tree {
	if depthLeft == 0 || r.IntN(2) == 0 {
		return nil
	}
	return &Tree{tree(r, depthLeft-1), tree(r, depthLeft-1), key(r)}
}

func redBlack(r *rand.Rand, depthLeft int) *RB {
	if depthLeft == 0 || r.IntN(2) == 0 {
		return nil
	}
	return &RB{r.IntN(2) == 0, redBlack(r, depthLeft-1), redBlack(r, depthLeft-1), key(r)}
}

func list(r *rand.Rand) (l []int) {
	for range r.IntN(size + 1) {
		l = append(l, key(r))
	}
	return l
}

func expr(r *rand.Rand, depthLeft int) Expr {
	form := r.IntN(7)
	if depthLeft == 0 {
		form = r.IntN(3)
	}
	sub := func() Expr { return expr(r, depthLeft-1) }
	switch form {
	case 0:
		return Num{key(r)}
	case 1:
		return Bool{r.IntN(2) == 0}
	case 2:
		return Var{name(r)}
	case 3:
		return Add{sub(), sub()}
	case 4:
		return Mul{sub(), sub()}
	case 5:
		return If{sub(), sub(), sub()}
	}
	return Let{name(r), sub(), sub()}
}

// The four easy bugs are as hard for plain random testing as they were for the search's
// prototype, within a factor of three. The prototype's figures are means of twenty
// searches: with terms of the largest size, and with all sizes in turn.
func TestDifficulty(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for i, c := range []struct {
		random          func() any
		largest, inTurn float64 // the prototype's tests to the bug
		n               int
	}{
		{func() any { return TreeKey{tree(r, size), key(r)} }, 12_823, 20_928, 200_000},
		{func() any { return ListKey{list(r), key(r)} }, 21_816, 69_232, 400_000},
		{func() any { return RBKey{redBlack(r, size), key(r)} }, 951, 796, 50_000},
		{func() any { return expr(r, size) }, 125_953, 41_096, 1_000_000},
	} {
		if testing.Short() && c.n > 100_000 {
			continue
		}
		subject := Tasks()[i]
		var twin [3]int
		for range c.n {
			twin[subject.Run(c.random())]++
		}
		once := func(count [3]int) float64 { return float64(c.n) / float64(count[task.Failed]) }
		own := derived(t, subject, c.n)
		t.Logf("%-8s once in %6.0f tests, allele's own terms %6.0f; prototype %6.0f and %5.0f", subject.Name, once(twin), once(own), c.largest, c.inTurn)
		if once(twin) > 3*c.largest || once(twin) < c.largest/3 {
			t.Errorf("%s: the prototype's generator needs %.0f tests, but needed %.0f in the prototype", subject.Name, once(twin), c.largest)
		}
		if once(own) > 3*max(c.largest, c.inTurn) || once(own) < min(c.largest, c.inTurn)/3 {
			t.Errorf("%s: allele's generator needs %.0f tests, the prototype's needed %.0f or %.0f", subject.Name, once(own), c.largest, c.inTurn)
		}
	}
}
