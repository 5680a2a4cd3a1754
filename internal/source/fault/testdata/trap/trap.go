// Package trap contains what is hard to rewrite. Run returns the results of all of it.
package trap

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
	"unsafe"
)

type (
	Kind  int
	Flag  bool
	Text  string
	Ratio float64
	Small uint8
	Point struct{ X, Y int }
	Wrong struct{ code int }
)

func (w *Wrong) Error() string { return fmt.Sprint("wrong ", w.code) }

func (k Kind) String() string { return [...]string{"zero", "one", "two"}[k%3] }

const (
	limit      = 10
	mask       = 1<<limit - 1
	kindA Kind = iota
	kindB
)

var out strings.Builder

func show(name string, values ...interface{}) {
	fmt.Fprint(&out, name, ":")
	for _, v := range values {
		fmt.Fprintf(&out, " %v", v)
	}
	out.WriteString("\n")
}

// Run runs everything once.
func Run() string {
	out.Reset()
	constants()
	shifts(3, -8)
	named(kindB, "text", true, 0.5)
	lazy()
	loops()
	labels(5)
	show("result", results(0), results(1), results(2))
	defers()
	generics()
	closures()
	order()
	hidden()
	hiddenTypes(3)
	floats()
	show("switch", switches(3, "b"), switches(-1, ""), typeSwitch(3), typeSwitch("x"), typeSwitch(nil))
	goroutines()
	maps()
	show("lines", lines()...)
	show("init", total, table, initialised, parse("12"))
	pointers()
	show("never", never(3))
	show("unsafe", size())
	show("comment", comment(3, 4))
	arrays()
	selects()
	return out.String()
}

func constants() {
	var a [limit + 2]int
	var x int8 = 127
	var y uint8 = 255
	const local = 3
	f := 1.5
	r := 'a'
	var i interface{} = 7
	b := []byte("abc")
	b = append(b, "def"...)
	b = append(b, 'g', 0x41)
	z := []int{2: 5, 4: 6, 7}
	s := "abc"[1:]
	c := "xyz"[1]
	m := map[string]int{"a": 1, "b": 2}
	d := 5 % limit
	x++
	y++
	show("constants", len(a), x, y, local, f, r, i, string(b), z, s, c, m["b"], d, mask, -1, +2, ^3, i == 7, y <= 255, y > 0, x < 127, -128 <= x, cap(make([]int, 2, 5)))
}

func shifts(n uint, s int) {
	var u8 uint8 = 1
	var i64 int64 = 1 << n
	k := kindB << 2
	var shift int8 = 3
	x := 1 << n
	u8 <<= shift
	i64 >>= 1
	f := uint64(1<<n) - 1
	show("shifts", u8, i64, int(k), s>>1, s<<n, x, 1<<shift, f, uint8(1)<<n>>1, s>>n&1)
	func() {
		defer func() { show("negative", recover() != nil) }()
		negative := -1
		show("not shown", 1<<negative)
	}()
}

func named(k Kind, t Text, f Flag, r Ratio) {
	k2 := k + 1
	k2 += kindA
	k2++
	t2 := t + "!" + t
	t2 += "?"
	f2 := f && k < k2 || !f
	var f3 Flag = k == k2
	f4 := f3 || Flag(k > 1)
	r2 := -r * 2
	var s Small = 250
	s += 10
	s--
	show("named", k2, k, t2, f2, f3, f4, r2, s, k > kindA, t < t2, (k + 1).String(), isB(k), text(t), ratio(r))
}

func isB(k Kind) Flag       { return k == kindB }
func text(t Text) Text      { return t }
func ratio(r Ratio) Ratio   { return r / 2 }
func kind(n int) (k Kind)   { k = Kind(n); return }
func always() Flag          { return true }
func other(f Flag) Flag     { return !f }
func both(a, b Flag) Flag   { return a && b }
func pick(a, b Point) Point { return a }

func lazy() {
	var p *Point
	calls := 0
	f := func(b bool) bool { calls++; return b }
	a := p != nil && p.X > 0
	b := p == nil || p.X > 0
	c := f(false) && f(true)
	d := f(true) || f(true)
	e := f(true) && (f(false) || f(true)) && !f(false)
	n := 3
	g := n > 2 && n < 4 || n == 7
	var s []int
	h := len(s) > 0 && s[0] == 1
	show("lazy", a, b, c, d, e, g, h, calls, both(true, false), other(false), always(), kind(2), pick(Point{1, 2}, Point{}))
}

func loops() {
	n := 0
	for i := 0; i < 5; i++ {
		n += i
	}
	for i, j := 0, 10; i < j; i, j = i+1, j-1 {
		n += j - i
	}
	for range 3 {
		n++
	}
	for i := range 4 {
		n += i
	}
	var i8 int8
	for i8 = range 3 {
		n--
	}
	s := []int{1, 2, 3}
	for s[0] = range s {
		n += s[0]
	}
	for c := range count(5) {
		if c == 3 {
			break
		}
		n += c
	}
	for k, v := range pairs() {
		n += k * v
	}
	show("loops", n, i8, s, first(count(9)))
}

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func pairs() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) { _ = yield(1, 2) && yield(3, 4) }
}

func first(s iter.Seq[int]) int {
	for x := range s {
		if x > 4 {
			return x
		}
	}
	return -1
}

func labels(n int) {
	i := 0
again:
	if i < n {
		i++
		goto again
	}
outer:
	for a := 0; ; a++ {
		switch {
		case a == 2:
			continue outer
		case a > 4:
			break outer
		}
		for {
			i += a
			break
		}
	}
	func() {
	again:
		if i < 20 {
			i += 3
			goto again
		}
	}()
	if i > 100 {
		goto end
	}
	i = i * 2
end:
	show("labels", i)
}

func results(n int) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint("recovered ", r)
		}
	}()
	x, err := pair(n)
	if err != nil {
		var w *Wrong
		return fmt.Sprint(err, errors.As(err, &w))
	}
	_, b, f, p := many(x)
	return fmt.Sprint(x, b, f != nil, p, first2(forward(n)))
}

func pair(n int) (x int, err error) {
	switch n {
	case 0:
		return 3, nil
	case 1:
		return 0, &Wrong{n}
	}
	panic("no pair")
}

func forward(n int) (int, error) { return pair(n) }

func many(n int) ([]int, bool, func() int, *Point) {
	if n > 100 {
		return nil, false, nil, nil
	}
	return []int{
			n,
		}, n > 2, func() int { return n }, &Point{
			X: n,
		}
}

func defers() {
	n := 1
	defer show("deferred", n+1)
	defer func(m int) { show("deferred later", n, m) }(n - 1)
	n += 4
	for i := 0; i < 2; i++ {
		defer func() { show("in a loop", i) }()
	}
}

type Number interface{ ~int | ~float64 }

func add[T Number](a, b T) T {
	c := a + b
	if a < b {
		c += 1
	}
	n := 1
	n += 2
	return c * T(n)
}

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(x T) int {
	s.items = append(s.items, x)
	return len(s.items) + 1
}

func (s *Stack[T]) Pop() (x T, ok bool) {
	if len(s.items) == 0 {
		return x, false
	}
	x = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x, true
}

func Map[T, U any](s []T, f func(T) U) (r []U) {
	for i := 0; i < len(s); i++ {
		r = append(r, f(s[i]))
	}
	return r
}

func generics() {
	s := &Stack[Text]{}
	n := s.Push("a") + s.Push("b")
	x, ok := s.Pop()
	show("generics", add(1, 2), add(1.5, 0.5), n, x, ok, Map([]int{1, 2}, func(i int) int { return i + 1 }))
}

var handlers = map[string]func(int) int{
	"double": func(n int) int { return n * 2 },
	"nested": func(n int) int {
		return func() int { return n + 1 }() - 1
	},
}

func closures() {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int {
			return func() int {
				i += 2
				return func() int { return i*2 + 1 }()
			}()
		})
	}
	show("closures", fs[0](), fs[2](), handlers["double"](4), handlers["nested"](4), adder(3)(4), stored(5))
}

func adder(n int) func(int) int { return func(m int) int { return n + m } }

var stored = adder(10)

func order() {
	x := 1
	change := func() int { x = 10; return x }
	a := x + change()
	x = 1
	x += change()
	y := x
	s := []int{1, 2, 3}
	i := 0
	next := func() int { i++; return i }
	s[i] += next()
	s[next()] += 5
	t := text2(x, change(), x-1)
	show("order", a, y, s, i, t, next() < next(), next()-next())
}

func text2(n ...int) string { return fmt.Sprint(n) }

func hidden() {
	int := func(n int8) int8 { return n + 1 }
	true, bool, len, nil, string := 1, 2, 3, 4, 5
	var k Kind = 1
	k += 2
	ok := k > 2 && k < 9
	show("hidden", int(3), true+bool, len-nil, string*2, k, ok, hiddenResult())
}

func hiddenResult() []int {
	nil := []int{1}
	return nil
}

func hiddenTypes(n int) {
	type local int
	type Kind string
	var l local = 3
	l += local(n)
	k := Kind("a") + "b"
	show("types", l, k, l > 4)
	hiddenKind(2)
}

func hiddenKind(k Kind) {
	Kind := 3
	k++
	k = k + 1
	show("hidden kind", k, Kind+1)
}

func floats() {
	var zero float64
	nan := zero / zero
	minus := math.Copysign(0, -1)
	var f32 float32 = 0.1
	f32 *= 3
	show("floats", nan < 1, nan != nan, minus+zero, 1/(minus-zero), f32, -f32, zero*-1, 3.0/2)
	c := complex(1, 2)
	c *= c
	show("complex", c+1, real(c) > 0)
}

func switches(n int, s string) string {
	switch m := n + 1; {
	case m > 3 && s != "":
		return "a" + s
	case m == 0:
		fallthrough
	case m > 100:
		s += "x"
	default:
		s = "d"
	}
	switch s {
	case "x", "y" + "z":
		return s + "!"
	}
	return s
}

func typeSwitch(x interface{}) string {
	switch y := x.(type) {
	case int:
		return fmt.Sprint(y + 1)
	case string:
		return y + "s"
	}
	return "none"
}

type server struct {
	mu sync.Mutex
	n  int
	wg sync.WaitGroup
}

func (s *server) work(n int, k Kind) {
	defer s.wg.Done()
	s.mu.Lock()
	s.n += n + int(k)
	s.mu.Unlock()
}

func (s *server) plain() { s.work(1, 0) }

func goroutines() {
	s := &server{}
	s.wg.Add(6)
	go s.work(1, 2)
	go s.plain()
	go func() { s.work(3, 4) }()
	go func(n int) {
		s.work(n, 1)
	}(5)
	ch := make(chan int, 2+s.zero())
	go send(ch, 7)
	go (*server).plain(s)
	go (func() { defer s.wg.Done() })()
	s.wg.Wait()
	show("goroutines", s.n, <-ch)
}

func (s *server) zero() int { return 0 }

func send[T any](c chan T, x T) { c <- x }

func maps() {
	m := map[Kind]int{}
	m[3]++
	m[3] += 2
	m[4]--
	ms := map[string][]int{}
	ms["a"] = append(ms["a"], 1)
	delete(m, 4)
	var keys []string
	for k := range ms {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	buf := make([]byte, len(keys)+1)
	var n64 int64 = 3
	big := make([]int, n64, n64*2)
	length, err := again("ab")
	show("maps", m, keys, len(buf), len(big), cap(big), length, err)
}

// again declares err again, and returns it without naming it.
func again(s string) (n int, err error) {
	m, err := fmt.Sscan(s+" 1", &s, &n)
	if m < 2 {
		return
	}
	k, _ := func() (k int, err error) { j, err := m+1, err; k = j * 2; return }()
	n += k
	return
}

func lines() []interface{} {
	_, _, a, _ := runtime.Caller(0)
	f := func() int { _, _, n, _ := runtime.Caller(0); return n }
	b := f()
	x := 1 +
		2*
			len("a") // a comment
	_, _, c, _ := runtime.Caller(0)
	if x > 2 && // another one
		x < 100 {
		x++
	}
	_, _, d, _ := runtime.Caller(0)
	return []interface{}{a, b, c, d, position()}
}

func position() string {
	pc, _, line, _ := runtime.Caller(0)
	return fmt.Sprint(runtime.FuncForPC(pc).Name(), line)
}

var (
	total       = len(table) + start*2
	start       = strings.Count("aaa", "a") + 1
	table       = [...]int{1, 2, 3}
	parse       = func(s string) int { return len(s) * 3 }
	initialised int
)

func init() {
	for i := 0; i < 3; i++ {
		initialised += i
	}
}

func pointers() {
	p := &Point{1, 2}
	p.X++
	q := &p.Y
	*q += 3
	*q--
	pp := &p
	(*pp).X = p.X
	(**pp).Y = (**pp).Y + 1
	get().X += 2
	shared.X++
	show("pointers", *p, shared)
}

var shared Point

func get() *Point { shared = Point{}; return &shared }

func never(n int) (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	for {
		n--
		if n < 0 {
			fail(n)
		}
	}
}

func fail(n int) {
	if n > 5 {
		os.Exit(3)
	}
	panic(fmt.Sprint("failed ", n))
}

func size() uintptr { return unsafe.Sizeof(Point{1 + 2, 3}) + 1 }

func comment(a, b int) int {
	// a /* comment */ and "text"
	return a /* one */ * /* two */ b /* three */ /
		// four
		2
}

func arrays() {
	a := [3]int{1, 2, 3}
	a[0], a[1] = a[1], a[0]
	b := a
	b[2] = b[2]<<1&0xff&^2 | 1 ^ 8
	p := &a
	p[1] %= 2
	for i := range p {
		p[i] *= 2
	}
	show("arrays", a, b, a == b, len(p)-1, a[1:][0], zeroArray(1))
}

func zeroArray(n int) [2]int { return [2]int{n, n} }

func selects() {
	c, d := make(chan int, 1), make(chan int, 1)
	c <- 1 + len(c)
	n, ok := 0, false
	select {
	case n = <-c:
	case x := <-d:
		n = x - 1
	}
	select {
	case d <- n + 2:
	}
	select {
	case x, ok := <-d:
		if ok && x > 1 {
			n += x
		}
	}
	list := []chan int{nil, c}
	var to [3]int
	c <- 4
	select {
	case to[n-n+1] = <-list[len(list)-1]:
		n += to[1] * 2
	case <-list[n-n]:
	}
	c <- 5
	select {
	case to[2], ok = <-(list[1]):
	case list[0] <- n + 1:
	case <-func() chan int { n++; return nil }():
	}
	show("selects", n, to, ok)
}

func first2(n int, err error) int { return n }
