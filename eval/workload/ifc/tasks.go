package ifc

import (
	"fmt"

	"github.com/allele-go/allele/eval/workload/task"
)

// Reach is the largest absolute value of a number in the experiments of the paper on
// MUTAGEN, where the largest size is ten. FuzzChick's experiments used three, and its
// handwritten generator uses only zero and one.
const Reach = 10

// Declare returns the declarations that a user would make about a Pair: which variants
// exist, and that small numbers are enough. Numbers are addresses, counts or arbitrary
// values.
func Declare(reach int) []task.Declaration {
	return []task.Declaration{
		task.Variants[Instr](Nop{}, Push{}, Call{}, Ret{}, Add{}, Load{}, Store{}, Halt{}),
		task.Variants[Stack](Empty{}, Data{}, Frame{}),
		task.Range(-reach, reach),
	}
}

// Tasks returns a task for each fault, with the given property. The names have the
// numbers of the papers: ifc1 to ifc20.
func Tasks(p Property) []task.Task {
	var tasks []task.Task
	for i, f := range Faults()[:Killable] {
		property := func(in Pair) task.Verdict { return p(&f.Table, in) }
		tasks = append(tasks, task.Of(fmt.Sprintf("ifc%d", i+1), property, Declare(Reach)...))
	}
	return tasks
}

// Correct returns the task of a property under the correct rules. The property always
// holds under these rules.
func Correct(p Property) task.Task {
	rules := Rules()
	return task.Of("ifc-correct", func(in Pair) task.Verdict { return p(rules, in) }, Declare(Reach)...)
}
