package stlc

import "github.com/allele-go/allele/eval/workload/task"

// SinglePreserve holds if a step keeps the type of a term.
func SinglePreserve(f Fault, e Expr) task.Verdict {
	t, ok := TypeOf(e)
	if !ok {
		return task.Discarded
	}
	next, ok := f.Step(e)
	return task.Holds(!ok || hasType(next, t))
}

// MultiPreserve holds if the normal form of a term has the same type as the term.
func MultiPreserve(f Fault, e Expr) task.Verdict {
	t, ok := TypeOf(e)
	if !ok {
		return task.Discarded
	}
	normal, ok := f.Normal(e)
	return task.Holds(!ok || hasType(normal, t))
}

func hasType(e Expr, want Type) bool {
	t, ok := TypeOf(e)
	return ok && t == want
}

// VarMax is the largest index of a variable. A user would declare that variables are not
// negative, and that a few variables are enough.
const VarMax = 9

// Declare returns the declarations that a user would make about the inputs.
func Declare() []task.Declaration {
	return []task.Declaration{
		task.Variants[Type](TBool{}, TFun{}),
		task.Variants[Expr](Var{}, Bool{}, Abs{}, App{}),
		task.Range(0, VarMax),
	}
}

// Properties returns both properties.
func Properties() []task.Property[Fault] {
	return []task.Property[Fault]{
		task.PropertyOf("stlc", "SinglePreserve", SinglePreserve, Declare()...),
		task.PropertyOf("stlc", "MultiPreserve", MultiPreserve, Declare()...),
	}
}

// Tasks returns the 20 published tasks: every fault breaks both properties.
func Tasks() []task.Task {
	var rows []task.Row[Fault]
	for f := ShiftVarNone; f <= SubstTopNoShiftBack; f++ {
		rows = append(rows, task.Row[Fault]{Fault: f, Shown: "SinglePreserve MultiPreserve"})
	}
	return task.Table(Properties(), rows)
}
