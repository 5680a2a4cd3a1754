// Package laws has properties that several packages check.
package laws

import (
	"testing"

	"github.com/allele-go/allele"
)

// Amounts is what is added.
type Amounts []int

// Additive checks a function that adds numbers.
func Additive(t testing.TB, sum func([]int) int) {
	t.Helper()
	allele.Check(t, func(t *allele.T, list Amounts) {
		n := 0
		for _, x := range list {
			n += x
		}
		if got := sum(list); got != n {
			t.Errorf("sum is %d, not %d", got, n)
		}
	})
}

// Spare is a law that nobody uses.
func Spare(t testing.TB) { allele.Check(t, func(t *allele.T, n int) {}) }
