package ifc

import "fmt"

// Fault is a table with one weakened rule: the rule ignores a label that it should take
// into account.
type Fault struct {
	Op      Op
	Column  string // check, result or pc
	Dropped string // the ignored part of the rule
	Table   Table
}

func (f Fault) String() string { return fmt.Sprintf("%v %s without %s", f.Op, f.Column, f.Dropped) }

// Killable is the number of faults that some input reveals. No input reveals the last
// fault: it is in the rule of Halt, which is never applied.
const Killable = 20

// Faults derives every fault of the correct table. Each fault leaves out one variable of
// a label or one conjunct of a check: first in the check, then in the label of the
// result, then in the label of the pc. The papers number the faults in this order.
func Faults() []Fault {
	var faults []Fault
	for op := range ops {
		for _, w := range Rules()[op].weakened() {
			f := Fault{Op: op, Column: w.column, Dropped: w.dropped, Table: *Rules()}
			f.Table[op] = w.rule
			faults = append(faults, f)
		}
	}
	return faults
}

type weakened struct {
	column, dropped string
	rule            Rule
}

func (r Rule) weakened() []weakened {
	var all []weakened
	parts := conjuncts(r.Check)
	for i, c := range parts {
		rule := r
		rule.Check = conjunction(without(parts, i))
		all = append(all, weakened{"check", fmt.Sprint(c), rule})
	}
	names := variables(r.Result)
	for i, v := range names {
		rule := r
		rule.Result = join(without(names, i))
		all = append(all, weakened{"result", v.String(), rule})
	}
	names = variables(r.PC)
	for i, v := range names {
		rule := r
		rule.PC = join(without(names, i))
		all = append(all, weakened{"pc", v.String(), rule})
	}
	return all
}

func without[E any](list []E, i int) []E {
	return append(append([]E{}, list[:i]...), list[i+1:]...)
}

// variables lists the variables of a label from left to right.
func variables(e Expr) []Var {
	switch e := e.(type) {
	case Var:
		return []Var{e}
	case Join:
		return append(variables(e.A), variables(e.B)...)
	}
	return nil
}

// join is the inverse of variables: it returns a label that has the given variables.
func join(names []Var) Expr {
	switch len(names) {
	case 0:
		return Bottom{}
	case 1:
		return names[0]
	}
	return Join{names[0], join(names[1:])}
}

// conjuncts splits a check into parts that must all hold. A Flows has one part for each
// variable whose flow it restricts. An Or is one part.
func conjuncts(c Check) []Check {
	switch c := c.(type) {
	case Flows:
		var parts []Check
		for _, v := range variables(c.From) {
			parts = append(parts, Flows{v, c.To})
		}
		return parts
	case And:
		return append(conjuncts(c.A), conjuncts(c.B)...)
	case Or:
		return []Check{c}
	}
	return nil
}

// conjunction is the inverse of conjuncts: it returns a check that holds if all parts
// hold.
func conjunction(parts []Check) Check {
	switch len(parts) {
	case 0:
		return True{}
	case 1:
		return parts[0]
	}
	return And{parts[0], conjunction(parts[1:])}
}

func (v Var) String() string {
	return [vars]string{"pc", "1", "2", "3"}[v]
}

func (Bottom) String() string { return "low" }

func (e Join) String() string { return fmt.Sprintf("%v+%v", e.A, e.B) }

func (c Flows) String() string { return fmt.Sprintf("%v <= %v", c.From, c.To) }
