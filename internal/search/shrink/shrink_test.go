//go:build go1.25

package shrink_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

func derive(t testing.TB, typ reflect.Type, decls []schema.Decl) *schema.World {
	t.Helper()
	w, err := schema.Derive(typ, decls)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func build(w *schema.World, t term.Term) reflect.Value {
	v := reflect.New(w.Root.Type)
	schema.NewBuilder(w).Build(t, v.UnsafePointer())
	return v.Elem()
}

// shrunk shrinks a value while it fails, and returns the result as text.
func shrunk[In any](t *testing.T, in In, fails func(In) bool) string {
	t.Helper()
	w := derive(t, reflect.TypeFor[In](), zoo.Decls())
	start, err := w.Read(reflect.ValueOf(&in).Elem())
	if err != nil {
		t.Fatal(err)
	}
	least, _ := shrink.Minimise(shrink.Config{
		World: w,
		Fails: func(c term.Term) bool { return fails(build(w, c).Interface().(In)) },
	}, start)
	return show(build(w, least).Interface())
}

func show(v any) string {
	switch v := v.(type) {
	case string, []string:
		return fmt.Sprintf("%q", v)
	case *zoo.Tree:
		if v == nil {
			return "."
		}
		return fmt.Sprintf("(%s %d %s)", show(v.L), v.K, show(v.R))
	case *zoo.Neg:
		return "Neg(" + show(v.E) + ")"
	case zoo.Num:
		return fmt.Sprint("Num ", v.V)
	case []int:
		if v == nil {
			return "nil"
		}
	}
	return fmt.Sprint(v)
}

func sum(l []int) (total int) {
	for _, x := range l {
		total += x
	}
	return total
}

func size(t *zoo.Tree) int {
	if t == nil {
		return 0
	}
	return 1 + size(t.L) + size(t.R)
}

func depth(t *zoo.Tree) int {
	if t == nil {
		return 0
	}
	return 1 + max(depth(t.L), depth(t.R))
}

func leaf(k int) *zoo.Tree { return &zoo.Tree{K: k} }

type sized struct {
	Len   int
	Items []string
}

type span struct{ From, To int }

// Each row has a name for the values that fail, the result of shrinking such a value,
// and the simplest value that fails.
func TestMinimise(t *testing.T) {
	tree := &zoo.Tree{L: &zoo.Tree{L: leaf(1), K: 4, R: leaf(5)}, K: 7, R: &zoo.Tree{K: 9, R: leaf(12)}}
	expr := zoo.Expr(zoo.If{C: zoo.Bool{B: true}, T: zoo.Add{L: zoo.Num{V: 3}, R: &zoo.Neg{E: zoo.Mul{L: zoo.Var{N: 2}, R: zoo.Num{V: 8}}}}, E: zoo.Name("x")})
	list := []int{70, 3, -8, 3, 41, 0, 12}
	for _, c := range []struct{ fails, got, want string }{
		{"always", shrunk(t, list, func([]int) bool { return true }), "nil"},
		{"not nil", shrunk(t, list, func(l []int) bool { return l != nil }), "[]"},
		{"three elements", shrunk(t, list, func(l []int) bool { return len(l) >= 3 }), "[0 0 0]"},
		{"an element above 40", shrunk(t, list, func(l []int) bool { return slices.Max(append(l, 0)) > 40 }), "[41]"},
		{"a negative element", shrunk(t, list, func(l []int) bool { return slices.Min(append(l, 0)) < 0 }), "[-1]"},
		{"an odd number above 10", shrunk(t, 4711, func(x int) bool { return x > 10 && x%2 == 1 }), "11"},
		{"not sorted", shrunk(t, list, func(l []int) bool { return !slices.IsSorted(l) }), "[0 -1]"},
		{"a sum of 100", shrunk(t, list, func(l []int) bool { return sum(l) >= 100 }), "[100]"},
		{"the same twice", shrunk(t, list, func(l []int) bool {
			s := slices.Sorted(slices.Values(l))
			return len(slices.Compact(s)) < len(l)
		}), "[0 0]"},
		{"three apart", shrunk(t, span{1000, 1003}, func(s span) bool { return s.To-s.From == 3 }), "{0 3}"},
		{"the length is a field", shrunk(t, sized{3, []string{"x", "needle", "y"}}, func(s sized) bool {
			return s.Len == len(s.Items) && slices.Contains(s.Items, "needle")
		}), "{1 [needle]}"},

		{"five characters", shrunk(t, "Grüße, 世界", func(s string) bool { return utf8.RuneCountInString(s) >= 5 }), `"aaaaa"`},
		{"a space", shrunk(t, "to be or not", func(s string) bool { return strings.Contains(s, " ") }), `" "`},
		{"upper case", shrunk(t, "xXyY", func(s string) bool { return strings.ToLower(s) != s }), `"A"`},
		{"a letter beyond ASCII", shrunk(t, "naïve 世", func(s string) bool { return len(s) > utf8.RuneCountInString(s) }), `"à"`},
		{"equal strings", shrunk(t, []string{"ab", "xyz", "xyz"}, func(l []string) bool {
			return len(l) > 1 && l[0] != "" && l[0] == l[len(l)-1] || len(l) > 2 && l[1] != "" && l[1] == l[2]
		}), `["a" "a"]`},
		{"bytes", shrunk(t, []byte("\xff\x80\x03"), func(b []byte) bool { return len(b) > 1 }), "[0 0]"},

		{"a fraction", shrunk(t, 3.14159, func(f float64) bool { return f != math.Trunc(f) }), "0.5"},
		{"above a million", shrunk(t, 1.5e9, func(f float64) bool { return f > 1e6 }), "1.000001e+06"},
		{"above any integer", shrunk(t, 3.14e203, func(f float64) bool { return f > 1e100 }), "1.0000000000000002e+100"},
		{"below any integer", shrunk(t, -3.14e203, func(f float64) bool { return f < -1e100 }), "-1.0000000000000002e+100"},
		{"not a number", shrunk(t, math.NaN(), func(f float64) bool { return f != f }), "NaN"},
		{"infinite", shrunk(t, math.Inf(-1), func(f float64) bool { return f-f != 0 }), "+Inf"},

		{"a tree of three", shrunk(t, tree, func(x *zoo.Tree) bool { return size(x) >= 3 }), "(. 0 (. 0 (. 0 .)))"},
		{"a tree with a full node", shrunk(t, tree, func(x *zoo.Tree) bool { return size(x) > depth(x) }), "((. 0 .) 0 (. 0 .))"},
		{"a negation of anything", shrunk(t, expr, func(e zoo.Expr) bool { return strings.Contains(fmt.Sprintf("%#v", e), "Neg") }), "Neg(Num 0)"},
		{"two keys", shrunk(t, map[string]int{"x": 4, "yes": 9, "no": 2}, func(m map[string]int) bool { return len(m) >= 2 }), "map[:0 a:0]"},
		{"a key that is a value", shrunk(t, map[int]int{4: 9, 9: 4, 7: 1}, func(m map[int]int) bool {
			for k, v := range m {
				if _, ok := m[v]; ok && k != v {
					return true
				}
			}
			return false
		}), "map[0:0 1:0]"},
		{"a declared value", shrunk(t, []zoo.Level{"high", "low", "high"}, func(l []zoo.Level) bool { return slices.Contains(l, "high") }), "[high]"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.fails, c.got, c.want)
		}
	}
}

// chain returns a tree in which every node has only a right child. The node in the
// middle has a large key.
func chain(n int) (root *zoo.Tree) {
	for i := range n {
		root = &zoo.Tree{R: root, K: i % 7}
		if i == n/2 {
			root.K = math.MaxInt32
		}
	}
	return root
}

func largest(t *zoo.Tree) (most int) {
	for ; t != nil; t = t.R {
		most = max(most, t.K)
	}
	return most
}

// Irrelevant parts of large terms are removed in big steps. If half of the term is
// needed, the bound on runs ends shrinking.
func TestLarge(t *testing.T) {
	n := 50_000
	if testing.Short() {
		n = 5000
	}
	numbers, words := make([]int, 2*n), make([]string, 2*n)
	numbers[n], words[n] = math.MaxInt32, "needle"
	count := 0
	counted := func(ok bool) bool { count++; return ok }
	for _, c := range []struct{ name, got, want string }{
		{"a number", shrunk(t, numbers, func(l []int) bool { return counted(slices.Max(append(l, 0)) > 1<<30) }), "[1073741825]"},
		{"a word", shrunk(t, words, func(l []string) bool { return counted(slices.Contains(l, "needle")) }), `["needle"]`},
		{"a chain", shrunk(t, chain(n), func(x *zoo.Tree) bool { return counted(largest(x) > 1<<30) }), "(. 1073741825 .)"},
		{"a text", shrunk(t, strings.Repeat("hay", n)+"needle"+strings.Repeat("hay", n), func(s string) bool { return counted(strings.Contains(s, "needle")) }), `"needle"`},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %.100s, want %s", c.name, c.got, c.want)
		}
	}
	if count > 800 {
		t.Errorf("%d runs", count)
	}
	const kept = 2000
	half := shrunk(t, chain(2*kept), func(x *zoo.Tree) bool { return size(x) >= kept })
	if got := strings.Count(half, "0"); got != kept {
		t.Errorf("%d nodes where %d are needed", got, kept)
	}
}
