package peers

import "github.com/allele-go/allele/eval/workload/task"

// Correct is two of the programs without their bugs, for what a search costs that
// never ends.
func Correct() []task.Task {
	declared := Tasks()
	return []task.Task{
		task.Of("bst-correct", BSTCorrect, declared[0].Declare...),
		task.Of("expr-correct", ExprCorrect, declared[3].Declare...),
	}
}

// BSTCorrect always holds.
func BSTCorrect(in TreeKey) task.Verdict {
	return insertKeepsOrder(in, func(*Tree) int { return never })
}

// ExprCorrect always holds.
func ExprCorrect(e Expr) task.Verdict { return optimiseKeepsValue(e, optimiser{}) }
