// Package peers holds seven programs, each with a bug that only well-formed
// input shows. Other Go tools were measured on the same seven.
//
//	bst4      a search tree puts keys on the wrong side below a path of four nodes
//	bst8      it does so anywhere once it has eight nodes
//	sorted    a sorted list puts keys one slot too far behind the fifth
//	rbeasy    a red-black tree forgets one case of its balance: two nodes show it
//	rbhard    it forgets it for violations that come from below: six nodes do,
//	          if their colors are right
//	expreasy  an optimiser takes x*e for e
//	exprhard  it lets a variable be captured: three nested lets with matching names
//
// The three hard ones were found by no other tool:
//
//	for _, t := range peers.Tasks() { ... }
package peers

import "github.com/allele-go/allele/eval/workload/task"

// Reach is how far keys are from zero, and NameMax the last name. A user would
// say so: among all integers, no key would ever lie between two others, and
// among all names, no variable would ever be bound.
const (
	Reach   = 10
	NameMax = Name(10)
)

// Forms declares what an Expr can be.
func Forms() task.Declaration {
	return task.Variants[Expr](Num{}, Bool{}, Add{}, Mul{}, If{}, Let{}, Var{})
}

// Tasks is all seven, the easy ones first.
func Tasks() []task.Task {
	keys := task.Range(-Reach, Reach)
	names := task.Range(Name(0), NameMax)
	exprs := Forms()
	return []task.Task{
		task.Of("bst4", BST4, keys),
		task.Of("sorted", Sorted, keys),
		task.Of("rbeasy", RBEasy, keys),
		task.Of("expreasy", ExprEasy, keys, names, exprs),
		task.Of("bst8", BST8, keys),
		task.Of("rbhard", RBHard, keys),
		task.Of("exprhard", ExprHard, keys, names, exprs),
	}
}
