//go:build go1.25

package same

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

type (
	node struct {
		k    int
		next *node
	}
	list   []list
	boxed  struct{ in any }
	hidden struct {
		at   time.Time
		err  error
		fn   func()
		mu   sync.Mutex
		m    map[string][]int
		text strings.Builder
	}
	failure struct{ line int }
	celsius float64
)

func (f *failure) Error() string { return fmt.Sprint("line ", f.line) }

func ring(n int) *node {
	first := &node{}
	last := first
	for range n - 1 {
		last = &node{next: last}
	}
	first.next = last
	return first
}

// rows is the table in the package comment, row by row.
func rows() []struct {
	name string
	a, b any
	same bool
} {
	nan, zero := math.NaN(), 0.0
	shared := &node{k: 1}
	self := list{nil}
	self[0] = self
	other := list{nil}
	other[0] = other
	now := time.Now()
	utc := time.Unix(100, 5).UTC()
	open, closed := make(chan int, 2), make(chan int, 2)
	full := make(chan int, 2)
	full <- 1
	close(closed)
	locked := &sync.Mutex{}
	locked.Lock()
	zeroInt := new(big.Int).Sub(big.NewInt(5), big.NewInt(5))
	return []struct {
		name string
		a, b any
		same bool
	}{
		{"nothing", nil, nil, true},
		{"nothing and a number", nil, 0, false},
		{"bool", true, true, true},
		{"bool that differs", true, false, false},
		{"type that differs", 1, int64(1), false},
		{"named type", celsius(1), 1.0, false},
		{"string", "ab", "a" + string([]byte("b")), true},
		{"string that differs", "ab", "ba", false},
		{"NaN", nan, -nan, true},
		{"NaN and a number", nan, 1.0, false},
		{"zeros", zero, math.Copysign(0, -1), true},
		{"complex NaN", complex(nan, 1), complex(nan, 1), true},
		{"complex", complex(1, 2), complex(2, 1), false},
		{"pointers", &node{k: 1}, &node{k: 1}, true},
		{"pointers to others", &node{k: 1}, &node{k: 2}, false},
		{"nil pointer", (*node)(nil), &node{}, false},
		{"shared", []*node{shared, shared}, []*node{{k: 1}, {k: 1}}, true},
		{"cycle", ring(3), ring(3), true},
		{"cycle of another length", ring(1), ring(2), false},
		{"slice in itself", self, other, true},
		{"interface", []any{1}, []any{1}, true},
		{"interface with another type", []any{1}, []any{uint(1)}, false},
		{"nil interface", []any{nil}, []any{(*node)(nil)}, false},
		{"error text", errors.New("a"), errors.New("b"), true},
		{"error of another type", io.EOF, &failure{}, false},
		{"error fields", &failure{1}, &failure{2}, true},
		{"nil error", []error{nil}, []error{io.EOF}, false},
		{"nil pointer as an error", []error{nil}, []error{(*failure)(nil)}, false},
		{"unexported fields", node{k: 1}, node{k: 1}, true},
		{"unexported fields that differ", node{k: 1}, node{k: 2}, false},
		{"nil and empty slice", []int(nil), []int{}, false},
		{"capacity", make([]int, 1, 9), []int{0}, true},
		{"order", []int{1, 2}, []int{2, 1}, false},
		{"bytes", []byte("abc"), []byte{97, 98, 99}, true},
		{"arrays", [2]int{1, 2}, [2]int{1, 3}, false},
		{"map", map[string]int{"a": 1, "b": 2}, map[string]int{"b": 2, "a": 1}, true},
		{"map that differs", map[string]int{"a": 1, "b": 2}, map[string]int{"b": 1, "a": 2}, false},
		{"NaN keys", map[float64]int{nan: 1, -nan: 2}, map[float64]int{nan: 2, nan + 1: 1}, true},
		{"fewer NaN keys", map[float64]int{nan: 1, -nan: 1}, map[float64]int{nan: 1}, false},
		{"nil and empty map", map[int]int(nil), map[int]int{}, false},
		{"pointer keys", map[*node]int{{k: 1}: 1}, map[*node]int{{k: 1}: 1}, true},
		{"functions", fmt.Sprint, fmt.Sprintln, true},
		{"nil function", (func())(nil), func() {}, false},
		{"channels", open, closed, true},
		{"channel with an element", open, full, false},
		{"nil channel", (chan int)(nil), open, false},
		{"unsafe pointers", unsafe.Pointer(shared), unsafe.Pointer(locked), true},
		{"times", now, now.Round(0), true},
		{"another instant", now, now.Add(1), false},
		{"another location", utc, utc.In(time.FixedZone("here", 0)), false},
		{"locks", &sync.Mutex{}, locked, true},
		{"atomic numbers", newInt(1), newInt(2), false},
		{"big zeros", new(big.Int), zeroInt, true},
		{"big numbers", big.NewInt(7), big.NewInt(8), false},
		{"reflect types", reflect.TypeFor[int](), reflect.TypeFor[string](), false},
		{"buffers", bytes.NewBufferString("a"), bytes.NewBufferString("a"), true},
		{"hidden", newHidden(1), newHidden(1), true},
		{"hidden map that differs", newHidden(1), newHidden(2), false},
	}
}

func newInt(n int64) *atomic.Int64 { x := &atomic.Int64{}; x.Store(n); return x }

func newHidden(n int) *hidden {
	h := &hidden{at: time.Unix(5, 0), err: fmt.Errorf("%d", n), fn: func() {}, m: map[string][]int{"a": {n}}}
	h.text.WriteString("text")
	return h
}

func TestDigest(t *testing.T) {
	for _, r := range rows() {
		if got := Digest(r.a) == Digest(r.b); got != r.same {
			t.Errorf("%s: equal %v, want %v", r.name, got, r.same)
		}
		if got := twin(r.a, r.b); got != r.same {
			t.Errorf("%s: the twin says %v, want %v", r.name, got, r.same)
		}
	}
}

// All pairs of the values in the table, and of random values, must agree with the twin.
func TestDigestTwin(t *testing.T) {
	var all []any
	for _, r := range rows() {
		all = append(all, r.a, r.b)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		all = append(all, random(r, 4))
	}
	equal := 0
	for i, a := range all {
		for _, b := range all[i:] {
			want := twin(a, b)
			if got := Digest(a) == Digest(b); got != want {
				t.Fatalf("%#v and %#v: equal %v, the twin says %v", a, b, got, want)
			}
			if want {
				equal++
			}
		}
	}
	if equal < len(all)+50 {
		t.Errorf("only %d pairs are equal", equal)
	}
}

// random returns a value from a small set, so that equal values occur.
func random(r *rand.Rand, depth int) any {
	n := r.IntN(10)
	if depth == 0 {
		n %= 4
	}
	switch n {
	case 0:
		return r.IntN(2)
	case 1:
		return []any{nil, "a", math.NaN(), 0.0}[r.IntN(4)]
	case 2:
		return ring(1 + r.IntN(2))
	case 3:
		return []error{nil, io.EOF, &failure{r.IntN(2)}}[r.IntN(3)]
	case 4, 5:
		x := boxed{random(r, depth-1)}
		return []*boxed{&x, &x}[:1+r.IntN(2)]
	case 6:
		return map[any]any{r.IntN(2): random(r, depth-1), math.NaN(): r.IntN(2)}
	case 7:
		return []any{random(r, depth-1), random(r, depth-1)}
	case 8:
		return &boxed{random(r, depth-1)}
	}
	b := &boxed{}
	b.in = []any{r.IntN(2), b}
	return b
}

// twin compares two values side by side, in the plainest way.
func twin(a, b any) bool {
	return twins(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem(), nil, nil)
}

func twins(a, b reflect.Value, over, under []ref) bool {
	switch {
	case a.Type() != b.Type():
		return false
	case a.Type() == timeType:
		return instant(a) == instant(b)
	case a.Type().PkgPath() == "sync":
		return true
	case a.Type() == typeOfType:
		return a.Pointer() == b.Pointer()
	case a.Kind() != reflect.Interface && a.Type().Implements(errorType):
		return nilness(a) == nilness(b)
	}
	switch a.Kind() {
	case reflect.Array:
		return twinElements(a, b, over, under)
	case reflect.Struct:
		for i := range a.NumField() {
			if !twins(a.Field(i), b.Field(i), over, under) {
				return false
			}
		}
		return true
	case reflect.Float32, reflect.Float64:
		x, y := a.Float(), b.Float()
		return x == y || x != x && y != y
	case reflect.Complex128:
		return fmt.Sprint(a.Complex()) == fmt.Sprint(b.Complex())
	case reflect.Func, reflect.UnsafePointer:
		return a.IsNil() == b.IsNil()
	case reflect.Chan:
		return a.IsNil() == b.IsNil() && a.Len() == b.Len() && a.Cap() == b.Cap()
	case reflect.Interface:
		return a.IsNil() == b.IsNil() && (a.IsNil() || twins(a.Elem(), b.Elem(), over, under))
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return twinReferences(a, b, over, under)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return a.Int() == b.Int()
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.String:
		return a.String() == b.String()
	}
	return a.Uint() == b.Uint()
}

func twinElements(a, b reflect.Value, over, under []ref) bool {
	for i := range min(a.Len(), b.Len()) {
		if !twins(a.Index(i), b.Index(i), over, under) {
			return false
		}
	}
	return a.Len() == b.Len()
}

func twinReferences(a, b reflect.Value, over, under []ref) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() == b.IsNil() || a.Type().PkgPath() == "math/big" && a.Len() == 0 && b.Len() == 0
	}
	steps := func(v reflect.Value, path []ref) (ref, int) {
		r := ref{at: v.UnsafePointer(), typ: v.Type()}
		if v.Kind() == reflect.Slice {
			r.len = v.Len()
		}
		for i := range path {
			if path[len(path)-1-i] == r && !(v.Kind() == reflect.Slice && r.len == 0) {
				return r, i + 1
			}
		}
		return r, 0
	}
	x, n := steps(a, over)
	y, m := steps(b, under)
	if n+m > 0 {
		return n == m
	}
	over, under = append(over[:len(over):len(over)], x), append(under[:len(under):len(under)], y)
	switch a.Kind() {
	case reflect.Pointer:
		return twins(a.Elem(), b.Elem(), over, under)
	case reflect.Slice:
		return twinElements(a, b, over, under)
	}
	return a.Len() == b.Len() && twinEntries(a, b, over, under)
}

func twinEntries(a, b reflect.Value, over, under []ref) bool {
	type entry struct {
		key, value reflect.Value
		used       bool
	}
	var all []*entry
	for i := b.MapRange(); i.Next(); {
		all = append(all, &entry{i.Key(), i.Value(), false})
	}
	for i := a.MapRange(); i.Next(); {
		at := slices.IndexFunc(all, func(e *entry) bool {
			return !e.used && twins(i.Key(), e.key, over, under) && twins(i.Value(), e.value, over, under)
		})
		if at < 0 {
			return false
		}
		all[at].used = true
	}
	return true
}

// Values that are far too large are read in part.
func TestDigestBounds(t *testing.T) {
	long := func(n, last int) *node {
		list := &node{k: last}
		for range n {
			list = &node{next: list}
		}
		return list
	}
	deep := func(n, last int) any {
		var v any = last
		for range n {
			v = boxed{v}
		}
		return v
	}
	wide := func(last int) any { // 2^60 paths, 61 nodes
		type pair struct{ a, b any }
		var v any = &last
		for range 60 {
			v = &pair{v, v}
		}
		return v
	}
	text := strings.Repeat("x", nodesMax*partBytes)
	for _, r := range []struct {
		name string
		a, b any
		same bool
	}{
		{"long list", long(1000, 1), long(1000, 2), false},
		{"longer list", long(1_000_000, 1), long(1_000_000, 2), true},
		{"deep boxes", deep(1000, 1), deep(1000, 2), false},
		{"deeper boxes", deep(1_000_000, 1), deep(1_000_000, 2), true},
		{"many paths", wide(1), wide(2), false},
		{"long slice", make([]int, 1000), append(make([]int, 999), 1), false},
		{"longer slice", make([]int, 10_000_000), append(make([]int, 10_000_000-1), 1), true},
		{"length of a long slice", make([]int, 10_000_000), make([]int, 10_000_001), false},
		{"long text", text[:1<<20], text[:1<<20-1] + "y", false},
		{"longer text", text + "x", text + "y", true},
		{"large map", numbers(200_000, 1), numbers(200_000, 2), true},
		{"map", numbers(1000, 1), numbers(1000, 2), false},
	} {
		if got := Digest(r.a) == Digest(r.b); got != r.same {
			t.Errorf("%s: equal %v, want %v", r.name, got, r.same)
		}
	}
}

func numbers(n, last int) map[int]int {
	m := map[int]int{}
	for i := range n {
		m[i] = 0
	}
	m[n-1] = last
	return m
}

// The order of a map is random, so the digest of a map that is read in part must not depend
// on it.
func TestDigestOfAMapIsStable(t *testing.T) {
	m := map[int]any{}
	for i := range 100 {
		m[i] = make([]int, i*100)
	}
	want := Digest([]any{m, 1})
	for range 20 {
		if Digest([]any{m, 1}) != want {
			t.Fatal("another digest of the same map")
		}
	}
}

// Every bit of a text, of a number and of a float matters, and so does the length of a text.
func TestEveryBitMatters(t *testing.T) {
	seen := map[uint64]string{}
	add := func(v any) {
		text, d := fmt.Sprintf("%T %q", v, v), Digest(v)
		if old, ok := seen[d]; ok && old != text {
			t.Errorf("%s and %s have the same digest", old, text)
		}
		seen[d] = text
	}
	for n := range 20 {
		text := []byte("0123456789abcdefghij")[:n]
		add(string(text))
		for bit := range 8 * n {
			text[bit/8] ^= 1 << (bit % 8)
			add(string(text))
			text[bit/8] ^= 1 << (bit % 8)
		}
	}
	for bit := range 64 {
		add(uint64(1) << bit)
		add(int64(1) << bit)
		add(math.Float64frombits(1<<62 | 1<<bit>>1))
	}
	for _, v := range []any{true, false, 0, 1, nil, (*int)(nil), new(int), []int(nil), []int{}, map[int]int(nil), map[int]int{},
		math.NaN(), complex(0, 1), complex(1, 0), make(chan int), make(chan int, 1), (chan int)(nil), func() {}, (func())(nil)} {
		add(v)
	}
}

// What arrays, keys and interfaces refer to is copied too.
func TestCopyIsDeep(t *testing.T) {
	type key struct{ p *int }
	p, q := new(int), new(int)
	in := map[string]any{"array": [2]*int{p, q}, "keys": map[key]int{{p}: 1}, "any": []any{[]any{p}}}
	out := Copy(in).(map[string]any)
	if a := out["array"].([2]*int); a[0] == p || a[1] == q || a[0] == a[1] {
		t.Error("the elements of the array are not copied")
	}
	if _, same := out["keys"].(map[key]int)[key{p}]; same {
		t.Error("the key is not copied")
	}
	inner := out["any"].([]any)[0].([]any)[0].(*int)
	if inner == p || inner != out["array"].([2]*int)[0] {
		t.Error("what is inside of interfaces is not copied, or not shared")
	}
}

func TestCopy(t *testing.T) {
	for _, r := range rows() {
		if Digest(Copy(r.a)) != Digest(r.a) {
			t.Errorf("%s: the copy differs", r.name)
		}
	}
	n := &node{k: 1, next: &node{k: 2}}
	h := newHidden(1)
	list := []any{n, h, map[string]*node{"a": n}}
	copied := Copy(list).([]any)
	before := Digest(copied)
	n.next.k, h.m["a"][0], h.m["b"] = 7, 8, nil
	if Digest(copied) != before || Digest(list) == before {
		t.Error("a change of the original changed the copy")
	}
	if copied[0].(*node) != copied[2].(map[string]*node)["a"] {
		t.Error("the copy does not share what the original shares")
	}
	three := []int{1, 2, 3}
	if parts := Copy([][]int{three, three[:1], three}).([][]int); len(parts[0]) != 3 || len(parts[1]) != 1 || &parts[0][0] != &parts[2][0] {
		t.Errorf("slices of one array are copied as %v", parts)
	}
	if r := Copy(ring(3)).(*node); r.next.next.next != r {
		t.Error("the copy of a ring is no ring")
	}
}

func BenchmarkDigest(b *testing.B) {
	v := []any{1, "text", &node{1, &node{2, nil}}, map[string]int{"a": 1, "b": 2}}
	for b.Loop() {
		Digest(v)
	}
}
