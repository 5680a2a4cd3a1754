package peers

import "github.com/allele-go/allele/eval/workload/task"

// BSTCorrect always holds.
func BSTCorrect(in TreeKey) task.Verdict {
	return insertKeepsOrder(in, func(*Tree) int { return never })
}

// ExprCorrect always holds.
func ExprCorrect(e Expr) task.Verdict { return optimiseKeepsValue(e, optimiser{}) }
