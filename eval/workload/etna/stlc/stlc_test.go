package stlc

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele/eval/workload/task"
)

// The String methods are used only in these tests.
func (e Abs) String() string { return fmt.Sprintf("(\\%v)", e.E) }
func (e App) String() string { return fmt.Sprintf("(%v %v)", e.F, e.X) }
func (e Var) String() string { return fmt.Sprint(e.I) }

var (
	boolean  = TBool{}
	yes      = Bool{true}
	id       = Abs{boolean, Var{0}}
	first    = Abs{boolean, Abs{boolean, Var{1}}}
	constant = App{first, yes} // steps to a function that is always true
)

func TestTypeOf(t *testing.T) {
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{yes, "{}"},
		{id, "{{} {}}"},
		{first, "{{} {{} {}}}"},
		{App{id, yes}, "{}"},
		{App{id, id}, "<nil>"},
		{App{yes, yes}, "<nil>"},
		{Var{0}, "<nil>"},
		{Abs{boolean, Var{1}}, "<nil>"},
		{Abs{boolean, Var{-1}}, "<nil>"},
	} {
		typ, _ := TypeOf(c.e)
		if got := fmt.Sprint(typ); got != c.want {
			t.Errorf("%v has type %s, want %s", c.e, got, c.want)
		}
	}
}

func TestStep(t *testing.T) {
	under := func(body Expr) Expr { return Abs{boolean, body} }
	for _, c := range []struct {
		what  string
		fault Fault
		e     Expr
		want  string
	}{
		{"a redex", Correct, App{id, yes}, "{true}"},
		{"under a lambda", Correct, under(App{id, Var{0}}), "(\\0)"},
		{"free variables move out", Correct, under(App{under(Var{1}), yes}), "(\\0)"},
		{"free variables are shifted under a lambda", Correct, under(App{first, Var{0}}), "(\\(\\1))"},
		{"all redexes at once", Correct, App{App{id, id}, App{id, yes}}, "((\\0) {true})"},
		{"subst_abs_no_shift", SubstAbsNoShift, under(App{first, Var{0}}), "(\\(\\0))"},
		{"shift_var_none", ShiftVarNone, under(App{under(Var{1}), yes}), "(\\1)"},
		{"subst_var_all", SubstVarAll, constant, "(\\{true})"},
		{"subst_var_none", SubstVarNone, App{id, yes}, "-1"},
		{"substTop_no_shift_back", SubstTopNoShiftBack, under(App{under(Var{1}), yes}), "(\\1)"},
	} {
		got, ok := c.fault.Step(c.e)
		if fmt.Sprint(got) != c.want || !ok {
			t.Errorf("%s: %v steps to %v, %v; want %s", c.what, c.e, got, ok, c.want)
		}
	}
	if got, ok := Correct.Step(id); ok {
		t.Errorf("a normal form steps to %v", got)
	}
}

// The reduction of a term that doubles with every step is stopped. The term counts as
// one without a normal form, which is not a failure.
func TestReductionsAreBounded(t *testing.T) {
	twice := Abs{boolean, App{App{Var{0}, Var{0}}, App{Var{0}, Var{0}}}}
	if e, ok := Correct.Normal(App{twice, twice}); ok {
		t.Errorf("ends in %v", e)
	}
	if v := MultiPreserve(Correct, App{id, yes}); v != task.Passed {
		t.Error(v)
	}
}
