package local

import (
	"testing"

	"github.com/allele-go/allele"
)

// The type of the input is declared inside the test, so no other function can
// name it.
func TestLocal(t *testing.T) {
	type point struct{ X, Y int }
	allele.Check(t, func(t *allele.T, p point) {
		if p.X > 10 && p.Y > p.X {
			t.Errorf("%d is above %d", p.Y, p.X)
		}
	})
}

func TestTable(t *testing.T) {
	for _, limit := range []int{5, 7} {
		t.Run("limit "+string(rune('0'+limit)), func(t *testing.T) {
			allele.Check(t, func(t *allele.T, in []bool) {})
			allele.Check(t, func(t *allele.T, in []bool) {
				if len(in) == limit {
					t.Error("at the limit")
				}
			})
		})
	}
}
