package acct_test

import (
	"testing"

	"github.com/allele-go/allele"

	"example.com/shapes/acct"
)

func TestExternal(t *testing.T) {
	allele.Check(t, func(t *allele.T, list []int) {
		if len(list) == 2 && acct.Sum(list) != list[0]+list[1] {
			t.Error("wrong sum of two")
		}
	})
}

func sums[L ~[]int](t *testing.T) {
	allele.Check(t, func(t *allele.T, list L) {
		n := 0
		for _, x := range list {
			n += x
		}
		if got := acct.Sum(list); got != n {
			t.Errorf("sum is %d, not %d", got, n)
		}
	})
}

type ints []int

func TestGeneric(t *testing.T) { sums[ints](t) }
