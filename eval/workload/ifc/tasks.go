package ifc

import (
	"fmt"

	"github.com/allele-go/allele/eval/workload/task"
)

// Reach is how far numbers are from zero in the experiments of the paper on
// MUTAGEN, whose largest size is ten. FuzzChick's runs had three, its generator
// written by hand has zero and one.
const Reach = 10

// Declare is what a user would say about a Pair: the variants, and that small
// numbers are enough. All of them are addresses, or counts, or nothing special.
func Declare(reach int) []task.Declaration {
	return []task.Declaration{
		task.Variants[Instr](Nop{}, Push{}, Call{}, Ret{}, Add{}, Load{}, Store{}, Halt{}),
		task.Variants[Stack](Empty{}, Data{}, Frame{}),
		task.Range(-reach, reach),
	}
}

// Tasks is a property under each fault, by the papers' numbers: ifc1 to ifc20.
func Tasks(p Property) []task.Task {
	var tasks []task.Task
	for i, f := range Faults()[:Killable] {
		property := func(in Pair) task.Verdict { return p(&f.Table, in) }
		tasks = append(tasks, task.Of(fmt.Sprintf("ifc%d", i+1), property, Declare(Reach)...))
	}
	return tasks
}

// Correct is a property under the rules as they should be, which always holds.
func Correct(p Property) task.Task {
	rules := Rules()
	return task.Of("ifc-correct", func(in Pair) task.Verdict { return p(rules, in) }, Declare(Reach)...)
}
