// Package exprs has properties of github.com/expr-lang/expr.
package exprs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/expr-lang/expr"

	"github.com/allele-go/allele"
)

// Formulas have three kinds, each with its own Go type, so that every formula is
// also well-typed in the language.
type (
	// Number is a formula for an int.
	Number interface{ number(scope) string }
	// Truth is a formula for a bool.
	Truth interface{ truth(scope) string }
	// List is a formula for a list of ints.
	List interface{ list(scope) string }
)

// scope holds the names that are defined at a place.
type scope struct {
	vars int  // number of variables v0, v1 and so on, defined by enclosing lets
	item bool // inside a filter or map, where # is the current item
}

type (
	Int  int
	Var  uint8 // a variable in scope, or x or y
	Item struct{}
	Calc struct {
		Op   CalcOp
		L, R Number
	}
	Pick struct {
		If         Truth
		Then, Else Number
	}
	Let struct{ Value, Body Number }
	Len struct{ Of List }

	Bool    bool
	Compare struct {
		Op   CompareOp
		L, R Number
	}
	Join struct {
		Or   bool
		L, R Truth
	}
	Not struct{ X Truth }

	Array  []Number
	Filter struct {
		Of List
		By Truth
	}
	Map struct {
		Of List
		To Number
	}
)

type (
	CalcOp    string
	CompareOp string
)

func init() {
	allele.Declare(
		allele.Variants[Number](Int(0), Var(0), Item{}, Calc{}, Pick{}, Let{}, Len{}),
		allele.Variants[Truth](Bool(false), Compare{}, Join{}, Not{}),
		allele.Variants[List](Array{}, Filter{}, Map{}),
		allele.Values[CalcOp]("+", "-", "*"),
		allele.Values[CompareOp]("<", "<=", "==", "!=", ">=", ">"),
		allele.Range(Int(-20), Int(20)),
		allele.Range(Var(0), Var(3)),
	)
}

func (e Int) number(scope) string { return fmt.Sprintf("(%d)", int(e)) }

func (e Var) number(s scope) string {
	if s.vars > 0 && e > 1 {
		return fmt.Sprintf("v%d", int(e)%s.vars)
	}
	return []string{"x", "y"}[e%2]
}

func (Item) number(s scope) string {
	if s.item {
		return "#"
	}
	return "x"
}

func (e Calc) number(s scope) string {
	return fmt.Sprintf("(%s %s %s)", e.L.number(s), e.Op, e.R.number(s))
}

func (e Pick) number(s scope) string {
	return fmt.Sprintf("(%s ? %s : %s)", e.If.truth(s), e.Then.number(s), e.Else.number(s))
}

// A name may not be defined twice, so each let uses the next name.
func (e Let) number(s scope) string {
	inner := s
	inner.vars++
	return fmt.Sprintf("(let v%d = %s; %s)", s.vars, e.Value.number(s), e.Body.number(inner))
}

func (e Len) number(s scope) string { return fmt.Sprintf("len(%s)", e.Of.list(s)) }

func (e Bool) truth(scope) string { return fmt.Sprint(bool(e)) }

func (e Compare) truth(s scope) string {
	return fmt.Sprintf("(%s %s %s)", e.L.number(s), e.Op, e.R.number(s))
}

func (e Join) truth(s scope) string {
	op := "and"
	if e.Or {
		op = "or"
	}
	return fmt.Sprintf("(%s %s %s)", e.L.truth(s), op, e.R.truth(s))
}

func (e Not) truth(s scope) string { return fmt.Sprintf("(not %s)", e.X.truth(s)) }

func (e Array) list(s scope) string {
	var items []string
	for _, n := range e {
		items = append(items, n.number(s))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (e Filter) list(s scope) string {
	return fmt.Sprintf("filter(%s, %s)", e.Of.list(s), e.By.truth(scope{s.vars, true}))
}

func (e Map) list(s scope) string {
	return fmt.Sprintf("map(%s, %s)", e.Of.list(s), e.To.number(scope{s.vars, true}))
}

type env struct {
	X int `expr:"x"`
	Y int `expr:"y"`
}

// value compiles and runs a text and returns the result. It discards an input whose
// program exceeds the memory budget.
func value(t *allele.T, text string, in env, opts ...expr.Option) string {
	program, err := expr.Compile(text, append(opts, expr.Env(env{}), expr.MaxNodes(0))...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	v, err := expr.Run(program, in)
	if err != nil && strings.Contains(err.Error(), "memory budget") {
		t.Assume(false)
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return fmt.Sprint(v)
}

// alike checks that a text has the same value with and without the optimiser.
func alike(t *allele.T, text string, in env, opts ...expr.Option) {
	want := value(t, text, in, append(opts, expr.Optimize(false))...)
	if got := value(t, text, in, opts...); got != want {
		t.Errorf("%s is %s, but optimised it is %s", text, want, got)
	}
}

func TestOptimiserKeepsNumbers(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Text Number
		Env  env
	}) {
		alike(t, in.Text.number(scope{}), in.Env, expr.AsInt())
	})
}

func TestOptimiserKeepsTruths(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Text Truth
		Env  env
	}) {
		alike(t, in.Text.truth(scope{}), in.Env, expr.AsBool())
	})
}

func TestOptimiserKeepsLists(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Text List
		Env  env
	}) {
		alike(t, in.Text.list(scope{}), in.Env)
	})
}

// Compiling a text twice yields the same program.
func TestCompilesAlike(t *testing.T) {
	allele.Check(t, func(t *allele.T, in List) {
		text := in.list(scope{})
		var programs [2]string
		for i := range programs {
			p, err := expr.Compile(text, expr.Env(env{}), expr.MaxNodes(0))
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			programs[i] = p.Disassemble()
		}
		if programs[0] != programs[1] {
			t.Errorf("%s becomes\n%s\nand\n%s", text, programs[0], programs[1])
		}
	})
}
