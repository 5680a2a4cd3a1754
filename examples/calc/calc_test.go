//go:build go1.25

package calc

import (
	"strconv"
	"testing"

	"github.com/allele-go/allele"
)

// Go's types do not list which types implement Expr, nor which variables and
// operators exist. Declare adds this for every property in the package. There
// are only two variables, so the same variable often occurs several times.
func init() {
	allele.Declare(
		allele.Variants[Expr](Num(0), Var(""), Neg{}, Binary{}, Let{}),
		allele.Values[Var]("x", "y"),
		allele.Values(Add, Sub, Mul, Div),
	)
}

// An optimised expression has the same value, or the same error, for all values
// of the variables. Bugs in the handling of lets need nested lets, so the
// expressions are twice as large as the default.
func TestOptimiseKeepsMeaning(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Expr Expr
		X, Y int
	}) {
		env := Env{"x": in.X, "y": in.Y}
		short := Optimise(in.Expr)
		want, got := meaning(in.Expr, env), meaning(short, env)
		if got != want {
			t.Errorf("%v is %s, but Optimise returns %v, which is %s", in.Expr, want, short, got)
		}
		t.Label("changed", short != in.Expr)
		t.Label("fails", want == ErrDivide.Error())
	}, allele.Size(40))
}

// meaning returns the value or the error of an expression as text.
func meaning(e Expr, env Env) string {
	n, err := e.Eval(env)
	if err != nil {
		return err.Error()
	}
	return strconv.Itoa(n)
}

// Optimising never makes an expression larger.
func TestOptimiseNeverGrows(t *testing.T) {
	allele.Check(t, func(t *allele.T, e Expr) {
		if short := Optimise(e); size(short) > size(e) {
			t.Errorf("%v grew to %v", e, short)
		}
	})
}

// An expression without variables, and without divisions that may fail, becomes
// a single number. The Variants of a Check override those of Declare.
func TestConstantsFold(t *testing.T) {
	allele.Check(t, func(t *allele.T, e Expr) {
		if short := Optimise(e); size(short) > 1 {
			t.Errorf("Optimise(%v) = %v, want a number", e, short)
		}
	},
		allele.Variants[Expr](Num(0), Neg{}, Binary{}),
		allele.Given(total))
}

func size(e Expr) int {
	n := 1
	for _, p := range parts(e) {
		n += size(p)
	}
	return n
}
