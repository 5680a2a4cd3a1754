package scratch

import (
	"errors"
	"strings"
	"sync"
)

// The programs of this file take more than five million steps for some inputs, and always
// end.

// at returns a byte of the input, from 0 to 255.
func at(xs []byte, i int) int {
	if i < len(xs) {
		return int(xs[i])
	}
	return 0
}

// Interpreter evaluates a program of a small language for each number of a range.
func Interpreter(xs []byte) int {
	var ops []func(int) int
	for i, x := range xs {
		switch x % 4 {
		case 0:
			ops = append(ops, func(n int) int { return n + i })
		case 1:
			ops = append(ops, func(n int) int { return n * 3 })
		case 2:
			ops = append(ops, func(n int) int {
				if n > 1000 {
					return n / 2
				}
				return n
			})
		default:
			ops = append(ops, func(n int) int { return n ^ int(x) })
		}
	}
	sum := 0
	for n := range 49155 * 6 {
		for _, op := range ops {
			n = op(n)
		}
		sum += n & 1
	}
	return sum
}

// Brackets runs a program with nested loops: each loop runs its body a number of times.
func Brackets(xs []byte) int {
	counter, ran := [3]int{}, 0
	for counter[0] = at(xs, 0); counter[0] >= 0; counter[0]-- {
		for counter[1] = at(xs, 1); counter[1] >= 0; counter[1]-- {
			for counter[2] = 200 + at(xs, 2); counter[2] >= 0; counter[2]-- {
				ran++
			}
		}
	}
	return ran
}

// Sieve counts primes.
func Sieve(xs []byte) (primes int) {
	composite := make([]bool, 20_000*(1+at(xs, 0)))
	for i := 2; i < len(composite); i++ {
		if composite[i] {
			continue
		}
		primes++
		for j := i * i; j < len(composite); j += i {
			composite[j] = true
		}
	}
	return primes
}

// TrialDivision counts primes without a sieve.
func TrialDivision(xs []byte) (primes int) {
	for n := 2; n < 1000*(1+at(xs, 0)); n++ {
		prime := true
		for d := 2; d*d <= n; d++ {
			if n%d == 0 {
				prime = false
				break
			}
		}
		if prime {
			primes++
		}
	}
	return primes
}

// Fibonacci recurses without a table.
func Fibonacci(xs []byte) int { return fib(20 + at(xs, 0)%14) }

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

// Ackermann recurses deeply.
func Ackermann(xs []byte) int { return ackermann(3, at(xs, 0)%10) }

func ackermann(m, n int) int {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return ackermann(m-1, 1)
	}
	return ackermann(m-1, ackermann(m, n-1))
}

// Depth descends again and again to a depth that fits on the stack.
func Depth(xs []byte) (sum int) {
	for range 10 * (1 + at(xs, 0)) {
		sum += descend(10_000)
	}
	return sum
}

func descend(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + descend(n-1)
}

// Hanoi moves a tower.
func Hanoi(xs []byte) int { return move(10+at(xs, 0)%14, 0, 1, 2) }

func move(n, from, to, over int) int {
	if n == 0 {
		return 0
	}
	return move(n-1, from, over, to) + 1 + move(n-1, over, to, from)
}

// Collatz follows the sequence of many numbers to 1.
func Collatz(xs []byte) (longest int) {
	for n := 1; n < 1000*(1+at(xs, 0)); n++ {
		length := 0
		for m := n; m != 1; length++ {
			if m%2 == 0 {
				m /= 2
			} else {
				m = 3*m + 1
			}
		}
		longest = max(longest, length)
	}
	return longest
}

// Matrix multiplies two square matrices.
func Matrix(xs []byte) (trace int) {
	n := 1 + at(xs, 0)
	a := make([]int, n*n)
	for i := range a {
		a[i] = i % 7
	}
	for i := range n {
		for j := range n {
			sum := 0
			for k := range n {
				sum += a[i*n+k] * a[k*n+j]
			}
			if i == j {
				trace += sum
			}
		}
	}
	return trace
}

// Text builds a long text, character by character, and counts its words.
func Text(xs []byte) (words int) {
	var b strings.Builder
	for i := range 60_000 * (1 + at(xs, 0)) {
		if i%7 == 6 {
			b.WriteByte(' ')
		} else {
			b.WriteByte('a' + byte(i%26))
		}
	}
	inside := false
	for _, c := range b.String() {
		if c == ' ' {
			inside = false
		} else if !inside {
			inside = true
			words++
		}
	}
	return words
}

// Tables goes through maps many times.
func Tables(xs []byte) (sum int) {
	table := map[int]int{}
	for i := range 300 {
		table[i] = i
	}
	for range 150 * (1 + at(xs, 0)) {
		for k, v := range table {
			if k == v {
				sum++
			}
		}
	}
	return sum
}

// Bubble sorts a list that is in the wrong order.
func Bubble(xs []byte) (swaps int) {
	list := make([]int, 20*(1+at(xs, 0)))
	for i := range list {
		list[i] = -i
	}
	for sorted := false; !sorted; {
		sorted = true
		for i := 1; i < len(list); i++ {
			if list[i-1] > list[i] {
				list[i-1], list[i], sorted = list[i], list[i-1], false
				swaps++
			}
		}
	}
	return swaps
}

// Permutations counts them, one by one.
func Permutations(xs []byte) int { return permute(make([]bool, 5+at(xs, 0)%6), 0) }

func permute(used []bool, depth int) (n int) {
	if depth == len(used) {
		return 1
	}
	for i := range used {
		if !used[i] {
			used[i] = true
			n += permute(used, depth+1)
			used[i] = false
		}
	}
	return n
}

// Queens counts the solutions for a board.
func Queens(xs []byte) int { return queens(8+at(xs, 0)%5, 0, 0, 0, 0) }

func queens(n, row int, columns, left, right uint) (found int) {
	if row == n {
		return 1
	}
	for c := range n {
		bit := uint(1) << c
		if columns&bit != 0 || left&(1<<(row+c)) != 0 || right&(1<<(row-c+n)) != 0 {
			continue
		}
		found += queens(n, row+1, columns|bit, left|1<<(row+c), right|1<<(row-c+n))
	}
	return found
}

// Distance compares two long texts.
func Distance(xs []byte) int {
	a, b := make([]byte, 24*(1+at(xs, 0))), make([]byte, 24*(1+at(xs, 0)))
	for i := range b {
		b[i] = byte(i % 3)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for ; len(a) > 0; a = a[1:] {
		before := row[0]
		row[0]++
		for j := range b {
			cost := 1
			if a[0] == b[j] {
				cost = 0
			}
			before, row[j+1] = row[j+1], min(before+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Life runs generations of a game on a small board.
func Life(xs []byte) (alive int) {
	const side = 96
	board := make([]bool, side*side)
	for i := range board {
		board[i] = at(xs, i%7)>>(i%8)&1 == 1
	}
	for range 1 + at(xs, 0) {
		next := make([]bool, len(board))
		for i := range board {
			neighbours := 0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if (dx != 0 || dy != 0) && board[(i+dy*side+dx+len(board))%len(board)] {
						neighbours++
					}
				}
			}
			next[i] = neighbours == 3 || neighbours == 2 && board[i]
		}
		board = next
	}
	for _, cell := range board {
		if cell {
			alive++
		}
	}
	return alive
}

// Pipeline passes numbers through goroutines.
func Pipeline(xs []byte) (sum int) {
	n := 6000 * (1 + at(xs, 0))
	stage := func(in <-chan int) <-chan int {
		out := make(chan int, 64)
		go func() {
			defer close(out)
			for x := range in {
				for range 5 {
					x++
				}
				out <- x
			}
		}()
		return out
	}
	first := make(chan int, 64)
	go func() {
		defer close(first)
		for i := range n {
			first <- i
		}
	}()
	for x := range stage(stage(first)) {
		sum += x & 1
	}
	return sum
}

// Pool shares work between goroutines, under a lock that is not released by defer.
func Pool(xs []byte) (sum int) {
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i := range 16_000 * (1 + at(xs, 0)) {
				total.Lock()
				if i%2 == 0 {
					sum++
				}
				total.Unlock()
			}
		})
	}
	wait.Wait()
	return sum
}

var total sync.Mutex

// Far takes more than twenty times five million steps for one input of four.
func Far(xs []byte) (sum int) {
	n := 1000
	if at(xs, 0)%4 == 3 {
		n = 130_000_000
	}
	for i := range n {
		sum += i & 1
	}
	return sum
}

var errOdd = errors.New("odd")
