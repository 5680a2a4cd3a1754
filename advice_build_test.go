//go:build go1.25

package allele

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

const adviceSource = `package box

import "sync"

// Stack is ready as its zero value, and only Push changes it.
type Stack struct {
	n  int
	xs []int
}

func (s *Stack) Push(x int) { s.n++; s.xs = append(s.xs, x) }
func (s *Stack) Ok() bool   { return s == nil || s.n == len(s.xs) }

// Deque is generic.
type Deque[T any] struct {
	n  int
	xs []T
}

func (d *Deque[T]) Len() int        { return d.n }
func (d *Deque[T]) PushBack(x T)    { d.n++; d.xs = append(d.xs, x) }
func (d *Deque[T]) PushFront(x T)   { d.n++; d.xs = append([]T{x}, d.xs...) }
func (d *Deque[T]) Do(f func(T))    {}
func (d *Deque[T]) Ok() bool        { return d == nil || d.n == len(d.xs) }

// Pair has a generic constructor.
type Pair[K comparable, V any] struct {
	k []K
	v []V
}

func NewPair[K comparable, V any](k K, v V) *Pair[K, V] { return &Pair[K, V]{[]K{k}, []V{v}} }
func (p *Pair[K, V]) Ok() bool                         { return p == nil || len(p.k) == len(p.v) }

// Ring needs a length that is not large.
type Ring struct {
	xs   []int
	at, n int
}

func NewRing(size int) *Ring {
	if size <= 0 {
		panic("no size")
	}
	return &Ring{xs: make([]int, size, 1000*size)}
}
func (r *Ring) Push(x int) { r.xs[r.at%len(r.xs)] = x; r.at++; r.n = min(r.n+1, len(r.xs)) }
func (r *Ring) Ok() bool   { return r == nil || r.n <= len(r.xs) && r.n <= r.at }

// Set has a constructor that always makes the same value.
type Set struct {
	m map[string]bool
	n int
}

func New() Set              { return Set{m: map[string]bool{}} }
func (s *Set) Add(x string) {
	if s.m == nil {
		s.m = map[string]bool{}
	}
	s.m[x] = true
	s.n = len(s.m)
}
func (s Set) Ok() bool { return s.n == len(s.m) }

// Bag has such a constructor too, and its zero value is not ready.
type Bag struct {
	m map[int]bool
	n int
}

func NewBag() Bag         { return Bag{m: map[int]bool{}} }
func (b *Bag) Add(x int) {
	if !b.m[x] {
		b.m[x] = true
		b.n++
	}
}
func (b *Bag) Ok() bool {
	if b == nil {
		return true
	}
	b.Add(1)
	return b.n == len(b.m)
}

// Span is made by a function with arguments.
type Span struct{ lo, hi int32 }

func Between(a, b int32) Span { return Span{min(a, b), max(a, b)} }
func ParseSpan(s string) (Span, error) { return Span{}, nil }
func (s Span) Ok() bool       { return s.lo <= s.hi }

// Heap has a constructor that takes a function.
type Heap struct {
	n  int
	xs []int
}

func NewHeap(less func(a, b int) bool) *Heap { return &Heap{} }
func (h *Heap) Insert(xs ...int)             { h.xs = append(h.xs, xs...); h.n = len(h.xs) }
func (h *Heap) Ok() bool                     { return h == nil || h.n == len(h.xs) }

// Locked has a mutex.
type Locked struct {
	mu sync.Mutex
	n  int
	xs map[int]bool
}

func NewLocked() *Locked       { return &Locked{xs: map[int]bool{}} }
func (l *Locked) Put(x int) error { l.mu.Lock(); defer l.mu.Unlock(); l.xs[x] = true; l.n = len(l.xs); return nil }
func (l *Locked) Ok() bool     { return l == nil || l.n == len(l.xs) }

// Tree has an unexported constructor.
type Tree struct {
	root *node
	size int
}

type node struct {
	l, r *node
	k    int
}

func newTree() *Tree { return &Tree{} }
func (t *Tree) Insert(k int) { t.root = t.root.insert(k, &t.size) }
func (n *node) insert(k int, size *int) *node {
	if n == nil {
		*size++
		return &node{k: k}
	}
	if k < n.k {
		n.l = n.l.insert(k, size)
	} else if k > n.k {
		n.r = n.r.insert(k, size)
	}
	return n
}
func (n *node) count() int {
	if n == nil {
		return 0
	}
	return 1 + n.l.count() + n.r.count()
}
func (t *Tree) Ok() bool { return t == nil || t.size == t.root.count() }

// Money has no length, though its argument is called n. With small numbers only, Ok would not fail.
type Money struct{ cents int64 }

func NewMoney(n int64) Money { if n < 0 { panic("negative") }; return Money{n} }
func (m Money) Ok() bool     { return m.cents >= 0 }

// Queue contains another container, and its zero value is not ready. Has is a question.
type Queue struct{ list *Stack }

func NewQueue() *Queue             { return &Queue{list: &Stack{}} }
func (q *Queue) Enqueue(x int)     { q.list.Push(x) }
func (q *Queue) Load(s string) error { q.list = nil; return nil }
func (q *Queue) Has(x int) bool    { return false }
func (q *Queue) Ok() bool          { return q == nil || q.list.n == len(q.list.xs) }
`

// adviceTests returns a test file with a property for each type. /*TestX*/ is replaced by options.
func adviceTests(pkg, box string, types ...string) string {
	text := "package " + pkg + "\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n"
	if box != "" {
		text += "\t\"scratch/box\"\n"
	}
	text += ")\n"
	if pkg != "box" {
		text += "\ntype mine struct{ A, B int8 }\n"
	}
	for i, typ := range types {
		name := "Test" + string(rune('A'+i))
		text += "\nfunc " + name + "(t *testing.T) {\n\tallele.Check(t, func(t *allele.T, in " + typ + ") {\n" +
			"\t\tif !in.Ok() {\n\t\t\tt.Error(\"impossible\")\n\t\t}\n\t} /*" + name + "*/)\n}\n"
	}
	return text
}

// advised matches the declaration in a note.
var advised = regexp.MustCompile(`(?m)^ +declare (allele\.Builder\(.*\))(?:, or run: .*)?$`)

// A container that is ready as its zero value, or has a constructor, is filled by fields in plain
// go test, and fails in code that is right. The report says so, and the declaration that it shows
// compiles as printed and works: with it, the property passes.
func TestAdviceWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many tests")
	}
	files := map[string]string{
		"box/box.go": adviceSource,
		"box/in_test.go": adviceTests("box", "", "*Stack", "Stack", "*Deque[int]", "Deque[node]", "*Pair[string, []int]", "*Ring", "Ring",
			"Set", "Bag", "*Bag", "Span", "*Heap", "*Locked", "*Tree", "*Queue", "Money", "struct {\n\t\t*Stack\n\t\tD []Deque[string]\n\t}"),
		"box/out_test.go":     adviceTests("box_test", "box", "*box.Stack", "box.Deque[int]", "*box.Deque[mine]", "*box.Ring", "box.Span", "*box.Tree", "box.Bag", "*box.Bag"),
		"other/other_test.go": adviceTests("other", "box", "*box.Stack", "box.Deque[int]", "*box.Pair[mine, bool]", "*box.Ring", "box.Span", "*box.Tree"),
	}
	files["box/out_test.go"] = regexp.MustCompile(`\bTest([A-Z])\b`).ReplaceAllString(files["box/out_test.go"], "TestOut$1")
	dir := testkit.Module(t, files)
	for _, pkg := range []string{"box", "other"} {
		out, _ := testkit.Go(t, dir, nil, "test", "./"+pkg)
		options := map[string]string{}
		for _, report := range strings.Split(out, "--- FAIL: ")[1:] {
			test, _, _ := strings.Cut(report, " ")
			for _, m := range advised.FindAllStringSubmatch(report, -1) {
				options["/*"+test+"*/"] += ", " + m[1]
			}
		}
		for name, text := range files {
			if !strings.HasPrefix(name, pkg) {
				continue
			}
			for mark, more := range options {
				text = strings.Replace(text, mark, more, 1)
			}
			files[name] = text
			if left := regexp.MustCompile(`/\*Test\w+\*/`).FindString(text); left != "" {
				t.Errorf("%s: no advice for %s in\n%s", name, left, out)
			}
			if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		os.RemoveAll(filepath.Join(dir, pkg, "testdata"))
	}
	if text := files["box/in_test.go"]; strings.Contains(text, "NewMoney, allele.Partial{Small") {
		t.Errorf("the argument of NewMoney is taken for a length:\n%s", text)
	}
	out, exit := testkit.Go(t, dir, nil, "test", "./...")
	if exit != 0 {
		t.Errorf("exit code %d:\n%s", exit, out)
	}
}
