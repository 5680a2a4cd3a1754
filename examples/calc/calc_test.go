package calc

import (
	"strconv"
	"testing"

	"github.com/allele-go/allele"
)

// What Go's types do not say about an expression, for every property below:
// which types it may be, and which variables and operators there are. With two
// variables the same one often stands in several places.
func init() {
	allele.Declare(
		allele.Variants[Expr](Num(0), Var(""), Neg{}, Binary{}, Let{}),
		allele.Values[Var]("x", "y"),
		allele.Values(Add, Sub, Mul, Div),
	)
}

// An optimised expression has the same value, or the same error, whatever the
// variables are. What goes wrong with lets takes one inside another, so the
// expressions are twice as large as usual.
func TestOptimiseKeepsMeaning(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Expr Expr
		X, Y int
	}) {
		env := Env{"x": in.X, "y": in.Y}
		short := Optimise(in.Expr)
		want, got := meaning(in.Expr, env), meaning(short, env)
		if got != want {
			t.Errorf("%v is %s, but as %v it is %s", in.Expr, want, short, got)
		}
		t.Label("changed", short != in.Expr)
		t.Label("fails", want == ErrDivide.Error())
	}, allele.Size(40))
}

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

// Without variables and without divisions that may fail, nothing is left but a
// number. What a Check says about a type takes the place of what was declared.
func TestConstantsFold(t *testing.T) {
	allele.Check(t, func(t *allele.T, e Expr) {
		if short := Optimise(e); size(short) > 1 {
			t.Errorf("%v was optimised no further than %v", e, short)
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
