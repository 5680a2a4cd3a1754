// Package ops has a small function for each operator of faults.
package ops

import (
	"errors"
	"fmt"
	"strings"
)

type Kind int8
type Flag bool
type Text string
type Point struct{ X, Y int }

func less(a, b int) bool           { return a < b }
func greater(a, b uint8) bool      { return a > b }
func atMost(a, b string) bool      { return a <= b }
func atLeast(a, b float64) bool    { return a >= b }
func equal(a, b interface{}) bool  { return a == b }
func differ(a, b *int) bool        { return a != b }
func and(a, b bool) bool           { return a && b }
func or(a, b Flag) Flag            { return a || b }
func anyOf(a, b, c bool) bool      { return a || b || c }
func sums(a, b, c int) int         { return a ^ b + c | b*c }
func allOf(a, b, c bool) bool      { return a && b && c }
func tight(a, b, c int) int        { return a ^ b&c - a&c*b }
func guard(p *Point) bool          { return p != nil && p.X > 0 }
func add(a, b int) int             { return a + b }
func sub(a, b uint8) uint8         { return a - b }
func mul(a, b int) int             { return a * b }
func quo(a, b int) int             { return a / b }
func quoFloat(a, b float64) string { return fmt.Sprint(a / b) }
func rem(a, b Kind) Kind           { return a % b }
func bits(a, b int) int            { return a&b ^ (a|b)&^1 }
func shl(a int8, n uint) int8      { return a << n }
func shr(a int, n int) int         { return a >> n }
func cat(a, b Text) Text           { return a + b + a }
func minus(a int) int              { return -a }
func not(a bool) bool              { return !a }
func zero() int                    { return 0 }
func two() float64                 { return 2 }
func large() float64               { return 1e9 }
func empty() string                { return "x" }
func yes() bool                    { return true }
func fail(n int) error {
	if n == 0 {
		return nil
	}
	return errors.New("failed")
}

func point(n int) *Point {
	p := &Point{n, 1}
	return p
}

func value(n int) Point { return Point{n, 2} }

func slice(n int) ([]int, error) {
	return make([]int, n), nil
}

func count(n int) (r int) {
	for i := 0; i < n; i++ {
		r += 2
	}
	for i := n; i > 0; i-- {
		r -= 1
	}
	return r
}

func assign(a int) (s string, f float64) {
	x := 1
	x = a
	x *= 3
	x <<= 1
	s = "a"
	s += fmt.Sprint(x)
	f = 1
	f /= float64(x)
	return s, f
}

func calls(n int) string {
	var b strings.Builder
	b.WriteString("a")
	if n > 1 {
		b.WriteByte('b')
	}
	return b.String()
}

func constant(n int) []int {
	s := []int{1, 2, 3}
	s[1] = n
	if n >= 5 || n == 3 {
		return s[1:]
	}
	return append(s, 'c', 0)
}

func limits(n int, k Kind, f float64, s string, b []byte, i int) [9]bool {
	return [9]bool{n > 1, n == 2, 3 > n, n != 0, k >= 2, f < 1.5, s == "ab", b[i] >= '1', len(s) > 1}
}

func maps(k string) int {
	m := map[string]int{"a": 1}
	m[k]++
	m[k] += 4
	return len(m) + m["a"]
}

func nested(n int) int {
	f := func(m int) int { return n*m + 1 }
	g := func() func(int) int { return func(x int) int { return f(x) - 2 } }
	return g()(3)
}

func lazyEffects(n int) string {
	s := ""
	step := func(b bool, t string) bool { s += t; return b }
	if step(n > 1, "a") && step(n > 2, "b") || step(n == 0, "c") {
		s += "d"
	}
	return s
}

// A result that is replaced is not evaluated.
type log struct{ text string }

func write(l *log, s string, n int) int { l.text += s; return n }

func viaNumber(l *log, n int) int          { return write(l, "a", n) }
func viaText(l *log, n int) string         { return strings.Repeat("b", write(l, "b", n)) }
func viaBool(l *log, n int) bool           { return write(l, "c", n) > 1 }
func viaPointer(l *log, n int) *Point      { return makePoint(l, n) }
func viaError(l *log, n int) error         { return fail(write(l, "e", n)) }
func viaTwo(l *log, n int) (Point, error)  { return value(write(l, "f", n)), fail(n) }
func element(s []int, i int) int           { return s[i] }
func part(s []int, i int) []int            { return s[i:] }
func field(p *Point) int                   { return p.X }
func length(p *Point, s string) float64    { return float64(len(s)) + float64(p.X) }
func inList(l *log, n int) (*Point, error) { return makePoint(l, n), nil }

func makePoint(l *log, n int) *Point {
	l.text += "d"
	if n == 0 {
		return nil
	}
	return &Point{n, n}
}

// So is an operand of + that is left out.
func joined(l *log, n int) string {
	s := "x" + viaText(l, n)
	s += viaText(l, n+1)
	s += "y"
	return viaText(l, 1) + s[n:]
}

// With || the right operand runs where it did not run before. It is the same if it has the same value.
func lazySame(l *log, n int) string {
	s := ""
	if n > 1 && write(l, "g", n) > 1 {
		s += "a"
	}
	if n > 1 || write(l, "h", n) > 1 {
		s += "b"
	}
	if n > 1 && write(l, "i", n) > 2 || n == 0 && write(l, "j", n) == 1 {
		s += "c"
	}
	return s
}

// Original bodies call direct copies of the small functions.
func stored(p *Point, s []int, n int) string {
	p.X = n
	s[n] = 4 | s[n]&1
	s = nil
	return fmt.Sprint(p, s)
}

func zeroValue(n int) Point {
	q := Point{n, 0}
	return q
}

func isLarge(a int) bool { return a > 1 }

func middle(a int) int {
	if isLarge(a) {
		return a + 2
	}
	return a
}

func outer(n int) (r int) {
	for i := 0; i < n; i++ {
		r += middle(i)
	}
	return r
}

func try(f func() interface{}) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint("panic: ", r)
		}
	}()
	return fmt.Sprintf("%+q", fmt.Sprint(f()))
}

// Cases are calls of the functions.
func Cases() (all []func() interface{}) {
	one := 1
	call := func(f func() interface{}) { all = append(all, f) }
	for a := 0; a < 4; a++ {
		for b := 0; b < 3; b++ {
			call(func() interface{} {
				return []bool{less(a, b), greater(uint8(a), uint8(b)), atMost(fmt.Sprint(a), fmt.Sprint(b))}
			})
			call(func() interface{} {
				return []interface{}{atLeast(float64(a), float64(b)), equal(a, b), differ(&one, &one)}
			})
			call(func() interface{} { return []interface{}{and(a > 0, b > 0), or(a > 0, b > 0)} })
			call(func() interface{} { return fmt.Sprintf("%.0f", large()) })
			call(func() interface{} { return []interface{}{anyOf(a > 0, b > 0, a > b), sums(a, b, 5)} })
			call(func() interface{} { return []interface{}{allOf(a > 0, b > 0, a > b), tight(a, b, 6)} })
			call(func() interface{} { return []interface{}{add(a, b), sub(uint8(a), uint8(b)), bits(a, b)} })
			call(func() interface{} { return mul(a, b) })
			call(func() interface{} { return quo(a, b) })
			call(func() interface{} { return quoFloat(float64(a), float64(b)) })
			call(func() interface{} { return rem(Kind(a), Kind(b)) })
			call(func() interface{} { return []interface{}{shl(int8(a), uint(b)), shr(a, b)} })
			call(func() interface{} { return shr(a, -b) })
			call(func() interface{} { return cat(Text(fmt.Sprint(a)), Text(strings.Repeat("x", b))) })
		}
		call(func() interface{} { return []interface{}{minus(a), not(a > 1), zero(), two(), empty(), yes()} })
		call(func() interface{} { return fail(a) == nil })
		call(func() interface{} { return []interface{}{point(a) == nil, value(a)} })
		call(func() interface{} { x, err := slice(a); return []interface{}{x, err == nil} })
		call(func() interface{} { return count(a) })
		call(func() interface{} { x, y := assign(a); return fmt.Sprint(x, y) })
		call(func() interface{} { return calls(a) })
		call(func() interface{} { return constant(a * 2) })
		call(func() interface{} {
			return limits(a, Kind(a), float64(a), "ab"[:a%3], []byte{'x', '0' + byte(a)}, one)
		})
		call(func() interface{} { return maps([]string{"a", "b", "c", "d"}[a]) })
		call(func() interface{} { return nested(a) })
		call(func() interface{} { return outer(a + 2) })
		call(func() interface{} { return lazyEffects(a) })
		l, s := &log{}, []int{0, 4, 0}
		logged := func(f func() interface{}) {
			call(func() interface{} { l.text = ""; return fmt.Sprint(f(), l.text) })
		}
		logged(func() interface{} { return viaNumber(l, a) })
		logged(func() interface{} { return viaText(l, a) })
		logged(func() interface{} { return viaBool(l, a) })
		logged(func() interface{} { return viaPointer(l, a) == nil })
		logged(func() interface{} { return viaError(l, a) == nil })
		logged(func() interface{} { x, err := viaTwo(l, a); return fmt.Sprint(x, err) })
		logged(func() interface{} { x, err := inList(l, a); return fmt.Sprint(x == nil, err) })
		logged(func() interface{} { return joined(l, a) })
		logged(func() interface{} { return lazySame(l, a) })
		call(func() interface{} {
			p, s := []*Point{{X: 1}, {X: 1}, nil, {Y: 2}}[a], []int{4, 0, 5, 4}
			return fmt.Sprint(stored(p, s, a), p, s)
		})
		call(func() interface{} { return zeroValue(a) })
		call(func() interface{} { return element(s, a) })
		call(func() interface{} { return part(s, a) == nil })
		call(func() interface{} { return field([]*Point{nil, {}, {1, 1}, {}}[a]) })
		call(func() interface{} { return length([]*Point{nil, {}, {1, 1}, {}}[a], "ab"[:a/2]) })
	}
	call(func() interface{} { return []bool{guard(&Point{1, 1}), guard(&Point{})} })
	call(func() interface{} { return guard(nil) })
	return all
}

// Try runs a case.
func Try(f func() interface{}) string { return try(f) }
