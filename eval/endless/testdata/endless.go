package scratch

import "sync/atomic"

// The programs of this file do not end for some inputs.

// Empty has an empty loop.
func Empty(xs []byte) int {
	if len(xs) > 3 {
		for {
		}
	}
	return 0
}

// Step adds a step that may be zero.
func Step(xs []byte) (n int) {
	for i := 0; i < len(xs); i += int(xs[i] % 5) {
		n++
	}
	return n
}

type state func([]byte) state

// Machine has two states that lead to each other. The stack does not grow.
func Machine(xs []byte) (n int) {
	for s := state(even); s != nil; n++ {
		s = s(xs)
		if len(xs) > 0 {
			xs = xs[1:]
		}
	}
	return n
}

func even(xs []byte) state {
	if len(xs) > 0 && xs[0]%2 == 1 {
		return odd
	}
	if len(xs) == 0 {
		return nil
	}
	return even
}

func odd(xs []byte) state {
	if len(xs) > 0 && xs[0]%2 == 0 {
		return even
	}
	return odd
}

type node struct {
	value byte
	next  *node
}

// Ring walks through a list that has a cycle if two values are equal.
func Ring(xs []byte) (n int) {
	seen := map[byte]*node{}
	var head, last *node
	for _, x := range xs {
		now := seen[x]
		if now == nil {
			now = &node{value: x}
			seen[x] = now
		}
		if last == nil {
			head = now
		} else {
			last.next = now
		}
		last = now
	}
	for p := head; p != nil; p = p.next {
		n++
	}
	return n
}

// Lexer does not skip a character that it does not know. It does not store the tokens.
func Lexer(xs []byte) (tokens int) {
	for i := 0; i < len(xs); {
		switch c := xs[i]; {
		case c < 'a':
			i++
		case c <= 'z':
			for i < len(xs) && xs[i] >= 'a' && xs[i] <= 'z' {
				i++
			}
		}
		tokens++
	}
	return tokens
}

// Tokens is like Lexer, and stores the tokens: it uses more and more memory.
func Tokens(xs []byte) int {
	var tokens [][]byte
	for i := 0; i < len(xs); {
		from := i
		for i < len(xs) && xs[i] < 200 {
			i++
		}
		tokens = append(tokens, xs[from:i])
	}
	return len(tokens)
}

// Retry tries again after an error, and the error does not go away.
func Retry(xs []byte) (tries int) {
	for {
		tries++
		if err := send(xs); err == nil {
			return tries
		}
	}
}

func send(xs []byte) error {
	for _, x := range xs {
		if x%16 == 15 {
			return errOdd
		}
	}
	return nil
}

// Halves is a binary search that never leaves an interval of two.
func Halves(xs []byte) int {
	low, high := 0, len(xs)
	for low+1 < high || low < high && xs[low] > 99 {
		middle := (low + high) / 2
		if xs[middle] <= 99 {
			low = middle
		} else {
			high = middle + 1
		}
		if high > len(xs) {
			high = len(xs)
		}
	}
	return low
}

// Spin waits for a goroutine that never sends what it waits for.
func Spin(xs []byte) int {
	var done atomic.Bool
	go func() {
		for _, x := range xs {
			if x > 150 {
				return
			}
		}
		done.Store(true)
	}()
	tries := 0
	for !done.Load() {
		tries++
	}
	return tries
}

// Goto jumps back for a digit.
func Goto(xs []byte) int {
	i := 0
next:
	if i < len(xs) {
		if xs[i]%10 != 7 {
			i++
		}
		goto next
	}
	return i
}

// Negative follows a sequence like that of Collatz, which has cycles without 1.
func Negative(xs []byte) (length int) {
	for m := at(xs, 0); m > 1; length++ {
		if m%2 == 0 {
			m /= 2
		} else {
			m = 3*m - 1
		}
	}
	return length
}
