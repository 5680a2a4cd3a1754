package facts

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// builderRows are packages; which of their functions make values, and why others do
// not, is in testdata/builders.golden.
var builderRows = []struct{ name, code string }{
	{"functions and methods", `
type Set struct{ has map[int]bool }
func New(xs ...int) *Set { return &Set{} }
func Parse(s string) (*Set, error) { return New(len(s)), nil }
func Small(s string) (s2 Set, ok bool) { return }
func (s *Set) Union(o *Set) *Set { return s }
func (s Set) Without(x int) Set { return s }
func (s *Set) Len() int { return len(s.has) }
func (s *Set) Clone() *Set { return s }
func Pair() (*Set, *Set) { return nil, nil }
func List() []*Set { return nil }
func own() *Set { return nil }`},
	{"mutators", `
import "container/list"
type Set struct{ has map[int]bool; all []int; n int; next *Set; l *list.List }
func (s *Set) Add(x int) { s.has[x] = true }
func (s *Set) Try(x int) error { s.n++; return nil }
func (s *Set) Append(x int) bool { s.all = append(s.all, x); return true }
func (s *Set) Delete(x int) { delete(s.has, x) }
func (s *Set) By(x int) { s.add(x) }
func (s *Set) add(x int) { s.Add(x) }
func (s *Set) Last(x int) { p := &s.next; for *p != nil { p = &(*p).next }; *p = &Set{} }
func (s *Set) Push(x int) { s.l.PushBack(x) }
func (s *Set) Clear() { clear(s.has) }
func (s *Set) Has(x int) bool { return s.has[x] }
func (s *Set) Local(x int) { s = nil; y := s.n; y++ }
func (s Set) Value(x int) { s.n = x }`},
	{"types of arguments", `
import ( "io"; "bytes"; "time"; "context" )
type T int
type Sum interface{ sum() }
func (T) sum() {}
func A(r io.Reader) T { return 0 }
func B(f func()) T { return 0 }
func C(c []chan int) T { return 0 }
func D(x any) T { return 0 }
func E(s Sum) Sum { return s }
func F(b *bytes.Buffer) T { return 0 }
func G(t time.Time, d map[string]time.Duration) T { return 0 }
func H(ctx context.Context) T { return 0 }
func I(e error) T { return 0 }
type Open interface{ Do(x int) }
func J() Open { return nil }
func (t T) Next() T { return t + 1 }`},
	{"what they do", `
import ( "os"; "time"; "fmt"; "strings"; "math/rand"; "sync" )
type T struct{ w writer }
type writer interface{ write(s string) }
type file struct{}
func (file) write(s string) { os.WriteFile(s, nil, 0) }
var count int
var mu sync.Mutex
var start = time.Now()
func A() T { load(); return T{} }
func load() { read() }
func read() { os.Open("x") }
func B() T { go func() {}(); return T{} }
func C() T { c := make(chan int, 1); c <- 1; return T{} }
func D() T { count++; return T{} }
func E() T { fmt.Println(); return T{} }
func F(s string) T { mu.Lock(); defer mu.Unlock(); _ = strings.ToUpper(fmt.Sprint(s)); return T{} }
func G() T { rand.Int(); return T{} }
func H() T { _ = time.Unix(1, 2).Add(time.Second); return T{} }
func I() T { _ = start; return T{} }
func (t T) J() T { t.w.write("x"); return t }
func K() T { return even(3) }
func even(n int) T { if n == 0 { return T{} }; return odd(n-1) }
func odd(n int) T { return even(n-1) }`},
	{"generic types", `
import "cmp"
type Key string
type Set[T cmp.Ordered] struct{ has map[T]bool }
func NewSet[T cmp.Ordered](xs ...T) *Set[T] { return nil }
func Of[A, B cmp.Ordered](a A, b B) *Set[A] { return nil }
func (s *Set[T]) Add(x T) { s.has[x] = true }
func (s *Set[T]) Union(o *Set[T]) *Set[T] { return s }
type Box[T any] struct{ x T }
func NewBox[T any](x T) Box[T] { return Box[T]{x} }
type Lone[T any] struct{}
func NewLone[T any]() Lone[T] { return Lone[T]{} }
var a = NewSet(1, 2)
type user struct{ keys *Set[Key]; f Box[func()] }`},
	{"another package does", `
import "scratch/p03"
type T struct{}
func A() T { p03.A(); return T{} }
func B() T { p03.F(""); return T{} }
func C(w p03.T) T { return T{} }`},
}

func TestBuilders(t *testing.T) {
	files := map[string]string{}
	for i, c := range builderRows {
		files[fmt.Sprintf("p%02d/p.go", i)] = fmt.Sprintf("package p%02d\n%s\n", i, c.code)
	}
	files["p00/p_test.go"] = "package p00\n\nfunc Fake() *Set { return nil }\n"
	_, x := scratch(t, files)
	var got strings.Builder
	for i, c := range builderRows {
		fmt.Fprintf(&got, "# %s\n", c.name)
		n := Inside(x.prog.Scope[i])
		found, turned := x.Builders(x.prog.Scope[i])
		for _, b := range found {
			fmt.Fprintf(&got, "%d: %s %s %s", b.Pos.Line, b.Kind, b.Expr(n), typeText(b.Type))
			if b.Name() != "" {
				fmt.Fprintf(&got, ", known as %s", b.Name())
			}
			got.WriteString("\n")
		}
		for _, d := range turned {
			fmt.Fprintf(&got, "not %s: %s\n", d.Name, d.Why)
		}
		got.WriteString("\n")
	}
	testkit.Golden(t, filepath.Join("testdata", "builders.golden"), []byte(got.String()))
}
