//go:build go1.25

package facts

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// builderRows are packages. testdata/builders.golden lists which of their
// functions are builders, and why others are rejected.
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
	{"methods of types that are not exported", `
type set struct{ n int }
func New() *set { return nil }
func (s *set) Add(x int) { s.n = x }
type base struct{ n int }
func (b *base) Add(x int) { b.n = x }
type Node struct{ base }`},
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
	{"what functions do", `
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
func odd(n int) T { return even(n-1) }
const debug = false
func L(n int) (T, error) { if debug && n > 1 { fmt.Println() } else if n > 0 { return T{}, os.ErrNotExist }; return T{}, nil }`},
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
	{"a generic type of another package with a type of this one", `
import "scratch/p05"
type Own int
type user struct{ keys *p05.Set[Own]; others p05.Set[int8] }`},
	{"another package that does more than compute", `
import "scratch/p04"
type T struct{}
func A() T { p04.A(); return T{} }
func B() T { p04.F(""); return T{} }
func C(w p04.T) T { return T{} }`},
	{"option functions", `
import ( "errors"; "time" )
type Server struct{ timeout time.Duration; name string; hooks []func() }
type Option func(*Server)
type Strict func(*Server) error
type Hook func()
type Setting interface{ apply(*Server) }
type setting func(*Server)
func (f setting) apply(s *Server) { f(s) }
func WithTimeout(d time.Duration) Option { return func(s *Server) { s.timeout = d } }
func WithHook(f func()) Option { return func(s *Server) { s.hooks = append(s.hooks, f) } }
func Named(name string) (Strict, error) { return func(s *Server) error { s.name = name; return nil }, errors.New("") }
func Called(name string) Setting { return setting(func(s *Server) { s.name = name }) }
func NewServer(opts ...Option) *Server { s := &Server{}; for _, o := range opts { o(s) }; return s }
func NewStrict(name string, opts []Strict) (*Server, error) { s := &Server{}; for _, o := range opts { if err := o(s); err != nil { return nil, err } }; return s, nil }
func NewSet(opts ...Setting) *Server { s := &Server{}; for _, o := range opts { o.apply(s) }; return s }
func NewHooked(h Hook) *Server { return &Server{} }`},
}

func TestBuilders(t *testing.T) {
	files := map[string]string{}
	for i, c := range builderRows {
		files[fmt.Sprintf("p%02d/p.go", i)] = fmt.Sprintf("package p%02d\n%s\n", i, c.code)
	}
	files["p00/gen.go"] = "// Code generated by hand. DO NOT EDIT.\n\npackage p00\n\nfunc Generated() *Set { return nil }\n"
	files["p00/p_test.go"] = "package p00\n\nfunc Fake() *Set { return nil }\n"
	_, x := scratch(t, files)
	var got strings.Builder
	for i, c := range builderRows {
		fmt.Fprintf(&got, "# %s\n", c.name)
		n := Inside(x.prog.Scope[i])
		found, rejected := x.Builders(x.prog.Scope[i])
		for _, b := range found {
			fmt.Fprintf(&got, "%d: %s %s %s", b.Pos.Line, b.Kind, b.Expr(n), typeText(b.Type))
			if b.Name() != "" {
				fmt.Fprintf(&got, ", known as %s", b.Name())
			}
			got.WriteString("\n")
		}
		for _, d := range rejected {
			fmt.Fprintf(&got, "not %s: %s\n", d.Name, d.Why)
		}
		got.WriteString("\n")
	}
	testkit.Golden(t, filepath.Join("testdata", "builders.golden"), []byte(got.String()))
}
