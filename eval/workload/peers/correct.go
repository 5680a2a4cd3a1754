package peers

import "github.com/allele-go/allele/eval/workload/task"

// Correct returns two of the programs without their bugs, to measure the cost of a
// search that finds nothing.
func Correct() []task.Task {
	declared := Tasks()
	return []task.Task{
		task.Of("bst-correct", BSTCorrect, declared[0].Declare...),
		task.Of("expr-correct", ExprCorrect, declared[3].Declare...),
	}
}
