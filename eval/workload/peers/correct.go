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
