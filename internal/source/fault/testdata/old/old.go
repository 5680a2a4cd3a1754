// Package old is written in an old version of the language, and has redeclared names.
package old

import "fmt"

type (
	float64 int
	uint16  string
	any     struct{}
	error   interface{ Error() string }
)

const nil, true = 0, 1

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func half(x float64) float64 { return x/2 + 1 }

func text(x uint16) uint16 { return x + "b" }

func fail(n int) error {
	if n > 0 {
		return problem{n}
	}
	return problem{-n}
}

type problem struct{ n int }

func (p problem) Error() string { return fmt.Sprint(p.n) }

func list(n int) []int { return make([]int, n+1) }

// Run runs everything once.
func Run() string {
	var fs []func() int
	for i := 0; i < 2; i++ {
		fs = append(fs, func() int { return i })
	}
	return fmt.Sprintln(min(2, 3), half(7), text("a"), fail(3), fs[0](), nil+true, any{}, len(list(3)))
}
