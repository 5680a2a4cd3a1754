// Package paths has a function of every shape that matters to a probe.
package paths

import (
	"errors"
	"fmt"
	"iter"
	"sort"
	"strings"
)

func Straight(a, b int) int { return a + b }

func Bools(a, b, c bool) bool { return a && b || c }

func If(n int) string {
	if n < 0 {
		return "negative"
	} else if n == 0 {
		return "zero"
	}
	if n > 100 && n%2 == 0 || n == 7 {
		return "special"
	}
	return "positive"
}

func Loops(n int) (sum int) {
	for i := 0; i < n; i++ {
		if i%3 == 0 {
			continue
		}
		sum += Straight(i, 1)
	}
	for i := range n {
		if i > 5 {
			break
		}
		sum += len(If(i))
	}
	for _, r := range strings.Repeat("ab", n) {
		switch r {
		case 'a':
			sum++
			fallthrough
		case 'b':
			sum += 2
		default:
			sum--
		}
	}
outer:
	for i := range n {
		for j := range n {
			if j > i {
				continue outer
			}
			if i+j > 12 {
				break outer
			}
			sum++
		}
	}
	return sum
}

func Goto(n int) int {
	i := 0
again:
	if i < n {
		i++
		goto again
	}
	return i
}

func Types(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case int, int64:
		return fmt.Sprint("int", v)
	case string:
		if v == "" {
			return "empty"
		}
		return v
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	default:
		return "other"
	}
}

type Named int

func (n Named) String() string {
	if n > 3 {
		return "many"
	}
	return "few"
}

func Closures(n int) int {
	f := func(k int) int {
		if k > 2 {
			return k
		}
		return -k
	}
	g := func() int { return f(n) }
	if g() > 0 {
		return f(n + 1)
	}
	return 0
}

func Deferred(n int) (out int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered %v", r)
			if n > 10 {
				out = n
			}
		}
	}()
	for i := range n {
		if i == 3 {
			panic("three")
		}
		out += i
	}
	return out, nil
}

func Seq(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func RangeFunc(n int) (sum int) {
	for i := range Seq(n) {
		if i == 4 {
			continue
		}
		if i > 6 {
			break
		}
		sum += i
	}
	if sum > 10 {
		return -sum
	}
	return sum
}

func Select(n int) int {
	c := make(chan int, 1)
	for i := range n {
		select {
		case c <- i:
		case x := <-c:
			if x > 2 {
				return x
			}
		}
	}
	close(c)
	sum := 0
	for x := range c {
		sum += x
	}
	return sum
}

type Number interface{ ~int | ~float64 }

func Max[T Number](xs ...T) (best T) {
	for i, x := range xs {
		if i == 0 || x > best {
			best = x
		}
	}
	return best
}

func Sorted(xs []int) bool {
	sort.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] })
	return sort.SliceIsSorted(xs, func(i, j int) bool { return xs[i] < xs[j] })
}

var table = func() map[string]int {
	m := map[string]int{}
	for i, w := range strings.Fields("a b c") {
		m[w] = i
	}
	return m
}()

func Even(n int) bool {
	if n == 0 {
		return true
	}
	return Odd(n - 1)
}

func Odd(n int) bool {
	if n == 0 {
		return false
	}
	return Even(n - 1)
}

func Pruned(n int) int {
	for n > 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
	return n
}

var ErrOdd = errors.New("odd")

// All runs everything with one number.
func All(n int) string {
	out, err := Deferred(n)
	return fmt.Sprint(Straight(n, 2), Bools(n > 3, n%2 == 0, n > 8), If(n), If(-n), Loops(n), Goto(n), Types(n), Types(Named(n)), Types(ErrOdd), Types(""), Types(nil), Types(2.5),
		Closures(n), out, err, RangeFunc(n), Select(n), Max(n, 3, 5), Max(1.5, float64(n)), Sorted([]int{n, 3, 1}), table["b"], Even(n), Odd(n), Pruned(n+1))
}
