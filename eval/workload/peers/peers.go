// Package peers contains seven programs, each with a bug that only well-formed input
// reveals. Other Go tools were measured on the same seven programs.
//
//	bst4      a search tree inserts keys on the wrong side below a path of four nodes
//	bst8      the same at any depth, once the tree has eight nodes
//	sorted    behind its fifth slot, a sorted list inserts keys one slot too far
//	rbeasy    a red-black tree omits one case of balancing: two nodes reveal it
//	rbhard    the same, but only for violations that come from below: six nodes
//	          reveal it, if their colors are right
//	expreasy  an optimiser replaces x*e by e
//	exprhard  an optimiser lets a variable be captured: three nested lets with
//	          matching names reveal it
//
// No other tool found the bugs of bst8, rbhard and exprhard. Tasks returns all seven:
//
//	for _, t := range peers.Tasks() { ... }
package peers

import "github.com/allele-go/allele/eval/workload/task"

// Reach is the largest absolute value of a key, and NameMax is the last name. A user
// would declare such ranges. Among all integers, hardly any key would be between two
// others, and among all names, hardly any variable would be bound.
const (
	Reach   = 10
	NameMax = Name(10)
)

// Forms declares the variants of Expr.
func Forms() task.Declaration {
	return task.Variants[Expr](Num{}, Bool{}, Add{}, Mul{}, If{}, Let{}, Var{})
}

// Tasks returns all seven tasks, the easy ones first.
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
