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

// Original bodies call direct copies of the small functions.
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
	}
	call(func() interface{} { return []bool{guard(&Point{1, 1}), guard(&Point{})} })
	call(func() interface{} { return guard(nil) })
	return all
}

// Try runs a case.
func Try(f func() interface{}) string { return try(f) }
