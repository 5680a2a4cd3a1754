package expr

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestSimplifyKeepsMeaning(t *testing.T) {
	allele.Check(t, func(t *allele.T, e Expr) {
		t.Logf("simplified: %v", Simplify(e))
		if got, want := Eval(Simplify(e)), Eval(e); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}, allele.Variants[Expr](Num{}, Add{}, Mul{}, &Neg{}))
}
